"""What the steps do: corpora, training pairs, models, responses and their scores."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cistell.experiment.folder import json_text
from cistell.experiment.preparing import prepared
from cistell.experiment.study import PARTS
from cistell.experiment.systems import METRICS, baseline_systems
from cistell.features.base import NO_YES
from cistell.learners import learner_named
from cistell.learners.memory import gain_ratios
from cistell.links import PairLinks, RuleLinks
from cistell.loading import read_model
from cistell.models import LINKINGS
from cistell.parsing import Parser
from cistell.parsing.training import train_parser
from cistell.parsing.udpipe import PARSER, TAGGER
from cistell.resolver import Resolver
from cistell.training import trained_model, training_pairs
from cistell.tuning import picked_thresholds
from corefkit.corpus import read_declaration, set_declaration
from corefkit.formats import read
from corefkit.formats.output import write
from corefkit.scoring import score_responses
from corefkit.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cistell.experiment.setting_run import SettingRun
    from cistell.experiment.study import Variant
    from cistell.experiment.systems import System
    from cistell.learners.base import Instances
    from corefkit.evaluation import Evaluation
    from corefkit.model import Document


def make_parser(run: SettingRun, out: Path) -> None:
    """Train a parser with the training part of a setting."""
    setting = run.setting
    train_parser(
        read(run.options.data / setting.train.entities, format=setting.format or None),
        out / run.parser_to_train,
        parts=(TAGGER, PARSER),
    )


def make_corpus(run: SettingRun, out: Path) -> None:
    """Write the documents of both parts, and what is known of them."""
    parser = None
    if run.setting.preprocessing != "gold":
        parser = Parser(*(run.options.parsers or [run.folder / run.parser_to_train]))
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
        "gain_ratios": gain_ratios(instances),
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
        pairs = training_pairs(learned, features, context, sampling=run.sampling)
        # It decides the same as TiMBL, and faster.
        chosen = learner_named("ib1" if learner == "timbl" else learner)
        classifier = chosen.learn(pairs, seed=run.options.seed)
        (threshold,) = picked_thresholds(
            tried, {"": linking}, classifier, features=features, context=context
        ).values()
    picked = {"threshold": threshold, "documents": len(tried)}
    _write_json(out / run.layout.threshold, picked)


def make_model(
    run: SettingRun, out: Path, *, learner: str, variant: Variant | None
) -> None:
    """Train a classifier, and write it."""
    model = trained_model(
        run.instances(variant),
        run.training(variant),
        context=run.context(variant),
        learner=learner_named(learner, note=run.note),
        sampling=run.sampling,
    )
    resolver = Resolver.of(PairLinks(model, run.context(variant)))
    resolver.save(out / run.layout.model(learner, variant))


def make_baselines(run: SettingRun, out: Path) -> None:
    """Resolve the test part by baselines; write responses and scores."""
    systems = baseline_systems()
    documents, context = run.documents("test"), run.context()
    responses = [
        list(
            Resolver(RuleLinks(system.model, context)).resolve(
                documents, mentions="gold", note=run.note
            )
        )
        for system in systems
    ]
    _write_responses(run, systems, responses, out)


def make_responses(
    run: SettingRun, out: Path, *, learner: str, variant: Variant | None
) -> None:
    """Resolve the test part by a model, with each of its linkings."""
    path = run.folder / run.layout.model(learner, variant)
    model = read_model(path, note=run.note)
    systems = run.systems(learner, variant)
    linkings = {system.name: system.linking for system in systems if system.linking}
    resolver = Resolver.of(PairLinks(model, run.context(variant)))
    rows = resolver.resolve_by(linkings, run.documents("test"))
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
