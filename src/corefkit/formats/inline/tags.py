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
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class Tag(NamedTuple):
    """A tag, or other markup, which has no name.

    Attributes:
        start: its first character.
        end: the character behind it.
        name: its name in small letters.
        closing: whether it is an end tag.
        attributes: the values as they stand in the file, by names in small letters.
        whole: whether a `>` ends it; if not, it is text for all but mentions.
        paired: whether its quotes are closed.
    """

    start: int
    end: int
    name: str = ""
    closing: bool = False
    attributes: Mapping[str, str] = {}
    whole: bool = True
    paired: bool = True


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
