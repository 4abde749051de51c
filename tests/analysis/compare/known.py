"""Known answers on comparisons, and samples made of them."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from files import json_line
from shared_files import SHARED

from corefkit import METRICS
from corefkit.analysis.compare.sample import make_sample
from corefkit.settings import Settings

KNOWN = SHARED / "conformance" / "known" / "compare"
NAMES = ("two-systems", "three-systems", "parts")

needs_known = pytest.mark.skipif(
    not KNOWN.is_dir(), reason="the known answers lie beside the project"
)


@cache
def known(name):
    """Read a file of known answers; there is nothing to ask where it is absent."""
    path = KNOWN / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def unit_of(answers):
    """Give for each document its unit: a text named by its documents, or itself."""
    documents = list(answers["documents"])
    texts = answers.get("units", [[document] for document in documents])
    return [next(text for text in texts if name in text)[0] for name in documents]


@cache
def known_sample(name, statistic="f1", average="micro", systems=None, units=None):
    """Make the sample of a file, with all metrics that have counts there."""
    answers = known(name)
    return make_sample(
        {
            system: {
                metric: np.array(rows)
                for metric, rows in answers["counts"][system].items()
            }
            for system in systems or answers["systems"]
        },
        metrics=[METRICS[metric] for metric in answers["counts"]["A"]],
        settings=Settings(average=average),
        statistic=statistic,
        unit_of=units or unit_of(answers),
    )


def split(name):
    """Split a statistic's name: `muc.f1` or `conll`, whose F1 it is."""
    metric, _, statistic = name.partition(".")
    return metric, statistic or "f1"


def number(sample, metric):
    """Look up the number of a measure."""
    return [measure.name for measure in sample.measures].index(metric)


def cases(part):
    """List file, pair and statistic of all answers of one kind."""
    return [
        (name, pair, statistic)
        for name in NAMES
        for pair, found in known(name).get(part, {}).items()
        for statistic in found
    ]


def answers(name):
    """Read a file of known answers, or skip the test where it is absent."""
    found = known(name)
    if not found:
        pytest.skip(f"{KNOWN / name}.json is not there")
    return found


def side(data, name):
    """Take the key or a system out of known answers: partitions by document."""
    return {document: sides[name] for document, sides in data["documents"].items()}


def responses(data):
    """Take all systems out of known answers."""
    return {name: side(data, name) for name in data["systems"]}


def texts(data):
    """Map documents to texts, where a file has several documents in one."""
    return (
        dict(zip(data["documents"], unit_of(data), strict=True))
        if "units" in data
        else None
    )


def json_lines(documents):
    """Write partitions of letters as a file: a letter is the token of its number."""
    return "".join(
        json_line(
            name, None, [[[ord(one) - 97] * 2 for one in entity] for entity in entities]
        )
        for name, entities in documents.items()
    )
