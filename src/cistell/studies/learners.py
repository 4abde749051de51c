"""The learners of the studies: the memory-based one of the paper, and a newer one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cistell.logistic import learn_logistic
from cistell.paper.memory import learn_ib1

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LEARNERS: Mapping[str, Callable[..., Any]] = {
    "ib1": learn_ib1,
    "logistic": learn_logistic,
}
LEARNER_LABELS = {"ib1": "IB1", "logistic": "logistic"}
