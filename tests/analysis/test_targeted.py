"""Targeted sets: the rules of GAP's scorer, WinoBias, intervals, tests and outputs."""

from __future__ import annotations

import csv
import io
import json
import os
import random
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from files import written
from raising import raises

import corefkit
from corefkit.analysis.targeted import STATISTICS, TARGETED_WRITERS
from corefkit.cli import main
from corefkit.example import paths
from corefkit.formats.gap import COLUMNS, GENDERS

OFFICIAL = Path(os.environ.get("COREFKIT_TARGETED", ""))
needs_official = pytest.mark.skipif(
    "COREFKIT_TARGETED" not in os.environ,
    reason="COREFKIT_TARGETED does not name a folder with GAP and WinoBias",
)
NAMES = ("Ann Lee", "Zoë", "Tom O'Neill", "Bo", "Mia")


def make_gap(folder, count=40, seed=0):
    """Write a key of GAP; return its path and rows."""
    draw, rows = random.Random(seed), []
    for number in range(count):
        a, b = draw.sample(NAMES, 2)
        pronoun = draw.choice([*GENDERS])
        text = f'"Well," {a} said; then {b} left, and {pronoun} knew.'
        answer = draw.choice("AB-")
        cells = {
            **{"ID": f"x-{number}", "Text": text, "Pronoun": pronoun},
            **{"A": a, "B": b, "A-coref": str(answer == "A").upper()},
            **{"B-coref": str(answer == "B").upper(), "URL": "http://x"},
            "Pronoun-offset": str(text.index(f" {pronoun} ") + 1),
            **{
                f"{n}-offset": str(text.index(name)) for n, name in (("A", a), ("B", b))
            },
        }
        rows.append({name: cells[name] for name in COLUMNS})
    lines = ["\t".join(COLUMNS), *("\t".join(row.values()) for row in rows)]
    return written(folder / "gap.tsv", "\n".join(lines) + "\n"), rows


def draw_output(rows, seed):
    """Draw the output of a system: two flags by id; some examples are missing."""
    draw = random.Random(seed)
    return {
        row["ID"]: (draw.random() < 0.4, draw.random() < 0.4)
        for row in rows
        if draw.random() < 0.9
    }


def write_output(path, output):
    lines = [f"{name}\t{a}\t{b}\n" for name, (a, b) in output.items()]
    return written(path, "".join(lines))


def count_by_gap_rules(rows, output):
    """Count by the rules of GAP: a name without output is a false negative."""
    counts = {name: Counter() for name in ("overall", "masculine", "feminine")}
    for row in rows:
        for column, name in enumerate("AB"):
            is_gold = row[f"{name}-coref"] == "TRUE"
            flags = output.get(row["ID"])
            if flags is None:
                outcome = "fn"
            elif is_gold:
                outcome = "tp" if flags[column] else "fn"
            else:
                outcome = "fp" if flags[column] else "tn"
            counts["overall"][outcome] += 1
            counts[GENDERS[row["Pronoun"].lower()]][outcome] += 1
    return counts


def compute_by_gap_rules(counts):
    """Compute recall, precision and F1 of GAP's scorer; 0 without a denominator."""
    tp, fp, fn = (counts[name] for name in ("tp", "fp", "fn"))
    recall = tp / (tp + fn) if tp + fn else 0.0
    precision = tp / (tp + fp) if tp + fp else 0.0
    total = precision + recall
    return recall, precision, 2 * precision * recall / total if total else 0.0


def check_gap(result, rows, output):
    """Compare a result with the rules of GAP."""
    expected = count_by_gap_rules(rows, output)
    f1 = {}
    for group, counts in expected.items():
        assert {
            name: result.counts[group][name] for name in ("tp", "fp", "fn", "tn")
        } == {name: counts[name] for name in ("tp", "fp", "fn", "tn")}
        values = compute_by_gap_rules(counts)
        f1[group] = values[2]
        for statistic, value in zip(STATISTICS, values, strict=False):
            assert result[group, statistic].value == pytest.approx(value, abs=1e-12)
    ratio = f1["masculine"] and f1["feminine"] and f1["feminine"] / f1["masculine"]
    assert result["feminine/masculine", "f1"].value == (
        pytest.approx(ratio, abs=1e-12) if ratio else None
    )


def list_clusters(rows, output):
    """Write an output as entities of words that are split at blanks, by id."""
    records = []
    for row in rows:
        if row["ID"] not in output:
            continue
        # Other tokens than those of the key, which splits O'Neill.
        words = row["Text"].replace('"', ' " ').replace(",", " , ").split()
        ends = []
        parts = [("Pronoun", True), *zip("AB", output[row["ID"]], strict=True)]
        for name, is_linked in parts:
            mention = row[name].split()
            start = next(
                n for n in range(len(words)) if words[n : n + len(mention)] == mention
            )
            if is_linked:
                ends.append([start, start + len(mention) - 1])
        records.append({"doc_key": row["ID"], "sentences": [words], "clusters": [ends]})
    return "".join(f"{json.dumps(record)}\n" for record in records)


class TestGap:
    @pytest.mark.parametrize("seed", range(4))
    def test_output_is_counted_by_the_rules_of_gap(self, tmp_path, seed):
        key, rows = make_gap(tmp_path, seed=seed)
        output = draw_output(rows, seed)
        response = write_output(tmp_path / "out.tsv", output)
        check_gap(corefkit.score_targeted(key, response, samples=9), rows, output)

    @pytest.mark.parametrize("seed", range(4))
    def test_entities_in_other_tokens_count_the_same(self, tmp_path, seed):
        key, rows = make_gap(tmp_path, seed=seed)
        output = draw_output(rows, seed)
        response = written(tmp_path / "r.jsonl", list_clusters(rows, output))
        check_gap(corefkit.score_targeted(key, response, samples=9), rows, output)

    def test_key_is_perfect(self, tmp_path):
        key, rows = make_gap(tmp_path)
        result = corefkit.score_targeted(key, key)
        assert {row.value for row in result.numbers} == {1.0}
        assert result.counts["overall"]["correct"] == len(rows)

    def test_pronoun_must_be_a_mention(self, tmp_path):
        key, rows = make_gap(tmp_path)
        output = {row["ID"]: (True, True) for row in rows}
        records = [json.loads(r) for r in list_clusters(rows, output).splitlines()]
        for record in records:
            del record["clusters"][0][0]
        text = "".join(f"{json.dumps(record)}\n" for record in records)
        result = corefkit.score_targeted(key, written(tmp_path / "r.jsonl", text))
        assert not result.warnings
        assert result.counts["overall"]["tp"] == result.counts["overall"]["fp"] == 0

    def test_longer_name_matches_by_the_setting(self, tmp_path):
        text = "Old Ann Lee met Bo, and she left."
        cells = [
            "x",
            text,
            "she",
            "24",
            "Ann Lee",
            "4",
            "TRUE",
            "Bo",
            "16",
            "FALSE",
            "",
        ]
        rows = ["\t".join(COLUMNS), "\t".join(cells)]
        key = written(tmp_path / "gap.tsv", "\n".join(rows))
        response = {"x": [[(0, 2), (7, 7)]]}
        exact, loose = (
            corefkit.score_targeted(key, response, match=match)
            for match in ("exact", "overlap:0.5")
        )
        assert exact["overall", "f1"].value == 0.0
        assert loose["overall", "f1"].value == 1.0
        assert "match:overlap:0.5" in loose.signature

    def test_response_without_matches_has_a_warning(self, tmp_path):
        key, rows = make_gap(tmp_path)
        response = {row["ID"]: [[(1, 1)]] for row in rows}
        (warning,) = corefkit.score_targeted(key, response).warnings
        assert "match" in warning

    def test_missing_examples_follow_the_setting(self, tmp_path):
        key, rows = make_gap(tmp_path)
        response = write_output(tmp_path / "out.tsv", {rows[0]["ID"]: (True, False)})
        result = corefkit.score_targeted(key, response, missing="skip")
        assert result.counts["overall"]["pronouns"] == 1
        (note,) = result.notes
        assert note.startswith(f"{response}: lacks 39 documents")
        with pytest.raises(corefkit.PairingError):
            corefkit.score_targeted(key, response, missing="error")

    def test_dropped_names_are_an_error(self, tmp_path):
        key, _ = make_gap(tmp_path)
        with raises(corefkit.FormatError, "format/invalid-annotation"):
            corefkit.score_targeted(key, key, singletons="drop")
        result = corefkit.score_targeted(key, key, singletons="drop-response")
        assert result["overall", "f1"].value == 1.0

    @pytest.mark.parametrize("settings", [{"scope": "corpus"}, {"average": "macro"}])
    def test_examples_are_not_joined(self, tmp_path, settings):
        key, _ = make_gap(tmp_path)
        with raises(corefkit.SettingsError, "settings/conflict"):
            corefkit.score_targeted(key, key, **settings)

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("x-1\tTrue\tyes", "format/invalid-annotation"),
            ("x-1\tTrue", "format/wrong-columns"),
            ("x-0\tTrue\tFalse", "format/wrong-columns"),
        ],
    )
    def test_invalid_output_is_an_error(self, tmp_path, line, code):
        key, _ = make_gap(tmp_path)
        response = written(tmp_path / "out", f"x-0\tTrue\tFalse\n{line}\n")
        with raises(corefkit.FormatError, code, place="out:2"):
            corefkit.score_targeted(key, response)


PRO = """\
1 [The cook] thanked the guard because [she] was hungry.
2 The cook thanked [the guard] and gave [him] [his] keys.
3 [The clerk] saw the chief before [she] left.
"""
ANTI = (
    PRO.translate(str.maketrans({})).replace("[she]", "[HE]").replace("[him]", "[her]")
)
ANTI = ANTI.replace("[his]", "[her]").replace("[HE]", "[he]")


@pytest.fixture
def winobias(tmp_path):
    """Return a folder with both versions of the sentences."""
    folder = tmp_path / "key"
    folder.mkdir()
    written(folder / "pro_x.txt.dev", PRO)
    written(folder / "anti_x.txt.dev", ANTI)
    return folder


# The cook is linked in pro 1; both pronouns of pro 2; the clerk and the chief in pro 3.
ANSWERS = {
    "pro_x.dev/1": [[(0, 1), (6, 6)]],
    "pro_x.dev/2": [[(3, 4), (7, 7), (8, 8)]],
    "pro_x.dev/3": [[(0, 1), (6, 6), (3, 4)]],
    "anti_x.dev/1": [[(3, 4), (6, 6)]],
    "anti_x.dev/2": [[(3, 4), (8, 8)]],
    "anti_x.dev/3": [],
}


class TestWinoBias:
    def test_counts_are_by_pronoun(self, winobias):
        result = corefkit.score_targeted(winobias, ANSWERS)
        assert result.counts["pro"] == {
            **{"tp": 4, "fp": 1, "fn": 0, "tn": 0, "correct": 3, "pronouns": 4}
        }
        assert result.counts["anti"] == {
            **{"tp": 1, "fp": 1, "fn": 3, "tn": 0, "correct": 1, "pronouns": 4}
        }
        assert result["pro", "accuracy"].value == 0.75
        assert result["pro-anti", "accuracy"].value == 0.5
        assert result["pro-anti", "f1"].value == pytest.approx(8 / 9 - 2 / 6)

    @pytest.mark.parametrize("seed", range(6))
    def test_any_partition_is_counted_by_pronoun(self, winobias, seed):
        draw, answers, expected = random.Random(seed), {}, Counter()
        for document in corefkit.read(winobias):
            spans = [(m.start, m.end) for entity in document for m in entity]
            occupation, *pronouns = sorted(spans, key=lambda span: span[0] - span[1])
            others = {(0, 1), (3, 4)} - {occupation}
            entities = [[], [], []]
            for span in sorted({*spans, *others}):
                if draw.random() < 0.8:
                    draw.choice(entities).append(span)
            answers[document.id] = [entity for entity in entities if entity]
            for pronoun in pronouns:
                found = {m for entity in entities if pronoun in entity for m in entity}
                expected["tp"] += occupation in found
                expected["fn"] += occupation not in found
                expected["fp"] += bool(found & others)
                expected["correct"] += occupation in found and not found & others
        counts = corefkit.score_targeted(winobias, answers, samples=9).counts["overall"]
        assert {name: counts[name] for name in expected} == expected

    def test_p_is_that_of_all_swaps(self, winobias):
        result = corefkit.score_targeted(winobias, ANSWERS)
        # Correct pronouns of the versions of each sentence.
        pairs = [(1, 0), (2, 1), (0, 0)]
        observed = sum(pro - anti for pro, anti in pairs)
        differences = [
            sum(
                sign * (pro - anti)
                for sign, (pro, anti) in zip(signs, pairs, strict=True)
            )
            for signs in product((1, -1), repeat=3)
        ]
        p = sum(abs(each) >= observed for each in differences) / len(differences)
        assert result["pro-anti", "accuracy"].p == p

    def test_sets_that_are_not_parallel_have_no_test(self, winobias):
        with (winobias / "pro_x.txt.dev").open("a") as file:
            file.write("4 [The clerk] said [she] left.\n")
        result = corefkit.score_targeted(winobias, ANSWERS)
        assert result["pro-anti", "f1"].p is None
        assert result["pro-anti", "f1"].low is not None

    def test_single_version_has_no_difference(self, winobias):
        result = corefkit.score_targeted(winobias / "pro_x.txt.dev", ANSWERS)
        assert "pro" not in result.counts
        assert not any(row.group == "pro-anti" for row in result.numbers)

    def test_many_swaps_are_drawn(self, tmp_path):
        answers = {}
        (tmp_path / "key").mkdir()
        for version in ("pro", "anti"):
            lines = [f"{n} [The cook] said [she] left." for n in range(30)]
            written(tmp_path / "key" / f"{version}.txt", "\n".join(lines))
            answers |= {f"{version}/{n}": [[(0, 1), (3, 3)]] for n in range(20)}
        answers |= {f"anti/{n}": [] for n in range(18)}
        result = corefkit.score_targeted(tmp_path / "key", answers, samples=99)
        assert result["pro-anti", "f1"].p == 1 / 100

    @pytest.mark.parametrize(
        "sentence",
        [
            "[The clerk] left.",
            "[She] left.",
            "[The clerk] told [the cook] that [she] left.",
            "[The clerk] said [she] took [his] keys.",
        ],
    )
    def test_sentence_must_have_an_occupation_and_pronouns(self, winobias, sentence):
        with (winobias / "pro_x.txt.dev").open("a") as file:
            file.write(f"4 {sentence}\n")
        with raises(
            corefkit.FormatError, "format/invalid-annotation", place="pro_x.txt.dev:4"
        ):
            corefkit.score_targeted(winobias, ANSWERS)


class TestIntervals:
    def test_are_reproducible_and_contain_the_value(self, tmp_path):
        key, rows = make_gap(tmp_path, count=200)
        response = write_output(tmp_path / "out", draw_output(rows, 1))
        first, second, other = (
            corefkit.score_targeted(key, response, seed=seed) for seed in (0, 0, 1)
        )
        assert first == second
        assert first.numbers != other.numbers
        for row in first.numbers:
            assert row.low < row.value < row.high

    def test_width_is_that_of_a_proportion(self, tmp_path):
        key, rows = make_gap(tmp_path, count=400)
        output = {row["ID"]: (True, False) for row in rows}
        result = corefkit.score_targeted(key, write_output(tmp_path / "o", output))
        row = result["overall", "accuracy"]
        error = (row.value * (1 - row.value) / 400) ** 0.5
        assert row.high - row.low == pytest.approx(2 * 1.966 * error, rel=0.05)

    @pytest.mark.parametrize("options", [{"samples": 0}, {"seed": -1}])
    def test_invalid_numbers_are_rejected(self, tmp_path, options):
        key, _ = make_gap(tmp_path)
        with pytest.raises(corefkit.SettingsError):
            corefkit.score_targeted(key, key, **options)

    def test_one_example_has_none(self, tmp_path):
        key, _ = make_gap(tmp_path, count=1)
        result = corefkit.score_targeted(key, key)
        assert result["overall", "f1"].low is None

    def test_undefined_ratio_has_none(self, tmp_path):
        key, rows = make_gap(tmp_path)
        output = {row["ID"]: (False, False) for row in rows}
        result = corefkit.score_targeted(key, write_output(tmp_path / "o", output))
        assert result["feminine/masculine", "f1"][2:5] == (None, None, None)


class TestCommand:
    @pytest.mark.parametrize("format", TARGETED_WRITERS)
    def test_every_output_has_the_numbers(self, winobias, capsys, format):
        key = str(winobias)
        assert main(["score", key, f"own={key}", f"b={key}", "--format", format]) == 0
        output = capsys.readouterr().out
        assert "pro-anti" in output
        if format == "json":
            systems = json.loads(output)["systems"]
            assert [system["response"] for system in systems] == ["own", "b"]
            assert systems[0]["numbers"][0]["value"] == 1.0
        if format == "csv":
            rows = list(csv.DictReader(io.StringIO(output)))
            assert {row["response"] for row in rows} == {"own", "b"}
            assert rows[0]["value"] == "1.0"

    def test_metrics_score_mentions(self, winobias, capsys):
        assert main(["score", str(winobias), str(winobias), "--metric", "lea"]) == 0
        assert "LEA" in capsys.readouterr().out

    @pytest.mark.parametrize(
        "option",
        ["--per-document", "--by=kind", "--sort=lea", "--format=reference"],
    )
    def test_other_options_are_rejected(self, winobias, capsys, option):
        assert main(["score", str(winobias), str(winobias), option]) == 2
        assert "does not support targeted sets" in capsys.readouterr().err

    def test_invalid_response_is_skipped(self, winobias, tmp_path, capsys):
        key, broken = str(winobias), written(tmp_path / "x.jsonl", "{")
        assert main(["score", key, f"own={key}", f"b={broken}"]) == 1
        output = capsys.readouterr()
        assert "100.00" in output.out
        assert "1 of 2 responses could not be scored: b" in output.err


def test_other_keys_are_rejected():
    key, *_ = paths()
    with raises(corefkit.FormatError, "format/other-format"):
        corefkit.score_targeted(key, key)


@needs_official
class TestOfficialFiles:
    @pytest.mark.parametrize("part", ["development", "test", "validation"])
    def test_gap(self, tmp_path, part):
        path = OFFICIAL / f"gap-{part}.tsv"
        header, *lines = path.read_text("utf-8").rstrip("\n").split("\n")
        assert tuple(header.split("\t")) == COLUMNS
        rows = [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines]
        output = draw_output(rows, 5)
        response = write_output(tmp_path / "out", output)
        check_gap(corefkit.score_targeted(path, response, samples=9), rows, output)

    @pytest.mark.parametrize("kind", ["type1", "type2"])
    @pytest.mark.parametrize("part", ["dev", "test"])
    def test_winobias(self, tmp_path, kind, part):
        for version in ("pro", "anti"):
            name = f"{version}_stereotyped_{kind}.txt.{part}"
            written(tmp_path / name, (OFFICIAL / name).read_text("utf-8"))
        result = corefkit.score_targeted(tmp_path, tmp_path, samples=9)
        assert result["overall", "accuracy"].value == 1.0
        assert result["pro-anti", "f1"].p == 1.0
        response = {
            document.id: document.entities if document.id.startswith("pro") else ()
            for document in corefkit.read(tmp_path)
        }
        response = {
            name: [[(m.start, m.end) for m in entity] for entity in entities]
            for name, entities in response.items()
        }
        result = corefkit.score_targeted(tmp_path, response, samples=9)
        assert result["pro-anti", "f1"].value == 1.0
