"""`corefkit explain KEY RESPONSE --metric NAME`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.explain import explained_names, walk_through
from corefkit.cli import options
from corefkit.settings.keywords import settings_from

if TYPE_CHECKING:
    import argparse

HELP = """Show how a metric's score comes about, step by step, as the papers do.

It shows the entities of key and response, what the metric makes of them, and exact
fractions up to recall, precision and F1, for each document and then for all together.
A system-mention variant first alters key and response; the mentions that it drops and
adds are shown too."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=False)
    parser.add_argument(
        "--metric",
        metavar="NAME",
        required=True,
        help=f"metric to explain: {', '.join(explained_names())}, conll",
    )
    parser.add_argument(
        "--document",
        metavar="ID",
        help="document to explain, by its id or a part of it (default: all)",
    )
    options.add_settings_options(parser, weights=True)


def run(arguments: argparse.Namespace) -> int:
    """Explain and print, document by document."""
    # The example has two responses: the first is the one to explain.
    key, (response, *_) = options.inputs(arguments)
    lines = walk_through(
        key,
        response.path,
        metric=arguments.metric,
        settings=settings_from(**options.settings_given(arguments)),
        document=arguments.document,
        called=response.name,
        format=arguments.format,
    )
    for line in lines:
        print(line)
    return 0
