"""The page of a report: what stands first, and that all numbers are on it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from reports import example_report, made_report

from corefkit.report.findings import build_findings
from corefkit.report.reader_data import Reader
from corefkit.report.report_page import build_report_page, use_display_names
from corefkit.tables.html import render_html_page
from corefkit.tables.model import (
    Bars,
    Beside,
    Folded,
    Heading,
    Ranges,
    Scatter,
    Table,
)

KEY = {f"d{number}": ["abc", "de"] for number in range(4)}
EMPTY = {"d0": []}


@pytest.fixture(scope="module")
def report():
    return example_report()


@pytest.fixture(scope="module")
def page(report):
    return build_report_page(report)


def findings(report):
    return {one.title: one for row in build_findings(report) for one in row}


def quoted(finding):
    return "".join(f"[{text}]" if mark else text for text, mark in finding.quote)


def parts(page, kind):
    for part in page.parts:
        inner = part.parts if isinstance(part, Beside) else [part]
        yield from (one for one in inner if isinstance(one, kind))


def test_findings_say_who_is_better_and_what_each_gets_wrong(report):
    assert [*findings(report)] == [
        "careful scores higher by CoNLL",
        "The metrics disagree",
        "careful leaves mentions out",
        "greedy conflates entities",
        "Fixed by greedy",
        "Introduced by greedy",
    ]


def test_the_verdict_says_why_chance_cannot_be_told(report):
    text = findings(report)["careful scores higher by CoNLL"].text
    assert "68.43 for careful and 61.88 for greedy" in text
    assert (
        "not significant at 0.05: only 4 texts differ, so p is at least 0.125" in text
    )


def test_metrics_that_disagree_are_named_by_who_is_first(report):
    text = findings(report)["The metrics disagree"].text
    assert "careful is first by B³, CEAFm, CEAFe, BLANC, LEA and CoNLL" in text
    assert "greedy is first by Mentions and MUC" in text
    assert "20 times in greedy, and 1 in careful" in text


def test_a_mistake_has_an_example_that_leads_into_the_text(report):
    found = findings(report)["greedy conflates entities"]
    text = found.text
    assert "20 of its 41 errors are conflated entities." in text
    assert "CoNLL would rise from 61.88 to 85.94" in text
    assert "Of the 59 links of the key it misses 5" in text
    assert "of the 77 of the response, 23 are wrong." in text
    assert "[Her predecessor Anders Lie]" in quoted(found)
    assert re.match(r"#d=.*&s=2&e=conflated%23\d+-\d+$", found.links[0][1])


def test_changes_of_the_second_system_have_examples_of_their_own(report):
    fixed, introduced = (
        findings(report)[f"{change} by greedy"] for change in ("Fixed", "Introduced")
    )
    text = fixed.text
    assert text.startswith("37 errors that careful makes and greedy does not:")
    assert "22 missing mentions" in text
    assert "19 conflated entities" in introduced.text
    quotes = [quoted(found) for found in findings(report).values()]
    assert len({*filter(None, quotes)}) == 4


def test_all_sections_are_there_in_order(page):
    headings = [p.anchor for p in page.parts if isinstance(p, Heading) and p.level == 2]
    assert headings == [
        "scores",
        "differences",
        "errors",
        "costs",
        "links",
        "documents",
        "texts",
        "reading",
        "citing",
    ]


def test_links_inside_the_page_lead_somewhere(page):
    text = render_html_page(page).partition("<body>")[2].partition("<script")[0]
    ids = set(re.findall(r' id="([^"]+)"', text))
    links = set(re.findall(r'href="#([^"=&]+)"', text))
    assert links
    assert links <= ids


def test_the_ladder_ends_at_a_hundred(page):
    for bars in parts(page, Bars):
        for _, shares in bars.bars:
            assert sum(share.size for share in shares) == pytest.approx(100)


def test_each_document_is_a_dot_that_opens_it(page):
    (scatter,) = parts(page, Scatter)
    assert len(scatter.points) == 4
    assert all(point.address.endswith("&s=1%2C2") for point in scatter.points)
    assert (scatter.across, scatter.up) == ("careful", "greedy")


def test_scores_have_recall_precision_and_intervals(page):
    grid = next(parts(page, Table))
    lea = next(row for row in grid.rows if row[0].text == "LEA")
    assert [cell.text for cell in lea[1:4]] == ["47.10", "81.48", "59.70"]
    assert re.fullmatch(r"\[[\d.]+, [\d.]+\]", lea[4].text)


def test_the_same_report_has_the_same_bytes(page):
    assert render_html_page(page) == render_html_page(
        build_report_page(example_report())
    )


def test_one_system_has_its_interval_and_no_test():
    report = example_report("careful")
    page = build_report_page(report)
    assert [*findings(report)] == [
        "careful scores 68.43 by CoNLL",
        "careful leaves mentions out",
    ]
    assert "differences" not in {
        part.anchor for part in page.parts if isinstance(part, Heading)
    }
    (scatter,) = parts(page, Scatter)
    assert not scatter.is_square


def test_many_systems_have_rows_and_a_table_of_mistakes():
    systems = {f"team{n}": {id: ["ab"] for id in [*KEY][: n + 1]} for n in range(5)}
    page = build_report_page(made_report(KEY, systems, metrics=["lea"]))
    assert page.title == "5 systems against key"
    captions = [grid.caption for grid in parts(page, Table)]
    assert "What costs each system most" in captions
    (chart,) = parts(page, Ranges)
    assert len(chart.rows) == 5


@pytest.mark.parametrize(
    "systems",
    [
        {"A": KEY},
        {"A": KEY, "B": KEY},
        {"A": EMPTY, "B": EMPTY},
        {"A": EMPTY, "B": KEY, "C": {"d0": ["ab"]}},
        {"A": {"d1": ["abcde"]}},
    ],
    ids=["right", "equal", "empty", "three", "missing"],
)
def test_what_can_come_does_not_break_the_page(systems):
    text = render_html_page(build_report_page(made_report(KEY, systems)))
    body = text.partition("<body>")[2].partition("<script")[0]
    assert not re.search(r"\bnan\b|\binf\b|\bNone\b", body)


@pytest.mark.parametrize(
    "keywords",
    [
        {"average": "macro"},
        {"singletons": "drop"},
        {"metrics": ["muc"]},
        {"statistic": "recall"},
        {"baseline": "greedy.conll"},
        {"strata": "genre"},
        {"test": "bootstrap"},
    ],
    ids=str,
)
def test_settings_do_not_break_the_page(keywords):
    body = render_html_page(build_report_page(example_report(**keywords))).partition(
        "<body>"
    )[2]
    assert not re.search(r"\b(nan|inf|None)\b", body.partition("<script")[0])


def test_other_statistics_are_named():
    page = build_report_page(example_report(statistic="recall"))
    (chart,) = parts(page, Ranges)
    assert chart.title == "Recall of each metric with 95% intervals"
    grid = next(parts(page, Table))
    assert [column.head for column in grid.columns[1:]] == [
        "Recall",
        "95% interval",
    ] * 2


def test_names_of_the_input_are_never_markup():
    hostile = '<script>"&\u2028'
    key = {hostile: [["<b>", "&"], ["c", "d"]]}
    systems = {f"{hostile}2": {hostile: [["<b>", "c"]]}}
    text = render_html_page(build_report_page(made_report(key, systems)))
    body = text.partition("<body>")[2]
    assert body.count("<script") == body.count("</script>")
    assert "<b>&" not in body


def test_the_reader_is_part_of_the_page(page):
    assert [*parts(page, Reader)]


def verdicts(systems, **keywords):
    found = findings(made_report(KEY, systems, **keywords))
    return {title: one.text for title, one in found.items()}


WORSE = {**KEY, "d0": ["ab", "cde"]}


def test_two_equal_systems_are_called_equal():
    found = verdicts({"A": KEY, "B": KEY})
    assert found["CoNLL does not distinguish the systems"].startswith("CoNLL, the mean")
    assert "No metric distinguishes the systems" in found["The scores are equal"]


def test_systems_that_share_the_first_place_are_both_named():
    found = verdicts({"A": KEY, "B": WORSE, "C": KEY})
    text = found["A and C share the first place by CoNLL"]
    assert "is 100.00 for both, where 100 is perfect" in text
    assert found["The metrics agree"] == (
        "A and C share the first place by MUC, B³, CEAFm, CEAFe, BLANC, LEA and CoNLL; "
        "Mentions gives all the same score."
    )


def test_a_tie_below_the_first_place_does_not_matter():
    found = verdicts({"A": WORSE, "B": KEY, "C": WORSE}, metrics=["muc", "lea"])
    assert found["The metrics agree"] == "B is first by all 2 metrics."


def test_the_lead_over_many_is_not_called_chance_where_that_cannot_be_told():
    systems = {"A": KEY, "B": WORSE, "C": {**WORSE, "d1": ["ab", "cde"]}}
    found = verdicts(systems, metrics=["lea"])
    text = found["A scores highest by LEA"]
    assert "Whether its lead is chance is unknown: only 1 to 2 texts" in text


def test_a_lead_is_significant_over_some_and_can_be_chance_over_others():
    key = {f"d{number}": ["abc", "de"] for number in range(12)}
    near = {**key, "d0": ["ab", "cde"], "d1": ["ab", "cde"]}
    far = {name: ["ab", "cde"] for name in key}
    systems = {"A": key, "B": near, "C": far}
    report = made_report(key, systems, metrics=["lea"])
    text = findings(report)["A scores highest by LEA"].text
    assert "significantly better than 1 of 2 others, but its lead over B can be" in text


def test_remarks_call_systems_what_the_page_calls_them(page):
    html = render_html_page(page)
    assert "careful and greedy cannot be significant: only 4 texts" in html
    assert "careful.conll" not in html.partition("reader-data")[0]


@pytest.mark.parametrize(
    ("text", "renamed"),
    [
        ("careful.conll and greedy.conll.", "careful and greedy."),
        ("other/careful.conll", "other/careful.conll"),
        (
            "careful.conll.gz, very-careful.conll",
            "careful.conll.gz, very-careful.conll",
        ),
    ],
)
def test_names_inside_other_names_stay(report, text, renamed):
    assert use_display_names(report, text) == renamed


def test_tests_in_full_and_finer_tables_are_folded(page):
    folded = [part for part in page.parts if isinstance(part, Folded)]
    assert [part.title for part in folded] == [
        "More about CoNLL F1 and LEA F1",
        "The same in numbers, with remarks",
        "Links by distance, size of the entity and more",
    ]
    assert all(part.parts for part in folded)


def test_remarks_have_no_path_of_the_key():
    report = replace(example_report(), key="/data/mine/key.conll")
    text = use_display_names(report, "/data/mine/key.conll: has no mention")
    assert text == "key.conll: has no mention"


@pytest.mark.parametrize(
    ("keywords", "values"),
    [
        ({"statistic": "recall"}, "recall"),
        ({"statistic": "precision", "metrics": ["muc"]}, "precision"),
        ({"metrics": ["alpha"]}, "value"),
    ],
    ids=str,
)
def test_dots_stand_at_what_their_title_names(keywords, values):
    report = example_report("careful", **keywords)
    (scatter,) = parts(build_report_page(report), Scatter)
    lead = [*report.comparison.metrics][-1]
    assert [point.y for point in scatter.points] == pytest.approx(
        [100 * getattr(row[lead], values) for row in report.evaluations[0].per_document]
    )
    assert bool(scatter.about) == (values == "value")


def test_documents_without_a_score_are_no_dots():
    report = made_report({**KEY, "e": []}, {"A": {**WORSE, "e": []}, "B": KEY})
    (scatter,) = parts(build_report_page(report), Scatter)
    assert [point.label.partition(":")[0] for point in scatter.points] == [*KEY]


def lacking_report(*order):
    """Compare a response that lacks a document, and is worst, with others."""
    lacks = {id: ["ab", "cde"] for id in [*KEY][1:]}
    systems = {"A": lacks, "B": {**KEY, "d0": ["ad", "bce"]}, "C": WORSE}
    chosen = {name: systems[name] for name in order}
    return made_report(KEY, chosen, missing="skip", metrics=["muc"])


def test_mentions_are_known_of_documents_that_one_system_lacks():
    (scatter,) = parts(build_report_page(lacking_report("A", "B", "C")), Scatter)
    assert {point.size for point in scatter.points} == {5}


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_all_scores_are_of_the_documents_that_no_system_lacks(order):
    report = lacking_report(*order)
    page = build_report_page(report)
    assert page.intro[0].text.endswith("3 documents and 15 mentions in the key.")
    (row,) = next(parts(page, Table)).rows
    scores = [{cell.text for cell in row[at : at + 3]} for at in (1, 5)]
    assert scores == [{"66.67"}, {"100.00"}][:: 1 if order == "AB" else -1]
    assert any("errors are of all documents" in text for text in report.warnings)


def test_sentences_say_which_statistic_they_are_about():
    found = verdicts({"A": KEY, "B": WORSE}, statistic="recall")
    verdict = found["A scores higher by CoNLL"]
    assert verdict.startswith("CoNLL, the mean recall of MUC, B³ and CEAFe, is 100.00")
    assert any("CoNLL F1 would rise from" in text for text in found.values())


@pytest.mark.parametrize(
    ("baseline", "alternative", "is_asked"),
    [
        ("A", "less", True),
        ("A", "greater", False),
        ("B", "greater", True),
        ("B", "less", False),
    ],
)
def test_a_one_sided_test_says_nothing_about_the_other_side(
    baseline, alternative, is_asked
):
    key = {f"d{number}": ["abc", "de"] for number in range(12)}
    worse = {name: ["ab", "cde"] for name in key}
    keywords = {"baseline": baseline, "alternative": alternative, "metrics": ["lea"]}
    report = made_report(key, {"A": key, "B": worse}, **keywords)
    text = findings(report)["A scores higher by LEA"].text
    assert (", significant at 0.05" in text) == is_asked
    assert ("was not tested" in text) != is_asked
    assert "not significant" not in text


@pytest.mark.parametrize("systems", [1, 2, 5])
def test_navigation_has_the_words_of_the_headings(systems):
    key = {f"d{number}": ["abc", "de"] for number in range(4)}
    responses = {f"S{number}": {"d0": ["ab"]} for number in range(systems)}
    html = render_html_page(build_report_page(made_report(key, responses)))
    nav = html[html.index("<nav") : html.index("</nav>")]
    links = re.findall('<a href="(#[a-z]+)">([^<]+)</a>', nav)
    headings = re.findall('<h2 id="[a-z]+"><a href="(#[a-z]+)">([^<]+)</a>', html)
    assert links == headings
    assert len(links) >= 8


def test_differences_of_scores_and_errors_are_the_first_minus_the_second(report):
    head = " \N{MINUS SIGN} ".join(system.name for system in report.ranked)
    tables = [
        table
        for table in parts(build_report_page(report), Table)
        if any(head in (column.head, column.group) for column in table.columns)
    ]
    scores, errors = (
        next(row for table in tables for row in table.rows if row[0].text == label)
        for label in ("CoNLL", "All")
    )
    first, second, difference = (float(cell.text) for cell in scores[1:4])
    assert difference == pytest.approx(first - second, abs=0.011)
    assert difference > 0
    first, _, second, _, difference = (float(cell.text) for cell in errors[1:6])
    assert difference == first - second
    assert difference < 0
