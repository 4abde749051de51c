"""Annotation schemes as views of one corpus, each with what it drops and adds.

The same texts can be mapped to several schemes, and what each drops and adds is
counted: a scheme maps a document to another and to a `Loss`.

In every scheme a span is one mention. If two entities have the same span (as in
OntoGUM), the first keeps it. A noun phrase is known by its head: a verb or an adverb
does not head one.

Schemes such as OntoNotes' leave out what is mentioned only once. Noun phrases for these
are taken from constituent trees: of all those with the same head the longest, and
possessive pronouns, which are not phrases. Heads are those of the dependency tree.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cistell.studies.corpora.loss import Mapped, loss_between, restricted
from corefkit.exceptions import FormatError, SettingsError, quoted
from corefkit.model import Document, Entity, Mention
from corefkit.strings import suggest
from corefkit.syntax.dependencies import build_syntax, find_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cistell.studies.corpora.loss import Reason
    from corefkit.syntax.dependencies import Syntax


_BRACKET = re.compile(r"\(([^()*]*)|\)")
_NOUN_PHRASE = re.compile(r"NP(?![^-=])")
_POSSESSIVE = "PRP$"


def noun_phrases(brackets: Sequence[str]) -> list[tuple[int, int]]:
    """Find the first and last tokens of all noun phrases, the longest first.

    Brackets are those of CoNLL-2012's parse column. Functions, as in `NP-SBJ`, are
    ignored.

    >>> noun_phrases(["(S(NP-SBJ(NP*", "*)", "(PP*", "(NP*)))", "(VP*))"])
    [(0, 3), (0, 1), (3, 3)]
    """
    found: list[tuple[int, int]] = []
    around: list[tuple[str, int]] = []
    for token, cell in enumerate(brackets):
        for bracket in _BRACKET.finditer(cell):
            if bracket[1] is not None:
                around.append((bracket[1], token))
            elif around:
                kind, start = around.pop()
                if _NOUN_PHRASE.match(kind):
                    found.append((start, token))
    return sorted(found, key=lambda span: (span[0] - span[1], span))


def phrase_mentions(document: Document) -> Iterator[Mention]:
    """Go through the longest noun phrase of each head, then possessive pronouns.

    The document must have the layers `parse`, `xpos`, `head` and `deprel`.
    """
    brackets = document.layers.get("parse")
    syntax = build_syntax(document)
    if brackets is None or syntax is None or "head" not in document.layers:
        what = "dependency tree" if brackets else "constituent tree (layer `parse`)"
        message = f"has no {what} to take noun phrases from"
        hint = "take the trees from a file that has them, as `with_trees` does"
        place = f"document {quoted(document.id)}"
        raise FormatError(message, code="model/missing-syntax", place=place, hint=hint)
    heads: set[int] = set()
    for start, end in noun_phrases(brackets):
        head = find_head(Mention(start, end), syntax)
        if head not in heads:
            heads.add(head)
            yield Mention(start, end, head=head)
    for token, tag in enumerate(document.layers.get("xpos", ())):
        if tag == _POSSESSIVE and token not in heads:
            yield Mention(token, token, head=token)


_ACE_TYPES = ("person", "organization", "place")
# Tags of the Penn Treebank: verbs and adverbs.
_NO_NOUN_PHRASE = ("VB", "RB", "WRB")

OTHER_TYPE = "is no person, organization or place"
NO_NOUN_PHRASE = "is headed by a verb or an adverb"
NOUN_PHRASE = "noun phrase or possessive pronoun"


class Scheme(NamedTuple):
    """An annotation scheme."""

    name: str  # its name in options
    about: str  # what it includes, in a line
    corpus: str  # the corpus that it is a view of
    mapped: Callable[[Document], Mapped]  # maps a document of that corpus


def in_scheme(documents: Iterable[Document], name: str) -> Iterator[Mapped]:
    """Map documents to a scheme.

    >>> document = Document("d", (("Ann", "left"),), (Entity("1", (Mention(0, 0),)),))
    >>> [len(mapped.document) for mapped in in_scheme([document], "gum")]
    [1]
    """
    scheme = scheme_named(name)
    return map(scheme.mapped, documents)


def scheme_named(name: str) -> Scheme:
    """Find a scheme by its name."""
    if name not in SCHEMES:
        message = f"unknown scheme {name!r}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(name, SCHEMES)
        )
    return SCHEMES[name]


def _as_is(document: Document) -> Mapped:
    return restricted(document, lambda _: "")


def _noun_phrases(document: Document) -> Mapped:
    return restricted(document, _no_noun_phrase(document))


def _ace_like(document: Document) -> Mapped:
    no_noun_phrase = _no_noun_phrase(document)

    def reason(mention: Mention) -> str:
        if mention.attributes.get("type") not in _ACE_TYPES:
            return OTHER_TYPE
        return no_noun_phrase(mention)

    return restricted(document, reason)


def _with_noun_phrases(document: Document) -> Mapped:
    """Add noun phrases whose head heads no mention yet, each an entity of its own."""
    no_noun_phrase = _no_noun_phrase(document)
    kept = restricted(document, no_noun_phrase)
    syntax = _syntax(document)
    heads = {
        _tree_head(mention, syntax) for entity in kept.document for mention in entity
    }
    phrases = [
        Entity(f"np-{mention.start}-{mention.end}", (mention,))
        for mention in phrase_mentions(document)
        if mention.head not in heads and not no_noun_phrase(mention)
    ]
    entities = sorted(
        (*kept.document, *phrases),
        key=lambda entity: (entity.mentions[0].start, -entity.mentions[0].end),
    )
    after = replace(kept.document, entities=tuple(entities))
    added = {NOUN_PHRASE: len(phrases)}
    dropped = kept.loss.dropped
    return Mapped(after, loss_between(document, [after], dropped=dropped, added=added))


def _no_noun_phrase(document: Document) -> Reason:
    """Return why a mention is not a noun phrase, by the Penn tag of its head."""
    tags, syntax = document.layers.get("xpos", ()), _syntax(document)

    def reason(mention: Mention) -> str:
        tag = tags[_tree_head(mention, syntax)]
        return NO_NOUN_PHRASE if tag.startswith(_NO_NOUN_PHRASE) else ""

    return reason


def _syntax(document: Document) -> Syntax:
    syntax = build_syntax(document)
    if syntax is None or "xpos" not in document.layers:
        message = "has no tags to tell noun phrases by"
        hint = "this scheme is for GUM and OntoGUM, in CoNLL-U"
        place = f"document {quoted(document.id)}"
        raise FormatError(message, code="model/missing-syntax", place=place, hint=hint)
    return syntax


def _tree_head(mention: Mention, syntax: Syntax) -> int:
    # GUM names heads and OntoGUM does not: both get those of the tree.
    return find_head(replace(mention, head=None), syntax)


SCHEMES: Mapping[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        Scheme(
            "gum", "GUM as it is: predicates and appositions corefer", "gum", _as_is
        ),
        Scheme(
            "gum-nps",
            "GUM without mentions that a verb or an adverb heads",
            "gum",
            _noun_phrases,
        ),
        Scheme(
            "ace",
            "ACE-like: people, organizations and places of gum-nps",
            "gum",
            _ace_like,
        ),
        Scheme("ontogum", "OntoGUM as it is: no singletons", "ontogum", _as_is),
        Scheme(
            "ontogum-nps",
            "OntoGUM, and all other noun phrases as singletons",
            "ontogum",
            _with_noun_phrases,
        ),
    )
}
