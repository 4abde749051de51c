"""The card of a model: what it is, what it was trained on, and what it scores."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Required to read plain text, by any model.
_UDPIPE = 'UDPipe for plain text: pip install "corefkit[cistell]"'


@dataclass(frozen=True, slots=True)
class Card:
    """What a user should know of a model before using it.

    >>> card = Card("a resolver of English text", trained_on=("tales: 2 documents",))
    >>> print(card)
    a resolver of English text
    trained on   tales: 2 documents
    needs        UDPipe for plain text: pip install "corefkit[cistell]"
    """

    title: str = ""  # what it is, in a line
    trained_on: tuple[str, ...] = ()  # the corpora, with their sizes
    licences: tuple[str, ...] = ()  # of these corpora, and of the model
    needs: tuple[str, ...] = ()  # what it uses that is not in the file, as WordNet
    # What it scores, in percent, by what was measured and how.
    scores: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON; scores keep their order."""
        return {**asdict(self), "scores": [list(row) for row in self.scores.items()]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Card:
        """Read what `to_dict` returned.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: these are other values.
        """
        scores = {str(name): float(score) for name, score in values["scores"]}
        return cls(
            str(values["title"]),
            _texts(values["trained_on"]),
            _texts(values["licences"]),
            _texts(values["needs"]),
            scores,
        )

    def __str__(self) -> str:
        """Write the card, a line for each thing to know."""
        width = max(map(len, self.scores), default=0)
        scored = (
            f"{name:<{width}} {score:6.2f}" for name, score in self.scores.items()
        )
        rows = {
            "trained on": self.trained_on,
            "licence": self.licences,
            "needs": (_UDPIPE, *self.needs),
            "scores": scored,
        }
        lines = [line for title, texts in rows.items() for line in _rows(title, texts)]
        return "\n".join([self.title or "a model without a title", *lines])


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list | tuple):
        raise TypeError
    return tuple(map(str, values))


def _rows(title: str, texts: Iterable[str]) -> list[str]:
    """Put a title before the first text, and blanks before the others."""
    return [
        f"{title if number == 0 else '':<13}{text}" for number, text in enumerate(texts)
    ]
