"""A training from scratch, from a folder to a resolver with its scores."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from cistell.links import links_of
from cistell.resolver import Resolver
from cistell.scratch.corpus import corpus_at
from cistell.scratch.judging import judged
from cistell.scratch.learning import (
    Training,
    learn_links,
    learn_mentions,
    learn_to_read,
)
from cistell.scratch.steps import Step, run_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cistell.scratch.corpus import Corpus
    from cistell.scratch.judging import Score
    from cistell.scratch.learning import Options
    from cistell.scratch.steps import Progress

# Minutes with GUM on one core, as measured; only the first are shared by processes.
_READING, _MENTIONS, _LINKS, _JUDGING = 25, 1, 5, 1
_SHARED = 3  # so many times faster the first become at most: the longest part is alone


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of a training from scratch."""

    resolver: Resolver
    corpus: Corpus
    scores: tuple[Score, ...]  # on the test part; none if there is none
    seconds: dict[str, float]  # how long each step has taken, by its name


def train_from_scratch(
    folder: Path,
    options: Options,
    *,
    show: Callable[[Progress], None] = lambda _: None,
) -> Outcome:
    """Train all parts of a resolver on the corpus in a folder.

    The test part is never learned from. Thresholds are picked on the development part
    or, without one, on a tenth of the training part. The same corpus, options and
    processor give the same resolver, for any number of processes.
    """
    training = Training(corpus_at(folder), options)
    steps = [
        Step(
            "learning words, tags and trees",
            _READING / min(options.jobs, _SHARED),
            learn_to_read,
        ),
        Step("learning to find mentions", _MENTIONS, learn_mentions),
        Step("learning to link mentions", _LINKS, learn_links),
    ]
    if training.corpus.test:
        steps.append(Step("scoring the test part", _JUDGING, _judge))
    with _one_thread():
        seconds = run_steps(steps, training, show=show)
    resolver = training.done()
    scores = tuple(training.scores)
    listed = {f"{one.stage}: {one.name}": round(one.percent, 2) for one in scores}
    model = replace(resolver.model, card=replace(resolver.card, scores=listed))
    resolver = Resolver.of(links_of(model, options.context))
    return Outcome(resolver, training.corpus, scores, seconds)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let libraries of numbers use one thread, so that the same bits come out."""
    try:
        threads = import_module("threadpoolctl")
    except ImportError:  # then they use as many as the environment says
        yield
        return
    with threads.threadpool_limits(limits=1):
        yield


def _judge(training: Training, share: Callable[[float], None]) -> None:
    training.scores = judged(
        training.done(), training.corpus.test, jobs=training.options.jobs, share=share
    )
