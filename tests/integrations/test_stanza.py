"""Documents of stanza itself, with the chains that its own processor attaches.

The processor gets a model without weights, which finds what a test tells it.
"""

from __future__ import annotations

import re
from importlib import import_module

import pytest

import corefkit

pytestmark = pytest.mark.integration
pytest.importorskip("stanza", reason="needs stanza")
torch = pytest.importorskip("torch", reason="needs torch")

CoNLL = import_module("stanza.utils.conll").CoNLL
CorefResult = import_module("stanza.models.coref.const").CorefResult
CorefProcessor = import_module("stanza.pipeline.coref_processor").CorefProcessor
StanzaDocument = import_module("stanza").Document

# The words, by number: Ana vio a el perro . Luego corrió con él .
LETTER = """\
# newdoc id = letter
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tAna\tAna\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1--1)
2\tvio\tver\tVERB\t_\t_\t0\troot\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t_\tEntity=(e2--2
5\tperro\tperro\tNOUN\t_\t_\t2\tobj\t_\tEntity=e2)|SpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# sent_id = 2
1\tLuego\tluego\tADV\t_\t_\t2\tadvmod\t_\t_
1.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj\tEntity=(e1--1)
2\tcorrió\tcorrer\tVERB\t_\t_\t0\troot\t_\t_
3\tcon\tcon\tADP\t_\t_\t4\tcase\t_\t_
4\tél\tél\tPRON\t_\t_\t2\tobl\t_\tEntity=(e2--1)|SpaceAfter=No
5\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""
SHORT = LETTER[: LETTER.index("# sent_id = 2")].replace("letter", "short")
CHAINS = {"ana": {0: (0, 1), 7: (7, 8)}, "dog": {4: (3, 5), 9: (9, 10)}}


class Model:
    """What stands for the network: it knows heads, their spans, and which are zeros."""

    def __init__(self, chains, zeros):
        self.result = CorefResult(
            word_clusters=[list(chain) for chain in chains],
            span_clusters=[list(chain.values()) for chain in chains],
            zero_scores=torch.tensor(
                [float(head in zeros) for chain in chains for head in chain]
            ),
        )

    def build_doc(self, document):
        return document

    def run(self, document):
        assert len(document["cased_words"]) == len(document["sent_id"])
        return self.result


def resolved(document, *chains, zeros=()):
    """Let stanza's processor attach chains, each a mapping of heads to spans."""
    processor = object.__new__(CorefProcessor)
    processor._model, processor._use_zeros = Model(chains, zeros), True
    return processor.process(document)


@pytest.fixture
def letter():
    return CoNLL.conll2doc(input_str=LETTER)


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "key.conllu"
    path.write_text(LETTER, "utf-8")
    return path


def spans(document):
    return [[document.text(mention) for mention in entity] for entity in document]


def test_words_of_universal_dependencies_are_counted(letter):
    found = resolved(letter, *CHAINS.values(), zeros={7})
    (document,) = corefkit.read(found)
    assert document.sentences == (
        ("Ana", "vio", "a", "el", "perro", "."),
        ("Luego", "_", "corrió", "con", "él", "."),
    )
    assert document.empty == (7,)
    assert spans(document) == [["Ana", "_"], ["el perro", "él"]]
    assert [[mention.head for mention in entity] for entity in document] == [
        [0, 7],
        [4, 10],
    ]


def test_scores_are_those_of_the_file(letter, key):
    result = corefkit.score(key, resolved(letter, *CHAINS.values(), zeros={7}))
    assert {score.f1 for score in result.scores.values()} == {1}
    assert result.documents == ("letter",)
    assert result.warnings == ()


@pytest.mark.parametrize("settings", [{}, {"match": "head"}, {"preset": "crac2025"}])
def test_what_is_missing_lowers_scores(letter, key, settings):
    """The verb is found in place of the zero, and a determiner too many."""
    found = resolved(letter, CHAINS["ana"], {4: (2, 5), 9: (9, 10)})
    result = corefkit.score(key, found, **settings)
    exact = not settings
    assert result["mentions"].recall_numerator == (2 if exact else 3)
    assert result["mentions"].recall_denominator == 4


def test_documents_read_by_stanza_keep_their_ids(tmp_path):
    path = tmp_path / "two.conllu"
    path.write_text(LETTER + SHORT, "utf-8")
    both = CoNLL.conll2multi_docs(str(path))
    for document in both:
        resolved(document, {0: (0, 1)}, {4: (3, 5)})
    assert [one.id for one in corefkit.read(both)] == ["letter", "short"]
    assert corefkit.score(path, both)["mentions"].recall == 4 / 6


def test_two_documents_in_one_are_refused():
    whole = CoNLL.conll2doc(input_str=LETTER + SHORT)
    with pytest.raises(corefkit.FormatError, match="begins another") as refused:
        corefkit.score(whole, whole)
    assert "sentence 2 begins another document" in refused.value.message
    assert "conll2multi_docs" in refused.value.hint


def test_documents_of_plain_words():
    words = [["Ann", "left", "."], ["She", "slept", "."]]
    sentences = [
        [{"id": at, "text": word} for at, word in enumerate(sentence, 1)]
        for sentence in words
    ]
    found = resolved(StanzaDocument(sentences), {0: (0, 1), 3: (3, 4)})
    (document,) = corefkit.read(found)
    assert (document.id, spans(document)) == ("document", [["Ann", "She"]])
    assert [mention.head for mention in document.entities[0]] == [None, None]
    assert corefkit.score([[(0, 0), (3, 3)]], found)["lea"].f1 == 1


def test_several_zeros_of_a_sentence(letter):
    """stanza numbers them through the sentence, wherever they stand."""
    chains = {0: (0, 1), 7: (7, 8)}, {6: (6, 7), 9: (9, 10)}
    found = resolved(letter, *chains, zeros={7, 9, 6})
    assert [word.id for word in found.sentences[1].empty_words] == [
        (1, 1),
        (0, 2),
        (3, 3),
    ]
    (document,) = corefkit.read(found)
    assert document.sentences[1] == ("_", "Luego", "_", "corrió", "con", "_", "él", ".")
    assert document.empty == (6, 8, 11)
    assert [list(map(tuple, entity)) for entity in document] == [
        [(0, 0), (8, 8)],
        [(6, 6), (11, 11)],
    ]


def test_mentions_inside_of_each_other(letter):
    found = resolved(letter, {0: (0, 1), 1: (0, 6)}, {4: (3, 5), 3: (3, 4)})
    (document,) = corefkit.read(found)
    assert spans(document) == [["Ana", "Ana vio a el perro ."], ["el", "el perro"]]


def test_a_document_that_was_not_resolved_has_no_entities(letter):
    (document,) = corefkit.read(letter)
    assert document.entities == ()
    with pytest.raises(corefkit.PairingError):
        corefkit.score({"other": [[(0, 0)]]}, letter)


def test_written_as_a_file_it_is_the_same(letter, key, tmp_path):
    found = resolved(letter, *CHAINS.values(), zeros={7})
    corefkit.write([found], tmp_path / "response.conllu")
    assert corefkit.score(key, tmp_path / "response.conllu")["lea"].f1 == 1


def test_chains_in_a_file_of_stanza_are_not_taken_for_entities(key, tmp_path):
    """stanza writes them in a way of its own, and whoever scores that is told."""
    plain = re.sub(r"Entity=[^|\n]+", "_", LETTER)
    found = resolved(CoNLL.conll2doc(input_str=plain), *CHAINS.values())
    CoNLL.write_doc2conll(found, str(tmp_path / "stanza.conllu"))
    assert "coref_chains=" in (tmp_path / "stanza.conllu").read_text("utf-8")
    result = corefkit.score(key, tmp_path / "stanza.conllu")
    assert any("has no mention" in warning for warning in result.warnings)
