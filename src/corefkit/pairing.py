"""Key and response documents paired by id, and their texts compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.exceptions import PairingError, quoted
from corefkit.formats.source import canonical_id, short_id

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefkit.columns import Columns
    from corefkit.formats.source import Source
    from corefkit.settings import Settings


class Pair(NamedTuple):
    """The numbers of a key document and of its response document, if it has one."""

    key: int
    response: int | None


class Pairing(NamedTuple):
    """The documents of the key with their partners, and notes about those without."""

    pairs: list[Pair]
    notes: list[str]


def pair_documents(
    key: Source, response: Source, settings: Settings, *, verbatim: bool = False
) -> Pairing:
    """Pair the documents of two sides by id, in the order of the key.

    A key document without response is refused where the settings say so; a response
    document without key cannot be judged and is left out with a note, or refused
    likewise. Ids are compared as they stand where `verbatim` says so, else in a
    spelling that the formats share.
    """
    strict = settings.reading == "strict"
    notes: list[str] = []
    spelled = str if verbatim else _shared_spelling(key, response)
    key_numbers = _by_id(key, notes, spelled)
    response_numbers = _by_id(response, notes, spelled)
    missing = [name for name in key_numbers if name not in response_numbers]
    extra = [name for name in response_numbers if name not in key_numbers]
    if strict and key_numbers and len(missing) == len(key_numbers):
        raise _nothing_in_common(key, response)
    if missing:
        fate = {"empty": "scored as empty", "skip": "left out"}
        found = f"lacks {_listed([key.ids[key_numbers[name]] for name in missing])}"
        notes.append(_noted_or_refused(response, found, fate, settings))
    if extra:
        fate = dict.fromkeys(("empty", "skip"), "left out")
        ids = [response.ids[response_numbers[name]] for name in extra]
        found = f"has {_listed(ids)} that the key lacks"
        notes.append(_noted_or_refused(response, found, fate, settings))
    pairs = [
        Pair(number, response_numbers.get(name)) for name, number in key_numbers.items()
    ]
    return Pairing(pairs, notes)


def _shared_spelling(key: Source, response: Source) -> Callable[[str], str]:
    """Choose the first way of spelling ids in which the two sides share any."""
    for spelled in (canonical_id, short_id):
        if not set(map(spelled, key.ids)).isdisjoint(map(spelled, response.ids)):
            return spelled
    return canonical_id


def _by_id(
    source: Source, notes: list[str], spelled: Callable[[str], str]
) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for number, document_id in enumerate(source.ids):
        name = spelled(document_id)
        if name in numbers and not source.verbatim:
            message = f"document {quoted(document_id)} was there before"
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
    hint = "documents are paired by id; is this the response to another key?"
    return PairingError(message, place=response.name, hint=hint)


def _listed(ids: Sequence[str]) -> str:
    if not ids:
        return "no document"
    if len(ids) == 1:
        return f"document {quoted(ids[0])}"
    return f"{len(ids)} documents ({quoted(ids[0])} and others)"


def _noted_or_refused(
    source: Source, found: str, fate: dict[str, str], settings: Settings
) -> str:
    if settings.missing in fate:
        return f"{source.name}: {found}, {fate[settings.missing]}"
    hint = "--missing empty or --missing skip scores all the same"
    message = f"{found}, expected the documents of the key"
    raise PairingError(message, place=source.name, hint=hint)


# A source, the numbers of some of its documents (None: it has none), their columns.
Read: TypeAlias = "tuple[Source, Sequence[int | None], Columns]"


def check_texts(key: Read, response: Read, settings: Settings) -> list[str]:
    """Compare the texts of paired documents; refuse the first that differ.

    Words are compared where both sides have them, and numbers of tokens where both are
    known. The reference scorer compares neither: read its way, a difference is noted.
    """
    of_key, of_response = key[2], response[2]
    known = (of_key.tokens >= 0) & (of_response.tokens >= 0)
    worded = known & (of_key.fingerprint != 0) & (of_response.fingerprint != 0)
    other = known & (of_key.tokens != of_response.tokens)
    other |= worded & (of_key.fingerprint != of_response.fingerprint)
    if not other.any():
        return []
    for row in np.flatnonzero(other).tolist():
        numbers = key[1][row] or 0, response[1][row] or 0
        if settings.reading == "reference":
            places = key[0].place(numbers[0]), response[0].place(numbers[1])
            words = f"not the tokens of {places[0]}, which this preset allows"
            return [f"{places[1]}: {words}"]
        error = _difference(key[0], numbers[0], response[0], numbers[1])
        if error is not None:
            raise error
    return []


def _difference(
    key: Source, key_number: int, response: Source, response_number: int
) -> PairingError | None:
    """Find the first token that differs; None where all are the same after all.

    A word with a blank inside, as JSON may have it, is cut there in columns of text.
    """
    document = key.ids[key_number]
    hint = "key and response must hold the same tokens; was the text tokenised anew?"
    wanted, found = list(key.words(key_number)), list(response.words(response_number))
    for token, (ours, theirs) in enumerate(zip(wanted, found, strict=False)):
        if ours.text and theirs.text and not _same(ours.text, theirs.text):
            message = (
                f"token {token} of document {quoted(document)} is {theirs.text!r}, "
                f"expected {ours.text!r} as in {ours.place}"
            )
            return PairingError(message, place=theirs.place, hint=hint)
    if len(wanted) == len(found):
        return None
    message = (
        f"document {quoted(document)} has {len(found)} tokens, "
        f"expected {len(wanted)} as in {key.place(key_number)}"
    )
    return PairingError(message, place=response.place(response_number), hint=hint)


def _same(word: str, other: str) -> bool:
    return word == other or other in word.split()[:1] or word in other.split()[:1]
