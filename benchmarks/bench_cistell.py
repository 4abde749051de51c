"""Measure training and resolving: by stage, by learner, and as documents grow.

    python benchmarks/bench_cistell.py TRAIN TEST [--lexicon FOLDER] [--parts N]

TRAIN and TEST are annotated files with trees. Prints seconds, ratios within this run,
and peak memory; seconds differ between machines, ratios less so.
"""

from __future__ import annotations

import argparse
import resource
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cistell.corpora.parts import is_masked, parts_of
from cistell.languages import language_named
from cistell.learners import LEARNERS
from cistell.lexicon import load_lexicon
from cistell.models import LINKINGS
from cistell.profiles import Context
from cistell.resolving import resolve
from cistell.training import training_pairs, usable_features
from corefkit import read

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Run every stage once, and print its time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--lexicon", type=Path)
    parser.add_argument("--parts", type=int, default=0)
    arguments = parser.parse_args()
    train, _ = timed("read train", lambda: documents(arguments.train, arguments.parts))
    test, _ = timed("read test", lambda: documents(arguments.test, arguments.parts))
    lexicon, _ = timed("words", lambda: load_lexicon("en", folder=arguments.lexicon))
    context = Context(language_named("en"), lexicon)
    features = usable_features(lexicon, note=lambda _: None)
    pairs, _ = timed("pairs", lambda: training_pairs(train, features, context))
    count = sum(
        len({mention for entity in document for mention in entity}) for document in test
    )
    print(f"{len(pairs.positive):,} training pairs, {count:,} test mentions")
    base = None
    for name, learner in LEARNERS.items():
        learned = partial(learner.learn, pairs, seed=0)
        classifier, _ = timed(f"{name}: learn", learned)

        def resolved(some: list[Any], classifier: Any = classifier) -> None:
            for _ in resolve(
                some,
                {"strong": LINKINGS["strong"]},
                classifier,
                features=features,
                context=context,
            ):
                pass

        _, whole = timed(f"{name}: resolve", partial(resolved, test))
        base = base or whole
        _, half = timed(f"{name}: resolve half", partial(resolved, test[::2]))
        print(f"{name}: {whole / base:.2f} of the first, half takes {half / whole:.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory: {peak:,.0f} MB")


def documents(path: str, words: int) -> list[Any]:
    """Read documents with words, and cut them into parts if `words` is not 0."""
    found = [text for text in read(path) if not is_masked(text)]
    if not words:
        return found
    return [part for text in found for part in parts_of(text, words).documents]


def timed(what: str, work: Callable[[], Any]) -> tuple[Any, float]:
    """Do some work, print its time, and return result and time."""
    start = time.perf_counter()
    found = work()
    took = time.perf_counter() - start
    print(f"{what:<24}{took:8.2f} s")
    return found, took


if __name__ == "__main__":
    main()
