"""A random corpus without text, with entities as large as those of a real corpus.

The shape is that of OntoGUM 11 (255 documents, 7,619 entities of 2 mentions or more, as
OntoNotes annotates them). Measured there:

-   the number of entities in a document, 30 on average: its logarithm has the mean 3.32
    and the standard deviation 0.41;
-   the size of entities, 4.3 on average: minus one, it follows a power law with the
    exponent 1.9, best fit up to a size of 61, which gives 58, 16 and 7% of the entities
    2, 3 and 4 mentions (measured: 56, 17 and 8%) and 6% more than 11 (6%).

The response is that of a system that finds too many mentions. One mention in five is
linked wrongly; as many mentions as the key has are added that it lacks, about half of
them in entities and half alone; and then one mention in five is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.lab.labels import Labels, Pair, check_least
from corefkit.lab.perturb.alterations import extra, missing, wrong_links

if TYPE_CHECKING:
    from numpy.random import Generator

ENTITIES = 3.32, 0.41  # mean and deviation of the logarithm of their number
EXPONENT = 1.9
LARGEST = 61
ERRORS = 0.2


def generated(documents: int = 200, *, seed: int = 0) -> Pair:
    """Generate a key and a response; the same seed gives the same ones.

    >>> pair = generated(2, seed=1)
    >>> pair.key.document_count, int(np.bincount(pair.key.entity).min())
    (2, 2)
    """
    check_least("number of documents", documents, 1)
    check_least("seed", seed, 0)
    random = np.random.default_rng([seed, documents])
    entities = np.rint(random.lognormal(*ENTITIES, documents)).astype(np.int64)
    sizes = np.arange(2, LARGEST + 1)
    chance = (sizes - 1.0) ** -EXPONENT
    size = random.choice(sizes, entities.sum(), p=chance / chance.sum())
    entity = np.repeat(np.arange(len(size)), size)
    document = np.repeat(np.arange(documents), entities)[entity]
    key = Labels(np.arange(len(entity)), entity, document, documents)
    pair = Pair(key, key, ("generated key", "generated response"), ())
    return pair._replace(response=_response(pair, random))


def _response(pair: Pair, random: Generator) -> Labels:
    (wrong,) = wrong_links(pair, random, [ERRORS])
    (more,) = extra(pair._replace(key=wrong), random, [1.0])
    alone = (more.mention >= len(pair.key)) & (random.random(len(more)) < 0.5)
    own = more.entity.max(initial=0) + 1 + np.arange(len(more))
    spoilt = more.relabelled(np.where(alone, own, more.entity))
    (response,) = missing(pair._replace(key=spoilt), random, [ERRORS])
    return response
