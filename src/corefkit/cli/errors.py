"""`corefkit errors KEY RESPONSE...`."""

from __future__ import annotations

import argparse
import os
from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence
from pathlib import Path

from corefkit.analysis.errors import ErrorOptions, find_errors
from corefkit.analysis.errors.error_analysis import (
    KINDS,
    LINKS,
    ErrorAnalysis,
    parse_error_order,
)
from corefkit.analysis.errors.error_output import ERROR_WRITERS
from corefkit.analysis.errors.links import ANTECEDENTS
from corefkit.cli import arguments as options
from corefkit.cli.arguments import NamedPath
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
from corefkit.exceptions import SettingsError
from corefkit.formats import READ_ONLY, Format, detect_first_format, get_writable_format
from corefkit.formats import output as targets
from corefkit.metrics.registry import find_metrics
from corefkit.settings import resolve_settings
from corefkit.strings import make_filename, suggest

HELP = """Count the errors of responses by kind, and compute the cost of each kind.

There are seven kinds: span, conflated, extra mention, extra entity, divided, missing
mention, missing entity. The table shows their counts, also per 1,000 mentions of the
key, F1 with one kind repaired (alone), and F1 with the kinds repaired in sequence
(ladder). For several responses, it also shows errors common to all and unique to one;
for two, the errors that the second fixes and introduces."""

EXAMPLES = (
    "corefkit errors key.conll response.conll",
    "corefkit errors key.conll response.conll --list divided,conflated",
    "corefkit errors key.conll a.conll b.conll --links --format json",
)
COMMON_OPTIONS = ("--example", "--list", "--links", "--repair", "--format")

_LIST_OPTIONS = f"""
--links: also show missing and wrong links, by mention types, distance, entity size and
  more
--list KIND: list errors instead of tables, one per line: those of a kind
  ({", ".join(KINDS)}; {", ".join(LINKS)} for links), or all; put
  files before this option
"""
_TABLE_OPTIONS = """
--per-document: also show each document
--sort NAME: sort responses by this kind of errors, or `errors` for all, fewest first,
  or by F1 of this metric, best first, in all but JSON; `name` sorts by name
"""
_LANGUAGE_OPTION = """
--language CODE: language of the list of pronouns, as in `en` (default: from the files)
"""
_CORRECTED_OPTIONS = """
--strata genre|PATTERN: also count links by stratum: `genre`, or the first group of a
  regular expression on document ids
--corrected DIR: write the response after each step of the ladder to this folder
--to FORMAT: format of the files in DIR (default: that of the response)
"""
_DEFAULT_FORMAT = "conll"  # of a response that cannot be read, and so is not written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_inputs(parser, several=True)
    options.add_options(
        parser,
        _LIST_OPTIONS,
        list={"nargs": "?", "const": (), "type": parse_kinds, "dest": "listed"},
    )
    options.add_names_option(
        parser, "--repair", "metric whose F1 is shown", default="lea and conll"
    )
    options.add_options(parser, _TABLE_OPTIONS)
    add_analysis_options(parser)
    options.add_options(parser, _CORRECTED_OPTIONS, corrected={"type": Path})
    options.add_output_option(parser, ERROR_WRITERS)
    options.add_settings_options(parser)


def add_analysis_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that decide how links and pronouns are found."""
    meaning = (
        "antecedent of a link: the last name, else the last nominal (except for "
        "pronouns), or the closest mention"
    )
    options.add_choice_option(parser, "--antecedents", ANTECEDENTS, meaning)
    options.add_options(parser, _LANGUAGE_OPTION)


def parse_kinds(word: str) -> tuple[str, ...]:
    """Parse the kinds of errors to list, separated by commas."""
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
    if arguments.to is not None and arguments.corrected is None:
        message = "--to names the format of corrected responses"
        hint = "name their folder too: --corrected DIR"
        raise SettingsError(message, code="settings/missing-value", hint=hint)
    metrics = find_metrics(arguments.repair)
    if arguments.sort is not None:
        parse_error_order(arguments.sort, [metric.name for metric in metrics])
    key, responses = options.get_inputs(arguments)
    has_corrected = arguments.corrected is not None
    has_list = arguments.listed is not None
    formats = _choose_formats(arguments, responses) if has_corrected else {}
    # The tables of a single system show only counts.
    is_detailed = len(responses) > 1 or has_list or arguments.output == "json"
    with ProgressLine() as line:
        analysis = find_errors(
            key,
            [response.path for response in responses],
            names=[response.name for response in responses],
            options=ErrorOptions(
                metrics,
                arguments.antecedents,
                arguments.language,
                arguments.strata,
                corrected=has_corrected,
                places=has_list,
                links=is_detailed or arguments.links or arguments.output == "csv",
                details=is_detailed,
            ),
            settings=resolve_settings(**options.get_settings(arguments)),
            skip_broken=True,
            format=arguments.format,
            progress=line.track("analysing"),
        )
    if not analysis.systems:
        for reason in analysis.refused.values():
            print_error(reason)
        return EXIT_FAILURE
    if arguments.sort is not None:
        analysis = analysis.sorted_by(arguments.sort)
    _print_analysis(arguments, analysis)
    print_notes(analysis.notes, analysis.warnings)
    if has_corrected:
        sources = [key, *(response.path for response in responses)]
        _write_corrected(analysis, arguments.corrected, sources, formats)
    count = len(analysis.refused) + len(analysis.systems)
    return report_rejected(list(analysis.refused), count, "analysed")


def _print_analysis(arguments: argparse.Namespace, analysis: ErrorAnalysis) -> None:
    listed: Sequence[str] = ()
    if arguments.listed is not None:
        listed = arguments.listed or (*KINDS, *(LINKS if arguments.links else ()))
    # The names of results; the CoNLL mean is one of them.
    metrics = arguments.repair and [
        "conll" if name.strip().lower() == "conll" else find_metrics([name])[0].name
        for name in arguments.repair
    ]
    output = ERROR_WRITERS[arguments.output](
        analysis,
        links=arguments.links,
        listed=listed,
        metrics=metrics,
        per_document=arguments.per_document,
    )
    print(output)


def _choose_formats(
    arguments: argparse.Namespace, responses: Sequence[NamedPath]
) -> dict[str, Format]:
    targets.check_folder(arguments.corrected)
    return {
        response.name: get_writable_format(
            arguments.to or _find_own_format(response.path, arguments.format)
        )
        for response in responses
        if arguments.to or os.path.lexists(response.path) or response.path == STANDARD
    }


def _find_own_format(path: str, source_format: str | None) -> str:
    name = source_format
    if name is None and path == STANDARD:
        message = f"the format of {path!r} is not known before it is read"
        hint = "name the format to write: --to FORMAT"
        raise SettingsError(message, code="settings/missing-value", hint=hint)
    name = name or detect_first_format(path) or _DEFAULT_FORMAT
    # The only format that cannot be written is a dialect of CoNLL-U.
    return "conllu" if name in READ_ONLY else name


def _write_corrected(
    analysis: ErrorAnalysis,
    folder: Path,
    sources: Sequence[str],
    formats: Mapping[str, Format],
) -> None:
    systems = analysis.systems
    losses: dict[str, None] = {}
    count = 0
    for name, system in zip(
        name_folders([system.response for system in systems]), systems, strict=True
    ):
        format = formats[system.response]
        make_folder(folder / name)
        for number, (step, documents) in enumerate(system.corrected.items()):
            ending = "" if format.writer.files else format.suffixes[0]
            path = folder / name / f"{number}-{step}{ending}"
            if not ending:
                make_folder(path)
            lost = write_documents(documents, sources, str(path), format)
            # The numbers differ from step to step.
            kinds = [line.rpartition(": ")[0] for line in list_losses(lost)]
            losses |= dict.fromkeys(kinds)
            count += 1
    for line in losses:
        print_message(line)
    print_info(f"written: {count} corrected responses in {str(folder)!r}")


def name_folders(names: Sequence[str]) -> list[str]:
    """Name a folder for each of several systems; a single one requires none."""
    folders: list[str] = []
    for number, name in enumerate(names, start=1):
        # A name of dots would lead out of the folder.
        short = make_filename(Path(name).name).lstrip(".") or "system"
        folders.append(f"{number}-{short}" if short in folders else short)
    return folders if len(folders) > 1 else [""] * len(folders)
