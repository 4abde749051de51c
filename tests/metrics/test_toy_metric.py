"""A new metric is its file and its row: every command knows it, or says why not."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from types import ModuleType

import pytest

import corefkit
from corefkit.analysis.explain.fractions import Quotient, make_number
from corefkit.analysis.explain.metric_steps import MetricSteps, MetricWalk
from corefkit.cli import main
from corefkit.example import paths
from corefkit.lab.figures import can_draw
from corefkit.metrics.metric import LazyImport, Metric, Score
from corefkit.metrics.registry import METRICS, SUPPLEMENTS, VARIANTS
from corefkit.metrics.standard import add_by_document

KEY, RESPONSE, _ = map(str, paths())
REPEATS = "#begin document (d);\nd 0 0 a (1)|(2)\nd 0 1 b (1)\n\n#end document\n"
VALUES = {"recall": 1 / 2, "precision": 1 / 3, "f1": 2 / 5}


def equal_entities(table):
    """Count the entities that both sides have just so: the toy's file."""
    same = (table.shared == table.key_size) & (table.shared == table.response_size)
    key, response = table.key, table.response
    found = same, table.document
    return add_by_document(
        table,
        found,
        (key.size > 0, key.document),
        found,
        (response.size > 0, response.document),
    )


def steps(scene):
    """MetricWalk through the toy."""
    counts = map(make_number, map(int, equal_entities(scene.table)[0].tolist()))
    above, below, other, under = counts
    return MetricSteps(
        ["Equal entities count."], (Quotient(above, below), Quotient(other, under))
    )


@pytest.fixture
def add(monkeypatch):
    """Add a row for the toy to a table of the registry."""
    module = ModuleType("toy_metric")
    module.equal_entities, module.WALK = equal_entities, MetricWalk(steps)
    monkeypatch.setitem(sys.modules, "toy_metric", module)

    def added(table=METRICS, **columns):
        row = Metric(
            "toy", "Toy", LazyImport("toy_metric", "equal_entities"), **columns
        )
        monkeypatch.setitem(table, "toy", row)
        return row

    return added


@pytest.fixture
def toy(add):
    """Add the toy with no more than a name, a label and a function."""
    return add()


def run(*words):
    """Run a command; return its exit code and what it printed to stdout and stderr."""
    printed, told = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(told):
        code = main(list(words))
    return code, printed.getvalue(), told.getvalue()


def printed(*words):
    code, text, told = run(*words)
    assert code == 0, told
    return text


def refused(*words):
    code, text, told = run(*words)
    assert (code, text) == (2, "")
    assert "Traceback" not in told
    return told


@pytest.mark.parametrize("table", [METRICS, VARIANTS, SUPPLEMENTS], ids=len)
def test_every_table_of_the_registry_is_looked_up_when_asked(add, table):
    assert corefkit.score(["ab", "c"], ["ab", "d", "e"], metrics=[add(table)])["toy"]
    score = corefkit.score(["ab", "c"], ["ab", "d", "e"], metrics="toy")["toy"]
    assert {name: getattr(score, name) for name in VALUES} == pytest.approx(VALUES)


@pytest.mark.usefixtures("toy")
class TestScore:
    @pytest.mark.parametrize("format", ["table", "csv", "markdown", "latex"])
    @pytest.mark.parametrize("more", [[], ["--per-document"]], ids=["", "documents"])
    def test_every_format_has_it(self, format, more):
        text = printed(
            "score", KEY, RESPONSE, "--metric", "toy,muc", "--format", format, *more
        )
        assert "toy" in text.lower()

    def test_json_has_it_and_is_read_again(self, tmp_path):
        words = "score", KEY, RESPONSE, "--metric", "toy", "--per-document"
        text = printed(*words, "--format", "json")
        assert "toy" in json.loads(text)["systems"][0]["scores"]
        stored = tmp_path / "stored.json"
        stored.write_text(text, encoding="utf-8")
        assert "\nToy " in printed("score", "--beside", str(stored))

    def test_reference_text_is_refused(self):
        told = refused(
            "score", KEY, RESPONSE, "--metric", "toy", "--format", "reference"
        )
        assert "does not support metric 'toy'" in told

    def test_macro_average_has_it(self):
        text = printed("score", KEY, RESPONSE, "--metric", "toy", "--average", "macro")
        assert "\nToy " in text

    def test_repeated_mentions_are_settled_with_a_note(self, tmp_path):
        path = tmp_path / "repeats.conll"
        path.write_text(REPEATS, encoding="utf-8")
        words = "score", str(path), str(path), "--repeated", "reference"
        code, text, told = run(*words, "--metric", "toy")
        assert code == 0
        assert "\nToy " in text
        assert "note: 'toy': not known to the reference scorer" in told

    def test_split_antecedents_are_refused(self):
        told = refused("score", KEY, RESPONSE, "--metric", "toy", "--split", "score")
        assert "'toy' does not score split antecedents: how they count" in told

    def test_unknown_name_lists_it(self):
        assert ", toy, conll," in refused("score", KEY, RESPONSE, "--metric", "tooy")


class TestCompare:
    @pytest.mark.usefixtures("toy")
    @pytest.mark.parametrize("format", ["table", "csv", "json", "markdown", "latex"])
    def test_every_format_has_it(self, format):
        words = "compare", KEY, RESPONSE, RESPONSE, "--metric", "toy", "--samples", "9"
        assert "toy" in printed(*words, "--format", format).lower()

    def test_score_of_its_own_is_asked_row_by_row(self, add):
        """A file and a row are enough; a scorer of many rows only makes it faster."""

        def share(counts, settings):
            del settings
            return Score(0.0, 0.0, 0.0, value=counts[0] / counts[1])

        toy = add(score=share)
        key = {"a": ["ab", "c"], "b": ["ab", "cd"]}
        other = {"a": ["ab", "d"], "b": ["ab", "cd"]}
        found = corefkit.compare(key, {"A": key, "B": other}, metrics=[toy], samples=9)
        assert [one.score for one in found["toy"].systems] == [1, 3 / 4]
        assert found["toy"].statistic == "value"


class TestPolicies:
    def test_row_counts_repeated_mentions_as_the_reference_scorer(self, add):
        toy = add(
            reference=lambda _: METRICS["toy"].count(
                corefkit.overlap(["a", "b"], ["a"])
            )
        )
        result = corefkit.score(["ab", "bc"], ["ab"], metrics=[toy], preset="conll2012")
        assert result["toy"].recall == 1 / 2
        assert "not known" not in " ".join(result.notes)

    def test_row_counts_split_antecedents(self, add):
        toy = add(split=None)
        assert corefkit.score(["ab"], ["ab"], metrics=[toy], preset="ua")["toy"].f1 == 1

    def test_row_puts_it_in_the_default_set(self, add):
        add(default=True)
        assert "toy" in corefkit.score(["ab"], ["ab"])
        assert "lea,toy and the CoNLL mean" in _help("score")


def _help(*words):
    return " ".join(printed(*words, "--help").split())


class TestExplain:
    def test_walk_through_is_found_by_its_row(self, add):
        add(walk=LazyImport("toy_metric", "WALK"), source="nobody")
        text = printed("explain", KEY, RESPONSE, "--metric", "toy")
        assert "Source: nobody\n" in text
        assert "Equal entities count." in text
        assert ", toy, b_cubed_0, " in _help("explain")

    @pytest.mark.usefixtures("toy")
    def test_none_is_refused_with_the_reason(self):
        told = refused("explain", KEY, RESPONSE, "--metric", "toy")
        assert "metric 'toy' has no walk-through: none has been written" in told


@pytest.mark.usefixtures("toy")
class TestLaboratory:
    @pytest.mark.parametrize("format", ["table", "json", "markdown"])
    def test_diagnose_has_it(self, format):
        words = "lab", "diagnose", KEY, RESPONSE, "--metric", "toy"
        assert "toy" in printed(*words, "--format", format).lower()

    def test_help_of_diagnose_lists_it(self):
        assert " toy" in _help("lab", "diagnose")

    @pytest.mark.parametrize("metric", [[], ["--metric", "toy"]], ids=["all", "asked"])
    @pytest.mark.parametrize("format", ["table", "csv", "json"])
    def test_perturb_has_it(self, format, metric):
        words = "lab", "perturb", KEY, RESPONSE, "--kind", "split", "--steps", "2"
        assert "toy" in printed(*words, *metric, "--format", format).lower()

    @pytest.mark.skipif(not can_draw(), reason="figures need matplotlib")
    @pytest.mark.slow
    def test_figures_of_perturb_have_it(self, tmp_path):
        folder = tmp_path / "out"
        words = "lab", "perturb", KEY, RESPONSE, "--kind", "split", "--steps", "2"
        printed(*words, "-o", str(folder))
        assert any("Toy" in file.read_text("utf-8") for file in folder.glob("*.svg"))

    def test_papers_come_out_as_before(self):
        assert "toy" not in printed("lab", "reproduce", "--paper", "luo").lower()


@pytest.mark.parametrize("command", ["diagnose", "perturb"])
def test_laboratory_refuses_what_needs_more_than_partitions(add, command):
    add(SUPPLEMENTS, needs="their tokens")
    told = refused("lab", command, KEY, RESPONSE, "--metric", "toy")
    assert "'toy' needs more than the entities of mentions: their tokens" in told


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    "words",
    [["validate", KEY], ["stats", KEY], ["convert", KEY, "-", "--to", "jsonl"]],
    ids=lambda words: words[0],
)
def test_commands_without_metrics_do_not_care(words):
    assert printed(*words)
