"""Errors of responses and what they cost: kinds of errors, links, and repairs.

mentions            mentions of both sides as one table: (mention, key, response entity)
mention_facts       pronoun, type, head and language of mentions
kinds               span errors and the other six kinds, in closed form; single errors
repairs             responses with some kinds repaired, and their scores
links               spanning trees: links that are missing or wrong
layers              mentions, links and errors as pages draw them
error_analysis      the result, and errors of several systems
error_counts        numbers of errors, to compare and sort systems by
error_tables        tables of kinds and links
error_output        pages, lists, JSON, CSV and data frames

Blocks of documents are analysed one by one, all systems together. Only the errors of
the documents are kept, the counts of their links, and rows of counts for the metrics
whose F1 shows what the errors cost.

Rules for the response that `errors` takes:

1.  A value that is not a mapping is one response, as for `corefkit.score`. Lists of
    files are rejected: lists of strings would be partitions.
2.  A mapping to paths has several responses, each by its name.
3.  An object of JSON lines, and a mapping with the id of a document of the key among
    its names, is one response: document ids to documents.
4.  Any other mapping has several responses by name, unless its values are partitions
    and the documents of the key have ids: these are not responses to such a key, and
    might be documents under wrong ids, so they are rejected.
5.  So is a mapping with a name of a document of the key whose value has such names
    again: it might be one response, or a system of that name.

A single response that may be mistaken for several is named: `{"A": response}`.
"""

from __future__ import annotations

import gc
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Unpack, cast

import numpy as np

from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.sample import strata_of
from corefkit.analysis.compare.systems import about, own_names, renamed
from corefkit.analysis.errors.error_analysis import (
    KINDS,
    PRONOUN,
    DocumentErrors,
    DocumentText,
    ErrorAnalysis,
    SystemErrors,
)
from corefkit.analysis.errors.kinds import (
    OPERATIONS,
    errors_and_places,
    kinds_of_errors,
    span_errors,
)
from corefkit.analysis.errors.layers import Layers, layers_of
from corefkit.analysis.errors.links import (
    ANTECEDENTS,
    SIDES,
    added,
    link_errors,
    links_of,
    spanning_trees,
)
from corefkit.analysis.errors.mention_facts import Describing
from corefkit.analysis.errors.mentions import effective_settings, joined, one_of_each
from corefkit.analysis.errors.repairs import (
    ALL_BUT,
    ALONE,
    LADDER,
    Costs,
    base_document,
    corrected_document,
    entities_of_state,
    repaired,
)
from corefkit.evaluation import Evaluation
from corefkit.exceptions import CorefkitError, FormatError, SettingsError, quoted
from corefkit.formats.inputs import open_inputs
from corefkit.metrics.registry import find_metrics
from corefkit.metrics.split import iter_split_documents
from corefkit.model import Document
from corefkit.results.stored_results import StoredScores
from corefkit.settings import Keywords, expand_settings, resolve_settings
from corefkit.strings import normalize_id, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.alignment.pipeline import Progress, Run
    from corefkit.alignment.scored_mentions import AlignedBlock
    from corefkit.analysis.errors.kinds import Kinds
    from corefkit.analysis.errors.links import Edges, Links
    from corefkit.analysis.errors.mentions import Description, Joined
    from corefkit.formats.inputs import Input
    from corefkit.metrics.metric import Metric
    from corefkit.settings import Settings

# One of them makes a mapping an object of JSON lines.
_JSON_NAMES = frozenset({"doc_key", "clusters", "predicted_clusters"})
_SHAPES = (
    "one response is {document: partition, ...}, several are {name: response, ...}"
)


def named_responses(
    key: Input, response: object, *, format: str | None = None
) -> dict[str, Input] | None:
    """Return several responses by name; None where there is one.

    >>> named_responses(["abc"], ["ab"])
    >>> named_responses(["abc"], {"A": ["ab"], "B": ["bc"]})
    {'A': ['ab'], 'B': ['bc']}
    >>> named_responses({"d": ["abc"]}, {"d": ["ab"]})
    >>> named_responses({"d": ["abc"]}, {"A": {"d": ["ab"]}})
    {'A': {'d': ['ab']}}
    >>> named_responses({"d": ["abc"]}, {"A": ["ab"]})
    Traceback (most recent call last):
    corefkit.exceptions.FormatError: response: 'A' is no document of the key, and what \
stands there is no response to it
    <BLANKLINE>
    hint: one response is {document: partition, ...}, several are {name: response, ...}
    """
    _refuse_other(key, response)
    if not isinstance(response, Mapping) or not response:
        return None
    by_name = {str(name): value for name, value in response.items()}
    if len(by_name) < len(response):
        message = "two responses or documents have the same name"
        raise FormatError(
            message, code="input/duplicate-name", place="response", hint=_SHAPES
        )
    responses = cast("dict[str, Input]", by_name)
    paths = [isinstance(value, str | os.PathLike) for value in by_name.values()]
    # Systems may be called as fields of JSON lines are, but only files among files.
    if not all(paths) and not _JSON_NAMES.isdisjoint(by_name):
        return None
    if any(paths):
        return responses
    ids = {normalize_id(name) for name in _ids(key, format)}
    documents = [name for name in by_name if normalize_id(name) in ids]
    for name in documents:
        if _has_documents(by_name[name], ids):
            message = f"{quoted(name)} is a document of the key, and has documents"
            raise FormatError(
                message, code="input/wrong-shape", place="response", hint=_SHAPES
            )
    if documents:
        return None
    if _names_documents(key):
        for name, value in by_name.items():
            if _is_partition(value):
                message = (
                    f"{quoted(name)} is no document of the key, and what stands there "
                    "is no response to it"
                )
                raise FormatError(
                    message, code="input/wrong-shape", place="response", hint=_SHAPES
                )
    return responses


def _refuse_other(key: object, response: object) -> None:
    """Refuse scores, and lists of files, which would be taken for partitions."""
    values = [*response.values()] if isinstance(response, Mapping) else [response]
    if any(isinstance(one, Evaluation | StoredScores) for one in (key, *values)):
        message = "found scores, in which no errors can be found"
        raise FormatError(
            message,
            code="settings/stored-scores",
            hint="give the key and the response themselves",
        )
    if not isinstance(response, list | tuple) or not any(map(is_file, response)):
        return
    message = "found a list of files, expected one response, or several by name"
    hint = "{'ours': 'ours.conll', 'theirs': 'theirs.conll'}"
    raise FormatError(message, code="input/wrong-shape", place="response", hint=hint)


def is_file(entity: object) -> bool:
    """Tell a file from the entity whose mentions are letters."""
    if not isinstance(entity, str):
        return isinstance(entity, os.PathLike)
    # Unlike `Path.is_file`, this takes strings that are too long for a file.
    return "." in entity and os.path.isfile(entity)  # noqa: PTH113


def _ids(key: Input, format: str | None) -> Sequence[str]:
    """Find the ids of the key's documents; none where only a response tells them."""
    try:
        with open_inputs(key, [], format=format, reference=False) as (source, _):
            return list(source.ids)
    except FormatError:
        if isinstance(key, str | os.PathLike):
            raise
        return []


def _names_documents(key: object) -> bool:
    """Say whether the documents of the key have ids of their own."""
    if not isinstance(key, list | tuple | Set | Iterator):
        return True
    return any(isinstance(part, Document | Mapping) for part in key)


def _has_documents(value: object, ids: set[str]) -> bool:
    if not isinstance(value, Mapping):
        return False
    return any(normalize_id(str(name)) in ids for name in value)


def _is_partition(value: object) -> bool:
    if not isinstance(value, list | tuple | Set) or not value:
        return False  # nothing is no document under a wrong id
    return not any(isinstance(part, Document | Mapping) for part in value)


_SINGLETONS = ("extra_entity", "missing_entity")
_LINE = re.compile(r":\d+$")


@dataclass(slots=True)
class Tally:
    """The errors of one response so far."""

    run: Run
    options: Options
    describing: Describing
    documents: list[DocumentErrors] = field(default_factory=list)
    links: dict[str, list[Links]] = field(default_factory=dict)
    sums: Counter[str] = field(default_factory=Counter)
    corrected: dict[str, list[Document]] = field(default_factory=dict)
    layers: list[Layers] = field(default_factory=list)
    costs: Costs = field(init=False)
    has_split: bool = False  # antecedents that are not scored here

    def __post_init__(self) -> None:
        """Begin to count what errors cost."""
        self.costs = Costs(self.options.metrics, self.run.settings)
        self.links = {side: [] for side in SIDES}

    def add(
        self, block: AlignedBlock, known: Mapping[str, DocumentText]
    ) -> dict[str, DocumentText]:
        """Analyse a block of documents; return the texts that are not known yet."""
        ids = self.run.key.ids
        names = [ids[number or 0] for number in block.key.numbers]
        table = joined(block)
        description = self.describing.describe(self.run, block, table)
        table = replace(table, is_pronoun=description.type == PRONOUN)
        kinds = kinds_of_errors(table, span_errors(table, description))
        texts = {
            name: self._text(block, row)
            for row, name in enumerate(names)
            if name not in known or not known[name].tokens
        }
        all_texts = [texts.get(name) or known[name] for name in names]
        self._add_errors(block, kinds, description, names, all_texts)
        self.costs.add(block, kinds)
        if self.run.settings.scores_split and not self.has_split:
            self.has_split = any(iter_split_documents(block.table.mentions))
        if self.options.corrected:
            self._correct(block, kinds)
        return texts

    def _add_errors(
        self,
        block: AlignedBlock,
        kinds: Kinds,
        description: Description,
        names: Sequence[str],
        texts: Sequence[DocumentText],
    ) -> None:
        def words(row: int) -> Sequence[str]:
            return texts[row].tokens

        listed, places = errors_and_places(kinds, names, description, words)
        trees = self._trees(kinds.before, description, names)
        sides = [
            link_errors(kinds.before, description, edges, documents=names)
            for edges in trees
        ]
        if self.options.layers:
            self.layers += layers_of(block, kinds.before, places, trees)
        mentions = block.table.mentions.key.document
        sizes = np.bincount(mentions, minlength=len(names)).tolist()
        for row, (name, counts) in enumerate(zip(names, kinds.counts, strict=True)):
            by_kind = dict(zip(KINDS, counts.tolist(), strict=True))
            links = [errors[row] for errors in sides]
            found = DocumentErrors(name, sizes[row], by_kind, listed[row], *links)
            self.documents.append(found)
        for labels, rows in (
            (_SINGLETONS, kinds.singletons),
            (OPERATIONS, kinds.operations),
        ):
            self.sums.update(dict(zip(labels, rows.sum(axis=0).tolist(), strict=True)))
        self.sums["kept_apart"] += _kept_apart(kinds)

    def _trees(
        self, table: Joined, description: Description, names: Sequence[str]
    ) -> list[Edges]:
        """Build the spanning trees of both sides of a block, and count their links."""
        strata = self.options.strata
        parted = None if strata is None else strata_of(names, strata)
        found = []
        for side in SIDES:
            edges = spanning_trees(
                table, description.type, side=side, antecedents=self.options.antecedents
            )
            self.links[side].append(
                links_of(table, description, edges, documents=names, strata=parted)
            )
            found.append(edges)
        return found

    def _text(self, block: AlignedBlock, row: int) -> DocumentText:
        """Take the words of a document, and where they stand if lists need that."""
        text = self.describing.text(self.run, block, row)
        if not self.options.places or not text.tokens:
            return text
        source, number = self.run.key, block.key.numbers[row] or 0
        places = [word.place for word in source.iter_words(number)]
        if not places or not _LINE.search(places[0]):
            return text  # documents in memory stand in no file
        if len(places) < len(text.tokens):
            places = _with_empty_nodes(places, source.read_document(number).empty)
        return replace(text, places=places) if len(places) == len(text.tokens) else text

    def _correct(self, block: AlignedBlock, kinds: Kinds) -> None:
        """Make the documents of each step of the ladder."""
        bases = [
            base_document(self.run, block, row) for row in range(len(block.key.numbers))
        ]
        for step, which in LADDER.items():
            state = entities_of_state(kinds.before, repaired(kinds, which))
            self.corrected.setdefault(step, []).extend(
                corrected_document(*base, entities)
                for base, entities in zip(bases, state, strict=True)
            )

    def result(self, name: str) -> SystemErrors:
        """Put the blocks together."""
        settings = self.run.effective_settings
        return SystemErrors(
            name,
            tuple(self.documents),
            ladder=self.costs.scores(LADDER, settings),
            alone=self.costs.scores(ALONE, settings),
            all_but=self.costs.scores(ALL_BUT, settings),
            singletons={kind: self.sums[kind] for kind in _SINGLETONS},
            recall=added(self.links["recall"]),
            precision=added(self.links["precision"]),
            operations={name: self.sums[name] for name in OPERATIONS},
            kept_apart=self.sums["kept_apart"],
            corrected=self.corrected,
            layers=self.layers,
        )


def _with_empty_nodes(places: Sequence[str], empty: Sequence[int]) -> list[str]:
    """Put empty nodes, which stand in no line, at the words behind them.

    >>> _with_empty_nodes(["k:1", "k:2"], [1])
    ['k:1', 'k:2', 'k:2']
    """
    found = list(places)
    for token in sorted(empty):
        found.insert(token, found[min(token, len(found) - 1)])
    return found


def _kept_apart(kinds: Kinds) -> int:
    """Count extra mentions that are no errors, as anchors of their entities."""
    side = kinds.response
    there = side.first >= 0
    lacking = side.lacking[side.anchor[there]]
    return int((lacking & ~side.whole[there]).sum())


@expand_settings
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
            find_metrics(repair), antecedents, language, strata, corrected=corrected
        ),
        settings=resolve_settings(**keywords),
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
            raise SettingsError(
                message,
                code="settings/unknown-value",
                hint=suggest(self.antecedents, ANTECEDENTS),
            )
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
    opened = open_runs(key, responses, settings=read, format=format, refusals=refusals)
    with _no_collection(), opened as runs:
        found.go_through(runs, progress)
        called = names or _names(responses, runs)
        kept = [(called[tally.run.number], tally) for tally in found.kept]
        systems = [tally.result(name) for name, tally in kept]
        notes = [renamed(text, name) for name, one in kept for text in one.run.notes]
        warnings = [
            renamed(text, name) for name, one in kept for text in one.run.warnings
        ]
        key_name = runs[0].key.name if runs else _name(key, "key")
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
        return [tally for tally in tallies if not tally.run.is_rejected]

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
        for run, block in iter_aligned_blocks(runs, progress=progress):
            try:
                self.texts |= self.tallies[run.number].add(block, known=self.texts)
            except (CorefkitError, OSError) as error:
                run.reject(error)


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
    return names | {run.number: run.response.name for run in runs}


def _name(given: Input, role: str) -> str:
    return os.fspath(given) if isinstance(given, str | os.PathLike) else role
