"""Large files: what is looked at, and that work does not grow with its square."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from analysis.doctor import damages
from analysis.doctor.damages import imperfect

import corefkit
from corefkit.analysis.doctor import case
from corefkit.analysis.doctor.text_checks import match_words
from corefkit.example import paths
from corefkit.model import Document

KEY = tuple(corefkit.read(paths()[0]))
FIRST = 8  # documents that are looked at


def corpus(copies):
    """Copy the documents of the example; each has one more word of its own."""
    return [
        replace(one, id=f"{at}-{copy}", sentences=(*one.sentences, (f"n{at}-{copy}",)))
        for copy in range(copies)
        for at, one in enumerate(
            replace(one, layers={}, comments=(), origin="") for one in KEY
        )
    ]


def from_1(documents):
    """Count tokens from 1; the words stay, so that it can be written as CoNLL."""
    return [
        damages.with_spans(one, lambda span: (span.start + 1, span.end + 1))
        for one in documents
    ]


@pytest.fixture
def examined(tmp_path, monkeypatch):
    """Examine files of which the first documents are enough."""

    def examine(key, response):
        corefkit.write(key, tmp_path / "key.conll")
        corefkit.write(response, tmp_path / "response.conll")
        corefkit.write(key[:FIRST], tmp_path / "first.conll")
        size = (tmp_path / "first.conll").stat().st_size
        monkeypatch.setattr(case, "_LARGE_BYTES", size + 1)
        monkeypatch.setattr(case, "_SAMPLE_BYTES", size - size // (2 * FIRST))
        return corefkit.doctor(tmp_path / "key.conll", tmp_path / "response.conll")

    return examine


def checks(examination):
    return [finding.check for finding in examination.findings]


class TestSample:
    def test_first_documents_are_enough_and_it_says_so(self, examined):
        key = corpus(6)
        response = imperfect(key)
        found = examined(key, from_1(response))
        assert (found.looked_at, found.documents) == (FIRST, len(key))
        assert checks(found) == ["offsets"]
        assert f"Looked at the first {FIRST} documents of {len(key)}" in str(found)
        assert found.to_dict()["looked_at"] == FIRST
        # The score is of all; what is found is of the first ones.
        assert found.scores.conll == corefkit.score(key, from_1(response)).conll
        sound = corefkit.score(key[:FIRST], response[:FIRST]).conll
        assert found.findings[0].after.conll == sound
        assert f"in {FIRST} documents" in found.findings[0].text

    def test_order_of_the_response_does_not_matter(self, examined):
        key = corpus(6)
        found = examined(key, from_1(imperfect(key))[::-1])
        assert (found.looked_at, checks(found)) == (FIRST, ["offsets"])

    def test_nothing_is_found_in_a_sound_response(self, examined):
        key = corpus(6)
        found = examined(key, imperfect(key))
        assert (found.looked_at, checks(found)) == (FIRST, [])

    def test_all_are_looked_at_where_the_fault_stands_behind(self, examined):
        key = corpus(6)
        response = imperfect(key)
        half = len(key) // 2
        found = examined(key, [*response[:half], *from_1(response[half:])])
        assert found.looked_at == found.documents == len(key)
        assert checks(found) == ["offsets"]
        assert found.findings[0].after.conll == corefkit.score(key, response).conll
        assert "Looked at" not in str(found)

    @pytest.mark.parametrize(
        ("damage", "check"),
        [
            (damages.numbered, "names"),
            (damages.without_last_document, "missing"),
            (damages.with_another_document, "extra"),
            (damages.split, "split"),
            (
                lambda all: [*all[:-1], *damages.in_lower_case(all[-1:])],
                "spelling",
            ),
        ],
        ids=["names", "missing", "extra", "split", "last text"],
    )
    @pytest.mark.slow
    def test_all_are_looked_at_where_the_first_cannot_tell(
        self, examined, damage, check
    ):
        key = corpus(6)
        found = examined(key, damage(imperfect(key)))
        assert found.looked_at == len(key)
        assert checks(found)[0] == check

    @pytest.mark.slow
    def test_more_documents_are_not_more_work(self, examined, monkeypatch):
        scored = []

        def counted(key, response, **keywords):
            if isinstance(key, list):
                scored.append(len(key))
            return corefkit.score(key, response, **keywords)

        monkeypatch.setattr(case, "score", counted)
        work = []
        for copies in (4, 16):
            key = corpus(copies)
            scored.clear()
            assert checks(examined(key, from_1(imperfect(key)))) == ["offsets"]
            work.append(list(scored))
        assert work[0] == work[1]
        assert set(work[0]) == {FIRST}


def text(length):
    """Write sentences of words as frequent as in texts: a few often, many once."""
    chance = random.Random(length)
    words = [f"w{int(chance.paretovariate(0.5))}" for _ in range(length)]
    return [tuple(words[at : at + 20]) for at in range(0, length, 20)]


class TestVersions:
    def test_words_of_a_long_text_with_changed_sentences_are_found(self):
        key = text(50_000)
        response = [row[1:] if at % 7 == 0 else row for at, row in enumerate(key)]
        found = match_words(
            Document("d", tuple(key), ()), Document("d", tuple(response), ())
        )
        assert found.first == found.last == sorted(found.first)
        assert (found.lost, found.added) == (len(key) // 7 + 1, 0)

    def test_other_texts_have_no_words_in_common(self):
        key, response = (
            text(1_000),
            [tuple(f"{word}x" for word in row) for row in text(1_000)],
        )
        found = match_words(
            Document("d", tuple(key), ()), Document("d", tuple(response), ())
        )
        assert found is None


def test_joined_documents_are_found_by_how_they_begin():
    rows = ["a b", "c", "a b c d e f g h i", "a b c d e f g h j"]
    key = [Document(row, (tuple(row.split()),), ()) for row in rows]

    def check_joined(words):
        examination = corefkit.doctor(key, [Document("all", (tuple(words),), ())])
        return [f.text for f in examination.findings if f.check == "joined"]

    (text,) = check_joined("abc")
    assert "'all' of the response is 2 documents of the key in one, from 'a b'" in text
    assert not check_joined("abcdefghj")
    assert not check_joined("abcd")
