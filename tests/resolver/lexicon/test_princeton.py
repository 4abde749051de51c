from __future__ import annotations

import pytest

from cistell.mentions.lexicon import WordNet
from cistell.mentions.wordnet import PrincetonNouns, Synset, find_wordnet_folder
from corefkit import FormatError, SettingsError


def names(offsets, senses):
    by_offset = {offset: name for name, offset in offsets.items()}
    return [by_offset[sense] for sense in senses]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("king", ["king", "chess king"]),
        ("lear", ["Lear"]),
        ("male_ruler", ["king"]),
        ("geese", ["goose"]),
        ("kings", ["king", "chess king"]),
        ("flies", ["fly"]),
        ("queen", []),
        ("s", []),
        ("", []),
    ],
)
def test_senses_are_those_of_the_word_or_its_singular(tiny, word, expected):
    folder, offsets = tiny
    assert names(offsets, PrincetonNouns(folder).senses(word)) == expected


def test_synset_has_its_supertype_and_what_it_is_a_kind_or_instance_of(tiny):
    folder, offsets = tiny
    nouns = PrincetonNouns(folder)
    assert nouns.synset(offsets["king"]) == Synset("person", (offsets["ruler"],))
    assert nouns.synset(offsets["Lear"]) == Synset("person", (offsets["king"],))
    assert nouns.synset(offsets["entity"]) == Synset("tops", ())


def test_concept_of_a_lexicographer_file_is_of_that_file(tiny):
    folder, offsets = tiny
    assert PrincetonNouns(folder).synset(offsets["person"]).supertype == "person"


def test_frequency_is_that_of_all_words_of_a_synset(tiny):
    folder, offsets = tiny
    found = {name: PrincetonNouns(folder).frequency(offsets[name]) for name in offsets}
    assert found == {**dict.fromkeys(offsets, 0), "king": 4, "chess king": 3}
    (folder / "cntlist.rev").unlink()
    assert PrincetonNouns(folder).frequency(offsets["king"]) == 0


def test_irregular_plurals_may_be_absent(tiny):
    folder, _ = tiny
    (folder / "noun.exc").unlink()
    assert PrincetonNouns(folder).senses("geese") == ()


def look_at_everything(folder):
    wordnet = WordNet(PrincetonNouns(folder))
    for word in ("king", "goose", "lear", "fly"):
        for sense in wordnet.senses(word):
            wordnet.ancestors(sense)


def changed(name, old, new):
    def change(folder):
        content = (folder / name).read_bytes()
        assert old in content
        (folder / name).write_bytes(content.replace(old, new))

    return change


def cut(name, size):
    def change(folder):
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[:-size])

    return change


BROKEN = {
    "cut inside a line": (
        cut("data.noun", 5),
        "data.noun: the file ends inside a line",
    ),
    "line ends of another system": (
        changed("data.noun", b"\n", b"\r\n"),
        r"data.noun: no synset \d{8} starts at byte",
    ),
    "no count of words": (changed("data.noun", b" n 01 ", b" n zz "), "not as WordNet"),
    "no such file number": (changed("data.noun", b" 05 n", b" 55 n"), "not as WordNet"),
    "fewer pointers than said": (changed("data.noun", b" 002 ", b" 009 "), "not as"),
    "index without synsets": (
        changed("index.noun", b"goose n 1", b"goose n x"),
        "goose",
    ),
    "index with a bare word": (
        changed("index.noun", b"goose n 1", b"goose\nn 1"),
        "one word",
    ),
    "index not UTF-8": (
        changed("index.noun", b"goose", b"g\xff\xffse"),
        r"noun:\d+: .*UTF-8",
    ),
    "bare word in noun.exc": (
        changed("noun.exc", b"geese goose", b"geese"),
        "noun.exc",
    ),
}


@pytest.mark.parametrize(("change", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_file_is_told_with_its_place(tiny, change, message):
    folder, _ = tiny
    look_at_everything(folder)
    change(folder)
    with pytest.raises(FormatError, match=message) as error:
        look_at_everything(folder)
    assert str(folder) in error.value.place
    assert error.value.hint


def test_named_folder_comes_first(tiny, monkeypatch):
    folder, _ = tiny
    monkeypatch.setenv("WNSEARCHDIR", str(folder.parent))
    assert find_wordnet_folder(folder) == folder


def test_named_folder_without_wordnet_is_refused(tmp_path):
    with pytest.raises(SettingsError, match="WordNet is missing") as error:
        find_wordnet_folder(tmp_path)
    assert error.value.place == str(tmp_path)


@pytest.mark.usefixtures("nowhere")
def test_environment_names_the_folder(tiny, monkeypatch):
    folder, _ = tiny
    assert find_wordnet_folder(None) is None
    (folder.parent / "dict").symlink_to(folder)
    monkeypatch.setenv("WNHOME", str(folder.parent))
    assert find_wordnet_folder(None) == folder.parent / "dict"
    monkeypatch.setenv("WNSEARCHDIR", str(folder))
    assert find_wordnet_folder(None) == folder
    monkeypatch.setenv("WNSEARCHDIR", str(folder / "absent"))
    assert find_wordnet_folder(None) == folder.parent / "dict"


@pytest.mark.parametrize("name", ["index.noun", "data.noun", "noun.exc", "cntlist.rev"])
def test_fingerprint_is_of_every_file(tiny, name):
    folder, _ = tiny
    before = PrincetonNouns(folder).fingerprint
    assert PrincetonNouns(folder).fingerprint == before
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("goose goose\n")
    assert PrincetonNouns(folder).fingerprint != before
