"""The documents to walk through, read as scoring reads them."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import chain
from typing import TYPE_CHECKING

from corefkit.alignment import matching
from corefkit.alignment.meeting import Meeting, Sides, warnings
from corefkit.alignment.pairing import Pairing, pair_documents
from corefkit.alignment.scope import scoped
from corefkit.alignment.sides import Side, entity_lists, naming_documents
from corefkit.alignment.texts import Read, compare_texts, effective_settings
from corefkit.analysis.explain.scene import Scene, scene_of
from corefkit.exceptions import SettingsError
from corefkit.formats.ahead import ahead
from corefkit.formats.inputs import open_inputs
from corefkit.metrics.reference import ListedDocument, check_settings
from corefkit.settings import suggest
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.alignment.pairing import Pair
    from corefkit.alignment.sides import Block
    from corefkit.formats.inputs import Input
    from corefkit.formats.source import Source
    from corefkit.settings import Settings

_SUGGESTIONS = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """One document of both sides.

    Attributes:
        id: the key's id of the document.
        scene: its entities, with repeated mentions and such settled.
        as_read: its entities as they are in the input, where the reference scorer
            counts this document its own way; None where it does as others.
        listed: the same for the reference scorer.
        notes: what was done to the document before it was scored.
        settings: those that its score comes from.
    """

    id: str
    scene: Scene
    as_read: Scene | None
    listed: ListedDocument | None
    notes: list[str]
    settings: Settings


@dataclass(frozen=True, slots=True)
class Corpus:
    """Key and response opened and paired, one document read at a time."""

    key: Source
    response: Source
    settings: Settings
    pairing: Pairing
    sides: tuple[Side, Side]
    meeting: Meeting = field(default_factory=Meeting)

    def pairs(self, document: str | None) -> list[Pair]:
        """Find the named document, or all that are scored."""
        skip = self.settings.skips_missing
        pairs = self.pairing.pairs
        scored = [pair for pair in pairs if pair.response is not None or not skip]
        if document is None:
            return scored
        ids = [self.key.ids[pair.key] for pair in scored]
        return [scored[found_document(document, ids)]]

    def read(self, pair: Pair) -> Reading:
        """Read one document of both sides and settle what the settings say."""
        key, response = (
            side.read([number], self.settings)
            for side, number in zip(self.sides, pair, strict=True)
        )
        for side in self.sides:
            side.check()
        comparison = compare_texts(
            Read(self.key, key.numbers, key.read),
            Read(self.response, response.numbers, response.read),
            self.settings,
        )
        side = Side(self.response, "response")
        response = side.headed(response, self.key, key, self.settings)
        words = self._words(pair)
        for key_characters, response_characters in comparison.moves:
            key = key.moved(key_characters)
            response = response.moved(response_characters)
            words = tuple("".join(chain.from_iterable(words)))
        with naming_documents(self.key, key, response):
            scene = scene_of(
                key.settled,
                response.settled,
                words,
                settings=self.settings,
                trees=key.trees,
            )
        both = len(scene.key.where.keys() & scene.response.where.keys())
        self.meeting.add(key, response, both=both)
        repeats = bool(key.repeats[0] | response.repeats[0])
        document = as_read = None
        if repeats and self.settings.counts_copies:
            check_settings(self.settings, place=self.key.place(pair.key))
            lists = (entity_lists(side.read, 0) for side in (key, response))
            document = ListedDocument(*lists)
            as_read = scene_of(key.read, response.read, words)
        return Reading(
            self.key.ids[pair.key],
            scene,
            as_read,
            document,
            [*comparison.notes.values(), *self._settled(pair, key, response)],
            effective_settings(self.settings, comparison.notes),
        )

    def warnings(self, pairs: Sequence[Pair]) -> tuple[str, ...]:
        """Say where the mentions of documents that were read hardly meet, and why."""
        numbers, partners = [one.key for one in pairs], [one.response for one in pairs]
        sides = Sides(self.key, self.response, numbers, partners, self.settings)
        return warnings(self.meeting, sides)

    def _words(self, pair: Pair) -> tuple[str, ...]:
        words = self.key.document(pair.key).tokens
        if not words and pair.response is not None:
            words = self.response.document(pair.response).tokens
        return words

    def _settled(self, pair: Pair, key: Block, response: Block) -> Iterator[str]:
        if pair.response is None:
            yield "the response lacks this document: it is scored as empty"
        sides = self.settings.without_singletons
        if sides:
            whose = f" of the {sides[0]}" if len(sides) == 1 else ""
            yield f"entities of one mention{whose} are dropped"
        for name, block in (("key", key), ("response", response)):
            copies = int(matching.repeated(block.read).sum())
            if copies and self.settings.repeated == "first":
                plural, whose = ("s", "their") if copies > 1 else ("", "its")
                repeats = f"the {name} repeats {copies} mention{plural}"
                yield f"{repeats}, kept in the first of {whose} entities"


@contextmanager
def opened(
    key: Input, response: Input, *, settings: Settings, format: str | None
) -> Iterator[Corpus]:
    """Open key and response, and close them in the end."""
    if settings.scores_split:
        message = "explain does not walk through split antecedents"
        raise SettingsError(message, hint="leave them aside: --split ignore")
    reference = settings.reads_as_reference
    inputs = open_inputs(key, [response], format=format, reference=reference)
    with inputs as (key_source, [response_source]):
        pairing = pair_documents(key_source, response_source, settings)
        sides: tuple[Source, Source] = key_source, response_source
        if settings.joins_documents:
            sides = scoped(*sides, pairing.pairs, settings)
            pairing = Pairing(pair_documents(*sides, settings).pairs, pairing.notes)
        numbers = list(zip(*pairing.pairs, strict=True)) or [(), ()]
        sides = ahead(sides[0], numbers[0]), ahead(sides[1], numbers[1])
        both = Side(sides[0], "key"), Side(sides[1], "response")
        yield Corpus(*sides, settings, pairing, both)


def found_document(name: str, ids: Sequence[str]) -> int:
    """Find a document by its id, in any spelling, or by a part that only one id has.

    >>> found_document("b_1", ["(a); part 000", "(b); part 001"])
    1
    >>> found_document("b", ["(a); part 000", "(b); part 001"])
    1
    """
    spellings = (
        [one == name for one in ids],
        [canonical_id(one) == canonical_id(name) for one in ids],
        [name in one for one in ids],
    )
    for fits in spellings:
        if sum(fits) == 1:
            return fits.index(True)
    several = [one for one in ids if name in one]
    if several:
        message = f"{len(several)} documents have {name!r} in their id"
        near = several[:_SUGGESTIONS]
    else:
        message = f"unknown document {name!r}"
        near = get_close_matches(name, ids, n=_SUGGESTIONS, cutoff=0.0)
    raise SettingsError(message, hint=suggest(name, near))
