"""Texts of key and response compared: what differs is said, with its place."""

from __future__ import annotations

import pytest
from files import conll, json_line, written

import corefkit
from corefkit.cli import main
from corefkit.results.score_table import list_cautions

SENTENCES = (
    "Ann lives by the sea",  # tokens 0 to 4, lines 3 to 7
    "She has a red boat",  # 5 to 9, lines 9 to 13
    "The boat is old",  # 10 to 13, lines 15 to 18
    "Bob likes it very much",  # 14 to 18, lines 20 to 24
)
TEXT = " / ".join(SENTENCES)


def conllu(text, *, name="d", cells=None):
    """Write a CoNLL-U document; `/` ends a sentence, cells are Entity by token.

    Words that begin with `_` are empty nodes. Two lines stand before the first word.
    """
    lines = [f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other"]
    token = 0
    for sentence in text.split("/"):
        word = node = 0
        for form in sentence.split():
            if form.startswith("_"):
                node += 1
                identifier = f"{word}.{node}"
            else:
                word, node = word + 1, 0
                identifier = str(word)
            cell = (cells or {}).get(token)
            misc = f"Entity={cell}" if cell else "_"
            lines.append("\t".join((identifier, form, *["_"] * 7, misc)))
            token += 1
        lines.append("")
    return "\n".join(lines) + "\n"


KEY = conllu(TEXT, cells={0: "(e1--1)", 5: "(e1--1)"})


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run `corefkit score` on two texts; gives the exit code and stderr."""
    monkeypatch.chdir(tmp_path)

    def command(key, response, *options):
        written(tmp_path / "key", key)
        written(tmp_path / "response", response)
        code = main(["score", "key", "response", *options])
        shown = capsys.readouterr()
        assert bool(shown.out) == (code == 0)
        return code, shown.err

    return command


@pytest.fixture
def refused(run):
    """Run `corefkit score` on two texts that it refuses; gives stderr."""

    def command(key, response, *options):
        code, shown = run(key, response, *options)
        assert code == 1
        return shown.removeprefix("error: ")

    return command


@pytest.fixture
def score(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def scored(key, response, **options):
        written(tmp_path / "key", key)
        written(tmp_path / "response", response)
        return corefkit.score("key", "response", **options)

    return scored


def without(*sentences):
    return " / ".join(one for n, one in enumerate(SENTENCES, 1) if n not in sentences)


def more(before, *added):
    """Put sentences before the one of this number."""
    return " / ".join((*SENTENCES[: before - 1], *added, *SENTENCES[before - 1 :]))


# The response's text, the line in it where it differs, and what is said.
DIFFERENCES = {
    "first sentence missing": (
        without(1),
        3,
        "sentence 1 ('Ann lives by the sea', 5 tokens) of document 'd' is missing "
        "here: see key:3",
    ),
    "sentence missing": (
        without(2),
        9,
        "sentence 2 ('She has a red boat', 5 tokens) of document 'd' is missing here: "
        "see key:9",
    ),
    # Behind the last word of the response.
    "last sentence missing": (
        without(4),
        18,
        "sentence 4 ('Bob likes it very much', 5 tokens) of document 'd' is missing "
        "here: see key:20",
    ),
    "two sentences missing": (
        without(2, 3),
        9,
        "2 sentences ('She has a red boat The boat is' and more, 9 tokens) of document "
        "'d'",
    ),
    "first sentence too many": (
        more(1, "Well now then"),
        3,
        "sentence 1 ('Well now then', 3 tokens) of document 'd' is too many: the key "
        "has none before key:3",
    ),
    "sentence too many": (
        more(3, "Well now then"),
        15,
        "sentence 3 ('Well now then', 3 tokens) of document 'd' is too many: the key "
        "has none before key:15",
    ),
    "last sentence too many": (
        more(5, "Well now then"),
        26,
        "sentence 5 ('Well now then', 3 tokens) of document 'd' is too many: the key "
        "has none after key:",
    ),
    "two sentences too many": (
        more(2, "Well now then", "Oh dear"),
        9,
        "2 sentences ('Well now then Oh dear' and more, 5 tokens) of document 'd'",
    ),
    "first token missing": (
        TEXT.removeprefix("Ann "),
        3,
        "token 0 ('Ann') of document 'd' is missing here: see key:3",
    ),
    "token missing": (
        TEXT.replace("a red", "red"),
        11,
        "token 7 ('a') of document 'd' is missing here: see key:11",
    ),
    "token missing at the end of a sentence": (
        TEXT.replace("boat /", "/"),
        14,  # the next sentence begins a line earlier
        "token 9 ('boat') of document 'd' is missing here: see key:13",
    ),
    "last token missing": (
        TEXT.removesuffix(" much"),
        23,
        "token 18 ('much') of document 'd' is missing here: see key:24",
    ),
    "two tokens missing": (
        TEXT.replace("a red ", ""),
        11,
        "2 tokens ('a red') of document 'd'",
    ),
    "first token too many": (
        f"So {TEXT}",
        3,
        "token 0 ('So') of document 'd' is too many: the key has none before key:3",
    ),
    "token too many": (
        TEXT.replace("a red", "a very red"),
        12,
        "token 8 ('very') of document 'd' is too many: the key has none before key:12",
    ),
    "last token too many": (
        f"{TEXT} indeed",
        25,
        "token 19 ('indeed') of document 'd' is too many: the key has none after key:",
    ),
    "two tokens too many": (
        TEXT.replace("a red", "a very very red"),
        12,
        "2 tokens ('very very') of document 'd'",
    ),
    "first token changed": (
        TEXT.replace("Ann", "Eve"),
        3,
        "token 0 of document 'd' is 'Eve', expected 'Ann' as in key:3",
    ),
    "token changed": (
        TEXT.replace("red", "blue"),
        12,
        "token 8 of document 'd' is 'blue', expected 'red' as in key:12",
    ),
    "last token changed": (
        TEXT.replace("much", "well"),
        24,
        "token 18 of document 'd' is 'well', expected 'much' as in key:24",
    ),
    "token cut in two": (
        TEXT.replace("red boat", "red bo at"),
        13,
        "token 9 of document 'd' is 'bo', expected 'boat' as in key:13",
    ),
    "two tokens joined": (
        TEXT.replace("red boat", "redboat"),
        12,
        "token 8 of document 'd' is 'redboat', expected 'red' as in key:12",
    ),
    "other letters": (
        TEXT.replace("red", "Red"),
        12,
        "token 8 of document 'd' is 'Red', expected 'red' as in key:12",
    ),
    "of several the first is said": (
        TEXT.replace("red", "blue").replace("is old", "is").replace("Bob", "Rob"),
        12,
        "token 8 of document 'd' is 'blue', expected 'red' as in key:12",
    ),
    "sentence missing before a token changed": (
        without(2).replace("Bob", "Rob"),
        9,
        "sentence 2 ('She has a red boat', 5 tokens) of document 'd' is missing here",
    ),
    # Of what is missing and what is too many, the shorter is said.
    "longer sentence before a shorter": (
        " / ".join(SENTENCES[n] for n in (0, 2, 1, 3)),
        9,
        "sentence 2 ('The boat is old', 4 tokens) of document 'd' is too many",
    ),
    "shorter sentence behind a longer": (
        " / ".join(SENTENCES[n] for n in (0, 1, 3, 2)),
        15,
        "sentence 3 ('The boat is old', 4 tokens) of document 'd' is missing here",
    ),
    "another text": (
        "Something else altogether stands here",
        3,
        "token 0 of document 'd' is 'Something', expected 'Ann' as in key:3",
    ),
}


@pytest.mark.parametrize(
    ("text", "line", "said"), DIFFERENCES.values(), ids=DIFFERENCES
)
def test_difference_is_refused_at_its_line(refused, text, line, said):
    shown = refused(KEY, conllu(text))
    assert shown.startswith(f"response:{line}: {said}")
    assert "hint: key and response must contain the same tokens" in shown


@pytest.mark.parametrize(
    "text", [case[0] for case in DIFFERENCES.values()], ids=DIFFERENCES
)
def test_difference_is_one_both_ways(refused, text):
    # As the key, the other text lacks what it had too many, and the other way round.
    shown = refused(conllu(text), KEY)
    assert shown.startswith("response:")


SAME = {
    "same": TEXT,
    "other sentences": TEXT.replace(" /", "", 1),
    "empty nodes": TEXT.replace("has a", "has _x a").replace("Bob", "_ Bob"),
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_same_words_are_scored(run, text):
    # The texts have no mentions, and that is told; of words nothing is.
    assert run(KEY, conllu(text)) == (0, "warning: response: has no mention to score\n")


def test_second_document_is_compared_too(refused):
    # The second document begins at line 26; its third word stands at line 30.
    two = KEY + conllu("Rain falls on roofs", name="e")
    shown = refused(two, two.replace("\ton\t", "\tin\t"))
    assert shown.startswith(
        "response:30: token 2 of document 'e' is 'in', expected 'on'"
    )


def test_missing_sentence_of_equal_ones_is_missing(refused):
    key = conllu("Yes . / Yes . / Yes . / No .")
    shown = refused(key, conllu("Yes . / Yes . / No ."))
    assert "sentence 3 ('Yes .', 2 tokens) of document 'd' is missing here" in shown


def test_difference_beyond_sight_is_a_changed_token(refused):
    # So many words are added that nobody looks for the end of them.
    many = " ".join(f"x{number}" for number in range(450))
    shown = refused(conllu(f"a b {TEXT}"), conllu(f"a {many} b {TEXT}"))
    assert shown.startswith("response:4: token 1 of document 'd' is 'x0', expected 'b'")


class TestDocuments:
    TWO = KEY + conllu("Rain falls", name="e")

    def test_too_few_is_noted(self, run):
        code, shown = run(self.TWO, KEY)
        note = "note: response: lacks document 'e' of key:26, scored as empty"
        assert (code, shown.strip()) == (0, note)

    def test_too_few_is_refused_where_asked_for(self, refused):
        shown = refused(self.TWO, KEY, "--missing", "error")
        assert shown.startswith("response: lacks document 'e' of key:26, expected")

    def test_too_many_is_noted_at_its_line(self, run):
        code, shown = run(KEY, self.TWO)
        note = "note: response:26: has document 'e' that the key lacks, left out"
        assert (code, shown.strip()) == (0, note)

    def test_too_many_is_refused_where_asked_for(self, refused):
        shown = refused(KEY, self.TWO, "--missing", "error")
        assert shown.startswith("response:26: has document 'e' that the key lacks")

    def test_other_documents_are_refused(self, refused):
        shown = refused(KEY, conllu(TEXT, name="x"))
        assert shown.startswith("response: no document in common with key: found")


class TestBrokenResponse:
    @pytest.mark.parametrize(
        ("cells", "line", "said"),
        [
            # The mention has one word, and its head is the second.
            ({0: "(e1--2)"}, 3, "head '2' is not a position in the mention"),
            (
                {5: "(e1--4", 7: "e1)"},
                9,
                "head '4' is not a position in the mention",
            ),
            ({14: "(e1--1"}, 20, "entity e1 opens here and is never closed"),
            ({9: "e1)"}, 13, "entity e1 closes here but was not opened"),
        ],
    )
    def test_is_refused_at_its_line(self, refused, cells, line, said):
        shown = refused(KEY, conllu(TEXT, cells=cells))
        assert shown.startswith(f"response:{line}: {said}")

    TWICE = conllu(TEXT, cells={0: "(e1--1)(e1--1)", 5: "(e1--1(e1--1", 6: "e1)e1)"})

    def test_two_mentions_of_one_span_are_noted(self, run):
        code, shown = run(KEY, self.TWICE)
        assert code == 0
        assert "note: response: 2 repeated mentions, kept in the first of" in shown
        assert shown.strip().endswith("see response:3")

    def test_two_mentions_of_one_span_are_refused_where_asked_for(self, refused):
        shown = refused(KEY, self.TWICE, "--repeated", "error")
        assert shown.startswith(
            "response:3: a mention of document 'd' is repeated here"
        )

    def test_two_mentions_of_an_empty_node_are_at_the_word_behind_it(self, refused):
        # The node stands behind Ann, at line 4; the word behind it is at line 5.
        text = TEXT.replace("Ann", "Ann _")
        twice = conllu(text, cells={1: "(e1--1)(e1--1)"})
        shown = refused(KEY, twice, "--repeated", "error")
        assert shown.startswith("response:5: ")

    def test_two_mentions_behind_an_empty_node_have_their_line(self, refused):
        # Token 2 is the word behind the node.
        text = TEXT.replace("Ann", "Ann _")
        twice = conllu(text, cells={2: "(e1--1)(e1--1)"})
        shown = refused(KEY, twice, "--repeated", "error")
        assert shown.startswith("response:5: ")


class TestUnknownWords:
    WORDED = conll("(1) - (1)", words=["Ann", "hurt", "herself"])
    BARE = "#begin document (d); part 000\n(1)\n-\n(1)\n#end document\n"

    def test_numbers_of_tokens_are_compared(self, refused):
        shorter = self.BARE.replace("-\n", "")
        for key, response, place, numbers in (
            (self.WORDED, shorter, "response:3", "2 tokens, expected 3 as in key:1"),
            (shorter, self.WORDED, "response:4", "3 tokens, expected 2 as in key:1"),
            (self.BARE, shorter, "response:3", "2 tokens, expected 3 as in key:1"),
        ):
            shown = refused(key, response)
            found = f"{place}: document '(d); part 000' has {numbers}"
            assert shown.startswith(found)

    @staticmethod
    def warning(lacks, has):
        missing = f"its words are unknown, but those of the {has} are known"
        return f"warning: {lacks}: {missing}: its text was not compared\n"

    def test_equal_numbers_are_scored(self, run):
        warned = self.warning("response", "key"), self.warning("key", "response")
        assert run(self.WORDED, self.BARE) == (0, warned[0])
        assert run(self.BARE, self.WORDED) == (0, warned[1])

    def test_without_numbers_nothing_is_compared(self, run):
        line = json_line("d_0", None, [[[0, 0], [2, 2]]])
        assert run(self.WORDED, line) == (0, self.warning("response", "key"))
        assert run(line, self.WORDED) == (0, self.warning("key", "response"))

    @pytest.mark.parametrize(
        "response",
        [
            "#begin document (d); part 000\n#end document\n",
            json_line("d_0", [], []),
            "# newdoc id = d_0\n# text = none\n",
        ],
        ids=["conll", "jsonl", "conllu"],
    )
    def test_text_of_no_words_is_another(self, refused, response):
        shown = refused(self.WORDED, response)
        assert "has 0 tokens, expected 3 as in key:1" in shown

    def test_word_with_a_blank_is_its_first_part_or_has_underscores(self, run, refused):
        line = json_line("d_0", ["New York", "is"], [[[0, 0]]])
        for word in ("New", "New_York"):
            code, shown = run(conll("(1) -", words=[word, "is"]), line)
            assert code == 0
            assert "text" not in shown
        shown = refused(conll("(1) -", words=["York", "is"]), line)
        assert shown.startswith("response:1: token 0 of document '(d); part 000' is")


def sgml(text, *, name="d"):
    return f"<DOC><DOCID>{name}</DOCID>\n{text}\n</DOC>\n"


def coref(number, words, reference=None, minimum=None):
    """Mark a mention as MUC does."""
    link = f' REF="{reference}"' if reference else ""
    least = f' MIN="{minimum}"' if minimum else ""
    return f'<COREF ID="{number}"{link}{least}>{words}</COREF>'


class TestCharacters:
    """Running text has tokens that are made here; other files have their own."""

    # Tokens of the column: Ann's aunt / can't leave Rio. Those of the running text cut
    # at the signs: Ann ' s aunt / can ' t leave Rio .
    WORDS = ("Ann's", "aunt", "can't", "leave", "Rio.")
    KEY = conll("(1 1) / - - (2)", words=WORDS)
    SAME = sgml(f"{coref(1, 'Ann&apos;s aunt')}\ncan't leave {coref(2, 'Rio.')}")
    NOTE = "its text has other tokens than the key: mentions are compared by characters"

    def test_mentions_are_compared_by_characters(self, run):
        code, shown = run(self.KEY, self.SAME)
        assert code == 0
        assert shown.splitlines()[0] == f"note: response:1: {self.NOTE}"

    @pytest.mark.parametrize(
        ("response", "found", "tokens"),
        [
            (SAME, 2, 13),  # Ann's aunt 9 characters, Rio. 4
            # Rio without its dot: 9 and 3 of the 13 characters.
            (
                sgml(f"{coref(1, 'Ann&apos;s aunt')}\ncan't leave {coref(2, 'Rio')}."),
                1,
                12,
            ),
            # Only aunt, 4 of 9.
            (sgml(f"Ann's {coref(1, 'aunt')}\ncan't leave {coref(2, 'Rio.')}"), 1, 8),
            (sgml(f"Ann's aunt\n{coref(1, 'can')}'t leave Rio."), 0, 0),
        ],
    )
    def test_counts(self, score, response, found, tokens):
        result = score(self.KEY, response, metrics=["mentions", "mor"])
        assert result["mentions"].recall_numerator == found
        assert result["mor"].recall_numerator == tokens
        assert result["mor"].recall_denominator == 13

    def test_either_side_may_be_running_text(self, score):
        result = score(self.SAME, self.KEY)
        assert result["mentions"].f1 == 1

    def test_same_tokens_need_no_note(self, score):
        plain = conll("(1 1) -", words=["Ann", "Lee", "left"])
        result = score(plain, sgml(f"{coref(1, 'Ann Lee')} left"))
        assert result.notes == ()
        assert result["mentions"].f1 == 1

    def test_minimum_is_compared_by_characters(self, score):
        # The key's minimum is "Ann's": in the other text three tokens.
        key = sgml(f"{coref(1, 'Ann&apos;s old aunt', minimum='Ann&apos;s')} left")
        words = ["Ann's", "old", "aunt", "left"]
        found = {
            cells: score(key, conll(cells, words=words), match="min")[
                "mentions"
            ].recall_numerator
            for cells in ("(1 1) - -", "- (1 1) -", "(1) - - -")
        }
        assert found == {"(1 1) - -": 1, "- (1 1) -": 0, "(1) - - -": 1}

    def test_whole_minimum_is_asked_for(self, score):
        # The key's minimum is its token "aunt's", and "old aunt" has only a part of it.
        key = conllu("Ann old aunt's left", cells={1: "(e1--2-2", 2: "e1)"})
        key = key.replace("head-other", "head-minspan-other")
        found = {
            words: score(
                key,
                sgml("Ann old aunt's left".replace(words, coref(1, words))),
                match="min",
            )["mentions"].recall_numerator
            for words in ("aunt's", "old aunt", "old aunt's")
        }
        assert found == {"aunt's": 1, "old aunt": 0, "old aunt's": 1}

    def test_minimum_at_the_begin_of_the_text_is_compared_whole(self, score):
        # The key's minimum is its first token, of which "Ann" is a part.
        key = conllu("Ann-Lee 's aunt left", cells={0: "(e1--1-1", 2: "e1)"})
        key = key.replace("head-other", "head-minspan-other")
        words = ["Ann", "-", "Lee", "'s", "aunt", "left"]
        found = {
            cells: score(
                key, conll(cells, words=words), match="min", tokens="characters"
            )["mentions"].recall_numerator
            for cells in ("(1) - - - - -", "(1 - 1) - - -")
        }
        assert found == {"(1) - - - - -": 0, "(1 - 1) - - -": 1}

    def test_heads_are_compared_by_their_first_character(self, score):
        # The head of the key is "aunt's", of the response's tokens "aunt".
        key = conllu("Ann 's old aunt's / left", cells={2: "(e1--2", 3: "e1)"})
        response = sgml(f"Ann's {coref(1, 'old aunt', minimum='aunt')}'s left")
        result = score(key, response, match="head")
        assert result["mentions"].recall_numerator == 1

    def test_gaps_are_compared_by_characters(self, score):
        # Parts "Ann's" and "aunt" with "old" between; the response fills the gap.
        cells = {0: "(e1[1/2]--1)", 2: "(e1[2/2]--1)"}
        key = conllu("Ann's old aunt left", cells=cells)
        response = sgml(f"{coref(1, 'Ann&apos;s old aunt')} left")
        result = score(key, response, metrics=["mentions", "mor"])
        assert result["mentions"].recall_numerator == 0
        assert result["mor"].recall_numerator == len("Ann'saunt")
        assert result["mor"].precision_denominator == len("Ann'soldaunt")

    def test_several_documents(self, score):
        key = self.KEY + conll("(1) -", name="(e); part 000", words=["It's", "on"])
        response = self.SAME + sgml(f"{coref(1, 'It&apos;s')} on", name="e")
        result = score(key, response)
        assert result["mentions"].recall_numerator == 3
        assert [note for note in result.notes if self.NOTE in note] == [
            f"response:1: {self.NOTE}"
        ]

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            # All tokens before are other tokens, but the same characters.
            (
                f"Ann's aunt\ncan't {coref(1, 'love')} Rio.",
                "3: the text of document '(d); part 000' has 'love', expected 'leave' "
                "as in key:6",
            ),
            (
                f"{coref(1, 'Eve')}'s aunt\ncan't leave Rio.",
                "2: the text of document '(d); part 000' has 'Eve', expected \"Ann's\" "
                "as in key:2",
            ),
            # The last word stands at the third line.
            (
                f"Ann's aunt\ncan't {coref(1, 'leave')}",
                "3: the text of document '(d); part 000' has nothing more, expected "
                "'Rio.' as in key:7",
            ),
            (
                f"Ann's aunt\ncan't leave {coref(1, 'Rio')}.\nNo.",
                "4: the text of document '(d); part 000' has 'No', expected nothing "
                "more",
            ),
        ],
    )
    def test_other_characters_are_refused_where_they_are(self, refused, text, said):
        shown = refused(self.KEY, sgml(text))
        assert shown.startswith(f"response:{said}")

    def test_tokens_of_columns_are_not_compared_by_characters(self, refused):
        # Both files say what their tokens are.
        shown = refused(conll("(1) -", words="ab"), conll("(1)", words=["ab"]))
        assert shown.startswith("response:2: token 0 of document")

    def test_tokens_of_columns_are_where_the_setting_allows_it(self, score):
        key = conll("(1) - / (1)", words=["ab", "c", "d"])
        response = conll("(1 1) - / (1)", words=["a", "b", "c", "d"])
        result = score(key, response, tokens="characters")
        assert result["muc"].f1 == 1
        assert result.signature.endswith("|tokens:characters")

    def test_other_characters_are_refused_whatever_the_setting(self, score):
        one, other = (conll("(1)", words=[word]) for word in ("ab", "ac"))
        with pytest.raises(corefkit.PairingError):
            score(one, other, tokens="characters")

    @pytest.mark.parametrize("documents", [1, 2])
    def test_an_empty_node_elsewhere_makes_no_difference(
        self, score, monkeypatch, documents
    ):
        # The first document has the node, and the same tokens on both sides.
        monkeypatch.setattr("corefkit.alignment.pipeline._BLOCK_DOCUMENTS", documents)
        first = conllu("Ann _ left", name="a", cells={0: "(e1--1)"})
        key = first + conllu("ab c d", name="b", cells={0: "(e1--1)", 2: "(e1--1)"})
        cells = {0: "(e1--1", 1: "e1)", 3: "(e1--1)"}
        response = first + conllu("a b c d", name="b", cells=cells)
        result = score(key, response, tokens="characters")
        assert result["mentions"].f1 == result["muc"].f1 == 1

    @pytest.mark.parametrize("documents", [1, 3])
    def test_signature_says_so_where_any_document_was(
        self, score, monkeypatch, documents
    ):
        monkeypatch.setattr("corefkit.alignment.pipeline._BLOCK_DOCUMENTS", documents)
        same = conll("(1 1) -", name="(a);", words=["Ann", "Lee", "left"])
        last = conll("(1) -", name="(z);", words=["Bob", "left"])
        running = sgml(f"{coref(1, 'Ann Lee')} left", name="a")
        end = sgml(f"{coref(1, 'Bob')} left", name="z")
        key = same + self.KEY.replace("; part 000", ";") + last
        result = score(key, running + self.SAME + end)
        asked = score(key, running + self.SAME + end, tokens="characters")
        assert result.signature.endswith("|tokens:characters")
        assert result.to_dict(per_document=True) == asked.to_dict(per_document=True)
        assert result.notes == asked.notes == (f"response:4: {self.NOTE}",)
        # Nothing else is another setting, and without such a document nothing is.
        assert result.settings == corefkit.Settings(tokens="characters")
        assert score(same + last, running + end).settings == corefkit.Settings()

    def test_signature_of_each_response_is_its_own(self, tmp_path):
        paths = [
            written(tmp_path / name, text)
            for name, text in (("key", self.KEY), ("running", self.SAME))
        ]
        one, two = corefkit.score_responses(
            paths[0], paths, settings=corefkit.Settings()
        )
        assert [one.settings.tokens, two.settings.tokens] == ["same", "characters"]
        assert any("tokens" in warning for warning in list_cautions([one, two]))

    def test_explain_has_the_signature_of_the_score(self, run, capsys):
        assert run(self.KEY, self.SAME)[0] == 0
        assert main(["explain", "key", "response", "--metric", "muc"]) == 0
        assert capsys.readouterr().out.rstrip().endswith("|tokens:characters")

    def test_empty_nodes_beside_running_text_are_refused(self, refused):
        # A node has no characters, so it has no place among them.
        key = conllu("Ann's _ aunt left", cells={0: "(e1--1)"})
        shown = refused(key, sgml(f"Ann's aunt {coref(1, 'left')}"))
        assert shown.startswith("response:2: token 0 of document 'd' is 'Ann'")

    def test_brat(self, tmp_path):
        written(tmp_path / "key", self.KEY)
        written(tmp_path / "d.txt", "Ann's aunt\ncan't leave Rio.\n")
        annotation = "T1\tPerson 0 10\tAnn's aunt\nT2\tPlace 23 27\tRio.\n"
        response = written(tmp_path / "d.ann", annotation)
        result = corefkit.score(tmp_path / "key", response)
        assert result["mentions"].f1 == 1


def test_reference_preset_notes_the_first_difference_only(score):
    key = conll("(1) -", words=["a", "b"]) + conll("-", name="(e);", words=["c"])
    other = conll("(1) -", words=["a", "x"]) + conll("-", name="(e);", words=["y"])
    result = score(key, other, preset="conll2012")
    notes = [note for note in result.notes if "not the tokens" in note]
    assert notes == ["response:1: not the tokens of key:1, which this preset allows"]
    assert result["mentions"].f1 == 1
