"""From reluctant to eager linking: Luo (2005), section 3.2, Tables 3 and 4.

Luo's system has a penalty for starting entities. Here a logistic classifier links each
mention to its most likely antecedent if the probability reaches a threshold: with a low
threshold it merges nearly everything. On the persons, organizations and places of GUM,
as in ACE.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from cistell.learners import ThresholdClassifier, learn_logistic
from cistell.paper.models import Linking
from cistell.studies.claims import (
    FAILS,
    HOLDS,
    JudgedClaim,
    chart_scores,
    get_difference,
    get_scores,
    judge_differences,
    label_metric,
    present_claims,
)
from cistell.studies.corpora import label_ace, map_mentions
from cistell.studies.systems import (
    Trainer,
    compare_systems,
    prepare,
    resolve_by_pairs,
)
from corefkit.tables.model import Heading, Paragraph, Table, make_columns, make_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cistell.studies.systems import StudyOptions, StudySetting
    from corefkit import Document
    from corefkit.tables.model import Part

THRESHOLDS = (0.98, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02)
_METRICS = ("muc", "ceaf_m", "ace_value")


def run_sweep(setting: StudySetting, options: StudyOptions) -> Iterator[Part]:
    """Run the study, and yield the parts of its page."""
    options.progress("reading the corpus")
    training = prepare(setting, "train", options)
    key = [label_ace(d) for d in prepare(setting, "test", options).documents]
    options.progress("training")
    trainer = Trainer(training.documents, options.load_lexicon("en"), options)
    model = trainer.train(learn=partial(learn_logistic, seed=options.seed))
    responses: dict[str, list[Document]] = {}
    for threshold in THRESHOLDS:
        options.progress(f"linking from a probability of {threshold}")
        classifier = ThresholdClassifier(model.classifier, threshold)
        resolved = resolve_by_pairs(
            replace(model, classifier=classifier),
            key,
            {"": Linking("best", check="none")},
        )
        responses[str(threshold)] = list(map(_copy_attributes, resolved[""], key))
    yield from _iter_parts(key, responses, seed=options.seed)


def _copy_attributes(document: Document, key: Document) -> Document:
    """Copy type and level of the given mentions, which ACE-value requires."""
    labelled = {mention: mention for entity in key for mention in entity}
    return map_mentions(document, labelled.__getitem__)


def _iter_parts(
    key: Sequence[Document], responses: dict[str, list[Document]], *, seed: int = 0
) -> Iterator[Part]:
    comparison = compare_systems(
        key, responses, metrics=_METRICS, seed=seed, weights="ace2005"
    )
    values = {
        metric: [score.value for score in get_scores(comparison, metric).values()]
        for metric in _METRICS
    }
    names = list(responses)
    best, last = names[int(np.argmax(values["ceaf_m"]))], names[-1]
    muc, ceaf = (
        get_difference(comparison, metric, best, last) for metric in ("muc", "ceaf_m")
    )
    falls = int(np.sum(np.diff(values["muc"]) < 0))
    correlation = float(np.corrcoef(values["ceaf_m"], values["ace_value"])[0, 1])
    key_entities = sum(len(document.entities) for document in key)
    counts = {
        name: sum(len(document.entities) for document in response)
        for name, response in responses.items()
    }
    nearest = min(names, key=lambda name: abs(counts[name] - key_entities))
    judge = partial(JudgedClaim, section="section 3.2")
    claims = (
        judge_differences(
            "CEAFm falls again if linking is too eager",
            "section 3.2",
            {"its best step above the most eager": ceaf},
        ),
        judge(
            "MUC rewards ever more eager linking",
            verdict=FAILS if muc.low > 0 else HOLDS,
            evidence=(
                f"CEAFm's best step above the most eager: {muc}",
                f"it falls in {falls} of {len(names) - 1} steps; printed: 2 of 10",
            ),
        ),
        judge(
            "CEAFm is highest if the number of entities is that of the key",
            verdict=HOLDS if best == nearest else FAILS,
            evidence=(
                f"highest with {counts[best]:,} entities, at {best}; the key has "
                f"{key_entities:,}, the nearest step {counts[nearest]:,}, at {nearest}",
            ),
        ),
        judge(
            "ACE-value and CEAFm are weakly correlated",
            verdict=HOLDS if abs(correlation) < 0.5 else FAILS,
            evidence=(f"r = {correlation:.2f}; in the paper's numbers, r = 0.02",),
        ),
    )
    yield from present_claims(claims)
    yield Heading(2, "From reluctant to eager", "sweep")
    yield Paragraph(f"The key has {key_entities:,} entities. Scores in percent.")
    rows = [
        (name, f"{counts[name]:,}", *(f"{row[number]:.2f}" for row in values.values()))
        for number, name in enumerate(names)
    ]
    heads = ["Probability", "Entities", *map(label_metric, _METRICS)]
    yield Table(make_columns(heads), make_rows(rows))
    labels = [f"{name} ({counts[name]:,} entities)" for name in names]
    yield chart_scores("Scores by threshold", comparison, _METRICS, labels)
