"""How CoNLL-U writes things: columns, comments, items of MISC, and codes for signs.

Reading and writing share this. The rules are those in `corefkit.formats.conllu.conllu`.
"""

from __future__ import annotations

import re

COLUMNS = 10
# The layers of a document, in the order of the columns behind ID and FORM.
LAYERS = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

NEWDOC = re.compile(r"#[ \t]*newdoc(?:[ \t]+id[ \t]*=(.*)|[ \t]*)")
DECLARATION = re.compile(r"#[ \t]*global\.Entity[ \t]*=(.*)")

_ANNOTATION = ("Entity=", "Bridge=", "SplitAnte=", "Split=")
# Fields of brackets whose names mean more than an attribute.
_RESERVED = ("eid", "GRP", "etype", "entity", "head", "minspan")


def parted(misc: str) -> tuple[list[str], str]:
    """Separate the items of MISC that are about entities from the rest of it.

    >>> parted("Entity=(e1)|SpaceAfter=No"), parted("Bridge=e1<e2")
    ((['Entity=(e1)'], 'SpaceAfter=No'), (['Bridge=e1<e2'], '_'))
    """
    annotation: list[str] = []
    rest: list[str] = []
    for item in misc.split("|"):
        (annotation if item.startswith(_ANNOTATION) else rest).append(item)
    return annotation, "|".join(rest) or "_"


def unused(name: str, used: dict[str, int]) -> str:
    """Return a name that was not used before; `used` is kept up to date.

    >>> used = {}
    >>> unused("e1", used), unused("e1", used), unused("e1", used)
    ('e1', 'e1#2', 'e1#3')
    """
    free = name
    while free in used:
        used[name] += 1
        free = f"{name}#{used[name]}"
    used[free] = 1
    return free


class Code:
    """Codes like `%2D`, written for signs that would be misread where they stand.

    Args:
        signs: what is never written as it is.
        codes: a pattern of the digits that are read as codes.

    >>> VALUE.coded("in-law (100%)"), VALUE.plain(VALUE.coded("%2D"))
    ('in%2Dlaw%20%28100%%29', '%2D')
    """

    def __init__(self, signs: str, codes: str) -> None:
        # A per cent sign is left alone where nothing behind it is taken for a code.
        self._sign = re.compile(f"[{re.escape(signs)}]|%(?={codes})", re.IGNORECASE)
        self._code = re.compile(f"%({codes})", re.IGNORECASE)

    def coded(self, text: str) -> str:
        """Replace signs by codes."""
        return self._sign.sub(lambda match: f"%{ord(match[0]):02X}", text)

    def plain(self, text: str) -> str:
        """Replace codes by signs."""
        if "%" not in text:
            return text
        return self._code.sub(lambda match: chr(int(match[1], 16)), text)


def _codes(signs: str) -> str:
    return "|".join(f"{ord(sign):02X}" for sign in f"%{signs}")


_SIGNS = "-()| \t\n\r"
_ID_SIGNS = f"{_SIGNS},<[]"
VALUE = Code(_SIGNS, _codes(_SIGNS))
# In links a colon ends the id; elsewhere ids such as `NOCOREF:x` look as they are.
ID = Code(_ID_SIGNS, _codes(f"{_ID_SIGNS}:"))
LINK = Code(f"{_ID_SIGNS}:", _codes(f"{_ID_SIGNS}:"))
NAME = Code(_SIGNS, "[0-7][0-9A-F]")


def coded_name(name: str) -> str:
    """Write the name of a field, so that it is not taken for a reserved one.

    >>> coded_name("head"), NAME.plain("%68ead")
    ('%68ead', 'head')
    """
    if name in _RESERVED:
        return f"%{ord(name[0]):02X}{name[1:]}"
    return NAME.coded(name)
