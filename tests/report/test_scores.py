"""Tables for people: layout, marks, escapes."""

from __future__ import annotations

import dataclasses
import re
from types import MappingProxyType

import pytest
from builders import letters

import corefkit
from corefkit.results.score_table import (
    WRITERS,
    Order,
    label_responses,
    rank_results,
    write_results,
)

KEY = {"one_a": letters("abc defg"), "two": letters("a")}
plain_table, markdown_table, latex_table = (
    WRITERS[name] for name in ("table", "markdown", "latex")
)


def scored(*names, response=None, **options):
    """Score one response several times over, under different names."""
    result = corefkit.score(KEY, response or KEY, **options)
    return [dataclasses.replace(result, response=name) for name in names]


each_writer = pytest.mark.parametrize(
    "write",
    [plain_table, markdown_table, latex_table],
    ids=["plain", "markdown", "latex"],
)


@each_writer
@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("per_document", [False, True], ids=["", "documents"])
def test_every_table_ends_with_the_signature(write, count, per_document):
    evaluations = scored(*(f"r{number}" for number in range(count)))
    text = write(evaluations, per_document=per_document)
    assert text.splitlines()[-1].strip("%` ") == evaluations[0].signature
    assert "2 documents, micro-averaged, in percent" in text


def test_lines_of_a_plain_table_are_in_line():
    *lines, _, _, _ = plain_table(
        scored("a", "a longer name than its columns")
    ).splitlines()
    ends = {line.rindex("F1") for line in lines if "F1" in line}
    ends |= {line.rindex("100.00") + 4 for line in lines if "100.00" in line}
    assert len(ends) == 1


def test_more_than_three_responses_have_a_row_each():
    text = plain_table(scored("a", "b", "c", "d", metrics=["muc", "lea"]))
    rows = [line.split() for line in text.splitlines()]
    assert rows[1] == ["MUC", "LEA"]
    assert [row[0] for row in rows[2:6]] == ["a", "b", "c", "d"]


def test_ranking_has_the_conll_score_where_there_is_one():
    text = plain_table(scored("a", "b", "c", "d"))
    assert text.splitlines()[1].split()[-1] == "CoNLL"


class TestRanked:
    def test_metrics_of_one_label_keep_their_columns(self):
        mine = [corefkit.lea_with(len, name=name, label="LEA") for name in ("a", "b")]
        results, ranking = rank_results(
            scored("r", "s", "t", "u", metrics=mine), Order("a", "recall")
        )
        for write in (plain_table, markdown_table, latex_table):
            text = write(results, ranking=ranking)
            assert text.count("LEA") == 2 + text.count("LEA recall") == 4
            assert write(results).count("LEA") == 2

    @pytest.mark.parametrize(
        ("order", "heads"),
        [
            (Order("lea"), ["Rank", "MUC", "LEA"]),
            (Order("lea", "f1"), ["Rank", "MUC", "LEA"]),
            (Order("lea", "recall"), ["Rank", "LEA", "recall", "MUC", "LEA"]),
            (Order("name"), ["Recall", "Precision", "F1"] * 2),
        ],
    )
    def test_number_that_ranks_are_made_by_is_shown_once(self, order, heads):
        results, ranking = rank_results(scored("a", "b", metrics="muc,lea"), order)
        text = plain_table(results, ranking=ranking)
        assert text.splitlines()[1].split() == heads
        assert ("ranked by" in text) == (order.metric != "name")

    def test_one_alone_is_not_ranked(self):
        results, ranking = rank_results(scored("a"), Order("lea"))
        assert plain_table(results, ranking=ranking) == plain_table(results)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["x/a.conll", "y/b.conll"], ["a.conll", "b.conll"]),
        (["x/a.conll", "y/a.conll"], ["x/a.conll", "y/a.conll"]),
        (["response"], ["response"]),
        (["response", "response"], ["1. response", "2. response"]),
    ],
)
def test_responses_are_named_by_file_unless_two_are_alike(paths, names):
    assert label_responses(scored(*paths)) == names


class TestMixed:
    """Results of other metrics and settings than the first, as stored ones may be."""

    @pytest.mark.parametrize("count", [1, 3])
    def test_metric_that_one_lacks_leaves_its_cells_empty(self, count):
        names = [f"r{number}" for number in range(count)]
        text = plain_table([*scored(*names, metrics=["muc"]), *scored("x")])
        lines = [line.split() for line in text.splitlines()]
        if count == 1:
            assert ["B³", *["100.00"] * 3] in lines
            assert ["MUC", *["100.00"] * 6] in lines
        else:
            assert lines[1][0] == "MUC"
            assert ["r0", "100.00"] in lines
            assert ["x", *["100.00"] * 8] in lines

    @each_writer
    def test_each_signature_is_told_with_its_results(self, write):
        micro = scored("a", "b", metrics=["muc"])
        (macro,) = scored("c", metrics=["muc"], average="macro")
        *_, averages, first, second = filter(None, write([*micro, macro]).splitlines())
        assert averages.endswith(
            "2 documents, micro-averaged or macro-averaged, in percent"
        )
        assert first.strip("%` ") == f"a, b: {micro[0].signature}"
        assert second.strip("%` ") == f"c: {macro.signature}"


@pytest.mark.parametrize(
    ("undefined", "words"),
    [("one", ", in the mean as 1"), ("skip", ", left out of the mean"), ("zero", "")],
)
def test_star_says_what_means_make_of_it(undefined, words):
    alone = {"a": ["b"], "c": ["d"]}
    settings = {"metrics": ["muc"], "average": "macro", "undefined": undefined}
    text = plain_table([corefkit.score(alone, alone, **settings)])
    assert f"* undefined (nothing to divide by), counted as 0{words}\n" in text


@each_writer
def test_average_is_not_looked_for_in_names_of_weights(write):
    (result,) = scored("r", metrics=["muc"], weights="type:x|average:macro=1")
    assert "2 documents, micro-averaged, in percent" in write([result])


class TestUndefined:
    @each_writer
    def test_is_marked_and_explained(self, write):
        text = write([corefkit.score(["a"], ["a"], metrics=["muc"])])
        assert "undefined (nothing to divide by), counted as 0" in text

    @each_writer
    def test_is_not_explained_where_there_is_none(self, write):
        assert "undefined" not in write(
            [corefkit.score(["ab"], ["ab"], metrics=["muc"])]
        )

    @each_writer
    def test_is_not_explained_where_a_star_is_part_of_a_name(self, write):
        made = dataclasses.replace(corefkit.METRICS["muc"], name="m*", label="MUC*")
        key = {"*": letters("ab"), "d*": letters("cd")}
        result = corefkit.score(key, key, metrics=[made])
        for count in (1, 2, 4):
            names = [f"a{number}*.conll" for number in range(count)]
            several = [dataclasses.replace(result, response=name) for name in names]
            assert "undefined" not in write(several, per_document=True)

    def test_recall_alone(self):
        text = plain_table([corefkit.score(["a"], ["ab"], metrics=["muc"])])
        assert text.splitlines()[1].split() == ["MUC", "0.00*", "0.00", "0.00"]

    def test_precision_alone(self):
        text = plain_table([corefkit.score(["ab"], [], metrics=["b_cubed"])])
        assert text.splitlines()[1].split() == ["B³", "0.00", "0.00*", "0.00"]

    def test_of_one_document(self):
        text = plain_table(scored("r", metrics=["muc"]), per_document=True)
        assert "two      0.00*" in text


class TestMarkdown:
    def test_marks_and_names_are_escaped(self):
        text = markdown_table(
            scored("a_b|c.conll", "d*", metrics=["muc"]), per_document=True
        )
        assert r"a\_b\|c.conll Recall" in text
        assert r"| one\_a | 100.00 |" in text
        assert r"0.00\*" in text
        assert r"\* undefined" in text

    def test_every_row_has_as_many_cells(self):
        text = markdown_table(scored("a", "b", "c"))
        widths = {line.count("|") for line in text.splitlines() if line.startswith("|")}
        assert widths == {11}


class TestLatex:
    def test_special_letters_are_escaped(self):
        text = latex_table(scored("a_b & 50%", "x#{}$", metrics=["muc"]))
        assert r"\multicolumn{3}{c}{a\_b \& 50\%}" in text
        assert r"x\#\{\}\$" in text

    @pytest.mark.parametrize("name", ["back\\slash", "tilde~", "hat^"])
    def test_letters_that_are_commands_are_escaped(self, name):
        text = latex_table(scored(name, "b", metrics=["muc"]))
        assert f"{{{name}}}" not in text

    def test_labels_are_formulas(self):
        names = [*corefkit.METRICS, *corefkit.VARIANTS]
        text = latex_table(scored("r", metrics=names))
        for label in (
            "B$^3$",
            "CEAF$_m$",
            "CEAF$_e$",
            r"CEAF $\phi_1$",
            r"CEAF $\phi_2$",
            "CEAF$_m$ links",
            "B$^3_0$",
            r"B$^3_{\mathrm{all}}$",
            r"B$^3_{\mathrm{r\&n}}$",
            r"CEAF$_m$ r\&n",
            "CEAF$_e$ sys",
        ):
            assert f"\n{label} &" in text
        assert text.isascii()

    def test_ampersands_of_labels_part_no_cells(self):
        text = latex_table(scored("r", metrics=list(corefkit.VARIANTS)))
        rows = [line for line in text.splitlines() if line.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", line)) for line in rows} == {3}

    def test_every_row_has_as_many_cells(self):
        rows = [
            line for line in latex_table(scored("a", "b")).splitlines() if "&" in line
        ]
        assert {line.count("&") for line in rows[1:]} == {6}

    def test_rows_end_and_the_environment_closes(self):
        text = latex_table(scored("a"), per_document=True)
        assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 2


class TestPaperLayout:
    RESPONSES = MappingProxyType({"A": ["ab", "defg"], "B": ["abc", "de"]})

    def results(self, **options):
        return corefkit.score_responses(["abc", "defg"], self.RESPONSES, **options)

    def test_responses_are_rows_below_the_metrics_of_conll(self):
        text = "".join(write_results("table", self.results(), layout="paper"))
        groups, heads, *rows = text.splitlines()[1:5]
        assert groups.split() == ["MUC", "B³", "CEAFe", "CoNLL"]
        assert heads.split() == ["System", *["R", "P", "F1"] * 3, "Avg.", "F1"]
        assert [row.split()[0] for row in rows] == ["A", "B"]

    def test_requested_metrics_have_columns(self):
        results = self.results(metrics=["lea", "muc"])
        text = "".join(write_results("markdown", results, layout="paper"))
        assert "| System | LEA R | LEA P | LEA F1 | MUC R | MUC P | MUC F1 |" in text

    def test_best_values_are_bold(self):
        results = self.results(metrics=["muc"])
        text = "".join(write_results("latex", results, layout="paper"))
        assert r"A & \textbf{80.00} & 100.00 & \textbf{88.89} \\" in text
        assert r"B & 60.00 & 100.00 & 75.00 \\" in text

    def test_json_has_no_layout(self):
        with pytest.raises(corefkit.SettingsError) as caught:
            write_results("json", self.results(), layout="paper")
        assert caught.value.code == "settings/conflict"
