"""What runs on the workers of Spark: a pure function of the rows of a partition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.settings import VERSION

if TYPE_CHECKING:
    from corefkit.engines.base import Batches, Count


class OtherVersion(Exception):
    """A worker has another corefkit than the program that sent it work."""


@dataclass(frozen=True, slots=True)
class OnWorkers:
    """Count the rows of a partition, where corefkit is the same as here.

    >>> list(OnWorkers(lambda batches: batches)(iter([1, 2])))
    [1, 2]
    """

    count: Count
    version: str = VERSION

    def __call__(self, batches: Batches) -> Batches:
        """Return blocks of counts; nothing of a partition that fails is kept."""
        if self.version != VERSION:
            # Another version may count otherwise, and nobody would see it.
            message = f"{VERSION} on a worker, {self.version} where the score is made"
            raise OtherVersion(message)
        return self.count(batches)
