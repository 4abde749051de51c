"""`corefkit explain KEY RESPONSE --metric NAME`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.explain import walk_page, walk_through
from corefkit.analysis.explain.metric_steps import explained_names
from corefkit.cli import options
from corefkit.cli.writing import STANDARD, write_page
from corefkit.settings import resolve_settings

if TYPE_CHECKING:
    import argparse

HELP = """Show how a metric's score comes about, step by step, as the papers do.

It shows the entities of key and response, what the metric makes of them, and exact
fractions up to recall, precision and F1, for each document and then for all together.
A system-mention variant first alters key and response; the mentions that it drops and
adds are shown too.

With `--format html` it is a page for the browser: every entity, mention and number of a
sum is a link to its place in the text, and the page says what each entity costs."""

TEXT = "text"
WALKS = {TEXT: walk_through, "html": walk_page}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=False)
    parser.add_argument(
        *options.spellings("--metric"),
        metavar="NAME",
        required=True,
        help=f"metric to explain: {', '.join(explained_names())}, conll",
    )
    parser.add_argument(
        "--document",
        metavar="ID",
        help="document to explain, by its id or a part of it (default: all)",
    )
    options.add_output_option(parser, WALKS)
    options.add_settings_options(parser, weights=True)


def run(arguments: argparse.Namespace) -> int:
    """Explain and print, document by document."""
    # The example has two responses: the first is the one to explain.
    key, (response, *_) = options.inputs(arguments)
    lines = WALKS[arguments.output](
        key,
        response.path,
        metric=arguments.metric,
        settings=resolve_settings(**options.settings_given(arguments)),
        document=arguments.document,
        called=response.name,
        format=arguments.format,
    )
    if arguments.output == TEXT:
        for line in lines:
            print(line)
    else:
        write_page(STANDARD, "\n".join([*lines, ""]))
    return 0
