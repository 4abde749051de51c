"""Tally: counts of documents and notes taken while they were read and aligned.

Tallies of parts of a corpus add up, in the order of their documents, to the tally of
the corpus. They are plain values, so other processes, engines and machines can count
parts and send their tallies.

Notes have names. `totals` are numbers, which add up:

    mentions/key, mentions/response   scored mentions of each side
    mentions/matched                  those that both sides have
    dropped/key, dropped/response     mentions that settings leave out
    repeated/key, repeated/response   mentions that repeat an earlier one
    paired                            documents that both sides have
    wordless/key, wordless/response   documents of which only the other side has words
    has/key/NAME, has/response/NAME   blocks of documents that have an attribute
    listed                            documents counted as the reference scorer does

`firsts` are texts, of which the first of each name is kept, with its document:

    text/characters, text/tokens      texts that differ, as a note
    repeated/key, repeated/response   the place of a repeated mention
    lacks/key/NAME, lacks/response/NAME
                                      the place where an attribute is missing
    unpaired/key, unpaired/response   the place of a document without partner
    declares/key, declares/response   the comment that declares the corpus
    mentions                          whether mentions are names or tokens
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from corefkit.arrays.columns import Columns
from corefkit.arrays.hashing import NO_FINGERPRINTS, compute_fingerprints
from corefkit.exceptions import PairingError, quoted
from corefkit.settings import select_by

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.arrays.columns import Counts, Hashes
    from corefkit.settings import Settings

First: TypeAlias = tuple[str, str]
"""The id of a document, and a text about it."""

SIDES = ("key", "response")
_COUNTS = (np.dtype(np.int64), np.dtype(np.float64))
MAX_BLOCKS = 64  # of counts; more are joined, since many small arrays take room
# How notes describe repeated mentions under `repeated:reference`.
COUNTED_AS_REFERENCE = "counted as the reference scorer does"
# Counts of each aligned document: words that differ from the key, brackets
# that were repaired by each rule, and mentions without a place in the key.
WORD_COUNTS = ("lost", "added", "changed", "respelled")
REPAIRS = ("unclosed", "unopened", "invalid")
DRIFT_COUNTS = ("words", *WORD_COUNTS, *REPAIRS, "unplaced")


@dataclass(slots=True, eq=False)
class Tally:
    """Counts and notes of some documents."""

    names: tuple[str, str] = SIDES  # the display names of key and response
    documents: list[str] = field(default_factory=list)  # ids, a row of counts each
    counts: list[Mapping[str, Counts]] = field(default_factory=list)  # of each block
    # Of each block its fingerprints, one row a document, or the mentions of the key
    # that they are computed from when they are needed.
    prints: list[Hashes | Columns] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=partial(defaultdict, int))
    firsts: dict[str, First] = field(default_factory=dict)
    key_only: list[str] = field(default_factory=list)  # ids of unpaired documents
    response_only: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # on pairing, one sentence each
    repetitions: list[str] = field(default_factory=list)  # of the reference scorer
    # How the words of each aligned document differ, counts by `DRIFT_COUNTS`.
    drift: dict[str, dict[str, int]] = field(default_factory=dict)

    def __iadd__(self, other: Tally) -> Tally:
        """Add the tally of other documents, which follow these."""
        if not self.documents:
            self.names = other.names
        elif other.documents and other.names != self.names:
            self.names = SIDES
        self.add_notes(other.totals, other.firsts)
        self.documents += other.documents
        self.counts += other.counts
        self.prints += other.prints
        self.key_only += other.key_only
        self.response_only += other.response_only
        self.notes += [note for note in other.notes if note not in self.notes]
        self.repetitions += other.repetitions
        self.drift |= other.drift
        # Mentions of the last block only are kept, so that memory does not grow.
        self.prints[:-1] = map(compute_prints, self.prints[:-1])
        if len(self.counts) > MAX_BLOCKS:
            self.counts, self.prints = [self.joined_counts], [self.joined_prints]
        return self

    def add_notes(self, totals: Mapping[str, int], firsts: Mapping[str, First]) -> None:
        """Add the totals and firsts of other documents, which follow these."""
        for name, number in totals.items():
            self.totals[name] += number
        for name, first in firsts.items():
            self.firsts.setdefault(name, first)

    @property
    def joined_counts(self) -> Mapping[str, Counts]:
        """The counts of each metric, one row a document."""
        if len(self.counts) == 1:
            return self.counts[0]
        return {
            name: np.concatenate([block[name] for block in self.counts])
            for name in (self.counts[0] if self.counts else ())
        }

    @property
    def joined_prints(self) -> Hashes:
        """The rows of prints, one a document."""
        return np.concatenate([NO_FINGERPRINTS, *map(compute_prints, self.prints)])

    def sort(self, documents: Sequence[str]) -> None:
        """Order the documents as they are listed."""
        number = {name: row for row, name in enumerate(documents)}
        order = np.argsort([number[name] for name in self.documents])
        counts, prints = self.joined_counts, self.joined_prints
        self.counts = [{name: rows[order] for name, rows in counts.items()}]
        self.prints = [prints[order]]
        self.documents = [self.documents[row] for row in order.tolist()]

    def find_effective_settings(self, settings: Settings) -> Settings:
        """Return settings that state how running text was processed."""
        if "text/characters" not in self.firsts:
            return settings
        return replace(settings, tokens="characters")

    def describe(self, settings: Settings) -> list[str]:
        """Describe unusual input for users, one sentence each."""
        notes = self.describe_pairing(settings)
        for kind in ("text/characters", "text/tokens"):
            if kind in self.firsts:
                notes.append(self.firsts[kind][1])
        for side, name in zip(SIDES, self.names, strict=True):
            if f"repeated/{side}" in self.firsts:
                notes.append(self._describe_repeats(side, name, settings))
        if self.drift:
            notes += self._describe_drift(settings)
        return notes

    def describe_pairing(self, settings: Settings) -> list[str]:
        """Describe documents without partner, or reject them if the settings say so."""
        notes, response = list(self.notes), self.names[1]
        if self.key_only:
            fate = {"empty": "scored as empty", "skip": "left out"}
            _, place = self.firsts.get("unpaired/key", ("", ""))
            place = f" of {place}" if place else ""
            problem = f"lacks {list_documents(self.key_only)}{place}"
            notes.append(_describe_unpaired(response, problem, fate, settings))
        if self.response_only:
            fate = dict.fromkeys(("empty", "skip"), "left out")
            problem = f"has {list_documents(self.response_only)} that the key lacks"
            _, place = self.firsts.get("unpaired/response", ("", ""))
            notes.append(_describe_unpaired(place or response, problem, fate, settings))
        return notes

    def _describe_repeats(self, side: str, name: str, settings: Settings) -> str:
        name_of_note = f"repeated/{side}"
        count, (_, place) = self.totals[name_of_note], self.firsts[name_of_note]
        plural, whose = ("s", "their") if count > 1 else ("", "its")
        policies = {
            "first": f"kept in the first of {whose} entities",
            "reference": COUNTED_AS_REFERENCE,
        }
        policy = select_by(settings, "repeated", policies)
        return f"{name}: {count} repeated mention{plural}, {policy}: see {place}"

    def _describe_drift(self, settings: Settings) -> list[str]:
        """Describe how the aligned texts differ; nothing if they do not."""
        total = {
            name: sum(row[name] for row in self.drift.values()) for name in DRIFT_COUNTS
        }
        parts = []
        if any(total[name] for name in WORD_COUNTS):
            words = ", ".join(f"{total[name]:,} {name}" for name in WORD_COUNTS)
            worst = max(self.drift, key=lambda name: compute_drift(self.drift[name]))
            share = 100 * compute_drift(self.drift[worst])
            parts.append(
                f"aligned with {total['words']:,} words of the key: {words} "
                f"(most drift in {quoted(worst)}: {share:.1f} %)"
            )
        if any(total[rule] for rule in REPAIRS):
            rules = ", ".join(f"{total[rule]:,} {rule}" for rule in REPAIRS)
            parts.append(f"brackets repaired: {rules}")
        if total["unplaced"]:
            policies = {"spurious": "scored as spurious", "drop": "dropped"}
            policy = select_by(settings, "unplaced", policies)
            parts.append(f"mentions without a place: {total['unplaced']:,}, {policy}")
        return [f"{self.names[1]}: {'; '.join(parts)}"] if parts else []

    def to_dict(self) -> dict[str, Any]:
        """Return strings, numbers and arrays, in lists and dictionaries."""
        return {
            "names": list(self.names),
            "documents": list(self.documents),
            "counts": dict(self.joined_counts),
            "prints": self.joined_prints,
            "totals": dict(self.totals),
            "firsts": {name: list(first) for name, first in self.firsts.items()},
            "key_only": list(self.key_only),
            "response_only": list(self.response_only),
            "notes": list(self.notes),
            "repetitions": list(self.repetitions),
            "drift": {name: dict(row) for name, row in self.drift.items()},
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], metrics: Sequence[str]) -> Tally:
        """Read the values of `to_dict`; an invalid part raises a built-in error."""

        def read_texts(name: str) -> list[str]:
            return list(map(str.__str__, values[name]))  # TypeError for other values

        key, response = read_texts("names")
        tally = cls(
            (key, response),
            read_texts("documents"),
            key_only=read_texts("key_only"),
            response_only=read_texts("response_only"),
            notes=read_texts("notes"),
            repetitions=read_texts("repetitions"),
        )
        for name, total in values["totals"].items():
            tally.totals[name] = int(total)
        for name, (document, text) in values["firsts"].items():
            tally.firsts[name] = document, text
        for document, row in values.get("drift", {}).items():
            tally.drift[document] = {name: int(count) for name, count in row.items()}
        if tally.documents:
            counts = {name: np.asarray(values["counts"][name]) for name in metrics}
            prints = np.asarray(values["prints"], np.uint64)
            tally.counts, tally.prints = [counts], [prints]
            size = len(tally.documents)
            for name, rows in counts.items():
                if rows.dtype not in _COUNTS or rows.ndim != 2 or len(rows) != size:
                    message = f"counts of {name}"
                    raise ValueError(message)
            if prints.shape != (size, NO_FINGERPRINTS.shape[1]):
                message = "prints"
                raise ValueError(message)
        return tally


def compute_prints(key: Hashes | Columns) -> Hashes:
    """Return rows of prints, computed from mentions unless they are."""
    return compute_fingerprints(key) if isinstance(key, Columns) else key


def compute_drift(counts: Mapping[str, int]) -> float:
    """Return the share of the words of the key that a response lost or changed."""
    return (counts["lost"] + counts["changed"]) / counts["words"]


def list_documents(ids: Sequence[str]) -> str:
    """Name one document, or the first of several."""
    if not ids:
        return "no document"
    if len(ids) == 1:
        return f"document {quoted(ids[0])}"
    return f"{len(ids)} documents ({quoted(ids[0])} and others)"


def _describe_unpaired(
    place: str, problem: str, fate: Mapping[str, str], settings: Settings
) -> str:
    consequence = select_by(settings, "missing", {**fate, "error": None})
    if consequence is not None:
        return f"{place}: {problem}, {consequence}"
    hint = "--missing empty or --missing skip scores all the same"
    message = f"{problem}, expected the documents of the key"
    raise PairingError(message, code="pairing/missing-document", place=place, hint=hint)
