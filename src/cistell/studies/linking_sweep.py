"""From reluctant to eager linking: Luo (2005), section 3.2, Tables 3 and 4.

Luo's system has a penalty for starting entities. Here a logistic classifier links each
mention to its most likely antecedent if the probability reaches a threshold: with a low
threshold it merges nearly everything. On the persons, organizations and places of GUM,
as in ACE.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import corefkit
from cistell.learners import ThresholdClassifier, learn_logistic
from cistell.mentions.profiles import make_context
from cistell.paper.models import Linking
from cistell.paper.system import PairModel
from cistell.studies.claims import (
    FAILS,
    HOLDS,
    Finding,
    get_difference,
    judge_differences,
    list_findings,
)
from cistell.studies.corpora import label_ace
from cistell.studies.systems import (
    Setting,
    StudyOptions,
    Trainer,
    Variant,
    compare_systems,
    prepare,
    resolve_by_pairs,
)
from corefkit.tables.model import (
    Heading,
    Page,
    Paragraph,
    Range,
    Ranges,
    Table,
    make_columns,
    make_rows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit import Document
    from corefkit.tables.model import Part

THRESHOLDS = (0.98, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02)
_METRICS = ("muc", "ceaf_m", "ace_value")


def run_sweep(options: StudyOptions) -> Page:
    """Run the study, and return its page."""
    setting = Setting("ACE-like", "gum", "ace")
    options.note("reading the corpus")
    train = prepare(setting, "train", options, None)
    key = [label_ace(d) for d in prepare(setting, "test", options, None).documents]
    lexicon = options.load_lexicon("en")
    options.note("training")
    instances = Trainer(train.documents, lexicon, options).encode(Variant(""))
    classifier = learn_logistic(instances, seed=options.seed)
    context = make_context(lexicon, "names")
    responses: dict[str, list[Document]] = {}
    for threshold in THRESHOLDS:
        options.note(f"linking from a probability of {threshold}")
        model = PairModel(
            instances.columns, ThresholdClassifier(classifier, threshold), context
        )
        linkings = {str(threshold): Linking("best", check="none")}
        resolved = resolve_by_pairs(model, key, linkings)[str(threshold)]
        responses[str(threshold)] = [
            _copy_attributes(document, key_document)
            for document, key_document in zip(resolved, key, strict=True)
        ]
    return Page(
        "Sweep: a study rerun",
        (
            Paragraph(
                "Luo (2005, section 3.2) sweeps a penalty from reluctant to eager "
                "linking, and compares the number of entities with MUC, CEAF and "
                "ACE-value. Here mentions are linked if their most likely antecedent "
                "reaches a probability, on the persons, organizations and places of "
                "GUM."
            ),
        ),
        tuple(make_parts(key, responses, seed=options.seed)),
        "cistell study sweep",
    )


def _copy_attributes(document: Document, key: Document) -> Document:
    """Copy type and level of the given mentions, which ACE-value requires."""
    labelled = {mention: mention for entity in key for mention in entity}
    entities = tuple(
        replace(entity, mentions=tuple(labelled[mention] for mention in entity))
        for entity in document
    )
    return replace(document, entities=entities)


def make_parts(
    key: Sequence[Document], responses: dict[str, list[Document]], *, seed: int = 0
) -> list[Part]:
    """Score the steps of a sweep; return the claims, the table and a chart."""
    key_entities = sum(len(document.entities) for document in key)
    scores = {
        name: corefkit.score(key, response, metrics=_METRICS, weights="ace2005")
        for name, response in responses.items()
    }
    counts = {
        name: sum(len(document.entities) for document in response)
        for name, response in responses.items()
    }
    values = {
        metric: [100 * score[metric].f1 for score in scores.values()]
        for metric in _METRICS[:2]
    }
    values["ace_value"] = [
        100 * (score["ace_value"].value or 0.0) for score in scores.values()
    ]
    names = list(responses)
    best = names[int(np.argmax(values["ceaf_m"]))]
    falls = int(np.sum(np.diff(values["muc"]) < 0))
    comparison = compare_systems(
        key,
        {"best CEAF": responses[best], "most eager": responses[names[-1]]},
        metrics=("muc", "ceaf_m"),
        seed=seed,
    )
    gaps = {
        metric: get_difference(comparison, metric, "best CEAF", "most eager")
        for metric in ("muc", "ceaf_m")
    }
    correlation = float(np.corrcoef(values["ceaf_m"], values["ace_value"])[0, 1])
    nearest = min(names, key=lambda name: abs(counts[name] - key_entities))
    findings = (
        judge_differences(
            "CEAFm falls again if linking is too eager",
            "section 3.2",
            "",
            {"its best step above the most eager": gaps["ceaf_m"]},
        ),
        Finding(
            "MUC rewards ever more eager linking",
            "section 3.2",
            "",
            FAILS if gaps["muc"].low > 0 else HOLDS,
            (
                f"CEAFm's best step above the most eager: {gaps['muc']}",
                f"it falls in {falls} of {len(names) - 1} steps; printed: 2 of 10",
            ),
        ),
        Finding(
            "CEAFm is highest if the number of entities is that of the key",
            "section 3.2",
            "",
            HOLDS if best == nearest else FAILS,
            (
                f"highest with {counts[best]:,} entities, at {best}; the key has "
                f"{key_entities:,}, the nearest step {counts[nearest]:,}, at {nearest}",
            ),
        ),
        Finding(
            "ACE-value and CEAFm are weakly correlated",
            "section 3.2",
            "",
            HOLDS if abs(correlation) < 0.5 else FAILS,
            (f"r = {correlation:.2f}; in the paper's numbers, r = 0.02",),
        ),
    )
    rows = [
        (
            name,
            f"{counts[name]:,}",
            *(f"{values[metric][number]:.2f}" for metric in _METRICS),
        )
        for number, name in enumerate(names)
    ]
    heads = ["Probability", "Entities", "MUC", "CEAFm", "ACE-value"]
    ranges = tuple(
        (
            f"{name} ({counts[name]:,} entities)",
            tuple(
                Range(series, values[metric][number])
                for series, metric in enumerate(_METRICS)
            ),
        )
        for number, name in enumerate(names)
    )
    return [
        Heading(2, "Which claims of the paper hold", "claims"),
        list_findings(findings),
        Heading(2, "From reluctant to eager", "sweep"),
        Paragraph(f"The key has {key_entities:,} entities. Scores in percent."),
        Table(make_columns(heads), make_rows(rows)),
        Ranges("Scores by threshold", ranges, ("MUC", "CEAFm", "ACE-value")),
    ]
