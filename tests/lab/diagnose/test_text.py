"""A diagnosis laid out: for a terminal, as Markdown and as JSON."""

from __future__ import annotations

import json

from builders import corpora, letters
from hypothesis import given, settings

from corefkit.lab.diagnosis import (
    diagnose,
    render_diagnosis,
    render_diagnosis_json,
    render_diagnosis_markdown,
)
from corefkit.metrics.registry import METRICS, VARIANTS
from corefkit.settings import Settings

KEY, RESPONSE = letters("abc de fg hi j"), letters("abd ef g jx")


@given(corpora())
@settings(max_examples=15)
def test_page_is_88_columns_wide(corpus):
    result = diagnose(*corpus, metrics=[*METRICS, *VARIANTS])
    *lines, signature = render_diagnosis(result).splitlines()
    assert signature == Settings().signature
    assert max(map(len, lines)) <= 88
    assert all(line == line.rstrip() for line in lines)


def test_changes_stand_below_a_version():
    result = diagnose(letters("ab cd ef"), letters("ab ce"), metrics=["muc", "b_cubed"])
    block = render_diagnosis(result).split("\n\n")[3]
    assert block.splitlines()[:5] == [
        "                                  MUC                      B³",
        "                    R       P      F1       R       P      F1",
        "Base            33.33   50.00   40.00   50.00   75.00   60.00",
        "More precise    33.33  100.00   50.00   33.33  100.00   50.00",
        "  change         0.00  +50.00  +10.00  -16.67! +25.00  -10.00!",
    ]


def test_marks_are_explained_where_there_are_any():
    text = " ".join(render_diagnosis(diagnose(KEY, RESPONSE)).split())
    assert "! is a change the wrong way. * is undefined" in text
    clean = render_diagnosis(diagnose(["ab"], ["ab"], metrics=["lea"]))
    assert "!" not in clean
    assert "*" not in clean
    assert "Mentions are shown" not in clean


def test_markdown_has_the_cells_of_the_table():
    result = diagnose(KEY, RESPONSE)
    blank = "\N{NO-BREAK SPACE}"
    rows = [
        [
            cell.replace("\\", "").strip(f" {blank}")
            for cell in line.strip("|").split("|")
        ]
        for line in render_diagnosis_markdown(result).splitlines()
        if line.startswith("|")
    ]
    plain = render_diagnosis(result).splitlines()
    for name, *cells in rows:
        if name in {
            "Base",
            "change",
            "More precise",
            "Less precise a",
            "One entity",
        }:
            assert any(
                line.strip().startswith(name) and line.split()[-len(cells) :] == cells
                for line in plain
            )
    assert render_diagnosis_markdown(result).endswith(f"`{Settings().signature}`")
    assert (
        f"| {blank * 4}alone | 1 | not linked to anything |"
        in render_diagnosis_markdown(result)
    )


def test_json_has_all_numbers():
    result = diagnose(KEY, RESPONSE)
    values = json.loads(render_diagnosis_json(result))
    assert values["signature"] == Settings().signature
    assert values["documents"] == 1
    assert values["found"] == result.found._asdict()
    assert values["freed_singletons"] == result.freed
    assert "notes" not in values
    assert list(values["versions"]) == list(result.versions)
    for name, version in result.versions.items():
        written = values["versions"][name]
        assert written["mentions"] == version.mentions
        assert written["entities"] == version.entities
        assert written["conll"] == version.evaluation.conll
        assert written["scores"]["lea"]["f1"] == version.evaluation["lea"].f1
    assert len(values["verdicts"]) == len(result.verdicts)
    first, verdict = values["verdicts"][0], result.verdicts[0]
    assert first == {
        "version": verdict.version,
        "metric": verdict.metric,
        "field": verdict.field,
        "from": verdict.before,
        "to": verdict.after,
        "points": verdict.points,
        "sentence": verdict.sentence,
    }
