"""The shell examples of the documentation: each is run, and prints what the page shows.

In a block marked `console`, a line that starts with `$` is a command, and the lines up
to the next command are its output. `$ corefkit ...`, `$ corefkit-scorer ...` and
`$ cistell ...` run in a folder with the example corpus; the page shows their stdout, or
stdout and then stderr. A line `...` stands for any lines. A file that `$ cat` shows is
created if it does not exist, so that a page can show an input and then its output.
"""

from __future__ import annotations

import gzip
import re
import shlex
import shutil
import tomllib
from difflib import SequenceMatcher
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from kept import is_rewriting, replace_lines, show_version, update_lines

import corefkit
from cistell.cli import main as resolver
from cistell.neural import NeuralResolver
from corefkit.cli import main
from corefkit.cli.scorer import run as scorer
from corefkit.example import paths, trees

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NOT_RUN = ("git", "pip", "python3", "uv")

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^```.*?^```$|``.*?``|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")


class Step(NamedTuple):
    """A command of a page, its line, and the output below it."""

    line: int
    command: str
    output: str


def steps(page: Path) -> list[Step]:
    """List the commands of a page."""
    found: list[Step] = []
    text = page.read_text("utf-8")
    for block in _BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        assert block[1].startswith("$ "), f"{page}:{first}: expected a command"
        for line, content in enumerate(block[1].splitlines(), start=first):
            if content.startswith("$ "):
                found.append(Step(line, content.removeprefix("$ "), ""))
            else:
                before = found.pop()
                found.append(before._replace(output=f"{before.output}{content}\n"))
    return found


def printed_lines(text: str) -> list[str]:
    """List lines without blanks at their ends and empty lines around them."""
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def matches(expected: str, printed: str) -> bool:
    """Compare line by line, without blanks at the ends of lines.

    >>> matches("a\\n...\\nd\\n", "a\\nb\\nc\\nd\\n"), matches("a\\n", "a\\nb\\n")
    (True, False)
    """
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n"
        for line in printed_lines(expected)
    )
    text = "".join(f"{line}\n" for line in printed_lines(printed))
    return re.fullmatch(pattern, text) is not None


class Shell:
    """Runs the commands of one page in a separate folder."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys
        self.code = 0

    def run(self, step: Step) -> list[str]:
        """Run a command and return the texts that the page may show below it."""
        name, *words = shlex.split(step.command, comments=True)
        if name in NOT_RUN:
            return [step.output]
        return getattr(self, f"_{name.replace('-', '_')}")(words, step.output)

    def _corefkit(self, words: list[str], _: str) -> list[str]:
        self.code = main(words)
        output = self.capsys.readouterr()
        return [output.out, output.out + output.err]

    def _cistell(self, words: list[str], _: str) -> list[str]:
        self.code = resolver(words)
        output = self.capsys.readouterr()
        return [output.out, output.out + output.err]

    def _corefkit_scorer(self, words: list[str], _: str) -> list[str]:
        self.code = main(words, scorer)
        output = self.capsys.readouterr()
        return [output.out, output.out + output.err]

    def _cat(self, words: list[str], content: str) -> list[str]:
        (name,) = words
        file = self.folder / name
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            file.write_text(show_version(content), "utf-8")
        return [file.read_text("utf-8")]

    def _cp(self, words: list[str], _: str) -> list[str]:
        shutil.copy(*words)
        return [""]

    def _gzip(self, words: list[str], _: str) -> list[str]:
        (name,) = words
        with gzip.open(f"{name}.gz", "wb") as packed:
            packed.write(Path(name).read_bytes())
        Path(name).unlink()
        return [""]

    def _echo(self, words: list[str], _: str) -> list[str]:
        assert words == ["$?"]
        return [f"{self.code}\n"]


@pytest.mark.kept
@pytest.mark.parametrize("page", [*filter(steps, PAGES)], ids=lambda page: page.name)
def test_commands_print_what_the_page_shows(page, tmp_path, monkeypatch, capsys):
    for path in (*paths(), trees()):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path, capsys)
    runs = [(step, shell.run(step)) for step in steps(page)]
    if is_rewriting():
        rewrite_outputs(page, runs)
        runs = [
            (step, texts) for step, (_, texts) in zip(steps(page), runs, strict=True)
        ]
    for step, texts in runs:
        shown = step.output, show_version(step.output)
        if not any(matches(*pair) for pair in product(shown, texts)):
            place = f"{page.name}:{step.line}: $ {step.command}"
            assert step.output == texts[-1], place


def similarity(shown: str, text: str) -> float:
    return SequenceMatcher(None, shown, text, autojunk=False).ratio()


def rewrite_outputs(page: Path, runs: list[tuple[Step, list[str]]]) -> None:
    """Replace outputs that differ by the most similar text that may be shown."""
    for step, texts in reversed(runs):
        if not any(matches(step.output, text) for text in texts):
            text = max(texts, key=partial(similarity, step.output))
            old, new = step.output.splitlines(), printed_lines(text)
            replace_lines(page, step.line + 1, old, update_lines(old, new))


def test_tutorial_shows_the_text_of_its_key(tmp_path):
    page = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    shown = re.search(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
    path = tmp_path / "key.jsonl"
    path.write_text(next(step.output for step in steps(ROOT / "docs/tutorial.md")))
    assert shown in corefkit.entities_text(path)


# Files of the bundled example in place of those of the reader.
README_FILES = {
    "KEY": "key.conll",
    "RESPONSE": "careful.conll",
    "FILE": "key.conll",
    "A": "careful.conll",
    "B": "greedy.conll",
    "C": "copy=careful.conll",
    "story.txt": "story.txt",
}


def test_readme_commands_run_from_an_empty_folder(tmp_path, monkeypatch, capsys):
    text = (ROOT / "README.md").read_text("utf-8")
    pattern = r"(?:^ {4}|`)((?:corefkit|cistell) [^`\n]*)(?:`|$)"
    commands = re.findall(pattern, text, re.MULTILINE)
    assert len(commands) >= 12
    monkeypatch.chdir(tmp_path)
    assert main(["score", "--example"]) == 0
    Path("story.txt").write_text("Ann sold her mill. She misses it.", "utf-8")
    for command in commands:
        program, *words = shlex.split(command)
        words = [README_FILES.get(word, word) for word in words]
        code = {"corefkit": main, "cistell": resolver}[program](words)
        assert code == 0, (command, capsys.readouterr().err)


def test_output_that_differs_is_noticed():
    assert not matches("MUC  1\n", "MUC  2\n")
    assert not matches("MUC  1\n", "")
    assert not matches("", "MUC  1\n")


def test_links_between_pages_lead_somewhere():
    dead = []
    for page in PAGES:
        for target, heading in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
            linked = (page.parent / target).resolve() if target else page
            if not linked.exists() or (heading and heading not in headings(linked)):
                dead.append((page.name, f"{target}#{heading}"))
    assert dead == []


def headings(page: Path) -> set[str]:
    """List the anchors of a page's headings, as GitHub builds them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    words = [re.sub(r"[^\w\s-]", "", title.lower()) for title in titles]
    return {word.strip().replace(" ", "-") for word in words}


def project(folder: str = ".") -> dict[str, Any]:
    """Read the metadata of a distribution."""
    path = ROOT / folder / "pyproject.toml"
    return tomllib.loads(path.read_text("utf-8"))["project"]


def test_install_commands_name_extras_of_the_package():
    extras = {
        name: project(folder)["optional-dependencies"]
        for name, folder in (("corefkit", "."), ("cistell", "packaging/cistell"))
    }
    command = re.compile(r"pip install ['\"]?([\w.-]*)\[([\w, ]*)\]")
    for path in (*PAGES, *(ROOT / "src").rglob("*.py")):
        # `.` is a clone, which readers lack.
        for package, names in command.findall(path.read_text("utf-8")):
            assert {*re.split(r",\s*", names)} <= {*extras[package]}, path


def test_pages_state_the_scores_of_the_bundled_model():
    scores = NeuralResolver.load().card["scores"]["GUM test, unseen genres"]
    readme, page = (
        re.sub(r"\s+", " ", (ROOT / name).read_text("utf-8"))
        for name in ("README.md", "docs/cistell.md")
    )
    assert f"CoNLL {scores['exact']} on raw text" in readme
    assert f"**{scores['exact']}**" in page


def test_pages_state_the_supported_versions():
    minima = dict(re.split(">=", package) for package in project()["dependencies"])
    for name, minimum in minima.items():
        stated = re.compile(rf"{name}\s+(?:\|\s+)?([\d.]+)\s+and\s+newer")
        versions = [
            v for page in PAGES for v in stated.findall(page.read_text("utf-8"))
        ]
        assert {*versions} == {minimum}, name
