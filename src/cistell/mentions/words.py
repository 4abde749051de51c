"""Trees, features, speakers and quotations of the words of a document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from corefkit import FormatError
from corefkit.strings import iter_dependencies, map_conllu_ids
from corefkit.syntax.dependencies import (
    Syntax,
    build_syntax,
    parse_features,
    remove_empty_nodes,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cistell.mentions.lexicon import Pronoun
    from corefkit import Document

_NOTHING = {"_", ""}


def get_tree(document: Document, *, purpose: str) -> Syntax:
    """Return the tags and trees of a document with the layers of CoNLL-U.

    The purpose is appended to the message of the exception.

    Raises:
        FormatError: the document has words, but no tags or no trees.

    >>> from corefkit.model import Document
    >>> get_tree(Document("d", (("Go", "!"),), ()), purpose="to resolve by")
    Traceback (most recent call last):
    corefkit.exceptions.FormatError: document 'd': has no tags and trees to resolve by
    <BLANKLINE>
    hint: use a format with trees, such as CoNLL-U, or a parser: `--parser`
    """
    if not document.tokens:
        return Syntax((), (), set())
    syntax = build_syntax(document)
    heads, relations = (document.layers.get(name, ()) for name in ("head", "deprel"))
    if syntax is None or {*heads} <= _NOTHING or not relations:
        message = f"has no tags and trees {purpose}"
        hint = "use a format with trees, such as CoNLL-U, or a parser: `--parser`"
        place = f"document {document.id!r}"
        raise FormatError(message, code="model/missing-syntax", place=place, hint=hint)
    # If every sentence is one word, no word has a parent, and the trees are valid.
    parents = syntax.parents or [-1] * len(syntax.tags)
    return replace(syntax, parents=parents, relations=relations)


def read_word_tree(document: Document) -> tuple[list[int], Syntax]:
    """Return the trees without empty nodes, which mention taggers require.

    Returns:
        The token of each word, and the tree of the words, with indices from 0.
    """
    empty = {*document.empty}
    tokens = [token for token in range(len(document.tokens)) if token not in empty]
    if empty:
        document = remove_empty_nodes(replace(document, entities=(), bridges=()))
    if {*document.layers.get("deprel", ())} <= _NOTHING:
        document = replace(document, layers={**document.layers, "deprel": ()})
    tree = get_tree(document, purpose="to find mentions in")
    tags = document.layers.get("upos", ())
    if {*tags} <= _NOTHING:
        return tokens, tree
    # Tags of UD are used even if only those of Penn have features.
    features = document.layers.get("feats") or ("_",) * len(tags)
    return tokens, replace(tree, tags=tags, features=features)


_UD = {
    "masculine": "Masc",
    "feminine": "Fem",
    "neuter": "Neut",
    "singular": "Sing",
    "plural": "Plur",
}


@dataclass(frozen=True, slots=True)
class Words:
    """Attributes of the tokens of a document."""

    # Tags and trees, in which empty nodes have their relation in DEPS.
    syntax: Syntax
    features: Sequence[Mapping[str, list[str]]]  # UD's features of each token, by name
    sentence: Sequence[int]  # the number of each token's sentence
    speaker: Sequence[str]  # who says each token; empty if unknown
    quoted: Sequence[bool]  # whether each token is inside quotation marks


def read_words(
    document: Document, pronouns: Mapping[str, Pronoun] | None = None
) -> Words:
    """Compute the attributes of tokens; the document must have tags and trees.

    A table of pronouns provides features that the document does not specify.
    """
    syntax = get_tree(document, purpose="to resolve by")
    if document.empty and "deps" in document.layers:
        syntax = replace(syntax, relations=_read_relations(document, syntax))
    sentences = enumerate(document.sentences)
    return Words(
        syntax,
        _read_features(document, syntax, pronouns or {}),
        [number for number, sentence in sentences for _ in sentence],
        [*_iter_speakers(document)],
        find_quoted_tokens(document),
    )


def _read_relations(document: Document, syntax: Syntax) -> list[str]:
    """Return the relations of all tokens; those of empty nodes are parsed from DEPS."""
    deps = document.layers["deps"]
    return [
        next((name for _, name in iter_dependencies(deps[token])), relation)
        if token in syntax.empty
        else relation
        for token, relation in enumerate(syntax.relations)
    ]


def _read_features(
    document: Document, syntax: Syntax, pronouns: Mapping[str, Pronoun]
) -> list[Mapping[str, list[str]]]:
    read: Mapping[str, Mapping[str, list[str]]] = {
        cell: parse_features(cell) for cell in {*syntax.features}
    }
    features = [read[cell] for cell in syntax.features]
    for token, (form, tag) in enumerate(zip(document.tokens, syntax.tags, strict=True)):
        if tag in ("PRON", "DET") and form.lower() in pronouns:
            values = features[token]
            if tag == "DET" and "Yes" in values.get("Poss", ()):
                # It agrees with the possessed noun; the table describes the owner.
                values = {
                    name: values[name] for name in values.keys() - {"Gender", "Number"}
                }
            features[token] = {**_pronoun_features(pronouns[form.lower()]), **values}
    return _add_verb_features(document, features)


def _pronoun_features(pronoun: Pronoun) -> dict[str, list[str]]:
    features = {
        "Gender": _UD.get(pronoun.gender, ""),
        "Number": _UD.get(pronoun.number, ""),
        "Person": pronoun.person,
    }
    return {name: [value] for name, value in features.items() if value}


def _add_verb_features(
    document: Document, features: list[Mapping[str, list[str]]]
) -> list[Mapping[str, list[str]]]:
    """Copy the features of verbs to their empty nodes that specify none."""
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
                    values = {name: features[verb].get(name, []) for name in names}
                    features[token] = {**values, **features[token]}
        first += len(sentence)
    return features


def _iter_speakers(document: Document) -> Iterator[str]:
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
# 2.  The tag of a mark (Penn's, in XPOS) shows whether it opens or closes; else its
#     shape does; else the blanks around it (SpaceAfter=No).
# 3.  A mark that none of these classify closes what its sentence has opened. Other such
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


def find_quoted_tokens(document: Document) -> list[bool]:
    """Return for each token whether it is quoted, including opening marks.

    >>> from corefkit.model import Document
    >>> words = ("A", "6", '"', "door", ":", '"', "Push", '"', "it", "said")
    >>> flags = find_quoted_tokens(Document("d", (words,), ()))
    >>> [word for word, quoted in zip(words, flags, strict=True) if quoted]
    ['"', 'Push']
    """
    flags = [False] * len(document.tokens)
    marks = _close_marks(_find_marks(document))
    for first, end in _pair_marks(_drop_inches(document, list(marks))):
        flags[first:end] = [True] * (end - first)
    return flags


def _find_marks(document: Document) -> Iterator[Mark]:
    token = 0
    shapes = {**_SHAPES, **_PENN} if {*_PENN} <= {*document.tokens} else _SHAPES
    for number, sentence in enumerate(document.sentences):
        for at, form in enumerate(sentence):
            if form in shapes:
                role = _find_role(document, token, shapes[form])
                if role:
                    yield Mark(token, number, role, at == 0)
            token += 1


def _find_role(document: Document, token: int, shape: str) -> str:
    """Return whether a mark opens or closes; empty if it is not a quotation mark."""
    if shape == EITHER and _get_cell(document, "upos", token) in _INCHES:
        return ""
    role = _PENN.get(_get_cell(document, "xpos", token), shape)
    return _judge_by_blanks(document, token) if role == EITHER else role


def _judge_by_blanks(document: Document, token: int) -> str:
    """Return whether a mark opens or closes, by the blanks next to it."""
    is_preceded = token == 0 or _has_blank(document, token - 1)
    is_followed = _has_blank(document, token)
    if is_preceded == is_followed:
        return EITHER
    return OPENS if is_preceded else CLOSES


def _has_blank(document: Document, token: int) -> bool:
    """Return whether a blank follows a token."""
    return "SpaceAfter=No" not in _get_cell(document, "misc", token).split("|")


def _get_cell(document: Document, layer: str, token: int) -> str:
    cells = document.layers.get(layer)
    return cells[token] if cells else "_"


def _close_marks(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Let marks that may be either close what their sentence has opened."""
    opened = -1
    for mark in marks:
        if mark.role == EITHER and opened == mark.sentence:
            mark = mark._replace(role=CLOSES)
        if mark.role != EITHER:
            opened = mark.sentence if mark.role == OPENS else -1
        yield mark


def _drop_inches(document: Document, marks: Sequence[Mark]) -> Sequence[Mark]:
    """Leave out marks that may be either and have no partner (rule 3)."""
    unsure: dict[int, list[Mark]] = {}
    for mark in marks:
        if mark.role == EITHER:
            unsure.setdefault(mark.sentence, []).append(mark)
    for row in unsure.values():
        after_number = [mark for mark in row if _follows_number(document, mark)]
        if len(row) % 2 and after_number:
            row.remove(after_number[0])
    if sum(map(len, unsure.values())) % 2:
        unsure = {at: row for at, row in unsure.items() if len(row) % 2 == 0}
    paired = {mark for row in unsure.values() for mark in row}
    return [mark for mark in marks if mark.role != EITHER or mark in paired]


def _follows_number(document: Document, mark: Mark) -> bool:
    previous = document.tokens[mark.token - 1] if not mark.first else ""
    return previous[-1:].isnumeric()


def _pair_marks(marks: Iterable[Mark]) -> Iterator[tuple[int, int]]:
    """Pair opening marks with those that close them."""
    opened: Mark | None = None
    for mark in marks:
        closing = mark.role == CLOSES or (mark.role == EITHER and opened is not None)
        if opened is not None and (closing or (opened.first and mark.first)):
            yield opened.token, mark.token
        opened = None if closing else mark
