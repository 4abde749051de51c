"""The generated corpus has the shape that its module says, and is repeatable."""

from __future__ import annotations

import numpy as np
import pytest
from shared_files import DATA

from corefkit.exceptions import SettingsError
from corefkit.lab.labels import read_key
from corefkit.lab.perturbation import LOG_ENTITY_COUNT, MAX_ENTITY_SIZE, generate_pair
from corefkit.settings import DEFAULT_SETTINGS

ONTOGUM = DATA / "ontogum/conll2012"


def sizes_of(key):
    """Return the size of every entity, and the number of entities of every document."""
    _, first, size = np.unique(key.entity, return_index=True, return_counts=True)
    return size, np.bincount(key.document[first], minlength=key.document_count)


def arrays(side):
    return [side.mention.tolist(), side.entity.tolist(), side.document.tolist()]


def test_same_seed_gives_the_same_corpus():
    one, same = generate_pair(3, seed=5), generate_pair(3, seed=5)
    assert arrays(one.key) == arrays(same.key)
    assert arrays(one.response) == arrays(same.response)


def test_other_seed_gives_another_corpus():
    assert arrays(generate_pair(3, seed=5).key) != arrays(generate_pair(3, seed=6).key)


def test_entities_are_as_large_as_the_module_says():
    size, entities = sizes_of(generate_pair(400).key)
    assert (size.min(), size.max()) == (2, MAX_ENTITY_SIZE)
    assert size.mean() == pytest.approx(4.3, abs=0.1)
    shares = [(size == number).mean() for number in (2, 3, 4)]
    assert shares == pytest.approx([0.58, 0.16, 0.07], abs=0.01)
    assert (size > 11).mean() == pytest.approx(0.06, abs=0.005)
    assert entities.mean() == pytest.approx(30, abs=1)


def test_every_document_has_entities():
    key = generate_pair(50).key
    assert (sizes_of(key)[1] > 0).all()
    assert len(np.unique(key.mention)) == len(key)


def test_about_half_of_the_response_is_twinless():
    pair = generate_pair(100)
    twinless = ~np.isin(pair.response.mention, pair.key.mention)
    assert twinless.mean() == pytest.approx(0.5, abs=0.01)
    size = np.bincount(pair.response.entity)
    alone = size[pair.response.entity[twinless]] == 1
    assert alone.mean() == pytest.approx(0.5, abs=0.05)
    assert len(pair.response) == pytest.approx(2 * 0.8 * len(pair.key), rel=0.001)


def test_response_stays_inside_documents():
    pair = generate_pair(20)
    home = dict(zip(pair.key.mention.tolist(), pair.key.document, strict=True))
    rows = {*zip(pair.response.entity.tolist(), pair.response.document, strict=True)}
    assert len(rows) == len({entity for entity, _ in rows})
    for mention, document in zip(
        pair.response.mention.tolist(), pair.response.document, strict=True
    ):
        assert home.get(mention, document) == document


@pytest.mark.parametrize(
    ("documents", "seed", "message"),
    [
        (0, 0, "the number of documents is 0, expected 1 or more"),
        (1, -1, "the seed is -1, expected 0 or more"),
    ],
)
def test_what_cannot_be_made_is_refused(documents, seed, message):
    with pytest.raises(SettingsError, match=message):
        generate_pair(documents, seed=seed)


@pytest.mark.skipif(
    not ONTOGUM.exists(), reason="the corpora beside the project are not here"
)
def test_numbers_are_those_of_ontogum():
    files = sorted(ONTOGUM.glob("ontogum-*"))
    found = [sizes_of(read_key(file, settings=DEFAULT_SETTINGS).key) for file in files]
    size = np.concatenate([sizes for sizes, _ in found])
    entities = np.concatenate([counts for _, counts in found])
    logarithms = np.log(entities)
    assert (len(entities), len(size)) == (255, 7619)
    assert (logarithms.mean(), logarithms.std()) == pytest.approx(
        LOG_ENTITY_COUNT, abs=0.005
    )
    assert (entities.mean(), size.mean()) == pytest.approx((30, 4.3), abs=0.15)
    shares = [(size == number).mean() for number in (2, 3, 4)]
    assert shares == pytest.approx([0.56, 0.17, 0.08], abs=0.005)
    assert (size > 11).mean() == pytest.approx(0.06, abs=0.005)
