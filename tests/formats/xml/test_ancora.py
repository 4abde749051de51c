"""AnCora-CO XML by its numbered rules, and every way to break them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from files import written
from formats import drawn, laws, reading
from formats.reading import SAMPLES, everything, needs_samples
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats.losses import reduced
from corefkit.formats.writing import write
from corefkit.formats.xml.ancora import WRITER, recognise

GOOD = """<?xml version="1.0" encoding="UTF-8"?>
<article lng="es">
  <sentence>
    <sn entity="entity1" entityref="ne" ne="person" func="suj">
      <spec><d lem="el" pos="da0fs0" wd="La"/></spec>
      <grup.nom>
        <n lem="alcaldesa" pos="ncfs000" gen="f" wd="alcaldesa"/>
        <sp>
          <prep><s lem="de" pos="sps00" wd="de"/></prep>
          <sn entityref="ne" ne="location">
            <grup.nom>
              <n lem="Vila_Nova" pos="np0000l" ne="location" wd="Vila_Nova"/>
            </grup.nom>
          </sn>
        </sp>
      </grup.nom>
    </sn>
    <grup.verb><v lem="vender" pos="vmis3s0" wd="vendió"/></grup.verb>
    <sn entityref="nne">
      <spec>
        <d entity="entity1" coreftype="ident" lem="su" pos="dp" gen="c" wd="su"/>
      </spec>
      <grup.nom><n lem="barco" pos="ncms000" wd="barco"/></grup.nom>
    </sn>
    <f lem="." pos="fp" wd="."/>
  </sentence>
  <sentence>
    <S>
      <sn coreftype="ident" elliptic="yes" entity="entity1" entityref="spec" tem="agt"/>
      <grup.verb><v lem="ser" pos="vsis3s0" wd="Era"/></grup.verb>
      <sn entity="entity1" coreftype="pred">
        <grup.nom><p lem="ese" pos="pd" wd="esa"/></grup.nom>
      </sn>
    </S>
    <sn missing="yes" arg="arg1"/>
    <f lem="." pos="fp" wd="."/>
  </sentence>
</article>
"""


@pytest.fixture
def put(tmp_path):
    return lambda content=GOOD, *, name="100_c.tbf.xml": written(
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


def test_entities_are_named_or_singletons(read):
    assert [(one.id, one.mentions) for one in read()] == [
        ("entity1", (Mention(0, 3), Mention(5, 5), Mention(8, 8), Mention(10, 10))),
        ("singleton1", (Mention(3, 3),)),
        ("singleton2", (Mention(5, 6),)),
    ]


def test_singletons_have_ids_of_their_own(read):
    inside = (
        '<sn entityref="ne"><w wd="a"/></sn><sn entity="singleton1"><w wd="b"/></sn>'
    )
    assert [entity.id for entity in read(article(inside))] == [
        "singleton2",
        "singleton1",
    ]


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
def test_head_of(read, inside, head):
    ((mention,),) = read(article(f'<sn entity="1">{inside}</sn>'))
    assert mention.head == head


def test_head_may_be_stated(read, found):
    for stated, head in (("2", 1), ("3", None), ("0", None), ("x", None)):
        content = article(f'<sn entity="1" head="{stated}">{words("a b")}</sn>')
        ((mention,),) = read(content)
        assert (mention.head, mention.attributes) == (head, {})
        message = f"the head {stated!r} is not one of 2 tokens"
        assert found(content) == ([(3, message, "warning")] if head is None else [])


def test_attributes_of_words_are_layers(read):
    layers = read().layers
    assert list(layers) == ["lemma", "xpos", "gen", "ne", "arg"]
    assert layers["lemma"][:4] == ("el", "alcaldesa", "de", "Vila_Nova")
    assert layers["gen"][:6] == ("_", "f", "_", "_", "_", "c")
    assert layers["arg"][11] == "arg1"


def test_layers_are_not_as_many_as_words(read):
    inside = "".join(f'<w wd="x" a{number}=""/>' for number in range(500))
    assert len(read(article(inside)).layers) == 100


def test_sentence_may_be_a_mention(read):
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
    ("content", "name", "expected"),
    [
        (GOOD, "100_c.tbf.xml", "100_c"),
        (GOOD, "100_c.xml", "100_c"),
        (GOOD.replace("<article", '<article id="a/b"'), "100_c.xml", "a/b"),
    ],
)
def test_document_is_called_as_the_file(read, content, name, expected):
    assert read(content, name=name).id == expected


WAYS = reading.ways(GOOD) | {"one line": GOOD.replace(">\n", ">")}


@pytest.mark.parametrize("content", WAYS.values(), ids=WAYS)
def test_ways_of_writing_do_not_matter(read, content):
    assert everything(read(content)) == everything(read())


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("<article>\n<sentence>\n<n w", 3, "not XML: unclosed token"),
        ("<article>\n<sentence></article>", 2, "not XML: mismatched tag"),
        ("\n<sentence/>", 2, "found the element 'sentence', expected 'article'"),
        (b"<article>\n\xff</article>", 2, "the line has bytes that are not UTF-8"),
        ("", 1, "not XML: no element found"),
    ],
    ids=["cut off", "not closed", "other root", "not UTF-8", "empty"],
)
def test_broken_file_is_a_problem_and_refused(put, content, line, message):
    assert laws.check_fault(put(content), "ancora", line, message).message == message


def test_repeated_mention_is_reported_at_its_line(found):
    content = article('<sn entity="1">\n<sn entity="2">\n<w wd="a"/></sn></sn>')
    ((line, message, severity),) = found(content)
    assert (line, severity) == (5, "warning")
    assert "is in entity 2 and in entity 1" in message


def test_deep_trees_are_read_in_time(read):
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


def in_order(document: Document) -> Document:
    """Sort mentions and entities as they come in a tree."""

    def place(mention):
        return mention.start, -mention.end

    entities = [
        replace(entity, mentions=tuple(sorted(entity.mentions, key=place)))
        for entity in document
    ]
    entities.sort(key=lambda entity: place(entity.mentions[0]))
    return replace(document, entities=tuple(entities))


@st.composite
def documents(draw):
    sentences = draw(drawn.sentences(spellings))
    tokens = sum(map(len, sentences))

    @st.composite
    def mentions(draw):
        start, end = draw(drawn.spans(tokens))
        return Mention(
            start,
            end,
            head=draw(st.integers(start, end) | st.none()) if start < end else start,
            attributes=draw(st.dictionaries(names, values, max_size=4)),
        )

    ids = draw(st.lists(values, max_size=4, unique=True))
    cells = st.sampled_from(["_", "a", "<", " "])
    return Document(
        draw(st.sampled_from(["d", "(a/b); part 001", "a <b> & c"])),
        sentences,
        draw(drawn.entities(ids, mentions())),
        empty=tuple(sorted(draw(st.sets(st.integers(0, tokens - 1), max_size=3)))),
        layers=draw(drawn.layers(LAYERS, cells, tokens)),
    )


def merged(document: Document) -> Document:
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


@given(documents())
@settings(max_examples=60)
def test_written_documents_read_back(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("ancora") / "file.tbf.xml"
    document = in_order(document)
    write([document], path)
    kept = in_order(merged(reduced(document, WRITER.carries)))
    (again,) = corefkit.read(path, format="ancora")
    assert everything(again) == everything(kept)


def test_what_is_read_reads_back(tmp_path, read):
    laws.check_same_again(tmp_path, "ancora", read())


def test_empty_node_that_is_a_mention_is_one_element(tmp_path):
    entities = (Entity("e", (Mention(0, 0), Mention(0, 0))),)
    document = Document("d", (("_", "llueve"),), entities, empty=(0,))
    write([document], tmp_path / "d.tbf.xml")
    lines = (tmp_path / "d.tbf.xml").read_text("utf-8").splitlines()
    assert lines[3:6] == ['<sn entity="e">', '<sn elliptic="yes" entity="e">', "</sn>"]


def test_documents_without_words_or_entities_are_written(tmp_path):
    laws.check_without_words_or_entities(tmp_path, "ancora")


def test_entity_without_id_gets_one(tmp_path):
    document = Document("a", (), (Entity("", (Mention(1, 2),)),))
    (found,) = reading.again(tmp_path, "ancora", document)
    assert found.entities == (Entity("_", (Mention(1, 2),)),)


def test_scores_against_json_lines_are_perfect(tmp_path):
    laws.check_perfect(tmp_path, "ancora", laws.NEWS)


@given(drawn.damaged(GOOD, b'<&"'))
@settings(max_examples=60)
def test_broken_bytes_never_crash(content):
    laws.check_survives("ancora", {"d.xml": content})


@given(st.binary(max_size=80))
def test_recognise_takes_any_bytes(head):
    assert recognise(head) is False


def test_recognise_needs_articles_sentences_and_words():
    assert recognise(GOOD.encode())
    assert not recognise(GOOD.replace(" wd=", " form=").encode())
    assert not recognise(GOOD.replace("article", "text").encode())
    assert not recognise(b'{"x": "<article><sentence><n wd="}')


@needs_samples
class TestSample:
    SAMPLE = SAMPLES / "ancora-xml" / "19004_20000725.tbf.xml"

    def test_is_sound_and_reads_back(self, tmp_path):
        document = laws.check_sound_sample(tmp_path, "ancora", self.SAMPLE)
        assert (document.id, len(document)) == ("19004_20000725", 7)
        heads = [document.tokens[mention.head] for (mention,) in document]
        assert heads[:2] == ["Resultados", "Liga_Americana_de_Béisbol"]

    def test_no_other_is_recognised(self):
        assert reading.recognised_samples(recognise) == [
            self.SAMPLE.relative_to(SAMPLES).as_posix()
        ]
