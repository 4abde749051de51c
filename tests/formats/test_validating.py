"""All problems of an input: of its format, its documents, its bytes, its files."""

from __future__ import annotations

import gzip
import io
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from files import BYTE_ORDER_MARK, conll, json_line, written
from raising import raises

import corefkit
from corefkit.formats import files as bytefile
from corefkit.formats.validation import validate_path

SOUND = conll("(1) - (1)")
EMPTY = conll("- -", name="(e); part 000")


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Put files into a folder, where the test then works."""
    monkeypatch.chdir(tmp_path)

    def files(**contents):
        for name, content in contents.items():
            written(Path(name), content)

    return files


def kinds(path, **options):
    return [one.kind for one in corefkit.validate(path, **options)]


@pytest.mark.parametrize("given", [["a", "b"], None, 3, b"key"])
def test_invalid_path_is_an_error(given):
    with raises(corefkit.SettingsError, "settings/invalid-value", place=None):
        corefkit.validate(given)


def test_valid_file_has_no_problem(put):
    put(key=SOUND)
    assert corefkit.validate("key") == corefkit.validate(Path("key")) == []
    assert validate_path("key")[:4] == ("key", frozenset({"conll"}), 1, [])


def test_problem_is_a_value(put):
    put(key=conll("(1)|(2) (1 (2)"))
    warning, error = corefkit.validate("key")
    assert (warning.file, warning.line, warning.severity) == ("key", 2, "warning")
    assert warning.kind == "repeated-mention"
    assert (error.file, error.line, error.severity) == ("key", 3, "error")
    assert error.code == "format/unbalanced-bracket"
    assert str(warning).startswith("key:2: warning: mention of tokens 0 to 0 ")
    assert str(error).splitlines() == [
        f"key:3: {error.message}",
        f"  hint: {error.hint}",
    ]
    with pytest.raises(FrozenInstanceError):
        error.line = 7
    assert isinstance(error, corefkit.Problem)


class TestRefused:
    @pytest.mark.parametrize("name", ["nowhere", "", "x" * 5000, "a:7"])
    def test_file_that_cannot_be_opened(self, put, name):
        put()
        (problem,) = corefkit.validate(name)
        assert (problem.file, problem.line) == (name, None)
        assert (problem.severity, problem.kind) == ("error", "unreadable")
        assert problem.code == "format/unreadable"

    def test_no_known_format(self, put):
        put(key="hello\n")
        (problem,) = corefkit.validate("key")
        assert (problem.line, problem.kind) == (1, "unreadable")
        assert problem.code == "format/unknown-format"
        assert validate_path("key").formats == frozenset()

    def test_wrong_format_option_is_an_error(self, put):
        put(key=SOUND)
        (problem,) = corefkit.validate("key", format="jsonl")
        assert (problem.kind, problem.code) == ("unreadable", "format/other-format")

    def test_unknown_format_is_an_error(self, put):
        put(key=SOUND)
        with raises(corefkit.SettingsError, "settings/unknown-format", place=None):
            corefkit.validate("key", format="conl")

    def test_no_document(self, put):
        put(key="# only a comment\n")
        (problem,) = corefkit.validate("key", format="conll")
        assert (problem.line, problem.kind) == (None, "no-document")
        assert problem.code == "format/no-document"

    def test_cut_off_gzip(self, put):
        put(key=gzip.compress(SOUND.encode() * 999)[:-9])
        assert kinds("key") == ["unreadable"]


class TestBytes:
    def test_byte_order_mark(self, put):
        put(key=BYTE_ORDER_MARK + SOUND.encode())
        (problem,) = corefkit.validate("key")
        assert (problem.line, problem.kind) == (1, "byte-order-mark")
        assert problem.severity == "note"

    def test_ends_of_lines(self, put):
        windows = SOUND.replace("\n", "\r\n")
        put(key=windows, mixed=windows.replace("\r", "", 2))
        assert corefkit.validate("key") == []
        (problem,) = corefkit.validate("mixed")
        assert (problem.line, problem.kind) == (None, "line-ends")
        assert problem.message.startswith("3 of 5 lines end as on Windows")

    def test_ends_of_lines_are_counted_over_blocks(self, put, monkeypatch):
        monkeypatch.setattr(bytefile, "BLOCK", 7)
        windows = SOUND.replace("\n", "\r\n")
        put(key=windows, mixed=windows.replace("\r", "", 2))
        assert corefkit.validate("key") == []
        assert corefkit.validate("mixed")[0].message.startswith("3 of 5 lines")

    def test_compressed_file_is_validated(self, put):
        put(key=gzip.compress(BYTE_ORDER_MARK + SOUND.encode()))
        assert kinds("key") == ["byte-order-mark"]

    def test_parquet_is_not_validated_as_text(self, put):
        pytest.importorskip("pyarrow")
        put(key=json_line("d", "ab", [[[0, 0], [1, 1]]]))
        corefkit.write(corefkit.read("key"), "key.parquet")
        assert corefkit.validate("key.parquet") == []


class TestNoMentions:
    def test_of_a_file_is_reported_once(self, put):
        put(key=EMPTY + EMPTY.replace("(e)", "(f)"))
        (problem,) = corefkit.validate("key")
        assert (problem.line, problem.kind, problem.severity) == (
            None,
            "no-mentions",
            "warning",
        )

    def test_of_one_document_is_a_note(self, put):
        put(key=SOUND + EMPTY)
        (problem,) = corefkit.validate("key")
        assert (problem.line, problem.kind) == (6, "without-mentions")
        assert problem.message == "document '(e); part 000' has no mention"

    def test_documents_without_words_are_reported_separately(self, put):
        put(key=EMPTY + conll("", name="(f); part 000"))
        assert kinds("key") == ["no-mentions", "empty-document"]

    def test_missing_words_are_placeholders(self, put):
        put(key=json_line("a", None, []) + json_line("b", [], []))
        assert kinds("key") == ["no-mentions", "empty-document"]

    def test_of_one_file_of_a_folder_is_a_note(self, put):
        Path("folder").mkdir()
        put(**{"folder/a.conll": SOUND, "folder/b.conll": EMPTY})
        assert kinds("folder") == ["without-mentions"]
        put(**{"folder/a.conll": EMPTY.replace("(e)", "(f)")})
        (problem,) = corefkit.validate("folder")
        assert (problem.file, problem.kind) == ("folder", "no-mentions")

    def test_are_not_counted_in_invalid_files(self, put):
        put(key=conll("(1 -") + EMPTY)
        assert kinds("key") == ["unpaired-bracket", "without-mentions"]


class TestFolders:
    @pytest.fixture
    def folder(self, put):
        def files(**contents):
            Path("folder").mkdir(exist_ok=True)
            put(**{f"folder/{name}": text for name, text in contents.items()})
            return "folder"

        return files

    def test_files_are_named(self, folder):
        broken = {"a.conll": conll("(1"), "b.conll": conll("2)", name="(b);")}
        found = corefkit.validate(folder(**broken))
        assert [(one.file, one.line) for one in found] == [
            (str(Path("folder/a.conll")), 2),
            (str(Path("folder/b.conll")), 2),
        ]

    def test_formats_are_those_of_its_files(self, folder):
        path = folder(**{"a.conll": SOUND, "b.jsonl": json_line("x", "a", [[[0, 0]]])})
        found = validate_path(path)
        assert found.formats == {"conll", "jsonl"}
        assert (found.file, found.documents) == ("folder", 2)

    def test_id_in_two_files_is_an_error(self, folder):
        path = folder(**{"a.conll": SOUND, "b.conll": SOUND})
        (problem,) = corefkit.validate(path)
        assert problem.kind == "repeated-document"
        assert (problem.file, problem.line) == (str(Path("folder/b.conll")), 1)
        assert problem.hint == f"it first begins at {Path('folder/a.conll')}:1"

    def test_file_of_unknown_format_is_reported(self, folder):
        path = folder(**{"a.conll": SOUND, "b:5.conll": "hello\n"})
        (problem,) = corefkit.validate(path)
        assert problem.kind == "unreadable"
        assert (problem.file, problem.line) == (str(Path("folder/b:5.conll")), 1)

    def test_workers_without_files_are_an_error(self, folder):
        (problem,) = corefkit.validate(folder())
        assert (problem.file, problem.kind) == ("folder", "unreadable")

    def test_other_files_are_looked_at_after_a_broken_one(self, folder):
        path = folder(
            **{
                "a.conll.gz": gzip.compress(conll("(1").encode() * 9999)[:-9],
                "b.conll": conll("2)", name="(b);"),
            }
        )
        assert "unpaired-bracket" in kinds(path)
        assert "unreadable" in kinds(path)


def test_standard_input_is_read_once(put, monkeypatch):
    put()
    monkeypatch.setattr(bytefile, "_read_inputs", [])
    stream = io.TextIOWrapper(io.BytesIO(conll("(1").encode()))
    monkeypatch.setattr("sys.stdin", stream)
    (problem,) = corefkit.validate("-")
    assert (problem.file, problem.line) == ("-", 2)
