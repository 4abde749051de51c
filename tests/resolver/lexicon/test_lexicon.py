from __future__ import annotations

import pickle

import pytest
from shared_files import DATA

from cistell.mentions.lexicon import Lexicon, load_lexicon
from cistell.mentions.wordnet import find_wordnet_folder
from corefkit import FormatError, SettingsError

SHARED = DATA / "lexicon"


@pytest.fixture
def folder(tmp_path, tiny):
    """Return a lexicon folder that has all it may have, for three languages."""
    _, offsets = tiny
    place = tmp_path / "lexicon"
    for name, content in {
        "wordnet-spa/wn-data-spa.tab": f"{offsets['king']:08}-n\tlemma\trey\n",
        "wordnet-fra/wn-data-fra.tab": f"{offsets['king']:08}-n\tfra:lemma\troi\n",
        "gender-number/male.list": "boris\n",
        "gender-number/female.list": "ada\n",
        "gender-number/neutral.list": "bridge\n",
        "gender-number/plural.list": "bridges\n",
        "demonyms/en.txt": "Elbonia\tElbonian\n",
        "demonyms/es.txt": "Elbonia\telbonio\n",
        "demonyms/fr.txt": "Elbonie\telbonien\n",
    }.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(content)
    return place


@pytest.mark.usefixtures("nowhere")
def test_lexicon_without_anything_says_what_is_missing():
    lexicon = load_lexicon("en")
    assert lexicon.wordnet is None
    assert lexicon.genders["mother"] == "feminine"
    assert "people" in lexicon.plurals
    assert lexicon.pronouns["she"].gender == "feminine"
    assert [one.features for one in lexicon.missing] == [
        ("is_a_match", "supertype_match"),
        ("gender_match", "number_match"),
        ("string_match",),
    ]
    assert all(one.resource and one.hint for one in lexicon.missing)


@pytest.mark.usefixtures("nowhere")
def test_user_who_declines_wordnet_has_none(tiny, monkeypatch):
    folder, _ = tiny
    monkeypatch.setenv("WNSEARCHDIR", str(folder))
    assert load_lexicon("en").wordnet.supertype("king") == "person"
    declined = load_lexicon("en", wordnet="none")
    assert declined.wordnet is None
    assert declined.missing[0].resource == "WordNet 3.0"
    assert declined.missing[0].declined
    monkeypatch.setenv("COREFKIT_WORDNET", "none")
    assert load_lexicon("en").missing == declined.missing
    # What a command line says goes before the environment.
    assert load_lexicon("en", wordnet=folder).wordnet.supertype("king") == "person"


@pytest.mark.usefixtures("nowhere")
def test_environment_names_the_wordnet_to_use(tiny, monkeypatch):
    folder, _ = tiny
    monkeypatch.setenv("COREFKIT_WORDNET", str(folder))
    assert load_lexicon("en").wordnet.supertype("king") == "person"
    monkeypatch.setenv("COREFKIT_WORDNET", str(folder / "absent"))
    with pytest.raises(SettingsError, match="WordNet is missing"):
        load_lexicon("en")


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("language", ["es", "fr"])
def test_other_languages_want_words_of_their_own(language):
    missing = load_lexicon(language).missing
    code = {"es": "spa", "fr": "fra"}[language]
    assert [one.resource for one in missing] == [
        "WordNet 3.0",
        f"wordnet-{code}/wn-data-{code}.tab",
        f"demonyms/{language}.txt",
    ]


@pytest.mark.parametrize(
    ("language", "king", "elbonian", "place"),
    [
        ("en", "king", "elbonian", "elbonia"),
        ("es", "rey", "elbonio", "elbonia"),
        ("fr", "roi", "elbonien", "elbonie"),
    ],
)
def test_lexicon_with_everything_misses_nothing(
    tiny, folder, language, king, elbonian, place
):
    wordnet, offsets = tiny
    lexicon = load_lexicon(language, folder=folder, wordnet=wordnet)
    assert lexicon.missing == ()
    assert lexicon.language.code == language
    assert lexicon.wordnet.senses(king, 1) == (offsets["king"],)
    assert lexicon.demonyms == {elbonian: place}
    # The lists of gender and number are of English words.
    assert ("boris" in lexicon.genders) == (language == "en")
    assert ("bridges" in lexicon.plurals) == (language == "en")


def test_lists_that_are_absent_are_named(tiny, folder):
    for name in ("female", "plural"):
        (folder / "gender-number" / f"{name}.list").unlink()
    lexicon = load_lexicon("en", folder=folder, wordnet=tiny[0])
    (missing,) = lexicon.missing
    assert missing.resource == "gender-number/female.list, gender-number/plural.list"
    assert lexicon.genders["boris"] == "masculine"
    assert "ada" not in lexicon.genders


@pytest.mark.usefixtures("nowhere")
def test_words_without_wordnet_are_no_wordnet(folder):
    lexicon = load_lexicon("es", folder=folder)
    assert lexicon.wordnet is None
    assert [one.resource for one in lexicon.missing] == ["WordNet 3.0"]


def test_wordnet_without_words_of_the_language_is_no_wordnet(tiny, folder):
    (folder / "wordnet-fra" / "wn-data-fra.tab").unlink()
    lexicon = load_lexicon("fr", folder=folder, wordnet=tiny[0])
    assert lexicon.wordnet is None
    (missing,) = lexicon.missing
    assert missing.resource == "wordnet-fra/wn-data-fra.tab"


def test_synset_of_another_wordnet_is_told(tiny, folder):
    path = folder / "wordnet-spa" / "wn-data-spa.tab"
    path.write_text("00000007-n\tlemma\trey\n")
    wordnet = load_lexicon("es", folder=folder, wordnet=tiny[0]).wordnet
    with pytest.raises(FormatError, match="no synset 00000007"):
        wordnet.supertype("rey")


def test_lexicon_can_be_sent_to_another_process(tiny, folder):
    lexicon = load_lexicon("en", folder=folder, wordnet=tiny[0])
    again = pickle.loads(pickle.dumps(lexicon))
    assert again.wordnet.senses("king") == lexicon.wordnet.senses("king")
    assert again.genders == lexicon.genders


def test_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(SettingsError, match="does not exist"):
        load_lexicon("en", folder=tmp_path / "absent")


def test_lexicon_can_be_made_by_hand():
    lexicon = Lexicon("en", None, {}, frozenset(), {}, ())
    assert not lexicon.pronouns


needs_wordnet = pytest.mark.skipif(
    find_wordnet_folder(None) is None,
    reason="WordNet 3.0 is not installed",
)
needs_lists = pytest.mark.skipif(
    not SHARED.exists(), reason="the lexicon beside the project is not here"
)


@pytest.fixture(scope="module")
def english():
    return load_lexicon("en", wordnet=find_wordnet_folder(None)).wordnet


@pytest.fixture(scope="module")
def others():
    """Return the real Spanish and French lexicons, read once."""
    return {code: load_lexicon(code, folder=SHARED) for code in ("es", "fr")}


def ancestors(wordnet, lemma):
    (sense,) = wordnet.senses(lemma, 1)
    return wordnet.ancestors(sense)


@needs_wordnet
def test_kinds_of_things_in_the_real_wordnet(english):
    assert english.senses("animal")[0] in ancestors(english, "dog")
    assert english.senses("person")[0] in ancestors(english, "king")
    assert english.senses("person")[0] not in ancestors(english, "dog")
    assert english.senses("city")[0] in ancestors(english, "Paris")


@needs_wordnet
@pytest.mark.parametrize(
    ("lemma", "supertype"),
    [
        ("king", "person"),
        ("person", "person"),
        ("dog", "animal"),
        ("city", "location"),
        ("company", "group"),
        ("ice cream", "food"),
        ("women", "person"),
        ("xyzzyish", ""),
    ],
)
def test_supertypes_in_the_real_wordnet(english, lemma, supertype):
    assert english.supertype(lemma) == supertype


@needs_wordnet
@needs_lists
@pytest.mark.parametrize(
    ("language", "dog", "woman"), [("es", "perro", "mujer"), ("fr", "chien", "femme")]
)
def test_languages_share_synsets(english, others, language, dog, woman):
    wordnet = others[language].wordnet
    assert wordnet.senses(dog, 1) == english.senses("dog", 1)
    assert english.senses("woman")[0] in wordnet.senses(woman, 99)
    assert english.senses("animal")[0] in ancestors(wordnet, dog)


@needs_wordnet
@needs_lists
@pytest.mark.parametrize("language", ["es", "fr"])
def test_every_word_of_a_language_has_a_supertype(others, language):
    wordnet = others[language].wordnet
    words = [*wordnet._words]
    assert len(words) > 20_000
    assert all(map(wordnet.supertype, words))


@needs_lists
def test_real_lists_are_read(others):
    lexicon = load_lexicon("en", folder=SHARED)
    assert lexicon.demonyms["french"] == "france"
    assert lexicon.genders["boris"] == "masculine"
    assert lexicon.genders["miss"] == "feminine"
    assert len(lexicon.genders) > 100_000
    assert "lady" not in lexicon.plurals
    assert "people" in lexicon.plurals
    assert others["es"].demonyms["francés"] == "francia"
