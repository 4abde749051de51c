from __future__ import annotations

import sys

import pytest

from corefkit import FormatError
from corefkit.cistell.lexicon import WordNet, load_lexicon
from corefkit.cistell.lexicon.database import database_nouns

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
    wordnet = WordNet(database_nouns("en"))
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
    nouns = database_nouns("en")
    assert [*map(nouns.frequency, (10, 20))] == [5, 0]


@pytest.mark.usefixtures("both")
def test_wordnet_30_comes_first():
    assert database_nouns("en")._name == database_nouns("es")._name == "omw-en"


@pytest.mark.usefixtures("other")
def test_other_numbers_do_not_serve_other_languages():
    assert database_nouns("en")._name == "oewn"
    assert database_nouns("es") is None


def test_absent_database_is_not_made(tmp_path, monkeypatch):
    path = use(monkeypatch, tmp_path)
    assert database_nouns("en") is None
    assert not path.exists()


def test_broken_database_is_told(tmp_path, monkeypatch):
    path = use(monkeypatch, tmp_path)
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(FormatError, match="cannot be read") as error:
        database_nouns("en")
    assert error.value.place == str(path)


@pytest.mark.usefixtures("both")
def test_unknown_synset_is_told():
    with pytest.raises(FormatError, match="no synset omw-en-00000099-n"):
        database_nouns("en").synset(99)


def test_missing_package_is_no_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "wn", None)
    assert database_nouns("en") is None


@pytest.mark.usefixtures("both")
def test_lexicon_takes_the_database_where_files_are_absent(monkeypatch):
    monkeypatch.setattr("corefkit.cistell.lexicon.princeton.PACKAGED", ())
    for name in ("COREFKIT_WORDNET", "WNSEARCHDIR", "WNHOME"):
        monkeypatch.delenv(name, raising=False)
    assert load_lexicon("en").wordnet.supertype("person") == "person"


def test_fingerprint_tells_lexicons_apart(folders, monkeypatch):
    found = set()
    for folder in folders.values():
        use(monkeypatch, folder)
        found.add(database_nouns("en").fingerprint)
    assert len(found) == len(folders)
