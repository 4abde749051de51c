from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from resolver.taggers.sentences import parsed, texts

import corefkit
from cistell.mentions.words import read_word_tree
from cistell.taggers import find_candidates, match_partners
from corefkit.model import Document, Mention

# Each sentence, and its mentions in the order of the text.
SENTENCES = {
    "nouns, names and pronouns are heads": (
        "She/PRON/2/nsubj showed/VERB/0/root Tom/PROPN/2/iobj the/DET/5/det "
        "barn/NOUN/2/obj",
        ["She", "Tom", "the barn"],
    ),
    "numbers that stand alone are, those that count are not": (
        "Five/NUM/2/nsubj saw/VERB/0/root three/NUM/4/nummod owls/NOUN/2/obj",
        ["Five", "three owls"],
    ),
    "a determiner that is an argument is a pronoun": (
        "All/DET/4/nsubj of/ADP/3/case us/PRON/1/nmod laughed/VERB/0/root",
        ["All of us", "us"],
    ),
    "an adjective with determiner stands for a noun": (
        "The/DET/2/det poor/ADJ/3/nsubj wait/VERB/0/root",
        ["The poor"],
    ),
    "an adjective without is none, unless it is the subject": (
        "Many/ADJ/2/nsubj looked/VERB/0/root sad/ADJ/2/xcomp",
        ["Many"],
    ),
    "an adverb that points is a noun phrase after a preposition": (
        "We/PRON/2/nsubj left/VERB/0/root from/ADP/4/case "
        "there/ADV/2/obl/PronType=Dem now/ADV/2/advmod/PronType=Dem",
        ["We", "there"],
    ),
    "parts of names and fixed phrases are no heads": (
        "Rosa/PROPN/3/nsubj Vidal/PROPN/1/flat came/VERB/0/root in/ADP/3/advmod "
        "order/NOUN/4/fixed",
        ["Rosa Vidal"],
    ),
    "compounds are heads, except for numbers": (
        "the/DET/3/det apple/NOUN/3/compound tree/NOUN/0/root",
        ["the apple tree", "apple"],
    ),
    "numbers in compounds are no heads": (
        "two/NUM/2/compound thousand/NUM/3/nummod trees/NOUN/0/root",
        ["two thousand trees"],
    ),
    "possessive pronouns are mentions": (
        "her/PRON/2/nmod:poss/Poss=Yes|PronType=Prs goat/NOUN/0/root",
        ["her goat", "her"],
    ),
    "possessive determiners are mentions": (
        "su/DET/2/det/Poss=Yes|PronType=Prs cabra/NOUN/0/root",
        ["su cabra", "su"],
    ),
    "expletives are none": (
        "There/PRON/2/expl is/VERB/0/root time/NOUN/2/nsubj",
        ["time"],
    ),
    "reflexive expletives are none": (
        "se/PRON/2/expl:pv/PronType=Prs marchó/VERB/0/root",
        [],
    ),
    "a neuter expletive is one": (
        "It/PRON/2/expl/Gender=Neut|PronType=Prs seems/VERB/0/root so/ADV/2/advmod",
        ["It"],
    ),
    "relative pronouns are none": (
        "the/DET/2/det man/NOUN/0/root who/PRON/4/nsubj/PronType=Rel "
        "slept/VERB/2/acl:relcl",
        ["the man who slept"],
    ),
    "relative pronouns with a clause are": (
        "what/PRON/0//PronType=Rel we/PRON/3/nsubj saw/VERB/1/acl:relcl",
        ["what we saw", "we"],
    ),
    "prepositions stay outside": (
        "Fog/NOUN/0/root over/ADP/4/case the/DET/4/det river/NOUN/1/nmod",
        ["Fog over the river", "the river"],
    ),
    "a possessive mark stays inside": (
        "Ada/PROPN/3/nmod:poss 's/PART/1/case loom/NOUN/0/root",
        ["Ada 's loom", "Ada 's"],
    ),
    "a postposition stays outside": (
        "köy/NOUN/3/nmod için/ADP/1/case su/NOUN/0/root",
        ["köy için su", "köy"],
    ),
    "subject, copula and adverbs of a predicate stay outside": (
        "Ida/PROPN/5/nsubj is/AUX/5/cop still/ADV/5/advmod a/DET/5/det "
        "baker/NOUN/0/root today/ADV/5/advmod",
        ["Ida", "a baker"],
    ),
    "adverbs before a noun phrase stay outside": (
        "Only/ADV/3/advmod the/DET/3/det owl/NOUN/4/nsubj knows/VERB/0/root",
        ["the owl"],
    ),
    "what precedes with a preposition stays outside": (
        "By/ADP/2/case chance/NOUN/5/nmod ,/PUNCT/5/punct all/DET/5/det "
        "geese/NOUN/6/nsubj flew/VERB/0/root",
        ["chance", "all geese"],
    ),
    "a clause that precedes with a comma stays outside": (
        "Born/VERB/5/acl in/ADP/3/case Bergen/PROPN/1/obl ,/PUNCT/1/punct "
        "Ada/PROPN/6/nsubj left/VERB/0/root",
        ["Bergen", "Ada"],
    ),
    "a clause that precedes without stays inside": (
        "running/VERB/2/acl water/NOUN/0/root",
        ["running water"],
    ),
    "a conjunct gives its own mention, and all give one": (
        "Salt/NOUN/5/nsubj and/CCONJ/3/cc pepper/NOUN/1/conj are/AUX/5/cop "
        "cheap/ADJ/0/root",
        ["Salt and pepper", "Salt", "pepper"],
    ),
    "a verb is no conjunct of a noun": (
        "Peace/NOUN/0/root and/CCONJ/4/cc they/PRON/4/nsubj slept/VERB/1/conj",
        ["Peace", "they"],
    ),
    "an apposition gives its own mention, and both give one": (
        "Ugo/PROPN/0/root ,/PUNCT/4/punct a/DET/4/det smith/NOUN/1/appos",
        ["Ugo , a smith", "Ugo", "a smith"],
    ),
    "fillers are crossed where the phrase goes on": (
        "the/DET/5/det ,/PUNCT/3/punct uh/INTJ/5/discourse ,/PUNCT/3/punct "
        "ferry/NOUN/0/root",
        ["the , uh , ferry"],
    ),
    "fillers at the edge are cut off": (
        "uh/INTJ/3/discourse ,/PUNCT/1/punct ferry/NOUN/0/root",
        ["ferry"],
    ),
    "marks at the edge are cut off": (
        "(/PUNCT/2/punct Bergen/PROPN/0/root )/PUNCT/2/punct ./PUNCT/2/punct",
        ["Bergen"],
    ),
    "a mark of a modifier at the edge is cut off": (
        "a/DET/4/det ,/PUNCT/3/punct wet/ADJ/4/amod dog/NOUN/0/root "
        "from/ADP/6/case Bergen/PROPN/4/nmod ,/PUNCT/6/punct",
        ["a , wet dog from Bergen", "Bergen"],
    ),
    "a closing mark is taken in with its opening": (
        "the/DET/3/det “/PUNCT/3/punct deal/NOUN/0/root ”/PUNCT/3/punct",
        ["the “ deal ”"],
    ),
    "an opening mark is taken in with its closing": (
        "“/PUNCT/2/punct Dusk/PROPN/0/root ”/PUNCT/2/punct by/ADP/5/case "
        "Ada/PROPN/2/nmod",
        ["“ Dusk ” by Ada", "Ada"],
    ),
    "brackets of a modifier are kept": (
        "the/DET/2/det film/NOUN/0/root (/PUNCT/4/punct 1931/NUM/2/nmod:unmarked "
        ")/PUNCT/4/punct",
        ["the film ( 1931 )", "1931"],
    ),
    "the years of a span are two": (
        "1901/NUM/0/root -/SYM/3/case 1931/NUM/1/nmod",
        ["1901", "1931"],
    ),
    "numbers of others are one": (
        "two/NUM/0/root of/ADP/4/case the/DET/4/det five/NUM/1/nmod",
        ["two of the five", "the five"],
    ),
    "an adverb after a name is not part of it": (
        "Bergen/PROPN/0/root then/ADV/1/advmod",
        ["Bergen"],
    ),
    "nesting": (
        "a/DET/2/det lid/NOUN/0/root of/ADP/5/case a/DET/5/det pot/NOUN/2/nmod "
        "of/ADP/7/case jam/NOUN/5/nmod",
        ["a lid of a pot of jam", "a pot of jam", "jam"],
    ),
    "only marks": ("./PUNCT/0/root !/PUNCT/1/punct", []),
    "one word": ("Dawn/NOUN/0/root", ["Dawn"]),
    "one verb": ("Run/VERB/0/root", []),
}


@pytest.mark.parametrize(("line", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_mentions_of_a_sentence(line, expected):
    document = parsed(line)
    assert texts(document, find_candidates(document)) == expected


def found(line):
    document = parsed(line)
    return texts(document, find_candidates(document))


PARTS = [
    "flat",
    "fixed",
    "goeswith",
    "nummod",
    "det",
    "case",
    "cc",
    "mark",
    "punct",
    "aux",
    "cop",
    "discourse",
]


@pytest.mark.parametrize("relation", [*PARTS, "advmod", "amod"])
def test_part_of_another_phrase_is_no_head(relation):
    assert found(f"w/NOUN/2/{relation} v/VERB/0/root") == []


@pytest.mark.parametrize("relation", ["flat", "flat:name", "obj", "obl:arg"])
def test_subtypes_make_no_difference(relation):
    heads = ["w"] if relation.startswith("ob") else []
    assert found(f"v/VERB/0/root w/NOUN/1/{relation}") == heads


ARGUMENTS = [
    "nsubj",
    "obj",
    "iobj",
    "obl",
    "nmod",
    "appos",
    "conj",
    "parataxis",
    "dislocated",
    "vocative",
]


@pytest.mark.parametrize("relation", ARGUMENTS)
def test_determiner_is_a_head_where_a_noun_phrase_stands(relation):
    assert found(f"v/VERB/0/root w/DET/1/{relation}") == ["w"]


@pytest.mark.parametrize(("tag", "heads"), [("DET", ["w"]), ("ADV", []), ("ADJ", [])])
def test_root_is_a_head_if_it_is_a_determiner(tag, heads):
    assert found(f"w/{tag}/0//PronType=Dem") == heads


@pytest.mark.parametrize("relation", ["advcl", "ccomp", "acl"])
def test_determiner_is_no_head_elsewhere(relation):
    assert found(f"v/VERB/0/root w/DET/1/{relation}") == []


@pytest.mark.parametrize("tag", ["NOUN", "PROPN", "PRON", "NUM", "SYM", "X"])
def test_nominal_is_a_head(tag):
    assert found(f"v/VERB/0/root w/{tag}/1/obj") == ["w"]


@pytest.mark.parametrize("tag", ["VERB", "AUX", "ADP", "INTJ", "PART", "CCONJ"])
def test_other_parts_of_speech_are_no_heads(tag):
    assert found(f"v/VERB/0/root w/{tag}/1/obj") == []


MODIFIERS = ["det", "amod", "compound", "nummod", "flat", "clf", "goeswith", "fixed"]


@pytest.mark.parametrize("relation", MODIFIERS)
def test_modifier_belongs_to_the_mention_on_both_sides(relation):
    assert found(f"a/ADP/2/{relation} w/NOUN/0/root") == ["a w"]
    assert found(f"w/NOUN/0/root a/ADP/1/{relation}") == ["w a"]


def test_unnamed_relation_belongs_to_the_mention_on_the_left():
    assert found("a/ADP/2/dep w/NOUN/0/root b/ADP/2/dep") == ["a w"]


STOPS = [
    "case",
    "cc",
    "cop",
    "aux",
    "mark",
    "advcl",
    "parataxis",
    "vocative",
    "obj",
    "orphan",
    "list",
]


@pytest.mark.parametrize("relation", [*STOPS, "nsubj", "csubj", "ccomp", "reparandum"])
def test_other_relations_stay_outside(relation):
    assert found(f"a/ADP/2/{relation} w/NOUN/0/root b/ADP/2/{relation}") == ["w"]


@pytest.mark.parametrize("relation", ["punct", "discourse", "reparandum", "parataxis"])
def test_filler_inside_a_mention_is_crossed(relation):
    assert found(f"a/ADP/3/det b/ADP/3/{relation} w/NOUN/0/root") == ["a b w"]
    assert found(f"w/NOUN/0/root b/ADP/1/{relation} a/ADP/1/amod") == ["w b a"]


@pytest.mark.parametrize("relation", ["advmod", "obl", "xcomp", "advcl"])
def test_adjectives_and_determiners_keep_their_own_modifiers(relation):
    line = f"a/ADP/3/{relation} the/DET/3/det w/ADJ/4/nsubj v/VERB/0/root"
    assert found(line) == ["a the w"]
    line = f"w/DET/3/nsubj a/ADP/1/{relation} v/VERB/0/root"
    assert found(line) == ["w a"]


@pytest.mark.parametrize("tag", ["NOUN", "PROPN", "PRON", "NUM", "SYM", "X"])
@pytest.mark.parametrize("relation", ["advmod", "obl", "xcomp", "advcl"])
def test_nominals_do_not(tag, relation):
    assert found(f"a/ADP/2/{relation} w/{tag}/0/root") == ["w"]
    if relation != "advmod":
        assert found(f"w/{tag}/0/root a/ADP/1/{relation}") == ["w"]


def test_adverb_after_a_noun_belongs_to_it():
    assert found("w/NOUN/0/root here/ADV/1/advmod") == ["w here"]


@pytest.mark.parametrize("tag", ["NOUN", "PROPN", "PRON", "NUM", "SYM", "X", "DET"])
def test_conjuncts_of_every_nominal_kind_are_coordinated(tag):
    line = f"w/NOUN/0/root and/CCONJ/3/cc c/{tag}/1/conj"
    assert found(line) == ["w and c", "w", "c"]


def test_adjective_is_coordinated_and_no_mention():
    assert found("w/NOUN/0/root and/CCONJ/3/cc c/ADJ/1/conj") == ["w and c", "w"]


WIDE = {
    "relative pronouns, and spans without clauses": (
        "the/DET/2/det man/NOUN/0/root who/PRON/4/nsubj/PronType=Rel "
        "slept/VERB/2/acl:relcl",
        ["the man who slept", "the man", "who"],
    ),
    "what stands before a clause and a comma": (
        "a/DET/2/det dog/NOUN/0/root from/ADP/4/case Bergen/PROPN/2/nmod "
        ",/PUNCT/7/punct which/PRON/7/nsubj/PronType=Rel barked/VERB/2/acl:relcl",
        ["a dog from Bergen , which barked", "a dog from Bergen", "Bergen", "which"],
    ),
    "a relative determiner is none": (
        "man/NOUN/0/root whose/DET/3/det/PronType=Rel dog/NOUN/4/nsubj "
        "barked/VERB/1/acl:relcl",
        ["man whose dog barked", "man", "whose dog"],
    ),
}


@pytest.mark.parametrize(("line", "expected"), WIDE.values(), ids=WIDE)
def test_wide_adds_what_some_corpora_annotate(line, expected):
    document = parsed(line)
    assert texts(document, find_candidates(document, wide=True)) == expected


def test_mention_has_its_head():
    document = parsed("the/DET/2/det lid/NOUN/0/root of/ADP/4/case jam/NOUN/2/nmod")
    assert [mention.head for mention in find_candidates(document)] == [1, 3]


def test_gap_cuts_a_mention_to_the_stretch_around_its_head():
    # "A review came of a play": what hangs on the review stands behind the verb.
    document = parsed(
        "A/DET/2/det review/NOUN/3/nsubj came/VERB/0/root of/ADP/6/case a/DET/6/det "
        "play/NOUN/2/nmod"
    )
    assert texts(document, find_candidates(document)) == ["A review", "a play"]


def test_empty_node_is_a_mention():
    document = parsed("*/PRON Llegó/VERB/0/root */VERB */_ tarde/ADV/1/advmod")
    assert find_candidates(document) == [Mention(0, 0), Mention(3, 3)]


def test_empty_node_does_not_part_a_mention():
    document = parsed("la/DET/2/det casa/NOUN/0/root */PRON vendida/VERB/2/acl")
    assert Mention(0, 3) in find_candidates(document)


def test_mentions_stay_in_their_sentence():
    document = parsed("Dawn/NOUN/0/root", "”/PUNCT/2/punct Dusk/NOUN/0/root")
    assert find_candidates(document) == [Mention(0, 0), Mention(2, 2)]


def test_deep_nesting_is_tagged():
    words = [f"w/NOUN/{number}/nmod" for number in range(3000)]
    mentions = find_candidates(parsed(" ".join(words)))
    assert mentions == [Mention(start, 2999) for start in range(3000)]


def test_document_without_words_has_no_mentions():
    assert find_candidates(Document("d", (), ())) == []


def test_document_without_tree_is_refused():
    with pytest.raises(corefkit.CorefkitError, match="no tags and trees"):
        find_candidates(Document("d", (("Dawn",),), ()))


def test_document_of_a_file_is_tagged(tmp_path):
    path = tmp_path / "text.conllu"
    rows = [
        ("1", "The", "the", "DET", "DT", "Definite=Def", "2", "det", "_", "_"),
        ("2", "goat", "goat", "NOUN", "NN", "_", "3", "nsubj", "_", "_"),
        ("3", "ate", "eat", "VERB", "VBD", "_", "0", "root", "_", "_"),
    ]
    lines = ["# newdoc id = goats", *map("\t".join, rows), "", ""]
    path.write_text("\n".join(lines), "utf-8")
    (document,) = corefkit.read(path)
    assert texts(document, find_candidates(document)) == ["The goat"]


TAGS = st.sampled_from(["NOUN", "PRON", "DET", "ADJ", "NUM", "PUNCT", "VERB", "X"])
RELATIONS = st.sampled_from(
    ["nmod", "acl", "conj", "appos", "punct", "det", "case", "cop", "discourse", "obj"]
)
WORDS = st.lists(st.tuples(TAGS, st.integers(0, 8), RELATIONS), max_size=8)


@given(WORDS, st.booleans())
def test_mentions_are_in_order_once_each_and_around_their_heads(words, wide):
    line = " ".join(f"w/{tag}/{head}/{kind}" for tag, head, kind in words)
    document = parsed(line, "Dawn/NOUN/0/root")
    mentions = find_candidates(document, wide=wide)
    assert mentions == sorted({*mentions}, key=lambda one: (one.start, -one.end))
    assert all(one.start <= one.head <= one.end for one in mentions)
    assert Mention(len(words), len(words)) in mentions
    if wide:
        assert {*find_candidates(document)} <= {*mentions}


@pytest.mark.parametrize(("opening", "closing"), ["()", '""', "“”", "„“", "«»", "[]"])
def test_marks_on_one_word_are_partners(opening, closing):
    line = f"{opening}/PUNCT/2/punct a/X/0/root {closing}/PUNCT/2/punct"
    assert match_partners(read_word_tree(parsed(line))[1]) == {0: 2, 2: 0}


def test_marks_on_two_words_are_no_partners():
    line = "(/PUNCT/2/punct a/X/0/root b/X/2/dep )/PUNCT/3/punct"
    assert match_partners(read_word_tree(parsed(line))[1]) == {}
