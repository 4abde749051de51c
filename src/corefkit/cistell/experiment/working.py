"""What the steps do: corpora, training pairs, models, responses and their scores."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.cistell.experiment.bench import corpus_file
from corefkit.cistell.experiment.folder import json_text
from corefkit.cistell.experiment.preparing import prepared
from corefkit.cistell.experiment.study import PARTS
from corefkit.cistell.experiment.systems import (
    baseline_systems,
    memory_systems,
    modern_systems,
    variant_systems,
)
from corefkit.cistell.features.base import NO_YES
from corefkit.cistell.learners import learner_named
from corefkit.cistell.learners.weighting import gain_ratios
from corefkit.cistell.modelfile import load_model, save_model
from corefkit.cistell.models import LINKINGS
from corefkit.cistell.resolving import resolve, resolve_by_baseline
from corefkit.cistell.training import trained_model, training_pairs
from corefkit.cistell.tuning import picked_thresholds
from corefkit.corpus.declaration import declared, declaring
from corefkit.formats.writing import write
from corefkit.scoring import score_responses
from corefkit.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from corefkit.cistell.experiment.bench import Bench
    from corefkit.cistell.experiment.study import Variant
    from corefkit.cistell.experiment.systems import System
    from corefkit.cistell.learners.base import Instances
    from corefkit.cistell.parsing import Parser
    from corefkit.evaluation import Evaluation
    from corefkit.model import Document

# The paper's three, and LEA, which came later.
METRICS = ("muc", "b_cubed", "ceaf_m", "lea")


def make_corpus(bench: Bench, parser: Parser | None, out: Path) -> None:
    """Write the documents of both parts, and what is known of them."""
    facts = {}
    for part in PARTS:
        documents, found = prepared(
            bench.setting,
            part,
            data=bench.options.data,
            words=bench.options.words,
            parser=parser,
        )
        write(documents, out / corpus_file(bench.setting, part), format="conllu")
        facts[part] = found.to_dict()
    _write_json(out / facts_file(bench), facts)


def make_pairs(bench: Bench, variant: Variant | None, out: Path) -> None:
    """Write what the training pairs tell of each feature."""
    facts = pair_facts(bench.instances(variant))
    _write_json(out / pairs_file(bench, variant), facts)


def pair_facts(instances: Instances) -> dict[str, Any]:
    """Tell of training pairs how many there are, and what each feature says of them.

    Of features that say yes or no, it is how many pairs are a yes, and how many of
    these are coreferent.
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
        "gain_ratios": gain_ratios(instances),
        "answers": answers,
    }


def make_threshold(bench: Bench, out: Path) -> None:
    """Pick the threshold of SUPER STRONG on training texts that are held out."""
    learner = bench.learners[0]
    linking = LINKINGS["super_strong"]
    learned, tried = bench.held_out()
    threshold = linking.threshold
    if learned:
        features, context = bench.features(), bench.context()
        pairs = training_pairs(learned, features, context, sampling=bench.sampling)
        # It decides the same as TiMBL, and sooner.
        chosen = learner_named("ib1" if learner == "timbl" else learner)
        classifier = chosen.learn(pairs, seed=bench.options.seed)
        (threshold,) = picked_thresholds(
            tried, {"": linking}, classifier, features=features, context=context
        ).values()
    _write_json(
        out / threshold_file(bench), {"threshold": threshold, "documents": len(tried)}
    )


def make_model(bench: Bench, learner: str, variant: Variant | None, out: Path) -> None:
    """Train a classifier, and write it."""
    model = trained_model(
        bench.instances(variant),
        bench.training(variant),
        context=bench.context(variant),
        learner=learner_named(learner, note=bench.note),
        sampling=bench.sampling,
    )
    save_model(model, out / model_file(bench, learner, variant))


def systems_of(
    bench: Bench, learner: str, variant: Variant | None = None
) -> list[System]:
    """Give the rows of the tables that a model makes, once a threshold is picked."""
    if learner != bench.learners[0]:
        return modern_systems(learner)
    path = bench.run / threshold_file(bench)
    threshold = json.loads(path.read_text("utf-8"))["threshold"]
    if variant is None:
        return memory_systems(learner, threshold)
    return variant_systems(learner, threshold, variant)


def make_baselines(bench: Bench, out: Path) -> None:
    """Resolve the test part by baselines; write responses and scores."""
    systems = baseline_systems()
    documents, context = bench.documents("test"), bench.context()
    found = [resolve_by_baseline(documents, one.model, context) for one in systems]
    responses = [[one.document for one in response] for response in found]
    _write_responses(bench, systems, responses, out)


def make_responses(
    bench: Bench, learner: str, variant: Variant | None, out: Path
) -> None:
    """Resolve the test part by a model, with each of its linkings."""
    model = load_model(bench.run / model_file(bench, learner, variant), note=bench.note)
    systems = systems_of(bench, learner, variant)
    rows = resolve(
        bench.documents("test"),
        {one.name: one.linking for one in systems if one.linking is not None},
        model.classifier,
        features=bench.features(variant),
        context=bench.context(variant),
    )
    responses: list[list[Document]] = [[] for _ in systems]
    for row in rows:
        for response, system in zip(responses, systems, strict=True):
            response.append(row[system.name].document)
    _write_responses(bench, systems, responses, out)


def _write_responses(
    bench: Bench,
    systems: Sequence[System],
    responses: Sequence[Sequence[Document]],
    out: Path,
) -> None:
    """Write responses, which are words and entities, and their scores."""
    key = bench.documents("test")
    bare = [[_bare(document) for document in response] for response in responses]
    found = score_responses(key, bare, settings=Settings(), metrics=METRICS)
    for system, response, evaluation in zip(systems, bare, found, strict=True):
        name = f"{bench.setting.name}-{system.name}"
        write(response, out / f"responses/{name}.conllu", format="conllu")
        evaluation = replace(
            evaluation,
            key=corpus_file(bench.setting, "test"),
            response=f"responses/{name}.conllu",
        )
        _write_json(out / scores_file(bench, system), _scores(system, evaluation))


def _bare(document: Document) -> Document:
    """Leave out tags and trees, which the key has."""
    told = declared(document)
    return declaring(replace(document, layers={}, comments=()), told)


def _scores(system: System, evaluation: Evaluation) -> dict[str, Any]:
    """Give what `corefkit score --format json` prints, and the counts behind it."""
    return {
        **evaluation.to_dict(),
        "system": asdict(system),
        "counts": {
            "documents": list(evaluation.documents),
            **{name: rows.tolist() for name, rows in evaluation.counts.items()},
        },
    }


def facts_file(bench: Bench) -> str:
    """Name the file of what is known of a corpus."""
    return f"corpora/{bench.setting.name}.json"


def pairs_file(bench: Bench, variant: Variant | None = None) -> str:
    """Name the file of what training pairs tell."""
    return f"models/{_trained(bench, variant)}.pairs.json"


def threshold_file(bench: Bench) -> str:
    """Name the file of the threshold that was picked."""
    return f"models/{bench.setting.name}.threshold.json"


def model_file(bench: Bench, learner: str, variant: Variant | None) -> str:
    """Name the file of a model."""
    return f"models/{_trained(bench, variant)}-{learner}.model"


def _trained(bench: Bench, variant: Variant | None) -> str:
    name = bench.setting.name
    return name if variant is None else f"{name}-{variant.name}"


def scores_file(bench: Bench, system: System) -> str:
    """Name the file of a system's scores."""
    return f"scores/{bench.setting.name}-{system.name}.json"


def _write_json(path: Path, values: object) -> None:
    path.write_text(json_text(values), "utf-8")
