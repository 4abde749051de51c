"""`corefkit doctor KEY RESPONSE`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.analysis.doctor import doctor
from corefkit.analysis.doctor.examination import EXAMINATION_WRITERS
from corefkit.cli import Line, options
from corefkit.settings import resolve_settings

if TYPE_CHECKING:
    import argparse

HELP = """Find what could explain a score far from the expected one.

It looks for offsets that are shifted, exclusive ends, characters or word pieces in
place of tokens, another text, documents that are missing, cut, joined or have other
names, brackets in another column, singletons or zeros on one side alone, heads and
other bounds, repeated mentions, links that are all there or none, and more. Each
finding has the number of mentions that it concerns, the score before and after the fix,
which is measured by scoring with it, and the option or change that mends it.

It works where `corefkit score` refuses, too. The exit code is 0 whatever is found."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=False)
    options.add_output_option(parser, EXAMINATION_WRITERS)
    options.add_settings_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine and print."""
    # The example has two responses: the first is the one to examine.
    key, (response, *_) = options.inputs(arguments)
    with Line() as line:
        found = doctor(
            key,
            response.path,
            format=arguments.format,
            progress=line.share("checking"),
            settings=resolve_settings(**options.settings_given(arguments)),
        )
    text = EXAMINATION_WRITERS[arguments.output](replace(found, response=response.name))
    print(text)
    return 0
