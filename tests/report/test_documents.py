"""A document by itself, as the reader shows it."""

from hypothesis import given
from hypothesis import strategies as st

from corefkit import Document, Entity, Mention, read
from corefkit.example import paths
from corefkit.report.reader_data import (
    build_documents_reader,
    convert_document,
    encode_reader,
)

WORDS = (("Ann", "saw", "him", "and", "Bob"), ("She", "left"))


def test_spans_come_in_reading_order_and_entities_by_first_mention():
    entities = (
        Entity("late", (Mention(4, 4), Mention(2, 2))),
        Entity("none", ()),
        Entity("early", (Mention(5, 5), Mention(0, 0))),
        Entity("long", (Mention(0, 4),)),
    )
    shown = convert_document(Document("d", WORDS, entities))
    assert [parts[0] for parts in shown.spans] == [
        (0, 0),
        (0, 4),
        (2, 2),
        (4, 4),
        (5, 5),
    ]
    assert shown.key == (1, 2, 3, 3, 1)
    assert shown.sentences == WORDS
    assert shown.has_words


def test_the_last_token_counts_before_the_parts():
    gap = Mention.of([0, 1, 4])
    shown = convert_document(
        Document("d", WORDS, (Entity("1", (gap, Mention(0, 2), Mention(0, 4))),))
    )
    assert shown.spans == (((0, 2),), ((0, 1), (4, 4)), ((0, 4),))


def test_a_mention_of_two_entities_is_there_twice():
    twice = (Entity("a", (Mention(0, 0),)), Entity("b", (Mention(0, 0), Mention(5, 5))))
    shown = convert_document(Document("d", WORDS, twice))
    assert shown.spans == (((0, 0),), ((0, 0),), ((5, 5),))
    assert shown.key == (1, 2, 2)


def test_zeros_are_told():
    document = Document("d", (("_", "llueve"),), (Entity("a", (Mention(0, 0),)),), (0,))
    assert convert_document(document).empty == (0,)


def test_tokens_without_words_are_numbers():
    (document,) = read([[(0, 1), (3, 3)]])
    shown = convert_document(document)
    assert shown.sentences == (("0", "1", "2", "3"),)
    assert not shown.has_words


def test_a_mention_behind_the_text_gets_numbers_too():
    document = Document("d", WORDS, (Entity("1", (Mention(6, 8),)),))
    shown = convert_document(document)
    assert shown.sentences == (*WORDS, ("7", "8"))
    assert shown.has_words


def test_far_tokens_do_not_fill_the_memory():
    far = Mention.of([10**6, 10**6 + 5])
    document = Document("d", (), (Entity("1", (Mention(3, 10**9), far)),))
    shown = convert_document(document)
    assert shown.sentences == (("3", "1000000", "1000005", "1000000000"),)
    assert shown.spans == (((0, 3),), ((1, 1), (2, 2)))


def test_nothing_is_shown_as_nothing():
    shown = convert_document(Document("d", (), ()))
    assert (shown.sentences, shown.spans, shown.key) == ((), (), ())
    assert shown.has_words


def test_a_reader_has_the_documents_in_order():
    reader = build_documents_reader(map(convert_document, read(paths()[0])))
    assert [document.id for document in reader.documents] == [
        document.id for document in read(paths()[0])
    ]
    assert reader.systems == ()
    again = build_documents_reader(map(convert_document, read(paths()[0])))
    assert encode_reader(reader) == encode_reader(again)


def test_documents_of_one_id_can_be_told_apart():
    names = ["d", "d", "e", "d (2)", "d"]
    documents = [convert_document(Document(name, WORDS, ())) for name in names]
    reader = build_documents_reader(documents)
    ids = [document.id for document in reader.documents]
    assert ids == ["d", "d (2)", "e", "d (2) (2)", "d (3)"]


mentions = st.builds(Mention.of, st.sets(st.integers(0, 30), min_size=1, max_size=6))


@given(st.lists(st.lists(mentions, max_size=5), max_size=5))
def test_every_mention_is_shown_in_its_entity(entities):
    document = Document(
        "d",
        (),
        tuple(Entity(str(n), tuple(row)) for n, row in enumerate(entities)),
    )
    shown = convert_document(document)
    groups: dict[int, list[object]] = {}
    for parts, entity in zip(shown.spans, shown.key, strict=True):
        groups.setdefault(entity, []).append(parts)
    found = sorted(sorted(group) for group in groups.values())
    assert found == sorted(sorted(one.parts for one in row) for row in entities if row)
    assert list(groups) == list(range(1, len(groups) + 1))
