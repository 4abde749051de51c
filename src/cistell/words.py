"""The words of a document as the resolver sees them: tags, trees, speakers, quotes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from cistell.trees import tree_of
from corefkit.strings import iter_dependencies, map_conllu_ids
from corefkit.syntax.dependencies import parse_features

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cistell.lexicon import Pronoun
    from corefkit.model import Document
    from corefkit.syntax.dependencies import Syntax


_UD = {
    "masculine": "Masc",
    "feminine": "Fem",
    "neuter": "Neut",
    "singular": "Sing",
    "plural": "Plur",
}


@dataclass(frozen=True, slots=True)
class Words:
    """What the resolver knows of the tokens of a document."""

    # Tags and trees, in which empty nodes have the relation they stand for.
    syntax: Syntax
    features: Sequence[Mapping[str, list[str]]]  # UD's features of each token, by name
    sentence: Sequence[int]  # the number of each token's sentence
    speaker: Sequence[str]  # who says each token; empty if the document does not tell
    quoted: Sequence[bool]  # whether each token is inside quotation marks


def words_of(
    document: Document, pronouns: Mapping[str, Pronoun] | None = None
) -> Words:
    """Read the words of a document, which must have tags and trees.

    A table of pronouns tells by their forms what their features do not tell.
    """
    syntax = tree_of(document, purpose="to resolve by")
    if document.empty and "deps" in document.layers:
        syntax = replace(syntax, relations=_relations(document, syntax))
    sentences = enumerate(document.sentences)
    return Words(
        syntax,
        _features(document, syntax, pronouns or {}),
        [number for number, sentence in sentences for _ in sentence],
        [*_speakers(document)],
        quoted_tokens(document),
    )


def _relations(document: Document, syntax: Syntax) -> list[str]:
    """Give empty nodes, which hang on nothing, the relation that they stand for."""
    deps = document.layers["deps"]
    return [
        next((name for _, name in iter_dependencies(deps[token])), own)
        if token in syntax.empty
        else own
        for token, own in enumerate(syntax.relations)
    ]


def _features(
    document: Document, syntax: Syntax, pronouns: Mapping[str, Pronoun]
) -> list[Mapping[str, list[str]]]:
    read: Mapping[str, Mapping[str, list[str]]] = {
        cell: parse_features(cell) for cell in {*syntax.features}
    }
    features = [read[cell] for cell in syntax.features]
    for token, (form, tag) in enumerate(zip(document.tokens, syntax.tags, strict=True)):
        if tag in ("PRON", "DET") and form.lower() in pronouns:
            own = features[token]
            if tag == "DET" and "Yes" in own.get("Poss", ()):
                # It agrees with what is owned; the table describes the owner.
                own = {name: own[name] for name in own.keys() - {"Gender", "Number"}}
            features[token] = {**_pronoun_features(pronouns[form.lower()]), **own}
    return _with_verbs(document, features)


def _pronoun_features(pronoun: Pronoun) -> dict[str, list[str]]:
    features = {
        "Gender": _UD.get(pronoun.gender, ""),
        "Number": _UD.get(pronoun.number, ""),
        "Person": pronoun.person,
    }
    return {name: [value] for name, value in features.items() if value}


def _with_verbs(
    document: Document, features: list[Mapping[str, list[str]]]
) -> list[Mapping[str, list[str]]]:
    """Give empty nodes without features those of the verb they depend on."""
    deps = document.layers.get("deps")
    if not document.empty or deps is None:
        return features
    first = 0
    empty = set(document.empty)
    for sentence in document.sentences:
        tokens = range(first, first + len(sentence))
        ids = map_conllu_ids(tokens, empty)
        for token in tokens:
            if token in empty and not features[token].get("Number"):
                verbs = (
                    ids.get(head, -1) for head, _ in iter_dependencies(deps[token])
                )
                verb = next(verbs, -1)
                if verb >= 0:
                    names = ("Person", "Number")
                    own = {name: features[verb].get(name, []) for name in names}
                    features[token] = {**own, **features[token]}
        first += len(sentence)
    return features


def _speakers(document: Document) -> Iterator[str]:
    for number, sentence in enumerate(document.sentences):
        speaker = ""
        for comment in document.comments[number] if document.comments else ():
            name, _, value = comment.partition(" = ")
            if name == "speaker":
                speaker = value
        yield from [speaker] * len(sentence)


OPENS, CLOSES, EITHER = "opens", "closes", "either"
_SHAPES: Mapping[str, str] = {
    **dict.fromkeys(("“", "«", "``"), OPENS),
    **dict.fromkeys(("”", "»"), CLOSES),
    **dict.fromkeys(('"', "''"), EITHER),
}
_PENN: Mapping[str, str] = {"``": OPENS, "''": CLOSES}
_INCHES = ("NOUN", "NUM")
# A mark quotes up to its partner; a mark without a partner quotes nothing. The rules:
# 1.  A straight mark that is tagged as a noun or number is not one: it means inches.
# 2.  The tag of a mark (Penn's, in XPOS) tells whether it opens or closes; else its
#     shape does; else the blanks around it (SpaceAfter=No).
# 3.  A mark that none of these tell closes what its sentence has opened. Other such
#     marks open and close in turn. In a sentence with an odd number of them, one after
#     a number means inches. If the document still has an odd number, one has no
#     partner: then only pairs inside a sentence count.
# 4.  A quotation of several paragraphs opens each of them and closes the last: a mark
#     that opens at the start of a sentence continues a quotation that was opened at
#     the start of one. Elsewhere it starts a new quotation.


class Mark(NamedTuple):
    """A quotation mark."""

    token: int  # its token in the document
    sentence: int  # the number of its sentence
    role: str  # `OPENS`, `CLOSES` or `EITHER`
    first: bool  # whether the sentence starts with it


def quoted_tokens(document: Document) -> list[bool]:
    """Return for each token whether it is quoted; an opening mark is.

    >>> from corefkit.model import Document
    >>> words = ("A", "6", '"', "door", ":", '"', "Push", '"', "it", "said")
    >>> found = quoted_tokens(Document("d", (words,), ()))
    >>> [word for word, quoted in zip(words, found, strict=True) if quoted]
    ['"', 'Push']
    """
    found = [False] * len(document.tokens)
    marks = _closing(_marks(document))
    for first, end in _pairs(_without_inches(document, list(marks))):
        found[first:end] = [True] * (end - first)
    return found


def _marks(document: Document) -> Iterator[Mark]:
    token = 0
    shapes = {**_SHAPES, **_PENN} if {*_PENN} <= {*document.tokens} else _SHAPES
    for number, sentence in enumerate(document.sentences):
        for at, form in enumerate(sentence):
            if form in shapes:
                role = _role(document, token, shapes[form])
                if role:
                    yield Mark(token, number, role, at == 0)
            token += 1


def _role(document: Document, token: int, shape: str) -> str:
    """Return whether a mark opens or closes; empty if it is not a quotation mark."""
    if shape == EITHER and _cell(document, "upos", token) in _INCHES:
        return ""
    role = _PENN.get(_cell(document, "xpos", token), shape)
    return _by_blanks(document, token) if role == EITHER else role


def _by_blanks(document: Document, token: int) -> str:
    """Return whether a mark opens or closes, by the blanks before and after it."""
    before = token == 0 or _blank(document, token - 1)
    after = _blank(document, token)
    if before == after:
        return EITHER
    return OPENS if before else CLOSES


def _blank(document: Document, token: int) -> bool:
    """Return whether a blank follows a token."""
    return "SpaceAfter=No" not in _cell(document, "misc", token).split("|")


def _cell(document: Document, layer: str, token: int) -> str:
    cells = document.layers.get(layer)
    return cells[token] if cells else "_"


def _closing(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Let marks that may be either close what their sentence has opened."""
    opened = -1
    for mark in marks:
        if mark.role == EITHER and opened == mark.sentence:
            mark = mark._replace(role=CLOSES)
        if mark.role != EITHER:
            opened = mark.sentence if mark.role == OPENS else -1
        yield mark


def _without_inches(document: Document, marks: Sequence[Mark]) -> Sequence[Mark]:
    """Leave out marks that may be either and have no partner (rule 3)."""
    unsure: dict[int, list[Mark]] = {}
    for mark in marks:
        if mark.role == EITHER:
            unsure.setdefault(mark.sentence, []).append(mark)
    for row in unsure.values():
        after_number = [mark for mark in row if _after_number(document, mark)]
        if len(row) % 2 and after_number:
            row.remove(after_number[0])
    if sum(map(len, unsure.values())) % 2:
        unsure = {at: row for at, row in unsure.items() if len(row) % 2 == 0}
    kept = {mark for row in unsure.values() for mark in row}
    return [mark for mark in marks if mark.role != EITHER or mark in kept]


def _after_number(document: Document, mark: Mark) -> bool:
    before = document.tokens[mark.token - 1] if not mark.first else ""
    return before[-1:].isnumeric()


def _pairs(marks: Iterable[Mark]) -> Iterator[tuple[int, int]]:
    """Pair opening marks with those that close them."""
    opened: Mark | None = None
    for mark in marks:
        closing = mark.role == CLOSES or (mark.role == EITHER and opened is not None)
        if opened is not None and (closing or (opened.first and mark.first)):
            yield opened.token, mark.token
        opened = None if closing else mark
