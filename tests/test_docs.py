"""The shell examples of the documentation: each is run, and prints what the page shows.

In a block marked `console`, a line that starts with `$` is a command, and the lines up
to the next command are its output. `$ corefkit ...` and `$ corefkit-scorer ...` run in
a folder with the example corpus; the page shows their stdout, or stdout and then
stderr. A line `...` stands for any lines. A file that `$ cat` shows is created if it
does not exist, so that a page can show an input and then the output for it.
"""

from __future__ import annotations

import gzip
import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from corefkit.cli import main
from corefkit.cli.scorer import run as scorer
from corefkit.example import paths, trees
from corefkit.formats import read

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NOT_RUN = ("git", "pip", "python3", "uv")
# Pages whose commands draw many figures.
SLOW = ("gallery.md",)

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
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


def matches(expected: str, printed: str) -> bool:
    """Compare line by line, without blanks at the ends of lines.

    >>> matches("a\\n...\\nd\\n", "a\\nb\\nc\\nd\\n"), matches("a\\n", "a\\nb\\n")
    (True, False)
    """
    lines = [line.rstrip() for line in expected.strip("\n").splitlines()]
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in lines
    )
    text = "".join(f"{line.rstrip()}\n" for line in printed.strip("\n").splitlines())
    return re.fullmatch(pattern, text) is not None


class Shell:
    """Runs the commands of one page in a folder of its own."""

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

    def _corefkit_scorer(self, words: list[str], _: str) -> list[str]:
        self.code = main(words, scorer)
        output = self.capsys.readouterr()
        return [output.out, output.out + output.err]

    def _cat(self, words: list[str], content: str) -> list[str]:
        (name,) = words
        file = self.folder / name
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            file.write_text(content, "utf-8")
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


def cases(pages: list[Path]) -> list[object]:
    """Make a case of each page, marked where it takes long."""
    return [
        pytest.param(
            page, id=page.name, marks=[pytest.mark.slow] if page.name in SLOW else []
        )
        for page in pages
    ]


@pytest.mark.parametrize("page", cases([page for page in PAGES if steps(page)]))
def test_commands_print_what_the_page_shows(page, tmp_path, monkeypatch, capsys):
    for path in (*paths(), trees()):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path, capsys)
    for step in steps(page):
        printed = shell.run(step)
        if not any(matches(step.output, text) for text in printed):
            place = f"{page.name}:{step.line}: $ {step.command}"
            assert step.output == printed[-1], place


WORDS = {"resolve", "train", "experiment"}


def pages_about_words() -> list[Path]:
    """List the pages with commands that look words up."""
    return [
        page
        for page in PAGES
        if any({*step.command.split()[1:2]} & WORDS for step in steps(page))
    ]


def write_wordnet(folder: Path) -> None:
    """Write a WordNet in which every noun of the example is an artifact."""
    nouns = {
        lemma.lower()
        for layers in (document.layers for document in read(trees()))
        for lemma, tag in zip(layers["lemma"], layers["upos"], strict=True)
        if tag == "NOUN"
    }
    licence = "  1 A licence stands here.  \n"
    sense = f"{len(licence):08}"
    lines = (f"{word} n 1 0 1 0 {sense}  \n" for word in sorted(nouns))
    (folder / "index.noun").write_text(licence + "".join(lines), "utf-8")
    synset = f"{sense} 06 n 01 thing 0 000 | a thing  \n"
    (folder / "data.noun").write_text(licence + synset, "utf-8")


@pytest.mark.parametrize("installed", [True, False], ids=["with", "without"])
@pytest.mark.parametrize("page", cases(pages_about_words()))
def test_pages_show_the_same_with_wordnet_and_without(
    page, installed, tmp_path_factory, tmp_path, monkeypatch, capsys
):
    folder = tmp_path_factory.mktemp("wordnet")
    if installed:
        write_wordnet(folder)
    for name in ("COREFKIT_WORDNET", "WNHOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WNSEARCHDIR", str(folder))
    monkeypatch.setattr("corefkit.cistell.lexicon.princeton.PACKAGED", ())
    monkeypatch.setattr("corefkit.cistell.lexicon.database_nouns", lambda _: None)
    test_commands_print_what_the_page_shows(page, tmp_path, monkeypatch, capsys)


def test_output_that_differs_is_noticed():
    assert not matches("MUC  1\n", "MUC  2\n")
    assert not matches("MUC  1\n", "")
    assert not matches("", "MUC  1\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    for target, heading in _LINK.findall(page.read_text("utf-8")):
        other = (page.parent / target).resolve() if target else page
        assert other.exists(), f"{page.name}: no {target}"
        if heading:
            assert heading in headings(other), f"{page.name}: no {target}#{heading}"


def headings(page: Path) -> set[str]:
    """List the anchors of a page's headings, as GitHub builds them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    words = [re.sub(r"[^\w\s-]", "", title.lower()) for title in titles]
    return {word.strip().replace(" ", "-") for word in words}
