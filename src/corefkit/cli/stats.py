"""`corefkit stats FILE...`."""

from __future__ import annotations

import argparse

from corefkit.analysis.statistics import (
    SINGLETONS,
    STATISTICS_WRITERS,
    statistics_of,
)
from corefkit.cli import arguments as options
from corefkit.cli.messages import ProgressLine
from corefkit.formats import read

HELP = """Count documents, mentions and entities: one column for each file or folder.

The table contains the corpus statistics that papers report and, if the files have parts
of speech, the kinds of mentions: pronouns, definite noun phrases, bare noun phrases and
so on. Unknown values are printed as `-`."""

EXAMPLES = (
    "corefkit stats key.conll",
    "corefkit stats train=train.conllu dev=dev.conllu --format latex",
    "corefkit stats corpus/ --format csv -o corpus.csv",
)
COMMON_OPTIONS = ("--example", "--format", "--output")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_corpora(parser)
    meaning = "count all entities, those of several mentions, or only those of one"
    options.add_choice_option(parser, "--singletons", SINGLETONS, meaning)
    options.add_output_option(parser, STATISTICS_WRITERS)
    options.add_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    files, format = options.get_corpora(arguments), arguments.format
    statistics = []
    with ProgressLine() as line:
        callbacks = line.track_files("counting", [file.path for file in files])
        for file, update in zip(files, callbacks, strict=True):
            documents = read(file.path, format=format, progress=update)
            counts = statistics_of(documents, singletons=arguments.singletons)
            statistics.append((file.name, counts))
    print(STATISTICS_WRITERS[arguments.output](statistics))
    return 0
