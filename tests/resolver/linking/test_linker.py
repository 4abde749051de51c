"""The linker: learns from stories, links others, and is kept in files."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from resolver.lexica import context, table_of
from resolver.stories import stories
from resolver.trees import parsed

from cistell.learners.growing import Growth
from cistell.linking import EntityLinker
from cistell.linking.linker import Ranking, linked
from cistell.table import annotated_table
from corefkit.exceptions import CorefkitError

pytest.importorskip("lightgbm", exc_type=(ImportError, OSError))

FEW = Growth(rounds=30, least=5)


@pytest.fixture(scope="module")
def linker():
    return EntityLinker.learn(stories(30), context(), growth=FEW)


def links(entity):
    return {
        (a, b) for b in range(len(entity)) for a in range(b) if entity[a] == entity[b]
    }


def test_linker_finds_the_entities_of_other_stories(linker):
    right = found = expected = 0
    for document in stories(10, seed=1):
        table, entity = annotated_table(document, context())
        (numbers,) = linker.link([table])
        right += len(links(entity) & links(numbers))
        found += len(links(numbers))
        expected += len(links(entity))
    assert 2 * right / (found + expected) > 0.8


def test_bias_decides_how_much_is_linked(linker):
    table = table_of(stories(1, seed=2)[0])
    counts = [
        len({*next(replace(linker, bias=bias).link([table])).tolist()})
        for bias in (-100.0, 0.0, 100.0)
    ]
    # Subject and object of a verb stay apart, however much is linked.
    assert counts[0] < counts[1] < counts[2] == len(table)


def test_files_are_enough_without_lightgbm(linker, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    kept = replace(linker, bias=0.25)
    loaded = EntityLinker.load(kept.files())
    assert loaded.bias == 0.25
    assert loaded.files() == kept.files()
    table = table_of(stories(1, seed=3)[0])
    assert loaded.ranking(table).score.tolist() == linker.ranking(table).score.tolist()


def test_same_documents_and_seed_make_the_same_bytes(linker):
    again = EntityLinker.learn(stories(30), context(), growth=FEW)
    assert again.files() == linker.files()


@pytest.mark.parametrize("damage", ["linker.json", "trees.nodes.bin"])
def test_damaged_files_are_refused(linker, damage):
    with pytest.raises(CorefkitError, match="missing or damaged"):
        EntityLinker.load({**linker.files(), damage: b"[]"})


def test_documents_without_links_teach_nothing():
    document = parsed("[ Ann/PROPN/2/nsubj ]a slept/VERB/0/root")
    for documents in ([], [document]):
        with pytest.raises(CorefkitError, match="no mention has an antecedent"):
            EntityLinker.learn(documents, context())


def test_document_without_mentions_has_no_entities(linker):
    assert next(linker.link([table_of(parsed("so/ADV/0//A=B"))])).tolist() == []


@given(st.integers(0, 6), st.randoms(use_true_random=False))
def test_links_follow_the_best_candidates(mentions, random):
    pairs = [(a, b) for b in range(mentions) for a in range(b) if random.random() < 0.7]
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    score = np.array([random.choice([-1.0, 0.5, 2.0]) for _ in pairs])
    alone = np.array([random.choice([-0.5, 1.0]) for _ in range(mentions)])
    expected = list(range(mentions))
    for mention in range(mentions):
        rows = [(s, a) for s, (a, b) in zip(score, pairs, strict=True) if b == mention]
        if rows and max(rows)[0] > alone[mention]:
            expected[mention] = expected[max(rows)[1]]
    found = linked(Ranking(first, second, score, alone))
    assert links(found) == links(expected)
    assert [*dict.fromkeys(found.tolist())] == list(range(len({*found.tolist()})))


def test_linker_of_another_version_is_refused(linker):
    other = replace(linker, columns=("alone", *linker.columns[1:-1], "spelling"))
    with pytest.raises(CorefkitError, match="other features"):
        next(other.link([table_of(stories(1)[0])]))


def test_weights_are_shares_and_the_telling_columns_lead(linker):
    weights = linker.weights
    assert sum(weights.values()) == pytest.approx(1)
    telling = ("pronouns", "heads", "texts", "together", "basket_heads")
    assert weights["alone"] < sum(weights[name] for name in telling)
