"""What the steps do: corpora, training pairs, models, responses and their scores."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cistell.mentions.profiles import list_annotated, make_table
from cistell.paper.features import FEATURES, NO_YES
from cistell.paper.memory import compute_gain_ratios
from cistell.paper.models import LINKINGS, make_resolution
from cistell.paper.pairs import encode_training_pairs
from cistell.paper.system import resolve_by_baseline, resolve_pairs
from cistell.sieve import resolve_by_sieve
from cistell.studies.folder import json_text
from cistell.studies.learners import LEARNERS
from cistell.studies.preparing import prepared
from cistell.studies.study import PARTS
from cistell.studies.systems import METRICS, SIEVE, baseline_systems
from cistell.studies.thresholds import pick_thresholds
from cistell.trees import load_parser
from corefkit.corpus import read_declaration, set_declaration
from corefkit.formats.output import write
from corefkit.scoring import score_responses
from corefkit.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cistell.paper.memory import Instances
    from cistell.paper.models import Resolution
    from cistell.studies.setting_run import SettingRun
    from cistell.studies.study import Variant
    from cistell.studies.systems import System
    from corefkit.evaluation import Evaluation
    from corefkit.model import Document


def make_corpus(run: SettingRun, out: Path) -> None:
    """Write the documents of both parts, and what is known of them."""
    parser = None
    if run.setting.preprocessing != "gold":
        parser = load_parser(run.options.parser)
    summaries = {}
    for part in PARTS:
        documents, summary = prepared(
            run.setting,
            part,
            data=run.options.data,
            words=run.options.words,
            parser=parser,
        )
        write(documents, out / run.layout.corpus(part), format="conllu")
        summaries[part] = summary.to_dict()
    _write_json(out / run.layout.summaries, summaries)


def make_pairs(run: SettingRun, out: Path, *, variant: Variant | None) -> None:
    """Write what the training pairs tell of each feature."""
    _write_json(out / run.layout.pairs(variant), pair_facts(run.instances(variant)))


def pair_facts(instances: Instances) -> dict[str, Any]:
    """Count training pairs, and measure what each feature tells of them.

    For features that say yes or no, count the pairs with a yes, and how many of these
    are coreferent.
    """
    yes = NO_YES.index("yes")
    answers = {}
    for at, column in enumerate(instances.columns):
        if column.values == NO_YES:
            said = instances.rows[:, at] == yes
            answers[column.name] = {
                "pairs": int(np.count_nonzero(said)),
                "coreferent": int(np.count_nonzero(said & instances.positive)),
            }
    return {
        "pairs": len(instances.positive),
        "coreferent": int(np.count_nonzero(instances.positive)),
        "gain_ratios": compute_gain_ratios(instances),
        "answers": answers,
    }


def make_threshold(run: SettingRun, out: Path) -> None:
    """Pick the threshold of SUPER STRONG on training texts that are held out."""
    learner = run.learners[0]
    linking = LINKINGS["super_strong"]
    learned, tried = run.held_out()
    threshold = linking.threshold
    if learned:
        features, context = run.features(), run.context()
        pairs = encode_training_pairs(learned, features, context, sampling=run.sampling)
        classifier = LEARNERS[learner](pairs, seed=run.options.seed)
        (threshold,) = pick_thresholds(
            tried, {"": linking}, classifier, features=features, context=context
        ).values()
    picked = {"threshold": threshold, "documents": len(tried)}
    _write_json(out / run.layout.threshold, picked)


def make_baselines(run: SettingRun, out: Path) -> None:
    """Resolve the test part by baselines; write responses and scores."""
    systems = baseline_systems()
    documents, context = run.documents("test"), run.context()
    responses = []
    for system in systems:
        resolutions: Iterator[Resolution]
        if system.model == SIEVE:
            tables = (make_table(d, list_annotated(d), context) for d in documents)
            resolutions = (make_resolution(t, resolve_by_sieve(t)) for t in tables)
        else:
            resolutions = resolve_by_baseline(documents, system.model, context)
        responses.append([resolution.document for resolution in resolutions])
    _write_responses(run, systems, responses, out)


def make_responses(
    run: SettingRun, out: Path, *, learner: str, variant: Variant | None
) -> None:
    """Resolve the test part by a model, with each of its linkings."""
    systems = run.systems(learner, variant)
    instances = run.instances(variant)
    rows = resolve_pairs(
        run.documents("test"),
        {system.name: system.linking for system in systems if system.linking},
        LEARNERS[learner](instances, seed=run.options.seed),
        features=[FEATURES[column.name] for column in instances.columns],
        context=run.context(variant),
    )
    responses: list[list[Document]] = [[] for _ in systems]
    for row in rows:
        for response, system in zip(responses, systems, strict=True):
            response.append(row[system.name].document)
    _write_responses(run, systems, responses, out)


def _write_responses(
    run: SettingRun,
    systems: Sequence[System],
    responses: Sequence[Sequence[Document]],
    out: Path,
) -> None:
    """Write responses, which are words and entities, and their scores."""
    key, layout = run.documents("test"), run.layout
    bare = [[_bare(document) for document in response] for response in responses]
    evaluations = score_responses(key, bare, settings=Settings(), metrics=METRICS)
    for system, response, evaluation in zip(systems, bare, evaluations, strict=True):
        write(response, out / layout.response(system), format="conllu")
        evaluation = replace(
            evaluation, key=layout.corpus("test"), response=layout.response(system)
        )
        _write_json(out / layout.scores(system), _scores(system, evaluation))


def _bare(document: Document) -> Document:
    """Leave out tags and trees, which the key has."""
    declaration = read_declaration(document)
    return set_declaration(replace(document, layers={}, comments=()), declaration)


def _scores(system: System, evaluation: Evaluation) -> dict[str, Any]:
    """Return what `corefkit score --format json` prints, and the counts behind it."""
    return {
        **evaluation.to_dict(),
        "system": asdict(system),
        "counts": {
            "documents": list(evaluation.documents),
            **{name: rows.tolist() for name, rows in evaluation.counts.items()},
        },
    }


def _write_json(path: Path, values: object) -> None:
    path.write_text(json_text(values), "utf-8")
