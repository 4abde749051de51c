"""A WordNet of a few words, in the form of Princeton's files."""

from __future__ import annotations

import pytest

# A synset: its lexicographer file, its words, and those above it.
SYNSETS = {
    "entity": (3, ["entity"], {}),
    "person": (3, ["somebody", "person"], {"entity": "@"}),
    "animal": (3, ["animal"], {"entity": "@"}),
    "ruler": (18, ["ruler"], {"person": "@"}),
    "king": (18, ["king", "male_ruler"], {"ruler": "@"}),
    "chess king": (6, ["king"], {"entity": "@"}),
    "Lear": (18, ["Lear"], {"king": "@i"}),
    "goose": (5, ["goose"], {"animal": "@"}),
    "fly": (5, ["fly"], {"animal": "@"}),
}
LICENCE = "  1 A licence stands here.  \n"


def data_lines(offsets):
    for name, (file, words, above) in SYNSETS.items():
        forms = "".join(f" {word} 0" for word in words)
        pointers = "".join(
            f" {symbol} {offsets.get(other, 0):08} n 0000"
            for other, symbol in above.items()
        )
        # A pointer to a part, which is no hypernym.
        pointers += f" %p {offsets.get('entity', 0):08} n 0000"
        count = len(above) + 1
        yield (
            name,
            f"{offsets.get(name, 0):08} {file:02} n {len(words):02x}{forms} {count:03}"
            f"{pointers} | what it is, @ 1 or 2  \n",
        )


def write_wordnet(folder):
    offsets, end = {}, len(LICENCE)
    for name, line in data_lines({}):
        offsets[name] = end
        end += len(line)
    index = {}
    for name, (_, words, _) in SYNSETS.items():
        for word in words:
            index.setdefault(word.lower(), []).append(offsets[name])
    lines = (
        f"{word} n {len(senses)} 2 @ %p {len(senses)} 0 "
        f"{' '.join(f'{sense:08}' for sense in senses)}  \n"
        for word, senses in sorted(index.items())
    )
    folder.mkdir(parents=True, exist_ok=True)
    data = LICENCE + "".join(line for _, line in data_lines(offsets))
    (folder / "data.noun").write_text(data)
    (folder / "index.noun").write_text(LICENCE + "".join(lines))
    (folder / "noun.exc").write_text("geese goose\n")
    (folder / "cntlist.rev").write_text(
        "king%1:06:00:: 2 3\nking%1:18:00:: 1 2\nmale_ruler%1:18:00:: 1 2\n"
    )
    return offsets


@pytest.fixture
def tiny(tmp_path):
    """Return the folder of a small WordNet, and its synsets by name."""
    folder = tmp_path / "wordnet"
    return folder, write_wordnet(folder)


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """Hide every WordNet of the machine."""
    for name in ("COREFKIT_WORDNET", "WNSEARCHDIR", "WNHOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("cistell.mentions.wordnet.PACKAGED", (tmp_path / "nowhere",))
    monkeypatch.setattr(
        "cistell.mentions.lexicon.find_database_nouns", lambda _language: None
    )
