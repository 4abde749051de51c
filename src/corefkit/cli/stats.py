"""`corefkit stats FILE...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.statistics import statistics_of
from corefkit.cli.options import add_format_option, add_output_option, named_once
from corefkit.exceptions import SettingsError
from corefkit.formats import read
from corefkit.report.statistics import STATISTICS_WRITERS

if TYPE_CHECKING:
    import argparse

HELP = """Count what corpora hold, side by side: one column for each file or folder.

Documents, words, mentions and entities, as in the papers' tables of corpora; and where
the files have parts of speech, the kinds of mentions: pronouns, definite noun phrases,
bare ones and so on. What a file does not tell is shown as `-`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="file or folder of a corpus; several are set side by side",
    )
    parser.add_argument(
        "--example", action="store_true", help="use the bundled example corpus"
    )
    add_output_option(parser, STATISTICS_WRITERS)
    add_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Count and print."""
    corpora = [
        (file, statistics_of(read(file, format=arguments.format)))
        for file in _files(arguments)
    ]
    print(STATISTICS_WRITERS[arguments.output](corpora))
    return 0


def _files(arguments: argparse.Namespace) -> list[str]:
    files: list[str] = arguments.files
    if arguments.example:
        if files:
            message = "--example comes with its own files"
            raise SettingsError(message, hint="leave out the files, or --example")
        from corefkit.example import paths

        return [str(path) for path in paths()]
    if not files:
        message = "a file is needed"
        raise SettingsError(message, hint="name a file or folder, or say --example")
    named_once(files)
    return files
