r"""Text utilities: document ids, escaping for outputs, colours, widths, hints.

Document ids, file names and words may contain anything: terminal escape sequences,
newlines, HTML tags, formulas of spreadsheets. Each output format has one function here
that escapes all of its text. Invisible characters are escaped as in Python, `\x1b` or
`\u202e`. JSON output is read by programs and is not escaped further.
"""

from __future__ import annotations

import os
import re
import sys
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

# Patterns are compiled on first use, because most runs need none of them.
_BLANKS = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"  # blanks that have a width
_MARKDOWN = r"([\\`*_|\[\]~$])"
_PROSE = r"([*_|])"
_ENTITY = r"&(?=#?\w+;)"
_TEX_NAMES = {letter: f"\\{letter}" for letter in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}
_TEX = f"[{re.escape(''.join(_TEX_NAMES))}]"
_FORMULA = (
    r"'*\s*[=+@\-\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
    r"\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}]"
)
_UNSIGNED = r"[^\w./+-]"
_NUMBER = r"(?ai)[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?"


def escape_terminal(text: str) -> str:
    """Escape invisible characters: control characters, newlines, directional marks."""
    if text.isprintable():
        return text
    return "".join(
        letter
        if letter.isprintable() or re.match(f"[{_BLANKS}]", letter)
        else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


def escape_lines(text: str) -> str:
    """Escape invisible characters, but keep newlines."""
    return "\n".join(map(escape_terminal, text.split("\n")))


def escape_markdown(text: str, *, prose: bool = False) -> str:
    """Escape characters that are special in Markdown, or in HTML inside it.

    In prose, newlines and `code` are kept.
    """
    visible = escape_lines(text) if prose else escape_terminal(text)
    escaped = re.sub(_PROSE if prose else _MARKDOWN, r"\\\1", visible)
    return re.sub(_ENTITY, "&amp;", escaped).replace("<", "&lt;").replace(">", "&gt;")


def quote_markdown_code(text: str) -> str:
    """Format a text as Markdown code."""
    visible = escape_terminal(text)
    runs = re.findall("`+", visible)
    if not runs:
        return f"`{visible}`"
    fence = "`" * (1 + max(map(len, runs)))
    return f"{fence} {visible} {fence}"


def escape_latex(text: str) -> str:
    """Escape characters that are special in LaTeX."""
    return re.sub(_TEX, lambda match: _TEX_NAMES[match[0]], escape_terminal(text))


def escape_csv(text: str) -> str:
    """Prefix a text that a spreadsheet would interpret as a formula by an apostrophe.

    Numbers and single signs are not formulas. A formula that already has apostrophes
    gets another one, so that removing one restores the text.
    """
    visible = escape_terminal(text)
    harmless = len(visible) == 1 or re.fullmatch(_NUMBER, visible)
    return f"'{visible}" if re.match(_FORMULA, visible) and not harmless else visible


def escape_signature(text: str) -> str:
    """Percent-encode all characters but letters, digits and `. / + -`.

    A part of a value can then not be taken for another setting.
    """
    return re.sub(
        _UNSIGNED,
        lambda match: "".join(
            f"%{byte:02X}" for byte in match[0].encode("utf-8", "backslashreplace")
        ),
        text,
    )


def escape_html(text: str) -> str:
    """Escape characters that are special in HTML."""
    from html import escape

    return escape(escape_lines(text))


_CONLL_ID = re.compile(r"\s*\((.*)\)\s*(?:;(?:\s*part\s+(\d+))?)?\s*")


def split_id(document_id: str) -> tuple[str, int | None]:
    """Split a document id of CoNLL into name and part; None if it has no part."""
    match = _CONLL_ID.fullmatch(document_id)
    if match is None:
        return document_id.strip(), None
    return match[1], None if match[2] is None else int(match[2])


def format_id(document_id: str) -> str:
    """Format the id of a document for people, without the notation of CoNLL.

    >>> format_id("(bc/cctv_0001); part 000"), format_id("(bc/cctv_0001); part 002")
    ('bc/cctv_0001', 'bc/cctv_0001, part 2')
    >>> format_id("story"), format_id("(a) b")
    ('story', '(a) b')
    """
    name, part = split_id(document_id)
    return f"{name}, part {part}" if part else name


def normalize_id(document_id: str) -> str:
    """Normalize a document id so that formats agree on it.

    CoNLL has the name and part of a document; end-to-end resolvers join the two.
    """
    name, part = split_id(document_id)
    return name if part is None else f"{name}_{part}"


def drop_first_part(document_id: str) -> str:
    """Normalize a document id, and drop its part if that is the first one.

    Converters from JSON lines to CoNLL make `story` the first part of `story`.

    >>> drop_first_part("(story); part 000"), drop_first_part("(story); part 001")
    ('story', 'story_1')
    """
    name, part = split_id(document_id)
    return f"{name}_{part}" if part else name


def make_filename(document_id: str) -> str:
    """Convert a document id to a file name.

    >>> make_filename("(bc/cctv); part 002")
    'bc_cctv_2'
    """
    return re.sub(r"[^\w.+-]+", "_", normalize_id(document_id)).strip("_") or "document"


def get_stem(name: str, *endings: str) -> str:
    """Return the name of a file without folder, suffix, and given endings before it."""
    from pathlib import PurePath

    short = PurePath(PurePath(name).name.removesuffix(".gz")).stem
    for ending in endings:
        short = short.removesuffix(ending) or short
    return short or name


def get_base_name(name: str, *endings: str) -> str:
    """Return the name of a file without its folder, `.gz` and the given endings."""
    from pathlib import PurePath

    short = PurePath(name).name
    for ending in (".gz", *endings):
        if short.lower().endswith(ending) and len(short) > len(ending):
            short = short[: -len(ending)]
    return short


def map_conllu_ids(tokens: Iterable[int], empty: set[int]) -> dict[str, int]:
    """Return the tokens of a sentence by their CoNLL-U ids."""
    ids: dict[str, int] = {}
    word = node = 0
    for token in tokens:
        if token in empty:
            node += 1
            ids[f"{word}.{node}"] = token
        else:
            word, node = word + 1, 0
            ids[str(word)] = token
    return ids


def iter_dependencies(cell: str) -> Iterator[tuple[str, str]]:
    """Iterate over enhanced dependencies of CoNLL-U: ids of parents, and relations."""
    if cell != "_":
        for dependency in cell.split("|"):
            parent, _, relation = dependency.partition(":")
            yield parent, relation


def suggest(name: str, known: Iterable[str]) -> str:
    """Format a hint with the most similar of the known names, and a list of all."""
    names = list(known)
    nearest = find_nearest(name, names)
    listing = f"known are {', '.join(names)}"
    return f"did you mean {nearest!r}? {listing}" if nearest else listing


def find_nearest(name: str, known: Iterable[str]) -> str:
    """Find the most similar of the known names; empty if none is similar."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(str(name).lower(), list(known), n=1)), "")


def format_count(number: int, noun: str) -> str:
    """Format a number with its noun."""
    plural = f"{noun[:-1]}ies" if noun.endswith("ty") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def join_words(words: Iterable[str]) -> str:
    """Join words by commas and `and`.

    >>> join_words(["MUC"]), join_words(["MUC", "B³", "LEA"])
    ('MUC', 'MUC, B³ and LEA')
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


# Colours and bold text on a terminal. They are disabled unless a command enables them;
# functions of the Python API print plain text.

ESCAPE = "\x1b"  # the first character of all codes
_PLAIN = f"{ESCAPE}[0m"
# The words that a message can begin with, and their colours.
_WORDS = {"error": "1;31", "warning": "1;33", "note": "36", "hint": "32"}
_WORD = rf"\b({'|'.join(_WORDS)}):"
_START = rf"(?m)^((?:  |corefkit[\w -]*: )?){_WORD}"
_CODES = r"\x1b\[[\d;]*m"

# On standard output; set by each command line, and disabled in other threads.
_colours = ContextVar("_colours", default=False)


def should_colour(stream: TextIO | None) -> bool:
    """Return whether the user wants colours on a stream: see https://no-color.org."""
    get = os.environ.get
    if stream is None or get("NO_COLOR"):
        return False
    if get("FORCE_COLOR") or get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return get("TERM") != "dumb" and stream.isatty()


def set_colours(on: bool) -> bool:
    """Enable or disable colours; return whether they were enabled."""
    was_on = _colours.get()
    _colours.set(on)
    return was_on


def has_colours() -> bool:
    """Return whether colours are enabled."""
    return _colours.get()


def _apply_style(text: str, code: int) -> str:
    """Style a text, but not the blanks around it: trailing ones may be stripped."""
    content = text.strip(" ")
    if not content or not _colours.get():
        return text
    start, _, end = text.partition(content)
    return f"{start}\x1b[{code}m{content}{_PLAIN}{end}"


# They change the text only if colours are enabled.
bold = partial(_apply_style, code=1)
dim = partial(_apply_style, code=2)
red = partial(_apply_style, code=31)


def remove_colours(text: str) -> str:
    """Remove the codes of colours from a text, to measure its width."""
    return re.sub(_CODES, "", text)


def highlight_message(text: str, *, on: bool, start: str = _START) -> str:
    """Colour the words that start messages."""
    if not on:
        return text
    return re.sub(
        start,
        lambda match: f"{match[1]}\x1b[{_WORDS[match[2]]}m{match[2]}:{_PLAIN}",
        text,
    )


def highlight_problem(text: str, *, on: bool) -> str:
    r"""Colour the word after the place of a problem.

    >>> highlight_problem("key.conll:3: note: singletons", on=True)
    'key.conll:3: \x1b[36mnote:\x1b[0m singletons'
    """
    after_place = highlight_message(text, on=on, start=rf"^(.*?:\d+: |.*?: ){_WORD}")
    return highlight_message(after_place, on=on)


WIDTH = 80  # if the output is not a terminal


def get_width(default: int = WIDTH) -> int:
    """Return the width of the terminal; `default` if it is unknown."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    try:
        if sys.stdout.isatty():
            return os.get_terminal_size(sys.stdout.fileno()).columns or default
    except (OSError, ValueError, AttributeError):
        pass  # stdout is closed or replaced
    return default
