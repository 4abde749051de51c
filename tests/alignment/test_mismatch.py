"""Mentions that hardly meet, and the reasons that are found by trying."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from files import conll, json_line, written

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.alignment import mismatch, pipeline
from corefkit.analysis.explain import explain
from corefkit.cli import main
from corefkit.example import paths
from corefkit.formats.output import write
from corefkit.lab.diagnosis import diagnose

KEY, CAREFUL, _ = map(str, paths())


def moved(document, move):
    """Move the mentions of a document; `move` takes and gives a mention."""
    entities = (
        replace(entity, mentions=tuple(map(move, entity.mentions)))
        for entity in document
    )
    return replace(document, entities=tuple(entities))


def as_lines(path, move, *, words=True):
    """Write the careful response as JSON lines, its spans moved."""
    rows = []
    for document in corefkit.read(CAREFUL):
        clusters = [[move(*mention) for mention in entity] for entity in document]
        row = {"doc_key": document.id, "clusters": clusters}
        if words:
            row["sentences"] = document.sentences
        rows.append(json.dumps(row) + "\n")
    return written(path, "".join(rows))


def columns_changed(path, change, source=CAREFUL):
    """Write a CoNLL file with every token line's columns changed."""
    lines = Path(source).read_text().split("\n")
    return written(
        path,
        "\n".join(
            line
            if not line or line.startswith("#")
            else "\t".join(change(line.split()))
            for line in lines
        ),
    )


def test_printed_result_shows_its_warnings():
    meets, does_not = (corefkit.score(["ab"], [other]) for other in ("ab", "cd"))
    assert "warning: " not in str(meets)
    assert str(does_not).splitlines()[-1] == f"warning: {does_not.warnings[0]}"


def warnings(response, key=KEY, **settings):
    return corefkit.score(key, response, metrics="mentions", **settings).warnings


def test_response_that_meets_the_key_brings_no_warning():
    assert warnings(CAREFUL) == ()
    assert warnings(KEY) == ()


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (
            lambda s, e: (s, e + 1),
            "with its ends taken as exclusive, 98.8 % of mention",
        ),
        (lambda s, e: (s + 1, e + 1), "with its tokens counted from 1, 98.8 % of ment"),
        (
            lambda s, e: (s + 1, e + 2),
            "with its tokens counted from 1 and its ends taken as exclusive, 98.8 %",
        ),
        (lambda s, e: (s, e + 2), "with its starts moved by +0 and its ends by -2, "),
    ],
)
def test_spans_off_by_one_are_found_out(tmp_path, move, reason):
    response = as_lines(tmp_path / "r.jsonl", move, words=False)
    found, words = warnings(response)
    assert found.startswith(f"{response}: ")
    assert " of its 81 mentions match the key's 109: " in found
    assert reason in found
    assert "its words are unknown, but those of the key are known" in words


def test_key_that_counts_otherwise_is_found_out(tmp_path):
    key = as_lines(tmp_path / "k.jsonl", lambda s, e: (s, e + 1), words=False)
    assert (
        "with the key's ends taken as exclusive, 100.0 %" in warnings(CAREFUL, key)[0]
    )


def test_characters_in_place_of_tokens_are_found_out():
    (document,) = list(corefkit.read(CAREFUL))[:1]
    (key,) = list(corefkit.read(KEY))[:1]
    begins = [0]
    for word in document.tokens:
        begins.append(begins[-1] + len(word) + 1)
    spans = [[(begins[s], begins[e + 1] - 1) for s, e in entity] for entity in document]
    (found,) = warnings({document.id: spans}, key)
    assert "with its spans taken as characters, ends exclusive, 100.0 %" in found


@pytest.mark.parametrize("preset", [None, "conll2012"])
@pytest.mark.parametrize("cell", ["-", "_", "*"])
def test_one_column_too_many_in_conll(tmp_path, preset, cell):
    response = columns_changed(tmp_path / "r.conll", lambda row: [*row, cell])
    (found,) = warnings(response, preset=preset)
    assert "has no mention to score: with coreference in column 5 of 6" in found
    assert "98.8 % of mentions would match" in found


def test_one_column_too_many_through_a_pipe(tmp_path, monkeypatch):
    response = columns_changed(tmp_path / "r.conll", lambda row: [*row, "-"])
    with Path(response).open() as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        (found,) = warnings("-")
    assert "-: has no mention to score: with coreference in column 5 of 6" in found


def test_one_column_too_many_in_the_key(tmp_path):
    key = columns_changed(tmp_path / "k.conll", lambda row: [*row, "-"], KEY)
    (found,) = warnings(CAREFUL, key)
    assert found.startswith(f"{key}: has no mention to score: with coreference in col")


@pytest.mark.parametrize(
    ("format", "changed"),
    [
        ("semeval", lambda row: [*row, "_"]),
        ("conll", lambda row: [*row[:-1], "-", row[-1], "-"]),
        ("conllu", lambda row: [*row[:8], row[9], "_"]),
    ],
)
def test_coreference_in_another_column_of_other_formats(tmp_path, format, changed):
    file = tmp_path / f"r.{format}"
    write(corefkit.read(CAREFUL), file, format=format)
    response = columns_changed(tmp_path / f"x.{format}", changed, file)
    assert "with coreference in column" in warnings(response)[0]


def test_phrases_and_names_are_not_taken_for_coreference(tmp_path):
    rows = ["(NP* (PER) -", "*) - -", "(NP*) (PER) -"]
    lines = [f"d 0 {at} w{at} NN {row}" for at, row in enumerate(rows)]
    text = "\n".join(["#begin document (d); part 000", *lines, "#end document\n"])
    response = written(tmp_path / "r.conll", text)
    key = written(tmp_path / "k.conll", conll("(1 1) (1)"))
    assert warnings(response, key) == (f"{response}: has no mention to score",)


def test_words_in_another_column_are_found(tmp_path):
    response = columns_changed(tmp_path / "r.conll", lambda row: row[1:])
    (found,) = warnings(response)
    assert "its words are unknown, but those of the key are known" in found
    assert "column 3 contains them" in found


MILL = """#begin document (mill); part 000
mill  0  0  The    DT   (S(NP(NP*   -  -  -  -  *  (1
mill  0  1  old    JJ   *           -  -  -  -  *  -
mill  0  2  mill   NN   *)          -  -  -  -  *  -
mill  0  3  by     IN   (PP*        -  -  -  -  *  -
mill  0  4  the    DT   (NP*        -  -  -  -  *  (2
mill  0  5  river  NN   *)))        -  -  -  -  *  1)|2)
mill  0  6  burnt  VBD  (VP*))      -  -  -  -  *  -
#end document
"""


def test_mentions_of_heads_only_are_found_out_by_trees(tmp_path):
    key = written(tmp_path / "k.conll", MILL)
    words = ["The", "old", "mill", "by", "the", "river", "burnt"]
    response = written(
        tmp_path / "r.jsonl", json_line("mill", words, [[[2, 2]], [[5, 5]]])
    )
    (found,) = warnings(response, key)
    assert "0 of its 2 mentions match the key's 2: by head 100.0 % of mentions" in found


def test_mentions_of_heads_only_are_found_out_by_known_heads():
    words = (tuple("abcdefgh"),)
    mentions = [Mention(0, 2, head=1), Mention(3, 5, head=3), Mention(4, 7, head=6)]
    key = Document("d", words, (Entity("1", tuple(mentions)),))
    response = moved(key, lambda one: Mention(one.head, one.head))
    (found,) = warnings(response, key)
    assert "by head 100.0 % of mentions would match" in found


def test_last_tokens_are_found_out_where_no_head_is_known():
    mentions = [(0, 2), (3, 5), (4, 7), (9, 12)]
    found = corefkit.score([mentions], [[(end, end) for _, end in mentions]]).warnings
    assert "by their last token 100.0 % of mentions would match" in found[0]


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ({"d": []}, "response: has no mention to score"),
        (
            {"d": [[(0, 0)], [(1, 1)]]},
            "the settings leave out all 2 that it has (single",
        ),
    ],
)
def test_side_without_a_mention_is_told(response, reason):
    key = {"d": [[(0, 1), (3, 3)]]}
    (found,) = warnings(response, key, singletons="drop")
    assert reason in found
    (found,) = warnings(key, response, singletons="drop")
    assert found.startswith("key: has no mention to score")


def test_no_mention_on_either_side_is_told():
    assert "neither it nor the key has a mention" in corefkit.score([], []).warnings[0]
    (found,) = warnings({"d": [[(0, 0)]]}, {})
    assert found.endswith("a mention to score: the key has no document")


def test_brackets_of_both_sides_in_another_column_are_found_out(tmp_path):
    lines = [
        f"{line}  -" if line and not line.startswith("#") else line
        for line in Path(CAREFUL).read_text("utf-8").splitlines()
    ]
    file = written(tmp_path / "wide.conll", "\n".join(lines) + "\n")
    (found,) = warnings(file, file)
    columns = len(Path(CAREFUL).read_text("utf-8").splitlines()[1].split())
    reason = f"column {columns} of {columns + 1} of {file} contains brackets"
    assert f"neither it nor the key has a mention to score: {reason}" in found


def test_settings_that_leave_out_both_sides_are_told():
    alone = {"d": [[(0, 0)], [(1, 1)]]}
    (found,) = warnings(alone, alone, singletons="drop")
    assert found.endswith("the settings leave out all 2 that it has (singletons:drop)")


def test_ids_that_the_reference_scorer_tells_apart_are_told(tmp_path):
    text = Path(CAREFUL).read_text().replace("; part 000", "")
    response = written(tmp_path / "r.conll", text)
    (found,) = warnings(response, preset="conll2012")
    assert "in another spelling 4 of 4 documents would pair" in found
    assert warnings(response) == ()


def test_names_of_another_type_are_found_out():
    found = corefkit.score([[(0, 1), (3, 4)]], [["0 1", "3 4"]]).warnings
    assert "by their letters and digits alone" in found[0]
    assert len(corefkit.score([["a"]], [["b"]]).warnings) == 1


@pytest.mark.parametrize(
    ("key", "response", "is_reported"),
    [
        ("a-1 b c", "A:1 w x y z", True),  # a third of the smaller side
        ("A:1 w x y z", "a-1 b c", True),
        ("a-1 b c d", "A:1 x y z", False),  # a quarter
        ("a-1 a:1 b c d e", "A/1 A+1 w x y z", True),  # two of six share a spelling
        ("a b", "x y", False),
        ("a-1 b c d e", "A:1 A/1 x y z", False),  # a mention matches once
    ],
)
def test_spelling_is_a_reason_if_enough_mentions_share_it(key, response, is_reported):
    (warning,) = corefkit.score([key.split()], [response.split()]).warnings
    assert ("by their letters and digits alone" in warning) is is_reported


def test_spans_in_memory_beside_a_file_need_no_words():
    spans = {
        one.id: [list(map(tuple, e)) for e in one] for one in corefkit.read(CAREFUL)
    }
    assert warnings(spans) == ()


def test_one_mention_in_ten_is_enough():
    key = [[(at, at) for at in range(20)]]
    for meeting_mentions, warned in ((2, False), (1, True)):
        other = [(at + 50, at + 60) for at in range(20 - meeting_mentions)]
        response = [[*key[0][:meeting_mentions], *other]]
        assert bool(corefkit.score(key, response).warnings) is warned
    # Of the smaller side: who finds little need not be wrong.
    assert not corefkit.score(key, [[(3, 3)]]).warnings


@pytest.mark.parametrize("documents", [1, 3, 1 << 12])
def test_warning_does_not_depend_on_blocks(tmp_path, monkeypatch, documents):
    response = as_lines(tmp_path / "r.jsonl", lambda s, e: (s + 1, e + 1), words=False)
    expected = warnings(response)
    monkeypatch.setattr(pipeline, "_BLOCK_DOCUMENTS", documents)
    assert warnings(response) == expected


def test_nothing_is_tried_where_mentions_meet(monkeypatch):
    monkeypatch.setattr(mismatch, "_describe_mentions", None)
    assert corefkit.score(KEY, CAREFUL).warnings == ()


def test_only_some_documents_of_a_large_corpus_are_looked_at(monkeypatch, tmp_path):
    response = as_lines(tmp_path / "r.jsonl", lambda s, e: (s + 1, e + 1), words=False)
    monkeypatch.setattr(mismatch, "_MAX_DOCUMENTS", 2)
    assert (
        "would match in 2 documents; `corefkit doctor` scores" in warnings(response)[0]
    )


class TestWhereItIsSaid:
    @pytest.fixture
    def response(self, tmp_path):
        return columns_changed(tmp_path / "r.conll", lambda row: [*row, "-"])

    def test_score_warns_on_standard_error(self, response, capsys):
        assert main(["score", KEY, response, CAREFUL]) == 0
        out, err = capsys.readouterr()
        assert "with coreference in column 5 of 6" not in out
        (line,) = [line for line in err.splitlines() if line.startswith("warning: ")]
        assert "with coreference in column 5 of 6" in line

    def test_json_has_it(self, response):
        result = corefkit.score(KEY, response)
        (system,) = result.to_dict()["systems"]
        assert system["warnings"] == list(result.warnings) != []
        (system,) = corefkit.score(KEY, CAREFUL).to_dict()["systems"]
        assert "warnings" not in system

    def test_stored_scores_keep_it(self, response, tmp_path, capsys):
        from corefkit.results.stored_results import read_stored

        assert main(["score", KEY, response, "--format", "json"]) == 0
        stored = written(tmp_path / "s.json", capsys.readouterr().out)
        assert read_stored(stored)[0].warnings == corefkit.score(KEY, response).warnings

    def test_every_response_has_its_own(self, response):
        settings = corefkit.Settings()
        found = corefkit.score_responses(KEY, [CAREFUL, response], settings=settings)
        assert [len(one.warnings) for one in found] == [0, 1]

    def test_explain_says_it(self, response):
        text = " ".join(explain(KEY, response, metric="muc").split())
        assert "warning: " in text
        assert "with coreference in column 5 of 6" in text
        assert "warning: " not in explain(KEY, CAREFUL, metric="muc")

    def test_diagnose_says_it(self, response, capsys):
        assert len(diagnose(KEY, response).warnings) == 1
        assert diagnose(KEY, CAREFUL).warnings == ()
        assert main(["lab", "diagnose", KEY, response]) == 0
        assert "warning: " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["key", "response"])
def test_side_without_mentions_is_reported_if_mentions_are_names(name):
    sides = {"key": [["Ann", "she"]], "response": [["Ann", "she"]], name: []}
    (warning,) = corefkit.score(**sides).warnings
    assert warning == f"{name}: has no mention to score"
