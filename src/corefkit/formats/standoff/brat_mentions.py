"""Mentions of brat standoff: from characters to tokens of the text.

The rules are those in `corefkit.formats.standoff.brat`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.standoff.brat_writing import LITBANK_KIND, UNTYPED
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.formats.faults import Faults
    from corefkit.formats.plaintext import PlainText


class TextBound(NamedTuple):
    """A mention as its line says it: parts by characters."""

    line: int
    id: str
    type: str
    parts: tuple[tuple[int, int], ...]
    words: str | None


def mention_of(
    bound: TextBound,
    plain: PlainText,
    attributes: Mapping[str, str],
    faults: Faults,
) -> Mention | None:
    """Make a mention of its line; None where no word or another text is there."""
    if message := _wrong_with(bound, plain.text):
        faults(bound.line, message, "is this the text annotated?")
        return None
    spans = [plain.tokens(*part) for part in bound.parts]
    tokens = sorted(span for span in spans if span is not None)
    if not tokens:
        message = f"mention {quoted(bound.id)} covers no word"
        faults(bound.line, message, "take it out")
        return None
    if any(plain.cuts(*part) for part in bound.parts):
        message = f"mention {quoted(bound.id)} begins or ends inside a token"
        hint = "the whole token is taken"
        faults(bound.line, message, hint, fatal=False)
    known = _types(bound.type) | dict(attributes)
    return _spanning(tokens, known)


def _types(name: str) -> dict[str, str]:
    if name == UNTYPED:
        return {}
    if match := LITBANK_KIND.fullmatch(name):
        return {"type": match[2], "mention_type": match[1]}
    return {"type": name}


def _spanning(tokens: list[tuple[int, int]], attributes: dict[str, str]) -> Mention:
    """Make a mention of spans in order, which may touch and overlap."""
    start, end = tokens[0]
    gaps = []
    for first, last in tokens[1:]:
        if first > end + 1:
            gaps.append((end + 1, first - 1))
        end = max(end, last)
    return Mention(start, end, tuple(gaps), attributes=attributes)


def _wrong_with(bound: TextBound, text: str) -> str | None:
    name = quoted(bound.id)
    for start, end in bound.parts:
        if start >= end:
            return f"mention {name} from {start} to {end} ends before it begins"
        if end > len(text):
            return f"mention {name} ends at {end}, the text at {len(text)}"
    if bound.words is None:
        return None
    stated = " ".join(bound.words.split())
    # A stretch far longer than the words stated is not even looked at.
    if sum(end - start for start, end in bound.parts) > 2 * len(bound.words) + 80:
        return f"mention {name} is {quoted(stated)}, far shorter than its stretch"
    pieces = " ".join(text[start:end] for start, end in bound.parts)
    covered = " ".join(pieces.split())
    if stated != covered:
        return f"mention {name} is {quoted(stated)}, the text has {quoted(covered)}"
    return None
