"""`corefkit explain KEY RESPONSE`."""

from __future__ import annotations

import argparse
from pathlib import Path

from corefkit.analysis.explain import iter_lines, list_explained_metrics
from corefkit.cli import arguments as options
from corefkit.cli.output import STANDARD, write_page
from corefkit.formats import Input
from corefkit.settings import resolve_settings

HELP = """Show the computation of a metric step by step, in exact fractions.

The output contains the entities of both sides, the steps of the metric, and recall,
precision and F1, for each document and for all documents. For a system-mention variant,
it also contains the mentions that are dropped and added.

`--format html` writes a page in which every entity, mention and term is a link to the
text, with the cost of each entity.

Instead of files, KEY and RESPONSE can be entities of letters, separated by blanks."""

EXAMPLES = (
    "corefkit explain key.conll response.conll --metric muc",
    'corefkit explain "abc defg" "ab cd fghi" --metric b_cubed',
    "corefkit explain key.conll response.conll --metric ceaf_e --document bridge",
    "corefkit explain --example --metric lea --format html -o lea.html",
)
COMMON_OPTIONS = ("--example", "--metric", "--document", "--format", "--output")

TEXT, HTML = "text", "html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_inputs(parser, several=False)
    options.add_options(
        parser,
        f"""
--metric, --metrics NAME: metric to explain: {", ".join(list_explained_metrics())},
  conll (default: all metrics of `score`)
--document ID: document to explain, by its id or a part of it (default: all)
""",
    )
    options.add_output_option(parser, [TEXT, HTML])
    options.add_settings_options(parser, weights=True)


def _is_typed(side: str) -> bool:
    return all(word.isalnum() for word in side.split()) and not Path(side).exists()


def run(arguments: argparse.Namespace) -> int:
    """Explain and print, document by document."""
    # The example has two responses; only the first is explained.
    key, (response, *_) = options.get_inputs(arguments)
    name: str | None = response.name
    sides: tuple[Input, Input] = key, response.path
    if _is_typed(key) and _is_typed(response.path):
        sides, name = (key.split(), response.path.split()), None
    lines = iter_lines(
        *sides,
        metric=arguments.metric,
        settings=resolve_settings(**options.get_settings(arguments)),
        document=arguments.document,
        as_html=arguments.output == HTML,
        name=name,
        format=arguments.format,
    )
    if arguments.output == TEXT:
        for line in lines:
            print(line)
    else:
        write_page(STANDARD, "\n".join([*lines, ""]))
    return 0
