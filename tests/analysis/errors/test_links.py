"""Spanning trees: known links, MUC's counts, and an obvious version beside them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from builders import corpora, pairs
from descriptions import described
from hypothesis import given
from hypothesis import strategies as st
from known_errors import FOLDER, aligned, case_files, known

import corefkit
from corefkit.analysis.errors.error_analysis import LINKS, TYPES
from corefkit.analysis.errors.links import (
    ANTECEDENTS,
    build_trees,
    count_edges,
    list_link_errors,
)
from corefkit.analysis.errors.mentions import join_mentions
from corefkit.exceptions import SettingsError
from corefkit.metrics.standard import muc
from corefkit.model import Document, Entity, Mention

needs_answers = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the known answers are not beside the project"
)
LINK_TYPES = {
    "NAM": "name",
    "NOM": "nominal",
    "PRO": "pronoun",
    "DEM": "pronoun",
    "VRB": "clause",
}


def typed(document, kinds):
    """Let the mentions of a document have kinds of their own, by span."""
    entities = [
        Entity(
            entity.id,
            tuple(
                replace(mention, attributes={"mention_type": kinds[tuple(mention)]})
                for mention in entity
            ),
        )
        for entity in document
    ]
    return replace(document, entities=tuple(entities))


def case_documents(path):
    """Read the constructed cases, with the types that cort has for their mentions."""
    cases = known("cases.json")["documents"]
    for document in corefkit.read(path):
        name = re.sub(r"[()]|;.*", "", document.id)
        kinds = {
            tuple(mention["span"]): mention["link_type"]
            for mention in cases[name]["mentions"]
        }
        yield replace(typed(document, kinds), id=name)


@needs_answers
@pytest.mark.parametrize("antecedents", ANTECEDENTS)
@pytest.mark.parametrize("side", LINKS)
def test_cases_have_the_known_links(antecedents, side):
    key, response = (list(case_documents(path)) for path in case_files())
    table, description, _, ids = described(key, response)
    edges = build_trees(table, description.type, side=side, antecedents=antecedents)
    errors = list_link_errors(table, description, edges, documents=ids)
    for name, found in zip(ids, errors, strict=True):
        wanted = known("cases.json")["documents"][name]["links"][antecedents][side]
        assert [
            (list(error.anaphor), list(error.antecedent), error.types)
            for error in found
        ] == [
            (
                link["anaphor"],
                link["antecedent"],
                tuple(LINK_TYPES[type] for type in link["types"]),
            )
            for link in wanted
        ]
        assert all(error.id.startswith(f"{name}#{side}#") for error in found)


@needs_answers
@pytest.mark.parametrize("side", LINKS)
def test_cases_have_the_known_anaphors_by_their_files_alone(side):
    table, description, _, ids = described(*case_files())
    edges = build_trees(table, description.type, side=side)
    errors = list_link_errors(table, description, edges, documents=ids)
    for name, found in zip(ids, errors, strict=True):
        case = known("cases.json")["documents"][re.sub(r"[()]|;.*", "", name)]
        wanted = case["links"]["accessibility"][side]
        assert [list(error.anaphor) for error in found] == [
            link["anaphor"] for link in wanted
        ]


def ontogum_side(documents, side):
    sides = {}
    for name, document in documents.items():
        kinds = {tuple(row[:2]): row[4] for row in document["mentions"]}
        entities = [
            Entity(str(number), tuple(Mention(*span) for span in entity))
            for number, entity in enumerate(document[side])
        ]
        sides[name] = typed(Document(name, (), tuple(entities)), kinds)
    return sides


@needs_answers
@pytest.mark.parametrize("system", ["careful", "greedy", "noisy"])
@pytest.mark.parametrize("antecedents", ANTECEDENTS)
@pytest.mark.parametrize("side", LINKS)
def test_perturbed_responses_have_the_known_links(system, antecedents, side):
    answers = known("ontogum-dev.json")["systems"][system]
    sides = [ontogum_side(answers["documents"], name) for name in ("key", "response")]
    table, description, _, ids = described(*sides)
    edges = build_trees(table, description.type, side=side, antecedents=antecedents)
    links = count_edges(table, description, edges, documents=ids)
    wanted = answers["links"][antecedents][side]
    by_types = Counter()
    for types, count in wanted["by_types"].items():
        anaphor, antecedent = types.split("-")
        by_types[f"{LINK_TYPES[anaphor]}-{LINK_TYPES[antecedent]}"] += count
    assert (links.edges, links.errors) == (wanted["edges"], wanted["errors"])
    assert links.errors == answers["muc_missing"][LINKS.index(side)]
    rates = links.breakdowns["types"].items()
    assert {name: rate.errors for name, rate in rates if rate.errors} == by_types


@given(corpora(), st.sampled_from(ANTECEDENTS))
def test_errors_are_what_muc_lacks_in_each_document(sides, antecedents):
    block = aligned(*sides)
    table = join_mentions(block)
    counts = muc(block.table)
    for side, columns in zip(LINKS, (slice(0, 2), slice(2, 4)), strict=True):
        edges = build_trees(
            table,
            np.arange(len(table)) % len(TYPES),
            side=side,
            antecedents=antecedents,
        )
        document = table.document[edges.anaphor]
        found = [
            np.bincount(rows, minlength=table.documents)
            for rows in (document[~edges.is_wrong], document)
        ]
        assert np.array_equal(np.transpose(found), counts[:, columns])


def slow_edges(key, response, type, side, antecedents):
    """Build the trees mention by mention, each looking back at all earlier ones."""
    mine, others = (key, response) if side == "recall" else (response, key)
    edges = {}
    for entity in mine:
        row = sorted(entity)
        for place, anaphor in enumerate(row[1:], start=1):
            earlier = row[:place]
            together = [
                mention
                for mention in earlier
                if any(anaphor in other and mention in other for other in others)
            ]
            if together:
                edges[anaphor] = together[-1], False
                continue
            names, nominals = (
                [mention for mention in earlier if type[mention] == TYPES.index(wanted)]
                for wanted in ("name", "nominal")
            )
            found = earlier
            if antecedents == "accessibility" and type[anaphor] != 0:
                found = names or nominals or earlier
            edges[anaphor] = found[-1], True
    return edges


@given(
    pairs(),
    st.lists(st.integers(-1, len(TYPES) - 1), min_size=13, max_size=13),
    st.sampled_from(LINKS),
    st.sampled_from(ANTECEDENTS),
)
def test_trees_agree_with_an_obvious_version(sides, types, side, antecedents):
    key, response = (
        [[(mention, mention) for mention in entity] for entity in partition]
        for partition in sides
    )
    table = join_mentions(aligned(key, response))
    type = np.array([types[start] for start in table.start.tolist()], np.int64)
    edges = build_trees(table, type, side=side, antecedents=antecedents)
    start = table.start
    found = {
        int(start[anaphor]): (int(start[antecedent]), bool(wrong))
        for anaphor, antecedent, wrong in zip(
            edges.anaphor, edges.antecedent, edges.is_wrong, strict=True
        )
    }
    assert found == slow_edges(*sides, types, side, antecedents)
    assert len(found) == len(edges.anaphor)
    assert np.all(edges.anaphor[1:] > edges.anaphor[:-1])


@given(corpora())
def test_sides_exchanged_exchange_recall_and_precision(sides):
    tables = [join_mentions(aligned(*order)) for order in (sides, sides[::-1])]
    for one, other in ((0, 1), (1, 0)):
        edges = [
            build_trees(table, np.full(len(table), -1), side=LINKS[side])
            for table, side in zip(tables, (one, other), strict=True)
        ]
        names = [
            [table.mention(row) for row in tree.anaphor.tolist()]
            for table, tree in zip(tables, edges, strict=True)
        ]
        assert names[0] == names[1]
        assert np.array_equal(edges[0].is_wrong, edges[1].is_wrong)


@given(pairs(), st.randoms(), st.sampled_from(LINKS))
def test_the_order_of_entities_and_mentions_changes_nothing(sides, chance, side):
    shuffled = []
    for partition in sides:
        entities = [chance.sample(entity, len(entity)) for entity in partition]
        shuffled.append(chance.sample(entities, len(entities)))
    found = []
    for key, response in (sides, shuffled):
        table = join_mentions(aligned(key, response))
        type = np.array([table.mention(row) % 4 for row in range(len(table))], np.int64)
        edges = build_trees(table, type, side=side)
        rows = zip(edges.anaphor, edges.antecedent, edges.is_wrong, strict=True)
        found.append(
            [
                (table.mention(anaphor), table.mention(antecedent), bool(wrong))
                for anaphor, antecedent, wrong in rows
            ]
        )
    assert found[0] == found[1]


@pytest.mark.parametrize("side", LINKS)
def test_nothing_has_no_edges(side):
    table = join_mentions(aligned([], []))
    assert len(build_trees(table, np.empty(0, np.int64), side=side).anaphor) == 0


def test_an_unknown_way_to_choose_antecedents_is_refused():
    with pytest.raises(SettingsError, match="closest"):
        corefkit.errors(["ab"], ["ab"], antecedents="close")
