"""Growing trees with LightGBM, whose models are text that NumPy can do without it.

Every feature is a code from 0 to 255, of one of two kinds: of *ordered* features, a
split sends the codes up to a limit to the left; of others, any set of codes.

The same rows and seed grow the same trees: LightGBM runs on one thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cistell.learners.trees import (
    CODES,
    MOST_LEAVES,
    Trees,
    readied,
    scores,
)
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from cistell.learners.base import Codes
    from corefkit.arrays.columns import Flags, Floats

# From the score of each row, how to change it: gradient and second derivative.
Objective: TypeAlias = "Callable[[Floats], tuple[Floats, Floats]]"

_CHECKED = 1000
_CATEGORY, _TREE = 1, "Tree="


@dataclass(frozen=True, slots=True)
class Growth:
    """How trees grow.

    Attributes:
        rounds: how many trees there are.
        leaves: how many leaves a tree has at most, 64 or fewer.
        rate: how much of its correction each tree makes.
        least: how many rows a leaf has at least.
        features: which share of the features each tree sees.
        penalty: how much the squares of values weigh.
    """

    rounds: int = 300
    leaves: int = 31
    rate: float = 0.1
    least: int = 20
    features: float = 1.0
    penalty: float = 0.0


def grown(
    rows: Codes,
    target: Floats,
    *,
    ordered: Flags,
    growth: Growth | None = None,
    objective: Objective | str = "binary",
    weight: Floats | None = None,
    seed: int = 0,
) -> Trees:
    """Grow trees whose scores fit a target.

    Args:
        rows: a row of codes for each instance.
        target: what each should score; 0 or 1 for `binary`, whose scores are log odds.
        ordered: which features are ordered.
        growth: how trees grow.
        objective: what is made small: `binary`, another of LightGBM's, or a function.
        weight: how much each row counts.
        seed: of the choice of features.
    """
    growth = growth or Growth()
    if not 2 <= growth.leaves <= MOST_LEAVES:
        message = f"trees cannot have {growth.leaves} leaves, only 2 to {MOST_LEAVES}"
        raise ValueError(message)
    library = _library()
    settings = _settings(growth, objective, seed)
    instances = library.Dataset(
        rows,
        target,
        weight=weight,
        categorical_feature=np.flatnonzero(~ordered).tolist(),
        free_raw_data=True,
    )
    model = library.train(settings, instances, growth.rounds)
    trees = trees_of(model.model_to_string(), rows.shape[1])
    some = rows[:_CHECKED]
    expected = model.predict(some, raw_score=True, num_threads=1)
    if not np.allclose(scores(readied(trees), some), expected, rtol=0, atol=1e-9):
        message = "this LightGBM writes its trees in a way that corefkit cannot read"
        raise CorefkitError(
            message,
            code="environment/old-package",
            hint="pip install 'lightgbm>=4.5,<5'",
        )
    return trees


def _settings(growth: Growth, objective: Objective | str, seed: int) -> dict[str, Any]:
    chosen: Any = objective
    if callable(objective):
        # LightGBM hands over its instances too, which the caller knows.
        def chosen(score: Floats, _: object) -> tuple[Floats, Floats]:
            return objective(score)

    return {
        "objective": chosen,
        "num_leaves": growth.leaves,
        "learning_rate": growth.rate,
        "min_data_in_leaf": growth.least,
        "feature_fraction": growth.features,
        "lambda_l2": growth.penalty,
        "min_data_in_bin": 1,
        "num_threads": 1,
        "deterministic": True,
        "force_row_wise": True,
        "seed": seed,
        "verbose": -1,
    }


def _library() -> Any:
    try:
        return import_module("lightgbm")
    except ImportError as error:
        message = "growing trees needs LightGBM, which is not installed"
        raise CorefkitError(
            message,
            code="environment/missing-package",
            hint="pip install 'corefkit[cistell]'",
        ) from error
    except OSError as error:
        message = f"LightGBM is installed, but its library cannot be loaded: {error}"
        hint = "it needs OpenMP: Debian's libgomp1, or libomp of Homebrew"
        raise CorefkitError(
            message, code="environment/missing-package", hint=hint
        ) from error


def trees_of(text: str, width: int) -> Trees:
    """Read the trees of a model of LightGBM, as it writes models as text.

    Of a tree with n leaves, the splits are numbered from 0 to n - 2; a child below 0
    is a leaf, -1 the first.
    """
    parts = [_fields(part) for part in text.split(_TREE)[1:]]
    sizes = np.array([2 * int(part["num_leaves"]) - 1 for part in parts])
    first = np.cumsum(sizes) - sizes
    gain = np.zeros(width)
    nodes, values, left = [], [], []
    for part, start in zip(parts, first.tolist(), strict=True):
        feature = _array(part, "split_feature", np.int32)
        np.add.at(gain, feature, _array(part, "split_gain", np.float64))
        nodes.append(_nodes(part, feature, start))
        values.append(np.zeros(len(feature)))
        values.append(_array(part, "leaf_value", np.float64))
        left.append(_goes_left(part))
        left.append(np.zeros((len(feature) + 1, CODES), np.bool_))
    return Trees(
        first=first.astype(np.int32),
        nodes=np.concatenate(nodes),
        values=np.concatenate(values),
        left=np.packbits(np.concatenate(left), axis=1, bitorder="little"),
        gain=gain,
    )


def _fields(part: str) -> dict[str, str]:
    lines = part.partition("\n\n")[0].splitlines()[1:]
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _array(part: Mapping[str, str], name: str, kind: type) -> NDArray[Any]:
    return np.array(part.get(name, "").split(), dtype=kind)


def _nodes(
    part: Mapping[str, str], feature: NDArray[np.int32], start: int
) -> NDArray[np.int32]:
    """Put the leaves after the splits, and number both from a start."""
    splits = len(feature)
    rows = np.full((2 * splits + 1, 3), -1, np.int32)
    rows[:splits, 0] = feature
    for column, name in ((1, "left_child"), (2, "right_child")):
        child = _array(part, name, np.int32)
        rows[:splits, column] = start + np.where(child < 0, splits - 1 - child, child)
    return rows


def _goes_left(part: Mapping[str, str]) -> NDArray[np.bool_]:
    """Return for each split which codes it sends to the left."""
    limits = _array(part, "threshold", np.float64)
    kinds = _array(part, "decision_type", np.int32)
    bounds = _array(part, "cat_boundaries", np.int64)
    words = _array(part, "cat_threshold", np.uint32).astype("<u4")
    left = np.arange(CODES) <= limits[:, None]
    for split in np.flatnonzero(kinds & _CATEGORY).tolist():
        group = int(limits[split])
        bits = words[bounds[group] : bounds[group + 1]].view(np.uint8)
        codes = np.unpackbits(bits, bitorder="little")[:CODES]
        left[split] = np.pad(codes, (0, CODES - len(codes))).astype(bool)
    return left
