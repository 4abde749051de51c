from __future__ import annotations

from collections import Counter

import pytest

from cistell.mentions.lexicon import load_lexicon, read_demonyms, read_word_lists
from corefkit import FormatError

LANGUAGES = ("en", "es", "fr")
GENDERS = {"masculine", "feminine", "neuter"}


def data_of(language):
    return read_word_lists(language)


def own_words(language):
    return load_lexicon(language, wordnet="none")


def groups_of(language):
    """Return every string of words in a file, with where it stands."""
    for name, value in data_of(language).items():
        if isinstance(value, str):
            yield name, value.split()
        else:
            for key, words in value.items():
                yield f"{name}.{key}", words.split()


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_sorted_and_in_lower_case(language):
    for name, words in groups_of(language):
        assert words, name
        assert words == sorted(set(words)), name
        assert words == [word.lower() for word in words], name


@pytest.mark.parametrize("language", LANGUAGES)
def test_word_has_one_gender(language):
    gendered = Counter(
        word
        for name, words in groups_of(language)
        if name.split(".")[0] in ("titles", "nouns", "names")
        for word in words
    )
    assert [word for word, times in gendered.items() if times > 1] == []
    assert {*own_words(language).genders.values()} <= GENDERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_pronoun_is_one(language):
    data = data_of(language)["pronouns"]
    forms = Counter(form for group in data.values() for form in group.split())
    assert [form for form, times in forms.items() if times > 1] == []
    for one in own_words(language).pronouns.values():
        assert one.gender in {"", *GENDERS}
        assert one.number in {"", "singular", "plural"}
        assert one.person in {"1", "2", "3"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_word_with_a_gender_is_no_plural(language):
    own = own_words(language)
    assert not own.plurals & own.genders.keys()
    assert not own.pronouns.keys() & own.genders.keys()


@pytest.mark.parametrize(
    ("language", "word", "gender"),
    [
        ("en", "mother", "feminine"),
        ("en", "king", "masculine"),
        ("en", "mr", "masculine"),
        ("en", "mrs.", "feminine"),
        ("en", "company", "neuter"),
        ("en", "elizabeth", "feminine"),
        ("es", "doña", "feminine"),
        ("es", "josé", "masculine"),
        ("fr", "m.", "masculine"),
        ("fr", "belle-sœur", "feminine"),
    ],
)
def test_gender_of_a_word(language, word, gender):
    assert own_words(language).genders[word] == gender


def test_pronouns_tell_what_they_can():
    english, french = own_words("en").pronouns, own_words("fr").pronouns
    assert english["herself"] == ("feminine", "singular", "3")
    assert english["you"] == ("", "", "2")
    assert (
        french["j'"]
        == french["j\N{RIGHT SINGLE QUOTATION MARK}"]
        == ("", "singular", "1")
    )


def load_with_lists(folder, **words):
    (folder / "gender-number").mkdir()
    for name, content in words.items():
        (folder / "gender-number" / f"{name}.list").write_text(content)
    return load_lexicon("en", folder=folder, wordnet="none")


def test_own_words_take_precedence_over_the_folder(tmp_path):
    lexicon = load_with_lists(
        tmp_path,
        male="Queen\nborix\n",
        female="adax\n",
        neutral="miss\n# a note\n\nzork\n",
        plural="queen\nzorks\n",
    )
    own = own_words("en")
    added = {"borix": "masculine", "adax": "feminine", "zork": "neuter"}
    assert lexicon.genders == {**own.genders, **added}
    assert lexicon.plurals == own.plurals | {"zorks"}


def test_word_of_several_lists_has_no_gender(tmp_path):
    lexicon = load_with_lists(
        tmp_path, male="kimx\nrayx\nborix\n", female="kimx\n", neutral="kimx\nrayx\n"
    )
    assert lexicon.genders == {**own_words("en").genders, "borix": "masculine"}


def test_list_that_is_not_utf8_is_told(tmp_path):
    (tmp_path / "gender-number").mkdir()
    path = tmp_path / "gender-number" / "male.list"
    path.write_bytes(b"boris\nandr\xe9\n")
    with pytest.raises(FormatError, match="not UTF-8") as error:
        load_lexicon("en", folder=tmp_path, wordnet="none")
    assert error.value.place == f"{path}:2"


def test_demonyms_are_of_the_first_place_that_has_them(tmp_path):
    path = tmp_path / "en.txt"
    path.write_text(
        "# places\nNorth Elbonia\tNorth Elbonian\t Elbonians\t\t\n"
        "South Elbonia\tElbonians\tSoutherner\nNowhere\n"
    )
    assert read_demonyms(path) == {
        "north elbonian": "north elbonia",
        "elbonians": "north elbonia",
        "southerner": "south elbonia",
    }


def test_demonyms_without_a_place_are_told(tmp_path):
    path = tmp_path / "en.txt"
    path.write_text("Elbonia\tElbonian\n\tElbonian\n")
    with pytest.raises(FormatError, match="no place") as error:
        read_demonyms(path)
    assert error.value.place == f"{path}:2"
