"""Which documents an evaluator has, so that none is counted twice or torn apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corefkit.exceptions import PairingError, quoted
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.evaluator.gathered import Gathered
    from corefkit.formats.memory.shapes import Shape


@dataclass(slots=True)
class Known:
    """The ids of documents, as pairing spells them, and how they were given so far."""

    joined: bool = False  # whether a document is all those of a topic, or of a corpus
    named: bool | None = None  # whether documents have ids of their own
    key: set[str] = field(default_factory=set)  # scored or left out; empty without ids
    extra: set[str] = field(default_factory=set)  # those that only the response has
    shapes: set[Shape] = field(default_factory=set)  # what lists were

    @classmethod
    def of(cls, gathered: Gathered, *, joined: bool, named: bool | None) -> Known:
        """Know the documents that were gathered."""
        known = cls(joined)
        if named is not None:
            known.add(gathered, named=named)
        return known

    @property
    def usual_shape(self) -> Shape | None:
        """What lists of documents without ids were, if always the same."""
        return next(iter(self.shapes)) if len(self.shapes) == 1 else None

    def admit(
        self, key: Iterable[str], extra: Iterable[str] = (), *, named: bool
    ) -> None:
        """Refuse documents of the key, or extra ones, that cannot follow the others."""
        if self.named is not None and named is not self.named:
            has, had = ("have ids", "have none")[:: 1 if named else -1]
            message = f"documents {has} here, and {had} in earlier updates"
            hint = "give all an id: update(..., document=...), or {id: partition, ...}"
            raise PairingError(message, hint=hint)
        if not named:
            return
        for name in key:
            spelled = canonical_id(name)
            if spelled in self.key:
                raise self._repeated(name)
            if spelled in self.extra:
                raise _parted(name)
        for name in extra:
            if canonical_id(name) in self.key:
                raise _parted(name)

    def _repeated(self, name: str) -> PairingError:
        message = f"document {quoted(name)} is repeated"
        hint = "it was counted before, here or where it comes from; reset() starts over"
        if self.joined:
            message = f"documents that are scored as one, {quoted(name)}, come apart"
            hint = "give all documents of a topic, or of the corpus, in one update"
        return PairingError(message, hint=hint)

    def add_ids(self, key: Iterable[str], *, named: bool) -> None:
        """Know documents of the key, now that they are taken."""
        self.named = named
        if named:
            self.key.update(map(canonical_id, key))

    def add(self, gathered: Gathered, *, named: bool) -> None:
        """Know documents that were gathered, now that they are taken."""
        if gathered.documents or gathered.unpaired.missing:
            key = (*gathered.documents, *gathered.unpaired.missing)
            self.add_ids(key, named=named)
        self.extra.update(map(canonical_id, gathered.unpaired.extra))

    def take(self, other: Known) -> None:
        """Know the documents of another evaluator too, now that they are merged."""
        self.named = other.named if self.named is None else self.named
        self.key |= other.key
        self.extra |= other.extra
        self.shapes |= other.shapes


def _parted(name: str) -> PairingError:
    message = f"key and response of document {quoted(name)} come in different updates"
    return PairingError(message, hint="give both sides of a document in one update")
