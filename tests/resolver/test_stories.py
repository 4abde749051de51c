"""The bundled model on the stories of the documentation."""

from __future__ import annotations

import re

import pytest
from shared_files import ROOT

from cistell.mentions.lexicon import read_word_lists
from cistell.neural import NeuralResolver
from cistell.neural.agreement import AgreementLexicon

PAGE = (ROOT / "docs" / "cistell.md").read_text("utf-8")
STORIES = dict(re.findall(r"^\$ cat (\w+)\.txt\n(.*?)^\$ cistell", PAGE, re.M | re.S))
# Names of persons, of which no two are the same person.
PERSONS = {
    "boat": ["Helen", "Mrs. Marsh", "Tom"],
    "doctor": ["Bell", "Mr. Carter", "Jane"],
    "meeting": ["Ortega", "Weber", "Clara", "Mr. Hall"],
}


@pytest.fixture(scope="module")
def resolver():
    return NeuralResolver.load()


def resolve(resolver, story):
    """Return the texts of the mentions of each entity."""
    text = STORIES[story]
    tokens = resolver.tokenizer.tokenize(text)
    mentions = resolver.find_mentions(tokens)
    bounds = [
        (int(tokens.starts[start]), int(tokens.ends[end]))
        for start, end in mentions.spans
    ]
    return [
        [text[slice(*bounds[i])] for i in entity]
        for entity in resolver.link_mentions(tokens, mentions)
    ]


def test_documentation_has_three_stories():
    assert STORIES.keys() == PERSONS.keys()


@pytest.mark.parametrize("story", PERSONS)
def test_no_two_persons_are_one_entity(resolver, story):
    entities = resolve(resolver, story)
    for name in PERSONS[story]:
        assert any(name in entity for entity in entities)
    for entity in entities:
        assert sum(name in entity for name in PERSONS[story]) <= 1


@pytest.mark.parametrize("story", PERSONS)
def test_pronouns_agree_with_names_and_nouns_that_the_lexicon_knows(resolver, story):
    lexicon = AgreementLexicon.from_dict(read_word_lists())
    for entity in resolve(resolver, story):
        genders = {
            lexicon.pronouns[m.lower()][0] for m in entity if is_known(m, lexicon)
        }
        for mention in entity:
            words = mention.lower().replace(".", "").split()
            tables = lexicon.titles, lexicon.names, lexicon.nouns
            genders |= {
                table[word]
                for table in tables
                for word in (words[:1] if table is not lexicon.nouns else words[-1:])
                if word in table
            }
        assert len(genders - {""}) <= 1, entity


def is_known(mention, lexicon):
    return mention.lower() in lexicon.pronouns


def test_a_first_name_after_a_noun_has_its_gender(resolver):
    document = resolver.resolve_text(
        "Mr. Bell opened the shop at nine. He had sold clocks there for years.\n\n"
        "Mrs. Moore had brought her old friend Anna Bell, who wanted a watch."
    )
    words = document.words
    groups = [{" ".join(words[m.start : m.end + 1]) for m in e} for e in document]
    bell = next(group for group in groups if "Mr . Bell" in group)
    assert not any("Anna" in text for text in bell)


def test_the_same_text_gives_the_same_document(resolver):
    text = "\n\n".join(STORIES.values())
    assert resolver.resolve_text(text) == NeuralResolver.load().resolve_text(text)
