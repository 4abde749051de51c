"""`corefkit lab perturb [KEY [RESPONSE]]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli import Line, inform, note, options
from corefkit.cli.writing import make_folder
from corefkit.exceptions import SettingsError
from corefkit.formats.output import check_folder
from corefkit.lab.figures import NO_FIGURES, can_draw, write_figure
from corefkit.lab.generated import generated
from corefkit.lab.labels import partition_settings, read_key, read_pair
from corefkit.lab.perturb import perturbed
from corefkit.lab.perturb.curves import CURVE_WRITERS, csv_curves, figures
from corefkit.lab.perturb.perturbations import PERTURBATIONS
from corefkit.results.records import save_text
from corefkit.settings import resolve_settings

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from corefkit.lab.labels import Pair
    from corefkit.lab.perturb.curves import Curves
    from corefkit.settings import Settings

DOCUMENTS = 200

_WIDTH = max(map(len, PERTURBATIONS))
_KINDS = "\n".join(
    f"  {kind.name:<{_WIDTH}}  {kind.title[0].lower()}{kind.title[1:]}"
    for kind in PERTURBATIONS.values()
)

HELP = f"""Make a key worse step by step, and see how every metric reacts.

Without KEY, a corpus is generated, with a response. The kinds of changes:

{_KINDS}

`twinless` changes a RESPONSE, and is left out if there is none. The F1 of each metric
at each step goes to stdout; -o also writes recall and precision, and figures. The same
seed gives the same bytes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=False)
    options.add_names(parser, "--kind", "kind of change")
    default = "all metrics and variants, and the CoNLL mean"
    options.add_names(parser, "--metric", "metric to compute", default=default)
    options.add_number(parser, "--steps", 11, "number of steps")
    options.add_number(parser, "--seed", 0, "random seed")
    parser.add_argument(
        "--documents",
        type=int,
        metavar="N",
        help=f"number of documents to generate (default: {DOCUMENTS})",
    )
    options.add_output_option(parser, CURVE_WRITERS, file=False)
    options.add_folder_option(parser, "perturb.csv and the figures")
    options.add_settings_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Perturb, print and write."""
    settings = partition_settings(resolve_settings(**options.settings_given(arguments)))
    if arguments.folder is not None:
        check_folder(arguments.folder)
    with Line() as line:
        curves = perturbed(
            _pair(arguments, settings),
            kinds=options.names_given(arguments.kind, "--kind"),
            metrics=options.names_given(arguments.metric, "--metric"),
            settings=settings,
            steps=arguments.steps,
            seed=arguments.seed,
            progress=line.share("scoring"),
        )
    for text in curves.notes:
        note(text)
    # Files come first: whoever reads stdout may stop in the middle.
    if arguments.folder is not None:
        _write(curves, arguments.folder)
    print(CURVE_WRITERS[arguments.output](curves))
    return 0


def _pair(arguments: argparse.Namespace, settings: Settings) -> Pair:
    key, documents = arguments.key, arguments.documents
    response: options.NamedPath | None = arguments.responses
    if documents is not None and (key is not None or arguments.example):
        message = "--documents is for a generated corpus, but a key is given"
        raise SettingsError(
            message, code="settings/conflict", hint="leave out --documents, or the key"
        )
    if arguments.example:
        # The response that finds more than there is, so that some is twinless.
        key, (_, response) = options.inputs(arguments)
    if key is None:
        count = DOCUMENTS if documents is None else documents
        return generated(count, seed=arguments.seed)
    if response is None:
        return read_key(key, settings=settings, format=arguments.format)
    pair = read_pair(key, response.path, settings=settings, format=arguments.format)
    return pair._replace(names=(pair.names[0], response.name))


def _write(curves: Curves, folder: Path) -> None:
    make_folder(folder)
    data = folder / "perturb.csv"
    save_text(data, csv_curves(curves) + "\n")
    inform(f"wrote {data}")
    if not can_draw():
        note(NO_FIGURES)
        return
    drawn = figures(curves)
    for figure in drawn:
        write_figure(figure, folder)
    plural = "" if len(drawn) == 1 else "s"
    inform(f"wrote {len(drawn)} figure{plural}, as SVG and PNG, into {folder}")
