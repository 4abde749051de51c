"""Pairing of key and response documents by id."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import PairingError, quoted
from corefkit.strings import drop_first_part, make_filename, normalize_id
from corefkit.tally import list_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefkit.formats.source import Source
    from corefkit.settings import Settings
    from corefkit.tally import Tally


class Pair(NamedTuple):
    """The numbers of a key document and of its response document, if it has one."""

    key: int
    response: int | None


def pair_documents(
    key: Source, response: Source, settings: Settings, tally: Tally
) -> list[Pair]:
    """Pair the documents of two sides by id, in the order of the key.

    Ids are compared exactly if both sides require it, otherwise in spellings that
    formats have in common. If no document has a partner and a side has no ids, they are
    paired by order. Documents without partner are noted in the tally, or raise
    PairingError as the settings say; so do duplicate ids, and sides without a pair.
    """
    verbatim = key.verbatim and response.verbatim
    spell = str if verbatim else normalize_id
    key_names = list(map(spell, key.ids))
    same_ids = list(key.ids) == list(response.ids)
    if same_ids and len(set(key_names)) == len(key_names):
        numbers = range(len(key_names))
        return list(map(Pair, numbers, numbers))
    response_names = key_names if same_ids else list(map(spell, response.ids))
    key_numbers = _number_names(key, key_names, tally)
    response_numbers = _number_names(response, response_names, tally)
    for spell_loosely in () if verbatim else (drop_first_part, make_filename):
        key_spellings = _spell_unpaired(
            key, key_numbers, response_numbers, spell_loosely
        )
        spellings = _spell_unpaired(
            response, response_numbers, key_numbers, spell_loosely
        )
        for spelling in spellings.keys() & key_spellings.keys():
            number = response_numbers.pop(spellings[spelling])
            response_numbers[key_spellings[spelling]] = number
    missing = [n for name, n in key_numbers.items() if name not in response_numbers]
    extra = [n for name, n in response_numbers.items() if name not in key_numbers]
    all_missing = key_numbers and len(missing) == len(key_numbers)
    if all_missing and (key.pairs_by_order or response.pairs_by_order):
        return _pair_by_order(key, response, tally)
    if all_missing and not settings.reads_as_reference:
        raise _make_disjoint_error(key, response)
    tally.key_only += _note_unpaired("key", key, missing, tally)
    tally.response_only += _note_unpaired("response", response, extra, tally)
    tally.describe_pairing(settings)  # rejects them if the settings say so
    return [
        Pair(number, response_numbers.get(name)) for name, number in key_numbers.items()
    ]


def _pair_by_order(key: Source, response: Source, tally: Tally) -> list[Pair]:
    """Pair documents that have no ids by their order; PairingError if some are left."""
    side = response if response.pairs_by_order else key
    if len(key.ids) != len(response.ids):
        message = (
            f"has {len(response.ids)} documents, expected {len(key.ids)} as in "
            f"{key.name}: {side.name} has no document ids, so they are paired by order"
        )
        hint = "write an empty line for a document without response"
        code = "pairing/different-number"
        raise PairingError(message, code=code, place=response.name, hint=hint)
    tally.notes.append(f"{side.name}: no document ids, documents are paired by order")
    return [Pair(number, number) for number in range(len(key.ids))]


def _note_unpaired(
    role: str, source: Source, numbers: Sequence[int], tally: Tally
) -> list[str]:
    """Return the ids of documents without partner, and note the place of the first."""
    ids = [source.ids[number] for number in numbers]
    # The place of a document in memory is its id, which the message contains already.
    if ids and re.search(r":\d+$", source.format_place(0)):
        tally.firsts[f"unpaired/{role}"] = ids[0], source.format_place(numbers[0])
    return ids


def _spell_unpaired(
    source: Source,
    numbers: Mapping[str, int],
    partners: Mapping[str, int],
    spell: Callable[[str], str],
) -> dict[str, str]:
    """Map unique other spellings of documents without partner to their names."""
    unpaired = numbers.keys() - partners.keys()
    spellings = {name: spell(source.ids[numbers[name]]) for name in unpaired}
    counts = Counter(spellings.values())
    return {
        spelling: name for name, spelling in spellings.items() if counts[spelling] == 1
    }


def _number_names(source: Source, names: Sequence[str], tally: Tally) -> dict[str, int]:
    """Map the names of the documents of a side to their numbers; check duplicates."""
    numbers: dict[str, int] = {}
    pairs = zip(source.ids, names, strict=True)
    for number, (document_id, name) in enumerate(pairs):
        if name in numbers and not source.verbatim:
            message = f"document {quoted(document_id)} is repeated"
            hint = f"it first begins at {source.format_place(numbers[name])}"
            place, code = source.format_place(number), "pairing/repeated-document"
            raise PairingError(message, code=code, place=place, hint=hint)
        if name in numbers:
            note = f"document {quoted(document_id)} is there twice, the last one counts"
            tally.notes.append(f"{source.name}: {note}")
        numbers[name] = number
    return numbers


def _make_disjoint_error(key: Source, response: Source) -> PairingError:
    message = (
        f"no document in common with {key.name}: found {list_documents(response.ids)}, "
        f"expected {list_documents(key.ids)}"
    )
    hint = (
        "documents are paired by id; check that the response belongs to this "
        "key; `corefkit doctor` finds renamed documents"
    )
    code = "pairing/no-common-document"
    return PairingError(message, code=code, place=response.name, hint=hint)
