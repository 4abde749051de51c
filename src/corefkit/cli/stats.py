"""`corefkit stats FILE...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.statistics import STATISTICS_WRITERS, statistics_of
from corefkit.cli.arguments import (
    add_corpora,
    add_format_option,
    add_output_option,
    get_corpora,
)
from corefkit.cli.messages import ProgressLine
from corefkit.formats import read

if TYPE_CHECKING:
    import argparse

HELP = """Count documents, mentions and entities: one column for each file or folder.

It counts documents, words, mentions and entities, as papers do in their tables of
corpora and, if the files have parts of speech, the kinds of mentions: pronouns,
definite noun phrases, bare ones and so on. `-` marks numbers that a file lacks."""

EXAMPLES = (
    "corefkit stats key.conll",
    "corefkit stats train=train.conllu dev=dev.conllu --format latex",
    "corefkit stats corpus/ --format csv -o corpus.csv",
)
COMMON_OPTIONS = ("--example", "--format", "--output")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_corpora(parser)
    add_output_option(parser, STATISTICS_WRITERS)
    add_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Count and print."""
    files, format = get_corpora(arguments), arguments.format
    with ProgressLine() as line:
        callbacks = line.track_files("counting", [file.path for file in files])
        statistics = [
            (file.name, statistics_of(read(file.path, format=format, progress=update)))
            for file, update in zip(files, callbacks, strict=True)
        ]
    print(STATISTICS_WRITERS[arguments.output](statistics))
    return 0
