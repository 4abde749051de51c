"""A corpus altered step by step: scores as of plain scoring, seeds, refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import corefkit
from corefkit.exceptions import SettingsError
from corefkit.lab.curves import perturb
from corefkit.lab.labels import list_partition_metrics, read_key, read_pair
from corefkit.lab.perturbation import PERTURBATIONS, generate_pair
from corefkit.metrics.registry import METRICS, VARIANTS
from corefkit.settings import DEFAULT_SETTINGS, Settings

KEY = {"a": ["abcd", "ef", "g"], "b": ["xyz", "uv"], "c": []}
PAIR = read_key(KEY, settings=DEFAULT_SETTINGS)
SMALL = generate_pair(3)


def documents(side):
    """Convert a side to partitions for `corefkit.score`."""
    found = {str(number): {} for number in range(side.document_count)}
    for mention, entity, document in zip(
        side.mention.tolist(), side.entity.tolist(), side.document.tolist(), strict=True
    ):
        found[str(document)].setdefault(entity, []).append(mention)
    return {name: list(entities.values()) for name, entities in found.items()}


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_scores_are_those_of_plain_scoring(name):
    curves = perturb(SMALL, kinds=[name], steps=3, seed=4)
    random = np.random.default_rng([4, *name.encode()])
    responses = PERTURBATIONS[name].responses(SMALL, random, (0.0, 0.5, 1.0))
    for step, response in enumerate(responses):
        plain = corefkit.score(
            documents(SMALL.key), documents(response), metrics=list_partition_metrics()
        )
        found = {
            point.metric: (point.recall, point.precision, point.f1)
            for point in curves.points
            if point.step == step and point.metric != "conll"
        }
        assert list(found) == list_partition_metrics()
        for metric, values in found.items():
            score = plain[metric]
            expected = (score.recall, score.precision, score.f1)
            assert values == pytest.approx(expected, rel=1e-9), metric


def test_every_metric_and_variant_is_counted():
    curves = perturb(PAIR, kinds=["split"], steps=2)
    assert [metric.name for metric in curves.metrics] == [*METRICS, *VARIANTS]


def test_all_kinds_but_twinless_are_done_with_a_key_alone():
    curves = perturb(PAIR, metrics=["muc"], steps=2)
    kinds = [kind.name for kind in curves.perturbations]
    assert kinds == [name for name in PERTURBATIONS if name != "twinless"]
    assert curves.response is None


def test_response_brings_twinless():
    pair = read_pair(KEY, {"a": ["abq"], "b": ["x"], "c": []}, settings=Settings())
    curves = perturb(pair, metrics=["muc"], steps=2)
    assert [kind.name for kind in curves.perturbations] == list(PERTURBATIONS)
    assert (curves.key, curves.response) == ("key", "response")


def test_kind_gives_the_same_curve_alone_and_with_others():
    alone = perturb(SMALL, kinds=["merge"], metrics=["lea"])
    among = perturb(SMALL, kinds=["split", "merge", "missing"], metrics=["lea"])
    assert alone.group_by_metric("merge") == among.group_by_metric("merge")


def test_seed_decides():
    one, same, other = (
        perturb(SMALL, kinds=["missing"], metrics=["lea"], seed=seed).points
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_steps_go_from_none_to_all():
    curves = perturb(PAIR, kinds=["split"], metrics=["muc"], steps=5)
    assert curves.shares == (0, 0.25, 0.5, 0.75, 1)
    points = curves.group_by_metric("split")["muc"]
    assert [point.step for point in points] == [0, 1, 2, 3, 4]
    assert [point.share for point in points] == list(curves.shares)


def test_conll_mean_is_there_with_its_three_metrics():
    curves = perturb(PAIR, kinds=["split"], metrics=["conll"], steps=3)
    by_metric = curves.group_by_metric("split")
    assert list(by_metric) == ["muc", "b_cubed", "ceaf_e", "conll"]
    for *parts, mean in zip(*by_metric.values(), strict=True):
        assert mean.f1 == pytest.approx(sum(part.f1 for part in parts) / 3, rel=1e-9)
        assert (mean.recall, mean.precision) == (None, None)


def test_metric_of_ones_own_is_counted():
    own = corefkit.lea_with(len, name="lea_by_size")
    curves = perturb(PAIR, kinds=["split"], metrics=[own], steps=2)
    assert list(curves.group_by_metric("split")) == ["lea_by_size"]


@pytest.mark.parametrize(
    ("singletons", "mentions"), [("keep", 1.0), ("drop", 0.0), ("drop-key", 1.0)]
)
def test_singletons_that_a_step_leaves_are_dropped_where_asked(singletons, mentions):
    settings = Settings(singletons=singletons)
    pair = read_key(["abc"], settings=settings)
    curves = perturb(pair, kinds=["split"], metrics=["mentions"], settings=settings)
    assert curves.points[-1].f1 == mentions


def test_settings_change_the_scores():
    macro = replace(DEFAULT_SETTINGS, average="macro")
    one, other = (
        perturb(PAIR, kinds=["missing"], metrics=["lea"], settings=settings)
        for settings in (DEFAULT_SETTINGS, macro)
    )
    assert [point.f1 for point in one.points] != [point.f1 for point in other.points]
    assert other.settings == macro


def test_repeats_are_never_counted_as_the_reference_scorer_does():
    settings = Settings(repeated="reference")
    curves = perturb(PAIR, kinds=["split"], metrics=["muc"], settings=settings)
    assert curves.settings == DEFAULT_SETTINGS


def test_progress_is_told():
    told = []
    perturb(
        PAIR,
        kinds=["split", "merge"],
        metrics=["muc"],
        steps=2,
        progress=lambda *work: told.append(work),
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kinds": ["splt"]}, "unknown kind 'splt'\n\nhint: did you mean 'split'"),
        ({"kinds": []}, "no kind was given\n\nhint: the kinds are split, merge"),
        ({"kinds": ["twinless"]}, "twinless starts from the response of a system"),
        ({"metrics": ["mor"]}, "'mor' needs more than the entities of mentions"),
        ({"metrics": ["mcu"]}, "unknown metric 'mcu'"),
        ({"steps": 1}, "the number of steps is 1, expected 2 or more"),
        ({"seed": -1}, "the seed is -1, expected 0 or more"),
        ({"settings": Settings(split="score")}, "which have no split antecedents"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_refused(options, message):
    with pytest.raises(SettingsError) as caught:
        perturb(PAIR, **options)
    assert message in str(caught.value)
