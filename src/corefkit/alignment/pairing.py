"""Key and response documents paired by id."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import PairingError, quoted
from corefkit.settings import by_choice
from corefkit.strings.ids import canonical_id, safe_name, short_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefkit.formats.source import Source
    from corefkit.settings import Settings


class Pair(NamedTuple):
    """The numbers of a key document and of its response document, if it has one."""

    key: int
    response: int | None


@dataclass(slots=True)
class Unpaired:
    """The documents that only one side has, and where the first of them stand."""

    missing: list[str] = field(default_factory=list)  # in the response
    extra: list[str] = field(default_factory=list)  # in the response, not in the key
    missing_place: str = ""
    extra_place: str = ""

    @classmethod
    def among(
        cls,
        key: Source,
        missing: Sequence[int],
        response: Source,
        extra: Sequence[int],
    ) -> Unpaired:
        """Name documents of both sides by their numbers there."""
        return cls(
            [key.ids[number] for number in missing],
            [response.ids[number] for number in extra],
            key.place(missing[0]) if missing and _has_lines(key) else "",
            response.place(extra[0]) if extra and _has_lines(response) else "",
        )

    def take(self, other: Unpaired) -> None:
        """Add those of another part of the corpus, behind these."""
        self.missing += other.missing
        self.extra += other.extra
        self.missing_place = self.missing_place or other.missing_place
        self.extra_place = self.extra_place or other.extra_place

    def notes(self, response: str, settings: Settings) -> list[str]:
        """Say which there are and what is done about them, or refuse them.

        >>> from corefkit.settings import DEFAULT_SETTINGS
        >>> Unpaired(missing=["d"]).notes("response", DEFAULT_SETTINGS)
        ["response: lacks document 'd', scored as empty"]
        """
        notes = []
        if self.missing:
            fate = {"empty": "scored as empty", "skip": "left out"}
            found = f"lacks {_listed(self.missing)}"
            if self.missing_place:
                found = f"{found} of {self.missing_place}"
            notes.append(_noted_or_refused(response, found, fate, settings))
        if self.extra:
            fate = dict.fromkeys(("empty", "skip"), "left out")
            found = f"has {_listed(self.extra)} that the key lacks"
            place = self.extra_place or response
            notes.append(_noted_or_refused(place, found, fate, settings))
        return notes


def pair_documents(
    key: Source, response: Source, settings: Settings
) -> tuple[list[Pair], list[str]]:
    """Pair the documents of two sides by id, in the order of the key; note the others.

    A key document without response is refused where the settings say so; a response
    document without key cannot be judged and is left out with a note, or refused
    likewise. Ids are compared as they stand where both sides say so, else in spellings
    that the formats share.
    """
    strict = not settings.reads_as_reference
    notes: list[str] = []
    verbatim = key.verbatim and response.verbatim
    written = str if verbatim else canonical_id
    ours = list(map(written, key.ids))
    same = list(key.ids) == list(response.ids)
    if same and len(set(ours)) == len(ours):
        return [Pair(number, number) for number in range(len(ours))], notes
    theirs = ours if same else list(map(written, response.ids))
    key_numbers = _by_name(key, ours, notes)
    response_numbers = _by_name(response, theirs, notes)
    for looser in () if verbatim else (short_id, safe_name):
        names = _partners(key, key_numbers, response, response_numbers, looser)
        response_numbers = {
            names.get(name, name): number for name, number in response_numbers.items()
        }
    missing = [name for name in key_numbers if name not in response_numbers]
    extra = [name for name in response_numbers if name not in key_numbers]
    if strict and key_numbers and len(missing) == len(key_numbers):
        raise _nothing_in_common(key, response)
    unpaired = Unpaired.among(
        key,
        [key_numbers[name] for name in missing],
        response,
        [response_numbers[name] for name in extra],
    )
    notes += unpaired.notes(response.name, settings)
    pairs = [
        Pair(number, response_numbers.get(name)) for name, number in key_numbers.items()
    ]
    return pairs, notes


def _partners(
    key: Source,
    key_numbers: Mapping[str, int],
    response: Source,
    response_numbers: Mapping[str, int],
    written: Callable[[str], str],
) -> dict[str, str]:
    """Name the partners, in another spelling, of response documents without one.

    Documents of which a side has two in that spelling stay alone.
    """
    missing = key_numbers.keys() - response_numbers.keys()
    extra = response_numbers.keys() - key_numbers.keys()
    if not missing or not extra:
        return {}
    wanted = _alone({name: written(key.ids[key_numbers[name]]) for name in missing})
    found = _alone(
        {name: written(response.ids[response_numbers[name]]) for name in extra}
    )
    return {found[other]: wanted[other] for other in found.keys() & wanted.keys()}


def _alone(spellings: Mapping[str, str]) -> dict[str, str]:
    """Invert a mapping of names to other spellings; leave out those that share one."""
    many = Counter(spellings.values())
    return {other: name for name, other in spellings.items() if many[other] == 1}


def _by_name(source: Source, names: Sequence[str], notes: list[str]) -> dict[str, int]:
    """Number the documents of a side by their names, and see that none comes twice."""
    numbers: dict[str, int] = {}
    pairs = zip(source.ids, names, strict=True)
    for number, (document_id, name) in enumerate(pairs):
        if name in numbers and not source.verbatim:
            message = f"document {quoted(document_id)} is repeated"
            hint = f"it first begins at {source.place(numbers[name])}"
            raise PairingError(message, place=source.place(number), hint=hint)
        if name in numbers:
            note = f"document {quoted(document_id)} is there twice, the last one counts"
            notes.append(f"{source.name}: {note}")
        numbers[name] = number
    return numbers


def _nothing_in_common(key: Source, response: Source) -> PairingError:
    message = (
        f"no document in common with {key.name}: found {_listed(response.ids)}, "
        f"expected {_listed(key.ids)}"
    )
    hint = (
        "documents are paired by id; is this the response to another key? "
        "`corefkit doctor` looks for documents with other names"
    )
    return PairingError(message, place=response.name, hint=hint)


def _has_lines(source: Source) -> bool:
    # What is in memory has no file, and its place is its id once more.
    return re.search(r":\d+$", source.place(0)) is not None


def _listed(ids: Sequence[str]) -> str:
    if not ids:
        return "no document"
    if len(ids) == 1:
        return f"document {quoted(ids[0])}"
    return f"{len(ids)} documents ({quoted(ids[0])} and others)"


def _noted_or_refused(
    place: str, found: str, fate: dict[str, str], settings: Settings
) -> str:
    done = by_choice(settings, "missing", {**fate, "error": None})
    if done is not None:
        return f"{place}: {found}, {done}"
    hint = "--missing empty or --missing skip scores all the same"
    message = f"{found}, expected the documents of the key"
    raise PairingError(message, place=place, hint=hint)
