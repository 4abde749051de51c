"""Errors of several systems: which of them make each, and what one fixes of another.

Two systems make the same error where it has the same kind, document and identity: in
terms of the key where possible. One system can have several errors of one identity, as
an entity that is divided into three; of these, as many are shared as both have. So what
the second of two systems fixed and what is still there add up to the errors of the
first, and what it introduced and what is still there to its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from corefkit.analysis.errors.analysis import KINDS, LINKS, TYPES, Error, LinkError
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from corefkit.analysis.errors.analysis import (
        DocumentErrors,
        SystemErrors,
    )

UNKNOWN = "other"  # the type of mentions whose type is not known
_ORDER = {kind: number for number, kind in enumerate((*KINDS, *LINKS))}


@dataclass(frozen=True, slots=True)
class SharedError:
    """One error, and the systems that make it.

    Attributes:
        document: the id of its document.
        kind: one of the seven kinds, or of `LINKS`.
        error: as the first of the systems has it.
        ids: what each of the systems calls it, by the number of the system.
    """

    document: str
    kind: str
    error: Error | LinkError
    ids: dict[int, str]

    @property
    def type(self) -> str:
        """The type of its first mention; of a link, of the anaphor."""
        return next(iter(self.error.types), "") or UNKNOWN


@dataclass(frozen=True, slots=True)
class SharedErrors:
    """Some of the errors of several systems."""

    errors: tuple[SharedError, ...]

    @property
    def by_kind(self) -> dict[str, int]:
        """How many there are of each kind, links among them."""
        found = Counter(one.kind for one in self.errors)
        return {kind: found[kind] for kind in (*KINDS, *LINKS)}

    @property
    def by_type(self) -> dict[str, int]:
        """How many of the seven kinds there are, by the type of their first mention."""
        found = Counter(one.type for one in self.errors if one.kind in KINDS)
        return {name: found[name] for name in (*TYPES, UNKNOWN)}


@dataclass(frozen=True, slots=True)
class Across:
    """The errors of several systems, each once.

    Attributes:
        systems: the names of the systems.
        errors: by document, then by kind, then by place; links come last.
    """

    systems: tuple[str, ...]
    errors: tuple[SharedError, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of errors, links last."""
        return *KINDS, *LINKS

    @property
    def types(self) -> tuple[str, ...]:
        """The types of mentions, those whose type is not known last."""
        return *TYPES, UNKNOWN

    def by_number(self, kind: str) -> dict[int, int]:
        """Count the errors of a kind by the number of systems that make them.

        >>> import corefkit
        >>> both = {"A": ["ab", "cd"], "B": ["ab"]}
        >>> corefkit.errors(["abcd"], both).across.by_number("divided")
        {1: 1, 2: 0}
        """
        found = Counter(len(one.ids) for one in self.errors if one.kind == kind)
        return {number: found[number] for number in range(1, len(self.systems) + 1)}

    @property
    def common(self) -> SharedErrors:
        """The errors that all systems make."""
        return self._made_by({*range(len(self.systems))})

    def only(self, system: int) -> SharedErrors:
        """Return the errors that one system makes and no other, by its number."""
        return self._made_by({system})

    @property
    def changes(self) -> dict[str, SharedErrors]:
        """What the second of two systems changed; empty unless there are two.

        Errors are `fixed`, `introduced` or `still_there`.
        """
        if len(self.systems) != 2:
            return {}
        makers = {"fixed": {0}, "introduced": {1}, "still_there": {0, 1}}
        return {change: self._made_by(made_by) for change, made_by in makers.items()}

    def _made_by(self, systems: set[int]) -> SharedErrors:
        return SharedErrors(tuple(one for one in self.errors if {*one.ids} == systems))


def errors_across(systems: Sequence[SystemErrors]) -> Across:
    """Find the errors that systems share."""
    by_document: dict[str, dict[Hashable, list[SharedError]]] = {}
    for number, system in enumerate(systems):
        for document in system.documents:
            known = by_document.setdefault(document.document, {})
            copies: dict[Hashable, int] = {}
            for kind, identity, error in _identified(document):
                same = kind, identity
                many = copies.get(same, 0)
                copies[same] = many + 1
                shared = known.setdefault(same, [])
                if many == len(shared):
                    shared.append(SharedError(document.document, kind, error, {}))
                shared[many].ids[number] = error.id
    names = tuple(system.response for system in systems)
    found = (
        sorted((one for shared in known.values() for one in shared), key=_place)
        for known in by_document.values()
    )
    return Across(names, tuple(chain.from_iterable(found)))


def _identified(
    document: DocumentErrors,
) -> Iterator[tuple[str, Hashable, Error | LinkError]]:
    for error in document.errors:
        known = error.identity is not None
        yield error.kind, error.identity if known else error.mentions, error
    for kind, links in zip(
        LINKS, (document.recall_links, document.precision_links), strict=True
    ):
        for link in links:
            yield kind, link.anaphor, link


def _place(one: SharedError) -> tuple[int, int, int]:
    """Return what errors of a document are sorted by; names keep their order."""
    error = one.error
    first = error.mentions[0] if isinstance(error, Error) else error.anaphor
    kind = _ORDER[one.kind]
    return (
        (kind, first.start, first.end) if isinstance(first, Mention) else (kind, 0, 0)
    )
