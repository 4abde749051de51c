"""Known answers: counts, errors, operations, states and their scores."""

from __future__ import annotations

import pytest
from known_errors import (
    FOLDER,
    aligned,
    case_facts,
    case_files,
    kinds_by_facts,
    known,
    list_errors,
    ontogum,
    plain_kinds,
    tables,
)

from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.analysis.errors.kinds import OPERATIONS
from corefkit.analysis.errors.mentions import join_mentions
from corefkit.analysis.errors.repairs import (
    ALL_BUT,
    ALONE,
    LADDER,
    RepairCosts,
    apply_repair,
    list_repaired_entities,
)
from corefkit.metrics.registry import find_metrics
from corefkit.settings import DEFAULT_SETTINGS

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the known answers are not beside the project"
)


def listed(mentions):
    return sorted([list(mention) for mention in mentions])


def in_order(errors):
    return sorted(errors, key=lambda error: (KINDS.index(error["kind"]), str(error)))


@pytest.fixture(scope="module")
def cases():
    facts = case_facts()
    table = tables(*case_files(), singletons="drop-response")
    kinds, description = kinds_by_facts(table, list(facts.values()))
    return list(facts), kinds, description


def test_cases_have_the_known_counts(cases):
    names, kinds, _ = cases
    found = {
        name: dict(zip(KINDS, row, strict=True))
        for name, row in zip(names, kinds.counts.tolist(), strict=True)
    }
    documents = known("cases.json")["documents"]
    assert found == {name: case["counts"] for name, case in documents.items()}


def test_cases_have_the_known_operations(cases):
    names, kinds, _ = cases
    found = {
        name: dict(zip(OPERATIONS, row, strict=True))
        for name, row in zip(names, kinds.operations.tolist(), strict=True)
    }
    documents = known("cases.json")["documents"]
    assert found == {name: case["operations"] for name, case in documents.items()}


def test_cases_have_the_known_errors(cases):
    names, kinds, description = cases
    documents = known("cases.json")["documents"]
    for name, errors in zip(names, list_errors(kinds, names, description), strict=True):
        others = [error for error in errors if error.kind != "span"]
        found = [
            {
                "kind": error.kind,
                "mentions": listed(error.mentions),
                "entity": listed(error.entity),
            }
            for error in others
        ]
        wanted = [
            {
                "kind": error["kind"],
                "mentions": sorted(error["mentions"]),
                "entity": sorted(error["entity"]),
            }
            for error in documents[name]["errors"]
        ]
        assert in_order(found) == in_order(wanted)
        spans = [error.mentions for error in errors if error.kind == "span"]
        assert [
            {"response": list(response), "key": list(key)} for response, key in spans
        ] == documents[name]["span_errors"]


@pytest.mark.parametrize(
    ("view", "states"), [("after_each_step", LADDER), ("after_one_kind", ALONE)]
)
@pytest.mark.parametrize("kind", KINDS)
def test_cases_have_the_known_states(cases, view, states, kind):
    names, kinds, _ = cases
    documents = known("cases.json")["documents"]
    entities = list_repaired_entities(kinds.original, apply_repair(kinds, states[kind]))
    found = {
        name: sorted(map(listed, state))
        for name, state in zip(names, entities, strict=True)
    }
    assert found == {
        name: sorted(map(sorted, documents[name][view][kind])) for name in names
    }


def singletons():
    if not FOLDER.is_dir():
        return []
    return known("singletons.json")


@pytest.mark.parametrize("case", singletons(), ids=lambda case: case["name"])
def test_singletons_are_counted_as_known(case):
    kinds = plain_kinds(case["key"], case["response"], case["pronouns"])
    assert dict(zip(KINDS, kinds.counts[0].tolist(), strict=True)) == case["counts"]
    assert int(kinds.singletons.sum()) == case["singleton_entities_among_them"]
    (errors,) = list_errors(kinds, ["d"])
    found = [
        {
            "kind": error.kind,
            "mentions": list(error.mentions),
            "entity": list(error.entity),
        }
        for error in errors
    ]
    assert in_order(found) == in_order(case["errors"])


SYSTEMS = ("careful", "greedy", "noisy")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.slow
def test_perturbed_responses_have_the_known_errors(system):
    key, response, facts = ontogum(system)
    kinds, _ = kinds_by_facts(tables(key, response), facts)
    wanted = known("ontogum-dev.json")["systems"][system]
    documents = wanted["documents"].values()
    found = [dict(zip(KINDS, row, strict=True)) for row in kinds.counts.tolist()]
    assert found == [document["counts"] for document in documents]
    assert (
        dict(zip(KINDS, kinds.counts.sum(axis=0).tolist(), strict=True))
        == (wanted["counts"])
    )
    operations = kinds.operations.sum(axis=0).tolist()
    assert dict(zip(OPERATIONS, operations, strict=True)) == wanted["operations"]
    errors = list_errors(kinds, list(key))
    spans = [
        sorted(
            [list(mention) for mention in error.mentions]
            for error in row
            if error.kind == "span"
        )
        for row in errors
    ]
    assert spans == [sorted(document["span_errors"]) for document in documents]


@pytest.mark.parametrize("system", SYSTEMS)
def test_repairs_have_the_known_scores(system):
    key, response, facts = ontogum(system)
    block = aligned(key, response)
    kinds, _ = kinds_by_facts(join_mentions(block), facts)
    costs = RepairCosts(find_metrics(), DEFAULT_SETTINGS)
    costs.add(block, kinds)
    wanted = known("ontogum-dev.json")["systems"][system]
    ladder = {
        name.removeprefix("+"): scores for name, scores in wanted["f1_ladder"].items()
    }
    for states, scores in (
        (LADDER, ladder),
        (ALONE, wanted["f1_one_kind"]),
        (ALL_BUT, wanted["f1_all_but"]),
    ):
        found = costs.score(states)
        assert {*found} == {*scores}
        for name in scores:
            assert found[name] == pytest.approx(scores[name], rel=1e-9, abs=1e-9)
