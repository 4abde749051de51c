"""What reports need of results: of an evaluation, or stored as JSON before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.corpus.fingerprint import Fingerprint
    from corefkit.evaluation import DocumentScores
    from corefkit.metrics.base import Score


class Scored(Protocol):
    """Scores that can be shown: of an evaluation, or stored as JSON before."""

    @property
    def key(self) -> str:
        """What the user called the key."""
        ...

    @property
    def response(self) -> str:
        """What the user called the response."""
        ...

    @property
    def signature(self) -> str:
        """What was computed, in one line."""
        ...

    @property
    def changed(self) -> Mapping[str, str] | None:
        """The settings that are not the default, by name; None where not known."""
        ...

    @property
    def corpus(self) -> Fingerprint:
        """What it was computed on."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about the input, one sentence each."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the scores may not say what they should, one sentence each."""
        ...

    @property
    def labels(self) -> Mapping[str, str]:
        """How tables call each metric."""
        ...

    @property
    def scores(self) -> Mapping[str, Score]:
        """The score of every metric."""
        ...

    @property
    def conll(self) -> float | None:
        """The CoNLL mean, where its three metrics were computed."""
        ...

    @property
    def document_count(self) -> int:
        """How many documents were scored."""
        ...

    @property
    def per_document(self) -> tuple[DocumentScores, ...]:
        """The scores of each document, where they are known."""
        ...
