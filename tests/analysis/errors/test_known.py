"""Known answers: counts, errors, links, states and F1, from files and from values."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest
from shared_files import SHARED

import corefkit
from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.model import Document, Entity, Mention

KNOWN = SHARED / "conformance" / "known" / "errors"
pytestmark = pytest.mark.skipif(not KNOWN.is_dir(), reason="no known answers here")

# cort tells demonstratives and clauses apart by other names.
LINK_TYPES = {
    "NAM": "name",
    "NOM": "nominal",
    "PRO": "pronoun",
    "DEM": "pronoun",
    "VRB": "clause",
}
# What files call the types of Kummerfeld and Klein.
KINDS_OF_MENTIONS = {"name": "NAM", "nominal": "NOM", "pronoun": "PRO"}


@cache
def known(name):
    return json.loads((KNOWN / name).read_text("utf-8"))


@cache
def cases(antecedents="accessibility"):
    """Analyse the constructed files as the known answers were made."""
    return corefkit.errors(
        KNOWN / "cases.key.conll",
        KNOWN / "cases.response.conll",
        antecedents=antecedents,
        corrected=True,
        singletons="drop",
    ).to_dict()


def by_document(values):
    found = values["systems"][0]["documents"]
    return {name_of(document["document"]): document for document in found}


def name_of(document_id):
    return document_id.partition(")")[0].removeprefix("(")


CASES = sorted(known("cases.json")["documents"]) if KNOWN.is_dir() else []


def test_every_case_is_there():
    assert sorted(by_document(cases())) == CASES


@pytest.mark.parametrize("case", CASES)
def test_counts_of_cases(case):
    expected = known("cases.json")["documents"][case]
    assert by_document(cases())[case]["counts"] == expected["counts"]


@pytest.mark.parametrize("case", CASES)
def test_errors_of_cases(case):
    expected = known("cases.json")["documents"][case]
    found = by_document(cases())[case]["errors"]
    others = [
        {name: one[name] for name in ("kind", "mentions", "entity")}
        for one in found
        if one["kind"] != "span"
    ]
    assert sorted(others, key=json.dumps) == sorted(expected["errors"], key=json.dumps)
    spans = [one["mentions"] for one in found if one["kind"] == "span"]
    assert spans == [[one["response"], one["key"]] for one in expected["span_errors"]]


@cache
def typed_cases(antecedents):
    """Analyse the constructed files with cort's types, as the known links have them."""
    sides = (KNOWN / "cases.key.conll", KNOWN / "cases.response.conll")
    key, response = (
        [_typed(document) for document in corefkit.read(side)] for side in sides
    )
    return corefkit.errors(
        key, response, antecedents=antecedents, singletons="drop"
    ).to_dict()


def _typed(document):
    rows = known("cases.json")["documents"][name_of(document.id)]["mentions"]
    types = {tuple(row["span"]): row["link_type"] for row in rows}
    entities = [
        replace(
            entity,
            mentions=tuple(
                replace(one, attributes={"mention_type": types[one.start, one.end]})
                for one in entity
            ),
        )
        for entity in document
        if len(entity) > 1
    ]
    return replace(document, entities=tuple(entities))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("antecedents", ["closest", "accessibility"])
def test_links_of_cases(case, antecedents):
    expected = known("cases.json")["documents"][case]["links"][antecedents]
    found = by_document(typed_cases(antecedents))[case]["links"]
    from_files = by_document(cases(antecedents))[case]["links"]
    for side in ("recall", "precision"):
        names = "anaphor", "antecedent", "types"
        rows = [{name: one[name] for name in names} for one in found[side]]
        wanted = [
            one | {"types": [LINK_TYPES[name] for name in one["types"]]}
            for one in expected[side]
        ]
        assert sorted(rows, key=json.dumps) == sorted(wanted, key=json.dumps)
        # cort calls a span that is no phrase by its first word, others by the last.
        anaphors = sorted(one["anaphor"] for one in from_files[side])
        assert anaphors == sorted(one["anaphor"] for one in expected[side])


def test_operations_of_cases():
    documents = known("cases.json")["documents"].values()
    found = cases()["systems"][0]["operations"]
    for name, count in found.items():
        assert count == sum(one["operations"][name] for one in documents)


@pytest.mark.parametrize("case", CASES)
def test_states_of_cases(case):
    expected = known("cases.json")["documents"][case]["after_each_step"]
    analysis = corefkit.errors(
        KNOWN / "cases.key.conll",
        KNOWN / "cases.response.conll",
        corrected=True,
        singletons="drop",
    )
    for step, documents in analysis.systems[0].corrected.items():
        (document,) = [one for one in documents if name_of(one.id) == case]
        entities = sorted(sorted([*mention] for mention in one) for one in document)
        if step != "response":
            assert entities == sorted(map(sorted, expected[step])), step


def partition(row, name):
    """Make a document of integers, whose pronouns are marked."""
    pronouns = set(row["pronouns"])
    entities = [
        Entity(
            str(number),
            tuple(
                Mention(
                    m, m, attributes={"mention_type": "PRO" if m in pronouns else "NOM"}
                )
                for m in members
            ),
        )
        for number, members in enumerate(row[name])
    ]
    return Document("d", (), tuple(entities))


@pytest.mark.parametrize(
    "row",
    known("singletons.json") if KNOWN.is_dir() else [],
    ids=lambda row: row["name"],
)
def test_singletons(row):
    analysis = corefkit.errors(partition(row, "key"), partition(row, "response"))
    (system,) = analysis.to_dict()["systems"]
    assert system["counts"] == row["counts"]
    assert sum(system["singletons"].values()) == row["singleton_entities_among_them"]
    found = [
        {
            "kind": one["kind"],
            "mentions": [first for first, _ in one["mentions"]],
            "entity": [first for first, _ in one["entity"]],
        }
        for one in system["documents"][0]["errors"]
    ]
    assert sorted(found, key=json.dumps) == sorted(row["errors"], key=json.dumps)


@pytest.mark.parametrize(
    "row",
    known("singletons.json") if KNOWN.is_dir() else [],
    ids=lambda row: row["name"],
)
def test_singletons_of_integers(row):
    if row["pronouns"]:
        pytest.skip("integers say nothing of pronouns")
    (system,) = corefkit.errors(row["key"], row["response"]).to_dict()["systems"]
    assert system["counts"] == row["counts"]
    found = [
        {name: one[name] for name in ("kind", "mentions", "entity")}
        for one in system["documents"][0]["errors"]
    ]
    assert sorted(found, key=json.dumps) == sorted(row["errors"], key=json.dumps)


SYSTEMS = sorted(known("ontogum-dev.json")["systems"]) if KNOWN.is_dir() else []


def ontogum(side, rows, kinds):
    """Make documents of spans with heads and kinds, which the tools do not share."""
    return [_document(name, row, row[side], kinds) for name, row in rows.items()]


def _document(name, row, partition, kinds):
    facts = {tuple(one[:2]): (one[2], kinds(*one[3:])) for one in row["mentions"]}
    entities = [
        Entity(
            str(number), tuple(_mention(span, *facts[tuple(span)]) for span in members)
        )
        for number, members in enumerate(partition)
    ]
    return Document(name, _words(row), tuple(entities))


def _mention(span, head, kind):
    return Mention(*span, head=head, attributes={"mention_type": kind})


def kind_of_error(type, link_type):
    """Give the analyser's type, by which it knows pronouns."""
    del link_type
    return KINDS_OF_MENTIONS[type]


def kind_of_link(type, link_type):
    """Give cort's type."""
    del type
    return link_type


def _words(row):
    """Make words of which those that are trimmed tell so, and no other is one."""
    last = max(end for _, end, *_ in row["mentions"])
    words = ["word"] * (last + 1)
    for token in row["trim_lead"]:
        words[token] = "the"
    for token in row["trim_trail"]:
        words[token] = "." if token in row["trim_lead"] else "'s"
    starts = [start for start in row["sentence_starts"] if start <= last]
    bounds = zip(starts, [*starts[1:], last + 1], strict=True)
    return tuple(tuple(words[start:end]) for start, end in bounds)


@cache
def analysed(name, kinds=kind_of_error, antecedents="accessibility"):
    rows = known("ontogum-dev.json")["systems"][name]["documents"]
    return corefkit.errors(
        ontogum("key", rows, kinds),
        ontogum("response", rows, kinds),
        antecedents=antecedents,
    ).to_dict()["systems"][0]


@pytest.mark.parametrize("name", SYSTEMS)
def test_counts_of_ontogum(name):
    expected = known("ontogum-dev.json")["systems"][name]
    found = analysed(name)
    assert found["counts"] == expected["counts"]
    assert found["operations"] == expected["operations"]
    for document in found["documents"]:
        row = expected["documents"][document["document"]]
        assert document["counts"] == row["counts"]
        spans = [one["mentions"] for one in document["errors"] if one["kind"] == "span"]
        assert sorted(spans) == sorted(row["span_errors"])


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("antecedents", ["closest", "accessibility"])
def test_links_of_ontogum(name, antecedents):
    expected = known("ontogum-dev.json")["systems"][name]["links"][antecedents]
    found = analysed(name, kind_of_link, antecedents)["links"]
    for side in ("recall", "precision"):
        wanted = dict.fromkeys(
            (
                "-".join(LINK_TYPES[one] for one in types.split("-"))
                for types in expected[side]["by_types"]
            ),
            0,
        )
        for types, count in expected[side]["by_types"].items():
            wanted["-".join(LINK_TYPES[one] for one in types.split("-"))] += count
        assert found[side]["by_types"] == wanted
        assert found[side]["edges"] == expected[side]["edges"]
        assert found[side]["errors"] == expected[side]["errors"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_f1_of_ontogum(name):
    expected = known("ontogum-dev.json")["systems"][name]
    found = analysed(name)
    views = {"ladder": "f1_ladder", "alone": "f1_one_kind", "all_but": "f1_all_but"}
    for view, label in views.items():
        wanted = {step.removeprefix("+"): row for step, row in expected[label].items()}
        assert list(found[view]) == list(wanted)
        for step, row in wanted.items():
            assert found[view][step] == pytest.approx(row, abs=1e-11), (view, step)
    assert list(found["ladder"]) == ["response", *KINDS]
