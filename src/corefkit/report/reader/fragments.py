"""Links into the reader, as fragments of an address; `web/src/state.ts` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Sequence


def fragment(
    document: str,
    *,
    systems: Sequence[int] = (),
    error: str = "",
    key: int = 0,
    response: int = 0,
    mention: tuple[int, int] | None = None,
) -> str:
    """Write the fragment that opens a document, perhaps at something in it.

    Args:
        document: the id of the document.
        systems: the numbers of the systems to show, from 0; two at most.
        error: the id of an error, without the document.
        key: the number of an entity of the key; 0 for none.
        response: likewise of the first system.
        mention: the first and last token of a mention.

    >>> fragment("a & b", key=3), fragment("d", mention=(3, 5))
    ('#d=a+%26+b&k=3', '#d=d&m=3-5')
    >>> fragment("d", systems=[1], error="divided#3-5")
    '#d=d&s=2&e=divided%233-5'
    """
    values: dict[str, object] = {"d": whole_characters(document)}
    if systems:
        values["s"] = ",".join(str(number + 1) for number in systems)
    if error:
        values["e"] = whole_characters(error)
    if mention is not None:
        values["m"] = "-".join(map(str, mention))
    if key:
        values["k"] = key
    elif response:
        values["r"] = response
    return f"#{urlencode(values)}"


def whole_characters(text: str) -> str:
    r"""Replace halves of characters, which ids can have, but no address.

    >>> whole_characters("a" + chr(0xD800)) == "a\N{REPLACEMENT CHARACTER}"
    True
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
