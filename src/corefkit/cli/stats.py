"""`corefkit stats FILE...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.statistics import STATISTICS_WRITERS, statistics_of
from corefkit.cli import Line, options
from corefkit.formats import read

if TYPE_CHECKING:
    import argparse

HELP = """Count what corpora hold, side by side: one column for each file or folder.

It counts documents, words, mentions and entities, as papers do in their tables of
corpora and, if the files have parts of speech, the kinds of mentions: pronouns,
definite noun phrases, bare ones and so on. `-` stands for what a file does not tell."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_corpora(parser)
    options.add_output_option(parser, STATISTICS_WRITERS)
    options.add_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Count and print."""
    files, format = options.corpora(arguments), arguments.format
    with Line() as line:
        shares = line.shares("counting", [file.path for file in files])
        counted = [
            (file.name, statistics_of(read(file.path, format=format, progress=share)))
            for file, share in zip(files, shares, strict=True)
        ]
    print(STATISTICS_WRITERS[arguments.output](counted))
    return 0
