"""AnCora-CO XML: the numbered rules of the format, errors, and writing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from files import written
from formats import drawn, laws, reading
from formats.examples import ANCORA
from formats.reading import SAMPLES, everything, needs_samples
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats.ancora import WRITER, recognise
from corefkit.formats.output import remove_unsupported, write


@pytest.fixture
def put(tmp_path):
    return lambda content=ANCORA, *, name="100_c.tbf.xml": written(
        tmp_path / name, content
    )


read, found = reading.reads_one("ancora"), reading.finds("ancora")


def article(inside: str) -> str:
    return f"<article>\n<sentence>\n{inside}\n</sentence>\n</article>\n"


def words(text: str) -> str:
    return "".join(f'<w wd="{word}"/>' for word in text.split())


def test_words_and_empty_nodes_are_tokens(read):
    document = read()
    assert document.sentences == (
        ("La", "alcaldesa", "de", "Vila_Nova", "vendió", "su", "barco", "."),
        ("_", "Era", "esa", "_", "."),
    )
    assert document.empty == (8, 11)


def test_entities_have_ids_or_are_singletons(read):
    assert [(entity.id, entity.mentions) for entity in read()] == [
        ("entity1", (Mention(0, 3), Mention(5, 5), Mention(8, 8), Mention(10, 10))),
        ("singleton1", (Mention(3, 3),)),
        ("singleton2", (Mention(5, 6),)),
    ]


def test_ids_of_singletons_are_unique(read):
    content = article(
        '<sn entityref="ne"><w wd="a"/></sn><sn entity="singleton1"><w wd="b"/></sn>'
    )
    assert [entity.id for entity in read(content)] == ["singleton2", "singleton1"]


def test_attributes_are_those_of_the_constituent(read):
    first, second, third = read()
    assert [mention.attributes for mention in first] == [
        {"entityref": "ne", "type": "person", "func": "suj"},
        {"coreftype": "ident"},
        {"coreftype": "ident", "entityref": "spec", "tem": "agt"},
        {"coreftype": "pred"},
    ]
    assert second.mentions[0].attributes == {"entityref": "ne", "type": "location"}
    assert third.mentions[0].attributes == {"entityref": "nne"}


def test_heads_are_found_in_the_constituents(read):
    heads = [[mention.head for mention in entity] for entity in read()]
    assert heads == [[1, 5, 8, 10], [3], [6]]


@pytest.mark.parametrize(
    ("inside", "head"),
    [
        ('<spec/><grup.nom><s.a/><n wd="a"/><n wd="b"/></grup.nom>', 0),
        ('<d wd="a"/><p wd="b"/>', 1),
        ('<sn><n wd="a"/></sn><conj/><sn><n wd="b"/></sn>', 0),
        ('<d wd="a"/><grup.nom><w wd="b"/></grup.nom>', 1),
        ('<d wd="a"/><grup.nom><s.a><a wd="b"/></s.a></grup.nom>', None),
        ('<w wd="a"/><d wd="b"/>', None),
        ('<d wd="a"/>', 0),
    ],
)
def test_head_is_the_first_nominal(read, inside, head):
    ((mention,),) = read(article(f'<sn entity="1">{inside}</sn>'))
    assert mention.head == head


@pytest.mark.parametrize(
    ("position", "head"), [("2", 1), ("3", None), ("0", None), ("x", None)]
)
def test_head_attribute_is_a_position(read, found, position, head):
    content = article(f'<sn entity="1" head="{position}">{words("a b")}</sn>')
    ((mention,),) = read(content)
    assert (mention.head, mention.attributes) == (head, {})
    problems = [] if head is not None else [(3, "format/left-out", "warning")]
    assert found(content) == problems


def test_attributes_of_words_are_layers(read):
    layers = read().layers
    assert list(layers) == ["lemma", "xpos", "gen", "ne", "arg"]
    assert layers["lemma"][:4] == ("el", "alcaldesa", "de", "Vila_Nova")
    assert layers["gen"][:6] == ("_", "f", "_", "_", "_", "c")
    assert layers["arg"][11] == "arg1"


def test_number_of_layers_is_limited(read):
    inside = "".join(f'<w wd="x" a{number}=""/>' for number in range(500))
    assert len(read(article(inside)).layers) == 100


def test_sentence_can_be_a_mention(read):
    content = article(words("a b")).replace("<sentence>", '<sentence entity="e">')
    assert read(content).entities == (Entity("e", (Mention(0, 1),)),)


def test_sentences_do_not_end_inside_a_mention(read):
    inside = f"<sentence>{words('a')}</sentence><sentence>{words('b')}</sentence>"
    content = f'<article>{inside}<sn entity="e">{inside}</sn>{inside}</article>'
    assert read(content).sentences == (("a",), ("b",), ("a", "b"), ("a",), ("b",))


@pytest.mark.parametrize(
    ("inside", "tokens", "empty"),
    [
        ('<sn elliptic="yes"/>', ("_",), (0,)),
        ('<sn elliptic="yes"><grup.nom/></sn>', ("_",), (0,)),
        ('<sn elliptic="yes"><grup.nom missing="yes"/></sn>', ("_",), (0,)),
        ('<p elliptic="yes" wd="él"/>', ("él",), (0,)),
        ('<sn elliptic="yes"><n wd="a"/></sn>', ("a",), ()),
        ('<sn entity="e"/>', ("_",), (0,)),
        ("<sn/>", (), ()),
        ('<n wd=" "/>', ("_",), ()),
        ('<n wd="a b"/>', ("a b",), ()),
    ],
)
def test_empty_nodes_have_no_words_inside(read, inside, tokens, empty):
    document = read(article(inside))
    assert (document.tokens, document.empty) == (tokens, empty)


@pytest.mark.parametrize(
    ("content", "name", "document_id"),
    [
        (ANCORA, "100_c.tbf.xml", "100_c"),
        (ANCORA, "100_c.xml", "100_c"),
        (ANCORA.replace("<article", '<article id="a/b"'), "100_c.xml", "a/b"),
    ],
)
def test_document_is_named_by_its_id_or_file(read, content, name, document_id):
    assert read(content, name=name).id == document_id


def test_line_ends_between_elements_are_ignored(read):
    assert everything(read(ANCORA.replace(">\n", ">"))) == everything(read())


@pytest.mark.parametrize(
    ("content", "line", "code"),
    [
        pytest.param("<article>\n<sentence>\n<n w", 3, "invalid-xml", id="incomplete"),
        pytest.param("<article>\n<s></article>", 2, "invalid-xml", id="not closed"),
        pytest.param("\n<sentence/>", 2, "invalid-xml", id="other root"),
        pytest.param(b"<article>\n\xff</article>", 2, "not-utf8", id="not UTF-8"),
        pytest.param("", 1, "invalid-xml", id="empty"),
    ],
)
def test_error_is_reported_and_raised(put, content, line, code):
    laws.check_fault(put(content), "ancora", line, f"format/{code}")


def test_repeated_mention_is_reported_at_its_line(found):
    content = article('<sn entity="1">\n<sn entity="2">\n<w wd="a"/></sn></sn>')
    assert found(content) == [(5, "format/repeated-mention", "warning")]


@pytest.mark.slow
def test_deep_trees_are_read_in_linear_time(read):
    depth = 30_000
    inside = '<sn entity="e">' * depth + '<n wd="a"/>' + "</sn>" * depth
    ((entity),) = read(article(inside)).entities
    assert len(entity) == depth
    assert entity.mentions[0].head == 0


spellings = st.sampled_from(["Ana", "d'en", "New York", "é", "&", "<b>", '"', "_"])
values = st.text('aZ1 <&>"\n\té', min_size=1, max_size=5)
names = st.sampled_from(
    ["type", "mention_type", "entityref", "entity", "ne", "head", "wd", "a b", "lem"]
)
LAYERS = ["lemma", "xpos", "upos", "head", "lem", "wd", "entityref", "a b", "ne"]


def sort_mentions(document: Document) -> Document:
    """Sort mentions and entities in the order of a tree."""

    def order(mention):
        return mention.start, -mention.end

    entities = [
        replace(entity, mentions=tuple(sorted(entity.mentions, key=order)))
        for entity in document
    ]
    entities.sort(key=lambda entity: order(entity.mentions[0]))
    return replace(document, entities=tuple(entities))


def merge_sentences(document: Document) -> Document:
    """Join the sentences that share a mention."""
    mentions = [mention for entity in document for mention in entity]
    sentences: list[tuple[str, ...]] = []
    token = 0
    for sentence in document.sentences:
        if any(mention.start < token <= mention.end for mention in mentions):
            sentences[-1] += sentence
        else:
            sentences.append(sentence)
        token += len(sentence)
    return replace(document, sentences=tuple(sentences))


@st.composite
def documents(draw):
    sentences = draw(drawn.sentences(spellings))
    tokens = sum(map(len, sentences))

    @st.composite
    def mentions(draw):
        start, end = draw(drawn.spans(tokens))
        head = draw(st.integers(start, end) | st.none()) if start < end else start
        attributes = draw(st.dictionaries(names, values, max_size=4))
        return Mention(start, end, head=head, attributes=attributes)

    ids = draw(st.lists(values, max_size=4, unique=True))
    cells = st.sampled_from(["_", "a", "<", " "])
    return Document(
        draw(st.sampled_from(["d", "(a/b); part 001", "a <b> & c"])),
        sentences,
        draw(drawn.entities(ids, mentions())),
        empty=tuple(sorted(draw(st.sets(st.integers(0, tokens - 1), max_size=3)))),
        layers=draw(drawn.layers(LAYERS, cells, tokens)),
    )


@given(documents())
def test_written_documents_are_read_back(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("ancora") / "file.tbf.xml"
    document = sort_mentions(document)
    write([document], path)
    supported = remove_unsupported(document, WRITER.carries)
    (copy,) = corefkit.read(path, format="ancora")
    assert everything(copy) == everything(sort_mentions(merge_sentences(supported)))


def test_example_is_read_back(tmp_path, read):
    laws.check_same_again(tmp_path, "ancora", read())


def test_empty_node_and_its_mention_are_one_element(tmp_path):
    entities = (Entity("e", (Mention(0, 0), Mention(0, 0))),)
    document = Document("d", (("_", "llueve"),), entities, empty=(0,))
    write([document], tmp_path / "d.tbf.xml")
    lines = (tmp_path / "d.tbf.xml").read_text("utf-8").splitlines()
    assert lines[3:6] == ['<sn entity="e">', '<sn elliptic="yes" entity="e">', "</sn>"]


def test_entity_without_id_is_written_with_one(tmp_path):
    document = Document("a", (), (Entity("", (Mention(1, 2),)),))
    (copy,) = reading.again(tmp_path, "ancora", document)
    assert copy.entities == (Entity("_", (Mention(1, 2),)),)


@reading.heads(
    own=[ANCORA.encode()],
    others=[
        ANCORA.replace(" wd=", " form=").encode(),
        ANCORA.replace("article", "text").encode(),
        b'{"x": "<article><sentence><n wd="}',
    ],
)
def test_articles_with_sentences_and_words_are_recognised(head, expected):
    assert recognise(head) is expected


@needs_samples
def test_sample_is_valid_and_read_back(tmp_path):
    path = SAMPLES / "ancora-xml" / "19004_20000725.tbf.xml"
    document = laws.check_sound_sample(tmp_path, "ancora", path)
    assert (document.id, len(document)) == ("19004_20000725", 7)
    heads = [document.tokens[mention.head] for (mention,) in document]
    assert heads[:2] == ["Resultados", "Liga_Americana_de_Béisbol"]
