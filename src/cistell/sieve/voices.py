"""Who speaks: the speakers that a document names, and those of its quotations.

The speaker of a quotation is the subject of a verb of saying beside it, as in the
papers: '"I sold it," said Ann' and 'Ann said: "I sold it."'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cistell.words import quoted_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cistell.profiles import Profile
    from cistell.table import MentionTable
    from corefkit.syntax.dependencies import Syntax

# Verbs of saying, by their lemmas.
_ENGLISH = """
acknowledge add admit agree announce answer argue ask assert believe boast call claim
comment complain conclude confess confirm continue cry declare deny exclaim explain
insist joke mention murmur mutter note observe pronounce protest recall remark repeat
reply report respond say scream shout sigh speak state suggest tell think urge warn
whisper wonder write yell
"""
_SPANISH = """
afirmar añadir asegurar contestar decir declarar exclamar explicar gritar preguntar
responder señalar
"""
_FRENCH = """
affirmer ajouter crier demander dire déclarer expliquer murmurer reprendre répondre
écrier
"""
_SAYING = frozenset(f"{_ENGLISH} {_SPANISH} {_FRENCH}".split())
_SUBJECTS = ("PROPN", "NOUN", "PRON")
_NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Voices:
    """Who says each mention."""

    # A number for each mention, the same where the same person speaks.
    of: Sequence[int]
    names: Mapping[int, str]  # the names of voices that the document tells
    mentions: Mapping[int, int]  # the mention that is the speaker of a quotation


def voices_of(table: MentionTable, syntax: Syntax) -> Voices:
    """Find out who says each mention.

    Where a document names its speakers, quotations are theirs. Elsewhere each quotation
    has the voice of its speaker or, if none is found, a voice of its own; all the rest
    is said by the author.
    """
    quotes = _quotes(quoted_tokens(table.document))
    quoted = {
        token: number for number, quote in enumerate(quotes) for token in range(*quote)
    }
    subjects = {
        number: _speaker(quotes[number], syntax, quoted)
        for number in sorted({*quoted.values()})
    }
    by_head: dict[int, int] = {}
    for at, profile in enumerate(table.profiles):
        if not profile.coordinated:
            by_head.setdefault(profile.head, at)
    numbers: dict[object, int] = {}
    of: list[int] = []
    names: dict[int, str] = {}
    mentions: dict[int, int] = {}
    for profile in table.profiles:
        key, speaker = _voice(profile, quoted, subjects)
        voice = numbers.setdefault(key, len(numbers))
        of.append(voice)
        if profile.speaker:
            names[voice] = profile.speaker
        elif speaker in by_head:
            mentions[voice] = by_head[speaker]
    return Voices(of, names, mentions)


def _voice(
    profile: Profile, quoted: Mapping[int, int], subjects: Mapping[int, int]
) -> tuple[object, int]:
    """Return what tells a voice from others, and the token of a quotation's speaker."""
    quote = quoted.get(profile.head)
    if profile.speaker or quote is None:
        return profile.speaker, _NOWHERE
    subject = subjects[quote]
    return ("quote", quote) if subject < 0 else ("subject", subject), subject


def _quotes(quoted: Sequence[bool]) -> list[tuple[int, int]]:
    """Find the stretches of quoted tokens: where each begins, and where it ends."""
    edges = [
        at
        for at, (before, inside) in enumerate(
            zip([False, *quoted], [*quoted, False], strict=True)
        )
        if before != inside
    ]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _speaker(quote: tuple[int, int], syntax: Syntax, quoted: Mapping[int, int]) -> int:
    """Find the subject of the verb of saying that is nearest to a quotation; or -1."""
    first, end = quote
    edges = syntax.edges
    tokens = [
        *range(edges[first][0], first),
        *range(end, edges[min(end, len(edges) - 1)][1] + 1),
    ]
    found = [
        (_distance(verb, first, end), subject)
        for verb in tokens
        if verb not in quoted
        and syntax.lemmas[verb] in _SAYING
        and (subject := _subject(verb, end, syntax)) >= 0
        and subject not in quoted
    ]
    return min(found, default=(0, _NOWHERE))[1]


def _subject(verb: int, end: int, syntax: Syntax) -> int:
    """Find who says something; or -1.

    Right behind a quotation the subject follows its verb, as in "said Ann", and parsers
    take it for an object.
    """
    subject = syntax.child(verb, "nsubj")
    if subject < 0 and verb - end <= 1:
        behind = (child for child in syntax.children[verb] if child > verb)
        nouns = (child for child in behind if syntax.tags[child] in _SUBJECTS)
        subject = next(nouns, _NOWHERE)
    return subject


def _distance(verb: int, first: int, end: int) -> int:
    """Measure how far a verb is from a quotation; one behind it is nearer."""
    return 2 * (verb - end) if verb >= end else 2 * (first - verb) + 1
