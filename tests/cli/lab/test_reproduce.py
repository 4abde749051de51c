"""`corefkit lab reproduce`."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace

import pytest

from corefkit import papers
from corefkit.cli import main

FIGURES = [f"lea-figure-{number}" for number in range(2, 9)]


@pytest.fixture
def run(capsys):
    def run(*words):
        code = main(["lab", "reproduce", *words])
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


@pytest.fixture
def no_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)


@pytest.mark.slow
def test_all_papers_are_reproduced(run):
    code, out, err = run()
    assert code == 0
    assert "273 consistent, 4 errata, 0 differ\n" in out
    assert err == ""


@pytest.mark.parametrize(
    ("names", "cited"),
    [
        (["luo"], ["Luo 2005"]),
        (["LEA"], ["Moosavi and Strube 2016"]),
        (["2014", "Recasens"], ["Pradhan et al. 2014", "Recasens and Hovy 2010"]),
        (["cs"], ["Cai and Strube 2010"]),
    ],
)
@pytest.mark.slow
def test_a_paper_goes_by_a_part_of_its_name(run, names, cited):
    code, out, _ = run(*(word for name in names for word in ("--paper", name)))
    headings = [papers.load_paper(name).cited for name in papers.PAPERS]
    assert code == 0
    assert [one for one in headings if f"\n{one}: " in out] == cited


def test_json_is_for_programs(run):
    code, out, _ = run("--paper", "luo", "--format", "json")
    assert code == 0
    (paper,) = json.loads(out)["papers"]
    assert {one["kind"] for one in paper["claims"]} == {"recomputed", "printed"}


def test_an_unknown_paper_is_wrong_usage(run):
    code, out, err = run("--paper", "vilain")
    assert code == 2
    assert out == ""
    assert err.startswith(
        "error: unknown paper 'vilain'\n\nhint: known are moosavi-strube"
    )


def test_what_differs_is_told_and_the_code_is_1(run, monkeypatch):
    load = papers.load_paper

    def altered(name):
        paper = load(name)
        table, *tables = paper.tables
        row, *rows = table.rows
        wrong = replace(row, printed={"lea": ("0.25", "0.33", "-")})
        return replace(paper, tables=(replace(table, rows=(wrong, *rows)), *tables))

    monkeypatch.setattr(papers, "load_paper", altered)
    monkeypatch.setattr(papers, "PAPERS", ("moosavi-strube-2016",))
    code, out, err = run()
    assert code == 1
    assert re.search(r"\d+ numbers recomputed: .*, 1 differs\n", out)
    assert err == (
        "error: differs: moosavi-strube-2016, section-5, the example, lea, recall: "
        "0.25 printed, 0.238095 computed\n"
    )


@pytest.mark.usefixtures("no_matplotlib")
@pytest.mark.slow
def test_a_folder_gets_pages_and_the_data_of_figures(run, tmp_path):
    folder = tmp_path / "new" / "folder"
    code, _, err = run("-o", str(folder))
    assert code == 0
    assert {path.name for path in folder.iterdir()} == {
        "index.html",
        "reproduce.md",
        *(f"{name}.csv" for name in FIGURES),
    }
    assert f"wrote index.html, reproduce.md and 7 figures (CSV) to {folder}\n" in err
    assert 'pip install "corefkit[plots]"' in err
    assert "<img" not in (folder / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_figures_are_drawn_and_stand_in_the_page(run, tmp_path):
    pytest.importorskip("matplotlib")
    code, _, err = run("-o", str(tmp_path), "--paper", "lea")
    assert code == 0
    assert err == (
        "wrote index.html, reproduce.md and 7 figures (CSV, SVG and PNG) to "
        f"{tmp_path}\n"
    )
    for name in FIGURES:
        assert (tmp_path / f"{name}.svg").stat().st_size
        assert (tmp_path / f"{name}.png").stat().st_size
    assert (tmp_path / "index.html").read_text("utf-8").count("<img ") == 7


@pytest.mark.usefixtures("no_matplotlib")
def test_a_paper_without_figures_needs_no_matplotlib(run, tmp_path):
    code, _, err = run("-o", str(tmp_path), "--paper", "luo")
    assert code == 0
    assert err == f"wrote index.html, reproduce.md to {tmp_path}\n"


@pytest.mark.usefixtures("no_matplotlib")
@pytest.mark.slow
def test_the_same_run_gives_the_same_bytes(run, tmp_path):
    for folder in ("one", "two"):
        run("-o", str(tmp_path / folder), "--paper", "lea")
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
