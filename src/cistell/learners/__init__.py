"""Learners of pairs: from rows of codes to decisions, all with the same interface.

    base          rows, instances, decisions, arrays; what a classifier can do
    memory        what memory-based learners store, and gain ratio, which ranks features
    ib1           memory-based learning in NumPy
    timbl_worker  TiMBL for one batch, in a process of its own
    timbl         memory-based learning by TiMBL itself
    logistic      logistic regression
    trees         trees that score rows, as they are stored and used
    growing       how LightGBM grows them
    boosting      gradient-boosted trees

>>> import numpy as np
>>> from cistell.learners.base import Column, Instances
>>> instances = Instances(
...     columns=(Column("same_head", ("no", "yes")),),
...     rows=np.array([[0], [1], [0]], dtype=np.uint8),
...     positive=np.array([False, True, False]),
... )
>>> classifier = learner_named("ib1").learn(instances, seed=0)
>>> classifier.decide(np.array([[1], [1]], dtype=np.uint8)).positive
array([ True,  True])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.learners.base import Learner
from cistell.learners.boosting import learn_boosting, load_boosting
from cistell.learners.ib1 import learn_ib1, load_ib1
from cistell.learners.logistic import learn_logistic, load_logistic
from cistell.learners.memory import gain_ratios
from cistell.learners.timbl import learn_timbl, load_timbl, timbl_is_installed
from corefkit.exceptions import SettingsError, quoted
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["LEARNERS", "gain_ratios", "learner_named"]

LEARNERS: Mapping[str, Learner] = {
    learner.name: learner
    for learner in (
        Learner(
            "timbl",
            "TiMBL",
            "memory-based, by TiMBL itself, as in the paper",
            learn_timbl,
            load_timbl,
        ),
        Learner(
            "ib1",
            "IB1",
            "memory-based, in NumPy: the same decisions",
            learn_ib1,
            load_ib1,
        ),
        Learner(
            "logistic", "logistic", "logistic regression", learn_logistic, load_logistic
        ),
        Learner(
            "boosting",
            "boosting",
            "gradient-boosted trees",
            learn_boosting,
            load_boosting,
            negatives=40,
        ),
    )
}


def learner_named(name: str, *, note: Callable[[str], None] | None = None) -> Learner:
    """Find a learner by its name; ib1 takes over if TiMBL is not installed.

    ``note`` is called when that happens.

    >>> learner_named("logistic").about
    'logistic regression'
    """
    if name not in LEARNERS:
        message = f"unknown learner {quoted(name)}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(name, LEARNERS)
        )
    if name == "timbl" and not timbl_is_installed():
        if note:
            note(
                "TiMBL is not installed, so ib1 takes over, with the same decisions; "
                "TiMBL itself comes with pip install 'corefkit[timbl]'"
            )
        return LEARNERS["ib1"]
    return LEARNERS[name]
