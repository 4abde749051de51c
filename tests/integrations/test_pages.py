"""Pages and modules of libraries with an environment of their own: all examples run.

A page is run from top to bottom, in one namespace: blocks of `python` are executed, and
blocks of `pycon` print what the page shows. `COREFKIT_REWRITE=1 python3 dev.py
integrations` rewrites their outputs, as `python3 dev.py rewrite` does elsewhere.
"""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from kept import is_rewriting, rewrite_example, show_version
from shared_files import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.integration,
    # Libraries warn of what they think of their own settings.
    pytest.mark.filterwarnings("ignore"),
]
PAGES = {
    "docs/integrations/huggingface.md": (
        "evaluate",
        "lightning",
        "stanza",
        "torchmetrics",
        "transformers",
    ),
    "src/corefkit/integrations/coreference/README.md": ("evaluate",),
}
MODULES = {
    "corefkit.integrations.torch": "torchmetrics",
    "corefkit.integrations.coreference.coreference": "evaluate",
}
_BLOCK = re.compile(r"^```(python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Runner(doctest.DocTestRunner):
    """Collects outputs that differ in place of printing them."""

    def __init__(self) -> None:
        super().__init__()
        self.differing: list[doctest.DocTestFailure] = []

    def report_failure(self, out, test, example, got):  # noqa: ARG002
        self.differing.append(doctest.DocTestFailure(test, example, got))


def run(page: Path) -> int:
    """Run the blocks of a page; return how many there were."""
    names: dict = {"__name__": page.stem}
    text = page.read_text("utf-8")
    blocks = list(_BLOCK.finditer(text))
    runner = Runner()
    for block in blocks:
        line = text.count("\n", 0, block.start(2))
        if block[1] == "python":
            exec(compile("\n" * line + block[2], str(page), "exec"), names)
            continue
        parsed = doctest.DocTestParser().get_doctest(
            block[2], names, page.name, str(page), line
        )
        for example in parsed.examples:
            example.options.setdefault(doctest.ELLIPSIS, True)
            if not is_rewriting():
                example.want = show_version(example.want)
        told: list[str] = []
        runner.run(parsed, out=told.append, clear_globs=False)
        names.update(parsed.globs)
        assert not told, "".join(told)
    for failure in reversed(runner.differing):
        assert is_rewriting(), f"Expected:\n{failure.example.want}Got:\n{failure.got}"
        rewrite_example(page, failure)
    return len(blocks)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Let libraries write what they write into a folder of the test."""
    monkeypatch.chdir(tmp_path)
    for name in ("HF_HOME", "HF_MODULES_CACHE", "HF_EVALUATE_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / name))


@pytest.mark.kept
@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("page", PAGES)
def test_page_runs(page):
    for library in PAGES[page]:
        pytest.importorskip(library, reason=f"needs {library}")
    assert run(ROOT / page) > 0


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("module", MODULES)
def test_examples_of_modules_run(module):
    pytest.importorskip(MODULES[module], reason=f"needs {MODULES[module]}")
    loaded = import_module(module)
    tests = doctest.DocTestFinder().find(loaded)
    # What `evaluate` shows of a module is no docstring, but a text.
    texts = [value for name, value in vars(loaded).items() if name == "_INPUTS"]
    parse = doctest.DocTestParser().get_doctest
    tests += [parse(text, {}, module, module, 0) for text in texts]
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in tests:
        runner.run(test)
    assert runner.tries > 0
    assert runner.failures == 0


def test_a_block_that_is_wrong_is_noticed_or_rewritten(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("```python\na = 1\n```\n\n```pycon\n>>> a\n2\n\n```\n", "utf-8")
    with pytest.raises(AssertionError, match="Expected"):
        run(page)
    monkeypatch.setenv("COREFKIT_REWRITE", "1")
    assert run(page) == 2
    assert ">>> a\n1\n\n```" in page.read_text("utf-8")


def test_pages_here_are_left_out_elsewhere():
    """The ordinary run does not collect them, since it would fail."""
    ignored = (ROOT / "conftest.py").read_text("utf-8")
    for page in PAGES:
        assert page.removesuffix("/README.md") in ignored
