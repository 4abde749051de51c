"""The diagnosis of a response: counts, versions and verdicts."""

from __future__ import annotations

import pytest
from builders import FIELDS, corpora, letters, scores
from hypothesis import given
from hypothesis import strategies as st
from shared_files import SHARED

import corefkit
from corefkit.lab.diagnosis import SAME_LINKS, diagnose
from corefkit.metrics.registry import list_default_metrics
from corefkit.settings import PRESETS, Settings

# Of the key's ten mentions, eight are found; d, e and f have only wrong links, g none.
KEY, RESPONSE = letters("abc de fg hi j"), letters("abd ef g jx")
DEFAULT = list_default_metrics()


def clauses(result, version):
    return {
        (verdict.metric, verdict.field): (
            round(100 * verdict.before, 2),
            round(100 * verdict.after, 2),
        )
        for verdict in result.of(version)
    }


class TestFound:
    def test_mentions_are_counted_by_what_became_of_them(self):
        found = diagnose(KEY, RESPONSE).found
        assert found._asdict() == {
            "key_mentions": 10,
            "key_entities": 5,
            "key_singletons": 1,
            "response_mentions": 8,
            "response_entities": 4,
            "response_singletons": 1,
            "both": 7,
            "missing": 3,
            "spurious": 1,
            "linked": 6,
            "without_correct_link": 4,
            "incorrectly_resolved": 3,
            "alone": 1,
        }

    def test_counts_follow_the_settings(self):
        found = diagnose(KEY, RESPONSE, settings=Settings(singletons="drop")).found
        assert (found.key_singletons, found.key_mentions) == (0, 9)
        assert (found.response_singletons, found.response_mentions) == (0, 7)
        assert (found.alone, found.spurious) == (0, 2)

    @given(corpora())
    def test_parts_add_up(self, corpus):
        found = diagnose(*corpus, metrics=["muc"]).found
        assert found.both + found.missing == found.key_mentions
        assert found.both + found.spurious == found.response_mentions
        assert found.incorrectly_resolved + found.alone == found.without_correct_link
        assert found.without_correct_link <= found.linked <= found.both


class TestVersions:
    @given(
        corpora(), st.sampled_from(["micro", "macro"]), st.sampled_from(["key", "both"])
    )
    def test_base_has_the_scores_of_the_response(self, corpus, average, rule):
        given_settings = {"average": average, "blanc_rule": rule}
        result = diagnose(*corpus, settings=Settings(**given_settings))
        base = result.versions["base"].evaluation
        expected = corefkit.score(*corpus, **given_settings)
        assert scores(base, DEFAULT) == scores(expected, DEFAULT)

    @pytest.mark.parametrize(
        ("version", "response"),
        [
            ("more_precise", "ab g jx"),
            ("less_precise_a", "abd ef g jx ch"),
            ("less_precise_b", "abd ef g jx ch"),
            ("all_singletons", "a b d e f g j x"),
            ("one_entity", "abdefgjx"),
        ],
    )
    def test_versions_are_scored_as_responses_are(self, version, response):
        found = diagnose(KEY, RESPONSE).versions[version]
        entities = letters(response)
        assert found.mentions == sum(map(len, entities))
        assert found.entities == len(entities)
        assert scores(found.evaluation, DEFAULT) == scores(
            corefkit.score(KEY, entities), DEFAULT
        )

    @pytest.mark.parametrize("dropped", ["drop", "drop-response"])
    def test_singletons_that_a_version_gets_are_dropped_too(self, dropped):
        key, response = letters("ab cd"), letters("ax cd")
        result = diagnose(key, response, settings=Settings(singletons=dropped))
        versions = result.versions
        assert versions["base"].mentions == 4
        assert versions["more_precise"].mentions == 2  # x does not stay, alone
        assert versions["all_singletons"].mentions == 0

    def test_singletons_of_the_key_alone_are_dropped(self):
        versions = diagnose(
            KEY, RESPONSE, settings=Settings(singletons="drop-key")
        ).versions
        assert versions["all_singletons"].mentions == 8


class TestSettings:
    def test_repeated_mentions_are_kept_in_their_first_entity(self):
        response = letters("abc de ac")
        result = diagnose(KEY, response, settings=PRESETS["conll2012"])
        assert "repeated:first" in result.settings.signature
        (note,) = result.notes
        assert "2 repeated mentions, kept in the first of their entities" in note
        base = result.versions["base"].evaluation
        assert scores(base, DEFAULT) == scores(corefkit.score(KEY, response), DEFAULT)

    def test_split_antecedents_are_refused(self):
        with pytest.raises(corefkit.SettingsError, match="no split antecedents"):
            diagnose(KEY, RESPONSE, settings=PRESETS["ua"])

    @pytest.mark.parametrize("name", corefkit.SUPPLEMENTS)
    def test_metric_of_more_than_entities_is_refused(self, name):
        with pytest.raises(
            corefkit.SettingsError, match=f"'{name}' needs more than the entities"
        ):
            diagnose(KEY, RESPONSE, metrics=["muc", name])


class TestVerdicts:
    def test_more_precise(self):
        # Of the response's seven mentions c, d and f go; ab and gh stay.
        result = diagnose(letters("ab cd ef gh"), letters("abd cf gh"))
        assert clauses(result, "more_precise") == {
            ("b_cubed", "recall"): (68.75, 50.0),
            ("b_cubed", "f1"): (67.69, 66.67),
            ("ceaf_m", "recall"): (62.5, 50.0),
            ("ceaf_e", "recall"): (57.5, 50.0),
            ("blanc", "recall"): (56.25, 33.33),
            ("blanc", "f1"): (59.72, 47.62),
        }

    def test_rule_of_each_version(self):
        result = diagnose(KEY, RESPONSE)
        base = result.versions["base"].evaluation
        for version in SAME_LINKS:
            after = result.versions[version].evaluation
            way = -1 if version == "more_precise" else 1
            wrong = {
                (name, field)
                for name in base
                for field in FIELDS
                for change in [getattr(after[name], field) - getattr(base[name], field)]
                if name != "mentions"
                and (way * change > 1e-9 or (field == "recall" and change < -1e-9))
            }
            judged = {
                clause for clause in clauses(result, version) if clause[0] != "conll"
            }
            assert judged == wrong

    def test_conll_mean_is_judged_by_its_f1(self):
        result = diagnose(letters("ab cd ef"), letters("ab"))
        (mean,) = [
            verdict
            for verdict in result.of("less_precise_a")
            if verdict.metric == "conll"
        ]
        evaluations = [
            result.versions[name].evaluation for name in ("base", "less_precise_a")
        ]
        assert mean.field == "f1"
        assert [mean.before, mean.after] == [
            evaluation.conll for evaluation in evaluations
        ]
        assert mean.after > mean.before

    def test_mentions_are_not_judged(self):
        result = diagnose(KEY, RESPONSE)
        assert "mentions" not in {verdict.metric for verdict in result.verdicts}

    def test_recall_may_rise_for_key_singletons_that_are_freed(self):
        result = diagnose(letters("ab c"), letters("ac"))
        assert result.freed == 1
        base, after = (
            result.versions[one].evaluation["lea"].recall
            for one in ("base", "more_precise")
        )
        assert (base, after) == (0, pytest.approx(1 / 3))
        assert clauses(result, "more_precise") == {("b_cubed", "recall"): (50.0, 33.33)}

    def test_without_link_nothing_is_earned(self):
        result = diagnose(letters("ab cd"), letters("ab cd"))
        assert clauses(result, "all_singletons") == {
            ("b_cubed", "recall"): (0.0, 50.0),
            ("b_cubed", "precision"): (0.0, 100.0),
            ("b_cubed", "f1"): (0.0, 66.67),
            ("ceaf_m", "recall"): (0.0, 50.0),
            ("ceaf_m", "precision"): (0.0, 50.0),
            ("ceaf_m", "f1"): (0.0, 50.0),
            ("ceaf_e", "recall"): (0.0, 66.67),
            ("ceaf_e", "precision"): (0.0, 33.33),
            ("ceaf_e", "f1"): (0.0, 44.44),
            ("blanc", "recall"): (0.0, 50.0),
            ("blanc", "precision"): (0.0, 33.33),
            ("blanc", "f1"): (0.0, 40.0),
            ("conll", "f1"): (0.0, 37.04),
        }

    def test_recall_of_key_singletons_is_earned(self):
        result = diagnose(letters("ab c"), letters("abc"))
        assert clauses(result, "all_singletons") == {
            ("b_cubed", "recall"): (33.33, 66.67),
            ("ceaf_m", "recall"): (33.33, 66.67),
            ("ceaf_e", "recall"): (50.0, 83.33),
            ("blanc", "recall"): (0.0, 50.0),
        }

    def test_what_a_variant_gives_to_an_empty_response_is_not_earned(self):
        result = diagnose(letters("ab c"), letters("abc"), metrics=["b_cubed_sys"])
        assert clauses(result, "all_singletons") == {
            ("b_cubed_sys", "recall"): (0.0, 66.67)
        }

    def test_metric_that_likes_one_entity_is_found(self):
        result = diagnose(letters("abcd efgh"), letters("ab cd ef gh"))
        assert ("muc", "f1") in clauses(result, "one_entity")
        assert diagnose(["ab"], ["ab"]).of("one_entity") == []


@pytest.mark.skipif(
    not (SHARED / "data").exists(), reason="the corpora beside the project are not here"
)
def test_effect_is_there_on_a_real_corpus():
    """Link all mentions of OntoGUM that GUM, too, has: by their words."""
    data = SHARED / "data"
    key = list(corefkit.read(data / "ontogum" / "ontogum-test.conllu"))
    response = {}
    for document in corefkit.read(data / "gum" / "gum-test.conllu"):
        words = [word.lower() for sentence in document.sentences for word in sentence]
        entities: dict[str, list[tuple[int, int]]] = {}
        for entity in document:
            for mention in entity.mentions:
                text = " ".join(words[mention.start : mention.end + 1])
                entities.setdefault(text, []).append((mention.start, mention.end))
        response[document.id] = [
            entity for entity in entities.values() if len(entity) > 1
        ]
    result = diagnose(key, response)
    assert result.found.incorrectly_resolved > 100
    wrong = {
        version: {
            verdict.metric
            for verdict in result.of(version)
            if verdict.field == "recall"
        }
        for version in SAME_LINKS
    }
    expected = {"b_cubed", "ceaf_m", "ceaf_e", "blanc"}
    assert [*wrong.values()] == [expected] * len(SAME_LINKS)
