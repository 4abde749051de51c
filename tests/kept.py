"""Kept outputs: golden files, examples of pages and docstrings, generated tables.

Ordinary runs compare them with the actual output. `python3 dev.py rewrite` replaces
them by it, in the tests that are marked `kept`; doctests always are. This module is a
pytest plugin too, which rewrites doctests.

Golden files have a placeholder for the version of corefkit. Pages show the version of
the last rewrite: it is ignored when they are compared.
"""

from __future__ import annotations

import doctest
import os
import re
from difflib import SequenceMatcher
from itertools import pairwise, product
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

GOLDEN = Path(__file__).parent / "data"
ELLIPSIS = "..."
# The version after the name of the program, as in signatures, JSON and `--version`.
_VERSION = re.compile(r'\b(corefkit(?:": "|[: ]))\d+\.\d+\.\d+(?:\.?\w+)*')
# The part of a traceback before the message.
_STACK = re.compile(r"Traceback \(most recent call last\):\n(?:  .*\n)*")
_CHECKER = doctest.OutputChecker()


def is_rewriting() -> bool:
    return bool(os.environ.get("COREFKIT_REWRITE"))


def hide_version(text: str) -> str:
    """Put a placeholder in place of the current version, but of no other."""
    return _VERSION.sub(
        lambda match: match[0].replace(f"{match[1]}{VERSION}", f"{match[1]}VERSION"),
        text,
    )


def show_version(text: str) -> str:
    """Put the current version in place of any other."""
    return _VERSION.sub(rf"\g<1>{VERSION}", text)


def check_text(path: Path, actual: str) -> None:
    """Compare a file with the actual text, or rewrite it."""
    if is_rewriting():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(actual, "utf-8")
    assert actual == path.read_text("utf-8"), path.name


def check_golden(path: Path, actual: str) -> None:
    """Compare a golden file with an output of any version, or rewrite it."""
    check_text(path, hide_version(actual))


def check_section(page: Path, name: str, actual: str) -> None:
    """Compare the section of a page between its two markers, or rewrite it."""
    text = page.read_text("utf-8")
    start, end = f"<!-- generated: {name} -->\n\n", "\n<!-- end -->\n"
    assert text.count(start) == 1, f"{page.name}: expected one {start.strip()}"
    before, _, rest = text.partition(start)
    assert end in rest, f"{page.name}: {name}: expected {end.strip()}"
    section, _, after = rest.partition(end)
    if is_rewriting():
        page.write_text(f"{before}{start}{actual}{end}{after}", "utf-8")
        section = actual
    assert section == actual, f"{page.name}: {name}"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table.

    >>> print(markdown_table(["", "b"], [["`c|d`", ""]]), end="")
    | | b |
    |---|---|
    | `c\\|d` | |
    """
    lines = [
        "".join("| " + f"{cell} ".replace("|", r"\|").lstrip() for cell in cells)
        for cells in (head, *rows)
    ]
    lines.insert(1, "|---" * len(head))
    return "".join(f"{line}|\n" for line in lines)


def replace_lines(
    path: Path, first: int, old: Sequence[str], new: Sequence[str]
) -> None:
    """Replace lines of a file, given the number of the first one from 1."""
    lines = path.read_text("utf-8").split("\n")
    section = slice(first - 1, first - 1 + len(old))
    assert lines[section] == list(old), f"{path}:{first}: edit this output by hand"
    lines[section] = new
    path.write_text("\n".join(lines), "utf-8")


def update_lines(
    kept: Sequence[str],
    actual: Sequence[str],
    is_same: Callable[[str, str], bool] = str.__eq__,
) -> list[str]:
    """Update kept lines to the actual ones; an ellipsis still stands for the others.

    Lines are aligned by similarity, so a line whose wording changes is shown again.

    >>> update_lines(["a", "...", "one error"], ["a", "b", "c", "2 errors"])
    ['a', '...', '2 errors']
    >>> update_lines(["a", "d"], ["a", "b", "c"])
    ['a', 'b', 'c']
    """
    # For each pair of prefixes: the lowest cost, the previous pair, the lines shown.
    best: dict[tuple[int, int], tuple[float, tuple[int, int], list[str]]] = {}

    def step(row: int, column: int, cost: float, *lines: str) -> tuple:
        return best[row, column][0] + cost, (row, column), [*lines]

    for row, column in product(range(len(kept) + 1), range(len(actual) + 1)):
        steps = [(0.0, (0, 0), [])] if row == column == 0 else []
        line, new = kept[row - 1] if row else "", actual[column - 1] if column else ""
        if row and line == ELLIPSIS:
            steps.append(step(row - 1, column, 0, ELLIPSIS))
            steps += [step(row, column - 1, 0)] if column else []
        elif row:
            steps.append(step(row - 1, column, 1))
        if row and column and line != ELLIPSIS:
            same = is_same(line, new)
            cost = 0 if same else 1 - SequenceMatcher(None, line, new).ratio()
            steps.append(step(row - 1, column - 1, cost, line if same else new))
        if column:
            steps.append(step(row, column - 1, 1, new))
        best[row, column] = min(steps, key=itemgetter(0))
    lines: list[str] = []
    place = len(kept), len(actual)
    while place != (0, 0):
        _, place, shown = best[place]
        lines[:0] = shown
    return lines


def update_example(example: doctest.Example, got: str) -> list[str]:
    """List the lines that an example of a doctest should show."""
    want = example.want
    if example.exc_msg is not None and (stacks := [*_STACK.finditer(got)]):
        got = want.removesuffix(example.exc_msg) + got[stacks[-1].end() :]
    actual = [line or doctest.BLANKLINE_MARKER for line in got.splitlines()]
    flags = sum(flag for flag, is_set in example.options.items() if is_set)
    if not flags & doctest.ELLIPSIS:
        return actual

    def is_same(kept: str, line: str) -> bool:
        return _CHECKER.check_output(f"{kept}\n", f"{line}\n", flags)

    if _CHECKER.check_output(show_version(want), got, flags):
        return show_version(want).splitlines()
    kept: list[str] = []
    for line in want.splitlines():
        # An ellipsis at the end of a line stands for the lines below it too.
        kept += [line, ELLIPSIS] if is_open(line) else [line]
    lines = update_lines(kept, actual, is_same)
    lines = [
        line
        for above, line in pairwise(["", *lines])
        if line != ELLIPSIS or not is_open(above)
    ]
    shown = "".join(f"{line}\n" for line in lines)
    return lines if _CHECKER.check_output(shown, got, flags) else actual


def is_open(line: str) -> bool:
    return line.endswith(ELLIPSIS) and line != ELLIPSIS


def rewrite_example(path: Path, failure: doctest.DocTestFailure) -> None:
    """Replace the output of an example by the actual one."""
    example = failure.example
    lines = path.read_text("utf-8").split("\n")
    start = (failure.test.lineno or 0) + example.lineno
    opening = next((one for one in lines[start::-1] if '"""' in one), "")
    is_raw = path.suffix != ".py" or 'r"""' in opening

    def write(line: str) -> str:
        return line if is_raw else line.replace("\\", "\\\\")

    def indent(line: str) -> str:
        return " " * example.indent + write(line)

    first, *others = write(example.source).splitlines()
    source = [f">>> {first}", *(f"... {line}".rstrip() for line in others)]
    kept, actual = example.want.splitlines(), update_example(example, failure.got)
    old = [*(" " * example.indent + line for line in source), *map(indent, kept)]
    # Doctest does not know the lines of some properties.
    places = [at for at in range(len(lines)) if lines[at : at + len(old)] == old]
    assert places, f"{path}:{start + 1}: edit this output by hand"
    place = min(places, key=lambda at: abs(at - start)) + len(source)
    replace_lines(path, place + 1, old[len(source) :], [*map(indent, actual)])


def pytest_configure(config: pytest.Config) -> None:
    if is_rewriting():
        config.option.doctest_continue_on_failure = True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark doctests; when rewriting, run them first, those of a file backwards.

    So the line numbers of examples hold until they are rewritten.
    """
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.add_marker("kept")
    if is_rewriting():
        items.sort(
            key=lambda item: (
                -(item.dtest.lineno or 0) if isinstance(item, pytest.DoctestItem) else 1
            )
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    if not isinstance(item, pytest.DoctestItem):
        return (yield)
    if not is_rewriting():
        for example in item.dtest.examples:
            example.want = show_version(example.want)
        return (yield)
    try:
        return (yield)
    except Exception as error:
        failures = getattr(error, "failures", [error])
        # After an unexpected exception, outputs of later examples mean nothing.
        if not all(isinstance(one, doctest.DocTestFailure) for one in failures):
            raise
        for failure in reversed(failures):
            rewrite_example(item.path, failure)
        return None
