"""Words of closed classes, for texts without tags: pronouns, articles, frequent words.

The file `closed_words.toml` has a table for each language, by its code, with words in
lower case, separated by blanks:

    personal, possessive, demonstrative, relative    its pronouns, by kind
    leading      articles at the start of a mention that do not tell what it is
    trailing     endings of the same sort at its end
    frequent     words that most texts have, by which the language is guessed

A form that is of several kinds counts as the first of them.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.model import Document

_PRONOUNS = ("personal", "possessive", "demonstrative", "relative")
_COMMENT = re.compile(r"\s*(?:\w+(?:::|\.))?lang(?:uage)?\s*[=:]\s*([\w-]+)\s*", re.I)
# A guess needs so many frequent words in a hundred, and so many times more of them than
# of any other language. A word of several languages counts in parts.
_LEAST = 5
_CLEARLY = 1.25


@dataclass(frozen=True, slots=True)
class ClosedWords:
    """Words of closed classes of one language."""

    code: str
    name: str
    pronouns: Mapping[str, str]  # the kind of each
    leading: frozenset[str]
    trailing: frozenset[str]
    frequent: frozenset[str]


@cache
def closed_words() -> Mapping[str, ClosedWords]:
    """Read the words of all languages.

    >>> closed_words()["fr"].pronouns["elle"], closed_words()["en"].leading
    ('personal', frozenset({'the'}))
    """
    text = (files("corefkit.syntax") / "closed_words.toml").read_text("utf-8")
    return {code: _of_table(code, row) for code, row in tomllib.loads(text).items()}


def _of_table(code: str, row: Mapping[str, str]) -> ClosedWords:
    kinds = [(word, kind) for kind in _PRONOUNS for word in row[kind].split()]
    leading, trailing, frequent = (
        frozenset(row[name].split()) for name in ("leading", "trailing", "frequent")
    )
    pronouns = dict(reversed(kinds))
    return ClosedWords(code, row["name"], pronouns, leading, trailing, frequent)


def language_code(language: str) -> str | None:
    """Find the code of a language by a code or a name; None if there is no such list.

    >>> language_code("German"), language_code("pt-BR"), language_code("xx")
    ('de', 'pt', None)
    """
    wanted = language.casefold()
    code = re.split("[-_]", wanted)[0]
    for known in closed_words().values():
        if wanted == known.name.casefold() or code == known.code:
            return known.code
    return None


def named_language(document: Document) -> str | None:
    """Find the language that the comments of a document name, as they write it.

    >>> from corefkit.model import Document
    >>> named_language(Document("d", (), (), comments=((" lang = ca",),)))
    'ca'
    """
    for comment in (line for lines in document.comments[:1] for line in lines):
        if match := _COMMENT.fullmatch(comment):
            return match[1]
    return None


def guessed_language(words: Iterable[str]) -> str | None:
    """Guess the language of words by the frequent ones; None where that is not clear.

    >>> guessed_language("the cat sat on the mat and it was not there".split())
    'en'
    >>> guessed_language("le chat est dans la rue et il ne bouge pas".split())
    'fr'
    >>> guessed_language("x1 y2 z3".split()) is None
    True
    """
    languages, counts = _languages(), Counter(map(str.casefold, words))
    shares: dict[str, float] = dict.fromkeys(closed_words(), 0.0)
    for word in counts.keys() & languages.keys():
        for code in languages[word]:
            shares[code] += counts[word] / len(languages[word])
    (first, code), (second, _) = sorted(
        ((share, code) for code, share in shares.items()), reverse=True
    )[:2]
    several = len(counts.keys() & closed_words()[code].frequent) > 1
    clear = first >= _CLEARLY * second and 100 * first >= _LEAST * counts.total()
    return code if several and clear else None


@cache
def _languages() -> Mapping[str, Sequence[str]]:
    """Put the languages of each frequent word together."""
    found = defaultdict(list)
    for code, known in closed_words().items():
        for word in known.frequent:
            found[word].append(code)
    return found
