"""The command `corefkit errors`."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from files import json_line, written

import corefkit
from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.cli import main
from corefkit.example import paths
from corefkit.strings import format_id

KEY, CAREFUL, GREEDY = map(str, paths())
BROKEN = "#begin document (example/bridge);\nx 0 0 a (1\n"


def run(capsys, *words):
    """Run the command; return its exit code, and what it printed."""
    code = main(["errors", *map(str, words)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def values(capsys, *words):
    code, out, err = run(capsys, *words, "--format", "json")
    assert code == 0, err
    return json.loads(out)


def test_the_table_has_kinds_and_ends_with_the_signature(capsys):
    code, out, err = run(capsys, KEY, CAREFUL)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert [line.split("  ")[0] for line in lines[2:12]][:3] == [
        "Response",
        "Span",
        "Conflated",
    ]
    assert lines[-1] == corefkit.score(KEY, CAREFUL).signature


def test_json_is_what_python_gives(capsys):
    found = values(capsys, KEY, f"A={CAREFUL}", f"B={GREEDY}")
    assert found == corefkit.errors(KEY, {"A": CAREFUL, "B": GREEDY}).to_dict()


def test_f1_of_the_response_is_its_score(capsys):
    (system,) = values(capsys, KEY, CAREFUL)["systems"]
    scored = corefkit.score(KEY, CAREFUL)
    assert system["ladder"]["response"]["lea"] == scored["lea"].f1
    assert system["ladder"]["response"]["conll"] == scored.conll
    assert set(system["ladder"]["missing_entity"].values()) == {1.0}


def test_repair_chooses_metrics(capsys):
    (system,) = values(capsys, KEY, CAREFUL, "--repair", "muc,blanc")["systems"]
    assert [*system["ladder"]["response"]] == ["muc", "blanc"]
    _, out, _ = run(capsys, KEY, CAREFUL, "--repair", "muc,blanc")
    assert out.splitlines()[0].split() == ["MUC", "BLANC"]


def test_repair_shows_the_conll_mean_alone(capsys):
    _, out, _ = run(capsys, KEY, CAREFUL, "--repair", "conll")
    assert out.splitlines()[0].split() == ["CoNLL"]


def test_repair_reads_aliases(capsys):
    _, out, _ = run(capsys, KEY, CAREFUL, "--repair", "B3,CoNLL")
    lines = out.splitlines()
    assert lines[0].split() == ["B³", "CoNLL"]
    assert lines[2].split() == ["Response", "69.40", "68.43"]


@pytest.mark.parametrize("metric", ["lea_weighted", "ace_value", "mor"])
def test_metrics_that_need_more_than_entities_are_refused(capsys, metric):
    code, out, err = run(capsys, KEY, CAREFUL, "--repair", metric)
    assert (code, out) == (2, "")
    assert "repaired responses" in err


def test_links_are_shown_if_asked_for(capsys):
    _, out, _ = run(capsys, KEY, CAREFUL, "--links")
    assert "Missing links by types of anaphor and antecedent" in out
    assert "Missing links" not in run(capsys, KEY, CAREFUL)[1]


def test_the_links_obey_the_law_of_muc(capsys):
    (system,) = values(capsys, KEY, GREEDY)["systems"]
    muc = corefkit.score(KEY, GREEDY)["muc"]
    for side in ("recall", "precision"):
        links = system["links"][side]
        assert links["edges"] == getattr(muc, f"{side}_denominator")
        missed = links["edges"] - links["errors"]
        assert missed == getattr(muc, f"{side}_numerator")


def test_a_list_has_a_line_for_each_error(capsys):
    _, out, _ = run(capsys, KEY, CAREFUL, "--list", "divided")
    found = corefkit.errors(KEY, CAREFUL).to_records()
    ids = [
        row["id"].replace(row["document"], format_id(row["document"]))
        for row in found
        if row["kind"] == "divided"
    ]
    lines = out.splitlines()[: len(ids)]
    assert [line.rpartition(" | ")[2] for line in lines] == ids
    assert lines[0].startswith(f"{KEY}:37: divided: ")
    assert "[Ingrid Dahl]" in lines[0]


@pytest.mark.parametrize("listing", [["--list"], ["--list", "--format", "table"]])
def test_a_list_without_kind_has_all(capsys, listing):
    _, out, _ = run(capsys, KEY, CAREFUL, *listing)
    assert (
        f"{len(corefkit.errors(KEY, CAREFUL).to_records())} errors" in out.splitlines()
    )


def test_links_are_listed_too_where_they_are_shown(capsys):
    _, out, _ = run(capsys, KEY, CAREFUL, "--links", "--list")
    assert "#recall#" in out
    assert "#recall#" not in run(capsys, KEY, CAREFUL, "--list")[1]
    assert "#divided#" not in run(capsys, KEY, CAREFUL, "--list=recall")[1]


@pytest.mark.parametrize("order", [["--list", KEY, CAREFUL], [KEY, "--list", CAREFUL]])
def test_a_list_does_not_swallow_files(capsys, order):
    code, out, err = run(capsys, *order)
    assert (code, out) == (2, "")
    assert "unknown kind of error" in err
    assert "name files before it" in err


def test_an_option_after_the_list_parts_it_from_files(capsys):
    assert run(capsys, "--list", "--links", KEY, CAREFUL)[0] == 0


def test_a_kind_that_is_misspelt_is_suggested(capsys):
    code, _, err = run(capsys, KEY, CAREFUL, "--list", "divded")
    assert code == 2
    assert "did you mean 'divided'?" in err


def test_csv_lists_errors_if_asked_to(capsys):
    _, out, _ = run(capsys, KEY, CAREFUL, "--list", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["id"] for row in rows] == [
        row["id"] for row in corefkit.errors(KEY, CAREFUL).to_records()
    ]


@pytest.mark.parametrize("output", ["table", "json", "csv", "markdown", "latex"])
def test_every_output_is_the_same_each_time(capsys, output):
    once = run(capsys, "--example", "--links", "--format", output)
    assert once == run(capsys, "--example", "--links", "--format", output)
    assert once[0] == 0


def test_the_example_has_two_systems(capsys):
    found = values(capsys, "--example")
    assert len(found["systems"]) == 2
    assert "changes" in found["across"]


def test_the_signature_names_what_is_not_the_default(capsys):
    words = ["--antecedents", "closest", "--language", "en", "--singletons", "drop"]
    signature = values(capsys, KEY, CAREFUL, *words)["signature"]
    scored = corefkit.score(KEY, CAREFUL, singletons="drop").signature
    assert signature == f"{scored}|antecedents:closest|language:en"


def test_a_broken_response_is_told_and_the_others_go_on(capsys, tmp_path):
    broken = written(tmp_path / "bad.conll", BROKEN)
    code, out, err = run(capsys, KEY, CAREFUL, broken, "--format", "json")
    assert code == 1
    found = json.loads(out)
    assert [system["response"] for system in found["systems"]] == [CAREFUL]
    (refused,) = found["refused"]
    assert refused["response"] == str(broken)
    assert str(broken) in err


@pytest.mark.parametrize("folders", [0, 12, 40])
def test_one_broken_of_twenty_stands_in_the_table(capsys, folders):
    named = [f"S{number}={CAREFUL}" for number in range(19)]
    path = "deep/" * folders + "nowhere.conll"
    code, out, err = run(capsys, KEY, *named, f"bad={path}")
    assert code == 1
    assert "Not analysed: 1 submission that cannot be analysed" in out
    assert "No such file" in out
    *lines, signature = out.splitlines()
    wide = [line.split() for line in lines if len(line) > 80]
    # Only a path that is too long for a line of its own is wider, and stays whole.
    assert wide == ([[f"{path}:"]] if len(path) > 77 else [])
    assert signature.startswith("corefkit:")
    assert "1 of 20 responses could not be analysed: bad" in err


def test_a_broken_response_that_is_named_twice_counts_twice(capsys, tmp_path):
    broken = tmp_path / "none.conll"
    _, out, err = run(capsys, KEY, CAREFUL, broken, broken)
    assert out.count("cannot be read") == 2
    assert "2 of 3 responses could not be analysed" in err


def test_all_broken_print_no_table(capsys, tmp_path):
    code, out, err = run(capsys, KEY, tmp_path / "none.conll", tmp_path / "no.conll")
    assert (code, out) == (1, "")
    assert "none.conll: cannot be read" in err
    assert "no.conll: cannot be read" in err


def test_a_broken_key_is_told(capsys, tmp_path):
    code, out, err = run(capsys, tmp_path / "none.conll", CAREFUL)
    assert (code, out) == (1, "")
    assert "none.conll" in err


def test_files_are_needed(capsys):
    code, _, err = run(capsys, KEY)
    assert code == 2
    assert "a key and a response are required" in err


def test_notes_go_to_stderr(capsys, tmp_path):
    response = written(
        tmp_path / "r.jsonl", json_line("(example/bridge); part 000", None, [[[0, 1]]])
    )
    code, out, err = run(capsys, KEY, response)
    assert code == 0
    assert "note: " in err
    assert "note" not in out


def test_corrected_responses_can_be_read_and_score_as_the_ladder_says(capsys, tmp_path):
    folder = tmp_path / "corrected"
    found = values(capsys, KEY, CAREFUL, "--corrected", folder)
    (system,) = found["systems"]
    steps = ["response", *KINDS]
    names = [f"{number}-{step}.conll" for number, step in enumerate(steps)]
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    for step, name in zip(steps, names, strict=True):
        scored = corefkit.score(KEY, folder / name)
        ladder = system["ladder"][step]
        assert scored.conll == pytest.approx(ladder["conll"], abs=1e-12)
        for metric in scored:
            assert scored[metric].f1 == pytest.approx(ladder[metric], abs=1e-12)


def test_corrected_responses_of_several_systems_have_folders(capsys, tmp_path):
    code, _, err = run(
        capsys,
        KEY,
        f"A={CAREFUL}",
        f"B={GREEDY}",
        "--corrected",
        tmp_path,
        "--to",
        "jsonl",
    )
    assert code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["A", "B"]
    assert (tmp_path / "B" / "4-extra_entity.jsonl").exists()
    assert "written: 16 corrected responses" in err


def test_corrected_formats_with_a_file_for_each_document_have_folders(capsys, tmp_path):
    code, _, err = run(capsys, KEY, CAREFUL, "--corrected", tmp_path, "--to", "brat")
    assert code == 0, err
    assert len([*(tmp_path / "0-response").glob("*.ann")]) == 4


def test_a_response_given_twice_is_corrected_twice(capsys, tmp_path):
    code, _, _ = run(capsys, KEY, CAREFUL, CAREFUL, "--corrected", tmp_path)
    assert code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["2-careful.conll", "careful.conll"]
    assert len([*(tmp_path / "careful.conll").iterdir()]) == 8


def test_a_format_to_write_needs_a_folder(capsys):
    code, _, err = run(capsys, KEY, CAREFUL, "--to", "jsonl")
    assert code == 2
    assert "--corrected DIR" in err


def test_a_folder_that_is_a_file_is_refused_before_anything_is_read(capsys, tmp_path):
    target = written(tmp_path / "out", "mine")
    code, out, err = run(capsys, KEY, CAREFUL, "--corrected", target)
    assert (code, out) == (1, "")
    assert "expected a folder" in err
    assert Path(target).read_text() == "mine"


def test_corrected_goes_on_without_broken_responses(capsys, tmp_path):
    folder = tmp_path / "out"
    code, _, _ = run(
        capsys, KEY, CAREFUL, tmp_path / "none.conll", "--corrected", folder
    )
    assert code == 1
    assert (folder / "7-missing_entity.conll").exists()


def test_dropped_singletons_are_dropped_once(capsys, tmp_path):
    found = values(capsys, KEY, GREEDY, "--singletons", "drop", "--corrected", tmp_path)
    (system,) = found["systems"]
    for number, step in enumerate(["response", *KINDS]):
        path = tmp_path / f"{number}-{step}.conll"
        scored = corefkit.score(KEY, path, singletons="drop-key")
        assert scored.conll == pytest.approx(system["ladder"][step]["conll"])


def test_an_empty_response_has_only_missing_entities(capsys, tmp_path):
    empty = [replace(document, entities=()) for document in corefkit.read(KEY)]
    corefkit.write(empty, tmp_path / "empty.conll")
    code, out, err = run(capsys, KEY, tmp_path / "empty.conll", "--format", "json")
    assert code == 0
    assert "warning: " in err
    counts = json.loads(out)["systems"][0]["counts"]
    entities = [entity for document in corefkit.read(KEY) for entity in document]
    assert counts == dict.fromkeys(KINDS, 0) | {"missing_entity": len(entities)}


def test_links_are_counted_by_stratum(capsys):
    found = values(capsys, KEY, CAREFUL, "--strata", "bridge|lamps|.*")
    by_stratum = found["systems"][0]["links"]["recall"]["breakdowns"]["stratum"]
    assert [*by_stratum] == sorted(by_stratum)
    assert sum(rate["edges"] for rate in by_stratum.values()) == 59
    _, out, _ = run(capsys, KEY, CAREFUL, "--strata", "genre", "--links")
    assert "Missing links by stratum" in out


@pytest.mark.parametrize("strata", ["(", "nowhere"])
def test_strata_that_fit_no_document_are_refused(capsys, strata):
    code, out, err = run(capsys, KEY, CAREFUL, "--strata", strata)
    assert code != 0
    assert out == ""
    assert strata in err


def test_places_count_empty_nodes(capsys, tmp_path):
    conllu = (
        "# newdoc id = d\n"
        "# global.Entity = eid-etype-head-other\n"
        "1\tAna\t_\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1--1)\n"
        "2\tduerme\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
        "2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj\tEntity=(e1--1)\n"
        "3\tella\t_\tPRON\t_\t_\t2\tobl\t_\tEntity=(e1--1)\n\n"
    )
    key = written(tmp_path / "key.conllu", conllu)
    less = conllu.replace("obl\t_\tEntity=(e1--1)", "obl\t_\t_")
    response = written(tmp_path / "response.conllu", less)
    _, out, _ = run(capsys, key, response, "--list", "missing_mention")
    assert out.startswith(f"{key}:6: missing mention: Ana duerme _ [ella] | entity")


class TestSort:
    @pytest.mark.parametrize(
        ("sort", "first"),
        [("divided", "B"), ("errors", "A"), ("lea", "A"), ("muc", "B"), ("name", "A")],
    )
    def test_systems_are_sorted(self, capsys, sort, first):
        words = [KEY, f"B={GREEDY}", f"A={CAREFUL}", "--sort", sort]
        code, out, err = run(capsys, *words)
        assert (code, err) == (0, "")
        assert out.split()[0] == first

    def test_json_stays_in_the_order_of_input(self, capsys):
        words = [KEY, f"B={GREEDY}", f"A={CAREFUL}"]
        assert values(capsys, *words, "--sort", "errors") == values(capsys, *words)

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--sort", "divded"], "did you mean 'divided'"),
            (["--sort", "blanc", "--repair", "lea"], "--repair names others"),
        ],
    )
    def test_what_cannot_be_sorted_by_is_told_first(self, capsys, words, message):
        code, out, err = run(capsys, KEY, "nowhere.conll", *words)
        assert (code, out) == (2, "")
        assert message in err


def test_documents_are_shown_if_asked_for(capsys):
    _, out, _ = run(capsys, KEY, CAREFUL, GREEDY, "--per-document", "--sort", "divided")
    assert "Divided errors by document" in out
    assert "\nexample/violin " in out


def test_a_shared_error_is_one_entry(capsys):
    _, out, _ = run(capsys, KEY, CAREFUL, CAREFUL, "--list", "divided")
    _, alone, _ = run(capsys, KEY, CAREFUL, "--list", "divided")
    assert out.count(" | both | ") == alone.count(": divided: ") > 0
    assert out.count(": divided: ") == alone.count(": divided: ")
