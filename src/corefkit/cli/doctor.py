"""`corefkit doctor KEY RESPONSE`."""

from __future__ import annotations

import argparse
from dataclasses import replace

from corefkit.analysis.doctor import doctor
from corefkit.analysis.doctor.examination import EXAMINATION_WRITERS
from corefkit.cli import arguments as options
from corefkit.cli.messages import ProgressLine
from corefkit.settings import resolve_settings

HELP = """Find the cause of a surprising score.

The checks include shifted offsets, exclusive ends, characters or subwords instead of
tokens, different texts, missing, truncated, merged or renamed documents, brackets in
another column, singletons or zeros on one side only, heads and other spans, repeated
mentions, and links that are all missing or all present. Each finding contains the
number of affected mentions, the score before and after the fix, and the option or
change that fixes it.

It also works if `corefkit score` rejects the files. The exit code is always 0."""

EXAMPLES = (
    "corefkit doctor key.conll response.conll",
    "corefkit doctor key.conllu response.conllu --preset crac2025",
    "corefkit doctor key.conll response.conll --format json -o findings.json",
)
COMMON_OPTIONS = ("--example", "--format", "--output", "--preset", "--from")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_inputs(parser, several=False)
    options.add_output_option(parser, EXAMINATION_WRITERS)
    options.add_settings_options(parser)


def run(arguments: argparse.Namespace) -> int:
    # The example has two responses; only the first is examined.
    key, (response, *_) = options.get_inputs(arguments)
    with ProgressLine() as line:
        examination = doctor(
            key,
            response.path,
            format=arguments.format,
            progress=line.track("checking"),
            settings=resolve_settings(**options.get_settings(arguments)),
        )
    examination = replace(examination, response=response.name)
    print(EXAMINATION_WRITERS[arguments.output](examination))
    return 0
