"""Mention taggers of documents with trees (Cai and Strube 2010).

SM1, of high recall, finds the spans of noun phrases by rules. SM2 filters them by
logistic regression, which learns which of them a corpus annotates.

SM1 requires no word lists, so it supports any language with UD trees. The rules:

1.  Heads. A NOUN, PROPN, PRON, SYM or X is the head of a mention, and a NUM, unless its
    relation makes it part of another phrase (`flat`, `fixed`, `nummod`, `advmod` ...).
    So is a DET, and an ADJ with a separate determiner or a subject, and an ADV that
    points (PronType=Dem), if it acts as a noun phrase: "all of us", "the young",
    "from there".
2.  Possessives ("her", "su") are mentions, whether PRON or DET. Pronouns that say
    nothing are not: "there is", "se" of a verb, all with a relation `expl`, except for
    a neuter personal pronoun ("it is late"), which some corpora annotate.
3.  Relative pronouns are left out, unless a clause hangs on them ("what we saw").
4.  The span extends from the head to both sides over the stretches that hang on its
    children. It includes determiners, adjectives, numbers, compounds, `nmod` and `acl`
    (on the left only without preposition and comma: "by chance, all geese" are two
    mentions), and on the right a possessive mark. It stops at everything else: at
    prepositions, conjunctions, other conjuncts, appositions, and at what hangs on the
    head because it is a predicate (subject, copula, clauses). It crosses fillers and
    commas only if it continues after them.
5.  A mention with a gap is cut to the stretch around its head. A tree that is not
    projective leaves words out in between; annotators mostly mark the part with the
    head, and few formats can write a mention with gaps.
6.  A mark at an edge is cut off, unless its partner, bracket or quote, is inside.
7.  A head with nominal conjuncts makes a second mention, that of the coordination; one
    with appositions makes another, up to the end of the last.
8.  An empty node is a mention, unless it is a verb.
9.  Some corpora (AnCora, Democrat) annotate relative pronouns, and some (Democrat) end
    a mention before the first clause that hangs on its head. Both are found on demand,
    so that a filter can learn what its corpus does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cistell.learners import LogisticClassifier, learn_logistic
from cistell.mentions.words import read_word_tree
from cistell.paper.memory import Column, Instances
from corefkit import CorefkitError, Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cistell.paper.memory import Codes
    from corefkit.syntax.dependencies import Syntax

_NOMINAL = {"NOUN", "PROPN", "PRON", "NUM", "SYM", "X"}
_CONJUNCTS = _NOMINAL | {"DET", "ADJ"}
_PHRASAL = {"DET", "ADJ", "ADV"}  # heads of noun phrases only in some relations
_LOOSE = {"parataxis", "dislocated", "vocative"}
_ARGUMENTS = {"nsubj", "obj", "iobj", "obl", "nmod", "appos", "conj", "root"} | _LOOSE
_FUNCTIONAL = {"det", "case", "cc", "mark", "aux", "cop", "punct", "discourse"}
_PARTS = {"flat", "fixed", "goeswith", "nummod", "advmod", "amod"} | _FUNCTIONAL
_LEFT = {"det", "amod", "compound", "nummod", "flat", "dep", "clf", "goeswith", "fixed"}
_RIGHT = (_LEFT - {"dep"}) | {"nmod", "acl"}
_FILLERS = {"punct", "discourse", "reparandum", "parataxis"}
_CLAUSAL = {"advmod", "obl", "xcomp", "advcl"}
# Marks that come in pairs, each with the marks that may close it.
_PAIRS = {
    **{mark: (mark,) for mark in ('"', "'")},
    **{"(": (")",), "[": ("]",), "{": ("}",), "«": ("»",), "»": ("«",), "``": ("''",)},
    **{"“": ("”",), "\u2018": ("\u2019",), "„": ("“", "”"), "-LRB-": ("-RRB-",)},
}


def find_candidates(document: Document, *, wide: bool = False) -> list[Mention]:
    """Return the mention candidates of a document with trees, in text order.

    Args:
        document: a document with CoNLL-U's layers; its entities are ignored.
        wide: whether to include spans that are mentions in some corpora only (rule 9).

    Raises:
        FormatError: the document has words, and no tags or no trees.

    >>> from corefkit.model import Document
    >>> layers = {
    ...     "upos": ("PRON", "VERB", "DET", "NOUN"),
    ...     "head": ("2", "0", "4", "2"),
    ...     "deprel": ("nsubj", "root", "det", "obj"),
    ... }
    >>> words = ("She", "sold", "the", "mill")
    >>> find_candidates(Document("d", (words,), (), layers=layers))
    [Mention(start=0, end=0, head=0), Mention(start=2, end=3, head=3)]
    """
    tokens, tree = read_word_tree(document)
    partners = match_partners(tree)
    heads: dict[tuple[int, int], int] = {}
    for head in range(len(tree.tags)):
        if is_head(tree, head, wide=wide):
            for span in list_spans(tree, head, wide=wide):
                first, last = trim_span(tree, partners, head, *span)
                heads.setdefault((tokens[first], tokens[last]), tokens[head])
    mentions = [Mention(*span, head=head) for span, head in heads.items()]
    mentions += list_empty_mentions(document)
    return sorted(mentions, key=lambda mention: (mention.start, -mention.end))


def list_empty_mentions(document: Document) -> list[Mention]:
    """Make a mention of each empty node that is not a verb (rule 8)."""
    tags = document.layers.get("upos", ())
    return [
        Mention(token, token, head=token)
        for token in document.empty
        if not tags or tags[token] not in ("VERB", "AUX")
    ]


def is_head(tree: Syntax, word: int, *, wide: bool) -> bool:
    """Return whether a word is the head of a mention (rules 1 to 3, and 9)."""
    tag, kind, features = tree.tags[word], tree.kinds[word], tree.features[word]
    if tag in ("PRON", "DET") and "PronType=Rel" in features:
        return tag == "PRON" and (wide or _has_child(tree, word, "acl"))
    if tag in ("PRON", "DET") and "Poss=Yes" in features:
        return True
    if kind in _PARTS:
        return False
    if tag == "PRON":
        return kind != "expl" or _is_neuter(tree, word)
    if tag in _PHRASAL:
        return kind in _ARGUMENTS and _is_phrase(tree, word)
    if tag in ("NUM", "SYM", "X"):
        return kind != "compound"
    return tag in _NOMINAL


def _is_neuter(tree: Syntax, word: int) -> bool:
    features = tree.features[word]
    return (
        tree.relations[word] == "expl"
        and "PronType=Prs" in features
        and "Gender=Neut" in features
    )


def _is_phrase(tree: Syntax, word: int) -> bool:
    """Return whether a DET, ADJ or ADV acts as a noun phrase."""
    if tree.tags[word] == "ADV":
        return tree.kinds[word] != "root" and "PronType=Dem" in tree.features[word]
    return (
        tree.tags[word] == "DET"
        or tree.kinds[word] == "nsubj"
        or any(_is_determiner(tree, child) for child in tree.children[word])
    )


def _is_determiner(tree: Syntax, word: int) -> bool:
    return tree.kinds[word] == "det" or tree.relations[word] == "nmod:poss"


def _has_child(tree: Syntax, word: int, kind: str) -> bool:
    return any(tree.kinds[child] == kind for child in tree.children[word])


def list_spans(tree: Syntax, head: int, *, wide: bool) -> Iterator[tuple[int, int]]:
    """Find the spans of a head, the one without conjuncts and appositions first."""
    if tree.tags[head] in ("PRON", "DET") and "Poss=Yes" in tree.features[head]:
        yield head, head
        return
    yield _find_span(tree, head)
    conjuncts = [child for child in tree.children[head] if tree.kinds[child] == "conj"]
    if conjuncts and all(tree.tags[child] in _CONJUNCTS for child in conjuncts):
        yield _find_span(tree, head, also=("conj", "cc"))
    if _has_child(tree, head, "appos"):
        yield _find_span(tree, head, also=("appos",))
    if wide and _has_child(tree, head, "acl"):
        yield _find_span(tree, head, before="acl")


def _find_span(
    tree: Syntax, head: int, *, also: tuple[str, ...] = (), before: str = ""
) -> tuple[int, int]:
    """Find the span of a head, with other kinds of children or up to one of a kind."""
    predicate = _has_child(tree, head, "cop")
    last = reached = head
    for child in tree.children[head]:
        if child < head or tree.stretches[child][0] != reached + 1:
            continue
        if tree.kinds[child] == before:
            break
        if tree.kinds[child] in also or _is_right_part(tree, head, child, predicate):
            last = reached = tree.stretches[child][1]
        elif tree.kinds[child] in _FILLERS:
            reached = tree.stretches[child][1]
        else:
            break
    first = reached = head
    for child in reversed(tree.children[head]):
        if child > head or tree.stretches[child][1] != reached - 1:
            continue
        if _is_left_part(tree, head, child, predicate):
            first = reached = tree.stretches[child][0]
        elif tree.kinds[child] in _FILLERS:
            reached = tree.stretches[child][0]
        else:
            break
    return first, last


def _is_left_part(tree: Syntax, head: int, child: int, predicate: bool) -> bool:
    """Return whether a child on the left belongs to the mention of its head."""
    kind = tree.kinds[child]
    if kind in _CLAUSAL:
        return tree.tags[head] not in _NOMINAL and not predicate
    if kind == "acl" or tree.relations[child] == "nmod":
        return not _is_set_apart(tree, child)
    return kind in _LEFT or kind == "nmod"  # with a subtype: "Ann's", "Doctor Brown"


def _is_set_apart(tree: Syntax, modifier: int) -> bool:
    """Return whether a modifier on the left has a preposition, or a mark at its end.

    In languages whose nouns end their phrases, modifiers have neither.
    """
    last = tree.stretches[modifier][1]
    return (
        tree.tags[last] == "PUNCT"
        or (last < tree.edges[modifier][1] and tree.tags[last + 1] == "PUNCT")
        or any(
            tree.kinds[child] == "case" and child < modifier
            for child in tree.children[modifier]
        )
    )


def _is_right_part(tree: Syntax, head: int, child: int, predicate: bool) -> bool:
    """Return whether a child on the right belongs to the mention of its head."""
    kind, tag = tree.kinds[child], tree.tags[head]
    if kind == "case":
        return tree.tags[child] == "PART"  # a possessive mark, no postposition
    if kind == "nmod" and tag == tree.tags[child] == "NUM":
        return not _is_range(tree, child)
    if kind == "advmod":
        return tag != "PROPN" and not predicate
    if kind in _CLAUSAL:
        return tag not in _NOMINAL and not predicate
    return kind in _RIGHT


def _is_range(tree: Syntax, number: int) -> bool:
    """Return whether a number is the end of a range, as in "1998 - 2002"."""
    return tree.relations[number] == "nmod" and not any(
        tree.kinds[child] == "case" and tree.tags[child] == "ADP"
        for child in tree.children[number]
    )


def trim_span(
    tree: Syntax, partners: Mapping[int, int], head: int, first: int, last: int
) -> tuple[int, int]:
    """Cut marks off the edges, and take in the partners of those inside."""
    nowhere = -1
    while last > head and tree.tags[last] == "PUNCT":
        if first <= partners.get(last, nowhere) < last:
            break
        last -= 1
    while first < head and tree.tags[first] == "PUNCT":
        if first < partners.get(first, nowhere) <= last:
            break
        first += 1
    if first <= partners.get(last + 1, nowhere) <= last:
        last += 1
    if first <= partners.get(first - 1, nowhere) <= last:
        first -= 1
    return first, last


def match_partners(tree: Syntax) -> dict[int, int]:
    """Match the brackets and quotes that hang on the same word."""
    partners: dict[int, int] = {}
    for children in tree.children:
        opened: list[int] = []
        for word in children:
            if opened and tree.forms[word] in _PAIRS[tree.forms[opened[-1]]]:
                partners[word] = opened[-1]
                partners[opened.pop()] = word
            elif tree.forms[word] in _PAIRS:
                opened.append(word)
    return partners


def tag_mentions(document: Document, mentions: Iterable[Mention]) -> Document:
    """Return a document with these mentions as singletons; its entities are ignored."""
    entities = tuple(
        Entity(str(number), (mention,)) for number, mention in enumerate(mentions, 1)
    )
    return replace(document, entities=entities, bridges=())


@dataclass(frozen=True, slots=True)
class MentionFilter:
    """SM2: the candidates of SM1 that a corpus would annotate.

    Attributes:
        values: the values of each feature that the training data contain.
        classifier: decides on candidates.
    """

    values: tuple[tuple[str, ...], ...]
    classifier: LogisticClassifier

    def find_mentions(self, document: Document) -> list[Mention]:
        """Return the mentions of a document with trees, in text order."""
        candidates = find_candidates(document, wide=True)
        if not candidates:
            return []
        rows = _encode_candidates(
            _describe_candidates(document, candidates), self.values
        )
        accepted = self.classifier.decide(rows).positive
        return [
            m for m, is_mention in zip(candidates, accepted, strict=True) if is_mention
        ]


_MAX_VALUES = 250


def learn_filter(documents: Iterable[Document], *, seed: int = 0) -> MentionFilter:
    """Learn SM2 from documents with trees whose mentions are annotated."""
    described: list[tuple[str, ...]] = []
    annotated: list[bool] = []
    for document in documents:
        spans = {(m.start, m.end) for entity in document for m in entity}
        candidates = find_candidates(document, wide=True)
        described += _describe_candidates(document, candidates)
        annotated += [(m.start, m.end) in spans for m in candidates]
    if not any(annotated) or all(annotated):
        message = "no candidate is a mention, or all are: nothing can be learned"
        hint = "train on documents with trees whose mentions are annotated"
        raise CorefkitError(message, code="model/nothing-to-learn", hint=hint)
    values = tuple(_list_values(column) for column in zip(*described, strict=True))
    columns = tuple(Column(str(i), ("", *row)) for i, row in enumerate(values))
    rows = _encode_candidates(described, values)
    instances = Instances(columns, rows, np.array(annotated))
    return MentionFilter(values, learn_logistic(instances, seed=seed))


def _list_values(column: Iterable[str]) -> tuple[str, ...]:
    """Return the most frequent values of a feature."""
    values, counts = np.unique(np.array([*column]), return_counts=True)
    order = np.argsort(-counts, kind="stable")[:_MAX_VALUES]
    return tuple(values[order].tolist())


def _describe_candidates(
    document: Document, mentions: Iterable[Mention]
) -> list[tuple[str, ...]]:
    """Compute the features of candidates: words and tags at the head and the edges."""
    tokens, tree = read_word_tree(document)
    places = {token: word for word, token in enumerate(tokens)}
    last_word = len(tokens) - 1
    described: list[tuple[str, ...]] = []
    for mention in mentions:
        if mention.start not in places:
            described.append(("empty",) * 14)
            continue
        first, last = places[mention.start], places[mention.end]
        head = places[mention.end if mention.head is None else mention.head]
        parent = tree.parents[head]
        left, right = max(first - 1, 0), min(last + 1, last_word)
        described.append(
            (
                tree.tags[head],
                tree.relations[head],
                tree.features[head],
                tree.lemmas[head],
                tree.tags[parent] if parent >= 0 else "root",
                tree.lemmas[parent] if parent >= 0 else "root",
                tree.lemmas[first],
                tree.tags[first],
                tree.tags[last],
                tree.kinds[last],
                tree.tags[left],
                tree.forms[right].lower(),
                str(min(last - first, 12)),
                f"{min(head - first, 3)} {min(last - head, 3)}",
            )
        )
    return described


def _encode_candidates(
    described: list[tuple[str, ...]], values: tuple[tuple[str, ...], ...]
) -> Codes:
    """Encode the values of features as indices; 0 is an unknown value."""
    rows = np.zeros((len(described), len(values)), np.uint8)
    for i, (column, row) in enumerate(
        zip(zip(*described, strict=True), values, strict=True)
    ):
        numbers = {value: number for number, value in enumerate(row, 1)}
        rows[:, i] = [numbers.get(value, 0) for value in column]
    return rows
