r"""Names and words of the input, made safe for where they are shown.

Document ids, file names and words are anybody's: they may hold escape sequences of
terminals, ends of lines, tags of HTML, formulas of spreadsheets. Each kind of output
has one function here, and whoever writes such an output passes all text through it.
What cannot be seen is shown as Python writes it, `\x1b` or `\u202e`, everywhere.
JSON is for programs, and has text as it is, if by its number.
"""

from __future__ import annotations

import re

_BLANKS = (
    "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"  # that have a width, and no more
)
_MARKDOWN = re.compile(r"([\\`*_|\[\]~$])")
_PROSE = re.compile(r"([*_|])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_TEX_NAMES = {letter: f"\\{letter}" for letter in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}
_TEX = re.compile(f"[{re.escape(''.join(_TEX_NAMES))}]")
_FORMULA = re.compile(
    r"'*\s*[=+@\-\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
    r"\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}]"
)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


def for_terminal(text: str) -> str:
    r"""Show what cannot be seen: control characters, ends of lines, turned directions.

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
    r"""Do the same to a text whose ends of lines are meant.

    >>> for_lines("one\ntwo\x07")
    'one\ntwo\\x07'
    """
    return "\n".join(map(for_terminal, text.split("\n")))


def for_markdown(text: str, *, prose: bool = False) -> str:
    r"""Keep characters that Markdown, or HTML inside of it, would take for its own.

    Args:
        text: the text.
        prose: whether it is a text of more than names, whose lines and `code` stay.

    >>> for_markdown("b_cubed"), for_markdown("<b>")
    ('b\\_cubed', '&lt;b&gt;')
    """
    shown = for_lines(text) if prose else for_terminal(text)
    kept = (_PROSE if prose else _MARKDOWN).sub(r"\\\1", shown)
    return _ENTITY.sub("&amp;", kept).replace("<", "&lt;").replace(">", "&gt;")


def for_markdown_code(text: str) -> str:
    """Write a text as code, which Markdown shows as it is.

    >>> for_markdown_code("a|b"), for_markdown_code("a`b")
    ('`a|b`', '`` a`b ``')
    """
    shown = for_terminal(text)
    runs = re.findall("`+", shown)
    if not runs:
        return f"`{shown}`"
    fence = "`" * (1 + max(map(len, runs)))
    return f"{fence} {shown} {fence}"


def for_latex(text: str) -> str:
    r"""Keep characters that LaTeX would take for its own.

    >>> for_latex("50% of b_cubed")
    '50\\% of b\\_cubed'
    """
    return _TEX.sub(lambda match: _TEX_NAMES[match[0]], for_terminal(text))


def for_csv(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula: an apostrophe goes before.

    Numbers, and a sign alone, are no formulas. A text that has apostrophes before a
    formula gets one more, so that taking one off gives the text back.

    >>> for_csv("=cmd()"), for_csv("'=1"), for_csv("-1.5"), for_csv("-"), for_csv("a=b")
    ("'=cmd()", "''=1", '-1.5', '-', 'a=b')
    """
    shown = for_terminal(text)
    harmless = len(shown) == 1 or _NUMBER.fullmatch(shown)
    return f"'{shown}" if _FORMULA.match(shown) and not harmless else shown


def for_html(text: str) -> str:
    """Keep characters that HTML would take for its own.

    >>> for_html("<script>")
    '&lt;script&gt;'
    """
    # Imported here because few outputs need it and every start would pay.
    from html import escape

    return escape(for_lines(text))
