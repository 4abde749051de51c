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

    Documents without partner are noted in the tally. Depending on the settings, key
    documents without response are rejected; response documents without key are skipped
    or rejected. Ids are compared exactly if both sides require it, otherwise in
    spellings that formats have in common.

    Raises:
        PairingError: documents without partner are rejected, no documents are paired,
            or a side has two documents with the same id.
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
        partners = _find_partners(
            key, key_numbers, response, response_numbers, spell_loosely
        )
        response_numbers = {
            partners.get(name, name): number
            for name, number in response_numbers.items()
        }
    missing = [n for name, n in key_numbers.items() if name not in response_numbers]
    extra = [n for name, n in response_numbers.items() if name not in key_numbers]
    all_missing = key_numbers and len(missing) == len(key_numbers)
    if all_missing and not settings.reads_as_reference:
        raise _make_disjoint_error(key, response)
    tally.key_only += _note_unpaired("key", key, missing, tally)
    tally.response_only += _note_unpaired("response", response, extra, tally)
    tally.describe_pairing(settings)  # rejects them if the settings say so
    return [
        Pair(number, response_numbers.get(name)) for name, number in key_numbers.items()
    ]


def _note_unpaired(
    role: str, source: Source, numbers: Sequence[int], tally: Tally
) -> list[str]:
    """Return the ids of documents without partner, and note the place of the first."""
    ids = [source.ids[number] for number in numbers]
    if ids and _has_lines(source):
        tally.firsts[f"unpaired/{role}"] = ids[0], source.format_place(numbers[0])
    return ids


def _find_partners(
    key: Source,
    key_numbers: Mapping[str, int],
    response: Source,
    response_numbers: Mapping[str, int],
    spell: Callable[[str], str],
) -> dict[str, str]:
    """Map the names of response documents without partner to those of key documents.

    Ids are compared in another spelling; documents of one side with the same spelling
    are not paired.
    """
    missing = key_numbers.keys() - response_numbers.keys()
    extra = response_numbers.keys() - key_numbers.keys()
    if not missing or not extra:
        return {}
    key_names = _invert_unique(
        {name: spell(key.ids[key_numbers[name]]) for name in missing}
    )
    response_names = _invert_unique(
        {name: spell(response.ids[response_numbers[name]]) for name in extra}
    )
    shared = response_names.keys() & key_names.keys()
    return {response_names[spelling]: key_names[spelling] for spelling in shared}


def _invert_unique(spellings: Mapping[str, str]) -> dict[str, str]:
    """Map spellings to names, except those that several names have."""
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
            raise PairingError(
                message,
                code="pairing/repeated-document",
                place=source.format_place(number),
                hint=hint,
            )
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
        "documents are paired by id; is this the response to another key? "
        "`corefkit doctor` looks for documents with other names"
    )
    return PairingError(
        message, code="pairing/no-common-document", place=response.name, hint=hint
    )


def _has_lines(source: Source) -> bool:
    # The place of a document in memory is its id, which the message contains already.
    return re.search(r":\d+$", source.format_place(0)) is not None
