"""Count words and constructions that our prose avoids, and compare with `prose.toml`.

    python3 tools/prose.py             report counts above the limits, as `dev.py lint`
    python3 tools/prose.py --list      list every match
    python3 tools/prose.py --update    lower the limits to the current counts

It reads docstrings and comments, the other strings of `src/`, which are messages and
help, and the documentation. Code in backquotes, examples and blocks is ignored. Limits
may only fall; a rule without a limit in an area has the limit 0.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
LIMITS = ROOT / "tools" / "prose.toml"
# Files of each area, and folders whose strings are data.
AREAS = {
    "src": ("src/**/*.py",),
    "docs": ("*.md", ".github/**/*.md", "docs/**/*.md"),
    "tests": ("tests/**/*.py",),
    "tools": ("*.py", *(f"{name}/**/*.py" for name in ("tools", "website", "fuzz"))),
}
MAX_LISTED = 10  # locations of old matches would hide the new one
DATA = ("lexicon_words", "stopwords")

_AFTER_WHAT = "is|was|are|were|the|a|an|it|they|each|this|that|comes|follows|can|has"
_AFTER_WHERE = "it|that|there|they|a|an|the|none|nothing|all|both|one|no|these|this"
RULES = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "told, tells": r"\b(?:told|tells?|telling)\b",
        "stands": r"\b(?:stands?|stood|standing)\b",
        "asks": r"\bask(?:s|ed|ing)?\b",
        "beside, behind": r"(?<!-)\b(?:beside|behind)\b(?!:)",
        "whole": r"\bwhole\b(?! numbers?\b)",
        "alike, likewise, anew": r"\b(?:alike|likewise|anew)\b",
        "mend": r"\bmend(?:s|ed|ing)?\b",
        "refuse": r"\brefus(?:e|es|al|ing)\b|\b(?-i:refused)\b(?!:)",
        "nobody, whoever": r"\b(?:nobody|somebody|anybody|whoever)\b",
        "in words": r"\b(?:errors?|messages?|refused|rejected|same|says?) in words\b",
        "of its own": r"\bof (?:its|their|his|her|one's) own\b(?! \w+(?<!\bif))",
        "is no": r"(?<!there )\b(?:is|are|was|were) no\b(?! longer)",
        "headless what": rf"\bwhat (?:{_AFTER_WHAT})\b",
        "where for if": rf"(?<!place )(?<!check )\bwhere (?:{_AFTER_WHERE})\b",
    }.items()
}


class Match(NamedTuple):
    """A phrase that a rule forbids, and its location."""

    area: str
    rule: str
    place: str
    text: str


def extract_markdown(text: str) -> Iterator[tuple[int, str]]:
    """Yield the prose of a page, with blocks of code blanked."""
    for block in (r"(?ms)^ *```.*?^ *```", r"(?m)^(?: {4,}|\t).*$"):
        text = re.sub(block, lambda match: "\n" * match[0].count("\n"), text)
    yield 1, text


def extract_python(text: str, with_strings: bool) -> Iterator[tuple[int, str]]:
    """Yield docstrings and comments, and if requested, the other strings too."""
    tree = ast.parse(text)
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    owners = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    docstrings = {
        id(owner.body[0].value)
        for owner in owners
        if ast.get_docstring(owner) and isinstance(owner.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if id(node) in docstrings or (with_strings and " " in node.value):
            yield node.lineno, re.sub(r"(?m)^ *(?:>>>|\.\.\.).*$", "", node.value)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def find_matches(text: str, path: Path, area: str) -> Iterator[Match]:
    """Yield every forbidden phrase of a file."""
    if path.suffix == ".md":
        passages = extract_markdown(text)
    else:
        passages = extract_python(text, with_strings=area == "src")
    for first, passage in passages:
        prose = re.sub(r"`[^`\n]*`", "CODE", passage)
        for rule, pattern in RULES.items():
            for found in pattern.finditer(prose):
                line = first + prose.count("\n", 0, found.start())
                yield Match(area, rule, f"{path}:{line}", found[0])


def scan() -> list[Match]:
    """List the forbidden phrases of all areas."""
    return [
        match
        for area, patterns in AREAS.items()
        for path in sorted({path for each in patterns for path in ROOT.glob(each)})
        if not any(part in DATA for part in path.parts) and path.name != "prose.py"
        for match in find_matches(path.read_text("utf-8"), path.relative_to(ROOT), area)
    ]


def list_excess(matches: list[Match], limits: dict[str, dict[str, int]]) -> list[str]:
    """List the areas and rules with more matches than allowed, with all locations."""
    counts = Counter((match.area, match.rule) for match in matches)
    lines = []
    for (area, rule), count in sorted(counts.items()):
        limit = limits.get(area, {}).get(rule, 0)
        if count > limit:
            lines.append(f"{area}: {rule}: {count}, at most {limit} are allowed")
            places = (
                match for match in matches if (match.area, match.rule) == (area, rule)
            )
            if limit > MAX_LISTED:
                lines.append("  compare `--list` with the one of the main branch")
            else:
                lines += [f"  {match.place}: {match.text}" for match in places]
    return lines


def format_limits(matches: list[Match], old: dict[str, dict[str, int]]) -> str:
    """Write the counts as limits; a limit that exists never rises."""
    counts = Counter((match.area, match.rule) for match in matches)
    lines = ["# Allowed counts of tools/prose.py: they may only fall."]
    for area in AREAS:
        lines += ["", f"[{area}]"]
        for rule in RULES:
            limit = counts[area, rule]
            if old:
                limit = min(limit, old.get(area, {}).get(rule, 0))
            if limit:
                lines.append(f'"{rule}" = {limit}')
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Report counts above the limits, list all matches, or lower the limits."""
    matches = scan()
    limits = tomllib.loads(LIMITS.read_text("utf-8")) if LIMITS.exists() else {}
    if arguments == ["--list"]:
        print(
            *(f"{match.place}: {match.rule}: {match.text}" for match in matches),
            sep="\n",
        )
        return 0
    if arguments == ["--update"]:
        LIMITS.write_text(format_limits(matches, limits), "utf-8")
        return 0
    excess = list_excess(matches, limits)
    print(*excess, sep="\n", end="\n" if excess else "")
    return int(bool(excess))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
