"""Tables of mentions: columns by name, rows to documents, documents to rows."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest
from files import written
from formats.reading import DATA, everything, needs_data, problems, spans
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats.in_memory import TOKEN_LIMIT, MentionNames
from corefkit.formats.output import write
from corefkit.formats.tables import (
    HEADER,
    Cells,
    TableSource,
    describe_column_fault,
    escape_attribute,
    find_roles,
    format_cell,
    iter_rows,
    parse_span,
    unescape_attribute,
)


@pytest.fixture
def read(tmp_path):
    def read(text):
        return list(corefkit.read(written(tmp_path / "table", text)))

    return read


@pytest.fixture
def found(tmp_path):
    def found(text):
        rows = problems(written(tmp_path / "table", text))
        return [(problem.line, problem.code, problem.severity) for problem in rows]

    return found


def names(document):
    """Give the entities of a document by id, each as the names of its mentions."""
    return {
        entity.id: [document.text(mention) for mention in entity] for entity in document
    }


class TestColumns:
    @pytest.mark.parametrize(
        "header",
        [
            "document entity start end",
            "doc cluster start end",
            "doc_id entity_id start end",
            "doc_key cluster_id start end",
            "DOCUMENT_ID Entity START End",
        ],
    )
    def test_columns_are_found_by_all_names(self, read, header):
        (document,) = read("\t".join(header.split()) + "\nd\te\t1\t2\n")
        assert (document.id, spans(document)) == ("d", {"e": [(1, 2)]})

    def test_columns_are_found_in_any_order(self, read):
        (document,) = read("end\tentity\tstart\tdoc\n2\te\t1\td\n")
        assert spans(document) == {"e": [(1, 2)]}

    def test_start_and_end_precede_the_text_of_a_mention(self, read):
        (document,) = read("doc\tentity\tstart\tend\tmention\nd\te\t1\t2\tthe barn\n")
        (mention,) = document.entities[0]
        assert (mention.start, mention.attributes) == (1, {"mention": "the barn"})

    def test_second_name_of_a_column_is_an_attribute(self, read):
        (document,) = read("doc\tdocument\tentity\tmention\nx\td\te\t3\n")
        assert document.id == "d"
        assert document.entities[0].mentions[0].attributes == {"doc": "x"}

    def test_other_columns_are_attributes_unless_empty(self, read):
        header = "document\tentity\tstart\tend\ttype\tSpeaker\t\n"
        (document,) = read(header + "d\te\t1\t1\tperson\tAnn\t0\nd\te\t2\t2\t\t\t1\n")
        first, second = document.entities[0]
        assert first.attributes == {"type": "person", "Speaker": "Ann"}
        assert second.attributes == {}

    @pytest.mark.parametrize(
        "columns",
        [
            ["document", "entity"],
            ["document", "mention"],
            ["entity", "mention"],
            ["document", "entity", "start"],
            ["document", "entity", "end", "text"],
            [],
        ],
    )
    def test_missing_columns_are_reported(self, columns):
        assert find_roles(columns) is None
        message = describe_column_fault(columns)
        assert "expected document, entity, and mention or start and end" in message
        assert all(repr(column) in message for column in columns)

    def test_long_lists_of_columns_are_truncated(self):
        assert len(describe_column_fault([f"column {n}" * 9 for n in range(99)])) < 400

    def test_duplicate_columns_are_rejected(self, found):
        assert found("document\tentity\tmention\tEntity\nd\te\tx\tf\n") == [
            (1, "format/invalid-header", "error")
        ]

    def test_start_without_end_is_ignored(self, read):
        (document,) = read("document\tentity\tmention\tstart\nd\te\t3-4\t9\n")
        assert spans(document) == {"e": [(3, 4)]}


class TestMentions:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("3-5", (3, 5)),
            ("[3, 5]", (3, 5)),
            ("[3,5]", (3, 5)),
            ("(3, 5)", (3, 5)),
            ("0", (0, 0)),
            ("17", (17, 17)),
            ("5-3", None),
            ("03-05", None),
            ("007", None),
            ("[3, 5)", None),
            ("(3,  5)", None),
            ("3:5", None),
            ("3 - 5", None),
            ("-3", None),
            ("3-", None),
            ("3.0", None),
            ("٣", None),
            ("", None),
            ("1099511627775", (1099511627775, 1099511627775)),
            ("1099511627776", None),
            ("0-99999999999999", None),
        ],
    )
    def test_spans_have_few_spellings(self, text, expected):
        assert parse_span(text) == expected
        if text:
            start, end = Cells.from_texts(["x", text]).parse_spans(MentionNames())
            found = (start[1], end[1]) if start[1] < TOKEN_LIMIT else None
            assert found == expected

    def test_other_texts_are_names(self, read):
        rows = "corpus\tc1\trec-7\ncorpus\tc2\trec-1\ncorpus\tc1\trec-3\n"
        (document,) = read("document\tentity\tmention\n" + rows)
        assert names(document) == {"c1": ["rec-7", "rec-3"], "c2": ["rec-1"]}
        assert document.sentences == (("rec-1", "rec-3", "rec-7"),)
        assert [mention.attributes for mention in document.entities[0]] == [
            {"mention_name": "rec-7"},
            {"mention_name": "rec-3"},
        ]

    def test_documents_with_the_same_names_have_the_same_words(self, read):
        header = "document\tentity\tmention\n"
        one = read(header + "d\t1\ta\nd\t1\tb\n")
        other = read(header + "d\t2\tb\nd\t3\ta\n")
        assert one[0].sentences == other[0].sentences

    def test_spans_beside_names_are_names_as_they_stand(self, read):
        rows = "d\te\tx\nd\te\t3-5\n"
        (document,) = read("document\tentity\tmention\n" + rows)
        assert names(document) == {"e": ["x", "3-5"]}

    def test_names_leave_heads_and_gaps_aside(self, read):
        header = "document\tentity\tmention\thead\tgaps\n"
        (document,) = read(header + "d\te\tx\t7\t3-4\n")
        (mention,) = document.entities[0]
        assert (mention.head, mention.gaps) == (None, ())

    def test_mention_name_serves_rows_without_start_and_end(self, read):
        header = "document\tentity\tstart\tend\tmention_name\n"
        (one, other) = read(header + "d\te\t\t\tx\nd\te\t\t\ty\nf\te\t1\t2\tz\n")
        assert names(one) == {"e": ["x", "y"]}
        assert spans(other) == {"e": [(1, 2)]}

    def test_mention_name_may_stand_alone(self, read):
        (document,) = read("document\tentity\tmention_name\nd\te\tx\n")
        assert names(document) == {"e": ["x"]}

    def test_numbers_and_texts_of_numbers_are_the_same(self):
        values, names = np.array([0, 7, 10**12, -3]), MentionNames()
        numbers = Cells.from_integers(values, np.zeros(4, np.bool_)).parse_spans(names)
        texts = Cells.from_texts(map(str, values.tolist())).parse_spans(names)
        assert numbers[0].tolist() == texts[0].tolist()
        assert numbers[1].tolist() == texts[1].tolist()


class TestRows:
    HEADER = "document\tentity\tstart\tend\n"

    def test_may_be_mixed(self, read):
        rows = "b\t1\t5\t5\na\t1\t0\t0\nb\t2\t1\t1\na\t1\t3\t3\nb\t1\t0\t1\n"
        b, a = read(self.HEADER + rows)
        assert (b.id, spans(b)) == ("b", {"1": [(5, 5), (0, 1)], "2": [(1, 1)]})
        assert (a.id, spans(a)) == ("a", {"1": [(0, 0), (3, 3)]})

    def test_entities_of_two_documents_are_two(self, read):
        rows = [
            f"d{number % 50}\t{number % 3}\t{number}\t{number}" for number in range(300)
        ]
        documents = read(self.HEADER + "\n".join(rows))
        assert len(documents) == 50
        assert {len(document) for document in documents} == {3}

    def test_row_may_state_a_document(self, read):
        one, two, three = read(self.HEADER + "a\t\t\t\nb\t1\t0\t0\nb\t\t\t\nc\t\t\t\n")
        assert [one.entities, three.entities] == [(), ()]
        assert spans(two) == {"1": [(0, 0)]}

    def test_heads_and_gaps_are_read(self, read):
        header = "document\tentity\tstart\tend\thead\tgaps\n"
        (document,) = read(header + "d\te\t3\t9\t9\t4-4;6-7\nd\te\t0\t0\t\t\n")
        first, second = document.entities[0]
        assert (first.head, first.gaps) == (9, ((4, 4), (6, 7)))
        assert (second.head, second.gaps) == (None, ())

    def test_heads_with_decimal_point_are_numbers(self, read):
        (document,) = read("doc\tentity\tstart\tend\thead\nd\te\t3\t9.0\t4.0\n")
        (mention,) = document.entities[0]
        assert (mention.end, mention.head) == (9, 4)

    def test_attributes_are_parsed(self, read):
        header = "document\tentity\tstart\tend\tattributes\n"
        (document,) = read(header + "d\te\t0\t0\ta=b|50%25%3D=%7C|odd\n")
        assert document.entities[0].mentions[0].attributes == {"a": "b", "50%=": "|"}

    @pytest.mark.parametrize(
        ("row", "code"),
        [
            ("\te\t1\t2\t\t", "format/invalid-record"),
            ("d\t\t1\t2\t\t", "format/invalid-record"),
            ("d\te\t\t\t\t", "format/invalid-record"),
            ("d\te\tx\t2\t\t", "format/invalid-span"),
            ("d\te\t-1\t2\t\t", "format/invalid-span"),
            ("d\te\t1\t\t\t", "format/invalid-span"),
            ("d\te\t1\t1.5\t\t", "format/invalid-span"),
            ("d\te\t1\t9999999999999\t\t", "format/invalid-span"),
            ("d\te\t5\t3\t\t", "format/invalid-span"),
            ("d\te\t1\t2\t3\t", "format/invalid-span"),
            ("d\te\t1\t2\tx\t", "format/invalid-span"),
            ("d\te\t1\t5\t\t1-2", "format/invalid-span"),
            ("d\te\t1\t5\t\t3-5", "format/invalid-span"),
            ("d\te\t1\t5\t\tx", "format/invalid-span"),
            ("d\te\t1\t9\t\t4-4;5-6", "format/invalid-span"),
            ("d\te\t1\t9\t\t6-6;4-4", "format/invalid-span"),
        ],
    )
    def test_problems_name_the_row(self, read, found, row, code):
        text = f"document\tentity\tstart\tend\thead\tgaps\nd\te\t7\t8\t\t\n{row}\n"
        assert found(text) == [(3, code, "error")]
        with raises(FormatError, code, place="table:3"):
            read(text)

    def test_invalid_rows_are_skipped(self, found):
        text = "document\tentity\tmention\n\te\tx\nd\t\ty\nd\te\t\nd\te\tx\nd\te\tx\n"
        assert [line for line, *_ in found(text)] == [2, 3, 4, 6]

    def test_repeated_mentions_are_warnings(self, found):
        rows = "d\t1\t0\t1\nd\t2\t0\t1\nd\t1\t0\t1\ne\t1\t0\t1\n"
        assert found(self.HEADER + rows) == [
            (3, "format/repeated-mention", "warning"),
            (4, "format/repeated-mention", "warning"),
        ]

    def test_duplicate_names_are_reported_by_name(self, found):
        rows = "d\t1\trec-1\nd\t2\trec-1\n"
        assert found("document\tentity\tmention\n" + rows) == [
            (3, "format/repeated-mention", "warning")
        ]

    def test_mentions_with_different_gaps_are_not_duplicates(self, found):
        header = "document\tentity\tstart\tend\tgaps\n"
        assert found(header + "d\t1\t0\t5\t2-3\nd\t1\t0\t5\t\nd\t1\t0\t5\t2-2\n") == []
        assert len(found(header + "d\t1\t0\t5\t2-3\nd\t1\t0\t5\t2-3\n")) == 1

    def test_blanks_around_ids_are_ignored(self, found):
        ((line, code, _),) = found(self.HEADER + 'd\t1\t0\t0\n"d "\t1\t1\t1\n')
        assert (line, code) == (3, "format/repeated-document")

    def test_documents_of_names_have_any_ids(self, read):
        documents = read('document\tentity\tmention\nd\t1\tx\n"d "\t1\ty\n')
        assert [one.words for one in documents] == [("x",), ("y",)]


class TestScoring:
    HEADER = "document\tentity\tmention\n"

    @pytest.fixture
    def score(self, tmp_path):
        def score(key, response, **options):
            files = [
                written(tmp_path / name, self.HEADER + text)
                for name, text in (("key", key), ("response", response))
            ]
            return corefkit.score(*files, **options)

        return score

    def test_names_score_as_in_partitions(self, score):
        key = "c\t1\ta\nc\t1\tb\nc\t1\tc\nc\t2\td\nc\t2\te\nc\t2\tf\nc\t2\tg\n"
        response = (
            "c\tx\tb\nc\tx\ta\nc\ty\tc\nc\ty\td\nc\tz\tf\nc\tz\tg\nc\tz\th\nc\tz\ti\n"
        )
        result = score(key, response)
        expected = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"])
        assert result.scores == expected.scores

    def test_spellings_of_spans_are_equivalent(self, score):
        result = score("d\t1\t3-5\nd\t1\t7\n", "d\t1\t[3, 5]\nd\t1\t7-7\n")
        assert result["muc"].f1 == 1

    def test_equal_names_in_two_documents_do_not_match(self, score):
        result = score(
            "a\t1\tx\na\t1\ty\nb\t1\tx\nb\t1\ty\n", "a\t1\tx\na\t1\ty\nb\t1\tz\n"
        )
        assert result["mentions"].recall == 0.5
        assert result["mentions"].precision == 2 / 3

    def test_duplicate_names_are_noted(self, score):
        result = score("c\t1\ta\nc\t2\ta\n", "c\t1\ta\n")
        (note,) = result.notes
        assert "1 repeated mention" in note
        assert note.endswith("key:2")

    def test_members_of_entities_are_names(self, score):
        seen = []

        def importance(mentions):
            seen.append(set(mentions))
            return 1.0

        metric = corefkit.lea_with(importance, name="mine")
        score("c\t1\ta\nc\t1\t7\n", "c\t1\tb\n", metrics=[metric])
        assert {"a", "7"} in seen

    def test_names_are_scored_across_documents(self, score):
        result = score(
            "a\t1\tx\nb\t1\ty\nb\t2\tz\n", "a\t1\tx\nb\t1\ty\nb\t2\tw\n", scope="corpus"
        )
        assert result["muc"].f1 == 1

    def test_documents_are_read_in_the_given_order(self, tmp_path):
        header = "document\tentity\tstart\tend\thead\tgaps\n"
        rows = "a\t1\t0\t4\t0\t2-3\nb\t1\t1\t1\t\t\n"
        rows += "b\t2\t0\t6\t6\t1-1;3-3\na\t1\t9\t9\t\t\n"
        source = corefkit.formats.open_source(written(tmp_path / "file", header + rows))
        columns = source.read_columns([1, 0, 1])
        source.close()
        assert columns.entity.tolist() == [0, 1, 2, 2, 3, 4]
        assert columns.entity_document.tolist() == [0, 0, 1, 2, 2]
        assert columns.start.tolist() == [1, 0, 0, 9, 1, 0]
        assert columns.details.head.tolist() == [-1, 6, 0, -1, -1, 6]
        assert columns.details.gap.tolist() == [1, 1, 2, 5, 5]
        assert columns.mention(5).gaps == ((1, 1), (3, 3))


class TestCells:
    @given(st.lists(st.text(max_size=20)))
    def test_texts_have_equal_codes_if_they_are_equal(self, values):
        cells = Cells.from_texts(values)
        assert [cells.format(row) for row in range(len(cells))] == values
        assert len(set(cells.codes.tolist())) == len(set(values))
        assert cells.missing.tolist() == [not value for value in values]

    @given(st.lists(st.text("0123456789.-x", max_size=15)))
    def test_tokens_are_integers_below_the_limit(self, values):
        found = Cells.from_texts(values).parse_tokens().tolist()
        for value, token in zip(values, found, strict=True):
            digits, _, zeros = value.partition(".")
            is_token = digits.isdigit() and not zeros.strip("0") and len(digits) <= 12
            if is_token:
                assert token == int(digits)
            elif len(digits) != 13:
                assert token == -1

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (None, ""),
            (7, "7"),
            (7.0, "7"),
            (True, "True"),
            (float("nan"), ""),
            ("", ""),
        ],
    )
    def test_cells_are_formatted(self, value, expected):
        assert format_cell(value) == expected


class TestWriting:
    def test_names_are_written_without_tokens(self):
        mention = Mention(4, 4, attributes={"mention_name": "x", "a": "b"})
        (row,) = iter_rows(Document("d", (("x",),), (Entity("e", (mention,)),)))
        cells = {name: cell for name, cell in zip(HEADER, row, strict=True) if cell}
        expected = {"document": "d", "entity": "e", "mention_name": "x"}
        assert cells == expected | {"attributes": "a=b"}

    def test_document_without_mentions_is_a_row(self):
        (row,) = iter_rows(Document("d", (), ()))
        assert row == ("d", *[None] * (len(HEADER) - 1))

    def test_empty_ids_are_written(self):
        (row,) = iter_rows(Document("", (), (Entity("", (Mention(0, 0),)),)))
        assert row[:2] == ("_", "_")

    @given(st.text())
    def test_escaped_text_is_restored(self, text):
        assert unescape_attribute(escape_attribute(text)) == text
        assert not {"=", "|"} & set(escape_attribute(text))


def test_table_source_has_no_words(tmp_path):
    path = written(tmp_path / "file", "document\tentity\tmention\nd\te\tx\n")
    source = corefkit.formats.open_source(path)
    assert isinstance(source, TableSource)
    assert list(source.iter_words(0)) == []
    assert source.read_columns([0]).token_count.tolist() == [-1]
    assert asdict(source.read_document(0))["id"] == "d"
    source.close()


text_cells = st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6
) | st.sampled_from(
    [" a", "b ", '"', 'a"b', "a\tb", "c\nd", "e\r\nf", "g\r", "3", "x;y"]
)
attributes = st.dictionaries(
    st.sampled_from(["type", "mention_type", "other", "a=b"]), text_cells, max_size=2
)


@st.composite
def mentions(draw):
    tokens = draw(st.sets(st.integers(0, 12), min_size=1, max_size=6))
    head = draw(st.none() | st.sampled_from(sorted(tokens)))
    return Mention.of(tokens, head=head, attributes=draw(attributes))


@st.composite
def table_documents(draw):
    """Draw documents with all that a table can say."""
    ids = draw(st.lists(text_cells, min_size=1, max_size=3, unique_by=str.strip))
    documents = []
    for document_id in ids:
        entity_ids = draw(st.lists(text_cells, max_size=3, unique=True))
        entities = [
            Entity(entity_id, tuple(draw(st.lists(mentions(), min_size=1, max_size=3))))
            for entity_id in entity_ids
        ]
        documents.append(Document(document_id, (), tuple(entities)))
    return documents


@pytest.fixture(params=["tsv", "parquet"], scope="module")
def there_and_back(request, tmp_path_factory):
    if request.param == "parquet":
        pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    path = tmp_path_factory.mktemp("tables") / f"table.{request.param}"

    def there_and_back(documents):
        losses = write(documents, path)
        return list(corefkit.read(path)), str(losses)

    there_and_back.path = path
    return there_and_back


class TestThereAndBack:
    @given(documents=table_documents())
    def test_documents_are_unchanged_by_writing(self, there_and_back, documents):
        found, losses = there_and_back(documents)
        assert everything(*found) == everything(*documents)
        assert losses == ""

    def test_names_are_unchanged_by_writing(self, there_and_back, read):
        rows = "d\te\tx\nf\tg\t1\nd\te\t3-5\nd\te2\trec 7\n"
        documents = read("document\tentity\tmention\n" + rows)
        found, _ = there_and_back(documents)
        assert everything(*found) == everything(*documents)

    def test_score_against_json_lines_is_perfect(self, there_and_back, tmp_path):
        entities = (
            Entity("1", (Mention(0, 3), Mention(5, 5))),
            Entity("2", (Mention(2, 4),)),
        )
        documents = [
            Document("(a); part 001", (tuple("abcdef"),), entities),
            Document("b", (("x",),), ()),
        ]
        there_and_back(documents)
        other = tmp_path / "file.jsonl"
        write(documents, other)
        for files in ((there_and_back.path, other), (other, there_and_back.path)):
            result = corefkit.score(*files)
            assert {score.f1 for score in result.scores.values()} == {1.0}
            assert (len(result.documents), result.notes) == (2, ())

    def test_losses_are_reported(self, there_and_back):
        entity = Entity("1", (Mention(0, 1, minimum=(0, 0)),), split=("2",))
        document = Document("d", (("a", "b"),), (entity,))
        found, losses = there_and_back([document])
        assert spans(found[0]) == {"1": [(0, 1)]}
        assert all(word in losses for word in ("minimum spans", "split antecedents"))

    @needs_data
    @pytest.mark.slow
    def test_corpus_is_the_same_in_a_table(self, there_and_back):
        corpus = DATA / "ontogum/conll2012/ontogum-dev.v4_gold_conll"
        documents = list(corefkit.read(corpus))
        found, _ = there_and_back(documents)
        assert list(map(spans, found)) == list(map(spans, documents))
        result = corefkit.score(corpus, there_and_back.path)
        assert {score.f1 for score in result.scores.values()} == {1.0}
