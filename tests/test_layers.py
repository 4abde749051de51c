"""Imports go in one direction, and start-up imports little."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest
from source_trees import FILES, GROUP, SOURCE, parse_source

import corefkit

pytestmark = GROUP

# Against the direction, inside a function, and why.
ALLOWED = {
    ("model", "report"): "a notebook shows a document in the reader; few are shown",
    ("evaluation", "report"): "a notebook shows a result as part of a page",
    ("evaluation", "results"): "printing a result shows its table; few are printed",
    ("analysis", "report"): "text of analyses that has not moved to them yet",
}
# The same for imports of types alone. The lists may only shrink.
ALLOWED_TYPES = {}
# They are beside the list: the door, and data to try things on.
OUTSIDE = {"__init__", "__main__", "example"}


def layers():
    """Give the modules in the order that the package's docstring lists them."""
    listing = corefkit.__doc__.partition("each importing only from those before it:")[2]
    lines = re.findall(r"^    ((?:\w+, )*\w+)  +\S", listing, re.MULTILINE)
    return [name for line in lines for name in line.split(", ")]


def module(path):
    """Name the module or package, right under the top, that a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def find_imports(path, *, with_types):
    """Yield the modules under the top that a file imports, in functions too.

    Imports for type checkers, which are not executed, are included `with_types`.
    """
    tree = parse_source(path)
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
        if not with_types
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are absolute"
            names = [node.module]
            if node.module == "corefkit":
                names = [f"corefkit.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            top, _, inside = name.partition(".")
            if top == "corefkit" and inside:
                yield inside.partition(".")[0]


def find_violations(*, with_types):
    """Return pairs of modules of which the first imports the second, a later one."""
    order = layers()
    pairs = {
        (module(path), target)
        for path in FILES
        for target in find_imports(path, with_types=with_types)
    }
    return {
        (importer, target)
        for importer, target in pairs
        if {importer, target} <= set(order)
        and order.index(target) > order.index(importer)
    }


def test_docstring_lists_every_module_once():
    assert sorted(layers()) == sorted({module(path) for path in FILES} - OUTSIDE)


def test_imports_go_to_earlier_modules():
    """Every exception is needed, too."""
    assert find_violations(with_types=False) == set(ALLOWED)
    assert find_violations(with_types=True) == {*ALLOWED, *ALLOWED_TYPES}


# What each of two packages that stand apart must not say of the other.
APART = {
    "lab": r"cistell|corefkit (train|resolve|experiment)\b",
    "../cistell": r"corefkit[. ]lab\b",
}


@pytest.mark.parametrize("package", APART)
def test_laboratory_and_resolver_do_not_know_each_other(package):
    texts = {
        str(path): path.read_text("utf-8")
        for path in (SOURCE / package).rglob("*")
        if path.suffix in {".py", ".toml", ".html", ".css"}
    }
    found = {name: re.search(APART[package], text) for name, text in texts.items()}
    assert [name for name, match in found.items() if match] == []


def test_only_the_command_prints_and_exits():
    forbidden = {"print", "exit", "quit", "sys.exit"}
    calls = {
        (str(path.relative_to(SOURCE)), ast.unparse(node.func))
        for path in FILES
        if module(path) not in {"cli", "__main__"}
        for node in ast.walk(parse_source(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name | ast.Attribute)
    }
    assert {(path, name) for path, name in calls if name in forbidden} == set()


def modules_after(code):
    """Run some code in a Python of its own and give the modules it imported."""
    listing = "import sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; {listing}"],
        env={"PYTHONPATH": str(SOURCE.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


def command(*words):
    return f"from corefkit.cli import main; main({list(words)})"


class TestStart:
    # Importing scipy.optimize alone takes longer than scoring the example.
    SLOW = frozenset(
        {
            *("scipy", "gzip", "tempfile", "unittest", "asyncio", "email"),
            *("multiprocessing", "matplotlib", "tomllib"),
        }
    )

    def test_scoring_imports_nothing_slow(self):
        assert modules_after(command("score", "--example")) & self.SLOW == set()

    @pytest.mark.parametrize("words", [["--help"], ["--version"]])
    def test_help_imports_no_numpy(self, words):
        loaded = modules_after(command(*words))
        assert "corefkit.cli" in loaded
        assert loaded & {"numpy", *self.SLOW} == set()
