"""Universal Anaphora columns by their numbered rules, and every way to break them."""

from __future__ import annotations

from functools import partial

import pytest
from files import conll, json_line
from formats import drawn, laws, reading
from formats.reading import everything, needs_samples
from hypothesis import given, settings
from hypothesis import strategies as st

from corefkit import Document, Entity, Mention
from corefkit.formats.ua import READER, WRITER, _decode, _encode, recognise
from corefkit.model import Bridge

COLUMNS = WRITER.header
A, B = "(EntityID=1|MarkableID=a", "(EntityID=2|MarkableID=b"


def row(number, word, identity="_", *others):
    """Write a token line; `others` are the columns behind that of identity."""
    return "\t".join([str(number), word, *["_"] * 8, identity, *others]) + "\n"


def body(*cells):
    """Write a sentence from its identity cells."""
    return "".join(row(number, f"w{number}", cell) for number, cell in enumerate(cells))


GOOD = (
    COLUMNS
    + "# newdoc id = d\n# sent_id = d-1\n"
    + row(1, "Ann", f"{A}|Min=1|SemType=dn)", "_", "_", "_", "_")
    + row(2, "saw")
    + row(3, "the", B)
    + row(4, "sea", ")", "(MarkableID=b|Rel=of|MentionAnchor=a|EntityAnchor=1)")
    + "\n"
)


documents = partial(reading.documents_in, READER, name="story.v2.ua")
problems = partial(reading.problems_in, READER)
text_of = partial(reading.text_of, WRITER)


def document(text):
    """Read one document from its lines."""
    (found,) = documents(f"# newdoc id = d\n{text}")
    return found


def tokens_of(found):
    """Give the tokens of the mentions of each entity."""
    return {entity.id: [mention.tokens for mention in entity] for entity in found}


class TestDocuments:
    def test_document_has_id_sentences_entities_and_bridges(self):
        (found,) = documents(GOOD)
        ann, sea = Mention(0, 0), Mention(2, 3)
        assert found == Document(
            "d",
            (("Ann", "saw", "the", "sea"),),
            (Entity("1", (ann,)), Entity("2", (sea,))),
            bridges=(Bridge(sea, "1", ann, "of"),),
            comments=(("sent_id = d-1",),),
        )
        (mention,) = found.entities[0]
        assert mention.attributes == {"MarkableID": "a", "type": "dn"}
        assert (mention.minimum, mention.head) == ((0, 0), 0)

    @pytest.mark.parametrize("line", ["# newdoc id = a b/c", "#newdoc id=a b/c \t"])
    def test_id_is_the_rest_of_the_line(self, line):
        (found,) = documents(f"{line}\n{body('_')}")
        assert found.id == "a b/c"

    def test_documents_without_id_have_the_name_of_the_file(self):
        text = "\n".join(
            f"{one}\n{body('_')}" for one in ("# x", "# newdoc", "#newdoc ")
        )
        assert [found.id for found in documents(text)] == [
            "story.v2",
            "story.v2-2",
            "story.v2-3",
        ]

    def test_blank_lines_end_sentences_and_comments_are_kept_with_them(self):
        text = (
            "# sent_id = 1\n# speaker = Ann\n" + body("_") + "\n\n\n#\n" + body("_")
        ) + "\n# at the end\n"
        found = document(text)
        assert found.sentences == (("w0",), ("w0",))
        assert found.comments == (("sent_id = 1", "speaker = Ann"), ())

    def test_columns_may_be_missing_and_separated_by_blanks(self):
        line = f" 1  Ann  _ _ _ _ _ _ _ _   {A}) "
        assert tokens_of(document(f"{line}\n")) == {"1": [(0,)]}
        assert tokens_of(document(f"{line} _ _ _ _ more and more\n")) == {"1": [(0,)]}

    def test_columns_that_are_not_empty_are_layers(self):
        first = "1 Ann ann PROPN NNP F=1 2 nsubj 2:x M=1 _ _ (D R N more\n"
        found = document(first + "2 ran run VERB VBD _ 0 root _ _ _\n")
        assert found.layers == {
            "lemma": ("ann", "run"),
            "upos": ("PROPN", "VERB"),
            "xpos": ("NNP", "VBD"),
            "feats": ("F=1", "_"),
            "head": ("2", "0"),
            "deprel": ("nsubj", "root"),
            "deps": ("2:x", "_"),
            "misc": ("M=1", "_"),
            "discourse_deixis": ("(D", "_"),
            "reference": ("R", "_"),
            "nom_sem": ("N", "_"),
        }

    def test_number_with_a_dot_is_an_empty_node(self):
        found = document(
            row("1-2", "vámonos")
            + row(1, "vamos")
            + row("1.1", "_", f"{A})")
            + row(2, "nos")
        )
        assert found.sentences == (("vamos", "_", "nos"),)
        assert found.empty == (1,)
        assert tokens_of(found) == {"1": [(1,)]}

    def test_words_that_are_all_underscores_are_unknown(self):
        text = "# x\n" + row(1, "_", f"{A})") + "\n" + row(2, "_")
        found = document(text)
        assert (found.sentences, found.comments) == ((), ())
        assert tokens_of(found) == {"1": [(0,)]}
        assert document(text + row("2.1", "_")).sentences == (("_",), ("_", "_"))
        assert document(text + "3 _ x _ _ _ _ _ _ _ _\n").sentences != ()


class TestIdentity:
    @pytest.mark.parametrize(
        ("cells", "expected"),
        [
            pytest.param([f"{A})"], {"1": [(0,)]}, id="one token"),
            pytest.param([A, "_", ")"], {"1": [(0, 1, 2)]}, id="more"),
            pytest.param(
                [A + B, ")", ")"], {"1": [(0, 1, 2)], "2": [(0, 1)]}, id="nest"
            ),
            pytest.param([f"{A}{B})", ")"], {"1": [(0, 1)], "2": [(0,)]}, id="inside"),
            pytest.param([A, f"){B})"], {"1": [(0, 1)], "2": [(1,)]}, id="close first"),
            pytest.param([A, f"{B}))"], {"1": [(0, 1)], "2": [(1,)]}, id="close last"),
            pytest.param([f"{A}@{B})", ")"], {"1": [(0, 1)], "2": [(0,)]}, id="@"),
            pytest.param([f"{A})@{B})"], {"1": [(0,)], "2": [(0,)]}, id="@ behind"),
            pytest.param(
                [A, B, "a)", "b)"], {"1": [(0, 1, 2)], "2": [(1, 2, 3)]}, id="x"
            ),
            pytest.param([A, B, "a)b)"], {"1": [(0, 1, 2)], "2": [(1, 2)]}, id="names"),
            pytest.param(
                [A, B, "a)", ")"], {"1": [(0, 1, 2)], "2": [(1, 2, 3)]}, id="xy"
            ),
            pytest.param(
                ["(EntityID=1(EntityID=1)", ")"], {"1": [(0, 1), (0,)]}, id="no names"
            ),
        ],
    )
    def test_brackets_are_read_from_left_to_right(self, cells, expected):
        found = document(body(*cells))
        assert tokens_of(found) == expected
        assert list(tokens_of(found)) == list(expected)

    def test_repeated_name_is_another_part(self):
        found = document(body(f"{A}|Min=1|X=1)", "_", f"{A}|Min=2|Y=2", ")", f"{A})"))
        ((mention,),) = found
        assert mention.tokens == (0, 2, 3, 4)
        assert mention.gaps == ((1, 1),)
        assert mention.minimum == (0, 0)
        assert mention.attributes == {"MarkableID": "a", "X": "1", "Y": "2"}

    def test_pairs_are_attributes(self):
        cell = f"{A}|SemType=do|Number=sg|Odd=a=b|Empty=|%58%28=1%7C2)"
        ((mention,),) = document(body(cell))
        assert mention.attributes == {
            "MarkableID": "a",
            "type": "do",
            "Number": "sg",
            "Odd": "a=b",
            "Empty": "",
            "X(": "1|2",
        }

    def test_default_names_are_ignored(self):
        ((mention,),) = document(body("(EntityID=1|MarkableID=_12)"))
        assert mention.attributes == {}

    @pytest.mark.parametrize(
        ("minimum", "expected", "head"),
        [("1", (0, 0), 0), ("2", (2, 2), 2), ("1,3", (0, 3), None), ("2,2", (2, 2), 2)],
    )
    def test_minimum_of_one_word_is_the_head(self, minimum, expected, head):
        text = row(1, "a", f"{A}|Min={minimum}") + row("1.1", "_") + row(2, "b")
        ((mention,),) = document(text + "\n" + row(1, "c", ")"))
        assert (mention.minimum, mention.head) == (expected, head)

    def test_element_of_is_a_split_antecedent(self):
        found = document(
            body("(EntityID=3)", f"{A}|ElementOf=3,4)", f"{B}|ElementOf=3)")
            + body(f"{A.replace('=a', '=c')}|ElementOf=3)", "(EntityID=4)")
        )
        assert {entity.id: entity.split for entity in found} == {
            "3": ("1", "2"),
            "1": (),
            "2": (),
            "4": ("1",),
        }

    def test_pseudo_entities_do_not_refer(self):
        found = document(body("(EntityID=1-Pseudo)", "(EntityID=1)"))
        assert {entity.id: entity.referring for entity in found} == {
            "1-Pseudo": False,
            "1": True,
        }

    def test_entities_and_mentions_are_in_the_order_of_the_text(self):
        c = A.replace("=a", "=c")
        found = document(body(f"{B}){A}{c})", ")", f"{A.replace('=a', '=d')})"))
        assert tokens_of(found) == {"1": [(0, 1), (0,), (2,)], "2": [(0,)]}
        assert [entity.id for entity in found] == ["1", "2"]


class TestBridging:
    def bridges(self, *cells):
        text = row(1, "x", f"{A})") + row(2, "y", f"{B})")
        return document(
            text + "".join(row(3, "z", "_", cell) for cell in cells)
        ).bridges

    @pytest.mark.parametrize(
        ("cell", "expected"),
        [
            ("(MarkableID=b|MentionAnchor=a)", ("1", Mention(0, 0), "")),
            ("(MarkableID=b|Rel=r|EntityAnchor=1", ("1", None, "r")),
            ("MarkableID=b|Rel=r%28|EntityAnchor=9", ("9", None, "r(")),
            ("(MarkableID=b|MentionAnchor=no|EntityAnchor=1)", ("1", None, "")),
        ],
    )
    def test_one_anchor_is_enough(self, cell, expected):
        assert self.bridges(cell) == (Bridge(Mention(1, 1), *expected),)

    def test_closing_brackets_are_ignored(self):
        assert self.bridges(")", "))", "b)") == ()

    def test_cell_may_have_several(self):
        one, two = "(MarkableID=b|EntityAnchor=1", "(MarkableID=a|EntityAnchor=2"
        assert self.bridges(f"){one}){two}", ")") == (
            Bridge(Mention(0, 0), "2"),
            Bridge(Mention(1, 1), "1"),
        )


WAYS = reading.ways(GOOD) | {
    "blanks": GOOD.replace("\t", "   "),
    "no line of columns": GOOD.removeprefix(COLUMNS),
    "more columns": GOOD.replace("NOM_SEM", "NOM_SEM RST"),
}


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_ways_of_writing_do_not_matter(text):
    assert everything(*documents(text)) == everything(*documents(GOOD))


# What is wrong with a file of GOOD's lines: the lines and the messages.
BROKEN = {
    "few columns": (
        GOOD.replace("saw" + "\t_" * 9, "saw"),
        [(5, "format/wrong-columns")],
    ),
    "no number": (
        GOOD.replace("2\tsaw", "x\tsaw"),
        [(5, "format/wrong-number")],
    ),
    "no bracket": (
        GOOD.replace(B, "b"),
        [
            (6, "format/invalid-annotation"),
            (7, "format/unbalanced-bracket"),
        ],
    ),
    "no opening": (
        GOOD.replace(B, "_"),
        [(7, "format/unbalanced-bracket")],
    ),
    "no closing": (
        GOOD.replace(")\t(Mark", "_\t(Mark"),
        [(6, "format/unbalanced-bracket")],
    ),
    "nameless, no closing": (
        GOOD.replace(")\t(Mark", "_\t(Mark").replace("|MarkableID=b\n", "\n"),
        [(6, "format/unbalanced-bracket")],
    ),
    "other name": (
        GOOD.replace(")\t(Mark", "c)\t(Mark"),
        [
            (6, "format/unbalanced-bracket"),
            (7, "format/unbalanced-bracket"),
        ],
    ),
    "no entity": (
        GOOD.replace("EntityID=2|", ""),
        [(6, "format/missing-id")],
    ),
    "no pair": (
        GOOD.replace("SemType=dn", "SemType"),
        [(4, "format/invalid-annotation")],
    ),
    "two entities": (
        GOOD.replace("=b\n", "=a\n"),
        [(6, "format/conflicting-entities")],
    ),
    "Min of words": (
        GOOD.replace("Min=1", "Min=one"),
        [(4, "format/invalid-annotation")],
    ),
    "not UTF-8": (
        GOOD.encode().replace(b"saw", b"s\xffw").replace(b"sea", b"s\xffa"),
        [(5, "format/not-utf8")],
    ),
    "other columns": (
        GOOD.replace("MISC IDENTITY", "IDENTITY MISC"),
        [(1, "format/invalid-header")],
    ),
    "cut off": (
        GOOD[: GOOD.index("4\tsea") + 5],
        [
            (6, "format/unbalanced-bracket"),
            (7, "format/wrong-columns"),
        ],
    ),
    "twice": (GOOD * 2, [(10, "format/repeated-document")]),
}
# What is reported and scored all the same.
TOLERATED = {
    "Min far out": (
        GOOD.replace("Min=1", "Min=5"),
        (4, "format/left-out"),
    ),
    "Min huge": (
        GOOD.replace("Min=1", f"Min={9**9}"),
        (4, "format/left-out"),
    ),
    "Min backwards": (
        GOOD.replace("Min=1", "Min=2,1"),
        (4, "format/left-out"),
    ),
    "Min outside": (
        GOOD.replace("Min=1", "Min=2"),
        (4, "format/left-out"),
    ),
    "element of nothing": (
        GOOD.replace("Min=1", "ElementOf=9"),
        (4, "format/broken-link"),
    ),
    "no anaphor": (
        GOOD.replace("(MarkableID=b|", "("),
        (7, "format/broken-link"),
    ),
    "no antecedent": (
        GOOD.replace("|MentionAnchor=a|EntityAnchor=1", ""),
        (7, "format/broken-link"),
    ),
    "repeated": (
        GOOD.replace(f"{A}|", "(EntityID=2)" + f"{A}|"),
        (4, "format/repeated-mention"),
    ),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_errors_have_lines(text, expected):
    laws.check_told(READER, text, expected)


@pytest.mark.parametrize("name", [name for name in BROKEN if name != "twice"])
def test_invalid_annotation_is_an_error(name):
    laws.check_refused(READER, *BROKEN[name])


@pytest.mark.parametrize(("text", "expected"), TOLERATED.values(), ids=TOLERATED)
def test_unusual_annotation_is_reported_and_read(text, expected):
    (problem,) = problems(text)
    assert problem.severity == "warning"
    assert problem.line == expected[0]
    assert problem.code == expected[1]
    assert len(documents(text)) == 1


@pytest.mark.parametrize("text", ["", "\n", "# x\n", COLUMNS])
def test_file_without_documents_is_empty(text):
    assert documents(text) == []


class TestRecognise:
    @pytest.mark.parametrize(
        "text",
        [
            GOOD,
            COLUMNS,
            GOOD.removeprefix(COLUMNS),
            GOOD.removeprefix(COLUMNS).replace("\t", "  "),
            "# x\n\n" + GOOD,
            row(1, "a", f"){A}"),
        ],
    )
    def test_own_files(self, text):
        assert recognise(text.encode())
        assert recognise(text.replace("\n", "\r\n").encode())

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("", id="empty"),
            pytest.param(
                "# global.columns = ID FORM MISC\n1\ta\t_\n", id="other columns"
            ),
            pytest.param(row(1, "a"), id="no mention"),
            pytest.param(f"1\ta\t_\t_\t_\t_\t_\t_\t_\t{A})\n", id="in MISC"),
            pytest.param(f"# {row(1, 'a', A)}", id="in a comment"),
            pytest.param(conll("(1) _"), id="CoNLL"),
            pytest.param(json_line("d", "ab", []), id="JSON lines"),
        ],
    )
    def test_other_files(self, text):
        assert not recognise(text.encode())

    @needs_samples
    def test_samples_of_other_formats_are_not_recognised(self):
        assert reading.recognised_samples(recognise) == []

    @given(st.binary(max_size=60))
    def test_any_bytes_can_be_validated(self, head):
        assert recognise(head + b"(EntityID=") in (True, False)


LETTERS = "aZ0(7)|-_*#,.%@=é\u00a0\u0085\u2028漢 \t"
texts = st.text(LETTERS, max_size=4) | st.sampled_from(["-Pseudo", "%28", "Min", "_1"])
words = st.text(LETTERS.strip(), min_size=1, max_size=3)


@given(texts)
def test_codes_are_decoded(text):
    assert _decode(_encode(text, ",=")) == text
    assert not set(_encode(text, ",=")) & set(" \t()|@,=\u00a0")


@st.composite
def drawn_documents(draw):
    sentences = draw(drawn.sentences(words, least=0, most=3))
    tokens = sum(map(len, sentences)) if sentences else 9
    empty = draw(st.sets(st.integers(0, tokens - 1), max_size=2)) if sentences else ()
    said = [token for token in range(tokens) if token not in empty]
    layers = drawn.layers(["lemma", "deps", "nom_sem"], words, tokens)
    names = draw(st.lists(texts.filter(bool), unique=True, max_size=4))
    entities = [
        Entity(
            name,
            tuple(draw(st.lists(drawn_mentions(tokens, said), min_size=1, max_size=3))),
            tuple(draw(st.lists(st.sampled_from(names), unique=True, max_size=2))),
            draw(st.booleans()),
        )
        for name in names
    ]
    mentions = [mention for entity in entities for mention in entity]
    bridges = [
        Bridge(
            draw(st.sampled_from(mentions)),
            draw(st.sampled_from(names)),
            draw(st.none() | st.sampled_from(mentions)),
            draw(texts),
        )
        for _ in range(draw(st.integers(0, 2)) if mentions else 0)
    ]
    return Document(
        draw(st.sampled_from(["d", "a  b/(c)", "(x); part 002"])),
        sentences,
        tuple(entities),
        tuple(sorted(empty)),
        tuple(bridges),
        draw(layers) if sentences else {},
        tuple(("text = a  b", "# x") for _ in sentences),
    )


@st.composite
def drawn_mentions(draw, tokens, said):
    chosen = draw(st.sets(st.integers(0, tokens - 1), min_size=1, max_size=4))
    minimum = None
    inside = [token for token in said if min(chosen) <= token <= max(chosen)]
    if inside and draw(st.booleans()):
        ends = st.lists(st.sampled_from(inside), min_size=2, max_size=2)
        first, last = sorted(draw(ends))
        minimum = first, last
    head = minimum[0] if minimum and minimum[0] == minimum[1] else None
    keys = texts | st.sampled_from(["type", "MarkableID", "SemType", "EntityID"])
    attributes = draw(st.dictionaries(keys, texts, max_size=2))
    return Mention.of(chosen, head=head, minimum=minimum, attributes=attributes)


def details(found):
    """Give all that is said of mentions, in no order."""
    return sorted(
        (
            mention.tokens,
            str(mention.minimum),
            str(mention.head),
            sorted(
                (key, value)
                for key, value in mention.attributes.items()
                if key != "MarkableID"
            ),
        )
        for entity in found
        for mention in entity
    )


@given(drawn_documents())
@settings(max_examples=100)
def test_written_documents_are_read_back(source):
    (once,) = documents(text_of(source))
    assert (once.id, once.empty) == (source.id, source.empty)
    if once.sentences or not source.sentences:
        assert once.sentences == source.sentences
        assert once.comments == source.comments
    assert once.layers == source.layers
    assert details(once) == details(source)
    partition = {frozenset(entity) for entity in once}
    assert partition == {frozenset(entity) for entity in source}
    named = [entity for entity in source if entity.referring]
    same = {entity.id: sorted(entity.split) for entity in once if entity.referring}
    if len(named) == len(source):
        assert same == {entity.id: sorted(entity.split) for entity in source}
        assert sorted(map(str, once.bridges)) == sorted(
            str(once_bridge(once, bridge)) for bridge in source.bridges
        )
    (twice,) = documents(text_of(once))
    assert everything(twice) == everything(once)


def once_bridge(once, bridge):
    """Put the mentions that were read for those of a bridge that was written."""
    mentions = [mention for entity in once for mention in entity]
    first = {mention: mention for mention in reversed(mentions)}
    return bridge._replace(
        anaphor=first[bridge.anaphor],
        mention=bridge.mention and first[bridge.mention],
    )


class TestWriter:
    def test_brackets_have_no_names_if_nothing_crosses(self):
        entities = (
            Entity("1", (Mention(0, 2), Mention.of([3, 5]))),
            Entity("2", (Mention(2, 3), Mention(2, 2))),
        )
        text = text_of(Document("d", (tuple("abcdef"),), entities))
        cells = [line.split("\t")[10] for line in text.splitlines()[2:8]]
        one, two = "(EntityID=1|MarkableID=_", "(EntityID=2|MarkableID=_"
        assert cells == [
            f"{one}1",
            "_",
            f"){two}3{two}4)",
            f"){one}2)",
            "_",
            f"{one}2)",
        ]

    def test_brackets_have_names_if_mentions_cross(self):
        entities = (Entity("1", (Mention(0, 2, attributes={"MarkableID": "m"}),)),)
        entities += (Entity("2", (Mention(1, 3),)),)
        text = text_of(Document("d", (tuple("abcd"),), entities))
        cells = [line.split("\t")[10] for line in text.splitlines()[2:6]]
        assert cells[2:] == ["m)", "_2)"]

    def test_all_columns_are_written(self):
        (found,) = documents(GOOD)
        lines = text_of(found).splitlines()
        assert lines[:3] == GOOD.splitlines()[:3]
        assert lines[3].split("\t")[10] == f"{A}|Min=1|SemType=dn)"
        assert lines[5].split("\t")[11] == (
            "(MarkableID=b|Rel=of|MentionAnchor=a|EntityAnchor=1)"
        )
        assert {len(line.split("\t")) for line in lines[3:7]} == {15}

    def test_reserved_names_are_encoded(self):
        entities = (
            Entity("1", (Mention(0, 0),), referring=False),
            Entity("1-Pseudo", (Mention(1, 1),)),
            Entity("", (Mention(2, 2),)),
            Entity("", (Mention(3, 3),)),
        )
        (found,) = documents(text_of(Document("", (tuple("abcd"),), entities)))
        assert {entity.id: entity.referring for entity in found} == {
            "1-Pseudo": False,
            "1.1-Pseudo": True,
            "_": True,
            "3._": True,
        }
        assert found.id == "story.v2"

    def test_blanks_in_words_become_underscores(self):
        found = Document(
            "a\nb", (("New York", ""), ()), (), comments=(("x\ny",), ("z",))
        )
        (again,) = documents(text_of(found))
        assert (again.id, again.sentences) == ("a b", (("New_York", "_"),))
        assert again.comments == (("x y",),)

    def test_comments_do_not_begin_a_document(self):
        comments = (("newdoc id = x", "global.columns = ID", "newdocs"),)
        (found,) = documents(text_of(Document("d", (("w",),), (), comments=comments)))
        assert found.comments == (("newdocs",),)

    def test_documents_without_words_or_entities_are_read_back(self):
        found = [
            Document("a", (), ()),
            Document("b", (), (Entity("1", (Mention(2, 4),)),)),
            Document("c", (("w",),), ()),
        ]
        assert documents(text_of(*found)) == found

    def test_links_outside_the_document_are_ignored(self):
        one = Mention(0, 0)
        found = Document(
            "d",
            (("w", "w"),),
            (Entity("1", (one,), split=("9",)),),
            bridges=(Bridge(Mention(1, 1), "1"), Bridge(one, "9", Mention(1, 1))),
        )
        (again,) = documents(text_of(found))
        assert again.entities[0].split == ()
        assert again.bridges == (Bridge(one, "9"),)


def test_scores_are_those_of_json_lines(tmp_path):
    entities = (
        Entity("1", (Mention(0, 1), Mention(0, 3), Mention(4, 4))),
        Entity("x y", (Mention(1, 2), Mention(3, 3))),
    )
    for sentences in ((("a", "b"), ("c", "d", "e")), ()):
        found = Document("nw/a b", sentences, entities)
        laws.check_perfect(tmp_path, "ua", found)


MORE = GOOD + GOOD.replace("id = d", "id = e").replace(")\t(", "b)\t(")


@given(drawn.damaged(MORE, b"()|=0123456789\t\n #_-@,%.ab\xff\0"))
@settings(max_examples=100)
def test_only_invalid_files_are_errors(content):
    laws.check_reader(READER, content)


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_an_error(content):
    for text in (content, row(1, "w").encode()[:-2] + content):
        laws.check_reader(READER, text)


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param(["(" * 20_000], id="openings"),
        pytest.param([")" * 20_000], id="closings"),
        pytest.param(["x" * 50_000], id="no bracket"),
        pytest.param(
            [f"(EntityID=1|MarkableID={n}" for n in range(5000)]
            + [
                "".join(f"{n})" for n in range(5000)),
            ],
            id="first in first out",
        ),
        pytest.param([f"{A}|k{n}=1)" for n in range(5000)], id="parts"),
    ],
)
@pytest.mark.slow
def test_long_files_take_linear_time(cells):
    problems("# newdoc id = d\n" + body(*cells))
