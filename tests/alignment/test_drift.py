"""`tokens="aligned"`: a response whose words drifted is scored on the key's words."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from formats.reading import DATA, needs_data
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, Evaluator, FormatError, Mention, PairingError
from corefkit.cli import main
from corefkit.formats.output import write

TEXT = "Ann saw the old dog . She fed it and the dog barked at Ann 's cat ."
WORDS = TEXT.split()
KEY = Document(
    "d",
    (tuple(WORDS[:6]), tuple(WORDS[6:])),
    (
        Entity("a", (Mention(0, 0), Mention(6, 6), Mention(14, 14))),
        Entity("b", (Mention(2, 4), Mention(8, 8), Mention(10, 11))),
        Entity("c", (Mention(14, 16),)),
    ),
)


def drifted(*words, entities=KEY.entities, name="d"):
    return Document(name, (words,), entities)


def aligned(key, response, **settings):
    return corefkit.score(key, response, tokens="aligned", **settings)


def scores(result):
    return {name: score.counts or score for name, score in result.scores.items()}


def mentions_of(result):
    score = result["mentions"]
    return (
        score.recall_numerator,
        score.recall_denominator,
        score.precision_denominator,
    )


class TestWithoutDrift:
    def test_counts_are_those_of_strict_scoring(self):
        response = replace(KEY, entities=KEY.entities[:2])
        result = aligned(KEY, response)
        assert scores(result) == scores(corefkit.score(KEY, response))
        assert result.signature.endswith("|tokens:aligned")
        assert not result.notes
        assert result.drift["d"]["lost"] == 0

    @given(st.data())
    def test_counts_of_documents_at_random_are_those_of_strict_scoring(self, data):
        words = tuple(data.draw(st.lists(st.sampled_from("ab.c"), min_size=1)))
        spans = st.tuples(*[st.integers(0, len(words) - 1)] * 2).map(sorted)
        partition = st.lists(st.lists(spans, min_size=1, max_size=4), max_size=4)
        key, response = (
            Document(
                "d",
                (words,),
                tuple(
                    Entity(str(number), tuple(Mention(*span) for span in row))
                    for number, row in enumerate(data.draw(partition))
                ),
            )
            for _ in range(2)
        )
        assert scores(aligned(key, response)) == scores(corefkit.score(key, response))

    def test_mentions_without_words_are_scored_as_before(self):
        partition = [["abc", "de"], ["f"]]
        assert aligned(partition, partition).conll == 1
        spans = {"d": [[(0, 0), (6, 6), (14, 14)], [(2, 4), (8, 8), (10, 11)]]}
        assert mentions_of(aligned([KEY], spans)) == (6, 7, 6)


class TestDrift:
    @given(st.lists(st.tuples(st.integers(0, 18), st.sampled_from(["x1", "%%", "Zz"]))))
    def test_words_added_outside_mentions_change_nothing(self, additions):
        inside = {3, 4, 11, 15, 16}  # before these words, a mention is open
        tokens = list(range(len(WORDS)))
        items = [(token, WORDS[token]) for token in tokens]
        for place, word in additions:
            if place not in inside:
                row = [token for token, _ in items]
                at = row.index(place) if place in row else len(items)
                items.insert(at, (-1, word))
        number = {token: new for new, (token, _) in enumerate(items) if token >= 0}
        entities = tuple(
            replace(
                entity,
                mentions=tuple(
                    Mention(number[mention.start], number[mention.end])
                    for mention in entity
                ),
            )
            for entity in KEY
        )
        response = drifted(*(word for _, word in items), entities=entities)
        result = aligned(KEY, response)
        assert scores(result) == scores(corefkit.score(KEY, KEY))
        assert result.drift["d"]["added"] == len(items) - len(WORDS)

    def test_respelled_words_are_the_same(self):
        words = [word.upper().replace("'", "’") for word in WORDS]  # noqa: RUF001
        result = aligned(KEY, drifted(*words))
        assert result.conll == 1
        row = result.drift["d"]
        assert (row["lost"], row["added"], row["changed"]) == (0, 0, 0)
        assert row["respelled"] == 16

    def test_edge_on_a_lost_word_moves_to_the_next_kept_word(self):
        words = [word for number, word in enumerate(WORDS) if number != 2]
        moved = (Entity("b", (Mention(2, 3), Mention(7, 7), Mention(9, 10))),)
        result = aligned(KEY, drifted(*words, entities=moved))
        assert mentions_of(result) == (2, 7, 3)  # `old dog` is not a mention of the key
        assert result.drift["d"]["lost"] == 1

    def test_edge_on_an_added_word_moves_inward(self):
        words = [*WORDS[:4], "brown", *WORDS[4:], "yes"]
        entities = (Entity("b", (Mention(2, 5), Mention(9, 9), Mention(11, 13))),)
        result = aligned(KEY, drifted(*words, entities=entities))
        # `the dog barked` is not a mention of the key.
        assert mentions_of(result) == (2, 7, 3)

    def test_mention_without_a_place_is_spurious(self):
        words = [*WORDS, "A", "zebra", "ran"]
        extra = (Entity("z", (Mention(18, 19), Mention(20, 20))),)
        response = drifted(*words, entities=KEY.entities + extra)
        result = aligned(KEY, response)
        assert mentions_of(result) == (7, 7, 9)
        assert result.drift["d"]["unplaced"] == 2
        assert "2, scored as spurious" in result.notes[0]
        dropped = aligned(KEY, response, unplaced="drop")
        assert dropped.conll == 1
        assert dropped.signature.endswith("|tokens:aligned|unplaced:drop")
        assert "2, dropped" in dropped.notes[0]

    @pytest.mark.parametrize("match", ["exact", "partial", "head", "min"])
    def test_mention_without_a_place_never_matches(self, match):
        heads = tuple(
            replace(
                entity,
                mentions=tuple(
                    replace(mention, head=mention.end, minimum=(mention.end,) * 2)
                    for mention in entity
                ),
            )
            for entity in KEY
        )
        key = replace(KEY, entities=heads)
        words = [*WORDS, "zebra"]
        extra = Entity("z", (Mention(18, 18, head=18, minimum=(18, 18)),))
        response = drifted(*words, entities=(*heads, extra))
        assert mentions_of(aligned(key, response, match=match)) == (7, 7, 8)

    def test_too_much_drift_is_rejected(self):
        words = [*WORDS[:9], *["x"] * 9]
        with raises(PairingError, "pairing/too-much-drift") as error:
            aligned(KEY, drifted(*words))
        assert "50.0 %" in error.value.message
        result = aligned(KEY, drifted(*words), max_drift=0.5)
        assert result.signature.endswith("|tokens:aligned|max-drift:0.5")
        with raises(PairingError, "pairing/too-much-drift"):
            aligned(KEY, drifted(*words), max_drift=0.49)

    @pytest.mark.parametrize("text", [(), ("x",) * 100_000, ("the",) * 100_000])
    def test_other_text_is_rejected(self, text):
        with raises(PairingError, "pairing/too-much-drift"):
            aligned(KEY, Document("d", (text,), ()))

    def test_gaps_heads_and_attributes_move_too(self):
        mention = Mention(
            2, 4, ((3, 3),), head=4, minimum=(4, 4), attributes={"type": "animal"}
        )
        entities = (Entity("b", (mention,)),)
        key = replace(KEY, entities=entities)
        response = drifted(
            "Well", ",", *WORDS, entities=(Entity("b", (move(mention, 2),)),)
        )
        assert mentions_of(aligned(key, response)) == (1, 1, 1)
        assert mentions_of(aligned(key, response, match="head")) == (1, 1, 1)

    @pytest.mark.parametrize("drift", [{}, {"dog": "DOG"}, {"Ann": "Well Ann"}])
    def test_heads_are_found_in_the_trees_of_the_key(self, tmp_path, drift):
        key = tmp_path / "key.conllu"
        key.write_text(
            "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
            "1\tAnn\t_\t_\t_\t_\t2\t_\t_\tEntity=(e1--1)\n"
            "2\tsaw\t_\t_\t_\t_\t0\t_\t_\t_\n"
            "3\tthe\t_\t_\t_\t_\t5\t_\t_\tEntity=(e2--3\n"
            "4\told\t_\t_\t_\t_\t5\t_\t_\t_\n"
            "5\tdog\t_\t_\t_\t_\t2\t_\t_\tEntity=e2)\n"
        )
        text = "Ann|[e1] saw the old|[e2 dog|e2]"
        for word, other in drift.items():
            text = text.replace(word, other)
        response = tmp_path / "d.crac.txt"
        response.write_text(f"{text}\n")
        assert mentions_of(aligned(key, response, match="head")) == (2, 2, 2)
        assert mentions_of(aligned(key, response)) == (1, 2, 2)
        with raises(FormatError, "format/missing-head"):
            corefkit.score(KEY, drifted(*WORDS), tokens="aligned", match="head")

    def test_topics_with_a_mention_without_a_place_are_rejected(self):
        extra = (Entity("z", (Mention(18, 18),)),)
        response = drifted(*WORDS, "zebra", entities=KEY.entities + extra)
        with raises(PairingError, "pairing/unplaced-mention"):
            aligned(KEY, response, scope="corpus")
        assert aligned(KEY, response, scope="corpus", unplaced="drop").conll == 1


def move(mention, by):
    return Mention(
        mention.start + by,
        mention.end + by,
        tuple((start + by, end + by) for start, end in mention.gaps),
        None if mention.head is None else mention.head + by,
        mention.minimum and (mention.minimum[0] + by, mention.minimum[1] + by),
        mention.attributes,
    )


class TestEmptyNodes:
    KEY = (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        "0.1\t_\t_\t_\t_\t_\t_\t_\t2:nsubj\tEntity=(e1--1)\n"
        "1\tQuiere\t_\t_\t_\t_\t0\t_\t_\t_\n"
        "2\tagua\t_\t_\t_\t_\t1\t_\t_\tEntity=(e2--1)\n"
        "3\t.\t_\t_\t_\t_\t1\t_\t_\t_\n\n"
        "0.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=(e1--1)\n"
        "1\tBebe\t_\t_\t_\t_\t0\t_\t_\t_\n"
        "1.1\t_\t_\t_\t_\t_\t_\t_\t1:obj\tEntity=(e2--1)\n"
        "2\t.\t_\t_\t_\t_\t1\t_\t_\t_\n"
    )

    @pytest.fixture
    def key(self, tmp_path):
        path = tmp_path / "key.conllu"
        path.write_text(self.KEY)
        return path

    @pytest.mark.parametrize("format", ["crac-text", "crac-json"])
    @pytest.mark.parametrize("changes", [{}, {"Quiere": "QUIERE"}, {".": ", ."}])
    def test_follow_the_words_of_the_key(self, key, tmp_path, format, changes):
        path = tmp_path / f"d.{format.replace('-', '.')}"
        write(corefkit.read(key), path, format=format)
        text = path.read_text()
        if format == "crac-text":
            for word, other in changes.items():
                text = text.replace(word, other)
            path.write_text(text)
        assert aligned(key, path).conll == 1
        assert mentions_of(aligned(key, path)) == (4, 4, 4)

    @pytest.mark.parametrize("format", ["crac-text", "crac-json"])
    def test_require_aligned_words_without_sentences(self, key, tmp_path, format):
        path = tmp_path / f"d.{format.replace('-', '.')}"
        write(corefkit.read(key), path, format=format)
        with raises(PairingError, "pairing/no-sentences"):
            corefkit.score(key, path)
        assert mentions_of(corefkit.score(key, path, zeros="drop")) == (1, 1, 1)

    def test_dropped_ones_are_not_scored(self, key, tmp_path):
        path = tmp_path / "d.crac.txt"
        path.write_text("Quiere agua|[e1] . Bebe .\n")
        assert mentions_of(aligned(key, path)) == (1, 4, 1)
        path.write_text("Quiere agua|[e1] . Bebe ##|[e1] .\n")
        assert mentions_of(aligned(key, path)) == (2, 4, 2)


class TestBrokenBrackets:
    KEY = "The|[e1 old dog|e1] barked|[e2] at|[e3 Ann|[e4],e3] .\n"

    @pytest.fixture
    def score(self, tmp_path):
        key = tmp_path / "key.crac.txt"
        key.write_text(self.KEY)

        def score(text, **settings):
            path = tmp_path / "response.crac.txt"
            path.write_text(text)
            return corefkit.score(key, path, **settings)

        return score

    def test_strict_scoring_rejects_them(self, score):
        broken = self.KEY.replace(",e3]", "")
        place = "response.crac.txt:1"
        with raises(FormatError, "format/unbalanced-bracket", place=place):
            score(broken)

    @pytest.mark.parametrize(
        ("text", "rule", "matched"),
        [
            ("The|[e1 old dog|e1] barked|[e2 at|[e3 Ann|[e4],e3] .", "unclosed", 4),
            ("The|[e1 old dog barked|[e2] at|[e3 Ann|[e4],e3] .", "unclosed", 3),
            ("The old dog|e1] barked|[e2] at|[e3 Ann|[e4],e3] .", "unopened", 3),
            ("The|[e1 old dog|e1] barked|[e2],e7 at|[e3 Ann|[e4],e3] .", "invalid", 4),
            # The lost word had the other bracket.
            ("old dog|e1] barked|[e2] at|[e3 Ann|[e4],e3] .", "unopened", 4),
            ("The|[e1 old barked|[e2] at|[e3 Ann|[e4],e3] .", "unclosed", 4),
        ],
    )
    def test_aligned_scoring_repairs_and_reports_them(self, score, text, rule, matched):
        result = score(text, tokens="aligned", metrics=["mentions"])
        assert result["mentions"].recall_numerator == matched
        (counts,) = result.drift.values()
        assert [counts[name] for name in ("unclosed", "unopened", "invalid")] == [
            name == rule for name in ("unclosed", "unopened", "invalid")
        ]
        assert f"1 {rule}" in result.notes[-1]

    def test_other_errors_are_raised(self, tmp_path, score):
        bad = tmp_path / "response.crac.txt"
        key = tmp_path / "key.crac.txt"
        score(self.KEY)
        bad.write_bytes(b"The|[e1 \xff dog|e1]\n")
        with raises(FormatError, "format/not-utf8", place="response.crac.txt:1"):
            aligned(key, bad)


TAGGED = """Here is the annotated text:
```html
<m id="x">Ann</m> saw <m id="y">the old dog</m>.
<m id="x">She</m> fed <m id="y">it</m> and <m id="y">the dog</m> barked
at <m id="z"><m id="x">Ann</m>'s cat</m>.
```
"""


def test_answer_of_a_model_is_scored():
    response = corefkit.read_string(TAGGED, id="d")
    result = aligned(KEY, response)
    assert result.conll == 1
    with raises(PairingError, "pairing/different-text"):
        corefkit.score(KEY, response)
    other_ids = TAGGED.replace('"x"', '"17"').replace('"y"', "alice")
    assert scores(aligned(KEY, corefkit.read_string(other_ids, id="d"))) == scores(
        result
    )


def test_repairs_of_a_string_are_reported():
    broken = TAGGED.replace('<m id="x">She</m>', '<m id="x">She')
    with raises(FormatError, "format/unbalanced-bracket", place="d:4"):
        corefkit.read_string(broken, id="d")
    response = corefkit.read_string(broken, id="d", repair=True)
    assert response.repairs == ("unclosed",)
    assert aligned(KEY, response).drift["d"]["unclosed"] == 1


def test_evaluator_counts_drift():
    evaluator = Evaluator(tokens="aligned")
    evaluator.update([KEY], [corefkit.read_string(TAGGED, id="d")])
    again = Evaluator.from_state(evaluator.state)
    for each in (evaluator, again):
        result = each.compute()
        assert result.conll == 1
        assert result.drift["d"]["added"] == 7


def test_documents_of_every_format_are_aligned(tmp_path):
    """Also those that are read by the kernel, and joined with other documents."""
    words = [word.upper() for word in WORDS]
    for suffix in ("conll", "conllu", "jsonl", "semeval", "ua"):
        path = tmp_path / f"response.{suffix}"
        write([drifted(*words)], path)
        with raises(PairingError, "pairing/different-text"):
            corefkit.score(KEY, path)
        assert aligned(KEY, path).conll == 1


class TestCommand:
    @pytest.fixture
    def files(self, tmp_path):
        write([KEY, replace(KEY, id="e")], tmp_path / "key.conllu")
        response = tmp_path / "answers.crac.txt"
        write([KEY, replace(KEY, id="e")], response, format="crac-text")
        response.write_text(response.read_text().replace("dog", "hound", 1))
        return str(tmp_path / "key.conllu"), str(response)

    def test_json_has_the_drift_of_each_document(self, files, capsys):
        words = ["--tokens", "aligned", "--format", "json"]
        assert main(["score", *files, *words]) == 0
        (system,) = json.loads(capsys.readouterr().out)["systems"]
        assert [row["document"] for row in system["drift"]] == ["d", "e"]
        assert [row["changed"] for row in system["drift"]] == [1, 0]

    def test_notes_report_order_and_drift(self, files, capsys):
        assert main(["score", *files, "--tokens", "aligned"]) == 0
        notes = capsys.readouterr().err
        assert "no document ids, documents are paired by order" in notes
        assert "36 words of the key: 0 lost, 0 added, 1 changed" in notes

    def test_other_number_of_documents_is_rejected(self, files, capsys):
        key, response = files
        with Path(response).open("a") as file:
            file.write("One more .\n")
        assert main(["score", key, response, "--tokens", "aligned"]) == 1
        assert "expected 2" in capsys.readouterr().err

    @pytest.mark.parametrize(
        "command", ["errors", "explain", "doctor", "compare", "report"]
    )
    def test_analyses_accept_aligned_words(self, files, command, tmp_path, capsys):
        key, response = files
        lines = Path(response).read_text().splitlines()
        other = tmp_path / "other.crac.txt"
        other.write_text("".join(f"{line} Zed|[e9]\n" for line in lines))
        words = {
            "compare": [response, "--samples", "50"],
            "report": [response, "--samples", "50", "-o", str(tmp_path / "r.html")],
            "explain": ["--metric", "muc"],
        }
        arguments = [command, key, str(other), *words.get(command, [])]
        assert main([*arguments, "--tokens", "aligned"]) == 0, capsys.readouterr().err


@needs_data
class TestOntoGum:
    PATH = DATA / "ontogum" / "ontogum-test.conllu"

    @pytest.mark.parametrize("format", ["crac-text", "crac-json", "inline"])
    def test_perfect_annotation_scores_100(self, tmp_path, format):
        suffix = {"crac-text": ".txt", "crac-json": ".json", "inline": ""}[format]
        path = tmp_path / f"response{suffix}"
        write(corefkit.read(self.PATH), path, format=format)
        for tokens in ("same", "aligned"):
            assert corefkit.score(self.PATH, path, tokens=tokens).conll == 1

    @pytest.mark.parametrize("seed", range(3))
    def test_seeded_drift_scores_98(self, tmp_path, seed):
        path = tmp_path / "response.crac.txt"
        write(corefkit.read(self.PATH), path)
        random = Random(seed)
        lines = [damage(line, random) for line in path.read_text("utf-8").splitlines()]
        path.write_text("\n".join(lines) + "\n", "utf-8")
        result = aligned(self.PATH, path, metrics=["conll"])
        assert 0.98 <= result.conll < 1
        assert max(row["lost"] / row["words"] for row in result.drift.values()) < 0.04


def damage(line, random):
    """Change the case of 2 % of words; lose 1 % of words and of closing brackets."""
    cells = []
    for cell in line.split():
        if random.random() < 0.01:
            continue
        word, bar, tags = cell.partition("|")
        if random.random() < 0.02:
            word = word.swapcase()
        kept = []
        for tag in tags.split(","):
            if tag.endswith("]") and random.random() < 0.01:
                tag = tag[:-1] if tag.startswith("[") else ""
            kept += [tag] if tag else []
        cells.append(word + bar * bool(kept) + ",".join(kept))
    return " ".join(cells)
