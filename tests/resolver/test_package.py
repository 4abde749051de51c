"""What the package imports."""

from __future__ import annotations

import ast
import subprocess
import sys

from source_trees import RESOLVER_FILES, SOURCE, parse_source

# Modules of corefkit besides its top level, which has the public names.
PUBLIC = {"corefkit.syntax", "corefkit.strings"}
# They are rebuilt on public names next.
STUDIES = SOURCE.parent / "cistell" / "studies"


def test_only_public_names_of_the_scorer_are_imported():
    modules = {
        node.module
        for path in RESOLVER_FILES
        if STUDIES not in path.parents
        for node in ast.walk(parse_source(path))
        if isinstance(node, ast.ImportFrom) and node.module is not None
    }
    inner = {name for name in modules if name.startswith("corefkit.")}
    assert {".".join(name.split(".")[:2]) for name in inner} <= PUBLIC


def list_modules(code):
    command = f"import sys; {code}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", command],
        env={"PYTHONPATH": str(SOURCE.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_the_paper_loads_few_files():
    names = list_modules("import cistell.paper.system")
    assert sum(name.split(".")[0] == "cistell" for name in names) <= 14
    assert not {"cistell.sieve", "cistell.neural", "sklearn"} & {*names}


def test_resolution_needs_neither_pytorch_nor_a_parser():
    names = list_modules("import cistell.cli")
    assert not {"torch", "spacy", "stanza", "ufal", "sklearn"} & {*names}


def test_the_scorer_does_not_import_the_resolver():
    assert "cistell" not in list_modules("import corefkit.cli")
