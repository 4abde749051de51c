"""Random Python values into `score`: the number of the equal partition, or words.

A corpus is drawn and dressed as some Python value, at every level another: what comes
out is the number of the plain corpus, or an error in words where it can be two things.
Values without any plan end in numbers or words, and never is a container a mention.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import CorefkitError, Mention
from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs

LETTERS = "abcdefgh"


def counts(result):
    return {name: rows.sum(axis=0).tolist() for name, rows in result.counts.items()}


# Ways to dress a sequence whose items may, or may not, be hashed.
ANY = {
    "list": list,
    "tuple": tuple,
    "generator": lambda items: (item for item in items),
    "map": lambda items: map(lambda item: item, items),
    "values": lambda items: dict(enumerate(items)).values(),
    "objects": lambda items: np.array([*items, None], object)[:-1],
}
HASHED = {
    "set": set,
    "frozenset": frozenset,
    "keys": lambda items: dict.fromkeys(items).keys(),
    "fromkeys": dict.fromkeys,
}
MENTIONS = {
    "letter": lambda at: LETTERS[at],
    "number": lambda at: at,
    "word": lambda at: f"word {at}",
    "span": lambda at: (at, at + 1),
    "JSON span": lambda at: [at, at + 1],
    "array": lambda at: np.array([at, at + 1]),
    "numpy": np.int64,
    "long tuple": lambda at: ("d", at, at),
    "nested tuple": lambda at: ((at, at), (at + 2, at + 2)),
    "frozen set": lambda at: frozenset({at}),
    "Mention": lambda at: Mention(at, at),
    "flag and number": lambda at: (True, at),
    "float": lambda at: at + 0.5,
    "None and all": lambda at: None if at == 0 else at,
}

NUMBERS = {"number", "numpy", "float", "None and all"}

documents = st.lists(st.integers(0, 3), max_size=6).map(
    lambda labels: [
        [at for at, label in enumerate(labels) if label == wanted]
        for wanted in sorted(set(labels))
    ]
)
corpora = st.lists(st.tuples(documents, documents), min_size=1, max_size=3)


@st.composite
def dressed(draw, entities, mention, *, inside=False, plainly=False):
    """Draw a value for one document.

    Args:
        draw: of hypothesis.
        entities: the document.
        mention: the kind of its mentions.
        inside: whether it stands in a mapping or list, where it may be a mapping.
        plainly: whether its entities are nothing that could be a mention.
    """
    ways = dict(ANY) if mention in {"JSON span", "array"} else ANY | HASHED
    if plainly:
        del ways["tuple"]
        ways.pop("frozenset", None)
    made = []
    for entity in entities:
        mentions = [MENTIONS[mention](at) for at in entity]
        made.append(ways[draw(st.sampled_from(sorted(ways)))](mentions))
    if inside and draw(st.booleans()):
        return {f"e{at}": one for at, one in enumerate(made)}
    return ANY[draw(st.sampled_from(sorted(ANY)))](made)


def scored(*sides):
    """Score, or give None where it is refused in words."""
    try:
        return counts(corefkit.score(*sides))
    except CorefkitError:
        return None


def plain(corpus):
    """Score by letters in a mapping, the plainest shape of all."""
    key, response = (
        {
            str(number): [
                "".join(LETTERS[at] for at in entity) for entity in pair[side]
            ]
            for number, pair in enumerate(corpus)
        }
        for side in (0, 1)
    )
    return counts(corefkit.score(key, response))


@pytest.mark.parametrize("mention", MENTIONS)
@given(data=st.data(), pair=st.tuples(documents, documents))
def test_one_document_in_any_dress(mention, data, pair):
    sides = [data.draw(dressed(entities, mention)) for entities in pair]
    found = scored(*sides)
    open_to_both = mention in {"nested tuple", "frozen set"}
    assert found == plain([pair]) or (found is None and open_to_both)


@pytest.mark.parametrize("mention", MENTIONS)
@given(data=st.data(), corpus=corpora)
def test_mapping_of_documents_in_any_dress(mention, data, corpus):
    sides = [
        {
            number: data.draw(dressed(pair[side], mention, inside=True))
            for number, pair in enumerate(corpus)
        }
        for side in (0, 1)
    ]
    assert scored(*sides) == plain(corpus)


# A list of two numbers is a span, so that documents of numbers may be spans instead.
@pytest.mark.parametrize("mention", sorted(MENTIONS.keys() - NUMBERS))
@given(data=st.data(), corpus=corpora)
def test_list_of_documents_in_any_dress(mention, data, corpus):
    # Neither is a tuple or a frozen set plainly an entity: it may be a mention.
    sides = [
        [
            data.draw(dressed(pair[side], mention, inside=True, plainly=True))
            for pair in corpus
        ]
        for side in (0, 1)
    ]
    # Several lists without mentions may be one document or several: FormatError.
    is_ambiguous = len(corpus) > 1 and not any(map(any, corpus))
    assert scored(*sides) == (None if is_ambiguous else plain(corpus))


@given(corpus=corpora, data=st.data())
def test_json_objects(corpus, data):
    words = list("abcdefghij")
    sides = [
        [
            {
                "doc_key": f"d{number}",
                "sentences": [words],
                "clusters": [[[at, at + 1] for at in entity] for entity in pair[side]],
            }
            for number, pair in enumerate(corpus)
        ]
        for side in (0, 1)
    ]
    if len(corpus) == 1 and data.draw(st.booleans()):
        sides = [side[0] for side in sides]
    assert scored(*sides) == plain(corpus)


atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 5),
    st.floats(allow_nan=True),
    st.text("ab", max_size=3),
    st.binary(max_size=2),
)
keys = st.one_of(
    st.integers(0, 3), st.sampled_from(["a", "doc_key", "clusters", "sentences"])
)
values = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.lists(inner, max_size=3).map(iter),
        st.dictionaries(keys, inner, max_size=3),
        st.lists(atoms, max_size=3).map(set),
        st.lists(atoms, max_size=3).map(frozenset),
        st.lists(st.integers(0, 3), max_size=4).map(np.array),
        st.integers(0, 3).map(range),
    ),
    max_leaves=12,
)


@given(value=values)
def test_value_without_any_plan_is_refused_or_has_mentions_that_are_hashed(value):
    try:
        with open_runs(value, [], settings=corefkit.Settings(), alone=True) as runs:
            tables = [block.table for _, block in iter_aligned_blocks(runs)]
    except CorefkitError:
        return
    for table in tables:
        for entity in range(len(table.key)):
            for mention in table.key.members(entity):
                hash(mention)
                assert mention == mention
                assert not isinstance(mention, list | set | Mapping | Iterator)


@given(value=values, other=values)
def test_two_values_without_any_plan_end_in_numbers_or_words(value, other):
    scored(value, other)
