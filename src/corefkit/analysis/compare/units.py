"""Units: the texts that documents are parts of, and the strata that texts are of.

Parts of one text are not independent: the same people are in them, and what is hard in
one part is hard in the next. So they are swapped and drawn together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corefkit.analysis.compare.procedure import GENRE
from corefkit.exceptions import PairingError, SettingsError, quoted
from corefkit.strings.ids import canonical_id, name_and_part
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

OTHERS = "others"

# Ids in which the end-to-end resolvers have joined a text and its part. Other ids that
# end in a number, as `doc_1` does, say nothing of a text.
_JOINED_IDS = (
    # OntoNotes: genre, source, section, file and its number.
    re.compile(r"([a-z]{2}/[^/]+/\d{2}/[^/]+_\d{4})_\d+"),
    # The name of a file that has its ending still.
    re.compile(r"(.+\.(?:xml|txt|sgml?|html?))_\d+", re.IGNORECASE),
)
_GENRES = (
    re.compile(r"([^/]+)/"),  # OntoNotes: the first folder
    re.compile(r"GUM_([^_]+)_"),
)


@dataclass(frozen=True, slots=True)
class Units:
    """What is swapped and drawn.

    Attributes:
        of_document: the name of each document's unit.
        stratum_of: by the names of units, their strata; empty if none were asked for.
        notes: what a user should know about them.
    """

    of_document: tuple[str, ...]
    stratum_of: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """How many there are."""
        return len(set(self.of_document))


def text_of(document_id: str) -> str:
    """Find the text that a document is a part of; mostly it is one by itself.

    CoNLL's ids name the text and its part, and so do those of OntoNotes if the two were
    joined, or of files cut into parts. All other ids are taken as they are: `doc_1` and
    `doc_2` are two texts.

    >>> text_of("(story); part 001"), text_of("story_1")
    ('story', 'story_1')
    >>> text_of("nw/wsj/00/wsj_0007_2"), text_of("zebra.xml_001")
    ('nw/wsj/00/wsj_0007', 'zebra.xml')
    """
    name, part = name_and_part(document_id)
    if part is None:
        for pattern in _JOINED_IDS:
            if match := pattern.fullmatch(name):
                return match[1]
    return name


def units_of(
    documents: Sequence[str],
    *,
    unit: str = "text",
    units: Mapping[str, object] | None = None,
    strata: str | None = None,
) -> Units:
    """Group documents into units, and units into strata.

    Args:
        documents: the ids of the documents.
        unit: `text`, or `document` to take documents as they are.
        units: the text of documents whose ids do not tell.
        strata: `genre`, or a pattern on document ids.

    >>> units = units_of(["(b); part 000", "(a); part 000", "(b); part 001"])
    >>> units.of_document, units.number
    (('b', 'a', 'b'), 2)
    """
    given = _given(documents, unit=unit, units=units)
    if unit == "document":
        owners = list(documents)
    else:
        owners = [given.get(name) or text_of(name) for name in documents]
    if strata is None:
        return Units(tuple(owners))
    of_units = _of_units(owners, strata_of(documents, strata))
    return Units(tuple(owners), *_pooled(of_units))


def strata_of(documents: Sequence[str], strata: str) -> list[str]:
    """Find the stratum of each document: its genre, or what a pattern finds in its id.

    >>> strata_of(["(bn/abc/00/abc_0001); part 000", "GUM_news_iodine"], "genre")
    ['bn', 'news']
    """
    found = [_stratum(name, strata) for name in documents]
    _refuse_others(documents, found, strata)
    return [str(name) for name in found]


def _given(documents: Sequence[str], *, unit: str, units: object) -> dict[str, str]:
    """Check a user's texts, and name documents as the key does."""
    if units is None:
        return {}
    if unit == "document":
        message = "units are given, but each document is to be a unit"
        raise SettingsError(message, hint="leave out one of unit='document' and units")
    if not isinstance(units, Mapping):
        message = f"found units of type {type(units).__name__}, expected a mapping"
        raise SettingsError(message, hint="as in {'doc_1': 'story', 'doc_2': 'story'}")
    known = {canonical_id(name): name for name in documents}
    known |= {name: name for name in documents}
    given = {}
    for name, text in units.items():
        if name not in known and canonical_id(str(name)) in known:
            name = canonical_id(str(name))
        if name not in known:
            message = f"units name document {quoted(str(name))}, which was not scored"
            raise SettingsError(message, hint=suggest(str(name), _some(documents)))
        if text is None or not str(text).strip():
            message = f"units give document {quoted(str(name))} no text: {text!r}"
            raise SettingsError(message, hint="leave out documents that stand alone")
        given[known[name]] = str(text)
    return given


def _some(documents: Sequence[str], most: int = 10) -> Sequence[str]:
    return [*documents[:most], "..."] if len(documents) > most else documents


def _stratum(document_id: str, strata: str) -> str | None:
    """Find the stratum of a document; None if its id does not tell."""
    # As all formats write it: without CoNLL's brackets.
    name = canonical_id(document_id)
    if strata == GENRE:
        matches = (pattern.match(name) for pattern in _GENRES)
        return next((match[1] for match in matches if match), None)
    found = re.search(strata, name)
    if found is None:
        return None
    return (found[1] if found.re.groups else found[0]) or None


def _refuse_others(
    documents: Sequence[str], wanted: Sequence[str | None], strata: str
) -> None:
    pairs = zip(documents, wanted, strict=True)
    without = [canonical_id(name) for name, stratum in pairs if stratum is None]
    if not without:
        return
    first = f"document {quoted(without[0])}"
    if len(without) > 1:
        first = f"{len(without)} documents ({quoted(without[0])} and others)"
    if strata == GENRE:
        message = f"the genre of {first} is not known"
        hint = (
            "genres are known from ids as bn/abc/00/abc_0001 and GUM_news_iodine; give "
            "a regular expression, whose first group is the stratum"
        )
    else:
        message = f"pattern {strata!r} does not match {first}"
        hint = "it is searched in the ids, and its first group is the stratum"
    raise PairingError(message, hint=hint)


def _of_units(owners: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
    """Find the stratum of each unit, which all its documents must share."""
    found: dict[str, str] = {}
    for owner, stratum in zip(owners, wanted, strict=True):
        if found.setdefault(owner, stratum) != stratum:
            message = (
                f"text {quoted(owner)} has documents of two strata: "
                f"{quoted(found[owner])} and {quoted(stratum)}"
            )
            raise PairingError(message, hint="a text is drawn whole, within one")
    return found


def _pooled(stratum_of: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Pool strata of one unit, which have no variance."""
    sizes = Counter(stratum_of.values())
    lone = {name for name, size in sizes.items() if size == 1}
    if not lone or len(sizes) == 1:
        return dict(stratum_of), ()
    pooled = {
        unit: OTHERS if stratum in lone else stratum
        for unit, stratum in stratum_of.items()
    }
    few = Counter(pooled.values())[OTHERS] == 1
    alone = ", which has one text still" if few else ""
    names = ", ".join(sorted(map(quoted, lone)))
    note = f"strata with one text are taken together as {OTHERS!r}{alone}: {names}"
    return pooled, (note,)
