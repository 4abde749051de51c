"""`corefkit errors KEY RESPONSE...`."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.analysis.errors import ErrorOptions, find_errors
from corefkit.analysis.errors.error_analysis import KINDS, LINKS
from corefkit.analysis.errors.error_output import ERROR_WRITERS
from corefkit.analysis.errors.links import ANTECEDENTS
from corefkit.cli import CANNOT_BE_SCORED, Line, options, tell, tell_all, told_refused
from corefkit.cli.corrected import CorrectedFiles
from corefkit.exceptions import SettingsError
from corefkit.metrics.registry import find_metrics
from corefkit.settings import resolve_settings
from corefkit.strings import suggest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from corefkit.analysis.errors.error_analysis import ErrorAnalysis
    from corefkit.metrics.metric import Metric

HELP = """Show what went wrong, and what it costs.

Errors have seven kinds, each with a repair: span, conflated, extra mention, extra
entity, divided, missing mention, missing entity. The table counts them, also for each
1,000 mentions of the key, and shows F1 with one kind repaired (alone), and with kinds
repaired one after the other (ladder), which ends at the key. Several responses are
compared: what is common to all, what only one makes, and of two what the second fixes
and introduces."""

_ALL = ()  # kinds
_LINK_KINDS = ", ".join(LINKS)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=True)
    parser.add_argument(
        "--links",
        action="store_true",
        help="show the links that are missing or wrong too, by types, distance, size "
        "of the entity and more",
    )
    parser.add_argument(
        "--list",
        nargs="?",
        const=_ALL,
        type=listed_kinds,
        metavar="KIND",
        dest="listed",
        help="list errors in place of the tables, one a line: those of one kind "
        f"({', '.join(KINDS)}; {_LINK_KINDS} for links), or all; name files before it",
    )
    options.add_names(
        parser, "--repair", "metric whose F1 is shown", default="lea and conll"
    )
    options.add_per_document(parser)
    options.add_sort(
        parser,
        "responses by this kind of errors, or `errors` for all, fewest first, or by F1 "
        "of this metric, best first, in all but JSON",
    )
    add_ways(parser)
    _add_strata(parser)
    _add_corrected(parser)
    options.add_output_option(parser, ERROR_WRITERS)
    options.add_settings_options(parser)


def add_ways(parser: argparse.ArgumentParser) -> None:
    """Add what decides how links and pronouns are found."""
    parser.add_argument(
        "--antecedents",
        choices=ANTECEDENTS,
        metavar="|".join(ANTECEDENTS),
        default=ANTECEDENTS[0],
        help="which earlier mention a link goes to: the last name, else the last "
        "nominal (for all but pronouns), or the closest mention "
        f"(default: {ANTECEDENTS[0]})",
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="language of the text, as in `en`, for its list of pronouns where neither "
        "the files nor their syntax tell them",
    )


def _add_strata(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--strata",
        metavar="genre|PATTERN",
        help="count links by stratum too: `genre`, or a regular expression on document "
        "ids, whose first group is the stratum",
    )


def _add_corrected(parser: argparse.ArgumentParser) -> None:
    """Add where corrected responses go, and in which format."""
    parser.add_argument(
        "--corrected",
        metavar="DIR",
        type=Path,
        help="write the response with kinds repaired one after the other to this "
        "folder, a file for each step",
    )
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        help="format of the files in DIR (default: that of the response)",
    )


def listed_kinds(word: str) -> tuple[str, ...]:
    """Read the kinds to list, one or several with commas.

    >>> listed_kinds("divided"), listed_kinds("extra-mention,span")
    (('divided',), ('extra_mention', 'span'))
    """
    known = (*KINDS, *LINKS)
    names = []
    for name in filter(None, word.split(",")):
        names.append(name.strip().lower().replace("-", "_"))
        if names[-1] not in known:
            message = (
                f"{name!r} is no kind of error: {suggest(names[-1], known)}; name "
                "files before it, as in `corefkit errors KEY RESPONSE --list`"
            )
            raise ArgumentTypeError(message)
    return tuple(names)


def run(arguments: argparse.Namespace) -> int:
    """Analyse and print, and write corrected responses where asked to."""
    metrics = options.names_given(arguments.repair, "--repair")
    if arguments.to is not None and arguments.corrected is None:
        message = "--to names the format of corrected responses"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint="name their folder too: --corrected DIR",
        )
    computed = find_metrics(metrics)
    if arguments.sort is not None:
        # Imported here because few calls sort and every start would pay.
        from corefkit.analysis.errors.error_analysis import parse_error_order

        parse_error_order(arguments.sort, [metric.name for metric in computed])
    key, responses = options.inputs(arguments)
    target = None
    if arguments.corrected is not None:
        target = CorrectedFiles.checked(
            arguments.corrected, key, responses, arguments.format, arguments.to
        )
    analysis = _analysis(arguments, key, responses, computed)
    refused = analysis.refused
    if not analysis.systems:
        for reason in refused.values():
            tell(reason)
        return CANNOT_BE_SCORED
    if arguments.sort is not None:
        analysis = analysis.sorted_by(arguments.sort)
    print(_written(arguments, analysis, metrics))
    tell_all(analysis.notes, analysis.warnings)
    if target is not None:
        target.write(analysis)
    count = len(refused) + len(analysis.systems)
    return told_refused(list(refused), count, "analysed")


def _written(
    arguments: argparse.Namespace,
    analysis: ErrorAnalysis,
    metrics: Sequence[str] | None,
) -> str:
    return ERROR_WRITERS[arguments.output](
        analysis,
        links=arguments.links,
        listed=_listed(arguments),
        metrics=None if metrics is None else _shown(metrics),
        per_document=arguments.per_document,
    )


def _shown(metrics: Sequence[str]) -> list[str]:
    """Name the metrics whose F1 is shown as results do; the CoNLL mean is one.

    >>> _shown(["b3", "CoNLL"])
    ['b_cubed', 'conll']
    """
    return [
        "conll" if name.strip().lower() == "conll" else find_metrics([name])[0].name
        for name in metrics
    ]


def _listed(arguments: argparse.Namespace) -> Sequence[str]:
    """Say which kinds are listed; none without the option."""
    if arguments.listed is None:
        return ()
    return arguments.listed or (*KINDS, *(LINKS if arguments.links else ()))


def _analysis(
    arguments: argparse.Namespace,
    key: str,
    responses: Sequence[options.NamedPath],
    metrics: tuple[Metric, ...],
) -> ErrorAnalysis:
    # The tables of a single system show only counts.
    is_detailed = (
        len(responses) > 1 or arguments.listed is not None or arguments.output == "json"
    )
    with Line() as line:
        return find_errors(
            key,
            [response.path for response in responses],
            names=[response.name for response in responses],
            options=ErrorOptions(
                metrics,
                arguments.antecedents,
                arguments.language,
                arguments.strata,
                corrected=arguments.corrected is not None,
                places=arguments.listed is not None,
                links=is_detailed or arguments.links or arguments.output == "csv",
                details=is_detailed,
            ),
            settings=resolve_settings(**options.settings_given(arguments)),
            skip_broken=True,
            format=arguments.format,
            progress=line.share("analysing"),
        )
