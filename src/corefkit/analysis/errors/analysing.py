"""From inputs to an error analysis: block by block, all systems together.

What stays of a block are the errors of its documents, counts of their links, and rows
of counts for the metrics whose F1 shows what the errors cost.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Unpack

from corefkit.alignment.pipeline import aligned_blocks, opened_runs
from corefkit.analysis.compare.naming import about, own_names, renamed
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.units import strata_of
from corefkit.analysis.errors.analysis import ErrorAnalysis
from corefkit.analysis.errors.describing import Describing
from corefkit.analysis.errors.links import ANTECEDENTS
from corefkit.analysis.errors.partitions import effective_settings, one_of_each
from corefkit.analysis.errors.responses import named_responses
from corefkit.analysis.errors.tallies import Tally
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.metrics import chosen_metrics
from corefkit.settings.keywords import Keywords, names_settings, settings_from
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.alignment.runs import Run
    from corefkit.analysis.errors.analysis import DocumentText
    from corefkit.formats.inputs import Input
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings


@names_settings
def errors(
    key: Input,
    response: Input | Mapping[str, Input],
    *,
    repair: str | Iterable[str | Metric] | None = None,
    antecedents: str = ANTECEDENTS[0],
    language: str | None = None,
    strata: str | None = None,
    corrected: bool = False,
    skip_broken: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
    **keywords: Unpack[Keywords],
) -> ErrorAnalysis:
    """Find what went wrong in responses, and what it costs.

    Args:
        key: as for `corefkit.score`.
        response: likewise; a mapping of names to responses has several. A mapping with
            an id of the key's documents among its names is one response.
        repair: the metrics whose F1 shows what errors cost, by name or as they are; the
            default set and the CoNLL mean if not given.
        antecedents: which earlier mention a link goes to: `accessibility` for the last
            name, else the last nominal, but the closest mention of pronouns; `closest`
            for that of all.
        language: the language of the text, as in `en`, for its pronouns and articles;
            found if not given.
        strata: `genre`, or a regular expression that is searched in document ids, and
            whose first group is the stratum; links are counted by stratum too.
        corrected: whether to keep the documents of each step of the ladder.
        skip_broken: whether to go on without responses that cannot be analysed, which
            are then in `refused`.
        format: the format of files; recognised if not given.
        progress: called now and then with the work done and the whole work.
        keywords: the settings, as for `corefkit.score`.

    >>> analysis = errors(["abc", "de"], {"A": ["ab", "cde"], "B": ["abc"]})
    >>> [system.counts["conflated"] for system in analysis.systems]
    [1, 0]
    >>> analysis.across.changes["introduced"].by_kind["missing_entity"]
    1
    >>> [error.id for error in analysis.systems[0].documents[0].errors]
    ['document#conflated#d', 'document#divided#c']
    """
    if isinstance(key, Iterator):
        key = list(key)
    named = named_responses(key, response, format=format)
    names = None if named is None else [*named]
    return analysed(
        key,
        [response] if named is None else [*named.values()],
        names=names,
        options=Options(
            chosen_metrics(repair), antecedents, language, strata, corrected=corrected
        ),
        settings=settings_from(**keywords),
        skip_broken=skip_broken,
        format=format,
        progress=progress,
    )


@dataclass(frozen=True, slots=True)
class Options:
    """What is looked for in an analysis, and how.

    Attributes:
        metrics: those whose F1 shows what errors cost.
        antecedents: `accessibility` or `closest`.
        language: the language of the text; found if it is None.
        strata: `genre`, or a pattern on document ids; None for none.
        corrected: whether the documents of each step of the ladder are kept.
        places: whether lists need to know where words stand in files.
        layers: whether pages draw the mentions and errors of documents.
    """

    metrics: tuple[Metric, ...]
    antecedents: str = ANTECEDENTS[0]
    language: str | None = None
    strata: str | None = None
    corrected: bool = False
    places: bool = False
    layers: bool = False

    def __post_init__(self) -> None:
        """Refuse values that options cannot have, before anything is read."""
        if self.antecedents not in ANTECEDENTS:
            message = f"unknown antecedents {self.antecedents!r}"
            raise SettingsError(message, hint=suggest(self.antecedents, ANTECEDENTS))
        if self.strata is not None:
            Procedure(strata=self.strata)  # a comparison has the same strata

    def signature(self, settings: Settings) -> str:
        """Write the settings in one line, and what is not the default here."""
        parts = [settings.signature]
        if self.antecedents != ANTECEDENTS[0]:
            parts.append(f"antecedents:{self.antecedents}")
        if self.language is not None:
            parts.append(f"language:{self.language}")
        return "|".join(parts)


def analysed(
    key: Input,
    responses: Sequence[Input],
    *,
    names: Sequence[str] | None,
    options: Options,
    settings: Settings,
    skip_broken: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
) -> ErrorAnalysis:
    """Analyse the errors of responses, which are called by names if there are any."""
    refusals: dict[int, CorefkitError] | None = {} if skip_broken else None
    found = _Found(Describing(language=options.language), options)
    read = one_of_each(settings)
    opened = opened_runs(
        key, responses, settings=read, format=format, refusals=refusals
    )
    with _no_collection(), opened as runs:
        found.go_through(runs, progress)
        called = names or _names(responses, runs)
        kept = [(called[tally.run.number], tally) for tally in found.kept]
        systems = [tally.result(name) for name, tally in kept]
        notes = [renamed(text, name) for name, one in kept for text in one.run.notes]
        warnings = [
            renamed(text, name) for name, one in kept for text in one.run.warnings
        ]
        key_name = runs[0].key.source.name if runs else _name(key, "key")
        effective, more = effective_settings(settings, found.kept)
    return ErrorAnalysis(
        key_name,
        options.signature(effective),
        tuple(systems),
        found.describing.sources,
        _reasons(refusals or {}, called),
        tuple(dict.fromkeys([*notes, *more])),
        tuple(dict.fromkeys(warnings)),
        found.texts,
    )


@dataclass(slots=True)
class _Found:
    """What was found so far, for all systems."""

    describing: Describing
    options: Options
    tallies: dict[int, Tally] = field(default_factory=dict)
    texts: dict[str, DocumentText] = field(default_factory=dict)

    @property
    def kept(self) -> list[Tally]:
        """The tallies of the responses that could be analysed."""
        tallies = self.tallies.values()
        return [tally for tally in tallies if not tally.run.is_refused]

    def go_through(self, runs: Sequence[Run], progress: Progress | None) -> None:
        """Analyse all blocks of all runs."""
        if self.options.strata is not None:
            for run in runs:  # ids of the key are no response's fault
                strata_of(run.documents, self.options.strata)
        self.tallies = {
            run.number: Tally(run, self.options, self.describing) for run in runs
        }
        if progress is not None:
            progress(0, 1)  # what was shown before was another work
        for run, block in aligned_blocks(runs, progress=progress):
            try:
                self.texts |= self.tallies[run.number].add(block, known=self.texts)
            except (CorefkitError, OSError) as error:
                run.refuse(error)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Put off the search for garbage in cycles: what is made here all stays."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _reasons(
    refusals: Mapping[int, CorefkitError], called: Mapping[int, str] | Sequence[str]
) -> dict[str, str]:
    """Say why responses were left out, by their names, which are told apart."""
    labels = [called[number] for number in refusals]
    names = own_names(labels, as_given=True)
    return {
        name: about(error, label).reason
        for name, label, error in zip(names, labels, refusals.values(), strict=True)
    }


def _names(responses: Sequence[Input], runs: Sequence[Run]) -> dict[int, str]:
    """Name responses as they were opened, or by their paths."""
    names = {
        number: _name(response, "response") for number, response in enumerate(responses)
    }
    return names | {run.number: run.response.source.name for run in runs}


def _name(given: Input, role: str) -> str:
    return os.fspath(given) if isinstance(given, str | os.PathLike) else role
