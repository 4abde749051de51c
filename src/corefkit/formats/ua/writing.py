"""Universal Anaphora columns, written; the rules are those in `formats.ua.ua`."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from corefkit.formats.brackets import Part, bracket_cells
from corefkit.formats.lines import column_line, written_sentences
from corefkit.formats.ua import cells
from corefkit.model import Mention
from corefkit.strings.ids import sentence_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.model import Document

HEADER = f"# global.columns = {' '.join(cells.COLUMNS)}\n"


def ua_text(document: Document) -> Iterator[str]:
    """Write a document; where there are no words, `_` stands for each.

    Blanks inside words and layers, which columns of text cannot have, become
    underscores.
    """
    name = _one_line(document.id)
    yield f"# newdoc id = {name}\n" if name else "# newdoc\n"
    written = _written(document)
    sentences = written_sentences(document)
    tokens = range(sum(map(len, sentences)))
    ids = list(sentence_ids(tokens, set(document.empty)))
    annotation = {
        cells.IDENTITY: _identity_cells(written, ids),
        cells.BRIDGING: _bridging_cells(document, written),
    }
    token = 0
    for number, sentence in enumerate(sentences):
        for comment in chain.from_iterable(document.comments[number : number + 1]):
            line = _one_line(comment)
            if sentence and is_kept(line):
                yield f"# {line}\n"
        for word in sentence:
            columns = [ids[token], word, *["_"] * (len(cells.COLUMNS) - 2)]
            for layer, column in cells.LAYER_COLUMNS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            for column, row in annotation.items():
                columns[column] = row.get(token, "_")
            yield column_line(columns)
            token += 1
        yield "\n"


def _one_line(text: str) -> str:
    return text.replace("\n", " ").strip(" \t\r\v\f")


class _Written(NamedTuple):
    """A mention to be written, with the names that it and its entity get."""

    mention: Mention
    id: str
    entity: str
    wholes: list[str]  # the entities of whose split antecedent its own is part


def _written(document: Document) -> list[_Written]:
    """Name the mentions and entities of a document, each name once."""
    names = _entity_names(document)
    of_id = {entity.id: name for entity, name in zip(document, names, strict=True)}
    wholes: dict[str, list[str]] = {}
    for entity, name in zip(document, names, strict=True):
        for element in entity.split:
            wholes.setdefault(of_id.get(element, ""), []).append(name)
    written: list[_Written] = []
    used: set[str] = set()
    for entity, name in zip(document, names, strict=True):
        # Once is enough: what one mention says is said of its entity.
        element_of = wholes.get(name, [])
        for mention in entity:
            own = mention.attributes.get("MarkableID", "")
            if not own or own in used or cells.MADE_UP_ID.fullmatch(own):
                own = f"_{len(written) + 1}"
            used.add(own)
            written.append(_Written(mention, _escaped(own), name, element_of))
            element_of = []
    return written


def _entity_names(document: Document) -> list[str]:
    names: list[str] = []
    used: set[str] = set()
    for number, entity in enumerate(document.entities):
        name = _escaped(entity.id or "_", ",").removesuffix(cells.PSEUDO)
        if not entity.referring:
            name += cells.PSEUDO
        elif entity.id.endswith(cells.PSEUDO):
            name += cells.PSEUDO.replace("-", "%2D")
        while cells.unescaped(name) in used:
            name = f"{number}.{name}"
        used.add(cells.unescaped(name))
        names.append(name)
    return names


def _identity_cells(written: Sequence[_Written], ids: Sequence[str]) -> dict[int, str]:
    """Write the identity column."""
    from corefkit.formats.losses import crossing

    spans = [Mention(*part) for row in written for part in row.mention.parts]
    named = bool(crossing(spans, touching=False))
    parts: list[Part] = []
    for row in written:
        text, name = _opening(row, ids), row.id if named else ""
        for start, end in row.mention.parts:
            parts.append(Part(start, end, text, name))
            text = f"EntityID={row.entity}|MarkableID={row.id}"
    return bracket_cells(parts)


def _opening(written: _Written, ids: Sequence[str]) -> str:
    """Write what opens a mention."""
    mention, attributes = written.mention, dict(written.mention.attributes)
    attributes.pop("MarkableID", None)
    pairs = [f"EntityID={written.entity}", f"MarkableID={written.id}"]
    if mention.minimum is not None:
        numbers = [ids[token] for token in mention.minimum]
        # An empty node has no number among the words.
        if "." not in "".join(numbers):
            pairs.append(f"Min={','.join(dict.fromkeys(numbers))}")
    if "type" in attributes:
        pairs.append(f"SemType={_escaped(attributes.pop('type'))}")
    for key, value in attributes.items():
        name = _escaped(key, "=")
        if name in cells.NOT_ATTRIBUTES:
            name = f"%{ord(name[0]):02X}{name[1:]}"
        pairs.append(f"{name}={_escaped(value)}")
    if written.wholes:
        pairs.append(f"ElementOf={','.join(written.wholes)}")
    return "|".join(pairs)


def _bridging_cells(document: Document, written: Sequence[_Written]) -> dict[int, str]:
    of_mention = {row.mention: row for row in reversed(written)}
    names = _entity_names(document)
    of_id = {entity.id: name for entity, name in zip(document, names, strict=True)}
    texts: dict[int, str] = {}
    for bridge in document.bridges:
        if bridge.anaphor not in of_mention:
            continue
        pairs = [f"MarkableID={of_mention[bridge.anaphor].id}"]
        if bridge.relation:
            pairs.append(f"Rel={_escaped(bridge.relation)}")
        if bridge.mention in of_mention:
            pairs.append(f"MentionAnchor={of_mention[bridge.mention].id}")
        antecedent = of_id.get(bridge.antecedent) or _escaped(bridge.antecedent, ",")
        pairs.append(f"EntityAnchor={antecedent}")
        start = bridge.anaphor.start
        texts[start] = f"{texts.get(start, '')}({'|'.join(pairs)})"
    return texts


def is_kept(comment: str) -> bool:
    """Return whether a comment is about a sentence, not the document or the file."""
    return bool(comment) and not re.match(r"newdoc(\s|$)|global\.columns", comment)


def _escaped(text: str, more: str = "") -> str:
    """Escape the characters that a cell cannot have, and some more.

    >>> _escaped("a (b)"), _escaped("%28"), _escaped("100%")
    ('a%20%28b%29', '%2528', '100%')
    """
    return re.sub(
        rf"[\x00-\x20\s()|@{more}]|%(?=[0-9A-Fa-f]{{2}})",
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()),
        text,
    )
