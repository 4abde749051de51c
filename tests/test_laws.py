"""Laws of all metrics of the registry, whose rows say which they do not obey, and why.

A law looks for metrics that break it, on partitions, or on annotated documents for
those that need to know more of mentions. An exception stands in the row of a metric,
with the reason, and there must be an example that breaks the law.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest
from builders import (
    COUNTS,
    FIELDS,
    close_to,
    corpora,
    counts,
    pairs,
    partitions,
    scores,
)
from hypothesis import Phase, assume, find, given, settings
from hypothesis import strategies as st
from slow_matching import document, document_pairs, mention
from slow_metrics import mentions_of

import corefkit
from corefkit.metrics.registry import iter_metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Side = dict[str, object]

SWAPPED = dict(zip(FIELDS, ("precision", "recall", "f1"), strict=True))
SWAPPED |= dict(zip(COUNTS, COUNTS[2:] + COUNTS[:2], strict=True))
RULES = ("key", "both", "links")


# Annotated documents at random


@st.composite
def annotated(draw: st.DrawFn, plain: corefkit.Document) -> corefkit.Document:
    """Add types, kinds, bridges, and entities that do not refer."""
    types, kinds = st.sampled_from(["PER", "ORG"]), st.sampled_from(["NAM", "PRO"])
    entities = [
        replace(
            entity,
            mentions=tuple(
                replace(
                    mention,
                    attributes={"type": draw(types), "mention_type": draw(kinds)},
                )
                for mention in entity
            ),
            referring=len(entity) > 1 or draw(st.booleans()),
        )
        for entity in plain
    ]
    mentions = [(mention, entity.id) for entity in entities for mention in entity]
    bridges = []
    if len(mentions) > 1 and draw(st.booleans()):
        (anaphor, _), (antecedent, entity) = draw(st.permutations(mentions))[:2]
        bridges.append(corefkit.Bridge(anaphor, entity, antecedent))
    return replace(plain, entities=tuple(entities), bridges=tuple(bridges))


@st.composite
def annotated_corpora(draw: st.DrawFn, max_documents: int = 3) -> tuple[Side, Side]:
    """Draw a key and a response of annotated documents."""
    key, response = {}, {}
    for number in range(draw(st.integers(1, max_documents))):
        name = f"document {number}"
        pair = draw(document_pairs(name=name, max_mentions=4, gaps=False))
        key[name], response[name] = (draw(annotated(side)) for side in pair)
    return key, response


def shuffled(random, side: Side) -> Side:
    """Put the documents, entities and mentions of a side in another order."""

    def again(document):
        if isinstance(document, corefkit.Document):
            entities = [replace(e, mentions=again(e.mentions)) for e in document]
            return replace(
                document, entities=tuple(random.sample(entities, len(entities)))
            )
        if isinstance(document, tuple):
            return tuple(random.sample(document, len(document)))
        entities = [random.sample(entity, len(entity)) for entity in document]
        return random.sample(entities, len(entities))

    order = random.sample(list(side), len(side))
    return {name: again(side[name]) for name in order}


# The laws


def scored(key: Side, response: Side, names: Iterable[str], **more) -> dict:
    """Score corpora; the result has a dictionary of numbers for each metric."""
    documents = [
        list(side.values()) if _has_documents(side) else side
        for side in (key, response)
    ]
    result = corefkit.score(*documents, metrics=names, **more)
    return {name: numbers(result[name]) for name in names} | {
        "rows": result.per_document
    }


def _has_documents(side: Side) -> bool:
    return any(isinstance(document, corefkit.Document) for document in side.values())


def numbers(score) -> dict[str, float]:
    found = {field: getattr(score, field) for field in (*FIELDS, *COUNTS)}
    for kind in ("coreference", "non_coreference"):
        part = getattr(score, kind)
        if part is not None:
            found |= {f"{kind} {field}": getattr(part, field) for field in COUNTS}
    return found


def differing(found: dict, expected: dict, names: Iterable[str]) -> set[str]:
    return {
        name
        for name in names
        if found[name] != pytest.approx(expected[name], rel=1e-9, abs=1e-12)
    }


def out_of_range(key, response, names, random):
    del random
    found = scored(key, response, names)
    return {n for n in names if not all(0 <= found[n][field] <= 1 for field in FIELDS)}


def numerators_out_of_range(key, response, names, random):
    del random
    found = scored(key, response, names)
    return {
        name
        for name in names
        for above, below in (COUNTS[:2], COUNTS[2:])
        if not 0 <= found[name][above] <= found[name][below] + 1e-9
    }


def not_swapped(key, response, names, random):
    del random
    backward = scored(response, key, names)
    for name in names:
        backward[name] = swapped(backward[name])
    return differing(scored(key, response, names), backward, names)


def _swapped(field: str) -> str:
    *kind, last = field.split(" ")
    return " ".join([*kind, SWAPPED[last]])


def swapped(values: dict[str, float]) -> dict[str, float]:
    """Rename recall to precision and precision to recall."""
    return {_swapped(field): value for field, value in values.items()}


def not_one(key, response, names, random):
    del response, random
    assume(any(_refers(entity) for document in key.values() for entity in document))
    found = scored(key, key, names)
    # Worths of mentions are fractions, and added up in more than one order.
    error = 1e-9 if _has_documents(key) else 0.0
    return {n for n in names if any(abs(found[n][f] - 1) > error for f in FIELDS)}


def _refers(entity) -> bool:
    return getattr(entity, "referring", True) and len(entity) > 0


def dependent_on_order(key, response, names, random):
    again = scored(shuffled(random, key), shuffled(random, response), names)
    return differing(again, scored(key, response, names), names)


def not_additive(key, response, names, random):
    del random
    found = scored(key, response, names)
    parts = [scored({d: key[d]}, {d: response[d]}, names) for d in key]
    sums = {
        name: {
            field: sum(part[name][field] for part in parts)
            for field in found[name]
            if field not in FIELDS
        }
        for name in names
    }
    return differing(
        {name: {f: found[name][f] for f in sums[name]} for name in names}, sums, names
    )


def row_not_as_alone(key, response, names, random):
    del random
    rows = {row.document: row for row in scored(key, response, names)["rows"]}
    broken = set()
    for one in key:
        alone = scored({one: key[one]}, {one: response[one]}, names)
        row = {name: numbers(rows[one][name]) for name in names}
        broken |= differing(row, alone, names)
    return broken


def macro_not_the_mean(key, response, names, random):
    del random
    found = scored(key, response, names, average="macro")
    micro = scored(key, response, names)
    for name in names:
        for field in FIELDS:
            values = [getattr(row[name], field) for row in found["rows"]]
            micro[name][field] = sum(values) / len(values)
    return differing(found, micro, names)


class Law(NamedTuple):
    """Which of some metrics break a law, on how large a corpus."""

    broken: Callable[..., set[str]]
    max_documents: int = 1


LAWS = {
    "range": Law(out_of_range),
    "numerators": Law(numerators_out_of_range),
    "swap": Law(not_swapped),
    "identity": Law(not_one),
    "order": Law(dependent_on_order, 3),
    "additive": Law(not_additive, 5),
    "rows": Law(row_not_as_alone, 5),
    "macro": Law(macro_not_the_mean, 5),
}
EXCEPTIONS = {
    f"{metric.name}, {law}": (metric, law)
    for metric in iter_metrics()
    for law in metric.exceptions
}
randoms = st.randoms(use_true_random=False)


def under(law: str, *, needs: bool) -> list[str]:
    """List the metrics that obey a law, of partitions or of annotated documents."""
    return [
        metric.name
        for metric in iter_metrics()
        if bool(metric.needs) == needs and law not in metric.exceptions
    ]


def examples(law: str, *, needs: bool) -> st.SearchStrategy:
    many = LAWS[law].max_documents
    if needs:
        return annotated_corpora(max_documents=min(many, 3))
    if many > 1:
        return corpora(max_documents=many)
    return pairs().map(lambda pair: ({"d": pair[0]}, {"d": pair[1]}))


@pytest.mark.parametrize("law", LAWS)
@given(data=st.data(), random=randoms)
def test_metrics_obey_the_law_on_partitions(law, data, random):
    key, response = data.draw(examples(law, needs=False))
    assert LAWS[law].broken(key, response, under(law, needs=False), random) == set()


@pytest.mark.parametrize("law", LAWS)
@given(data=st.data(), random=randoms)
def test_metrics_obey_the_law_on_documents(law, data, random):
    key, response = data.draw(examples(law, needs=True))
    assert LAWS[law].broken(key, response, under(law, needs=True), random) == set()


def persons(plain: corefkit.Document, kind: str) -> corefkit.Document:
    """Make all mentions speak of persons, in one kind of words."""
    attributes = {"type": "PER", "mention_type": kind}
    return replace(
        plain,
        entities=tuple(
            replace(e, mentions=tuple(replace(m, attributes=attributes) for m in e))
            for e in plain
        ),
    )


# Chance finds none of these soon.
KNOWN_EXAMPLES = {
    # A pronoun is right, which is worth little, and three names cost much.
    ("ace_value", "numerators"): (
        persons(document("a b c d", "0"), "PRO"),
        persons(document("a b c d", "0 1 2 3"), "NAM"),
    ),
    # The zero of the key has a partner that is no zero.
    ("zeros", "swap"): (document("a _ b", "0 1-2@1"), document("a _ b", "0 1-2@2")),
    # The antecedent of the response is in the right entity of the key.
    ("bridging_entities", "swap"): (
        replace(
            document("a b c", "0 1", "2"),
            bridges=(corefkit.Bridge(mention("2"), "1", mention("0")),),
        ),
        replace(
            document("a b c", "0", "1", "2"),
            bridges=(corefkit.Bridge(mention("2"), "2", mention("1")),),
        ),
    ),
}


@pytest.mark.parametrize(("metric", "law"), EXCEPTIONS.values(), ids=EXCEPTIONS)
def test_exception_has_a_reason_and_an_example(metric, law):
    assert metric.exceptions[law]
    sides = examples(law, needs=bool(metric.needs))
    if (metric.name, law) in KNOWN_EXAMPLES:
        key, response = KNOWN_EXAMPLES[metric.name, law]
        sides = st.just(({"d": key}, {"d": response}))
    assert find(
        st.tuples(sides, randoms),
        lambda drawn: LAWS[law].broken(*drawn[0], [metric.name], drawn[1]),
        settings=settings(
            max_examples=2000, deadline=None, derandomize=True, phases=[Phase.generate]
        ),
    )


@given(pairs())
def test_swap_exchanges_recall_and_precision_of_blanc_under_both(pair):
    key, response = pair
    forward = corefkit.score(key, response, metrics=["blanc"], blanc_rule="both")
    backward = corefkit.score(response, key, metrics=["blanc"], blanc_rule="both")
    assert scores(forward, ["blanc"]) == close_to(swapped(scores(backward, ["blanc"])))


@given(pairs())
@pytest.mark.parametrize("rule", RULES)
def test_swap_exchanges_the_counts_of_blanc_under_either_rule(rule, pair):
    key, response = pair
    forward = corefkit.score(key, response, metrics=["blanc"], blanc_rule=rule)
    backward = corefkit.score(response, key, metrics=["blanc"], blanc_rule=rule)
    assert counts(forward, ["blanc"]) == close_to(swapped(counts(backward, ["blanc"])))


def test_swap_changes_blanc_under_the_key_rule():
    whole, halves = ["abcd"], ["ab", "cd"]
    forward = corefkit.score(whole, halves, metrics=["blanc"], blanc_rule="key")
    backward = corefkit.score(halves, whole, metrics=["blanc"], blanc_rule="key")
    assert forward["blanc"].f1 == pytest.approx(1 / 2)
    assert backward["blanc"].f1 == pytest.approx(1 / 4)


@given(partitions())
def test_key_as_response_scores_one_in_muc_if_there_is_a_link(key):
    result = corefkit.score(key, key, metrics=["muc"])
    has_link = any(len(entity) > 1 for entity in key)
    assert set(scores(result, ["muc"]).values()) == {float(has_link)}


@given(partitions())
def test_key_as_response_scores_one_in_blanc_if_there_are_two_mentions(key):
    result = corefkit.score(key, key, metrics=["blanc"], blanc_rule="key")
    has_link = len(mentions_of(key)) > 1
    assert set(scores(result, ["blanc"]).values()) == {float(has_link)}


@given(partitions().filter(bool))
def test_key_as_response_scores_one_in_blanc_under_both(key):
    result = corefkit.score(key, key, metrics=["blanc"], blanc_rule="both")
    assert set(scores(result, ["blanc"]).values()) == {1.0}


@pytest.mark.parametrize(
    "name_of",
    [str, "mention {}".format, lambda mention: (mention, mention), lambda n: -n - 1],
    ids=["digits", "words", "tuples", "negative"],
)
@given(pairs())
def test_names_of_mentions_do_not_matter(name_of, pair):
    def renamed(partition):
        return [[name_of(mention) for mention in entity] for entity in partition]

    names = under("order", needs=False)
    result = corefkit.score(*pair, metrics=names)
    again = corefkit.score(*map(renamed, pair), metrics=names)
    assert counts(again, names) == close_to(counts(result, names))


@pytest.mark.parametrize(
    "collect",
    [tuple, frozenset, iter],
    ids=["tuples", "frozensets", "iterators"],
)
@given(pairs())
def test_kind_of_collection_does_not_matter(collect, pair):
    def rebuilt(partition):
        return collect([collect(entity) for entity in partition])

    names = under("order", needs=False)
    result = corefkit.score(*pair, metrics=names)
    again = corefkit.score(*map(rebuilt, pair), metrics=names)
    assert counts(again, names) == close_to(counts(result, names))


def test_macro_weighs_a_small_document_as_much_as_a_large_one():
    key = {"large": ["abcdefgh"], "small": ["yz"]}
    response = {"large": ["abcdefgh"], "small": ["y", "z"]}
    micro = corefkit.score(key, response, metrics=["muc"], average="micro")
    macro = corefkit.score(key, response, metrics=["muc"], average="macro")
    assert micro["muc"].recall == pytest.approx(7 / 8)
    assert macro["muc"].recall == pytest.approx(1 / 2)
