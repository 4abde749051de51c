"""Recognising formats, and reading through the one door."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from files import conll, json_line, written
from formats.reading import problems
from raising import raises

import corefkit
from corefkit.formats import FORMATS, detect_format, open_source
from corefkit.formats.files import ByteFile
from corefkit.formats.output import write

CONLL = conll("(1)")
JSONL = json_line("d", "a", [[[0, 0]]])


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (CONLL, "conll"),
        (JSONL, "jsonl"),
        ("\n\n" + JSONL, "jsonl"),
        ("# x\n" + CONLL, "conll"),
    ],
)
def test_format_is_recognised_by_content(tmp_path, content, name):
    # The name says nothing: it is wrong in both cases.
    path = written(tmp_path / ("x.jsonl" if name == "conll" else "x.conll"), content)
    with ByteFile(path) as file:
        assert detect_format(file).name == name
    assert len(list(corefkit.read(path))) == 1


DOCUMENT = corefkit.Document(
    "a_story",
    (("Ann", "said", "that"), ("her", "aunt", "left")),
    (
        corefkit.Entity("1", (corefkit.Mention(0, 0), corefkit.Mention(3, 3))),
        corefkit.Entity("2", (corefkit.Mention(3, 4),)),
    ),
)


@pytest.mark.parametrize("name", FORMATS)
def test_format_is_written_read_and_recognised(tmp_path, name):
    path = tmp_path / f"x{FORMATS[name].suffixes[0]}"
    assert write([DOCUMENT], path, format=name).mentions == 3
    for format in (None, name):
        (document,) = corefkit.read(path, format=format)
        assert sorted(map(sorted, document)) == sorted(map(sorted, DOCUMENT))
    with ByteFile(path) as file:
        assert detect_format(file).name == name


@pytest.mark.parametrize("name", FORMATS)
def test_document_without_mentions_is_recognised(tmp_path, name):
    path = tmp_path / f"x{FORMATS[name].suffixes[0]}"
    write([replace(DOCUMENT, entities=())], path, format=name)
    with ByteFile(path) as file:
        assert detect_format(file).name == name
    (document,) = corefkit.read(path)
    assert not document.entities
    if FORMATS[name].writer.words:
        assert document.tokens == DOCUMENT.tokens


@pytest.mark.parametrize("reference", [False, True])
def test_late_header_is_found(tmp_path, reference):
    path = written(tmp_path / "x", "# a long licence\n" * 10_000 + CONLL)
    with closing(open_source(path, reference=reference)) as source:
        assert len(source.ids) == 1


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(b"a \0 b\n", id="a zero byte"),
        pytest.param(b"a \0 b\n" * 20_000, id="many"),
        pytest.param(JSONL.encode() * 3000, id="another format"),
        pytest.param(b"d\t0\t0\tw\t(1)\n" * 9000, id="tokens"),
    ],
)
def test_reference_scorer_ignores_text_before_documents(tmp_path, before):
    path = written(tmp_path / "x", before + CONLL.encode())
    with closing(open_source(path, reference=True)) as source:
        assert source.ids == ["(d); part 000"]
        assert source.read_columns([0]).start.tolist() == [0]


GAP = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tURL\n"


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (GAP + "v-1\tAnn saw  her.\ther\t8\tAnn\t0\tTRUE\thttp://x\n", "'ID', 'Text'"),
        ("id,text,label\n1,She left.,0\n", "'id', 'text', 'label'"),
        ("She said:  it is\tlate\n", "--from"),
    ],
)
def test_hint_for_another_table_does_not_mention_conll(tmp_path, content, hint):
    path = written(tmp_path / "x.tsv", content)
    with raises(
        corefkit.FormatError, "format/unknown-format", place="x.tsv:1"
    ) as refused:
        next(corefkit.read(path))
    assert hint in refused.value.hint
    assert "CoNLL" not in refused.value.hint


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("other", ["conll", "jsonl"])
def test_conversion_does_not_change_scores(tmp_path, name, other):
    paths = [tmp_path / f"{one}{FORMATS[one].suffixes[0]}" for one in (name, other)]
    for path, format in zip(paths, (name, other), strict=True):
        write([DOCUMENT], path, format=format)
    # A file may carry no id of its own and go by its name.
    result = corefkit.score(
        *(dict.fromkeys([""], next(corefkit.read(path))) for path in paths)
    )
    assert all(result[metric].f1 == 1 for metric in ("muc", "b_cubed", "ceaf_e", "lea"))


@pytest.mark.parametrize(
    ("content", "name", "label"),
    [(CONLL, "jsonl", "CoNLL-2012"), (JSONL, "conll", "JSON lines")],
)
def test_wrong_format_is_rejected(tmp_path, content, name, label):
    path = written(tmp_path / "x", content)
    with raises(corefkit.FormatError, "format/other-format", place="x") as refused:
        next(corefkit.read(path, format=name))
    assert label in refused.value.message
    assert "--from" in refused.value.hint


def test_unknown_format_is_rejected_with_suggestion(tmp_path):
    path = written(tmp_path / "x", CONLL)
    with raises(
        corefkit.SettingsError, "settings/unknown-format", place=None
    ) as refused:
        next(corefkit.read(path, format="json"))
    assert "did you mean 'jsonl'?" in refused.value.hint


@pytest.mark.parametrize(
    ("content", "slug", "hint"),
    [
        pytest.param("", "empty-file", None, id="empty"),
        pytest.param(" \n\t\n", "empty-file", None, id="blank"),
        pytest.param(b"\xef\xbb\xbf", "empty-file", None, id="only a byte-order mark"),
        pytest.param(CONLL.encode("utf-16"), "unknown-format", "UTF-16", id="UTF-16"),
        pytest.param(b"\x7fELF\0\0\1", "unknown-format", "binary", id="binary"),
        pytest.param(
            "a\tb\t(1)\n", "unknown-format", "#begin document", id="no header"
        ),
        pytest.param("hello\n", "unknown-format", "--from", id="some text"),
        pytest.param("[1, 2]\n", "unknown-format", "--from", id="a JSON list"),
    ],
)
def test_unknown_content_is_rejected(tmp_path, content, slug, hint):
    path = written(tmp_path / "x", content)
    place = "x" if slug == "empty-file" else "x:1"
    with raises(corefkit.FormatError, f"format/{slug}", place=place) as refused:
        list(corefkit.read(path))
    assert "CoNLL-2012 (conll), CoNLL-U (conllu), " in refused.value.message
    if hint is not None:
        assert hint in refused.value.hint
    (problem,) = problems(path)
    assert (problem.code, problem.message, problem.hint) == (
        refused.value.code,
        refused.value.message,
        refused.value.hint,
    )


def test_file_without_documents_is_rejected(tmp_path):
    path = written(tmp_path / "x", "# only a comment\n")
    with raises(corefkit.FormatError, "format/no-document", place="x"):
        open_source(path, format="conll")
