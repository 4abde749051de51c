"""Whatever documents hold, all that is known of mentions lies inside them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from descriptions import described
from hypothesis import given
from hypothesis import strategies as st

from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.analysis.errors.error_analysis import LINKS, TYPES
from corefkit.analysis.errors.links import build_trees, count_edges, list_link_errors
from corefkit.metrics.standard import muc
from corefkit.model import Document, Entity, Mention
from corefkit.settings import Settings

WORDS = [
    "the",
    "The",
    "'s",
    ",",
    "``",
    "she",
    "mill",
    "Halden",
    "of",
    "-LRB-",
    "5",
    "$",
    "_",
]
LAYERS = {
    "xpos": "DT NN NNP PRP PRP$ POS VBD IN , CD X",
    "parse": "* (NP* *) (NP*) (VP* ) -",
    "upos": "DET NOUN PROPN PRON VERB ADP PUNCT _",
    "feats": "PronType=Dem PronType=Art Poss=Yes _",
    "head": "0 1 2 3 9 _",
}


@st.composite
def texts(draw):
    """Draw the words of both sides, their sentences and their layers."""
    size = draw(st.integers(1, 9))
    words = draw(st.lists(st.sampled_from(WORDS), min_size=size, max_size=size))
    cut = draw(st.integers(0, size))
    sentences = tuple(tuple(part) for part in (words[:cut], words[cut:]) if part)
    names = draw(st.sets(st.sampled_from(sorted(LAYERS))))
    layers = {
        name: tuple(
            draw(
                st.lists(
                    st.sampled_from(LAYERS[name].split()), min_size=size, max_size=size
                )
            )
        )
        for name in sorted(names)
    }
    return sentences, layers


@st.composite
def with_empty_nodes(draw, sentences, layers):
    """Put empty nodes in front of some words."""
    empty, tokens, rows, word = [], [], [], 0
    for sentence in sentences:
        tokens.append([])
        for form in sentence:
            if draw(st.integers(0, 5)) == 5:
                empty.append(len(rows))
                rows.append(None)
                tokens[-1].append("_")
            rows.append(word)
            tokens[-1].append(form)
            word += 1
    cells = {
        name: tuple("_" if row is None else layer[row] for row in rows)
        for name, layer in layers.items()
    }
    return Document(
        "d", tuple(map(tuple, tokens)), (), empty=tuple(empty), layers=cells
    )


@st.composite
def documents(draw, sentences, layers):
    """Draw a document with mentions, of whose heads and kinds something may be said."""
    document = draw(with_empty_nodes(sentences, layers))
    tokens = st.sets(st.integers(0, len(document.tokens) - 1), min_size=1, max_size=4)
    found = draw(st.lists(st.lists(tokens, min_size=1, max_size=4), max_size=3))
    kinds = st.sampled_from(["NAM", "PRO", "zq", "DEM"])
    named = draw(st.booleans())
    entities = [
        Entity(
            str(number),
            tuple(
                Mention.of(
                    one,
                    head=draw(st.sampled_from([None, min(one)])) if named else None,
                    attributes={"mention_type": draw(kinds)} if named else {},
                )
                for one in row
            ),
        )
        for number, row in enumerate(found)
    ]
    return replace(document, entities=tuple(entities))


@st.composite
def sides(draw):
    """Draw key and response, each with its own layers or none, or without words."""
    sentences, layers = draw(texts())
    drawn = []
    for _ in range(2):
        has = draw(st.sampled_from(["layers", "words", "nothing"]))
        given = {} if has != "layers" else layers
        document = draw(documents(sentences, given))
        if has == "nothing":
            document = replace(document, sentences=(), empty=(), layers={})
        drawn.append(document)
    return drawn


@given(sides(), st.sampled_from(["keep", "drop"]))
def test_all_that_is_known_lies_inside_of_mentions(pair, singletons):
    table, description, sources, _ = described(*pair, singletons=singletons)
    start, end, head = table.start, table.end, description.head
    assert np.all(start <= description.trimmed_start)
    assert np.all(description.trimmed_start <= description.trimmed_end)
    assert np.all(description.trimmed_end <= end)
    assert np.all((head < 0) | ((start <= head) & (head <= end)))
    assert np.all(description.type < len(TYPES))
    is_pronoun = description.type == TYPES.index("pronoun")
    assert not any(np.array(description.pronoun, bool) & ~is_pronoun)
    assert bool(sources) == bool(len(table))


def with_heads(document):
    """Let the head of each mention be its first token."""
    entities = [
        replace(entity, mentions=tuple(replace(one, head=one.start) for one in entity))
        for entity in document
    ]
    return replace(document, entities=tuple(entities))


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
@given(pair=sides())
def test_links_are_those_of_muc_under_every_match(match, pair):
    heads = [with_heads(document) for document in pair]
    table, description, _, ids = described(*heads, match=match)
    with open_runs(heads[0], [heads[1]], settings=Settings(match=match)) as runs:
        ((_, block),) = iter_aligned_blocks(runs)
    (counts,) = muc(block.table)
    for side, (kept, all_links) in zip(LINKS, counts.reshape(2, 2), strict=True):
        edges = build_trees(table, description.type, side=side)
        links = count_edges(table, description, edges, documents=ids)
        assert (links.edges, links.errors) == (all_links, all_links - kept)
        (errors,) = list_link_errors(table, description, edges, documents=ids)
        assert len(errors) == links.errors
