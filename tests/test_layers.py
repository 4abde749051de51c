"""Imports go in one direction, and start-up imports little."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import corefkit

SOURCE = Path(corefkit.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

# Against the direction, inside a function, and why.
ALLOWED = {
    ("model", "report"): "a notebook shows a document in the reader; few are shown",
    ("evaluation", "report"): "printing a result shows its table; few are printed",
}
# What packages behind the readers may import from them: what reading gives.
READING = {
    "corefkit.formats": {"read"},
    "corefkit.formats.inputs": {"Input", "open_inputs"},
    "corefkit.formats.source": {
        "Source",
        "Word",
        "comments_above",
        "names_of",
        "text_of",
    },
}
BEHIND_READERS = ("alignment", "analysis", "corpus", "syntax")
# What else they import, and why.
BEYOND_READING = {
    ("alignment/meeting/cells.py", "ByteFile"): "looks again at lines that differ",
    ("alignment/table.py", "partition_sources"): "partitions are counted without files",
    ("analysis/explain/__init__.py", "UNNAMED"): "the one document of partitions",
}
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


def imported(path):
    """Go through the modules under the top that a file imports, wherever it does.

    What only a checker of types imports is left out: it is never imported in truth.
    """
    tree = ast.parse(path.read_text("utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
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
            top, _, rest = name.partition(".")
            if top == "corefkit" and rest:
                yield rest.partition(".")[0]


def test_docstring_lists_every_module_once():
    assert sorted(layers()) == sorted({module(path) for path in FILES} - OUTSIDE)


@pytest.mark.parametrize(
    "path", FILES, ids=[str(path.relative_to(SOURCE)) for path in FILES]
)
def test_imports_go_to_earlier_modules(path):
    order = layers()
    here = module(path)
    if here in OUTSIDE:
        return
    later = {
        other
        for other in imported(path)
        if other in order and order.index(other) > order.index(here)
    }
    assert {other for other in later if (here, other) not in ALLOWED} == set()


def test_every_exception_is_needed():
    """An exception stands only for an import that there is, and against the order."""
    order = layers()
    found = {(module(path), other) for path in FILES for other in imported(path)}
    needed = {
        (here, other)
        for here, other in found
        if {here, other} <= set(order) and order.index(other) > order.index(here)
    }
    assert set(ALLOWED) == needed


# What each of two packages that stand apart must not say of the other.
APART = {
    "lab": r"cistell|corefkit (train|resolve|experiment)\b",
    "cistell": r"corefkit[. ]lab\b",
}


@pytest.mark.parametrize("package", APART)
def test_laboratory_and_resolver_do_not_know_each_other(package):
    texts = {
        str(path.relative_to(SOURCE)): path.read_text("utf-8")
        for path in (SOURCE / package).rglob("*")
        if path.suffix in {".py", ".toml", ".html", ".css"}
    }
    found = {name: re.search(APART[package], text) for name, text in texts.items()}
    assert [name for name, match in found.items() if match] == []


def test_only_what_reading_gives_leaves_the_readers():
    """Helpers of the domain stand below the readers, and not inside them."""
    found = set()
    for name in BEHIND_READERS:
        for path in (SOURCE / name).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not isinstance(node, ast.ImportFrom):
                    continue
                if node.module == "corefkit.formats" or node.module.startswith(
                    "corefkit.formats."
                ):
                    given = READING.get(node.module, set())
                    names = {alias.name for alias in node.names} - given
                    found |= {(path.relative_to(SOURCE).as_posix(), n) for n in names}
    assert found == set(BEYOND_READING)


def test_only_the_command_prints_and_exits():
    for path in FILES:
        if module(path) in {"cli", "__main__"}:
            continue
        calls = [
            node.func
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Call)
        ]
        names = {ast.unparse(call) for call in calls}
        assert not names & {"print", "exit", "quit", "sys.exit"}, path


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
    SLOW = (
        "scipy",
        "gzip",
        "tempfile",
        "unittest",
        "asyncio",
        "email",
        "multiprocessing",
        "matplotlib",
        "tomllib",
    )

    @pytest.mark.parametrize("module", SLOW)
    def test_scoring_imports_nothing_slow(self, module, scored):
        assert module not in scored

    @pytest.fixture(scope="class")
    @classmethod
    def scored(cls):
        return modules_after(command("score", "--example"))

    def test_scoring_imports_no_other_command(self, scored):
        assert "corefkit.cli.score" in scored
        assert not scored & {"corefkit.cli.validate", "corefkit.analysis.explain"}

    def test_help_imports_no_command(self):
        found = modules_after(command("--help"))
        assert "corefkit.cli" in found
        assert not found & {"corefkit.cli.score", "corefkit.analysis.explain", "scipy"}

    @pytest.mark.parametrize("words", [["--help"], ["--version"]])
    def test_help_comes_without_numpy(self, words):
        assert "numpy" not in modules_after(command(*words))
