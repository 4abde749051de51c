"""`corefkit doctor KEY RESPONSE`."""

from __future__ import annotations

import argparse
from dataclasses import replace

from corefkit.analysis.doctor import doctor
from corefkit.analysis.doctor.examination import EXAMINATION_WRITERS
from corefkit.cli import arguments as options
from corefkit.cli.messages import ProgressLine
from corefkit.settings import resolve_settings

HELP = """Find the cause of a score far from the expected one.

It looks for offsets that are shifted, exclusive ends, characters or word pieces in
place of tokens, another text, documents that are missing, cut, joined or have other
names, brackets in another column, singletons or zeros on one side only, heads and
other bounds, repeated mentions, links that are all missing or all present, and more.
Each finding has the number of mentions that it concerns, the score before and after the
fix, which is measured by scoring with it, and the option or change that fixes it.

It also works if `corefkit score` rejects the files. The exit code is always 0."""

EXAMPLES = (
    "corefkit doctor key.conll response.conll",
    "corefkit doctor key.conllu response.conllu --preset crac2025",
    "corefkit doctor key.conll response.conll --format json -o findings.json",
)
COMMON_OPTIONS = ("--example", "--format", "--output", "--preset", "--from")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=False)
    options.add_output_option(parser, EXAMINATION_WRITERS)
    options.add_settings_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine and print."""
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
