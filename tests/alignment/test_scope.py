"""Entities across documents: `--scope topic` and `--scope corpus`."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from files import conll, written
from raising import raises
from slow_matching import document

import corefkit
from corefkit import Document, PairingError, SettingsError
from corefkit.alignment.scope import get_topic, merge_documents
from corefkit.cli import main
from corefkit.formats.output import write
from corefkit.model import Bridge

WORDS = "a b c d"


def named(name, text=WORDS, deps=None, **entities):
    """Make a document; each entity is its id and its mentions."""
    made = document(text, *entities.values(), name=name, deps=deps)
    parts = zip(made, entities, strict=True)
    return replace(
        made, entities=tuple(replace(entity, id=name) for entity, name in parts)
    )


def ratio(score):
    return (
        score.recall_numerator,
        score.recall_denominator,
        score.precision_numerator,
        score.precision_denominator,
    )


# Two topics. Entity x has three mentions in topic 1 (two documents) and one in topic 2;
# y has one in each document of topic 1; z one in topic 2.
KEY = [
    named("1_1", x="0 1", y="2"),
    named("1_2", x="0", y="2"),
    named("2_1", x="0", z="3"),
]
# The response calls x of the second document w.
RESPONSE = [
    named("1_1", x="0 1", y="2"),
    named("1_2", w="0", y="2"),
    named("2_1", x="0", z="3"),
]


class TestCounts:
    @pytest.mark.parametrize(
        ("scope", "muc", "ceaf_e"),
        [
            # Inside documents only x of 1_1 has a link, and all entities are right:
            # 2 + 2 + 2.
            ("document", (1, 1, 1, 1), (6, 6, 6, 6)),
            # Topic 1: x has 3 mentions, of which w takes one, so 1 of 2 links is there,
            # y has its 1 of 1. In the response x and y have 1 link each.
            # CEAFe: x 2 * 2 / (3 + 2), y 1, topic 2 as it is: 2; of 4, and of 5 with w.
            ("topic", (2, 3, 2, 2), (3.8, 4, 3.8, 5)),
            # x has 4 mentions, 3 links; without w's 2 are left. y as before.
            # CEAFe: x 2 * 3 / (4 + 3), y 1, z 1, of x y z, and of x y z w.
            ("corpus", (3, 4, 3, 3), (20 / 7, 3, 20 / 7, 4)),
        ],
    )
    def test_by_scope(self, scope, muc, ceaf_e):
        result = corefkit.score(KEY, RESPONSE, scope=scope)
        assert ratio(result["muc"]) == muc
        assert ratio(result["ceaf_e"]) == pytest.approx(ceaf_e)
        assert ratio(result["mentions"]) == (7, 7, 7, 7)

    @pytest.mark.parametrize(
        ("scope", "names"),
        [
            ("document", ("1_1", "1_2", "2_1")),
            ("topic", ("1", "2")),
            ("corpus", ("corpus",)),
        ],
    )
    def test_rows_are_those_of_the_scope(self, scope, names):
        result = corefkit.score(KEY, RESPONSE, scope=scope)
        assert result.documents == names
        assert all(len(rows) == len(names) for rows in result.counts.values())

    def test_identical_response_is_perfect(self):
        for scope in ("document", "topic", "corpus"):
            result = corefkit.score(KEY, KEY, scope=scope)
            assert {score.f1 for score in result.scores.values()} == {1.0}

    def test_same_mention_of_another_document_is_another(self):
        # Token 0 of 1_1 is not token 0 of 1_2.
        key = [named("1_1", x="0"), named("1_2", x="1")]
        response = [named("1_1", x="1"), named("1_2", x="0")]
        assert ratio(corefkit.score(key, response, scope="topic")["mentions"])[0] == 0

    def test_singletons_are_those_of_the_scope(self):
        # Alone in each document, x is one of two in the topic; z stays alone.
        key = [named("1_1", x="0", z="2"), named("1_2", x="0")]
        assert ratio(corefkit.score(key, key, singletons="drop")["mentions"]) == (
            0,
            0,
            0,
            0,
        )
        scoped = corefkit.score(key, key, singletons="drop", scope="topic")
        assert ratio(scoped["mentions"]) == (2, 2, 2, 2)

    def test_macro_average_is_over_topics(self):
        # Topic 1 has MUC 2/3 and 2/2: F1 0.8; topic 2 has no link: 0.
        result = corefkit.score(KEY, RESPONSE, scope="topic", average="macro")
        assert result["muc"].f1 == pytest.approx(0.4)

    def test_documents_need_not_stand_together(self):
        key = [KEY[0], KEY[2], KEY[1]]
        response = [RESPONSE[1], RESPONSE[2], RESPONSE[0]]
        result = corefkit.score(key, response, scope="topic")
        assert ratio(result["muc"]) == (2, 3, 2, 2)

    @pytest.mark.parametrize("match", ["head", "partial", "min"])
    def test_ways_of_matching(self, match):
        # In the second document a b with head b against b.
        key = [named("1_1", x="0@0"), named("1_2", x="0-1@1")]
        response = [named("1_1", x="0@0"), named("1_2", x="1@1")]
        result = corefkit.score(key, response, scope="topic", match=match)
        assert ratio(result["muc"]) == (1, 1, 1, 1)

    def test_gaps_and_minima_move_along(self):
        key = [named("1_1", x="0@0"), named("1_2", x="0,2-3@0~2-2")]
        response = [named("1_1", x="0@0"), named("1_2", x="2@2")]
        result = corefkit.score(key, response, scope="topic", match="min")
        assert ratio(result["muc"]) == (1, 1, 1, 1)

    def test_empty_nodes_of_one_side(self):
        # The response has a node in its first document; words stay where they are.
        key = [named("1_1", x="0"), named("1_2", x="2")]
        response = [named("1_1", text="a _ b c d", x="0"), named("1_2", x="2")]
        result = corefkit.score(key, response, scope="topic")
        assert ratio(result["muc"]) == (1, 1, 1, 1)

    # In the second document the zero of b stands elsewhere, and depends on b.
    ZERO = named("1_2", text="a _ b", x="1@1", deps={1: "2:nsubj"})
    MOVED = named("1_2", text="a b _", x="2@2", deps={2: "2:nsubj"})

    def moved_zero(self, first):
        key, response = [first, self.ZERO], [first, self.MOVED]
        return {
            zeros: ratio(
                corefkit.score(key, response, scope="topic", zeros=zeros)["muc"]
            )
            for zeros in ("position", "dependency")
        }

    EXPECTED = {"position": (0, 1, 0, 1), "dependency": (1, 1, 1, 1)}  # noqa: RUF012

    def test_zeros_by_dependency(self):
        assert self.moved_zero(named("1_1", x="0@0", deps={})) == self.EXPECTED

    def test_zeros_by_dependency_beside_a_document_without(self):
        # A reader leaves the layer out where a document has no enhanced dependency.
        assert self.moved_zero(named("1_1", x="0@0")) == self.EXPECTED

    def test_bridges_are_counted_as_in_documents(self):
        one = named("1_1", x="0", y="2")
        (x,), (y,) = one.entities
        one = replace(one, bridges=(Bridge(y, "x", x),))
        result = corefkit.score(one, one, scope="topic", metrics=["bridging_mentions"])
        assert ratio(result["bridging_mentions"]) == (1, 1, 1, 1)

    def test_minimum_spans_from_trees(self):
        # The minimum of "a b" is b, as that of "b" is.
        layers = {"parse": ("(NP*", "*)", "*", "*"), "xpos": ("DT", "NN", ".", ".")}
        key = replace(named("1_1", x="0-1"), layers=layers)
        result = corefkit.score(key, named("1_1", x="1"), scope="topic", match="min")
        assert ratio(result["mentions"]) == (1, 1, 1, 1)


class TestMissing:
    SHORT = RESPONSE[:1] + RESPONSE[2:]

    @pytest.mark.parametrize(
        ("missing", "mentions", "muc"),
        [
            # x and y of 1_2 are not found: 5 of 7; x has 1 of 2 links, y 0 of 1.
            ("empty", (5, 7, 5, 5), (1, 3, 1, 1)),
            # Without 1_2 the key has 5 mentions, and one link.
            ("skip", (5, 5, 5, 5), (1, 1, 1, 1)),
        ],
    )
    def test_document(self, missing, mentions, muc):
        result = corefkit.score(KEY, self.SHORT, scope="topic", missing=missing)
        assert ratio(result["mentions"]) == mentions
        assert ratio(result["muc"]) == muc
        assert result.documents == ("1", "2")
        assert any("lacks document '1_2'" in note for note in result.notes)

    def test_document_is_refused(self):
        with pytest.raises(PairingError, match="lacks document '1_2'"):
            corefkit.score(KEY, self.SHORT, scope="topic", missing="error")

    def test_whole_topic(self):
        # Topic 2 has two mentions.
        empty = corefkit.score(KEY, RESPONSE[:2], scope="topic")
        assert ratio(empty["mentions"]) == (5, 7, 5, 5)
        assert empty.documents == ("1", "2")
        skipped = corefkit.score(KEY, RESPONSE[:2], scope="topic", missing="skip")
        assert ratio(skipped["mentions"]) == (5, 5, 5, 5)
        assert skipped.documents == ("1",)

    def test_first_document_missing_does_not_move_the_others(self):
        # The three words of the first document still count before the second.
        key = [named("1_1", text="a b c", x="0"), named("1_2", x="1 3")]
        result = corefkit.score(key, key[1:], scope="topic")
        assert ratio(result["mentions"]) == (2, 3, 2, 2)
        assert ratio(result["muc"]) == (1, 2, 1, 1)

    def test_first_document_missing_with_empty_nodes(self):
        key = [named("1_1", text="a _ _ b", x="1@1"), named("1_2", x="1 3")]
        result = corefkit.score(key, key[1:], scope="topic")
        assert ratio(result["mentions"]) == (2, 3, 2, 2)

    def test_extra_documents_are_left_out(self):
        result = corefkit.score(KEY, [*RESPONSE, named("2_2", x="0 1")], scope="corpus")
        assert ratio(result["mentions"]) == (7, 7, 7, 7)
        assert any("'2_2'" in note for note in result.notes)


class TestWithoutWords:
    """JSON lines may have no words: then mentions say how far a document reaches."""

    def lines(self, *documents):
        return "".join(
            json.dumps({"doc_key": name, "clusters": clusters}) + "\n"
            for name, clusters in documents
        )

    def test_documents_do_not_run_into_one_another(self, tmp_path):
        # Ids of entities are their numbers: 0 in both documents is one entity.
        key = written(
            tmp_path / "key",
            self.lines(("1_1", [[[0, 0], [5, 9]]]), ("1_2", [[[0, 0]]])),
        )
        response = written(
            tmp_path / "response",
            self.lines(("1_1", [[[0, 0]]]), ("1_2", [[[0, 0]]])),
        )
        result = corefkit.score(key, response, scope="topic")
        # Two of three mentions, one of two links.
        assert ratio(result["mentions"]) == (2, 3, 2, 2)
        assert ratio(result["muc"]) == (1, 2, 1, 1)

    def test_response_without_words_beside_a_key_with(self, tmp_path):
        key = [named("1_1", **{"0": "0 1"}), named("1_2", **{"0": "2"})]
        response = written(
            tmp_path / "response",
            self.lines(("1_1", [[[0, 0], [1, 1]]]), ("1_2", [[[2, 2]]])),
        )
        result = corefkit.score(key, response, scope="topic")
        assert ratio(result["muc"]) == (2, 2, 2, 2)

    def test_response_without_words_beside_a_key_with_empty_nodes(self, tmp_path):
        # The key's first document has five tokens, of which four are words.
        key = [named("1_1", text="a _ b c d", **{"0": "0"}), named("1_2", **{"0": "2"})]
        response = written(
            tmp_path / "response", self.lines(("1_1", [[[0, 0]]]), ("1_2", [[[2, 2]]]))
        )
        result = corefkit.score(key, response, scope="topic")
        assert ratio(result["muc"]) == (1, 1, 1, 1)

    def test_mention_behind_the_words_does_not_move_later_documents(self, tmp_path):
        # The key has four words; the response, which has none, a mention of the sixth.
        key = [named("1_1", **{"0": "0 1"}), named("1_2", **{"0": "2"})]
        response = written(
            tmp_path / "response",
            self.lines(("1_1", [[[0, 0], [5, 5]]]), ("1_2", [[[2, 2]]])),
        )
        result = corefkit.score(key, response, scope="topic")
        assert ratio(result["mentions"]) == (2, 3, 2, 3)


class TestFiles:
    TEXT = conll("(7) - (7) -", name="(1_1); part 000") + conll(
        "- (7) - (8)", name="(1_2); part 000"
    )
    OTHER = conll("(7) - - (8)", name="(2_1); part 000")

    def test_ids_of_conll_hold_across_documents(self, tmp_path, capsys):
        key = written(tmp_path / "key", self.TEXT + self.OTHER)
        response = written(
            tmp_path / "response",
            (self.TEXT + self.OTHER).replace("(8)", "(7)"),
        )
        words = ["score", key, response, "--metric", "muc", "--format", "json"]
        found = {}
        for scope in ("document", "topic", "corpus"):
            assert main([*words, "--scope", scope]) == 0
            shown = json.loads(capsys.readouterr().out)
            score = shown["systems"][0]["scores"]["muc"]
            found[scope] = [
                score[f"{side}_{part}"]
                for side in ("recall", "precision")
                for part in ("numerator", "denominator")
            ]
        # Documents: 1 of 1 link; the response links 8 to 7 in 1_2 and in 2_1.
        # Topics: 7 has 3 mentions in topic 1; with 8 the response has 4, and 2 in 2.
        # Corpus: 7 has 4 mentions and 8 two; all six are one in the response.
        assert found == {
            "document": [1, 1, 1, 3],
            "topic": [2, 2, 2, 4],
            "corpus": [4, 4, 4, 5],
        }

    def test_signature_names_the_scope(self):
        assert "scope:topic" in corefkit.score(KEY, KEY, scope="topic").signature

    def test_folders_of_files(self, tmp_path):
        for side, text in (("key", self.TEXT), ("response", self.TEXT)):
            (tmp_path / side).mkdir()
            written(tmp_path / side / "one.conll", text)
            written(tmp_path / side / "two.conll", self.OTHER)
        result = corefkit.score(tmp_path / "key", tmp_path / "response", scope="topic")
        assert result.documents == ("1", "2")
        # 7 has 3 mentions in topic 1; all others are alone.
        assert ratio(result["muc"]) == (2, 2, 2, 2)
        assert ratio(result["mentions"]) == (6, 6, 6, 6)

    def test_ecb_files_share_entities_by_id(self, tmp_path):
        for side, documents in (("key", KEY), ("response", RESPONSE)):
            write(documents, tmp_path / side, format="ecb")
        assert len(list((tmp_path / "key").iterdir())) == 3
        result = corefkit.score(tmp_path / "key", tmp_path / "response", scope="topic")
        assert result.documents == ("1", "2")
        # As in memory, see above.
        assert ratio(result["muc"]) == (2, 3, 2, 2)
        assert ratio(result["ceaf_e"]) == pytest.approx((3.8, 4, 3.8, 5))

    def test_difference_of_texts_is_at_its_line(self, tmp_path):
        key = written(tmp_path / "key", self.TEXT)
        # Word w1 of the second document, which begins at line 7, stands at line 9.
        cut = self.TEXT.rindex("w1")
        other = f"{self.TEXT[:cut]}x1{self.TEXT[cut + 2 :]}"
        response = written(tmp_path / "response", other)
        with pytest.raises(PairingError, match=r"response:9: token 5 .* is 'x1'"):
            corefkit.score(key, response, scope="topic")

    def test_repeated_mention_is_at_its_line(self, tmp_path):
        key = written(tmp_path / "key", self.TEXT)
        response = written(tmp_path / "response", self.TEXT.replace("(8)", "(7)|(8)"))
        result = corefkit.score(key, response, scope="corpus")
        # The fourth word of the second document.
        assert any(note.endswith("response:11") for note in result.notes)

    def test_several_responses_are_scored_as_each_alone(self):
        settings = corefkit.Settings(scope="topic")
        responses = [RESPONSE, KEY, RESPONSE[:1]]
        both = corefkit.score_responses(KEY, responses, settings=settings)
        alone = [corefkit.score(KEY, one, scope="topic") for one in responses]
        assert [one.to_dict() for one in both] == [one.to_dict() for one in alone]


class TestTopics:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("1_1", "1"),
            ("36_1ecbplus", "36"),
            ("a_b_c", "a"),
            ("36/1_1", "36"),
            ("nw/wsj/00/wsj_0001", "nw/wsj/00"),
            ("(12_7); part 000", "12"),
            ("_1", ""),
            ("(36/x); part 003", "36"),
        ],
    )
    def test_topic_of_an_id(self, name, expected):
        assert get_topic(name) == expected

    @pytest.mark.parametrize("name", ["story", "12", ""])
    def test_id_without_topic_is_refused(self, name):
        with pytest.raises(PairingError, match="names no topic"):
            get_topic(name)

    @pytest.mark.parametrize(
        ("pattern", "expected"),
        [
            (r"^\d+_\d+", "36_12"),
            (r"(\d+)_\d+(ecb.*)", "36_ecbplus"),
            (r"(x)?\d+", "36"),
            (r"ecb|36", "36"),
            (r"(?P<kind>ecb\w*)", "ecbplus"),
        ],
    )
    def test_topic_by_pattern(self, pattern, expected):
        assert get_topic("36_12ecbplus", pattern=pattern) == expected

    def test_topics_by_pattern_are_those_of_renamed_documents(self):
        text = "a b c"
        names = ["36_1ecb", "36_2ecb", "36_1ecbplus", "37_1ecb"]
        renamed = ["36ecb/1", "36ecb/2", "36ecbplus/1", "37ecb/1"]
        sides = [
            [
                document(text, *entities, name=name)
                for name, entities in zip(names, side, strict=True)
            ]
            for side in (
                [["0", "1"], ["0 1"], ["2"], ["1"]],
                [["0 1"], ["0", "2"], ["2"], ["1"]],
            )
        ]
        found = corefkit.score(*sides, scope="topic", topics=r"(\d+)_.(.*)")
        moved = [
            [replace(one, id=name) for one, name in zip(side, renamed, strict=True)]
            for side in sides
        ]
        expected = corefkit.score(*moved, scope="topic")
        assert found.documents == ("36_ecb", "36_ecbplus", "37_ecb")
        for name, counts in expected.counts.items():
            assert found.counts[name].tolist() == counts.tolist()
        assert "|topics:%28%5Cd+%29_.%28.%2A%29" in found.signature

    def test_id_that_the_pattern_lacks_is_refused(self):
        one = document("a b", "0", name="story")
        for pattern in (r"\d+", r"\d*"):
            with raises(PairingError, "pairing/no-topic") as refused:
                corefkit.score([one], [one], scope="topic", topics=pattern)
            assert "'story'" in refused.value.message

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"topics": "(", "scope": "topic"}, "settings/unknown-value"),
            ({"topics": "x"}, "settings/conflict"),
            ({"topics": "x", "scope": "corpus"}, "settings/conflict"),
        ],
    )
    def test_pattern_without_meaning_is_refused(self, changes, code):
        with raises(SettingsError, code, place=None):
            corefkit.Settings(**changes)

    def test_parts_of_a_document_are_a_topic(self):
        assert (
            get_topic("(story); part 000") == get_topic("(story); part 001") == "story"
        )

    def test_refusal_has_the_place_in_the_key(self, tmp_path):
        key = written(tmp_path / "key.jsonl", '{"doc_key": "story", "clusters": []}\n')
        with pytest.raises(PairingError, match=r"key\.jsonl:1: document 'story'"):
            corefkit.score(key, key, scope="topic")

    def test_corpus_needs_no_topics(self):
        one = named("story", x="0 1")
        assert corefkit.score(one, one, scope="corpus")["muc"].f1 == 1


class TestJoinedDocuments:
    def test_everything_moves_by_the_length_of_those_before(self):
        one = named("1", text="a _ b", x="0-2@1~0-1", y="0,2@2", deps={1: "1:nsubj"})
        both = merge_documents("both", [one, one], [3, 3])
        assert both.tokens == ("a", "_", "b") * 2
        assert both.empty == (1, 4)
        assert both.layers["deps"] == ("_", "1:nsubj", "_") * 2
        x, y = both.entities
        assert [(*m, m.head, m.minimum) for m in x] == [
            (0, 2, 1, (0, 1)),
            (3, 5, 4, (3, 4)),
        ]
        assert [m.gaps for m in y] == [((1, 1),), ((4, 4),)]

    def test_entities_come_in_the_order_first_seen(self):
        both = merge_documents(
            "both", [named("1", y="0"), named("2", x="0", y="1")], [4, 4]
        )
        assert [(one.id, len(one)) for one in both] == [("y", 2), ("x", 1)]

    def test_split_antecedents_are_joined(self):
        one = named("1", x="0", y="1", z="2")
        first, second = (
            replace(
                one,
                entities=(*one.entities[:2], replace(one.entities[2], split=split)),
            )
            for split in (("x", "y"), ("y", "x", "w"))
        )
        both = merge_documents("both", [first, second], [4, 4])
        assert both.entities[2].split == ("x", "y", "w")

    def test_without_words_of_one_there_are_none(self):
        bare = Document("2", (), ())
        assert merge_documents("both", [named("1"), bare], [4, 4]).sentences == ()
