"""Small studies: corpora to run them on, and results made up without running any."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from resolver.stories import stories, written_stories

import corefkit
from cistell.studies.corpora.loss import Loss
from cistell.studies.preparing import PartSummary
from cistell.studies.results import (
    PairFacts,
    Results,
    Scored,
    SettingResults,
    draw_units,
)
from cistell.studies.study import PartFiles, Setting, Study
from cistell.studies.systems import (
    METRICS,
    SEVEN,
    baseline_systems,
    systems_of,
)
from corefkit.analysis.statistics import Statistics
from corefkit.corpus import Fingerprint

TOML = """
title = "Stories"
about = "Stories of two kinds."
learners = ["ib1", "logistic"]

[[setting]]
name = "tales"
title = "Tales"
language = "en"
paper = "table-5-ontonotes"
note = "The tales are short."
[setting.train]
entities = "tales-train.conllu"
[setting.test]
entities = "tales-test.conllu"
[[setting.variant]]
name = "third"
title = "a third of the training documents"
train_share = 0.34

[[setting]]
name = "typed"
title = "Typed tales"
language = "en"
scheme = "ace"
paper = "table-5-ace"
[setting.train]
entities = "typed-train.conllu"
[setting.test]
entities = "typed-test.conllu"

[[setting.variant]]
name = "all-types"
title = "with all types"
entity_types = "all"

[[setting]]
name = "absent"
title = "Absent tales"
language = "es"
optional = "write some"
[setting.train]
entities = "absent.conllu"
[setting.test]
entities = "absent.conllu"
"""


def data_folder(path):
    """Write the corpora of the study above, and the study itself."""
    for part, count, seed in (("train", 9, 1), ("test", 5, 2)):
        written_stories(path / f"tales-{part}.conllu", count, seed=seed)
        typed = [_typed(one) for one in stories(count, seed=seed)]
        corefkit.write(typed, path / f"typed-{part}.conllu", format="conllu")
    (path / "stories.toml").write_text(TOML, "utf-8")
    return path


def _typed(document):
    """Type every mention, and tag every word as Penn does."""
    entities = tuple(
        replace(
            entity,
            mentions=tuple(
                replace(one, attributes={"type": entity.mentions[0].attributes["type"]})
                if "type" in entity.mentions[0].attributes
                else replace(one, attributes={"type": "object"})
                for one in entity
            ),
        )
        for entity in document
    )
    tags = {"VERB": "VBD", "PROPN": "NNP"}
    penn = tuple(tags.get(tag, "NN") for tag in document.layers["upos"])
    return replace(
        document, entities=entities, layers={**document.layers, "xpos": penn}
    )


def setting_of(name="tales", **options):
    """Return a setting of corpora that nobody reads."""
    known = {
        "title": name.capitalize(),
        "language": "en",
        "train": PartFiles("train.conllu"),
        "test": PartFiles("test.conllu"),
    }
    return Setting(name=name, **(known | options))


def scored(system, scores, *, texts, links=10, seed=0):
    """Let a system have the same F1 in every text, or one for each."""
    counts = {}
    for metric in METRICS:
        f1 = np.broadcast_to(np.array(scores.get(metric, 0.0)), len(texts))
        whole = np.full(len(texts), float(links))
        counts[metric] = np.stack([f1 * links, whole, f1 * links, whole], axis=1)
    return Scored(system, counts, draw_units(texts, seed=seed), Fingerprint())


def results_of(scores, *, setting=None, links=None, modern=None, **facts):
    """Make results of F1 by model and metric; models not named have 0.

    Args:
        scores: of each of the seven, and of a variant's as `variant:model`, its F1.
        setting: the setting.
        links: of each model, how many links it has in each text.
        modern: F1 of the systems of another learner, by model.
        facts: other fields of the results.
    """
    setting = setting or setting_of()
    texts = [f"text-{number}" for number in range(facts.pop("count", 6))]
    systems = [*baseline_systems(), *systems_of("ib1", threshold=0.01)]
    for variant in setting.variants:
        systems += systems_of("ib1", variant, threshold=0.01)
    if modern:
        systems += systems_of("logistic")
    found = {}
    for system in systems:
        name = f"{system.variant}:{system.model}" if system.variant else system.model
        own = (modern if system.learner == "logistic" else scores).get(name, {})
        number = (links or {}).get(name, 10)
        found[system.name] = scored(system, own, texts=texts, links=number)
    known = {
        "train": facts_of(),
        "test": facts_of(),
        "pairs": pairs_of(["head_match"]),
        "variant_pairs": {},
        "threshold": 0.01,
        "texts": tuple(texts),
    }
    return SettingResults(
        setting=setting, learner="ib1", systems=found, **(known | facts)
    )


def facts_of(*, singletons=80, entities=100, pronouns=20):
    """Return what is known of a corpus, for the reasons."""
    statistics = Statistics(
        documents=6,
        words=1000,
        mentions=200,
        entities=entities,
        singleton_entities=singletons,
        typed_mentions=100,
        mention_types={"pronouns": pronouns},
    )
    return PartSummary(6, 0, statistics, Loss(200, 200, 100, 100), Fingerprint())


def pairs_of(names, *, answers=None):
    """Rank features as they are named."""
    ratios = {name: 1 / at for at, name in enumerate(names, 1)}
    return PairFacts(1000, 100, ratios, answers or {})


def study_of(*settings):
    """Return results of several settings."""
    study = Study("Stories", "About.", tuple(one.setting for one in settings))
    return Results(study, 300, 0, settings, ("The tales are short.",))


def even(**changes):
    """Return the seven the same scores, but for some: `weak={"muc": 0.6}`."""
    level = dict.fromkeys(METRICS, 0.5)
    found = {model: dict(level) for model in SEVEN}
    for model, scores in changes.items():
        found[model] |= scores
    return found
