r"""Names and words of the input, made safe for each kind of output.

Document ids, file names and words can hold anything: escape sequences of terminals,
line ends, HTML tags, formulas of spreadsheets. Each kind of output has one function
here, and all text of that output goes through it. Invisible characters are always
written as Python writes them, `\x1b` or `\u202e`. JSON is for programs, and keeps text
as it is, possibly as escapes.
"""

from __future__ import annotations

import re

# Patterns are text, and `re` keeps what it compiled: most runs need none of them.
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


def for_terminal(text: str) -> str:
    r"""Write out what is invisible: control characters, line ends, turned directions.

    >>> print(for_terminal("a\x1b[2Jb\n\u202ec été"))
    a\x1b[2Jb\n\u202ec été
    """
    if text.isprintable():
        return text
    return "".join(
        letter
        if letter.isprintable() or re.match(f"[{_BLANKS}]", letter)
        else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


def for_lines(text: str) -> str:
    r"""Do the same to a text of several lines.

    >>> for_lines("one\ntwo\x07")
    'one\ntwo\\x07'
    """
    return "\n".join(map(for_terminal, text.split("\n")))


def for_markdown(text: str, *, prose: bool = False) -> str:
    r"""Escape characters that are special in Markdown, or in HTML inside it.

    Prose is more than a name: lines and `code` stay.

    >>> for_markdown("b_cubed"), for_markdown("<b>")
    ('b\\_cubed', '&lt;b&gt;')
    """
    visible = for_lines(text) if prose else for_terminal(text)
    escaped = re.sub(_PROSE if prose else _MARKDOWN, r"\\\1", visible)
    return re.sub(_ENTITY, "&amp;", escaped).replace("<", "&lt;").replace(">", "&gt;")


def for_markdown_code(text: str) -> str:
    """Write a text as code, which Markdown leaves as it is.

    >>> for_markdown_code("a|b"), for_markdown_code("a`b")
    ('`a|b`', '`` a`b ``')
    """
    visible = for_terminal(text)
    runs = re.findall("`+", visible)
    if not runs:
        return f"`{visible}`"
    fence = "`" * (1 + max(map(len, runs)))
    return f"{fence} {visible} {fence}"


def for_latex(text: str) -> str:
    r"""Escape characters that are special in LaTeX.

    >>> for_latex("50% of b_cubed")
    '50\\% of b\\_cubed'
    """
    return re.sub(_TEX, lambda match: _TEX_NAMES[match[0]], for_terminal(text))


def for_csv(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would take for a formula.

    Numbers, and a sign alone, are not formulas. A formula with apostrophes before it
    gets one more, so that removing one gives the text back.

    >>> for_csv("=cmd()"), for_csv("'=1"), for_csv("-1.5"), for_csv("-"), for_csv("a=b")
    ("'=cmd()", "''=1", '-1.5', '-', 'a=b')
    """
    visible = for_terminal(text)
    harmless = len(visible) == 1 or re.fullmatch(_NUMBER, visible)
    return f"'{visible}" if re.match(_FORMULA, visible) and not harmless else visible


def for_signature(text: str) -> str:
    """Write all but letters, digits and `. / + -` as numbers, as addresses do.

    So no part of a value reads as another setting.

    >>> for_signature("two-sided"), for_signature("x|average:macro")
    ('two-sided', 'x%7Caverage%3Amacro')
    """
    return re.sub(_UNSIGNED, _percent, text)


def _percent(character: re.Match[str]) -> str:
    code = character[0].encode("utf-8", "backslashreplace")
    return "".join(f"%{byte:02X}" for byte in code)


def for_html(text: str) -> str:
    """Escape characters that are special in HTML.

    >>> for_html("<script>")
    '&lt;script&gt;'
    """
    # Imported here because few outputs need it and every start would pay.
    from html import escape

    return escape(for_lines(text))
