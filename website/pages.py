r"""What the site makes of the Markdown of a page, which GitHub shows as it stands.

    bare_pipes      `a\|b` in a table, which GitHub needs, becomes `a|b`
    with_reference  a heading and a full name become the docstring of the name
    with_previews   a link to a page of the gallery gets that page in a frame below it
    inside          addresses of the published site become paths in this one
    plain_examples  what only doctest reads is left out of examples

Each is a function from text to text; `for_the_site` is all of them. `with_commands`
and `with_breaks` are for the HTML that comes of it.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from html import escape, unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

REPOSITORY = "https://github.com/corefkit/corefkit"
PUBLISHED = "https://corefkit.github.io/corefkit/latest/"

_CODE = re.compile(r"`[^`\n]+`")
_TABLE_ROW = re.compile(r"^ *\|.*\|$", re.MULTILINE)
_FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(
    r"^## (?P<title>[\w.]+)\n\n`(?P<path>[\w.]+)`$",
    re.MULTILINE,
)
_SESSION = re.compile(
    r'(?P<start><div class="language-(?:console|pycon) highlight")(?P<code>>.*?</div>)',
    re.DOTALL,
)
_TYPED = re.compile(r'<span class="gp">[^<]*</span>(.*)')
_INLINE = re.compile(r"<code>([^<\n]+)</code>")
_PREVIEW = re.compile(
    rf"^\[(?P<text>[^\]]+)\]\((?P<page>{re.escape(PUBLISHED)}[^)#]*\.html(?:#[^)]*)?)\)$",
    re.MULTILINE,
)


def for_the_site(markdown: str, uri: str) -> str:
    """Change the Markdown of the page at `uri` to what MkDocs is given."""
    changed = with_reference(bare_pipes(plain_examples(markdown)))
    return outside_fences(changed, lambda text: inside(with_previews(text, uri), uri))


def bare_pipes(markdown: str) -> str:
    r"""Drop the backslash of pipes in the code of tables, where Markdown keeps it.

    >>> print(bare_pipes(r"| `--match exact\|head` | `a` \| b |"))
    | `--match exact|head` | `a` \| b |
    """

    def row(found: re.Match[str]) -> str:
        return _CODE.sub(lambda code: code[0].replace(r"\|", "|"), found[0])

    return outside_fences(markdown, lambda text: _TABLE_ROW.sub(row, text))


def with_reference(markdown: str) -> str:
    r"""Replace a heading and a full name by the docstring of the name.

    The heading keeps the anchor that GitHub gives it, so that links work in both.

    >>> print(with_reference("## score\n\n`corefkit.score`"))
    <a id="score"></a>
    <BLANKLINE>
    ::: corefkit.score
    """
    seen: Counter[str] = Counter()

    def documented(found: re.Match[str]) -> str:
        anchor = re.sub(r"[^\w-]", "", found["title"].lower())
        number = f"-{seen[anchor]}" if seen[anchor] else ""
        seen[anchor] += 1
        return f'<a id="{anchor}{number}"></a>\n\n::: {found["path"]}'

    return _NAME.sub(documented, markdown)


def with_previews(markdown: str, uri: str) -> str:
    """Show the page that a line is a link to, in a frame below the link."""
    # MkDocs changes paths in links, but not in HTML: the page becomes a folder.
    folder = uri.removesuffix(".md").removesuffix("index")

    def framed(found: re.Match[str]) -> str:
        page = posixpath.relpath(found["page"].removeprefix(PUBLISHED), folder or ".")
        title = escape(found["text"])
        return (
            f"{found[0]}\n\n"
            f'<iframe src="{page}" title="{title}" loading="lazy"></iframe>'
        )

    return _PREVIEW.sub(framed, markdown)


def inside(markdown: str, uri: str) -> str:
    """Turn addresses of the published site into paths from the page at `uri`.

    Every version of the site then leads to itself.

    >>> inside(f"![split]({PUBLISHED}gallery/split.svg)", "lab/perturb.md")
    '![split](../gallery/split.svg)'
    >>> inside(f"[API]({PUBLISHED}reference/api/)", "index.md")
    '[API](reference/api.md)'
    """

    def path(found: re.Match[str]) -> str:
        page = found[1]
        if page.endswith("/"):
            page = f"{page.removesuffix('/')}.md"
        return posixpath.relpath(page, posixpath.dirname(uri) or ".")

    return re.sub(rf"{re.escape(PUBLISHED)}([\w./-]+)", path, markdown)


def plain_examples(markdown: str) -> str:
    r"""Leave out of examples what only doctest reads.

    >>> plain_examples("```pycon\n>>> a  # doctest: +ELLIPSIS\n1\n<BLANKLINE>\n2\n```")
    '```pycon\n>>> a\n1\n\n2\n```'
    """

    def plain(fence: re.Match[str]) -> str:
        return re.sub(
            r"  # doctest: .*$|^<BLANKLINE>$", "", fence[0], flags=re.MULTILINE
        )

    return _FENCE.sub(plain, markdown)


def with_commands(html: str) -> str:
    """Let the button of a session copy the commands, without prompts and output.

    If the only command is `cat`, it copies the file, which the reader does not have.

    >>> code = '<span class="gp">$ </span>corefkit stats a'
    >>> with_commands(f'<div class="language-console highlight">{code}</div>')[:68]
    '<div class="language-console highlight" data-copy="corefkit stats a"'
    """

    def copied(session: re.Match[str]) -> str:
        typed = strip_tags("\n".join(_TYPED.findall(session["code"])))
        if typed.startswith("cat ") and "\n" not in typed:
            typed = strip_tags(session["code"].partition("\n")[2])
        typed = escape(typed)
        return f'{session["start"]} data-copy="{typed}"{session["code"]}'

    return _SESSION.sub(copied, html)


def strip_tags(html: str) -> str:
    """Return the text of HTML.

    >>> strip_tags('<span class="gp">a</span> &lt; b')
    'a < b'
    """
    return unescape(re.sub(r"<[^>]+>", "", html))


def with_breaks(html: str) -> str:
    """Let lines break behind the parts of a long path or name, and never in an option.

    >>> with_breaks("<code>tests/test_reference_cases.py</code>")
    '<code>tests/<wbr>test_<wbr>reference_<wbr>cases.py</code>'
    >>> with_breaks("<code>--match</code>")
    '<code class="option">--match</code>'
    """

    def broken(found: re.Match[str]) -> str:
        code = found[1]
        if re.fullmatch(r"--?[\w-]{1,20}", code):
            return f'<code class="option">{code}</code>'
        return f"<code>{re.sub(r'(?<=[/_|])(?=[^ ]{4})', '<wbr>', code)}</code>"

    return _INLINE.sub(broken, html)


def outside_fences(markdown: str, change: Callable[[str], str]) -> str:
    """Change what stands outside of code blocks."""
    parts, end = [], 0
    for fence in _FENCE.finditer(markdown):
        parts += [change(markdown[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(markdown[end:])])
