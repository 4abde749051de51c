"""Numbers of runs in words: sizes of corpora, scores of responses."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from corefkit.results.stored_results import StoredScores, parse_stored

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.serve.values import Run


def size_of(fingerprint: Mapping[str, object]) -> str:
    """Say how large a corpus is, as far as that is known.

    >>> size_of({"documents": 1, "words": 1200, "text": "0f"})
    '1 document, 1,200 words'
    """
    nouns = {
        "documents": "document documents",
        "words": "word words",
        "mentions": "mention mentions",
        "entities": "entity entities",
    }
    return ", ".join(
        f"{number:,} {words.split()[number != 1]}"
        for name, words in nouns.items()
        if isinstance(number := fingerprint.get(name), int)
    )


def results_of(run: Run) -> list[StoredScores]:
    """Read the scores of the responses of a run that have any."""
    return [
        _stored(one.scores, one.name, run.number) for one in run.systems if one.scores
    ]


# The same page is asked for again and again.
@lru_cache(maxsize=4096)
def _stored(scores: str, name: str, number: int) -> StoredScores:
    (found,) = parse_stored(scores.encode("utf-8"), name=name, place=f"run {number}")
    return found


def best_of(run: Run) -> str:
    """Name the response of a run with the highest CoNLL mean, and that mean."""
    known = [
        (one.conll, one.response) for one in results_of(run) if one.conll is not None
    ]
    if not known:
        return ""
    best, name = max(known, key=lambda one: one[0])
    score = f"CoNLL {100 * best:.2f}"
    return score if len(known) == 1 else f"{score} ({name})"
