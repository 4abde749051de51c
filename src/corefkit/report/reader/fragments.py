"""Links into the reader, as fragments of an address; `web/src/state.ts` reads them."""

from __future__ import annotations

from urllib.parse import urlencode


def fragment(
    document: str,
    *,
    key: int = 0,
    response: int = 0,
    mention: tuple[int, int] | None = None,
) -> str:
    """Write the fragment that opens a document at an entity, a mention, or both.

    Args:
        document: the id of the document.
        key: the number of an entity of the key; 0 for none.
        response: likewise of the first system.
        mention: the first and last token of a mention.

    >>> fragment("a & b", key=3), fragment("d", mention=(3, 5))
    ('#d=a+%26+b&k=3', '#d=d&m=3-5')
    """
    values: dict[str, object] = {"d": document}
    if mention is not None:
        values["m"] = "-".join(map(str, mention))
    if key:
        values["k"] = key
    elif response:
        values["r"] = response
    # Halves of characters, which ids can have, are in no address.
    return f"#{urlencode(values, errors='replace')}"
