"""CoNLL-2012 by its numbered rules, and every way to break them."""

from __future__ import annotations

import pytest
from files import conll, corpus, json_line, written
from formats import reading
from formats.reading import problems, spans
from raising import raises

import corefkit
from corefkit import Entity, FormatError, Mention, PairingError
from corefkit.formats import open_source
from corefkit.formats.conll import format_document, recognise


@pytest.fixture
def entities(tmp_path):
    """Read the entities of a document given by its cells."""

    def read(cells):
        (document,) = corefkit.read(written(tmp_path / "file.conll", conll(cells)))
        return spans(document)

    return read


@pytest.fixture
def found(tmp_path):
    """List the problems of a file as (line, code, hint)."""

    def check(text):
        path = written(tmp_path / "file.conll", text)
        return [(one.line, one.code, one.hint) for one in problems(path)]

    return check


@pytest.fixture
def columns_of(tmp_path):
    """Read the columns of a file, as scoring does."""

    def read(text, *, reference=False):
        source = open_source(written(tmp_path / "f", text), reference=reference)
        try:
            return source.read_columns(range(len(source.ids)))
        finally:
            source.close()

    return read


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        pytest.param("(1 1)", {"1": [(0, 1)]}, id="two tokens"),
        pytest.param("(1)", {"1": [(0, 0)]}, id="one token"),
        pytest.param("(1 - (1 1) 1)", {"1": [(2, 3), (0, 4)]}, id="nested, one entity"),
        pytest.param("(1 (2 1) 2)", {"1": [(0, 2)], "2": [(1, 3)]}, id="crossing"),
        pytest.param("(1|(2 2)|1)", {"1": [(0, 1)], "2": [(0, 1)]}, id="repeated"),
        pytest.param("(1 / 1)", {"1": [(0, 1)]}, id="across sentences"),
        pytest.param("(1)|(1)", {"1": [(0, 0), (0, 0)]}, id="twice in a cell"),
        pytest.param("(1 1)|(1 1)", {"1": [(0, 1), (1, 2)]}, id="closed and opened"),
        pytest.param("(1(2)", None, id="no bar, unclosed"),
        pytest.param("(1(2)1)", {"1": [(0, 0)], "2": [(0, 0)]}, id="no bars"),
        pytest.param(f"({'1' * 18})", {"1" * 18: [(0, 0)]}, id="a long id"),
        pytest.param("(0) (00)", {"0": [(0, 0)], "00": [(1, 1)]}, id="ids are strings"),
        pytest.param("- _ *", {}, id="empty cells"),
    ],
)
def test_cells_are_read_from_left_to_right(entities, cells, expected):
    if expected is None:
        with raises(FormatError, "format/unbalanced-bracket", place="file.conll:2"):
            entities(cells)
    else:
        assert entities(cells) == expected


def test_document_has_id_sentences_and_entities(tmp_path):
    text = conll("(1 - / 1)", name="(a/b); part 003", words=["Ann", "saw", "her"])
    (document,) = corefkit.read(written(tmp_path / "file", text))
    assert document == corefkit.Document(
        "(a/b); part 003", (("Ann", "saw"), ("her",)), (Entity("1", (Mention(0, 2),)),)
    )


def test_documents_are_read_one_at_a_time(tmp_path):
    # The second document is wrong, and nobody has come to it yet.
    text = conll("(1)", name="(a);") + conll("1)", name="(b);")
    documents = corefkit.read(written(tmp_path / "file", text))
    assert next(documents).id == "(a);"
    with raises(FormatError, "format/unbalanced-bracket", place="file:5"):
        next(documents)


@reading.heads(
    own=[
        b"#begin document (d); part 000\n",
        b"# begin document (d)\n",
        b"# a comment\n\n#begin document (d);\n",
    ],
    others=[
        b"#begin documents\n",
        b'{"doc_key": "#begin document (d)"}',
        b"a b c -\n",
        b"",
    ],
)
def test_header_is_recognised(head, expected):
    assert recognise(head) is expected


BROKEN = {
    "unopened": ("- 1)", 3, "format/unbalanced-bracket"),
    "unclosed": ("- (1 -", 3, "format/unbalanced-bracket"),
    "closed twice": ("(1 1) 1)", 4, "format/unbalanced-bracket"),
    "letters": ("(a)", 2, "format/invalid-annotation"),
    "letters, opening": ("(e7 -", 2, "format/invalid-annotation"),
    "negative": ("(-1)", 2, "format/invalid-annotation"),
    "other digits": ("(٣)", 2, "format/invalid-annotation"),
    "no bracket": ("7", 2, "format/invalid-annotation"),
    "no id": ("()", 2, "format/invalid-annotation"),
    "a word": ("word", 2, "format/invalid-annotation"),
    "half": ("(1)|(", 2, "format/invalid-annotation"),
    "glued": ("(1)3)", 2, "format/unbalanced-bracket"),
    "bad among good": ("(1)|x|(2)", 2, "format/invalid-annotation"),
}
each_broken = pytest.mark.parametrize(
    ("cells", "line", "code"), BROKEN.values(), ids=BROKEN
)


@each_broken
def test_every_broken_cell_is_a_problem(found, cells, line, code):
    (problem,) = found(conll(cells))
    assert problem[0] == line
    assert problem[1] == code


@each_broken
def test_reading_raises_the_first_problem(columns_of, cells, line, code):
    with raises(FormatError, code, place=f"f:{line}"):
        columns_of(conll(cells))


@each_broken
def test_reader_raises_the_first_problem(entities, cells, line, code):
    with raises(FormatError, code, place=f"file.conll:{line}"):
        entities(cells)


def test_lines_are_counted_over_documents_and_comments(found):
    text = conll("(1)", name="(a);") + "\n# c\n" + conll("- / 1)", name="(b);")
    assert [line for line, *_ in found(text)] == [9]


def test_all_problems_are_listed_in_the_order_of_lines(found):
    text = conll("1) (2 (x)", name="(a);") + conll("(3", name="(a);")
    assert [(line, code) for line, code, _ in found(text)] == [
        (2, "format/unbalanced-bracket"),
        (3, "format/unbalanced-bracket"),
        (4, "format/invalid-annotation"),
        (6, "format/repeated-document"),
        (7, "format/unbalanced-bracket"),
    ]


def test_repeated_mention_is_a_warning(tmp_path):
    path = written(tmp_path / "file", conll("(1|(2 2)|1)"))
    (problem,) = problems(path)
    assert problem.severity == "warning"
    assert problem.line == 2
    assert "tokens 0 to 1" in problem.message
    assert "entity 1" in problem.message
    assert "entity 2" in problem.message
    assert "--repeated first" in problem.hint


BROKEN_FRAMES = {
    "no end at the end of the file": (
        conll("(1)").removesuffix("#end document\n"),
        3,
        "format/unpaired-document",
    ),
    "no end before the next document": (
        conll("-", name="(a);").removesuffix("#end document\n") + conll("-"),
        3,
        "format/unpaired-document",
    ),
    "an end too many": (
        conll("-") + "#end document\n",
        4,
        "format/unpaired-document",
    ),
    "a token before": ("x -\n" + conll("-"), 1, "format/unpaired-document"),
    "a token between": (
        conll("-", name="(a);") + "\nx -\n" + conll("-"),
        5,
        "format/unpaired-document",
    ),
    "a token behind": (conll("-") + "x\n", 4, "format/unpaired-document"),
}


@pytest.mark.parametrize(
    ("text", "line", "code"), BROKEN_FRAMES.values(), ids=BROKEN_FRAMES
)
def test_documents_must_begin_and_end(found, columns_of, text, line, code):
    (problem,) = found(text)
    assert problem[:2] == (line, code)
    with raises(FormatError, code, place=f"f:{line}"):
        columns_of(text)


def test_incomplete_last_line_is_reported(columns_of):
    text = corpus({"a": "(1 1)", "b": "(1 - 1)"})
    whole = columns_of(text)
    for end in range(len(text) - len("\n#end document\n"), len(text) - 1):
        with raises(FormatError, "format/unpaired-document"):
            columns_of(text[:end])
    assert columns_of(text[:-1]).token_count.tolist() == whole.token_count.tolist()


def test_headers_in_the_text_are_text(columns_of):
    text = conll("- -", words=["document", "#end"]).replace("w", "x document")
    assert columns_of(text).token_count.tolist() == [2]


class TestAsTheReferenceReads:
    @pytest.mark.parametrize(
        ("text", "ids"),
        [
            pytest.param("#begin document (a); \n", ["(a); "], id="trailing blank"),
            pytest.param("#begin document (a)\r\n", ["(a)"], id="CR"),
            pytest.param(
                conll("-", name="(a)") + conll("-", name="(a)"),
                ["(a)"] * 2,
                id="doubled",
            ),
        ],
    )
    def test_names_are_compared_byte_by_byte(self, tmp_path, text, ids):
        source = open_source(written(tmp_path / "f", text), reference=True)
        assert source.ids == ids
        source.close()

    def test_comments_are_tokens(self, columns_of):
        text = conll("(1) / (1)").replace("\n\n", "\n\n# comment\n")
        assert columns_of(text, reference=True).start.tolist() == [0, 2]
        assert columns_of(text).start.tolist() == [0, 1]

    def test_one_token_mentions_come_first_then_openings(self, columns_of):
        # Closed and opened again in one cell: the newer opening is closed.
        text = conll("(5 5)|(5 5)")
        columns = columns_of(text, reference=True)
        assert sorted(
            zip(columns.start.tolist(), columns.end.tolist(), strict=True)
        ) == [
            (0, 2),
            (1, 1),
        ]

    def test_open_brackets_are_ignored_at_the_end_of_the_file(self, columns_of):
        text = conll("(1) (2 (1)").removesuffix("#end document\n")
        assert columns_of(text, reference=True).start.tolist() == [0, 2]

    def test_open_brackets_are_an_error_at_the_end_of_a_document(self, columns_of):
        with raises(FormatError, "format/unbalanced-bracket", place="f:3"):
            columns_of(conll("(1) (2 (1)"), reference=True)


def test_entity_order_is_the_same_in_a_file_and_in_its_documents(tmp_path):
    # One span in two entities: opened first is 1, closed first is 2. Which of them
    # keeps it must not depend on the way in.
    key = written(tmp_path / "key", conll("(1|(2 2)|1) (2)"))
    response = written(tmp_path / "response", conll("(1 1) (1)"))
    scores = [
        corefkit.score(side, response)["muc"].recall
        for side in (key, corefkit.read(key))
    ]
    assert scores[0] == scores[1]


def test_repeated_document_is_an_error_with_both_places(tmp_path):
    text = conll("(1)", name="(a);") + conll("(1)", name="(a); ")
    key = written(tmp_path / "key.conll", text)
    with raises(
        PairingError, "pairing/repeated-document", place="key.conll:4"
    ) as error:
        corefkit.score(key, key)
    assert error.value.hint == f"it first begins at {key}:1"


def test_conll_file_equals_its_twin_in_json_lines(tmp_path):
    from corefkit.example import paths

    conll_file = paths()[0]
    lines = [
        json_line(
            document.id,
            document.tokens,
            [[list(mention) for mention in entity] for entity in document],
        )
        for document in corefkit.read(conll_file)
    ]
    twin = written(tmp_path / "twin.jsonl", "".join(lines))
    for key, response in ((conll_file, twin), (twin, conll_file)):
        result = corefkit.score(key, response, metrics=list(corefkit.METRICS))
        assert {score.f1 for score in result.scores.values()} == {1.0}
        assert result.notes == ()


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("story", "(story); part 000"),
        ("(story)", "(story); part 000"),
        ("(story);", "(story); part 000"),
        ("(story); part 7", "(story); part 007"),
        ("()", "(); part 000"),
        ("a (b)", "(a (b)); part 000"),
    ],
)
def test_written_names_are_in_parentheses_once(name, header):
    first, *_ = format_document(corefkit.Document(name, (), ()))
    assert first == f"#begin document {header}\n"
