"""Key and response scored as by the reference scorer: all documents, or one."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from corefkit.alignment.blocks import COUNTED_AS_REFERENCE
from corefkit.alignment.pipeline import opened_runs
from corefkit.exceptions import quoted
from corefkit.formats.inputs import open_inputs
from corefkit.report.reference_text import reference_metrics
from corefkit.scoring import score
from corefkit.settings import PRESETS
from corefkit.tally import counted_runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.evaluation import Evaluation
    from corefkit.formats.source import Source
    from corefkit.model import Document
    from corefkit.report.reference_documents import Pair

_SETTINGS = PRESETS["conll2012"]
IN_RESPONSE = "Repeated mention in the response: "


@dataclass(frozen=True)
class ReferenceRun:
    """Scores, and the sources of their documents while these are open.

    Attributes:
        evaluation: the scores, with the counts of each document.
        sources: key and response.
        numbers: for each document its numbers there; None where one lacks it.
        notes: what a user should know and the text does not say, one sentence each.
    """

    evaluation: Evaluation
    sources: tuple[Source, Source]
    numbers: Sequence[tuple[int | None, int | None]]
    notes: tuple[str, ...]

    @cached_property
    def pairs(self) -> list[Pair]:
        """The documents as they are listed."""
        # Imported here because totals do not ask, and every start would pay.
        from corefkit.report.reference_documents import Pair, side_of

        key, response = self.sources
        return [
            Pair(side_of(key, ours), side_of(response, theirs))
            for ours, theirs in self.numbers
        ]

    @property
    def repeated(self) -> int:
        """How many mentions of the response are repeated and in the key."""
        lines = self.evaluation.repetitions
        return sum(line.startswith(IN_RESPONSE) for line in lines)

    @property
    def has_empty_entity(self) -> bool:
        """Whether no mention of an entity of the key closes before its file ends."""
        if not _is_cut_off(self.sources[0]):
            return False
        listings = [pair.key.listing for pair in self.pairs]
        return not all(entity for listing in listings for entity in listing.entities)


@contextmanager
def referenced(
    key: str, response: str, *, metrics: Sequence[str], document: str | None = None
) -> Iterator[ReferenceRun]:
    """Score all documents, or one; sources are open until the end.

    >>> from corefkit.example import paths
    >>> key, response, _ = map(str, paths())
    >>> name = "(example/bridge); part 000"
    >>> with referenced(key, response, metrics=["muc"], document=name) as found:
    ...     print(*found.pairs[0].key.listing.entities[0])
    (0, 3) (34, 35) (56, 56) (75, 75)
    """
    if document is not None:
        inputs = open_inputs(key, [response], format=None, reference=True)
        with inputs as (source, others):
            yield _one_document((source, others[0]), metrics, document)
        return
    with opened_runs(key, [response], settings=_SETTINGS) as runs:
        (run,) = runs
        tallies = counted_runs(runs, tuple(reference_metrics(metrics)))
        evaluation = tallies[run.number].evaluation(run)
        numbers = list(zip(run.numbers, run.partners, strict=True))
        notes = (*_beside_text(evaluation), *_notes_of(run.inputs))
        yield ReferenceRun(evaluation, run.inputs, numbers, notes)


def _one_document(
    sources: tuple[Source, Source], metrics: Sequence[str], name: str
) -> ReferenceRun:
    """Score a document by its name; of several with this name, the first."""
    key, response = sources
    ours, theirs = (_number(source, name) for source in sources)
    evaluation = score(
        [_document(key, ours, name)],
        [_document(response, theirs, name)],
        metrics=reference_metrics(metrics),
        preset="conll2012",
    )
    notes = _beside_text(evaluation)
    for source in sources:
        many = list(source.ids).count(name)
        if many > 1:
            notes.append(
                f"{source.name}: {many} documents are called {quoted(name)}, the first "
                "one is scored; where all documents are scored, the last one counts"
            )
        elif not many:
            notes.append(_not_there(source, name))
    notes += _notes_of(sources)
    return ReferenceRun(evaluation, sources, [(ours, theirs)], tuple(notes))


def _number(source: Source, name: str) -> int | None:
    ids = list(source.ids)
    return ids.index(name) if name in ids else None


def _document(source: Source, number: int | None, name: str) -> Document:
    if number is not None:
        return source.document(number)
    # Imported here because few runs lack the document that they name.
    from corefkit.model import Document

    return Document(name, (), (), origin="conll")


def _not_there(source: Source, name: str) -> str:
    """Say that a document is not there, and what the nearest one is called."""
    # Imported here because only mistakes need it and every start would pay.
    from difflib import get_close_matches

    nearest = get_close_matches(name, source.ids, n=1, cutoff=0)
    found = f"; did you mean {quoted(nearest[0])}?" if nearest else ""
    return (
        f"{source.name}: no document is called {quoted(name)}, scored as empty{found}"
    )


def _beside_text(evaluation: Evaluation) -> list[str]:
    """Choose the notes that add to the text, which shows repeated mentions itself."""
    if not evaluation.repetitions:
        return list(evaluation.notes)
    told = f", {COUNTED_AS_REFERENCE}: see "
    return [note for note in evaluation.notes if told not in note]


def _notes_of(sources: Sequence[Source]) -> Iterator[str]:
    """Say of files what the reference scorer does not."""
    for source in dict.fromkeys(sources):
        if not source.ids:
            yield f"{source.name}: has no document"
        if _is_marked(source):
            yield (
                f"{source.name}: begins with a byte-order mark, behind which the "
                "reference scorer does not see that a document begins"
            )
        if _is_cut_off(source):
            yield (
                f"{source.name}: the file ends inside its last document; brackets that "
                "are still open there are left out"
            )


def _is_cut_off(source: Source) -> bool:
    return bool(getattr(source, "is_cut_off", False))


def _is_marked(source: Source) -> bool:
    """Return whether a file of the reference scorer's format has a byte-order mark."""
    file = getattr(source, "file", None)
    return hasattr(source, "listing") and file is not None and file.text_start > 0
