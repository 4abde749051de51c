"""GUM against responses that are made worse in known ways, through CoNLL-U files.

Responses are made with a fixed seed, written as CoNLL-U and read again, so that what is
scored is what a file says.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, chain

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from shared_files import DATA
from slow_matching import best_maps, candidates, equal_pairs, listed
from slow_metrics import SLOW_COUNTS, blanc

import corefkit
from corefkit import Entity, Mention, Settings
from corefkit.alignment import matching
from corefkit.arrays.building import build_columns
from corefkit.formats.output import write
from corefkit.metrics.registry import METRICS, SUPPLEMENTS, VARIANTS

GUM = DATA / "gum"

pytestmark = [
    pytest.mark.skipif(
        not GUM.exists(), reason="GUM, which stands beside the project, is not here"
    ),
    pytest.mark.xdist_group("gum"),  # what takes long to make is made once
    pytest.mark.slow,
]

ALL = (*METRICS, *VARIANTS, *SUPPLEMENTS)
WAYS = ("exact", "head", "partial")
# GUM has no empty nodes, and no mention that does not refer: nothing to score.
UNDEFINED = {"zeros", "non_referring"}


@pytest.fixture(scope="module")
def gum():
    """Read dev and test."""
    return {
        part: list(corefkit.read(GUM / f"gum-{part}.conllu"))
        for part in ("dev", "test")
    }


@pytest.fixture(scope="module")
def key(gum):
    """Take some documents of both parts, of several genres."""
    return gum["dev"][::8] + gum["test"][2::8]


# Ways to make a response worse. Each takes the entities of a document as lists of
# mentions, and changes them; `taken` has all spans that are there.


class Maker:
    """Makes a response to one document."""

    def __init__(self, document, seed):
        self.random = random.Random(f"{document.id} {seed}")
        self.entities = [list(entity) for entity in document]
        self.ends = list(accumulate(map(len, document.sentences)))
        self.tokens = self.ends[-1]
        self.taken = set(map(span, chain.from_iterable(self.entities)))

    def chance(self, share):
        return self.random.random() < share

    def drop_mentions(self):
        self.entities = [
            [one for one in entity if not self.chance(0.15)] for entity in self.entities
        ]

    def move_mentions(self):
        for entity in list(self.entities):
            for one in list(entity):
                if len(entity) > 1 and self.chance(0.1):
                    entity.remove(one)
                    self.random.choice(self.entities).append(one)

    def _resize(self, choose):
        """Give mentions other spans, none twice and none that cross in an entity.

        The latter CoNLL-U cannot say.
        """
        for entity in self.entities:
            for place, one in enumerate(entity):
                new = choose(one)
                others = (span(other) for other in entity if other is not one)
                if new not in self.taken and not any(cross(new, o) for o in others):
                    self.taken.add(new)
                    entity[place] = Mention(*new, head=one.head)

    def shrink(self):
        """Take words away on both sides of the head."""
        self._resize(
            lambda one: (
                self.random.randint(one.start, one.head),
                self.random.randint(one.head, one.end),
            )
        )

    def widen(self):
        """Add a word on either side, inside the sentence."""

        def wider(one):
            last = next(end for end in self.ends if one.end < end) - 1
            first = max((end for end in self.ends if end <= one.start), default=0)
            start = max(first, one.start - self.random.randint(0, 1))
            return start, min(last, one.end + self.random.randint(0, 1))

        self._resize(wider)

    def split_entities(self):
        halves = []
        for entity in self.entities:
            if len(entity) > 1 and self.chance(0.3):
                cut = self.random.randint(1, len(entity) - 1)
                halves.append(entity[cut:])
                del entity[cut:]
        self.entities += halves

    def merge_entities(self):
        self.random.shuffle(self.entities)
        merged = []
        for entity in self.entities:
            if merged and self.chance(0.2):
                merged[-1] += entity
            else:
                merged.append(entity)
        self.entities = merged

    def drop_entities(self):
        self.entities = [one for one in self.entities if not self.chance(0.2)]

    def add_singletons(self):
        for _ in range(len(self.entities) // 4):
            token = self.random.randrange(self.tokens)
            if (token, token) not in self.taken:
                self.taken.add((token, token))
                self.entities.append([Mention(token, token, head=token)])


def span(mention):
    return mention.start, mention.end


def cross(one, other):
    (start, end), (first, last) = sorted((one, other))
    return start < first <= end < last


KINDS = {
    "drop mentions": ["drop_mentions"],
    "move mentions": ["move_mentions"],
    "shrink": ["shrink"],
    "widen": ["widen"],
    "split entities": ["split_entities"],
    "merge entities": ["merge_entities"],
    "drop entities": ["drop_entities"],
    "add singletons": ["add_singletons"],
    "all of it": [
        "drop_entities",
        "merge_entities",
        "split_entities",
        "move_mentions",
        "drop_mentions",
        "shrink",
        "widen",
        "add_singletons",
    ],
}


def made_worse(document, kind):
    maker = Maker(document, kind)
    for way in KINDS[kind]:
        getattr(maker, way)()
    entities = tuple(
        Entity(f"e{number}", tuple(sorted(mentions)))
        for number, mentions in enumerate(maker.entities)
        if mentions
    )
    return replace(document, entities=entities, bridges=())


@pytest.fixture(scope="module")
def files(key, tmp_path_factory):
    """Write the key and every kind of response, each to a file of its own."""
    folder = tmp_path_factory.mktemp("gum")
    paths = {"key": folder / "key.conllu"}
    write(key, paths["key"])
    for kind in KINDS:
        paths[kind] = folder / f"{kind.replace(' ', '-')}.conllu"
        losses = write([made_worse(document, kind) for document in key], paths[kind])
        assert not losses.counts
    return paths


@pytest.fixture(scope="module")
def responses(files):
    """Read the responses again."""
    return {kind: list(corefkit.read(files[kind])) for kind in KINDS}


@pytest.fixture(scope="module")
def results(key, responses):
    """Score every response in every way, all metrics."""
    return {
        (kind, match, singletons): corefkit.score(
            key, response, metrics=ALL, match=match, singletons=singletons
        )
        for kind, response in responses.items()
        for match in WAYS
        for singletons in ("keep", "drop")
    }


class TestIdentical:
    @pytest.mark.parametrize("part", ["dev", "test"])
    def test_written_and_read_again_is_perfect(self, gum, part, tmp_path):
        # All mentions of GUM have heads and minima.
        write(gum[part], tmp_path / "response.conllu")
        again = list(corefkit.read(tmp_path / "response.conllu"))
        for match, singletons in (
            *((match, "keep") for match in (*WAYS, "min")),
            ("head", "drop"),
        ):
            result = corefkit.score(
                gum[part], again, metrics=ALL, match=match, singletons=singletons
            )
            assert {name for name in ALL if result[name].f1 != 1} == UNDEFINED
            assert result.notes == ()

    def test_every_document_is_perfect_where_it_has_anything_to_score(self, gum):
        result = corefkit.score(gum["dev"], gum["dev"], metrics=ALL)
        for scores in result.per_document:
            for name in ALL:
                # BLANC says in its parts what it lacks; bridges are not everywhere.
                defined = not scores[name].undefined
                assert scores[name].f1 == float(defined), (scores.document, name)

    def test_document_of_singletons_alone_has_no_links(self, gum):
        # MUC has nothing to count, BLANC no coreference links; the others are perfect.
        alone = replace(
            gum["dev"][0],
            entities=tuple(one for one in gum["dev"][0] if len(one) == 1),
            bridges=(),
        )
        names = (*METRICS, *VARIANTS)
        result = corefkit.score(alone, alone, metrics=names)
        assert {name for name in names if result[name].f1 != 1} == {"muc"}
        assert result["muc"].undefined == ("recall", "precision")


class TestLaws:
    def test_scores_lie_between_zero_and_one(self, results):
        for settings, result in results.items():
            for name, score in result.scores.items():
                values = score.recall, score.precision, score.f1
                assert all(0 <= value <= 1 for value in values), (settings, name)
                assert score.value is None or score.value <= 1, (settings, name)

    def test_responses_are_worse(self, results):
        # What each kind leaves as it is, in exact matching with singletons kept.
        whole = {
            "move mentions": {"mentions", "mor"},
            "split entities": {"mentions", "mor"},
            "merge entities": {"mentions", "mor"},
            # They have no links, each variant forgives what only the response has, and
            # to annotators a singleton is no mention.
            "add singletons": {"muc", "alpha", "alpha_masi", *VARIANTS},
        }
        for kind in KINDS:
            result = results[kind, "exact", "keep"]
            bridges = {name for name in ALL if name.startswith("bridging")}
            perfect = {name for name in ALL if result[name].f1 == 1}
            assert perfect == whole.get(kind, set()), kind
            assert {result[name].f1 for name in bridges} == {0}

    @pytest.mark.parametrize("singletons", ["keep", "drop"])
    def test_head_and_partial_find_what_exact_finds(self, results, singletons):
        for kind in KINDS:
            found = {
                match: results[kind, match, singletons]["mentions"].recall_numerator
                for match in WAYS
            }
            assert min(found["head"], found["partial"]) >= found["exact"], kind

    def test_shrunk_mentions_are_found_by_head_and_partly(self, results):
        recall = {
            match: results["shrink", match, "keep"]["mentions"].recall for match in WAYS
        }
        assert recall["head"] == recall["partial"] == 1
        assert recall["exact"] < 0.9

    def test_widened_mentions_are_found_by_head_only(self, results):
        recall = {
            match: results["widen", match, "keep"]["mentions"].recall for match in WAYS
        }
        assert recall["head"] == 1
        assert recall["exact"] <= recall["partial"] < 0.9

    def test_what_does_not_ask_for_matching_is_the_same_in_all(self, results):
        for kind in KINDS:
            for name in ("mor", "ceaf_m_graded", "ceaf_e_graded"):
                rows = [
                    results[kind, match, "keep"].counts[name].tolist() for match in WAYS
                ]
                assert rows[0] == rows[1] == rows[2], (kind, name)

    def test_documents_add_up(self, key, responses, results):
        kind = "all of it"
        for match in WAYS:
            result = results[kind, match, "keep"]
            alone = [
                corefkit.score(one, other, metrics=ALL, match=match)
                for one, other in zip(key, responses[kind], strict=True)
            ]
            for name in ALL:
                rows = [one.counts[name][0].tolist() for one in alone]
                assert result.counts[name].tolist() == rows, name
                if name != "blanc":
                    total = sum(one[name].recall_denominator for one in alone)
                    assert result[name].recall_denominator == pytest.approx(total)


class TestSingletons:
    KIND = "all of it"

    @pytest.mark.parametrize("match", WAYS)
    def test_dropped_from_the_response_only(self, key, responses, results, match):
        response = responses[self.KIND]
        dropped = corefkit.score(
            key, response, match=match, singletons="drop-response", metrics=ALL
        )
        by_hand = corefkit.score(
            key, list(map(without_singletons, response)), match=match, metrics=ALL
        )
        kept = results[self.KIND, match, "keep"]
        for name in METRICS:
            assert dropped.counts[name].tolist() == by_hand.counts[name].tolist(), name
            if name != "blanc":
                # The key is as it was; the response has less to be precise about.
                one, other = dropped[name], kept[name]
                assert one.recall_denominator == other.recall_denominator
                less = one.precision_denominator < other.precision_denominator
                assert less != (name == "muc")

    def test_dropped_from_the_key_only(self, key, responses, results):
        dropped = corefkit.score(
            key, responses[self.KIND], singletons="drop-key", metrics=["mentions"]
        )["mentions"]
        kept = results[self.KIND, "exact", "keep"]["mentions"]
        sizes = [len(entity) for document in key for entity in document]
        assert dropped.recall_denominator == sum(size for size in sizes if size > 1)
        assert dropped.precision_denominator == kept.precision_denominator

    def test_added_singletons_change_precision_alone(self, results):
        plain = results["add singletons", "exact", "keep"]["mentions"]
        assert plain.recall == 1
        assert plain.precision < 1
        dropped = results["add singletons", "exact", "drop"]["mentions"]
        assert dropped.f1 == 1


def without_singletons(document):
    entities = tuple(entity for entity in document if len(entity) > 1)
    return replace(document, entities=entities)


class TestAgainstTheSlowVersion:
    """Few documents: mentions as sets of words, every map of small groups tried."""

    @pytest.mark.parametrize("match", WAYS)
    @pytest.mark.parametrize("kind", ["shrink", "all of it"])
    def test_alignment(self, key, responses, kind, match):
        for one, other in list(zip(key, responses[kind], strict=True))[:3]:
            sides = build_columns([one]), build_columns([other])
            alignment = matching.align(*sides, Settings(match=match))
            found = set(
                zip(alignment.key.tolist(), alignment.response.tolist(), strict=True)
            )
            equal = equal_pairs(one, other, match)
            assert equal <= found
            more = found - equal
            weights = free_candidates(one, other, match, equal)
            assert more <= weights.keys()
            for group in groups(weights):
                best, maps = best_maps({pair: weights[pair] for pair in group})
                inside = frozenset(more & group)
                assert sum((weights[pair] for pair in inside), Fraction(0)) == best
                assert inside in maps

    @pytest.mark.parametrize("match", WAYS)
    def test_metrics(self, key, responses, match):
        for one, other in list(zip(key, responses["all of it"], strict=True))[:2]:
            sides = build_columns([one]), build_columns([other])
            alignment = matching.align(*sides, Settings(match=match))
            partitions = renamed(one, other, alignment)
            result = corefkit.score(one, other, metrics=METRICS, match=match)
            for name in ("mentions", "muc", "b_cubed", "lea"):
                expected = [float(count) for count in SLOW_COUNTS[name](*partitions)]
                assert result.counts[name][0].tolist() == pytest.approx(expected), name
            slow = blanc(*partitions)
            expected = [
                *map(float, slow.coreference),
                *map(float, slow.non_coreference),
            ]
            assert result.counts["blanc"][0][:8].tolist() == pytest.approx(expected)
            for name, by_size in (("ceaf_m", False), ("ceaf_e", True)):
                total = best_total(*partitions, by_size=by_size)
                assert result[name].recall_numerator == pytest.approx(total), name


def free_candidates(key, response, match, equal):
    if match == "exact":
        return {}
    keys, others = {i for i, _ in equal}, {j for _, j in equal}
    return {
        (i, j): weight
        for (i, j), weight in candidates(key, response, match).items()
        if i not in keys and j not in others
    }


def groups(pairs):
    """Part pairs into groups that share no mention."""
    by_key, by_response = defaultdict(set), defaultdict(set)
    for i, j in pairs:
        by_key[i].add((i, j))
        by_response[j].add((i, j))
    left = set(pairs)
    while left:
        group, new = set(), {next(iter(left))}
        while new:
            group |= new
            near = (by_key[i] | by_response[j] for i, j in new)
            new = set().union(*near) - group
        left -= group
        yield group


def renamed(key, response, alignment):
    """Give partitions of numbers: mentions that are aligned have the same."""
    names = {
        int(j): int(i) for i, j in zip(alignment.key, alignment.response, strict=True)
    }
    numbers = iter(range(len(listed(key))))
    others = iter(range(len(listed(response))))
    return (
        [[next(numbers) for _ in entity] for entity in key],
        [
            [names.get(other, -1 - other) for _, other in zip(entity, others)]  # noqa: B905
            for entity in response
        ],
    )


def best_total(key, response, *, by_size):
    """Align entities by a table of all pairs."""
    home = {mention: j for j, entity in enumerate(response) for mention in entity}
    table = np.zeros((len(key), len(response)))
    for i, entity in enumerate(key):
        shared = Counter(home[mention] for mention in entity if mention in home)
        for j, count in shared.items():
            whole = len(entity) + len(response[j])
            table[i, j] = 2 * count / whole if by_size else count
    rows, columns = linear_sum_assignment(table, maximize=True)
    return table[rows, columns].sum()


@pytest.mark.parametrize("format", ["jsonl", "conll", "conllu"])
def test_formats_give_the_same_counts(files, responses, results, tmp_path, format):
    kind = "all of it"
    path = tmp_path / f"response.{format}"
    write(responses[kind], path, format=format)
    result = corefkit.score(files["key"], path, metrics=METRICS)
    expected = results[kind, "exact", "keep"]
    for name in METRICS:
        assert np.allclose(result.counts[name], expected.counts[name], rtol=1e-9), name


def test_files_are_scored_as_documents_in_memory(files, results):
    for match in WAYS:
        result = corefkit.score(files["key"], files["shrink"], metrics=ALL, match=match)
        expected = results["shrink", match, "keep"]
        for name in ALL:
            if not name.startswith("bridging"):
                assert result.counts[name].tolist() == expected.counts[name].tolist()


@pytest.mark.parametrize("name", corefkit.FORMATS)
def test_converted_to_any_format_it_scores_as_itself(tmp_path, key, name):
    format = corefkit.FORMATS[name]
    one_file = format.writer.files is None
    paths = tmp_path / "key.conllu", tmp_path / f"x{format.suffixes[0] * one_file}"
    write(key[:2], paths[0])
    write(key[:2], paths[1], format=name)
    for sides in (paths, paths[::-1]):
        result = corefkit.score(*sides, metrics=METRICS)
        assert [result[metric].f1 for metric in METRICS] == pytest.approx(
            [1.0] * len(METRICS)
        )
