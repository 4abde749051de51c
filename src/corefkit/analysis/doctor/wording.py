"""Numbers and verbs as findings write them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Write a number with its noun.

    >>> counted(1, "document"), counted(1200, "word")
    ('1 document', '1,200 words')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def verb(number: int, one: str, many: str) -> str:
    """Choose the form of a verb that goes with a number.

    >>> verb(1, "has", "have"), verb(2, "has", "have")
    ('has', 'have')
    """
    return one if number == 1 else many


def sentence(text: str) -> str:
    """Close what is said by a full stop, unless it closes by itself.

    >>> sentence("subtract 1"), sentence("was a line lost?")
    ('subtract 1.', 'was a line lost?')
    """
    return text if text.endswith("?") else f"{text}."
