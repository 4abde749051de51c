"""`corefkit lab COMMAND`: the metric laboratory."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from corefkit import papers
from corefkit.cli import arguments as options
from corefkit.cli.arguments import Command, NamedPath
from corefkit.cli.messages import (
    EXIT_FAILURE,
    EXIT_OK,
    ProgressLine,
    print_error,
    print_info,
    print_note,
    print_notes,
)
from corefkit.cli.output import make_folder
from corefkit.exceptions import SettingsError
from corefkit.formats.output import check_folder
from corefkit.lab.curves import (
    CURVE_WRITERS,
    Curves,
    make_figures,
    perturb,
    render_curves_csv,
    save_responses,
)
from corefkit.lab.diagnosis import DIAGNOSIS_WRITERS, diagnose
from corefkit.lab.figures import NO_FIGURES, can_draw, write_figure
from corefkit.lab.labels import (
    LabelPair,
    adapt_settings,
    list_partition_metrics,
    read_key,
    read_pair,
)
from corefkit.lab.perturbation import PERTURBATIONS, generate_pair
from corefkit.lab.reproduction import Reproduction, render_figure_csv, reproduce
from corefkit.lab.reproduction_page import (
    REPRODUCTION_WRITERS,
    make_reproduction_page,
    render_experiments,
)
from corefkit.metrics.registry import list_default_metrics
from corefkit.papers import Paper
from corefkit.results.records import save_text
from corefkit.settings import Settings, resolve_settings
from corefkit.strings import format_count
from corefkit.tables.html import render_html_page
from corefkit.tables.markdown import render_markdown_page

DEFAULT_DOCUMENTS = 200

_KIND_WIDTH = max(map(len, PERTURBATIONS))
_KINDS = "\n".join(
    f"  {kind.name:<{_KIND_WIDTH}}  {kind.title[0].lower()}{kind.title[1:]}"
    for kind in PERTURBATIONS.values()
)
_PAPER_OPTION = """
--paper NAME: paper to recompute: its name or a part of it, such as `luo` or `2014`;
  repeat it for several (default: all)
"""
_DOCUMENTS_OPTION = f"""
--documents N: number of documents to generate (default: {DEFAULT_DOCUMENTS})
"""
_PAPERS = "\n".join(f"  {name}" for name in papers.PAPERS)


def _add_reproduce(parser: argparse.ArgumentParser) -> None:
    options.add_options(parser, _PAPER_OPTION, paper={"action": "append"})
    options.add_output_option(parser, REPRODUCTION_WRITERS, file=False)
    options.add_folder_option(
        parser, "index.html, reproduce.md, and the figures as CSV, SVG and PNG,"
    )


def _reproduce(arguments: argparse.Namespace) -> int:
    if arguments.folder is not None:
        check_folder(arguments.folder)
    reproductions = [reproduce(paper) for paper in _choose_papers(arguments.paper)]
    print(REPRODUCTION_WRITERS[arguments.output](reproductions))
    if arguments.folder is not None:
        _write_reproductions(reproductions, arguments.folder)
    for reproduction in reproductions:
        for line in reproduction.iter_differences():
            print_error(f"differs: {line}")
    is_ok = all(reproduction.is_reproduced for reproduction in reproductions)
    return EXIT_OK if is_ok else EXIT_FAILURE


def _choose_papers(names: Sequence[str] | None) -> list[Paper]:
    """Load the papers with these names, or all."""
    loaded = [papers.load_paper(name) for name in papers.PAPERS]
    if names is None:
        return loaded
    for name in names:
        if not any(_is_named(paper, name) for paper in loaded):
            message = f"unknown paper {name!r}"
            hint = f"known are {', '.join(papers.PAPERS)}"
            raise SettingsError(message, code="settings/unknown-value", hint=hint)
    return [paper for paper in loaded if any(_is_named(paper, name) for name in names)]


def _is_named(paper: Paper, name: str) -> bool:
    lower = name.strip().lower()
    return lower in paper.name or lower == paper.short.lower()


def _write_reproductions(reproductions: Sequence[Reproduction], folder: Path) -> None:
    make_folder(folder)
    figures = [curves for item in reproductions for curves in item.figures]
    drawings: dict[str, Path] = {}
    for curves in figures:
        name = curves.figure.name
        save_text(folder / f"{name}.csv", render_figure_csv(curves))
        if can_draw():
            drawings[name], _ = write_figure(curves.figure, folder)
    page = make_reproduction_page(reproductions, drawings=drawings)
    save_text(folder / "reproduce.md", render_markdown_page(page))
    save_text(folder / "index.html", render_html_page(page))
    kinds = "CSV, SVG and PNG" if drawings else "CSV"
    suffix = f" and {len(figures)} figures ({kinds})" if figures else ""
    print_info(f"wrote index.html, reproduce.md{suffix} to {folder}")
    if figures and not drawings:
        print_note(NO_FIGURES)


def _add_perturb(parser: argparse.ArgumentParser) -> None:
    options.add_inputs(parser, several=False)
    options.add_names_option(parser, "--kind", "kind of change")
    default = "all metrics and variants, and the CoNLL mean"
    options.add_names_option(parser, "--metric", "metric to compute", default=default)
    options.add_number_option(parser, "--steps", 11, "number of steps")
    options.add_number_option(parser, "--seed", 0, "random seed")
    options.add_options(parser, _DOCUMENTS_OPTION, documents={"type": int})
    options.add_output_option(parser, CURVE_WRITERS, file=False)
    options.add_folder_option(
        parser, "perturb.csv, the figures, and the changed responses"
    )
    options.add_settings_options(parser)


def _perturb(arguments: argparse.Namespace) -> int:
    settings = adapt_settings(resolve_settings(**options.get_settings(arguments)))
    if arguments.folder is not None:
        check_folder(arguments.folder)
    pair = _read_or_generate(arguments, settings)
    with ProgressLine() as line:
        curves = perturb(
            pair,
            kinds=arguments.kind,
            metrics=arguments.metric,
            settings=settings,
            steps=arguments.steps,
            seed=arguments.seed,
            progress=line.track("scoring"),
        )
    print_notes(curves.notes, ())
    # Files come first, since the reader of stdout may stop in the middle.
    if arguments.folder is not None:
        _write_curves(pair, curves, arguments.folder)
    print(CURVE_WRITERS[arguments.output](curves))
    return EXIT_OK


def _read_or_generate(arguments: argparse.Namespace, settings: Settings) -> LabelPair:
    key, documents = arguments.key, arguments.documents
    response: NamedPath | None = arguments.responses
    if documents is not None and (key is not None or arguments.example):
        message = "--documents is for a generated corpus, but a key is given"
        hint = "leave out --documents, or the key"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    if arguments.example:
        # Of its responses, the second has mentions that the key lacks.
        key, (_, response) = options.get_inputs(arguments)
    if key is None:
        count = DEFAULT_DOCUMENTS if documents is None else documents
        return generate_pair(count, seed=arguments.seed)
    if response is None:
        return read_key(key, settings=settings, format=arguments.format)
    pair = read_pair(key, response.path, settings=settings, format=arguments.format)
    return pair._replace(names=(pair.names[0], response.name))


def _write_curves(pair: LabelPair, curves: Curves, folder: Path) -> None:
    responses = folder / "responses"
    make_folder(responses)
    path = folder / "perturb.csv"
    save_text(path, render_curves_csv(curves) + "\n")
    print_info(f"wrote {path}")
    number = save_responses(pair, curves, responses)
    print_info(f"wrote {number} responses and their key, as JSON lines, to {responses}")
    if not can_draw():
        print_note(NO_FIGURES)
        return
    drawings = make_figures(curves)
    for figure in drawings:
        write_figure(figure, folder)
    count = format_count(len(drawings), "figure")
    print_info(f"wrote {count}, as SVG and PNG, to {folder}")


def _add_diagnose(parser: argparse.ArgumentParser) -> None:
    options.add_inputs(parser, several=False)
    default = list_default_metrics()
    variants = (name for name in list_partition_metrics() if name not in default)
    listing = f"{','.join(default)} and the CoNLL mean; also available: "
    options.add_names_option(
        parser,
        "--metric",
        "metric or variant to diagnose",
        default=listing + ", ".join(variants),
    )
    options.add_output_option(parser, DIAGNOSIS_WRITERS)
    options.add_settings_options(parser)


def _diagnose(arguments: argparse.Namespace) -> int:
    # The example has two responses; only the first is diagnosed.
    key, (response, *_) = options.get_inputs(arguments)
    result = diagnose(
        key,
        response.path,
        settings=resolve_settings(**options.get_settings(arguments)),
        metrics=arguments.metric,
        format=arguments.format,
    )
    result = replace(result, response=response.name)
    print(DIAGNOSIS_WRITERS[arguments.output](result))
    print_notes(result.notes, result.warnings)
    return EXIT_OK


def _add_papers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paper",
        nargs="?",
        metavar="NAME",
        help="paper to list: its name or a part of it, such as luo (default: all)",
    )


def _list_papers(arguments: argparse.Namespace) -> int:
    names = None if arguments.paper is None else [arguments.paper]
    print(render_experiments(_choose_papers(names)))
    return EXIT_OK


COMMANDS = {
    "reproduce": Command(
        f"""Recompute the numbers that five papers print for sets that they state.

The output contains tables, figures and claims, with each printed number next to the
computed one, and the errata with their reasons. If a number is neither reproduced nor a
known erratum, the exit code is 1.

Three kinds of numbers are counted separately: recomputed with corefkit's metrics;
fitted, on sets chosen to reproduce them; and checked against other numbers of a printed
table, such as F1 against recall and precision.

The papers:

{_PAPERS}""",
        _add_reproduce,
        _reproduce,
        (
            "corefkit lab reproduce",
            "corefkit lab reproduce --paper luo",
            "corefkit lab reproduce -o reproduced/",
        ),
        ("--paper", "--format", "--output"),
        "recompute the papers' tables and figures",
    ),
    "papers": Command(
        """List the tables, figures, claims and experiments of five papers.

Each has the command that recomputes it or runs it on open data, or the reason why this
is impossible.""",
        _add_papers,
        _list_papers,
        ("corefkit lab papers", "corefkit lab papers luo"),
        (),
        "list the experiments of five papers, with commands",
    ),
    "perturb": Command(
        f"""Damage a key step by step, and score every step with every metric.

Without KEY, a corpus with a response is generated. The kinds of changes:

{_KINDS}

`twinless` changes a RESPONSE, and is skipped if there is none. The output contains the
F1 of each metric at each step. -o also writes recall and precision, figures, and the
key and changed responses as JSON lines, such as responses/split-03.jsonl. The same seed
produces the same bytes.""",
        _add_perturb,
        _perturb,
        (
            "corefkit lab perturb",
            "corefkit lab perturb key.conll --kind split,merge",
            "corefkit lab perturb key.conll --metric muc,lea -o curves/",
        ),
        ("--kind", "--metric", "--steps", "--seed", "--output"),
        "damage a key step by step, and score every step",
    ),
    "diagnose": Command(
        """Find the metrics that reward a worse response.

The response is changed without adding or removing a correct link: mentions with only
wrong links are removed (more precise), and missing key mentions are added to wrong
entities (less precise a and b). Recall must not change, and precision must follow. The
output contains all scores, and lists metrics that change in the wrong direction. Two
extremes are added: only singletons, and one entity per document.""",
        _add_diagnose,
        _diagnose,
        (
            "corefkit lab diagnose key.conll response.conll",
            "corefkit lab diagnose --example --metric muc,b_cubed,lea",
            "corefkit lab diagnose key.conll response.conll --format json",
        ),
        ("--example", "--metric", "--format", "--output"),
        "find the metrics that reward a worse response",
    ),
}
