"""Corpora of the studies: where their files are, annotation schemes, and parts.

A corpus is found in the layout of its public repository, or in files named by part. Its
documents are mapped to a scheme, parsed if a study requires automatic trees, and split
into parts of similar length, because long documents have larger entities, and these
change scores more than schemes do. Every mention that is dropped or added is counted.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cistell.mentions.words import get_tree
from corefkit import CorefkitError, Document, Entity, FormatError, Mention, read
from corefkit.exceptions import PairingError, quoted
from corefkit.strings import drop_first_part
from corefkit.syntax.dependencies import build_syntax, find_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cistell.trees import TreeParser
    from corefkit.syntax.dependencies import Syntax


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus and its layouts, as in `corpora.toml`."""

    title: str
    language: str
    source: str
    licence: str
    train: list[str]
    test: list[str]
    documents: str = ""
    format: str | None = None


def read_definitions(name: str) -> dict[str, Any]:
    """Read a TOML file of the studies."""
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text("utf-8"))


CORPORA = {name: Corpus(**row) for name, row in read_definitions("corpora").items()}


def find_files(name: str, part: str, data: Path) -> list[Path]:
    """Return the files of a part of a corpus.

    Raises:
        CorefkitError: the folder has no such file.
    """
    corpus = CORPORA[name]
    patterns = corpus.train if part == "train" else corpus.test
    for pattern in patterns:
        for path in sorted(data.glob(pattern)):
            # Older releases of AnCora have no entities.
            if name != "ancora" or "Entity=" in path.read_text("utf-8"):
                return [path]
    if corpus.documents:
        paths = sorted(data.glob(corpus.documents))
        splits = next(iter(sorted(data.glob("**/splits.md"))), None)
        if paths and splits is not None:
            names = _parse_splits(splits.read_text("utf-8"))[part]
            return [path for path in paths if path.stem in names]
    expected = patterns[-1].removeprefix("**/")
    message = f"{corpus.title} has no {part} part in the folder of data"
    hint = f"get {expected} from {corpus.source}; licence: {corpus.licence}"
    raise CorefkitError(message, code="model/no-corpus", place=str(data), hint=hint)


def _parse_splits(text: str) -> dict[str, set[str]]:
    r"""Return the documents of each part, as `splits.md` of GUM lists them.

    >>> _parse_splits("## dev\n\n  * GUM_a\n\n## test\n\n  * GUM_b\n")
    {'dev': {'GUM_a'}, 'test': {'GUM_b'}}
    """
    parts: dict[str, set[str]] = {}
    for section in re.split(r"^## +", text, flags=re.M)[1:]:
        title, _, body = section.partition("\n")
        parts[title.strip()] = set(re.findall(r"^ *\* +(\S+)", body, re.M))
    return parts


def read_corpus(name: str, part: str, data: Path) -> list[Document]:
    """Read the documents of a part; masked ones, whose words are `_`, are skipped."""
    documents = [
        document
        for path in find_files(name, part, data)
        for document in read(path, format=CORPORA[name].format)
    ]
    return [
        document
        for document in documents
        if any(word.strip("_") for word in document.words)
    ]


class Mapped(NamedTuple):
    """Documents, and the number of mentions that were dropped or added, by reason."""

    documents: list[Document]
    changes: Counter[str]


# Returns the reason to drop a mention; empty to keep it.
Reason: TypeAlias = Callable[[Mention], str]

_ACE_LABELS = {"person": "PER", "organization": "ORG", "place": "GPE"}
# Tags of the Penn Treebank: verbs and adverbs.
_NOT_NOMINAL = ("VB", "RB", "WRB")


def map_scheme(
    documents: Iterable[Document], scheme: str, trees: Mapping[str, Document]
) -> Mapped:
    """Map documents of GUM or OntoGUM to an annotation scheme.

    Schemes: `as-annotated`; `nominal`, without mentions headed by a verb or adverb;
    `ace`, the persons, organizations and places of `nominal`; `noun-phrases`, `nominal`
    with all other noun phrases of the constituent trees as singletons. In every scheme
    a span is one mention: of two entities with the same span, the first keeps it.
    """
    mapped, changes = [], Counter[str]()
    for document in documents:
        reason = _make_reason(document, scheme)
        restricted, dropped = restrict(document, reason)
        changes += dropped
        if scheme == "noun-phrases":
            restricted, added = _add_noun_phrases(
                restricted, _find_pair(document, trees, document.words), reason
            )
            changes["added: other noun phrase"] += added
        mapped.append(restricted)
    return Mapped(mapped, changes)


def _make_reason(document: Document, scheme: str) -> Reason:
    if scheme == "as-annotated":
        return lambda _: ""
    syntax, tags = build_syntax(document), document.layers.get("xpos", ())
    if syntax is None or not tags:
        message = f"the scheme {scheme} requires Penn tags and trees"
        raise FormatError(
            message,
            code="model/missing-syntax",
            place=f"document {quoted(document.id)}",
            hint="this scheme supports GUM and OntoGUM, in CoNLL-U",
        )

    def reason(mention: Mention) -> str:
        if scheme == "ace" and mention.attributes.get("type") not in _ACE_LABELS:
            return "dropped: not a person, organization or place"
        if tags[_find_tree_head(mention, syntax)].startswith(_NOT_NOMINAL):
            return "dropped: headed by a verb or an adverb"
        return ""

    return reason


def _find_tree_head(mention: Mention, syntax: Syntax) -> int:
    # GUM specifies heads and OntoGUM does not: both get those of the tree.
    return find_head(replace(mention, head=None), syntax)


def restrict(document: Document, reason: Reason) -> tuple[Document, Counter[str]]:
    """Drop duplicate mentions and those with a reason; count them by reason."""
    used: set[Mention] = set()
    dropped: Counter[str] = Counter()
    entities = []
    for entity in document:
        mentions = []
        for mention in entity:
            why = "dropped: duplicate span" if mention in used else reason(mention)
            if why:
                dropped[why] += 1
            else:
                used.add(mention)
                mentions.append(mention)
        if mentions:
            entities.append(replace(entity, mentions=tuple(mentions), split=()))
    return replace(document, entities=tuple(entities), bridges=()), dropped


def _add_noun_phrases(
    document: Document, tree: Document, reason: Reason
) -> tuple[Document, int]:
    """Add noun phrases whose head heads no mention yet, as singletons."""
    syntax = build_syntax(document)
    assert syntax is not None  # `_make_reason` requires it
    heads = {_find_tree_head(m, syntax) for entity in document for m in entity}
    added = []
    # Constituent trees have no empty nodes.
    cells, empty = iter(tree.layers["parse"]), {*document.empty}
    tokens = range(len(document.tokens))
    candidates = list_noun_phrases(["" if t in empty else next(cells) for t in tokens])
    # Possessive pronouns are not phrases.
    possessives = enumerate(document.layers["xpos"])
    candidates += [(token, token) for token, tag in possessives if tag == "PRP$"]
    for start, end in candidates:
        mention = Mention(start, end)
        head = find_head(mention, syntax)
        if head not in heads:
            heads.add(head)
            mention = replace(mention, head=head)
            if not reason(mention):
                added.append(Entity(f"np-{start}-{end}", (mention,)))
    entities = sorted(
        (*document, *added),
        key=lambda entity: (entity.mentions[0].start, -entity.mentions[0].end),
    )
    return replace(document, entities=tuple(entities)), len(added)


_BRACKET = re.compile(r"\(([^()*]*)|\)")


def list_noun_phrases(brackets: Sequence[str]) -> list[tuple[int, int]]:
    """Return first and last tokens of noun phrases, the longest first.

    >>> list_noun_phrases(["(S(NP-SBJ(NP*", "*)", "(PP*", "(NP*)))", "(VP*))"])
    [(0, 3), (0, 1), (3, 3)]
    """
    phrases: list[tuple[int, int]] = []
    stack: list[tuple[str, int]] = []
    for token, cell in enumerate(brackets):
        for bracket in _BRACKET.finditer(cell):
            if bracket[1] is not None:
                stack.append((re.split("[-=]", bracket[1])[0], token))
            elif stack:
                label, start = stack.pop()
                if label == "NP":
                    phrases.append((start, token))
    return sorted(phrases, key=lambda span: (span[0] - span[1], span))


def read_constituents(part: str, data: Path) -> dict[str, Document]:
    """Return documents with constituent trees (layer `parse`), by name."""
    trees = {}
    for path in find_files("constituents", part, data):
        if path.suffix == ".ptb":
            cells = parse_treebank(path.read_text("utf-8"))
            words = tuple(word for word, _ in cells)
            layers = {"parse": tuple(cell for _, cell in cells)}
            trees[path.stem] = Document(path.stem, (words,), (), layers=layers)
        else:
            trees |= {drop_first_part(d.id): d for d in read(path)}
    return trees


def parse_treebank(text: str) -> list[tuple[str, str]]:
    """Return the words of trees in Penn format, with their cells of CoNLL's column.

    >>> parse_treebank("(S (NP (PRP We)) (VP (VBD left)) (-RRB- -RRB-))")
    [('We', '(S(NP*)'), ('left', '(VP*)'), (')', '*)')]
    """
    cells: list[tuple[str, str]] = []
    opened = ""
    for label, tag, word, closing in re.findall(
        r"\((?:([^\s()]*)\s*(?=\()|([^\s()]+)\s+([^\s()]+)\s*\))|(\))", text
    ):
        if tag:
            word = word.replace("-LRB-", "(").replace("-RRB-", ")")
            cells.append((word, f"{opened}*"))
            opened = ""
        elif closing:
            cells[-1] = (cells[-1][0], f"{cells[-1][1]})")
        else:
            opened += f"({label}"
    return cells


def add_types(
    documents: Iterable[Document], typed: Iterable[Document]
) -> list[Document]:
    """Copy entity types from mentions of other documents with the same texts.

    A mention whose span has no type gets that of the longest mention with its head.
    """
    others = {drop_first_part(document.id): document for document in typed}
    return [_copy_types(d, _find_pair(d, others, d.tokens)) for d in documents]


def _copy_types(document: Document, typed: Document) -> Document:
    syntax = build_syntax(document)
    assert syntax is not None
    types: dict[Mention | int, str] = {}
    mentions = [mention for entity in typed for mention in entity]
    for mention in sorted(mentions, key=lambda mention: mention.start - mention.end):
        if type_ := mention.attributes.get("type"):
            types.setdefault(mention, type_)
            types.setdefault(_find_tree_head(mention, syntax), type_)

    def copy_type(mention: Mention) -> Mention:
        type_ = types.get(mention) or types.get(_find_tree_head(mention, syntax))
        attributes = {"type": type_} if type_ else {}
        return replace(mention, attributes={**attributes, **mention.attributes})

    return map_mentions(document, copy_type)


def _find_pair(
    document: Document, others: Mapping[str, Document], tokens: Sequence[str]
) -> Document:
    """Return the document with the same name, which must have these tokens."""
    name = drop_first_part(document.id)
    other = others.get(name)
    if other is None or other.tokens != tokens:
        message = f"document {quoted(name)} is missing in the other file"
        if other is not None:
            message = f"document {quoted(name)} has other words in the other file"
        code = "pairing/missing-document" if other is None else "pairing/different-text"
        hint = "use files of the same release and part"
        raise PairingError(message, code=code, hint=hint)
    return other


def map_mentions(document: Document, convert: Callable[[Mention], Mention]) -> Document:
    """Convert each mention of a document."""
    entities = tuple(
        replace(entity, mentions=tuple(map(convert, entity))) for entity in document
    )
    return replace(document, entities=entities)


def label_ace(document: Document) -> Document:
    """Label mentions as ACE does: entity type and level, as ACE-value requires."""
    tags = document.layers.get("upos", ())

    def label(mention: Mention) -> Mention:
        type_ = mention.attributes.get("type", "")
        head = mention.end if mention.head is None else mention.head
        tag = tags[head] if tags else ""
        level = {"PROPN": "NAM", "PRON": "PRO", "DET": "PRO"}.get(tag, "NOM")
        attributes = {"type": _ACE_LABELS.get(type_, "PER"), "mention_type": level}
        return replace(mention, attributes=attributes)

    return map_mentions(document, label)


def parse_documents(
    documents: Iterable[Document], parser: TreeParser, *, keep_all: bool
) -> Mapped:
    """Parse documents; unless `keep_all`, mentions without a node are dropped.

    A node is a word with its dependents; some of these may be left out, each with its
    own dependents: "by the old mill" contains a node for "the old mill".
    """
    parsed, changes = [], Counter[str]()
    for document in map(parser.parse_document, documents):
        tree = get_tree(document, purpose="to map mentions to")
        if not keep_all:
            document, dropped = restrict(document, partial(_find_no_node, tree))
            changes += dropped
        parsed.append(document)
    return Mapped(parsed, changes)


def _find_no_node(tree: Syntax, mention: Mention) -> str:
    """Return the reason to drop a mention without a node."""
    inside = {*mention.tokens} - tree.empty
    tops = {token for token in inside if tree.parents[token] not in inside}
    children = (child for token in inside - tops for child in tree.children[token])
    has_node = len(tops) == 1 and inside.issuperset(children)
    # Empty nodes are not in trees.
    return "" if has_node or not inside else "dropped: no node in the tree"


def split_documents(documents: Iterable[Document], words: int) -> Mapped:
    """Split documents into parts of at most `words` words; 0 keeps them.

    A part consists of entire sentences; empty nodes do not count as words. An entity
    keeps its id in every part. Mentions across a boundary are dropped.

    >>> document = Document("d", (("It", "rained"), ("We", "left"), ("Why", "?")), ())
    >>> [(part.id, part.tokens) for part in split_documents([document], 4).documents]
    [('d/1', ('It', 'rained', 'We', 'left')), ('d/2', ('Why', '?'))]
    """
    parts: list[Document] = []
    changes: Counter[str] = Counter()
    for document in documents:
        if not words or not document.sentences:
            parts.append(replace(document, id=f"{document.id}/1"))
            continue
        edges = [*accumulate(map(len, document.sentences), initial=0)]
        cuts = [0, *_find_cuts(document, edges, words), len(document.sentences)]
        cut = [
            _cut_part(document, number, slice(first, last), edges)
            for number, (first, last) in enumerate(pairwise(cuts), 1)
        ]
        kept = sum(len(entity) for part in cut for entity in part)
        crossing = sum(map(len, document)) - kept
        changes += Counter({"dropped: crosses a boundary": crossing})
        parts += cut
    return Mapped(parts, changes)


def _find_cuts(document: Document, edges: Sequence[int], words: int) -> Iterator[int]:
    """Yield the sentences at which parts start, except the first."""
    empty = {*document.empty}
    size = 0
    for sentence, (start, end) in enumerate(pairwise(edges)):
        length = sum(token not in empty for token in range(start, end))
        if size and size + length > words:
            yield sentence
            size = 0
        size += length


def _cut_part(
    document: Document, number: int, rows: slice, edges: Sequence[int]
) -> Document:
    start, end = edges[rows.start], edges[rows.stop]

    def move(token: int | None) -> int | None:
        return None if token is None else token - start

    entities = []
    for entity in document:
        mentions = tuple(
            replace(
                mention,
                start=mention.start - start,
                end=mention.end - start,
                gaps=tuple((a - start, b - start) for a, b in mention.gaps),
                head=move(mention.head),
                minimum=mention.minimum
                and (mention.minimum[0] - start, mention.minimum[1] - start),
            )
            for mention in entity
            if start <= mention.start and mention.end < end
        )
        if mentions:
            entities.append(replace(entity, mentions=mentions, split=()))
    return replace(
        document,
        id=f"{document.id}/{number}",
        sentences=document.sentences[rows],
        entities=tuple(entities),
        empty=tuple(node - start for node in document.empty if start <= node < end),
        bridges=(),
        layers={name: layer[start:end] for name, layer in document.layers.items()},
        comments=document.comments[rows],
    )


def get_text_name(document: Document) -> str:
    """Return the name of the text that a part belongs to."""
    return document.id.rpartition("/")[0]
