"""Every source of types, heads and languages, and that the output names it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from descriptions import described
from shared_files import DATA

import corefkit
from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.analysis.errors.error_analysis import TYPES
from corefkit.analysis.errors.mention_facts import MentionDescriber
from corefkit.analysis.errors.mentions import join_mentions
from corefkit.model import Document, Entity, Mention
from corefkit.settings import Settings


def types_by_text(description):
    types = [*TYPES, "other"]
    rows = zip(description.text, description.type.tolist(), strict=True)
    return {text: types[number] for text, number in rows}


def head_words(description):
    return dict(zip(description.text, description.head_word, strict=True))


CONLLU = """\
# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tThe\tthe\tDET\tDT\tDefinite=Def|PronType=Art\t2\tdet\t_\tEntity=(e1--2
2\tmill\tmill\tNOUN\tNN\t_\t5\tnsubj\t_\t_
3\tby\tby\tADP\tIN\t_\t4\tcase\t_\t_
4\tHalden\tHalden\tPROPN\tNNP\t_\t2\tnmod\t_\tEntity=(e2--1)e1)
5\tburned\tburn\tVERB\tVBD\t_\t0\troot\t_\tEntity=(e3--1)
6\tand\tand\tCCONJ\tCC\t_\t7\tcc\t_\t_
6.1\t_\t_\tPRON\t_\t_\t_\t_\t7:nsubj\tEntity=(e1--1)
7\tfell\tfall\tVERB\tVBD\t_\t5\tconj\t_\t_

# sent_id = 2
1\tThis\tthis\tPRON\tDT\tPronType=Dem\t2\tnsubj\t_\tEntity=(e3--1)
2\truined\truin\tVERB\tVBD\t_\t0\troot\t_\t_
3\tits\tits\tPRON\tPRP$\tPoss=Yes|PronType=Prs\t4\tnmod:poss\t_\tEntity=(e4--2(e1--1)
4\towner\towner\tNOUN\tNN\t_\t2\tobj\t_\tEntity=e4)

"""


@pytest.fixture
def conllu(tmp_path):
    path = tmp_path / "key.conllu"
    path.write_text(CONLLU, "utf-8")
    return path


def test_conllu_tells_types_kinds_of_pronouns_heads_and_sentences(conllu):
    _, description, sources, _ = described(conllu, conllu)
    assert types_by_text(description) == {
        "the mill by halden": "nominal",
        "halden": "name",
        "burned": "clause",
        "": "pronoun",  # the empty node
        "this": "pronoun",
        "its": "pronoun",
        "its owner": "nominal",
    }
    kinds = dict(zip(description.text, description.pronoun, strict=True))
    assert {text: kind for text, kind in kinds.items() if kind} == {
        "": "zero",
        "this": "demonstrative",
        "its": "possessive",
    }
    assert head_words(description)["the mill by halden"] == "mill"
    assert description.sentence.tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert description.has_tokens
    assert sources[:2] == (
        "types: parts of speech of the key",
        "heads: those that the key names",
    )


def test_trees_tell_heads_that_no_file_names(conllu):
    (read,) = corefkit.read(conllu)
    bare = [
        replace(entity, mentions=tuple(replace(row, head=None) for row in entity))
        for entity in read
    ]
    document = replace(read, entities=tuple(bare))
    _, description, sources, _ = described(document, document)
    assert head_words(description)["the mill by halden"] == "mill"
    assert head_words(description)["its owner"] == "owner"
    assert "heads: dependency trees of the key" in sources


@pytest.mark.parametrize("fields", ["eid-etype-head-mention_type", "eid-etype-head"])
def test_kinds_are_read_of_a_response_that_may_have_them(fields, conllu, tmp_path):
    text = CONLLU.replace("eid-etype-head-other", fields)
    named = fields.endswith("mention_type")
    if named:
        text = text.replace("(e2--1)", "(e2--1-PRO)")
    response = tmp_path / "response.conllu"
    response.write_text(text, "utf-8")
    conllu.write_text(CONLLU.replace("(e2--1)", ""), "utf-8")
    _, description, sources, _ = described(conllu, response)
    assert types_by_text(description)["halden"] == ("pronoun" if named else "name")
    assert any("that the response names" in said for said in sources)


def test_an_empty_node_that_the_key_lacks_is_no_word(conllu, tmp_path):
    key = tmp_path / "without.conllu"
    lines = CONLLU.splitlines(keepends=True)
    key.write_text("".join(line for line in lines if line[:2] != "6."), "utf-8")
    _, description, *_ = described(key, conllu)
    row = description.pronoun.index("zero")
    assert (description.text[row], description.head[row]) == ("", -1)
    assert description.sentence[row] == 0
    assert "and" not in description.text


CONLL = """\
#begin document (d); part 000
d 0 0 The DT (TOP(S(NP(NP* - - - - * (1
d 0 1 mill NN *) - - - - * -
d 0 2 by IN (PP* - - - - * -
d 0 3 Halden NNP (NP*))) - - - - * (2)|1)
d 0 4 burned VBD (VP*))) - - - - * -

d 0 0 It PRP (TOP(S(NP*) - - - - * (1)
d 0 1 was VBD (VP* - - - - * -
d 0 2 Halden NNP (NP(NP* - - - - * (2|(3
d 0 3 's POS *) - - - - * 2)
d 0 4 pride NN *)) - - - - * 3)
d 0 5 . . *)) - - - - * -

#end document
"""


def conll_file(path, text):
    lines = [
        line if line.startswith("#") else "\t".join(line.split())
        for line in text.splitlines()
    ]
    path.write_text("\n".join([*lines, ""]), "utf-8")
    return path


def test_a_parse_column_tells_heads_and_penn_tags_types(tmp_path):
    key = conll_file(tmp_path / "key.conll", CONLL)
    table, description, sources, _ = described(key, key)
    assert types_by_text(description) == {
        "the mill by halden": "nominal",
        "halden": "name",
        "it": "pronoun",
        "halden 's": "name",
        "halden 's pride": "nominal",
    }
    assert head_words(description) == {
        "the mill by halden": "mill",
        "halden": "halden",
        "it": "it",
        "halden 's": "halden",
        "halden 's pride": "pride",
    }
    trimmed = zip(
        description.text,
        (description.trimmed_start - table.start).tolist(),
        (table.end - description.trimmed_end).tolist(),
        strict=True,
    )
    assert {text: (left, right) for text, left, right in trimmed if left or right} == {
        "the mill by halden": (1, 0),
        "halden 's": (0, 1),
    }
    assert "heads: the parse column of the key, by the rules of Collins" in sources


def test_tags_alone_tell_types_and_guess_heads(tmp_path):
    text = re.sub(r"\(TOP\S*|\((?:NP|PP|VP)\S*|\*\)+", "*", CONLL)
    key = conll_file(tmp_path / "key.conll", text)
    _, description, sources, _ = described(key, key)
    assert head_words(description)["the mill by halden"] == "mill"
    assert "heads: guessed by the parts of speech of the key" in sources


def test_a_broken_parse_column_tells_nothing_and_that_is_said(tmp_path):
    key = conll_file(tmp_path / "key.conll", CONLL.replace("(TOP(S(NP(NP*", "(NP*"))
    _, description, sources, _ = described(key, key)
    assert head_words(description)["the mill by halden"] == "mill"
    assert "heads: guessed by the parts of speech of the key" in sources
    assert any("brackets do not match" in sentence for sentence in sources)


def test_a_response_has_the_tags_that_the_key_lacks(tmp_path):
    bare = re.sub(r"(?m)^(d 0 \d+ \S+) \S+ \S+", r"\1 - *", CONLL)
    key = conll_file(tmp_path / "key.conll", bare)
    response = conll_file(tmp_path / "response.conll", CONLL)
    _, description, sources, _ = described(key, response)
    assert types_by_text(description)["halden"] == "name"
    assert sources[:2] == (
        "types: parts of speech of the response",
        "heads: the parse column of the response, by the rules of Collins",
    )
    # The key's own tags are taken, where there are any.
    sources = described(response, key).sources
    assert sources[0] == "types: parts of speech of the key"


def words_and_mentions(text, *spans, comments=(), **known_of_mentions):
    mentions = tuple(Mention(*span, **known_of_mentions) for span in spans)
    return Document(
        "d", (tuple(text.split()),), (Entity("1", mentions),), comments=comments
    )


GERMAN = "Der Müller sagte , er habe die Mühle nicht mit seinem Geld bezahlt"


def test_words_tell_pronouns_where_there_are_no_tags():
    key = words_and_mentions(GERMAN, (0, 1), (4, 4), (10, 10))
    _, description, sources, _ = described(key, key)
    assert types_by_text(description) == {
        "der müller": "other",
        "er": "pronoun",
        "seinem": "pronoun",
    }
    assert description.pronoun == ("", "personal", "possessive")
    assert description.trimmed_start.tolist() == [1, 4, 10]
    assert description.head.tolist() == [-1, 4, 10]
    assert sources == (
        "types: pronouns by a list of words of German (guessed); other types are not "
        "known",
        "heads: not known; span errors are found by trimming alone",
        "trimming: articles and endings of German (guessed), and punctuation",
    )


def test_a_given_language_goes_before_all_others():
    key = words_and_mentions(GERMAN, (0, 1), (4, 4))
    _, description, sources, _ = described(key, key, language="English")
    assert types_by_text(description)["er"] == "other"
    assert "trimming: articles and endings of English, and punctuation" in sources


def test_comments_name_the_language():
    key = words_and_mentions("il va", (0, 0), comments=((" language = fr",),))
    _, description, sources, _ = described(key, key)
    assert types_by_text(description) == {"il": "pronoun"}
    assert sources[0].startswith("types: pronouns by a list of words of French;")


@pytest.mark.parametrize("language", ["xx", None])
def test_without_a_list_no_mention_is_a_pronoun_and_that_is_said(language):
    key = words_and_mentions("zq er qq", (0, 0), (1, 1), (0, 2))
    _, description, sources, _ = described(key, key, language=language)
    assert description.type.tolist() == [-1, -1, -1]
    assert sources[0].startswith("types: not known; ")
    assert ("xx" in sources[0]) == (language == "xx")


def test_punctuation_is_trimmed_in_every_language():
    key = words_and_mentions("« zq rr » € 5", (0, 3), (2, 5), (3, 4))
    _, description, *_ = described(key, key)
    spans = zip(description.trimmed_start, description.trimmed_end, strict=True)
    assert [(int(start), int(end)) for start, end in spans] == [(1, 2), (2, 5), (4, 4)]


def test_many_long_mentions_take_no_more_than_their_number():
    spans = [(start, 5999) for start in range(0, 6000, 2)]
    key = words_and_mentions("w " * 6000, *spans)
    _, description, *_ = described(key, key)
    assert sum(map(len, description.text)) < 2 * 500 * 1000
    assert description.text[-1] == "w w"


KINDS_OF_FILES = {
    "NAM": ("name", ""),
    "PROP": ("name", ""),
    "NOM": ("nominal", ""),
    "pronoun": ("pronoun", ""),
    "DEM": ("pronoun", "demonstrative"),
    "vrb": ("clause", ""),
}


@pytest.mark.parametrize("kind", KINDS_OF_FILES)
def test_what_a_file_says_of_mentions_goes_first(kind):
    said = words_and_mentions(
        "xx she yy", (1, 2), head=2, attributes={"mention_type": kind}
    )
    bare = words_and_mentions("xx she yy", (0, 1))
    type, pronoun = KINDS_OF_FILES[kind]
    for key, response, whose in ((said, bare, "key"), (bare, said, "response")):
        _, description, sources, _ = described(key, response, singletons="keep")
        row = description.text.index("she yy")
        assert TYPES[description.type[row]] == type
        assert description.pronoun[row] == pronoun
        assert description.head[row] == 2
        assert any(f"that the {whose} names" in sentence for sentence in sources)


def test_the_kind_of_a_pronoun_is_told_by_words_where_the_file_has_none():
    key = words_and_mentions(
        "she left the house", (0, 0), attributes={"mention_type": "PRO"}
    )
    _, description, *_ = described(key, key, language="en")
    assert description.pronoun == ("personal",)


@pytest.mark.skipif(not DATA.is_dir(), reason="the corpora are not beside the project")
@pytest.mark.parametrize(
    ("path", "types", "heads"),
    [
        (
            "litbank-brat-tsv/1023_bleak_house_brat.tsv.ann",
            "types: kinds of mentions that the key names",
            "heads: not known; span errors are found by trimming alone",
        ),
        (
            "ace-apf/GUM_news_nasa.handmade.apf.xml",
            "types: kinds of mentions that the key names",
            "heads: those that the key names",
        ),
        (
            "e2e-jsonlines/dem1921_sg_cut2000.dev.first2.jsonlines",
            "types: pronouns by a list of words of French (guessed); other types are "
            "not known",
            "heads: not known; span errors are found by trimming alone",
        ),
        (
            "corefud/es_ancora-one-sentence.conllu",
            "types: parts of speech of the key",
            "heads: those that the key names",
        ),
        (
            "semeval2010/corefgraph.es.first3docs.conll",
            "types: parts of speech of the key",
            "heads: guessed by the parts of speech of the key",
        ),
    ],
    ids=["litbank", "apf", "jsonl", "corefud", "semeval"],
)
def test_formats_have_their_sources(path, types, heads):
    file = DATA / "formats" / path
    _, description, sources, _ = described(file, file)
    assert types in sources
    assert heads in sources
    assert TYPES.index("nominal" if "key" in types else "pronoun") in description.type


@pytest.mark.parametrize(
    ("key", "response", "tokens"),
    [
        (["abc", "de"], ["ab", "cde"], False),
        ([[1, 2], [3]], [[1, 2, 3]], False),
        ([[(0, 1), (4, 4)]], [[(0, 1), (5, 5)]], True),
        ([], [], True),
    ],
    ids=["letters", "ints", "spans", "nothing"],
)
def test_partitions_have_no_words(key, response, tokens):
    table, description, sources, _ = described(key, response)
    assert set(description.type.tolist()) <= {-1}
    assert set(description.text) <= {""}
    assert description.trimmed_start.tolist() == table.start.tolist()
    assert description.has_tokens == tokens
    if key:
        assert "trimming: none, since there are no words" in sources
        assert sources[0].endswith("anchors are first mentions")


def test_spans_beside_words_have_those_words():
    spans = {"d": [[(0, 3), (4, 4)]]}
    sources = described(spans, words_and_mentions(GERMAN, (4, 4))).sources
    assert sources[0].startswith("types: pronouns by a list of words of German")


def test_systems_share_the_key_and_agree_with_each_alone(tmp_path):
    key = conll_file(tmp_path / "key.conll", CONLL)
    responses = [
        conll_file(tmp_path / f"{name}.conll", CONLL.replace(*cells))
        for name, cells in enumerate((("(2)|1)", "1)"), ("* (1)\n", "* -\n")))
    ]
    describing = MentionDescriber()
    together = []
    with open_runs(key, responses, settings=Settings()) as runs:
        for run, block in iter_aligned_blocks(runs):
            together.append(describing.describe(run, block, join_mentions(block)))
    for response, found in zip(responses, together, strict=True):
        _, alone, *_ = described(key, response)
        assert found.text == alone.text
        assert np.array_equal(found.head, alone.head)
        assert np.array_equal(found.type, alone.type)
