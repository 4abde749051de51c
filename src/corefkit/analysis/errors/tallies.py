"""The errors of one response, block by block."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.analysis.compare.units import strata_of
from corefkit.analysis.errors.analysis import (
    KINDS,
    PRONOUN,
    DocumentErrors,
    DocumentText,
    SystemErrors,
)
from corefkit.analysis.errors.corrected import base_document, corrected_document
from corefkit.analysis.errors.costs import Costs
from corefkit.analysis.errors.joined import joined
from corefkit.analysis.errors.kinds import OPERATIONS, kinds_of_errors
from corefkit.analysis.errors.layers import Layers, layers_of
from corefkit.analysis.errors.link_classes import added, link_errors, links_of
from corefkit.analysis.errors.links import SIDES, spanning_trees
from corefkit.analysis.errors.listing import errors_and_places
from corefkit.analysis.errors.repairs import (
    ALL_BUT,
    ALONE,
    LADDER,
    entities_of_state,
    repaired,
)
from corefkit.analysis.errors.spans import span_errors
from corefkit.metrics.split import split_documents

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.alignment.blocks import AlignedBlock
    from corefkit.alignment.runs import Run
    from corefkit.analysis.errors.analysing import Options
    from corefkit.analysis.errors.describing import Describing
    from corefkit.analysis.errors.joined import Description, Joined
    from corefkit.analysis.errors.kinds import Kinds
    from corefkit.analysis.errors.links import Edges
    from corefkit.analysis.errors.rates import Links
    from corefkit.model import Document

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
        ids = self.run.key.source.ids
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
            self.has_split = any(split_documents(block.table.mentions))
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
        source, number = self.run.key.source, block.key.numbers[row] or 0
        places = [word.place for word in source.words(number)]
        if not places or not _LINE.search(places[0]):
            return text  # documents in memory stand in no file
        if len(places) < len(text.tokens):
            places = _with_empty_nodes(places, source.document(number).empty)
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
