"""`corefkit errors KEY RESPONSE...`."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.analysis.errors import ErrorOptions, find_errors
from corefkit.analysis.errors.error_analysis import KINDS, LINKS, parse_error_order
from corefkit.analysis.errors.error_output import ERROR_WRITERS
from corefkit.analysis.errors.links import ANTECEDENTS
from corefkit.cli import arguments as options
from corefkit.cli.messages import (
    EXIT_FAILURE,
    ProgressLine,
    print_error,
    print_info,
    print_message,
    print_notes,
    report_rejected,
)
from corefkit.cli.output import STANDARD, list_losses, make_folder, write_documents
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.formats import READ_ONLY, detect_format, get_writable_format
from corefkit.formats import output as targets
from corefkit.formats.files import ByteFile
from corefkit.metrics.registry import find_metrics
from corefkit.settings import resolve_settings
from corefkit.strings import make_filename, suggest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from corefkit.analysis.errors.error_analysis import ErrorAnalysis
    from corefkit.cli.arguments import NamedPath
    from corefkit.formats import Format
    from corefkit.metrics.metric import Metric

HELP = """Show the errors of responses, and what each kind costs.

Errors have seven kinds, each with a repair: span, conflated, extra mention, extra
entity, divided, missing mention, missing entity. The table counts them, also for each
1,000 mentions of the key, and shows F1 with one kind repaired (alone), and with kinds
repaired one after the other (ladder), which ends at the key. Several responses are
compared: errors common to all, errors that only one makes, and of two responses the
errors that the second fixes and introduces."""

EXAMPLES = (
    "corefkit errors key.conll response.conll",
    "corefkit errors key.conll response.conll --list divided,conflated",
    "corefkit errors key.conll a.conll b.conll --links --format json",
)
COMMON_OPTIONS = ("--example", "--list", "--links", "--repair", "--format")

_LIST_OPTIONS = f"""
--links: show the links that are missing or wrong too, by types, distance, size of the
  entity and more
--list KIND: list errors in place of the tables, one a line: those of one kind
  ({", ".join(KINDS)}; {", ".join(LINKS)} for links), or all; name files before it
"""
_LANGUAGE_OPTION = """
--language CODE: language of the text, as in `en`, for its list of pronouns, if neither
  the files nor their syntax determine them
"""
_CORRECTED_OPTIONS = """
--strata genre|PATTERN: count links by stratum too: `genre`, or a regular expression on
  document ids, whose first group is the stratum
--corrected DIR: write the response with kinds repaired one after the other to this
  folder, a file for each step
--to FORMAT: format of the files in DIR (default: that of the response)
"""
_DEFAULT_FORMAT = "conll"  # of a response that cannot be read, and so is not written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=True)
    options.add_options(
        parser,
        _LIST_OPTIONS,
        list={"nargs": "?", "const": (), "type": parse_kinds, "dest": "listed"},
    )
    options.add_names_option(
        parser, "--repair", "metric whose F1 is shown", default="lea and conll"
    )
    options.add_per_document_option(parser)
    options.add_sort_option(
        parser,
        "responses by this kind of errors, or `errors` for all, fewest first, or by F1 "
        "of this metric, best first, in all but JSON",
    )
    add_analysis_options(parser)
    options.add_options(parser, _CORRECTED_OPTIONS, corrected={"type": Path})
    options.add_output_option(parser, ERROR_WRITERS)
    options.add_settings_options(parser)


def add_analysis_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that decide how links and pronouns are found."""
    meaning = (
        "which earlier mention a link goes to: the last name, else the last nominal "
        "(for all but pronouns), or the closest mention"
    )
    options.add_choice_option(parser, "--antecedents", ANTECEDENTS, meaning)
    options.add_options(parser, _LANGUAGE_OPTION)


def parse_kinds(word: str) -> tuple[str, ...]:
    """Parse the kinds of errors to list, separated by commas.

    >>> parse_kinds("divided"), parse_kinds("extra-mention,span")
    (('divided',), ('extra_mention', 'span'))
    """
    kinds = (*KINDS, *LINKS)
    names = []
    for name in filter(None, word.split(",")):
        names.append(name.strip().lower().replace("-", "_"))
        if names[-1] not in kinds:
            message = (
                f"unknown kind of error {name!r}: {suggest(names[-1], kinds)}; name "
                "files before it, as in `corefkit errors KEY RESPONSE --list`"
            )
            raise ArgumentTypeError(message)
    return tuple(names)


def run(arguments: argparse.Namespace) -> int:
    """Analyse and print; write corrected responses if `--corrected` is set."""
    names = arguments.repair
    if arguments.to is not None and arguments.corrected is None:
        message = "--to names the format of corrected responses"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint="name their folder too: --corrected DIR",
        )
    metrics = find_metrics(names)
    if arguments.sort is not None:
        parse_error_order(arguments.sort, [metric.name for metric in metrics])
    key, responses = options.get_inputs(arguments)
    target = None
    if arguments.corrected is not None:
        target = _check_corrected_target(arguments, key, responses)
    analysis = _analyse(arguments, key, responses, metrics)
    if not analysis.systems:
        for reason in analysis.refused.values():
            print_error(reason)
        return EXIT_FAILURE
    if arguments.sort is not None:
        analysis = analysis.sorted_by(arguments.sort)
    listed: Sequence[str] = ()
    if arguments.listed is not None:
        listed = arguments.listed or (*KINDS, *(LINKS if arguments.links else ()))
    output = ERROR_WRITERS[arguments.output](
        analysis,
        links=arguments.links,
        listed=listed,
        metrics=None if names is None else _canonicalize_names(names),
        per_document=arguments.per_document,
    )
    print(output)
    print_notes(analysis.notes, analysis.warnings)
    if target is not None:
        _write_corrected(target, analysis)
    count = len(analysis.refused) + len(analysis.systems)
    return report_rejected(list(analysis.refused), count, "analysed")


def _canonicalize_names(metrics: Sequence[str]) -> list[str]:
    """Map names of metrics to those of results; the CoNLL mean is one of them.

    >>> _canonicalize_names(["b3", "CoNLL"])
    ['b_cubed', 'conll']
    """
    return [
        "conll" if name.strip().lower() == "conll" else find_metrics([name])[0].name
        for name in metrics
    ]


def _analyse(
    arguments: argparse.Namespace,
    key: str,
    responses: Sequence[NamedPath],
    metrics: tuple[Metric, ...],
) -> ErrorAnalysis:
    # The tables of a single system show only counts.
    is_detailed = (
        len(responses) > 1 or arguments.listed is not None or arguments.output == "json"
    )
    with ProgressLine() as line:
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
            settings=resolve_settings(**options.get_settings(arguments)),
            skip_broken=True,
            format=arguments.format,
            progress=line.track("analysing"),
        )


@dataclass(frozen=True, slots=True)
class CorrectedTarget:
    """The folder of corrected responses, and the format of each.

    Attributes:
        folder: the folder; each of several systems has a folder in it.
        sources: the input files, which are never replaced.
        formats: the format of each response, by its name.
    """

    folder: Path
    sources: tuple[str, ...]
    formats: dict[str, Format]


def _check_corrected_target(
    arguments: argparse.Namespace, key: str, responses: Sequence[NamedPath]
) -> CorrectedTarget:
    """Choose the formats to write, and reject a folder that cannot be written."""
    targets.check_folder(arguments.corrected)
    to, paths = arguments.to, [response.path for response in responses]
    formats = {
        response.name: get_writable_format(
            to or _choose_format(response.path, arguments.format)
        )
        for response in responses
        if to or os.path.lexists(response.path) or response.path == STANDARD
    }
    return CorrectedTarget(arguments.corrected, (key, *paths), formats)


def _write_corrected(target: CorrectedTarget, analysis: ErrorAnalysis) -> None:
    """Write each step of each system, and print what a format cannot represent."""
    folders = _name_folders(
        target.folder, [system.response for system in analysis.systems]
    )
    losses: dict[str, None] = {}
    count = 0
    for system, folder in zip(analysis.systems, folders, strict=True):
        format = target.formats[system.response]
        make_folder(folder)
        for number, (step, documents) in enumerate(system.corrected.items()):
            ending = "" if format.writer.files else format.suffixes[0]
            path = folder / f"{number}-{step}{ending}"
            if not ending:
                make_folder(path)
            lost = write_documents(documents, target.sources, str(path), format)
            # The numbers differ from step to step.
            kinds = [line.rpartition(": ")[0] for line in list_losses(lost)]
            losses |= dict.fromkeys(kinds)
            count += 1
    for line in losses:
        print_message(line)
    print_info(f"written: {count} corrected responses in {str(target.folder)!r}")


def _name_folders(folder: Path, names: Sequence[str]) -> list[Path]:
    """Name a folder for each of several systems, whose names may be the same.

    >>> [path.name for path in _name_folders(Path("out"), ["x/a.conll", "y/a.conll"])]
    ['a.conll', '2-a.conll']
    """
    if len(names) < 2:
        return [folder for _ in names]
    taken: list[str] = []
    for number, name in enumerate(names, start=1):
        # A name of dots would lead out of the folder.
        short = make_filename(Path(name).name).lstrip(".") or "system"
        taken.append(f"{number}-{short}" if short in taken else short)
    return [folder / short for short in taken]


def _choose_format(path: str, source_format: str | None) -> str:
    """Return the format for the corrections of a response: its own."""
    name = source_format or _recognise_format(path)
    if name is None:
        message = f"the format of {path!r} is not known before it is read"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint="name the format to write: --to FORMAT",
        )
    # The only format that cannot be written is a dialect of CoNLL-U.
    return "conllu" if name in READ_ONLY else name


def _recognise_format(path: str) -> str | None:
    """Recognise the format of a file, or of the first file of a folder."""
    if path == STANDARD:
        return None
    files = [Path(path)]
    if files[0].is_dir():
        paths = (child for child in sorted(files[0].rglob("*")) if child.is_file())
        files = [child for child in paths if not child.name.startswith(".")]
    for name in files[:1]:
        with suppress(CorefkitError, OSError), ByteFile(name) as file:
            return detect_format(file).name
    return _DEFAULT_FORMAT
