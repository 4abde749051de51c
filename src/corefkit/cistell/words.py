"""The words of a document as the resolver looks at them: tags, trees, turns of talk."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corefkit.cistell.quotations import quoted_tokens
from corefkit.exceptions import FormatError
from corefkit.strings.token_ids import enhanced, sentence_ids
from corefkit.syntax.dependencies import Syntax, features_of, syntax_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.cistell.lexicon import Pronoun
    from corefkit.model import Document

_UD = {
    "masculine": "Masc",
    "feminine": "Fem",
    "neuter": "Neut",
    "singular": "Sing",
    "plural": "Plur",
}


@dataclass(frozen=True, slots=True)
class Words:
    """What is known of the tokens of a document, a value for each.

    Attributes:
        forms: as written.
        lemmas: in lower case.
        syntax: tags and tree.
        features: UD's features, by name.
        children: the tokens that hang on each.
        sentence: the number of its sentence.
        speaker: who says it; empty where the document does not tell.
        quoted: whether it stands inside quotation marks.
    """

    forms: tuple[str, ...]
    lemmas: tuple[str, ...]
    syntax: Syntax
    features: tuple[Mapping[str, list[str]], ...]
    children: tuple[tuple[int, ...], ...]
    sentence: tuple[int, ...]
    speaker: tuple[str, ...]
    quoted: tuple[bool, ...]

    def child(self, token: int, relation: str) -> int:
        """Give the first token that hangs on another by a relation, or -1."""
        relations = self.syntax.relations
        for one in self.children[token]:
            if relations[one] == relation:
                return one
        return -1


def words_of(
    document: Document, pronouns: Mapping[str, Pronoun] | None = None
) -> Words:
    """Look at the words of a document; it must have tags and trees.

    What the features of a pronoun do not tell, its form may, by a table of pronouns.
    """
    tokens = document.tokens
    syntax = syntax_of(document) if tokens else Syntax((), (), set())
    if syntax and not syntax.parents and {*document.layers.get("head", "_")} != {"_"}:
        # Every sentence is one word: a tree all the same.
        roots = tuple(-1 for _ in tokens)
        relations = document.layers.get("deprel", ())
        syntax = replace(syntax, parents=roots, relations=relations)
    if syntax is None or (tokens and not (syntax.parents and syntax.relations)):
        message = f"document {document.id!r} has no tags and trees to resolve by"
        hint = (
            "CoNLL-U has them; for a text without, name a parser by --parser, or train "
            "one by `corefkit train-parser`"
        )
        raise FormatError(message, hint=hint)
    if document.empty and "deps" in document.layers:
        syntax = replace(syntax, relations=_relations(document, syntax))
    lemmas = document.layers.get("lemma", tokens)
    return Words(
        tokens,
        tuple(
            (form if lemma == "_" else lemma).lower()
            for form, lemma in zip(tokens, lemmas, strict=True)
        ),
        syntax,
        tuple(_features(document, syntax, pronouns or {})),
        _children(syntax.parents),
        tuple(
            number
            for number, sentence in enumerate(document.sentences)
            for _ in sentence
        ),
        tuple(_speakers(document)),
        tuple(quoted_tokens(document)),
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


def _children(parents: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    found: list[list[int]] = [[] for _ in parents]
    for token, parent in enumerate(parents):
        if parent >= 0:
            found[parent].append(token)
    return tuple(map(tuple, found))


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
                # It is inflected as what is owned; the table tells of the owner.
                own = {name: own[name] for name in own.keys() - {"Gender", "Number"}}
            features[token] = {**_told(pronouns[form.lower()]), **own}
    return _with_verbs(document, features)


def _told(pronoun: Pronoun) -> dict[str, list[str]]:
    told = {
        "Gender": _UD.get(pronoun.gender, ""),
        "Number": _UD.get(pronoun.number, ""),
        "Person": pronoun.person,
    }
    return {name: [value] for name, value in told.items() if value}


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
                    told = {name: features[verb].get(name, []) for name in names}
                    features[token] = {**told, **features[token]}
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
