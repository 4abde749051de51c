"""Steps of a long work: how much of it is done, and how long the rest takes.

A step has a weight, its share of the time: how long what is left takes follows from how
long what is done has taken.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from corefkit.strings import estimate_seconds_left

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_Work = TypeVar("_Work")


class Step(NamedTuple, Generic[_Work]):
    """A step of a work."""

    name: str  # what is done, as in "learning to tag and parse"
    weight: float  # how long it takes, compared with the others
    # Does it; it calls the function that it is given with the share that is done.
    run: Callable[[_Work, Callable[[float], None]], None]


class Progress(NamedTuple):
    """How far a work is."""

    step: str  # the name of the step
    number: int  # its number, from 1
    steps: int  # how many there are
    done: float  # the share of all work that is done, from 0 to 1
    left: float | None  # the seconds that the rest takes, about; None if unknown


def run_steps(
    steps: Sequence[Step[_Work]],
    work: _Work,
    *,
    show: Callable[[Progress], None],
    clock: Callable[[], float] = time.monotonic,
) -> dict[str, float]:
    """Do steps, and show how far they are; return the seconds that each has taken.

    >>> ticks = iter(range(100))
    >>> def count(work, share):
    ...     share(0.5)
    >>> shown = []
    >>> steps = [Step("one", 1, count), Step("two", 3, count)]
    >>> seconds = run_steps(steps, None, show=shown.append, clock=lambda: next(ticks))
    >>> [(one.step, one.done, round(one.left, 1)) for one in shown[2:]]
    [('two', 0.25, 18.0), ('two', 0.625, 4.2)]
    """
    whole = sum(step.weight for step in steps)
    start = clock()
    before, taken = 0.0, {}
    for number, step in enumerate(steps, 1):
        begun = clock()
        place = _Place(
            step.name, number, len(steps), before / whole, step.weight / whole
        )
        share = partial(_show, place, start, clock, show)
        share(0.0)
        step.run(work, share)
        before += step.weight
        taken[step.name] = clock() - begun
    return taken


class _Place(NamedTuple):
    """Where a step stands among the others."""

    name: str
    number: int
    steps: int
    before: float  # the share of all work that comes before it
    own: float  # the share of all work that it is


def _show(
    place: _Place,
    start: float,
    clock: Callable[[], float],
    show: Callable[[Progress], None],
    share: float,
) -> None:
    done = place.before + place.own * min(share, 1.0)
    left = estimate_seconds_left(clock() - start, done)
    show(Progress(place.name, place.number, place.steps, done, left))


def in_rounds(
    share: Callable[[float], None], rounds: int
) -> Callable[[int, int], None]:
    """Return a function that takes how much is done, and of what, in several rounds.

    A round has begun where less is done than before.

    >>> shown = []
    >>> show = in_rounds(shown.append, 2)
    >>> for done in (1, 2, 1, 2):
    ...     show(done, 2)
    >>> shown
    [0.25, 0.5, 0.75, 1.0]
    """
    ended = before = 0

    def show(done: int, total: int) -> None:
        nonlocal ended, before
        if done < before:
            ended = min(ended + 1, rounds - 1)
        before = done
        share((ended + done / max(total, 1)) / rounds)

    return show
