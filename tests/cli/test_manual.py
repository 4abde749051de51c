"""Manual pages: what the parsers say, in roff that no program complains of."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from kept import check_text
from shared_files import ROOT

from corefkit.cli import COMMANDS, main
from corefkit.cli.described import commands
from corefkit.cli.manual_pages import PAGES

# A page has the version in place of a date, which nothing here knows.
DATE = 'missing date, using ""'


@pytest.fixture(scope="module")
def texts():
    return {
        name: "".join(f"{line}\n" for line in page()) for name, page in PAGES.items()
    }


@pytest.fixture(params=PAGES)
def page(request, texts):
    return texts[request.param]


@pytest.mark.parametrize("name", PAGES)
def test_the_command_prints_the_page(name, texts, capsys):
    assert main(["manual", name]) == 0
    assert capsys.readouterr().out == texts[name]


@pytest.mark.kept
@pytest.mark.parametrize("name", PAGES)
def test_published_pages_are_those_of_the_parsers(name, texts):
    check_text(ROOT / "man" / f"{name}.1", texts[name])


def test_every_command_and_option_is_there(texts):
    plain = re.sub(r"\\f[BIR]", "", texts["corefkit"]).replace(r"\-", "-")
    assert all(f".TP\n{name}\n" in plain for name in COMMANDS)
    sections = dict(re.findall(r"(?ms)^\.SH (COREFKIT .*?)\n(.*?)(?=^\.SH |\Z)", plain))
    described = commands()
    assert [*sections] == [f"COREFKIT {name.upper()}" for name in described]
    shared = {"-h", "--help", "-q", "--quiet", "--no-config"}
    for name, command in described.items():
        tags = re.findall(r"(?m)^\.TP\n(-.*)$", sections[f"COREFKIT {name.upper()}"])
        found = {
            word for tag in tags for word in re.findall(r"(?:^| )(--?[\w-]+)", tag)
        }
        known = {one for option in command.options for one in option.spellings}
        assert found == known - shared
        assert shared <= known


def test_only_ascii_and_known_macros(page):
    assert page.isascii()
    macros = set(re.findall(r"(?m)^\.(\w*)", page))
    assert macros <= {"TH", "SH", "SS", "TP", "PP", "br", "nf", "fi", "nh"}
    assert not re.search(r"(?m)^'", page)


def test_mandoc_has_nothing_to_say(page):
    if shutil.which("mandoc") is None:
        pytest.skip("needs mandoc")
    done = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning"],
        input=page,
        capture_output=True,
        text=True,
    )
    said = [line for line in done.stdout.splitlines() if DATE not in line]
    assert said == []


def test_groff_has_nothing_to_say(page):
    if shutil.which("groff") is None:
        pytest.skip("needs groff")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-z"], input=page, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
