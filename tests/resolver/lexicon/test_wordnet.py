from __future__ import annotations

import gzip
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cistell.mentions.lexicon import load_lexicon
from cistell.mentions.wordnet import (
    SUPERTYPES,
    PrincetonNouns,
    Synset,
    WordNet,
    find_database_nouns,
    get_supertype,
    read_tab_file,
)
from corefkit import FormatError


class Graph:
    """Synsets by what is above them."""

    def __init__(self, above):
        self.above = above
        self.asked = 0

    def senses(self, word):
        return tuple(map(int, word.split("_")))

    def synset(self, sense):
        self.asked += 1
        return Synset("", self.above[sense])


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 7))
    places = st.integers(0, size - 1)
    return [tuple(draw(st.lists(places, max_size=3, unique=True))) for _ in range(size)]


@given(graphs())
def test_ancestors_are_all_that_can_be_reached(above):
    wordnet = WordNet(Graph(above))
    for sense in range(len(above)):
        reached = set(above[sense])
        for _ in above:
            reached |= {higher for one in reached for higher in above[one]}
        assert wordnet.ancestors(sense) == reached - {sense}


def test_synset_is_asked_for_once():
    graph = Graph([(1,), (2,), ()])
    wordnet = WordNet(graph)
    first = wordnet.ancestors(0), wordnet.ancestors(1), wordnet.supertype("0")
    assert graph.asked == 3
    assert (wordnet.ancestors(0), wordnet.ancestors(1), wordnet.supertype("0")) == first
    assert graph.asked == 3


def test_senses_are_as_many_as_wanted_and_spelled_as_people_do():
    wordnet = WordNet(Graph([]))
    assert wordnet.senses("4 3 2 1") == (4, 3, 2)
    assert wordnet.senses("4 3 2 1", 1) == (4,)
    assert wordnet.senses("4 3 2 1", most=9) == (4, 3, 2, 1)


def test_words_and_their_kinds(tiny):
    folder, offsets = tiny
    wordnet = WordNet(PrincetonNouns(folder))
    assert wordnet.senses("Male ruler") == (offsets["king"],)
    assert wordnet.supertype("Lear") == wordnet.supertype("person") == "person"
    assert wordnet.supertype("queen") == ""
    (lear,) = wordnet.senses("Lear")
    assert wordnet.ancestors(lear) == {
        offsets[name] for name in ("king", "ruler", "person", "entity")
    }


def test_words_of_a_language_stand_instead_of_the_english_ones(tiny):
    folder, offsets = tiny
    wordnet = WordNet(PrincetonNouns(folder), {"rey": (offsets["king"],)})
    assert wordnet.supertype("rey") == "person"
    assert wordnet.senses("king") == ()


def test_senses_of_other_languages_are_by_frequency_then_as_given(tiny):
    folder, offsets = tiny
    senses = [offsets[name] for name in ("goose", "chess king", "fly", "king")]
    found = WordNet(PrincetonNouns(folder), {"x": tuple(senses)}).senses("x", 4)
    assert found == (senses[3], senses[1], senses[0], senses[2])


def test_supertype_is_one_of_the_list():
    assert [*SUPERTYPES] == sorted(set(SUPERTYPES))
    assert get_supertype("tops", ["entity"]) == "tops"
    assert get_supertype("body", ["entity"]) == "body"
    assert get_supertype("verb.motion", ["person"]) == ""


TAB = """# A wordnet\tfra\taddress\tlicence
00000020-n\tfra:lemma\tRoi
00000010-n\tfra:lemma\troi
00000020-n\tfra:lemma\troi
00000030-v\tfra:lemma\tgrandir
00000030-n\tfra:def\t0\tcelui qui règne
00000030-n\tlemma\tchef de file

"""


@pytest.mark.parametrize("ending", ["tab", "tab.gz"])
def test_nouns_of_a_tab_file_are_in_its_order(tmp_path, ending):
    path = tmp_path / f"words.{ending}"
    content = TAB.encode()
    path.write_bytes(gzip.compress(content) if ending == "tab.gz" else content)
    assert read_tab_file(path) == {"roi": (20, 10), "chef_de_file": (30,)}


@pytest.mark.parametrize(
    "line",
    ["roi", "10-n\tlemma", "roi\tlemma\troi", "10\tlemma\troi", "-n\tlemma\troi"],
)
def test_line_that_is_not_of_a_tab_file_is_told(tmp_path, line):
    path = tmp_path / "words.tab"
    path.write_text(f"# title\n10-n\tlemma\troi\n{line}\n")
    with pytest.raises(FormatError, match="expected a synset and a word") as error:
        read_tab_file(path)
    assert error.value.place == f"{path}:3"
    assert error.value.hint


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(TAB.encode())[:-20]],
    ids=["no gzip", "cut off"],  # packed bytes have the time in them
)
def test_broken_packed_file_is_told(tmp_path, content):
    path = tmp_path / "words.tab.gz"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="cannot be read") as error:
        read_tab_file(path)
    assert error.value.place == str(path)
    assert error.value.hint


def test_file_that_is_not_utf8_is_told(tmp_path):
    path = tmp_path / "words.tab"
    path.write_bytes(b"# title\n10-n\tlemma\treine m\xe8re\n")
    with pytest.raises(FormatError, match="not UTF-8") as error:
        read_tab_file(path)
    assert error.value.place == f"{path}:2"


wn = pytest.importorskip("wn", reason="the package wn is not installed")

HEADER = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
"""


def lexicon_file(name):
    """Write a lexicon of three synsets: Lear is a ruler, who is a person."""
    entries = "".join(
        f'<LexicalEntry id="{name}-{word}">'
        f'<Lemma writtenForm="{form}" partOfSpeech="n"/>'
        f'<Sense id="{name}-{word}-1" synset="{name}-{number}-n">'
        f"{'<Count>5</Count>' if word == 'person' else ''}</Sense></LexicalEntry>"
        for word, form, number in (
            ("person", "person", "00000010"),
            ("ruler", "head ruler", "00000020"),
            ("lear", "Lear", "00000030"),
        )
    )
    return f"""{HEADER}<Lexicon id="{name}" label="tiny" language="en" email="a@b.c"
 license="none" version="1">{entries}
<Synset id="{name}-00000010-n" ili="" partOfSpeech="n" lexfile="noun.Tops"/>
<Synset id="{name}-00000020-n" ili="" partOfSpeech="n" dc:subject="noun.person">
<SynsetRelation relType="hypernym" target="{name}-00000010-n"/></Synset>
<Synset id="{name}-00000030-n" ili="" partOfSpeech="n">
<SynsetRelation relType="instance_hypernym" target="{name}-00000020-n"/></Synset>
</Lexicon></LexicalResource>"""


def use(monkeypatch, folder):
    """Have `wn` keep its data in a folder."""
    monkeypatch.setattr(wn.config, "_data_directory", folder)
    monkeypatch.setattr(wn.config, "_dbpath", folder / "wn.db")
    return folder / "wn.db"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Return folders with a database each, by the lexicons that these have."""
    made = {}
    for names in (("oewn",), ("oewn", "omw-en")):
        made[names] = folder = tmp_path_factory.mktemp("data")
        with pytest.MonkeyPatch.context() as monkeypatch:
            use(monkeypatch, folder)
            for name in names:
                path = folder / f"{name}.xml"
                path.write_text(lexicon_file(name))
                wn.add(path, progress_handler=None)
    return made


@pytest.fixture
def both(folders, monkeypatch):
    return use(monkeypatch, folders["oewn", "omw-en"])


@pytest.fixture
def other(folders, monkeypatch):
    return use(monkeypatch, folders["oewn",])


@pytest.mark.parametrize("database", ["both", "other"])
def test_nouns_come_from_the_database(request, database):
    request.getfixturevalue(database)
    wordnet = WordNet(find_database_nouns("en"))
    assert wordnet.supertype("person") == "person"
    assert wordnet.senses("Head ruler") == (20,)
    assert wordnet.senses("queen") == ()
    assert wordnet.ancestors(30) == {10, 20}
    assert [*map(wordnet.supertype, ("person", "head ruler", "lear"))] == [
        "person",
        "person",
        "",
    ]


@pytest.mark.usefixtures("both")
def test_frequency_is_counted_where_the_lexicon_says_it():
    nouns = find_database_nouns("en")
    assert [*map(nouns.frequency, (10, 20))] == [5, 0]


@pytest.mark.usefixtures("both")
def test_wordnet_30_comes_first():
    assert (
        find_database_nouns("en")._name == find_database_nouns("es")._name == "omw-en"
    )


@pytest.mark.usefixtures("other")
def test_other_numbers_do_not_serve_other_languages():
    assert find_database_nouns("en")._name == "oewn"
    assert find_database_nouns("es") is None


def test_absent_database_is_not_made(tmp_path, monkeypatch):
    path = use(monkeypatch, tmp_path)
    assert find_database_nouns("en") is None
    assert not path.exists()


def test_broken_database_is_told(tmp_path, monkeypatch):
    path = use(monkeypatch, tmp_path)
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(FormatError, match="cannot be read") as error:
        find_database_nouns("en")
    assert error.value.place == str(path)


@pytest.mark.usefixtures("both")
def test_unknown_synset_is_told():
    with pytest.raises(FormatError, match="no synset omw-en-00000099-n"):
        find_database_nouns("en").synset(99)


def test_missing_package_is_no_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "wn", None)
    assert find_database_nouns("en") is None


@pytest.mark.usefixtures("both")
def test_lexicon_takes_the_database_where_files_are_absent(monkeypatch):
    monkeypatch.setattr("cistell.mentions.wordnet.PACKAGED", ())
    for name in ("COREFKIT_WORDNET", "WNSEARCHDIR", "WNHOME"):
        monkeypatch.delenv(name, raising=False)
    assert load_lexicon("en").wordnet.supertype("person") == "person"


def test_fingerprint_tells_lexicons_apart(folders, monkeypatch):
    found = set()
    for folder in folders.values():
        use(monkeypatch, folder)
        found.add(find_database_nouns("en").fingerprint)
    assert len(found) == len(folders)
