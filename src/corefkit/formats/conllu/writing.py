"""Writing documents as CoNLL-U, with their entities in the MISC column.

What is written is read back as it was; the rules are those in
`corefkit.formats.conllu.conllu`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING

from corefkit.formats.brackets import Part, bracket_cells
from corefkit.formats.conllu import codes
from corefkit.formats.lines import written_sentences
from corefkit.strings.ids import sentence_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.model import Document, Mention


def conllu_text(document: Document) -> Iterator[str]:
    """Write a document; one without words gets as many `_` as its mentions need."""
    fields = _fields(document)
    yield f"# newdoc id = {_one_line(document.id)}\n"
    yield f"# global.Entity = {'-'.join(['eid', *fields])}\n"
    sentences = written_sentences(document)
    rows = _rows(document, sentences, _annotation(document, fields))
    comments = chain(document.comments, repeat(()))
    for sentence, above in zip(sentences, comments, strict=False):
        yield from _comment_lines(above)
        yield from islice(rows, len(sentence))
        if sentence:
            yield "\n"
    if not any(sentences):
        yield "\n"


def _one_line(text: str) -> str:
    return text.replace("\n", " ")


def _comment_lines(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        line = f"# {_one_line(comment)}"
        if not codes.NEWDOC.fullmatch(line) and not codes.DECLARATION.fullmatch(line):
            yield f"{line}\n"


def _rows(
    document: Document,
    sentences: Iterable[Sequence[str]],
    annotation: Mapping[int, Sequence[str]],
) -> Iterator[str]:
    """Yield the lines of tokens; a line `n-m` comes together with that of its word."""
    empty = set(document.empty)
    layers = [document.layers.get(name) for name in codes.LAYERS]
    ranges = document.layers.get("mwt")
    first = 0
    for sentence in sentences:
        ids = sentence_ids(range(first, first + len(sentence)), empty)
        for (name, token), form in zip(ids.items(), sentence, strict=True):
            *cells, misc = [layer[token] or "_" if layer else "_" for layer in layers]
            _, rest = codes.parted(misc)
            items = [*annotation.get(token, ()), *([rest] if rest != "_" else [])]
            row = [name, form, *cells, "|".join(items) or "_"]
            line = "\t".join(row)
            if line.count("\t") >= codes.COLUMNS or "\n" in line:
                line = "\t".join(_one_line(cell).replace("\t", " ") for cell in row)
            if ranges and ranges[token] and token not in empty:
                line = f"{_one_line(ranges[token])}\n{line}"
            yield f"{line}\n"
        first += len(sentence)


def _fields(document: Document) -> dict[str, str]:
    """Return the fields of brackets that a document needs, and their attributes."""
    mentions = list(chain.from_iterable(document.entities))
    names = dict.fromkeys(name for mention in mentions for name in mention.attributes)
    minima = any(mention.minimum is not None for mention in mentions)
    fields = {"etype": "type", "head": "", **({"minspan": ""} if minima else {})}
    return fields | {codes.coded_name(name): name for name in names if name != "type"}


def _values(mention: Mention, fields: Mapping[str, str]) -> str:
    """Write the values of a mention, which stand behind its entity's id."""
    span = range(mention.start, mention.end + 1)
    tokens = mention.tokens if mention.gaps else span
    head = None if mention.head is None else (mention.head, mention.head)
    special = {"head": head, "minspan": mention.minimum}
    values = (
        _positions(special[field], tokens)
        if field in special
        else codes.VALUE.coded(mention.attributes.get(name, ""))
        for field, name in fields.items()
    )
    return "".join(f"-{value}" for value in values).rstrip("-")


def _positions(span: tuple[int, int] | None, tokens: Sequence[int]) -> str:
    """Write where a span begins and ends among the tokens of a mention, from 1."""
    if span is None:
        return ""
    first, last = bisect_left(tokens, span[0]) + 1, bisect_right(tokens, span[1])
    return ",".join(map(str, sorted({first, last}))) if first <= last else ""


def _annotation(document: Document, fields: Mapping[str, str]) -> dict[int, list[str]]:
    """Return the items of MISC that are about entities, by token."""
    used: dict[str, int] = {}
    names = [codes.unused(entity.id or "_", used) for entity in document.entities]
    items: dict[int, list[str]] = {}
    for key, row in (
        ("Bridge", _bridges(document, names)),
        ("Entity", _brackets(document, names, fields)),
        ("SplitAnte", _splits(document, names)),
    ):
        texts: dict[int, list[str]] = {}
        for token, text in row:
            texts.setdefault(token, []).append(text)
        for token, here in texts.items():
            items.setdefault(token, []).append(f"{key}={','.join(here)}")
    return items


def _bridges(document: Document, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    # Two entities may have the same mention, so the very object is looked for first.
    owners: dict[object, str] = {}
    for entity, name in zip(document.entities, names, strict=True):
        for mention in entity:
            owners.setdefault(id(mention), name)
            owners.setdefault(mention, name)
    for anaphor, antecedent, _, relation in document.bridges:
        owner = owners.get(id(anaphor)) or owners.get(anaphor)
        if owner is not None:
            kind = f":{codes.ID.coded(relation)}" if relation else ""
            link = f"{codes.LINK.coded(antecedent)}<{codes.LINK.coded(owner)}{kind}"
            yield anaphor.start, link


def _splits(document: Document, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    for entity, name in zip(document.entities, names, strict=True):
        for antecedent in entity.split if entity.mentions else ():
            link = f"{codes.ID.coded(antecedent)}<{codes.ID.coded(name)}"
            yield entity.mentions[0].start, link


def _brackets(
    document: Document, names: Sequence[str], fields: Mapping[str, str]
) -> Iterator[tuple[int, str]]:
    parts = list(_parts(document, names, fields))
    yield from bracket_cells(parts, singles_inside=True).items()


def _parts(
    document: Document, names: Sequence[str], fields: Mapping[str, str]
) -> Iterator[Part]:
    keep_order = _in_order(document)
    for number, (entity, name) in enumerate(zip(document, names, strict=True)):
        totals = _totals(entity.mentions)
        for order, mention in enumerate(entity):
            values, spans = _values(mention, fields), mention.parts
            for part, (start, end) in enumerate(spans, 1):
                label = codes.ID.coded(name)
                if order in totals:
                    total = totals[order]
                    label += f"[{part if part < len(spans) else total}/{total}]"
                rank = (number, order) if keep_order and part == 1 else None
                yield Part(start, end, f"{label}{values}", label, rank)


def _totals(mentions: Sequence[Mention]) -> dict[int, str]:
    """Write how many parts mentions of an entity have, by the mention's number.

    Overlapping mentions with the same number of parts are told apart by leading zeros.
    """
    totals: dict[int, str] = {}
    around: list[int] = []
    broken = [number for number, mention in enumerate(mentions) if mention.gaps]
    for number in sorted(broken, key=lambda number: mentions[number].start):
        start = mentions[number].start
        around = [other for other in around if mentions[other].end >= start]
        taken = {totals[other] for other in around}
        total = str(len(mentions[number].parts))
        while total in taken:
            total = f"0{total}"
        totals[number] = total
        around.append(number)
    return totals


def _in_order(document: Document) -> bool:
    """Return whether entities and mentions are in an order in which they can open."""
    rows = [entity.mentions for entity in document.entities if entity.mentions]
    orders: list[list[tuple[int, ...]]] = [[(row[0].start,) for row in rows]]
    for row in rows:
        orders.append([(mention.start,) for mention in row])
        # Of those that open together the one that closes last opens first.
        wide = [
            mention
            for mention in row
            if not mention.gaps and mention.start < mention.end
        ]
        orders.append([(mention.start, -mention.end) for mention in wide])
    return all(order == sorted(order) for order in orders)
