"""Mentions that lie one in another by the thousand: refused before pairs are made."""

from __future__ import annotations

import numpy as np
import pytest
from shared_files import DATA
from slow_matching import document

import corefkit
from corefkit.alignment import candidates, trees, zeros
from corefkit.alignment.matching import compute_positions
from corefkit.analysis.explain import explain
from corefkit.arrays.building import build_columns


def nested(number, *, shift=0):
    """Make mentions one in another, around one head, each an entity of its own."""
    words = " ".join("w" for _ in range(2 * number + 2))
    spans = [
        f"{one}-{2 * number - one + shift}@{number}"
        for one in range(1 - shift, number - shift)
    ]
    return document(words, *spans)


@pytest.fixture
def made(monkeypatch):
    """Count the pairs that are written out."""
    sizes = []
    expand = candidates.expand_runs

    def counted(first, size):
        sizes.append(int(size.sum()))
        return expand(first, size)

    monkeypatch.setattr(candidates, "expand_runs", counted)
    return sizes


@pytest.mark.parametrize(
    "options",
    [
        {"match": "head"},
        {"match": "partial"},
        {"metrics": ["mor"]},
        {"metrics": ["ceaf_e_graded"]},
    ],
    ids=lambda options: "-".join(map(str, next(iter(options.items())))),
)
@pytest.mark.slow
def test_thousands_of_mentions_around_one_head_are_refused_in_words(options, made):
    key, response = nested(1500), nested(1500, shift=1)
    other = document("a b", "0", "1", name="before")
    with pytest.raises(corefkit.FormatError, match="expected at most 1,048,576") as no:
        corefkit.score([other, key], [other, response], **options)
    assert "document 'd' has 1,499 key and 1,499 response mentions" in str(no.value)
    assert "brackets that never close" in no.value.hint
    assert sum(made) <= 1 << 21


def test_document_that_explain_refuses_is_named():
    with pytest.raises(corefkit.FormatError, match="document 'd' has 1,499 key and"):
        explain(nested(1500), nested(1500, shift=1), metric="muc", match="head")


def test_what_many_mentions_may_have_is_not_refused():
    sides = [document("a b c", "0", "1", "2")] * 2
    placed = compute_positions(*(build_columns([one]) for one in sides))
    candidates.check_pairs(*placed, np.zeros(3, np.int64), np.full(3, 300_000))
    with pytest.raises(corefkit.FormatError, match="1,200,000 pairs of key"):
        candidates.check_pairs(*placed, np.zeros(3, np.int64), np.full(3, 400_000))


def test_equal_mentions_one_in_another_are_paired_for_mor_without_a_look(made):
    key = nested(1500)
    assert corefkit.score(key, key, metrics=["mor"])["mor"].f1 == 1
    assert sum(made) == 0


def test_thousands_of_zeros_under_one_parent_are_refused_in_words(monkeypatch):
    monkeypatch.setattr(candidates, "MAX_PAIRS", 100)
    monkeypatch.setattr(candidates, "_MAX_PAIRS_PER_MENTION", 1)
    compared = []
    compute = zeros._compute_similarity
    monkeypatch.setattr(
        zeros,
        "_compute_similarity",
        lambda *pair: compared.append(pair) or compute(*pair),
    )
    nodes = range(1, 41)
    text = "a " + "_ " * 40 + "b"
    side = document(
        text, *(f"{node}@{node}" for node in nodes), deps=dict.fromkeys(nodes, "2:x")
    )
    with pytest.raises(corefkit.FormatError, match="1,600 pairs of zeros") as no:
        corefkit.score(side, side, zeros="dependency")
    assert "document 'd' has 40 key and 40 response mentions" in no.value.message
    assert "--zeros position" in no.value.hint
    assert compared == []


GUM = DATA / "gum"


@pytest.mark.skipif(not GUM.is_dir(), reason="the GUM corpus is not here")
@pytest.mark.parametrize(
    "options", [{"match": "head"}, {"match": "partial"}, {"metrics": ["ceaf_e_graded"]}]
)
@pytest.mark.slow
def test_real_documents_stay_below_a_tenth_of_what_is_refused(options, monkeypatch):
    monkeypatch.setattr(candidates, "MAX_PAIRS", candidates.MAX_PAIRS // 10)
    monkeypatch.setattr(candidates, "_MAX_PAIRS_PER_MENTION", 10)
    corpus = GUM / "gum-dev.conllu"
    result = corefkit.score(corpus, corpus, **options)
    assert {score.f1 for score in result.scores.values()} == {1}


@pytest.mark.parametrize("match", ["head", "partial", "min"])
def test_trees_of_mentions_nested_by_the_thousand_are_refused_in_words(
    match, tmp_path, monkeypatch
):
    number = 1500
    rows = [
        f"d 0 {at} w NN (NP* - - - - * ({at}".replace(" ", "\t") for at in range(number)
    ]
    closing = "|".join(f"{at})" for at in reversed(range(number)))
    rows.append(f"d 0 {number} w NN *{')' * number} - - - - * {closing}")
    rows[-1] = rows[-1].replace(" ", "\t")
    text = "\n".join(rows)
    path = tmp_path / "deep.conll"
    path.write_text(f"#begin document (d); part 000\n{text}\n\n#end document\n")
    made = []
    monkeypatch.setattr(trees, "Constituent", made.append)
    with pytest.raises(corefkit.FormatError, match="1,127,250 words to look up") as no:
        corefkit.score(path, path, match=match)
    assert "document '(d); part 000'" in str(no.value)
    assert not made
