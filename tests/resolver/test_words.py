from __future__ import annotations

from dataclasses import replace

import pytest
from resolver.trees import parsed

import corefkit
from cistell.mentions.lexicon import Pronoun
from cistell.mentions.words import find_quoted_tokens, read_words
from corefkit.model import Document

SHE_SLEPT = "She/2 slept/VERB/0/root"


def without(document, *names):
    kept = {name: document.layers[name] for name in document.layers.keys() - {*names}}
    return replace(document, layers=kept)


def test_tree_is_read_sentence_by_sentence():
    words = read_words(parsed("Ann/PROPN/2/nsubj slept/VERB/0/root", SHE_SLEPT))
    assert words.syntax.parents == [1, -1, 3, -1]
    assert words.syntax.children == [[], [0], [], [2]]
    assert words.sentence == [0, 0, 1, 1]


def test_child_is_the_first_with_that_relation():
    words = read_words(parsed("a/3 big/ADJ/3/amod mill/NOUN/0/root old/ADJ/3/amod"))
    assert (words.syntax.child(2, "amod"), words.syntax.child(2, "det")) == (1, 0)
    assert words.syntax.child(2, "nsubj") == -1
    assert words.syntax.child(0, "amod") == -1


def test_lemmas_are_in_lower_case_and_forms_where_there_are_none():
    document = parsed("Ann/PROPN/2/nsubj slept/VERB/0//Tense=Past/Sleep")
    assert read_words(document).syntax.lemmas == ["ann", "sleep"]
    nothing = replace(document, layers={**document.layers, "lemma": ("_", "_")})
    assert read_words(nothing).syntax.lemmas == ["ann", "slept"]
    assert read_words(without(document, "lemma")).syntax.lemmas == ["ann", "slept"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('" Go " now', "1100"),
        ("He said “ Go ” now", "001100"),
        ("« Va » dit-elle", "1100"),
        ("`` Go '' now", "1100"),
        ("no mark at all", "0000"),
    ],
    ids=["straight", "curly", "guillemets", "Penn", "none"],
)
def test_words_between_quotation_marks_are_quoted(words, expected):
    line = " ".join(f"{word}/X/0//A=B" for word in words.split())
    document = parsed(line.replace('"/X/0//A=B', '"/0/root'))
    quoted = read_words(document).quoted
    assert "".join("1" if one else "0" for one in quoted) == expected


def test_speaker_is_the_one_of_the_sentence():
    document = parsed(f"# speaker = Ann\n{SHE_SLEPT}", f"# speaker = Bob\n{SHE_SLEPT}")
    assert read_words(document).speaker == ["Ann", "Ann", "Bob", "Bob"]


def test_sentence_that_names_no_speaker_has_none():
    document = parsed(SHE_SLEPT, f"# speaker = Ann\n{SHE_SLEPT}", SHE_SLEPT)
    assert read_words(document).speaker == ["", "", "Ann", "Ann", "", ""]


def test_document_without_comments_has_no_speaker():
    document = replace(parsed(SHE_SLEPT), comments=())
    assert read_words(document).speaker == ["", ""]


def test_form_of_a_pronoun_tells_what_its_features_do_not():
    table = {"she": Pronoun("feminine", "singular", "3")}
    document = parsed("She/2 slept/VERB/0/root")
    bare = replace(
        document,
        layers={**document.layers, "feats": ("PronType=Prs", "Tense=Past")},
    )
    assert read_words(bare).features[0] == {"PronType": ["Prs"]}
    assert read_words(bare, table).features[0] == {
        "Gender": ["Fem"],
        "Number": ["Sing"],
        "Person": ["3"],
        "PronType": ["Prs"],
    }


def test_features_of_a_pronoun_go_before_its_form():
    table = {"she": Pronoun("masculine", "plural", "1")}
    (she, _) = read_words(parsed(SHE_SLEPT), table).features
    assert (she["Gender"], she["Number"], she["Person"]) == (["Fem"], ["Sing"], ["3"])


def test_table_of_pronouns_is_for_pronouns_alone():
    table = {"mill": Pronoun("feminine", "singular", "3")}
    words = read_words(parsed("the/2 mill/NOUN/0/root"), table)
    assert "Gender" not in words.features[1]


@pytest.mark.parametrize(
    ("line", "form", "owner", "gender", "number"),
    [
        ("sus/2 amigas/NOUN/0/root", "sus", Pronoun("", "", "3"), None, None),
        ("ses/2 amies/NOUN/0/root", "ses", Pronoun("", "singular", "3"), None, "Sing"),
        ("her/2 boats/NOUN/0/root", "her", Pronoun("", "", "3"), "Fem", "Sing"),
    ],
    ids=["Spanish", "French", "English"],
)
def test_possessive_tells_of_the_owner_not_of_what_is_owned(
    line, form, owner, gender, number
):
    found = read_words(parsed(line), {form: owner}).features[0]
    assert found.get("Gender") == (gender and [gender])
    assert found.get("Number") == (number and [number])
    assert found["Poss"] == ["Yes"]


def test_zero_subject_has_person_and_number_of_its_verb():
    verb = "Mood=Ind|Number=Plur|Person=3|VerbForm=Fin"
    document = parsed("Hoy/ADV/2/advmod */2:nsubj duermen/VERB/0//" + verb)
    words = read_words(document)
    assert document.empty == (1,)
    assert words.features[1]["Number"] == ["Plur"]
    assert words.features[1]["Person"] == ["3"]
    assert "Mood" not in words.features[1]


def test_verb_of_a_zero_subject_is_looked_for_in_its_own_sentence():
    first = "Hoy/ADV/2/advmod duermen/VERB/0//Number=Plur|Person=3"
    second = "*/1:nsubj Duermo/VERB/0//Number=Sing|Person=1"
    words = read_words(parsed(first, second))
    assert words.features[2]["Person"] == ["1"]


def test_zero_subject_keeps_what_the_file_says_of_it():
    line = "*/1:nsubj/{} duermen/VERB/0//Number=Plur|Person=3"
    own = read_words(parsed(line.format("Number=Sing|Person=2"))).features[0]
    assert (own["Number"], own["Person"]) == (["Sing"], ["2"])
    gendered = read_words(parsed(line.format("Gender=Fem"))).features[0]
    assert (gendered["Gender"], gendered["Number"]) == (["Fem"], ["Plur"])


def test_zero_subject_has_the_relation_that_it_stands_for():
    words = read_words(parsed("*/1:nsubj Duermen/VERB/0//Number=Plur"))
    assert list(words.syntax.relations) == ["nsubj", "root"]
    # It hangs on nothing all the same: subjects that are said are looked for by it.
    assert words.syntax.child(1, "nsubj") == -1


def test_zero_subject_without_a_verb_tells_nothing():
    document = parsed("*/0:root duermen/VERB/0//Number=Plur")
    assert not read_words(document).features[0].get("Number")
    assert not read_words(without(document, "deps")).features[0].get("Number")


def test_sentences_of_one_word_are_trees():
    words = read_words(parsed("Fire/NOUN/0//Number=Sing", "Run/VERB/0/root"))
    assert list(words.syntax.parents) == [-1, -1]
    assert words.syntax.relations == ("root", "root")


def test_document_whose_words_have_no_features_is_read():
    words = read_words(parsed("Vardø/PROPN/0/root"))
    assert words.syntax.tags == ("PROPN",)


def test_document_without_words_has_none():
    words = read_words(Document("d", (), ()))
    assert (words.syntax.forms, words.features, words.speaker) == ([], [], [])


@pytest.mark.parametrize(
    "missing",
    [("upos",), ("head",), ("deprel",), ("head", "deprel"), ("upos", "feats")],
    ids="+".join,
)
@pytest.mark.parametrize("line", [SHE_SLEPT, "Fire/NOUN/0//Number=Sing"])
def test_document_without_tags_or_tree_is_refused(missing, line):
    document = without(parsed(line, id="mill"), *missing)
    with pytest.raises(
        corefkit.FormatError, match="'mill': has no tags and trees"
    ) as e:
        read_words(document)
    assert e.value.code == "model/missing-syntax"


def test_columns_of_nothing_are_no_tree():
    document = parsed(SHE_SLEPT)
    layers = {**document.layers, "head": ("_", "_"), "deprel": ("_", "_")}
    with pytest.raises(corefkit.FormatError, match="no tags and trees"):
        read_words(replace(document, layers=layers))


def document(*lines, **layers):
    """Make a document of sentences; a layer is given word by word."""
    cells = {name: tuple(text.split()) for name, text in layers.items()}
    sentences = tuple(tuple(line.split()) for line in lines)
    return Document("d", sentences, (), layers=cells)


def quoted(one):
    """Return the words that are quoted, without the marks."""
    found = zip(one.tokens, find_quoted_tokens(one), strict=True)
    marks = {'"', "“", "”", "«", "»", "``", "''"}
    return " ".join(word for word, inside in found if inside and word not in marks)


STRAIGHT = ['" Go " now', 'He said : " Go . ', 'Now " . She left', "Nobody spoke ."]


def test_straight_marks_quote_by_turns_over_sentences():
    assert quoted(document(*STRAIGHT)) == "Go Go . Now"


@pytest.mark.parametrize("mark", ['"', "“", "«", "``", "''", "”"])
def test_mark_without_a_partner_quotes_nothing(mark):
    assert quoted(document(f"A {mark} door .", "Ann opened it .", "Bob left .")) == ""


def test_inches_do_not_quote_what_comes_after_them():
    one = document('A 6 " door .', "Ann opened it .", '" Go " , she said .')
    assert quoted(one) == "Go"


def test_title_after_a_year_is_no_inches():
    assert quoted(document('In 1998 " Ariel " sank .', '" Go " !')) == "Ariel Go"


def test_inches_that_are_tagged_as_a_noun_are_no_mark():
    one = document('A 6 " or 8 " door', upos="DET NUM NOUN CCONJ NUM NOUN NOUN")
    assert quoted(one) == ""


def test_stray_mark_leaves_the_pairs_of_other_sentences():
    one = document('Ann " left .', 'Bob said " Go " .', '" Stay " , said Eve .')
    assert quoted(one) == "Go Stay"


def test_blanks_tell_which_marks_open():
    one = document(
        'Ann " left .',
        '" Go " !',
        misc="_ SpaceAfter=No _ _ SpaceAfter=No SpaceAfter=No SpaceAfter=No _",
    )
    assert quoted(one) == "Go"


def test_tags_tell_which_marks_open():
    one = document("Ann “ Go “ left", xpos="NNP `` VB '' VBD")
    assert quoted(one) == "Go"


def test_mark_of_another_shape_closes():
    assert quoted(document('“ Go ! "', "Ann left .", "Bob slept .")) == "Go !"


def test_quotation_of_several_paragraphs_opens_each_of_them():
    one = document("“ Once Ann left .", "“ She had slept .", "“ Then ” , he said .")
    assert quoted(one) == "Once Ann left . She had slept . Then"


def test_opening_mark_inside_a_sentence_starts_anew():
    assert quoted(document("A “ door .", "Ann said “ Go ” .")) == "Go"
