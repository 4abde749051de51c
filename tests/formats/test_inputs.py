"""Whatever a user passes as key or response."""

from __future__ import annotations

import subprocess
import sys
from unittest import mock

import pytest
from files import conll, json_line, written
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention, PairingError, formats
from corefkit.formats import open_inputs
from corefkit.formats.files import ByteFile

DOCUMENT = Document("d", (("Ann", "left"),), (Entity("1", (Mention(0, 0),)),))
NAMES = "document\tentity\tmention\nd\t1\trec-1\nd\t1\trec-2\n"
SPANS = "document\tentity\tmention\nd\t1\t0-1\nd\t1\t3\n"


def frame(**columns):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    return pandas.DataFrame(columns)


def named_frame():
    return frame(document=["d", "d"], entity=[1, 1], mention=["rec-1", "rec-2"])


class TestKinds:
    @pytest.mark.parametrize(
        "side",
        [
            DOCUMENT,
            [DOCUMENT],
            (one for one in [DOCUMENT]),
            {"d": DOCUMENT},
            {"d": [[(0, 0)]]},
            {"d": ([place] for place in [(0, 0)])},
        ],
        ids=["document", "list", "generator", "mapping", "spans", "generators"],
    )
    def test_documents_match_spans(self, side):
        assert corefkit.score(DOCUMENT, side)["mentions"].f1 == 1

    def test_mixed_lists_of_documents_are_rejected(self):
        with raises(FormatError, "input/wrong-shape", place="key"):
            corefkit.score([DOCUMENT, ["a"]], [DOCUMENT])

    def test_duplicate_documents_are_rejected(self):
        with raises(FormatError, "input/duplicate-name", place="key"):
            corefkit.score([DOCUMENT, Document("d", (), ())], DOCUMENT)

    def test_frames_match_files_and_spans(self, tmp_path):
        table = frame(document=["d", "d"], entity=[1, 1], start=[0, 3], end=[1, 3])
        lines = written(tmp_path / "a", json_line("d", "abcd", [[[0, 1], [3, 3]]]))
        for other in (lines, {"d": [[(0, 1), (3, 3)]]}, written(tmp_path / "b", SPANS)):
            assert corefkit.score(table, other)["muc"].f1 == 1
            assert corefkit.score(other, table)["muc"].f1 == 1

    def test_responses_may_be_of_different_types(self, tmp_path):
        responses = [named_frame(), written(tmp_path / "b", NAMES)]
        with open_inputs(named_frame(), responses, format=None, reference=False) as (
            key,
            others,
        ):
            codes = [
                source.read_columns([0]).start.tolist()
                for source in (key, *others.values())
            ]
            assert codes[0] == codes[1] == codes[2]
            assert [source.name for source in others.values()] == [
                "response",
                responses[1],
            ]


class TestNames:
    def test_names_in_frames_and_files_match(self, tmp_path):
        path = written(tmp_path / "table", NAMES)
        assert corefkit.score(path, named_frame())["muc"].f1 == 1

    def test_names_are_shared_by_both_sides(self, tmp_path):
        key = written(tmp_path / "key", NAMES)
        response = written(tmp_path / "response", NAMES.replace("rec-2", "rec-3"))
        with open_inputs(key, [response], format=None, reference=False) as (
            one,
            others,
        ):
            other = others[0]
            columns = other.read_columns([0])
            codes = {*one.read_columns([0]).start.tolist(), *columns.start.tolist()}
            assert sorted(columns.names[code] for code in codes) == [
                "rec-1",
                "rec-2",
                "rec-3",
            ]
            assert one.read_document(0).words == other.read_document(0).words

    def test_names_become_the_same_words_on_all_sides(self, tmp_path):
        files = [
            written(tmp_path / name, text)
            for name, text in (("a", SPANS), ("b", SPANS), ("c", NAMES))
        ]
        inputs = open_inputs(files[0], files[1:], format=None, reference=False)
        with inputs as (key, responses):
            words = {one.read_document(0).words for one in (key, *responses.values())}
        assert words == {("0-1", "3", "rec-1", "rec-2")}

    def test_unpaired_document_has_words_of_its_names(self, tmp_path):
        key = written(tmp_path / "key", f"{NAMES}e\t1\trec-9\n")
        response = written(tmp_path / "response", NAMES)
        with open_inputs(key, [response], format=None, reference=False) as (source, _):
            assert source.read_document(1).words == ("rec-9",)

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param(DOCUMENT, id="document"),
            pytest.param({"d": [[(0, 1)]]}, id="spans"),
            pytest.param("lines", id="file"),
            pytest.param("table", id="table with tokens"),
        ],
    )
    def test_names_are_rejected_next_to_tokens(self, tmp_path, other):
        names = written(tmp_path / "names", NAMES)
        written(tmp_path / "lines", json_line("d", "ab", [[[0, 1]]]))
        written(tmp_path / "table", "document\tentity\tstart\tend\nd\t1\t0\t1\n")
        if isinstance(other, str):
            other = str(tmp_path / other)
        for files in ((names, other), (other, names)):
            with raises(
                PairingError, "pairing/different-mentions", place="names"
            ) as refused:
                corefkit.score(*files)
            assert refused.value.place == names
            assert "mention 'rec-1' is a name, expected tokens" in refused.value.message

    def test_names_may_be_missing_on_one_side(self, tmp_path):
        names, spans = (
            written(tmp_path / name, text)
            for name, text in (("a", NAMES), ("b", SPANS))
        )
        assert corefkit.score(names, spans)["mentions"].f1 == 0

    def test_names_in_folders_match(self, tmp_path):
        for name in ("key", "response"):
            (tmp_path / name).mkdir()
            written(tmp_path / name / "table.tsv", NAMES)
        result = corefkit.score(tmp_path / "key", tmp_path / "response")
        assert result["muc"].f1 == 1
        single = tmp_path / "key" / "table.tsv"
        assert corefkit.score(single, tmp_path / "response")["muc"].f1 == 1

    def test_names_are_explained(self, tmp_path):
        key = written(tmp_path / "key", NAMES)
        words = ["explain", key, key, "--metric", "muc"]
        command = [sys.executable, "-m", "corefkit", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "K1 = {rec-1, rec-2}" in done.stdout


def test_partitions_import_no_other_library():
    code = (
        "import sys, corefkit\n"
        "corefkit.score([['a', 'b']], [{'a'}, ('b',)])\n"
        "corefkit.score({'d': [['a']]}, {'d': []})\n"
        "sys.exit('corefkit.formats.libraries' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestLargeFiles:
    """Files that a thread each opens are opened as others are."""

    @pytest.fixture(autouse=True)
    def all_are_large(self, monkeypatch):
        monkeypatch.setattr(formats, "_LARGE_BYTES", 1)

    def test_inputs_are_not_modified(self, tmp_path):
        key = written(tmp_path / "key", conll("(1 1)"))
        responses = [
            written(tmp_path / name, conll("- (1)", name=f"({name})"))
            for name in ("d", "e", "f")
        ]
        with open_inputs(key, responses, format=None, reference=False) as (
            opened,
            others,
        ):
            assert opened.name == key
            assert [others[number].name for number in range(3)] == responses

    def test_error_of_the_key_is_raised_first(self, tmp_path):
        broken = [written(tmp_path / name, "x" * 9) for name in ("key", "response")]
        with raises(FormatError, "format/unknown-format", place="key:1"):
            corefkit.score(*broken)

    def test_files_are_closed_after_an_error(self, tmp_path):
        key = written(tmp_path / "key", conll("(1)"))
        with (
            mock.patch.object(
                ByteFile, "close", autospec=True, side_effect=ByteFile.close
            ) as close,
            raises(FormatError, "format/unreadable", place="missing"),
        ):
            corefkit.score_responses(key, [key, tmp_path / "missing", key])
        closed = {id(call.args[0]): call.args[0].name for call in close.call_args_list}
        assert [*closed.values()] == [key] * 3

    def test_invalid_response_is_skipped(self, tmp_path):
        key = written(tmp_path / "key", conll("(1)"))
        broken = written(tmp_path / "broken", "x")
        results = corefkit.score_submissions(key, {"a": key, "b": broken, "c": key})
        assert [type(result).__name__ for result in results] == [
            *("Evaluation", "Refused", "Evaluation")
        ]
