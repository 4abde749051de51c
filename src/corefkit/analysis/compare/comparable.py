"""What may be compared: the same settings, the same key, the same documents."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.pipeline import aligned_blocks, opened_runs
from corefkit.analysis.compare.counts import STORE, settings_of
from corefkit.columns.prints import NO_PRINTS, document_prints
from corefkit.corpus.declaration import NOTHING_DECLARED
from corefkit.corpus.fingerprint import Fingerprint, corpus_print, differences
from corefkit.evaluation import Evaluation
from corefkit.exceptions import FormatError, PairingError, quoted
from corefkit.report.beside import setting_differences
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.columns import Ints
    from corefkit.formats.inputs import Input
    from corefkit.report.stored import Scored
    from corefkit.settings import Settings

_TOO_MANY = 0.05  # of the texts, that a system may lack without being named


@dataclass(frozen=True, slots=True)
class Shared:
    """The documents that are compared.

    Attributes:
        documents: their ids.
        rows: for each system, the rows of these documents among its own.
        notes: what a user should know about them.
    """

    documents: tuple[str, ...]
    rows: tuple[Ints, ...]
    notes: tuple[str, ...] = ()


def check_settings(results: Mapping[str, Scored]) -> None:
    """Refuse results that were computed in different ways.

    >>> import corefkit
    >>> one = corefkit.score(["ab"], ["ab"])
    >>> check_settings({"A": one, "B": corefkit.score(["ab"], ["a"], average="macro")})
    Traceback (most recent call last):
    corefkit.exceptions.PairingError: A and B cannot be compared: \
average: micro against macro
    <BLANKLINE>
    hint: score both with the same settings
    """
    (name, first), *others = results.items()
    for other, result in others:
        reasons = setting_differences(first, result)
        if reasons:
            hint = "score both with the same settings"
            if any(reason.startswith("tokens:") for reason in reasons):
                hint = "compare all of them by characters: --tokens characters"
            raise _refusal(name, other, reasons, hint)


def shared_documents(results: Mapping[str, Scored], settings: Settings) -> Shared:
    """Find the documents of all results, which must be those of one key.

    Where documents that a response lacks are left out (`missing: skip`), those are
    compared that no response lacks.
    """
    (name, first), *others = results.items()
    ids = [_ids(result) for result in results.values()]
    if any(set(one) != set(ids[0]) for one in ids):
        # Formats write the same id in different ways. The reference scorer tells
        # documents apart that are one to others: then ids stay as they are.
        alike = [[canonical_id(document) for document in one] for one in ids]
        if all(len(set(one)) == len(one) for one in alike):
            ids = alike
    common = set(ids[0]).intersection(*ids)
    if not settings.skips_missing:
        for (other, result), theirs in zip(others, ids[1:], strict=True):
            _check_corpus(name, first, other, result)
            if set(theirs) != set(ids[0]):
                alone = sorted(set(ids[0]) ^ set(theirs))
                reason = f"only one of them has document {quoted(alone[0])}"
                raise _refusal(name, other, [reason], _SAME_KEY)
    if not common:
        message = "the systems have no document in common"
        hint = "are these responses to one key?" if any(ids) else "the key has none"
        raise PairingError(message, hint=hint)
    numbers = [{one: row for row, one in enumerate(theirs)} for theirs in ids]
    chosen = [document for document in ids[0] if document in common]
    rows = tuple(
        np.array([number[document] for document in chosen], np.int64)
        for number in numbers
    )
    notes: tuple[str, ...] = ()
    if settings.skips_missing:
        _check_parts(results, rows)
        every = len(set().union(*ids))
        if len(common) < every:
            note = f"{len(common)} of {every} documents are compared: those that no"
            notes = (f"{note} response lacks",)
    documents = _ids(first)
    return Shared(tuple(documents[row] for row in rows[0].tolist()), rows, notes)


_SAME_KEY = "score both against the same key"


def _ids(result: Scored) -> list[str]:
    if isinstance(result, Evaluation):
        return list(result.documents)
    ids = [document.document for document in result.per_document]
    if len(ids) != result.document_count:
        message = "has no scores of single documents, and tests are made of these"
        if ids:
            found = f"{len(ids)} documents, expected {result.document_count}"
            message = f"has the scores of {found}"
        raise FormatError(message, place=result.response, hint=STORE)
    if len(set(ids)) < len(ids):
        twice = next(one for one, times in Counter(ids).items() if times > 1)
        message = f"has document {quoted(twice)} twice"
        raise FormatError(message, place=result.response)
    return ids


def _check_corpus(name: str, first: Scored, other: str, result: Scored) -> None:
    reasons = differences(*map(_undeclared, (first.corpus, result.corpus)))
    if reasons:
        raise _refusal(name, other, reasons, _SAME_KEY)


def _check_parts(results: Mapping[str, Scored], rows: Sequence[Ints]) -> None:
    """Check the corpus of the documents that are compared, if some are left out."""
    (name, first), *others = results.items()
    ours = _part(name, first, rows[0])
    for (other, result), theirs in zip(others, rows[1:], strict=True):
        reasons = differences(ours, _part(other, result, theirs))
        if reasons:
            raise _refusal(name, other, reasons, _SAME_KEY)


def _part(name: str, result: Scored, rows: Ints) -> Fingerprint:
    if len(rows) == result.document_count:
        return _undeclared(result.corpus)
    if isinstance(result, Evaluation):
        return corpus_print(result.prints[rows])
    message = "left out documents, and does not say that it has the others' texts"
    hint = "score again with --missing empty, or give the responses themselves"
    raise PairingError(message, place=name, hint=hint)


def check_key(
    key: Input, results: Mapping[str, Scored], format: str | None = None
) -> None:
    """Refuse a key that stored results were not scored against."""
    corpora: dict[str, Fingerprint] = {}  # what is read depends on the settings
    for name, result in results.items():
        if result.signature not in corpora:
            settings = settings_of(result)
            corpora[result.signature] = _corpus_of(key, settings, format)
        corpus = corpora[result.signature]
        reasons = differences(corpus, _undeclared(result.corpus))
        if reasons:
            message = f"was scored against another key: {'; '.join(reasons)}"
            hint = "leave out the key, or score against this one"
            raise PairingError(message, place=name, hint=hint)


def _corpus_of(key: Input, settings: Settings, format: str | None) -> Fingerprint:
    """Fingerprint a key as scoring reads it."""
    rows = [NO_PRINTS]
    with opened_runs(key, [], settings=settings, format=format, alone=True) as runs:
        for _, block in aligned_blocks(runs):
            rows.append(document_prints(block.key_read))
    return corpus_print(np.concatenate(rows))


def _undeclared(corpus: Fingerprint) -> Fingerprint:
    return replace(corpus, declared=NOTHING_DECLARED)


def declared_differences(results: Mapping[str, Scored]) -> list[str]:
    """Say where systems declare that they were given different things."""
    (name, first), *others = results.items()
    found: dict[str, list[str]] = {}
    for other, result in others:
        ours, theirs = (
            Fingerprint(declared=corpus.declared)
            for corpus in (first.corpus, result.corpus)
        )
        for reason in differences(ours, theirs):
            found.setdefault(reason, []).append(other)
    return [
        f"{name} and {', '.join(names)} were given different things: {reason}"
        for reason, names in found.items()
    ]


def lacking(
    results: Mapping[str, Scored], shared: Shared, units: Sequence[str]
) -> list[str]:
    """Name the systems that lack documents of more than a few texts.

    `units` has the text of each document that is compared.
    """
    texts = len(set(units))
    found = []
    for (name, result), mine in zip(results.items(), shared.rows, strict=True):
        absent = set(result.missing)
        ids = _ids(result)
        pairs = zip(units, mine.tolist(), strict=True)
        lost = {unit for unit, row in pairs if ids[row] in absent}
        if len(lost) > _TOO_MANY * texts:
            many = f"{len(lost)} of {texts} texts"
            found.append(f"{name} lacks documents of {many}, which are scored as empty")
    return found


def _refusal(
    first: str, second: str, reasons: Sequence[str], hint: str
) -> PairingError:
    message = f"{first} and {second} cannot be compared: {'; '.join(reasons)}"
    return PairingError(message, hint=hint)
