"""The report as Markdown, LaTeX, HTML and for a terminal."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from resolver.experiment.made import even, pairs_of, results_of, setting_of, study_of

from cistell.studies.claims import findings
from cistell.studies.pages.report import tally
from cistell.studies.pages.writing import (
    html_report,
    latex_tables,
    markdown_report,
    plain_summary,
    result_values,
)

DASH = "\N{EN DASH}"
ANSWERS = {"apposition": {"pairs": 200, "coreferent": 150}}
PAIRS = pairs_of(["head_match", "apposition", "nominal_predicate"], answers=ANSWERS)


@pytest.fixture(scope="module")
def found():
    modern = {"best": {"muc": 0.7, "b_cubed": 0.7, "ceaf_m": 0.7, "lea": 0.7}}
    scores = even(weak={"muc": 0.5543}, head_match={"b_cubed": 0.8321})
    results = study_of(
        results_of(
            scores,
            setting=setting_of("tales", paper="table-5-ontonotes", scheme="ontogum"),
            modern=modern,
            pairs=PAIRS,
            links={"all_singletons": 0},
        ),
        results_of(
            even(),
            setting=setting_of("typed", paper="table-5-ace", scheme="ace"),
            pairs=PAIRS,
        ),
    )
    return results, findings(results)


def test_markdown_has_scores_beside_the_papers(found):
    text = markdown_report(*found)
    assert text.startswith("# Stories: a study after Recasens and Hovy 2010\n")
    row = re.search(r"^\| WEAK \| .*", text, re.MULTILINE)
    assert "| 55.43 | 55.4-55.4 |" in row[0]
    beside = re.findall(r"^\| WEAK \| .*", text, re.MULTILINE)[1]
    assert beside.startswith("| WEAK | 55.43 | 55.03 | 1 / 1 | 50.00 | 78.82 | 2 / 7 |")
    assert f"| ALL SINGLETONS | {DASH} | {DASH} | {DASH} / {DASH} |" in text


def test_markdown_tables_are_whole(found):
    lines = markdown_report(*found).splitlines()
    for one, other in pairwise(lines):
        if one.startswith("|") and other.startswith("|"):
            assert one.count("|") == other.count("|")


def test_corpora_stand_beside_the_papers(found):
    text = markdown_report(*found)
    assert "| Tales | training | 6 | 6 | 1,000 | 200 | 100 | 80 | 20 |" in text
    assert "| ACE (Table 4) | training | 297 | 297 | 87,068 | 12,951 |" in text
    assert "The tales are short." in text


def test_claims_are_overviewed_and_told_one_by_one(found):
    text = markdown_report(*found)
    assert "| MUC rewards WEAK most | holds | noise |" in text
    assert "- **holds** Tales  \n  +5.4 [+5.4, +5.4] points; in the paper +5.1" in text
    assert f"ALL SINGLETONS is above STRONG and WEAK | not so | {DASH} |" in text
    assert (
        "| MUC of the four models is higher on ACE | Tales and Typed | not so |" in text
    )


def test_latex_has_a_table_for_each(found):
    text = latex_tables(*found)
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") > 8
    assert text.count(r"\begin{tabular}") == text.count(r"\bottomrule")
    assert "WEAK & 55.43 & 55.43 & 55.43 & 55.4-55.4" in text
    assert "B$^3$" in text
    for line in text.splitlines():
        if not line.startswith("%"):
            assert not re.search(r"(?<!\\)%(?!$)", line), line


def test_page_needs_nothing_beside_it(found):
    page = html_report(*found)
    assert page.startswith("<!DOCTYPE html>")
    assert not re.search(r'(?:src|href)="(?!#)', page)
    anchors = re.findall(r'<a href="#([^"]+)"', page)
    assert {*anchors} <= {*re.findall(r' id="([^"]+)"', page)}
    own = r"<(style|script)>.*?</\1>"
    assert "$" not in re.sub(own, "", page, flags=re.DOTALL)
    assert '<b class="right">holds</b>' in page
    assert '<b class="noise">noise</b>' in page


def test_page_has_balanced_tags(found):
    page = html_report(*found)
    for tag in ("table", "tbody", "tr", "td", "ul", "li", "h2", "h3", "p", "div"):
        opened = len(re.findall(rf"<{tag}[ >]", page))
        assert opened == page.count(f"</{tag}>"), tag


def test_summary_fits_a_terminal(found):
    text = plain_summary(*found)
    assert max(map(len, text.splitlines())) <= 88
    assert re.search(r"^WEAK +55\.4 ±0\.0 +50\.0 ±0\.0", text, re.MULTILINE)
    assert re.search(
        r"^mixed +MUC rewards WEAK most \(section 4\)$", text, re.MULTILINE
    )
    assert f"{tally(found[1])}." in text


def test_values_are_plain_and_rounded(found):
    values = result_values(*found)
    first = values["settings"][0]
    (weak,) = [one for one in first["systems"] if one["model"] == "weak"]
    assert weak["scores"]["muc"]["f1"] == 0.5543
    assert first["ranks"]["muc"]["weak"] == 1
    assert first["printed"]["weak"]["muc.f1"] == 55.03
    assert {one["claim"] for one in values["findings"]} >= {"muc-weak", "links"}


def test_corpora_that_differ_are_told(found):
    # Made-up scores have no fingerprint, and so nothing that differs.
    assert "Not the same corpus" not in markdown_report(*found)
