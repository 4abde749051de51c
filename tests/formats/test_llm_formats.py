"""What language models write: CRAC text, CRAC JSON and inline tags."""

from __future__ import annotations

import json

import pytest
from formats.reading import problems
from hypothesis import assume, given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention, read_string
from corefkit.cli import main
from corefkit.formats.output import write


def annotation(document):
    return {
        entity.id: [(mention.start, mention.end) for mention in entity]
        for entity in document
    }


def read(text, **options):
    return read_string(text, id="d", **options)


class TestCracText:
    def test_tags_open_and_close_mentions(self):
        document = read("Ann|[e1] saw|[e2 her|[e1] aunt|e2] .")
        assert document.words == ("Ann", "saw", "her", "aunt", ".")
        assert annotation(document) == {"e1": [(0, 0), (2, 2)], "e2": [(1, 3)]}

    def test_crossing_and_nested_mentions(self):
        document = read("a|[e1 b|[e2,[e1 c|e1] d|e2],e1]")
        assert annotation(document) == {"e1": [(0, 3), (1, 2)], "e2": [(1, 3)]}

    def test_empty_nodes_begin_with_two_hashes(self):
        document = read("Quiere|[e1] ##|[e2] ##yo|[e1] agua|[e2] .")
        assert document.tokens == ("Quiere", "_", "yo", "agua", ".")
        assert document.empty == (1, 2)
        assert document.words == ("Quiere", "agua", ".")

    def test_bars_and_brackets_without_tags_are_words(self):
        document = read("a|b | || ||[e1] c|d|[e1] [x] |[e1]")
        assert document.words == ("a|b", "|", "||", "|", "c|d", "[x]", "|[e1]")
        assert annotation(document) == {"e1": [(3, 3), (4, 4)]}

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("a|[e1 b", "format/unbalanced-bracket"),
            ("a b|e1]", "format/unbalanced-bracket"),
            ("a|[e1],e2 b", "format/invalid-annotation"),
            ("a|[e1], b", "format/invalid-annotation"),
            ("a|[] b|[e1]", "format/invalid-annotation"),
        ],
    )
    def test_broken_tags_are_errors_with_the_line(self, line, code, tmp_path):
        path = tmp_path / "broken.crac.txt"
        path.write_text(f"a|[e1] b\n\n{line}\n")
        found = [one for one in problems(path) if one.severity == "error"]
        assert [(one.line, one.code) for one in found] == [(3, code)]
        with raises(FormatError, code, place="broken.crac.txt:3"):
            list(corefkit.read(path))

    def test_lines_are_documents_also_empty_ones(self, tmp_path):
        path = tmp_path / "answers.crac.txt"
        path.write_bytes(b"a|[e1]\r\n\r\nb|[e1]\r\n")
        documents = list(corefkit.read(path))
        assert [document.id for document in documents] == [
            f"answers-{number}" for number in (1, 2, 3)
        ]
        assert [document.words for document in documents] == [("a",), (), ("b",)]

    def test_only_fenced_lines_count(self):
        text = "Here it is:\n```text\nAnn|[e1] saw herself|[e1] .\n```\nDone."
        assert read(text).words == ("Ann", "saw", "herself", ".")

    def test_string_with_several_documents_is_rejected(self):
        with raises(FormatError, "format/several-documents", place="d"):
            read("a|[e1]\nb|[e1]")


class TestCracJson:
    RECORD = {  # noqa: RUF012
        "doc_id": "d",
        "tokens": ["Ann", "saw", "##", "the", "the", "dog"],
        "clusters_token_offsets": [[[0, 0], [2, 2]], [[4, 5]]],
    }

    def dump(self, **changes):
        return json.dumps([self.RECORD | changes])

    def test_offsets_are_inclusive(self):
        document = read(self.dump())
        assert annotation(document) == {"0": [(0, 0), (2, 2)], "1": [(4, 5)]}
        assert document.empty == (2,)

    def test_texts_are_located_from_left_to_right_without_offsets(self):
        texts = [["Ann", "##"], ["the dog"], ["the", "the"]]
        text = self.dump(clusters_token_offsets=None, clusters_text_mentions=texts)
        assert annotation(read(text)) == {
            "0": [(0, 0), (2, 2)],
            "1": [(4, 5)],
            "2": [(3, 3), (4, 4)],
        }
        # Offsets take precedence.
        assert annotation(read(self.dump(clusters_text_mentions=texts))) == annotation(
            read(self.dump())
        )

    def test_missing_text_is_an_error_and_without_a_place(self):
        texts = [["Ann", "Ann"]]
        text = self.dump(clusters_token_offsets=None, clusters_text_mentions=texts)
        with raises(FormatError, "format/invalid-annotation", place="d:1"):
            read(text)
        document = read(text, repair=True)
        key = read(self.dump(clusters_token_offsets=[[[0, 0]]]))
        result = corefkit.score(key, document, tokens="aligned")
        assert result.drift["d"]["unplaced"] == 1
        score = result["mentions"]
        assert (score.recall_denominator, score.precision_denominator) == (1, 2)
        assert score.recall_numerator == 1

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"tokens": "Ann"}, "format/invalid-record"),
            ({"tokens": [1]}, "format/invalid-record"),
            ({"doc_id": 7}, "format/invalid-record"),
            ({"clusters_token_offsets": {}}, "format/invalid-record"),
            ({"clusters_token_offsets": [[[0, 6]]]}, "format/invalid-span"),
            ({"clusters_token_offsets": [[[1, 0]]]}, "format/invalid-span"),
            ({"clusters_token_offsets": [[[0, True]]]}, "format/invalid-span"),
            (
                {"clusters_token_offsets": None, "clusters_text_mentions": [[1]]},
                "format/invalid-record",
            ),
        ],
    )
    def test_invalid_values_are_errors_even_if_brackets_are_repaired(
        self, changes, code
    ):
        for repair in (False, True):
            with raises(FormatError, code, place="d:1"):
                read(self.dump(**changes), repair=repair)

    def test_invalid_json_is_an_error_with_the_line(self, tmp_path):
        path = tmp_path / "answers.crac.json"
        path.write_text(self.dump().replace("}]", "},\n{,\n]"))
        with raises(FormatError, "format/invalid-json", place="answers.crac.json:2"):
            list(corefkit.read(path))

    def test_text_around_the_list_is_ignored(self):
        text = f"Here is the list:\n```json\n{self.dump()}\n```\n"
        assert annotation(read(text)) == annotation(read(self.dump()))


EQUAL = {
    "tags": '<m id="1">Ann</m> saw <m id="2"><m id="1">her</m> aunt</m> &amp; left .',
    "single quotes": "<NP ref='1'>Ann</NP> saw <NP ref='2'><NP ref='1'>her</NP> aunt"
    "</NP> & left .",
    "no quotes": "<e id=1>Ann</e> saw <e id=2><e id=1>her</e> aunt</e> & left .",
    "links": "[Ann](#1) saw [[her](#1) aunt](#2) & left .",
    "braces": "[Ann]{1} saw [[her]{1} aunt]{2} & left .",
    "colons": "[Ann: 1] saw [[her: 1] aunt: 2] & left .",
}


class TestInline:
    @pytest.mark.parametrize("text", EQUAL.values(), ids=EQUAL)
    def test_notations_are_equivalent(self, text):
        document = read(text)
        assert document.words == ("Ann", "saw", "her", "aunt", "&", "left", ".")
        assert annotation(document) == {"1": [(0, 0), (2, 2)], "2": [(2, 3)]}

    def test_mentions_end_words(self):
        assert read("[Ann](#1)'s [dog](#2)s").words == ("Ann", "'s", "dog", "s")

    def test_other_brackets_and_tags_are_text(self):
        document = read("[sic] <b>[Ann](#1)</b> [a [b] c](#2) [1]{2}")
        assert document.words[:2] == ("[sic]", "<b>")
        assert annotation(document) == {"1": [(2, 2)], "2": [(4, 6)]}
        document = read('<text><m id="1">Ann</m> <br/> x < y [a](#2)</text>')
        assert document.words == ("Ann", "x", "<", "y", "[a](#2)")

    def test_ids_may_have_a_type_beside_them(self):
        document = read('<m type="person" id="e 1">Ann</m>', format="inline")
        ((entity,),) = [document.entities]
        assert (entity.id, entity.mentions[0].attributes) == ("e 1", {"type": "person"})
        with raises(FormatError, "format/missing-id", place="d:1"):
            read('<m id="1" ref="2">Ann</m>', format="inline", repair=True)

    @pytest.mark.parametrize(
        ("text", "rule", "mentions"),
        [
            ("a <m id=1>b <m id=2>c</m> d", "unclosed", {"1": [(1, 1)], "2": [(2, 2)]}),
            ("<m id=1>b</m> c</m> d", "unopened", {"1": [(0, 0)]}),
            ("<m id=1>b</m> <m>c</m> d", "invalid", {"1": [(0, 0)]}),
            ("<m id=1>b</m> <m id=2></m> d", "invalid", {"1": [(0, 0)]}),
            ("[a](#1) b](#2) c", "unopened", {"1": [(0, 0)], "2": [(1, 1)]}),
        ],
    )
    def test_broken_tags_are_repaired_on_request(self, text, rule, mentions):
        document = read(text, repair=True)
        assert document.repairs == (rule,)
        assert annotation(document) == mentions
        if "</m> d" not in text or rule != "invalid":
            with raises(FormatError, "format/unbalanced-bracket", place="d:1"):
                read(text)

    def test_lines_are_sentences_with_their_numbers(self, tmp_path):
        path = tmp_path / "d.inline.txt"
        path.write_bytes(
            b"<m id=1>Ann</m> left .\r\n\r\n<m id=1>She\r\n slept</m> .</m>"
        )
        with raises(FormatError, "format/unbalanced-bracket", place="d.inline.txt:4"):
            next(corefkit.read(path))
        path.write_bytes(path.read_bytes().removesuffix(b"</m>"))
        (document,) = corefkit.read(path)
        assert document.sentences == (
            ("Ann", "left", "."),
            ("She",),
            ("slept", "."),
        )
        assert annotation(document) == {"1": [(0, 0), (3, 4)]}

    def test_file_without_tags_is_recognised_by_its_name(self, tmp_path):
        path = tmp_path / "d.inline.txt"
        for text, words in (("No mention here .", 4), ("", 0)):
            path.write_text(text)
            (document,) = corefkit.read(path)
            assert (document.id, len(document.words)) == ("d", words)


WORDS = st.text(st.sampled_from("ab|[]#:{}()<>&;'\"\\é東-_e1"), min_size=1, max_size=5)


@given(
    words=st.lists(WORDS, min_size=1, max_size=8),
    spans=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=5),
    format=st.sampled_from(["crac-text", "crac-json", "inline"]),
)
def test_documents_at_random_are_read_as_they_were_written(
    words, spans, format, tmp_path_factory
):
    size = len(words)
    mentions = {
        Mention(min(a, b) % size, max(a, b) % size): 0
        for a, b in spans
        if min(a, b) % size <= max(a, b) % size
    }
    entities = tuple(
        Entity(str(number), (mention,)) for number, mention in enumerate(mentions)
    )
    # Words that look like tags need other tags, or else they are read as such.
    assume(mentions or format != "inline")
    document = Document("d", (tuple(words),), entities)
    folder = tmp_path_factory.mktemp("files")
    name = {"crac-text": "d.crac.txt", "crac-json": "d.crac.json"}.get(
        format, "d.inline.txt"
    )
    losses = write([document], folder / name, format=format)
    (again,) = corefkit.read(folder / name, format=format)
    altered = losses.counts["some blanks or control characters inside words"]
    differing = sum(map(str.__ne__, words, again.words))
    assert len(again.words) == size
    assert differing <= altered
    if format != "inline":  # which does not carry crossing mentions
        assert {mention for entity in again for mention in entity} == {*mentions}


class TestBlind:
    KEY = Document(
        "d",
        (("Quiere", "_", "agua", "."),),
        (Entity("1", (Mention(1, 1),)), Entity("2", (Mention(2, 2),))),
        empty=(1,),
    )

    @pytest.mark.parametrize("format", ["crac-text", "inline", "jsonl", "conllu"])
    def test_text_is_written_without_annotation(self, tmp_path, format, capsys):
        key, out = tmp_path / "key.conllu", tmp_path / "prompt.txt"
        write([self.KEY], key)
        options = ["--to", format, "--blind"]
        assert main(["convert", str(key), str(out), *options]) == 0
        capsys.readouterr()
        folder_or_file = out if out.exists() else next(tmp_path.glob("prompt*"))
        text = folder_or_file.read_text()
        assert "Quiere" in text
        assert "##" not in text
        assert "|[" not in text
        assert "<m" not in text
        assert "Entity=(" not in text

    def test_format_without_words_is_rejected(self, tmp_path, capsys):
        key, out = tmp_path / "key.conllu", tmp_path / "prompt.tsv"
        write([self.KEY], key)
        assert main(["convert", str(key), str(out), "--blind"]) == 2
        assert "no words" in capsys.readouterr().err
