"""Parsing raw text and documents, with a small model and with real ones."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from files import written
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_files import DATA

import corefkit
from cistell.parsing import Parser
from cistell.parsing.accuracy import surface
from cistell.parsing.training import train_parser
from cistell.parsing.udpipe import library
from corefkit import Bridge, CorefkitError, Document, Entity, Mention, SettingsError

TEXT = "Otto sold the boat. He didn't like it, a poor boat.\n\nDora bought the lamp."
MODELS = DATA / "udpipe"
ENGLISH = [MODELS / f"en_{part}.udpipe" for part in ("tok", "tag", "par")]


def solid(text):
    return "".join(text.split())


class TestRawText:
    @pytest.mark.slow
    def test_is_what_read_makes_of_the_file_that_udpipe_writes(
        self, parser, model, tmp_path
    ):
        udpipe = library()
        steps = "tokenizer=normalized_spaces", "", "", "conllu"
        loaded = udpipe.Model.load(str(model))  # must outlive the pipeline
        pipeline = udpipe.Pipeline(loaded, *steps)
        path = written(tmp_path / "told.conllu", pipeline.process(TEXT))
        (told,) = corefkit.read(path)
        assert told.layers["mwt"][6].startswith("2-3\tdidn't")
        assert parser.parse_text(TEXT, id="otto") == replace(told, id="otto")

    def test_can_be_written_and_read_again(self, parser, tmp_path):
        document = parser.parse_text(TEXT, id="otto")
        corefkit.write([document], tmp_path / "otto.conllu")
        assert list(corefkit.read(tmp_path / "otto.conllu")) == [document]

    def test_has_words_tags_trees_and_text(self, parser):
        document = parser.parse_text(TEXT, id="otto")
        assert document.sentences == (
            ("Otto", "sold", "the", "boat", "."),
            ("He", "did", "n't", "like", "it", ",", "a", "poor", "boat", "."),
            ("Dora", "bought", "the", "lamp", "."),
        )
        layers = document.layers
        assert layers["upos"][:5] == ("PROPN", "VERB", "DET", "NOUN", "PUNCT")
        assert layers["head"][:5] == ("2", "0", "4", "2", "2")
        assert layers["deprel"][:5] == ("nsubj", "root", "det", "obj", "punct")
        assert layers["misc"][3] == "SpaceAfter=No"
        assert document.comments[1:] == (
            ("sent_id = 2", "text = He didn't like it, a poor boat."),
            ("newpar", "sent_id = 3", "text = Dora bought the lamp."),
        )

    @pytest.mark.parametrize("text", ["", " \n\t\n \n", "\ufeff"])
    def test_without_words_has_no_sentences(self, parser, text):
        assert parser.parse_text(text, id="nothing") == Document("nothing", (), ())

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: text.replace("\n", "\r\n"),
            lambda text: text.replace("\n", "\r"),
            lambda text: text.replace("\n\n", "\n \t\n"),
            lambda text: text.replace("\n\n", "\u2028\u2028"),
            lambda text: f"\ufeff{text}\n\n",
            lambda text: text.replace("the ", "the\n").replace("a poor", "a  poor"),
        ],
        ids=["Windows", "old Mac", "blanks", "separators", "BOM", "line breaks"],
    )
    def test_is_the_same_with_other_blanks(self, parser, change):
        document, other = (
            parser.parse_text(text, id="otto") for text in (TEXT, change(TEXT))
        )
        assert other.sentences == document.sentences
        assert other.comments == document.comments

    def test_what_is_no_character_is_replaced(self, parser):
        document = parser.parse_text("Otto\0 sold\ud800 the boat. Dora left.", id="x")
        text = "".join(document.tokens)
        assert text == "Otto\ufffdsold\ufffdtheboat.Doraleft."

    def test_multiword_tokens_keep_their_letters(self, parser):
        document = parser.parse_text("He DIDN'T like it, a poor boat.", id="x")
        assert document.tokens[1:3] == ("DID", "N'T")

    @settings(max_examples=20)
    @given(
        text=st.text(max_size=60) | st.text("diDn't.,\n\u200b\u0301😀 ", max_size=60)
    )
    def test_keeps_every_character(self, parser, text):
        document = parser.parse_text(text, id="x")
        found = "".join(token.form for row in surface(document) for token in row)
        wanted = text.removeprefix("\ufeff").replace("\0", "\ufffd")
        assert solid(found) == solid(wanted)
        assert all(
            len(layer) == len(document.tokens) for layer in document.layers.values()
        )


class TestDocument:
    def test_of_the_same_tokens_is_the_same(self, parser):
        document = parser.parse_text(TEXT, id="otto")
        assert parser.parse_document(document) == document

    def test_keeps_tokens_and_entities_and_replaces_syntax(self, parser):
        words = ("Otto", "sold", "the", "boat", ".")
        wrong = ("X",) * 5
        otto = Mention(0, 0, head=0, attributes={"type": "person"})
        boat = Mention(2, 3, head=2, minimum=(2, 2))
        document = Document(
            "otto",
            (words[:2], words[2:]),
            (Entity("1", (otto,)), Entity("2", (boat,), split=("1",))),
            bridges=(Bridge(boat, "1", otto),),
            layers={
                **dict.fromkeys(("upos", "xpos", "deps", "parse", "sense"), wrong),
                **dict.fromkeys(("misc", "mwt", "speaker"), wrong),
            },
            comments=(("s_type = decl",), ()),
        )
        parsed = parser.parse_document(document)
        assert parsed.sentences == document.sentences
        assert parsed.comments == document.comments
        assert parsed.entities == document.entities
        assert parsed.bridges == document.bridges
        assert parsed.layers["upos"] == ("PROPN", "VERB", "DET", "NOUN", "PUNCT")
        kept = {"misc", "mwt", "speaker"}
        found = {"lemma", "upos", "feats", "head", "deprel"}
        assert parsed.layers.keys() == kept | found
        assert all(parsed.layers[name] == wrong for name in kept)
        mentions = [mention for entity in parsed for mention in entity]
        assert {(mention.head, mention.minimum) for mention in mentions} == {
            (None,) * 2
        }
        assert mentions[0].attributes == {"type": "person"}
        (bridge,) = parsed.bridges
        assert (bridge.anaphor, bridge.mention) == (mentions[1], mentions[0])
        assert bridge.anaphor is mentions[1]

    def test_empty_nodes_stay_without_tags(self, parser):
        words = ("Otto", "sold", "the", "boat", ".")
        layers = dict.fromkeys(("upos", "deps"), ("X",) * 8)
        sentences = ("#", *words[:2], "_", *words[2:]), ("_",)
        zero = Entity("1", (Mention(0, 0), Mention(1, 1)))
        document = Document("otto", sentences, (zero,), empty=(0, 3, 7), layers=layers)
        parsed = parser.parse_document(document)
        plain = parser.parse_document(Document("otto", (words,), ()))
        assert (parsed.sentences, parsed.empty) == (sentences, (0, 3, 7))
        assert parsed.entities == document.entities
        assert parsed.layers.keys() == plain.layers.keys()
        for name, cells in parsed.layers.items():
            assert {cells[token] for token in parsed.empty} == {"_"}
            said = [cell for token, cell in enumerate(cells) if token not in (0, 3, 7)]
            assert tuple(said) == plain.layers[name]

    def test_words_may_be_odd(self, parser):
        words = ("Otto", "a b\tc\nd", "\0", "\ud800", "", "#", "1-2")
        parsed = parser.parse_document(Document("odd", (words,), ()))
        assert parsed.tokens == words
        assert len(parsed.layers["head"]) == len(words)
        assert "0" in parsed.layers["head"]

    def test_without_sentences_is_left_as_it_is(self, parser):
        document = Document("nothing", (), ())
        assert parser.parse_document(document) == document

    def test_with_mentions_needs_words(self, parser):
        document = Document("bare", (), (Entity("1", (Mention(0, 2),)),))
        with pytest.raises(CorefkitError, match="'bare' has no words to parse"):
            parser.parse_document(document)


class TestModels:
    @pytest.fixture(scope="class")
    @classmethod
    def tagger(cls, documents, tmp_path_factory):
        path = tmp_path_factory.mktemp("part") / "tagger.udpipe"
        options = {"tagger": "iterations=1"}
        train_parser(documents, path, parts=["tagger"], options=options)
        return path

    def test_the_first_file_that_has_a_part_counts(self, tagger, model):
        assert Parser(tagger).parts == {"tagger"}
        assert Parser(tagger, model).parts == {"tokenizer", "tagger", "parser"}

    def test_a_missing_part_is_named(self, tagger):
        parser = Parser(tagger)
        with pytest.raises(CorefkitError, match="no tokenizer is there, only tagger"):
            parser.parse_text(TEXT, id="otto")
        with pytest.raises(CorefkitError, match="no parser") as caught:
            parser.parse_document(Document("otto", (("Otto", "left"),), ()))
        assert caught.value.place == str(tagger)
        assert "`corefkit train-parser" in caught.value.hint

    def test_a_file_is_needed(self):
        with pytest.raises(SettingsError, match="a model file is needed") as caught:
            Parser()
        assert "`corefkit train-parser" in caught.value.hint

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (Path.exists, "No such file"),
            (Path.mkdir, "Is a directory"),
            (lambda path: path.write_bytes(b""), "is not a model of UDPipe 1"),
            (lambda path: path.write_text("Otto left."), "is not a model of UDPipe 1"),
        ],
        ids=["absent", "folder", "empty", "text"],
    )
    def test_a_wrong_file_is_told(self, tmp_path, make, message):
        make(tmp_path / "model")
        with pytest.raises(CorefkitError, match=message) as caught:
            Parser(tmp_path / "model")
        assert caught.value.place == str(tmp_path / "model")
        assert "downloads nothing" in caught.value.hint

    def test_a_cut_off_file_is_told(self, tmp_path, model):
        data = model.read_bytes()
        for size in (1, 30, len(data) // 2, len(data) - 1):
            written(tmp_path / "cut", data[:size])
            with pytest.raises(CorefkitError, match="or is damaged"):
                Parser(tmp_path / "cut")

    def test_a_missing_library_is_told(self, monkeypatch, model):
        monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
        with pytest.raises(CorefkitError, match="is not installed") as caught:
            Parser(model)
        assert caught.value.hint == "pip install 'corefkit[cistell]'"


@pytest.mark.skipif(
    not MODELS.exists(), reason="the models beside the project are not here"
)
class TestEnglish:
    TEXT = """\
The old miller's daughter left the village in May. She didn't tell anyone.

Her brother, a baker, waited for a letter that never came. "Where is she?" he asked.
"""

    @pytest.fixture(scope="class")
    @classmethod
    def english(cls):
        return Parser(*ENGLISH)

    def test_tags_and_trees_look_right(self, english):
        document = english.parse_text(self.TEXT, id="miller")
        rows = {
            word: (tag, relation)
            for word, tag, relation in zip(
                document.tokens,
                document.layers["upos"],
                document.layers["deprel"],
                strict=True,
            )
        }
        assert rows["daughter"] == ("NOUN", "nsubj")
        assert rows["miller"] == ("NOUN", "nmod:poss")
        assert rows["village"] == ("NOUN", "obj")
        assert rows["May"] == ("PROPN", "obl")
        assert rows["She"] == ("PRON", "nsubj")
        assert rows["n't"] == ("PART", "advmod")
        assert rows["baker"] == ("NOUN", "appos")
        assert "Gender=Fem" in document.layers["feats"][document.tokens.index("Her")]
        assert len(document.sentences) == 4
        assert [above[0] for above in document.comments].count("newpar") == 2

    def test_every_sentence_is_a_tree(self, english):
        document = english.parse_text(self.TEXT, id="miller")
        heads = iter(map(int, document.layers["head"]))
        for sentence in document.sentences:
            parents = [next(heads) for _ in sentence]
            assert parents.count(0) == 1
            for number in range(1, len(sentence) + 1):
                for _ in sentence:
                    number = parents[number - 1] if number else 0
                assert number == 0

    def test_gold_tokens_are_kept(self, english):
        words = ("Ann", "does", "not", "know", "the", "well-known", "singer", ".")
        singer = Mention(4, 6, head=4)
        document = Document("d", (words,), (Entity("1", (singer,)),))
        parsed = english.parse_document(document)
        assert parsed.sentences == document.sentences
        assert parsed.entities == document.entities
        assert parsed.layers["upos"][0] == "PROPN"
        assert parsed.layers["head"][4] == "7"
        assert parsed.layers["deprel"][6] == "obj"
