"""The words of a document as the resolver sees them: tags, trees, speakers, quotes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corefkit.cistell.quotations import quoted_tokens
from corefkit.cistell.trees import tree_of
from corefkit.strings.ids import enhanced, sentence_ids
from corefkit.syntax.dependencies import features_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.cistell.lexicon import Pronoun
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
    """What the resolver knows of the tokens of a document.

    Attributes:
        syntax: tags and trees, in which empty nodes have the relation they stand for.
        features: UD's features of each token, by name.
        sentence: the number of each token's sentence.
        speaker: who says each token; empty if the document does not tell.
        quoted: whether each token is inside quotation marks.
    """

    syntax: Syntax
    features: Sequence[Mapping[str, list[str]]]
    sentence: Sequence[int]
    speaker: Sequence[str]
    quoted: Sequence[bool]


def words_of(
    document: Document, pronouns: Mapping[str, Pronoun] | None = None
) -> Words:
    """Read the words of a document, which must have tags and trees.

    A table of pronouns tells by their forms what their features do not tell.

    Raises:
        FormatError: the document has words, and no tags or no trees.
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
        next((name for _, name in enhanced(deps[token])), own)
        if token in syntax.empty
        else own
        for token, own in enumerate(syntax.relations)
    ]


def _features(
    document: Document, syntax: Syntax, pronouns: Mapping[str, Pronoun]
) -> list[Mapping[str, list[str]]]:
    read: Mapping[str, Mapping[str, list[str]]] = {
        cell: features_of(cell) for cell in {*syntax.features}
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
        ids = sentence_ids(tokens, empty)
        for token in tokens:
            if token in empty and not features[token].get("Number"):
                verbs = (ids.get(head, -1) for head, _ in enhanced(deps[token]))
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
