"""Classes of links: distances, sizes, relations and causes, with their edges."""

from __future__ import annotations

import pytest
from builders import corpora
from descriptions import described
from hypothesis import given

from corefkit.analysis.errors.error_analysis import LINKS
from corefkit.analysis.errors.links import (
    LinkCounts,
    add_counts,
    build_trees,
    count_edges,
    list_link_errors,
)
from corefkit.model import Document, Entity, Mention

WORDS = (
    ["The", "old", "mill", "burned"],
    ["It", "fell"],
    *[["More", "rain"]] * 4,
    ["The", "mill", "was", "old", ",", "and", "the", "old", "mill", "was", "hers"],
)
MILL = [(0, 2), (4, 4), (14, 15), (20, 22)]
KINDS = {(4, 4): "PRO", (24, 24): "PRO"}


def document(name, *entities):
    mentions = [
        tuple(
            Mention(
                *span,
                head=span[1],
                attributes={"mention_type": KINDS.get(span, "NOM")},
            )
            for span in entity
        )
        for entity in entities
    ]
    found = tuple(Entity(str(number), row) for number, row in enumerate(mentions))
    return Document(name, tuple(map(tuple, WORDS)), found)


def analysed(key, response, side="recall", **options):
    table, description, _, ids = described(key, response, singletons="keep")
    edges = build_trees(table, description.type, side=side)
    links = count_edges(table, description, edges, documents=ids, **options)
    return links, list_link_errors(table, description, edges, documents=ids)


def test_errors_say_all_that_is_known_of_them():
    key, response = document("d", MILL), document("d", MILL[:1], MILL[2:])
    links, ((pronoun, nominal),) = analysed(key, response)
    assert (pronoun.id, nominal.id) == ("d#recall#4-4", "d#recall#14-15")
    assert (pronoun.antecedent, nominal.antecedent) == (Mention(0, 2), Mention(0, 2))
    assert pronoun.types == ("pronoun", "nominal")
    assert (pronoun.pronoun, nominal.pronoun) == ("personal", "")
    assert (pronoun.distance, nominal.distance) == (1, 6)
    assert (pronoun.relation, nominal.relation) == ("", "head")
    assert (pronoun.cause, nominal.cause) == ("anaphor", "link")
    assert nominal.entity_size == 4
    assert (links.edges, links.errors) == (3, 2)
    assert links.breakdowns == {
        "types": {
            "pronoun-nominal": LinkCounts(1, 1),
            "nominal-nominal": LinkCounts(2, 1),
        },
        "pronouns": {"personal": LinkCounts(1, 1)},
        "distance": {
            "0": LinkCounts(1, 0),
            "1": LinkCounts(1, 1),
            "6+": LinkCounts(1, 1),
        },
        "entity_size": {"3-4": LinkCounts(3, 2)},
        "relation": {"head": LinkCounts(2, 1)},
        "cause": {
            "anaphor": LinkCounts(3, 1),
            "antecedent": LinkCounts(3, 0),
            "link": LinkCounts(3, 1),
        },
        "document": {"d": LinkCounts(3, 2)},
    }


def test_equal_texts_and_missing_antecedents_are_told():
    key = document("d", [(0, 2), (20, 22)])
    response = document("d", [(14, 15), (20, 22)])
    _, ((missing,),) = analysed(key, response)
    _, ((wrong,),) = analysed(key, response, "precision")
    assert (missing.relation, missing.cause) == ("equal", "antecedent")
    assert (wrong.relation, wrong.cause) == ("head", "antecedent")
    assert wrong.id == "d#precision#20-22"


def test_without_sentences_distances_are_in_tokens():
    bare = Document("d", (), document("d", [(0, 2), (14, 15)]).entities)
    links, ((error,),) = analysed(bare, Document("d", (), ()))
    assert error.distance == 14
    assert [*links.breakdowns["distance"]] == ["10-19 tokens"]
    assert error.relation == ""


def test_names_have_no_distance():
    links, ((error,),) = analysed(["ab"], ["a", "b"])
    assert error.distance is None
    assert (error.anaphor, error.antecedent, error.id) == ("b", "a", error.id)
    assert error.id.endswith("#recall#b")
    assert links.breakdowns["distance"] == {}
    assert [*links.breakdowns["types"]] == ["other-other"]


def test_tables_may_name_their_mentions(tmp_path):
    rows = ["document\tentity\tmention", "d\te1\tAnn", "d\te1\tshe", "d\te2\tBob"]
    key, response = tmp_path / "key.tsv", tmp_path / "response.tsv"
    key.write_text("\n".join(rows), "utf-8")
    response.write_text("\n".join(rows[:2] + rows[3:]), "utf-8")
    _, ((error,),) = analysed(key, response)
    assert (error.anaphor, error.antecedent) == ("she", "Ann")
    assert (error.distance, error.cause) == (None, "anaphor")


def test_strata_are_counted_apart():
    key = {"news": ["ab"], "novel": ["abc"], "news2": ["cd"]}
    response = {"news": ["ab"], "novel": ["ab"], "news2": ["c"]}
    links, _ = analysed(key, response, strata=["press", "fiction", "press"])
    assert links.breakdowns["stratum"] == {
        "fiction": LinkCounts(2, 1),
        "press": LinkCounts(2, 1),
    }
    assert links.breakdowns["document"]["news2"] == LinkCounts(1, 1)


@given(corpora())
@pytest.mark.parametrize("side", LINKS)
def test_classes_add_up(side, sides):
    links, errors = analysed(*sides, side=side)
    assert sum(map(len, errors)) == links.errors
    for name in ("types", "entity_size", "document"):
        rates = links.breakdowns[name].values()
        assert sum(rate.edges for rate in rates) == links.edges
        assert sum(rate.errors for rate in rates) == links.errors
    causes = links.breakdowns["cause"].values()
    assert sum(rate.errors for rate in causes) == links.errors
    twice = add_counts([links, links])
    assert (twice.edges, twice.errors) == (2 * links.edges, 2 * links.errors)
    assert add_counts([]).edges == 0


def test_a_class_without_edges_has_the_rate_nought():
    assert LinkCounts(0, 0).rate == 0
    assert LinkCounts(4, 1).rate == 0.25


def test_links_of_mentions_with_gaps_have_ids_of_their_own():
    first, *others = Mention(0, 0), Mention(1, 3), Mention.of([1, 3])
    key = Document("d", (tuple("abcd"),), (Entity("1", (first, *others)),))
    response = Document("d", key.sentences, (Entity("1", (first,)),))
    _, (links,) = analysed(key, response)
    assert [link.id for link in links] == ["d#recall#1-3", "d#recall#1-3~2"]
