"""Mentions as inline tags in running text: what MUC and OntoNotes files share.

SGML is not XML, and real files are neither, so tags are found by these rules:

1.  A tag is `<name ...>` or `</name ...>`, its name in any case and followed by a
    blank, `/` or `>`. Values of attributes are in `"`, in `'` or bare; those in
    quotes may hold `>`, but no `<`. If a name is repeated, the first value counts.
2.  Comments, declarations and processing instructions are neither tags nor text.
3.  Any other `<` is text. Refused are a `<COREF` that no `>` ends, and a COREF tag with
    a quote that is not closed.
4.  `&amp;` `&lt;` `&gt;` `&quot;` `&apos;` and numbers such as `&#39;` are read as the
    characters they stand for; any other `&` is text.
5.  `</COREF>` closes the mention opened last. All are closed inside their document.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from corefkit.model import Document, Mention

# Nothing but the start of a comment can match beyond the next `<`, so that the time
# this takes grows with the text and not with its square.
_MARKUP = re.compile(
    r"""<(?:
        (?P<comment>!--)
      | [!?][^<>]*>
      | (?P<closing>/?)(?P<name>[A-Za-z][\w.:-]*)
        (?:(?=[\s/>])(?:
            (?P<strict>(?>(?:[^<>"']|"[^"<]*"|'[^'<]*')*))>
          | (?P<loose>[^<>]*)>
        ))?
    )""",
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(
    r"""([A-Za-z_][\w.:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?""", re.ASCII
)
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{2,4}));")
_NAME = re.compile(r"[a-z_][a-z0-9_.:-]*")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class Tag(NamedTuple):
    """A tag, or other markup, which has no name; names are in small letters."""

    start: int
    end: int  # the character behind it
    name: str = ""
    closing: bool = False
    attributes: Mapping[str, str] = {}  # the values as they stand in the file
    whole: bool = True  # whether a `>` ends it; if not, only mentions are no text
    paired: bool = True  # whether its quotes are closed


def tags(source: str) -> Iterator[Tag]:
    """Iterate over the tags of a text.

    >>> [(tag.name, dict(tag.attributes)) for tag in tags("<P id=a MIN='b'>1 < 2")]
    [('p', {'id': 'a', 'min': 'b'})]
    """
    beyond = 0  # where the last comment ended
    endless = False
    for found in _MARKUP.finditer(source):
        start, end = found.span()
        if start < beyond:
            continue
        if found["comment"]:
            close = -1 if endless else source.find("-->", end)
            endless = close < 0
            if not endless:
                beyond = close + len("-->")
                yield Tag(start, beyond)
        elif found["name"] is None:
            yield Tag(start, end)
        else:
            yield _tag(found)


def _tag(found: re.Match[str]) -> Tag:
    paired = found["strict"] is not None
    body = found["strict"] if paired else found["loose"]
    return Tag(
        *found.span(),
        name=found["name"].lower(),
        closing=found["closing"] == "/",
        attributes=_attributes(body or ""),
        whole=body is not None,
        paired=paired,
    )


def _attributes(body: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(body):
        attributes.setdefault(name.lower(), double or single or bare)
    return attributes


def decoded(text: str) -> str:
    """Replace the references of a text by their characters; all else stays.

    >>> decoded("AT&amp;T&#39;s R&D &lt;&#x2014;&gt; &amp;lt; &md;")
    "AT&T's R&D <—> &lt; &md;"
    """
    return _REFERENCE.sub(reference, text) if "&" in text else text


def reference(found: re.Match[str]) -> str:
    """Read one reference."""
    if found[3]:
        return _NAMED.get(found[3].lower(), found[0])
    code = int(found[1]) if found[1] else int(found[2], 16)
    known = code < 0xD800 or 0xDFFF < code <= 0x10FFFF
    return chr(code) if known else found[0]


def encoded(text: str) -> str:
    """Write a text so that nothing in it is markup.

    >>> encoded("AT&T <1>")
    'AT&amp;T &lt;1&gt;'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def start_tag(name: str, attributes: Mapping[str, str]) -> str:
    """Write a start tag; of values only quotes are escaped.

    >>> start_tag("COREF", {"ID": "5", "MIN": 'the "x"'})
    '<COREF ID="5" MIN="the &quot;x&quot;">'
    """
    values = (
        f' {key}="{value.replace(chr(34), "&quot;")}"'
        for key, value in attributes.items()
    )
    return f"<{name}{''.join(values)}>"


def written_attributes(mention: Mention, own: Container[str]) -> dict[str, str]:
    """Return those attributes of a mention that `other_attributes` reads back."""
    return {
        name.upper(): encoded(value)
        for name, value in mention.attributes.items()
        if name not in own and _NAME.fullmatch(name)
    }


def written_order(document: Document) -> list[tuple[int, Mention, bool]]:
    """Return the mentions of a document in the order of their start tags.

    Each has the number of its entity before it, and behind it whether it is its first.
    """
    rows = [
        (mention.start, -mention.end, entity, number)
        for entity, owner in enumerate(document.entities)
        for number, mention in enumerate(owner.mentions)
    ]
    seen: set[int] = set()
    order = []
    for *_, entity, number in sorted(rows):
        mention = document.entities[entity].mentions[number]
        order.append((entity, mention, entity not in seen))
        seen.add(entity)
    return order


def entity_ids(document: Document) -> tuple[list[str], Iterator[str]]:
    """Return an id for each entity, its own where that can be, and ids that are free.

    >>> from corefkit.model import Document, Entity
    >>> entities = Entity("7", ()), Entity("1", ()), Entity("7", ()), Entity(" ", ())
    >>> ids, free = entity_ids(Document("d", (), entities))
    >>> ids, next(free)
    (['7', '1', '2', '3'], '4')
    """
    taken = {entity.id for entity in document.entities}
    free = (str(number) for number in count(1) if str(number) not in taken)
    ids: list[str] = []
    used: set[str] = set()
    for entity in document.entities:
        fits = entity.id and entity.id == entity.id.strip() and entity.id not in used
        ids.append(entity.id if fits else next(free))
        used.add(ids[-1])
    return ids, free


def tagged(
    sentences: Sequence[Sequence[str]], mentions: Sequence[tuple[Mention, str]]
) -> Iterator[list[str]]:
    """Put tags around words that are written already, sentence by sentence.

    The mentions come with their start tags, in the order of these.
    """
    opening: dict[int, list[str]] = {}
    closing: dict[int, int] = {}
    for mention, tag in mentions:
        opening.setdefault(mention.start, []).append(tag)
        closing[mention.end] = closing.get(mention.end, 0) + 1
    token = count()
    for sentence in sentences:
        words = []
        for word in sentence:
            number = next(token)
            before = "".join(opening.get(number, ()))
            words.append(before + word + "</COREF>" * closing.get(number, 0))
        yield words
