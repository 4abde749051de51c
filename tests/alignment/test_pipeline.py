"""From inputs to aligned blocks, where some of the responses are broken."""

from __future__ import annotations

import threading

import pytest
from files import conll, corpus, written

import corefkit
from corefkit import (
    Document,
    Entity,
    FormatError,
    Mention,
    PairingError,
    Settings,
    SettingsError,
)
from corefkit.alignment import candidates, pipeline
from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs

NAMES = [f"d{number}" for number in range(7)]
CELLS = {name: "(1) (1 1) (2) - (2 2)" for name in NAMES}
SOUND = {name: "(1) (1 1) (2) (1) (2 2)" for name in NAMES}
LISTS = [[["a", "b"]], [["c", "d"]]]
OTHER = {**CELLS, "d3": "- (1 1) (2) - (2 2)"}


def tables(key, responses, *, refusals=None, **settings):
    """Align all responses; give the tables of each as lists, by its number."""
    found = {}
    with open_runs(
        key, responses, settings=Settings(**settings), refusals=refusals
    ) as runs:
        for run, block in iter_aligned_blocks(runs):
            table = block.table
            rows = zip(
                table.key_entity.tolist(),
                table.response_entity.tolist(),
                table.shared.tolist(),
                table.document.tolist(),
                strict=True,
            )
            found.setdefault(run.number, []).append(
                (block.key.numbers, list(rows), table.response.size.tolist())
            )
        kept = [run for run in runs if not run.is_rejected]
        notes = {
            run.number: (run.notes, run.warnings, run.tally.totals) for run in kept
        }
    return {number: (found[number], notes[number]) for number in notes}


@pytest.fixture(
    params=[(1, 1 << 25), (3, 1), (1 << 12, 1 << 25)],
    ids=["blocks of one", "threads", "one block"],
)
def _blocks(request, monkeypatch):
    documents, large = request.param
    monkeypatch.setattr(pipeline, "_BLOCK_DOCUMENTS", documents)
    monkeypatch.setattr(pipeline, "_MIN_THREADED_BYTES", large)


# What a file has, the words of the message, and the settings.
BROKEN = {
    "unknown": ("<html>\n", "is in an unknown format", {}),
    "empty": ("", "is empty", {}),
    "bytes": (corpus(SOUND).encode().replace(b"w3", b"w\xff"), "expected 'w3'", {}),
    "other documents": (corpus({"x": "(1)"}), "no document in common", {}),
    "lacking": (corpus({"d0": SOUND["d0"]}), "lacks 6 documents", {"missing": "error"}),
    "twice": (corpus(SOUND) + conll("-", name="(d1); part 000"), "is repeated", {}),
    "bracket": (corpus({**SOUND, "d4": "(1 - - - - -"}), "is never closed", {}),
    "column": (corpus({**SOUND, "d6": "(1) x - - - -"}), "cell", {}),
    "words": (corpus({**SOUND, "d5": "(1) (1) (1)"}), "tokens", {}),
    "copies": (
        corpus({**SOUND, "d2": "(1)(2) (1) (2) - - -"}),
        "",
        {"repeated": "error"},
    ),
}


@pytest.mark.usefixtures("_blocks")
class TestBrokenResponses:
    @pytest.mark.parametrize("at", [0, 1, 2])
    @pytest.mark.parametrize("name", BROKEN)
    def test_others_go_on_as_without_them(self, tmp_path, name, at):
        content, message, settings = BROKEN[name]
        key = written(tmp_path / "key", corpus(CELLS))
        sound = [
            written(tmp_path / "sound", corpus(SOUND)),
            written(tmp_path / "other", corpus(OTHER)),
        ]
        expected = tables(key, sound, **settings)
        broken = written(tmp_path / "broken", content)
        given = [*sound[:at], broken, *sound[at:]]
        refusals = {}
        found = tables(key, given, refusals=refusals, **settings)
        assert list(refusals) == [at]
        assert message in str(refusals[at])
        assert "broken" in refusals[at].place
        assert list(found.values()) == list(expected.values())
        assert list(found) == [number for number in range(3) if number != at]
        with pytest.raises(type(refusals[at])) as raised:
            tables(key, given, **settings)
        assert str(raised.value) == str(refusals[at])

    def test_missing_files_and_all_broken(self, tmp_path):
        key = written(tmp_path / "key", corpus(CELLS))
        refusals = {}
        given = [str(tmp_path / "none"), written(tmp_path / "bad", "x\n")]
        assert tables(key, given, refusals=refusals) == {}
        assert sorted(refusals) == [0, 1]
        assert "No such file" in str(refusals[0])

    def test_crowded_documents(self, monkeypatch):
        monkeypatch.setattr(candidates, "MAX_PAIRS", 20)
        monkeypatch.setattr(candidates, "_MAX_PAIRS_PER_MENTION", 1)

        def side(*ends):
            nested = tuple(Mention(0, end, head=0) for end in ends)
            one = (Mention(0, 1, head=0),)
            return [
                Document(name, (tuple("abcdefghijkl"),), (Entity("1", mentions),))
                for name in NAMES
                for mentions in [nested if name == "d4" else one]
            ]

        refusals = {}
        key, crowded, sound = side(0, 2, 4, 6, 8), side(1, 3, 5, 7, 9), side(1)
        found = tables(key, [crowded, sound], refusals=refusals, match="partial")
        assert list(refusals) == [0]
        assert "pairs of key and response mentions" in str(refusals[0])
        assert found[1] == tables(key, [sound], match="partial")[0]

    def test_mentions_without_heads(self):
        def document(name, head):
            mentions = (Mention(0, 1, head=0), Mention(2, 3, head=head))
            return Document(name, (tuple("abcd"),), (Entity("1", mentions),))

        key = [document(name, 2) for name in NAMES]
        headless = [document(name, None if name == "d4" else 3) for name in NAMES]
        refusals = {}
        given = [headless, [document(name, 3) for name in NAMES]]
        found = tables(key, given, refusals=refusals, match="head")
        assert "'d4' has no head" in str(refusals[0])
        assert found[1] == tables(key, given[1:], match="head")[0]

    @pytest.mark.parametrize("scope", ["topic", "corpus"])
    def test_documents_that_are_taken_as_one(self, tmp_path, scope):
        def topics(cells):
            return corpus({f"{name[:1]}_{name}": row for name, row in cells.items()})

        key = written(tmp_path / "key", topics(CELLS))
        sound = written(tmp_path / "sound", topics(SOUND))
        broken = written(tmp_path / "broken", topics({**SOUND, "d4": "(1 - - - - -"}))
        refusals = {}
        found = tables(key, [broken, sound], refusals=refusals, scope=scope)
        assert "never closed" in str(refusals[0])
        assert found[1] == tables(key, [sound], scope=scope)[0]
        with pytest.raises(FormatError, match="never closed"):
            tables(broken, [sound], refusals={}, scope=scope)

    def test_what_the_consumer_refuses_is_not_read_on(self, tmp_path):
        key = written(tmp_path / "key", corpus(CELLS))
        refusals, seen = {}, []
        with open_runs(key, [key, key], settings=Settings(), refusals=refusals) as runs:
            for run, _ in iter_aligned_blocks(runs):
                seen.append(run.number)
                if run.number == 0:
                    run.reject(FormatError("no good", code="format/malformed"))
        assert seen.count(0) == 1
        assert seen.count(1) == len(seen) - 1
        assert refusals[0].message == "no good"

    @pytest.mark.parametrize("defect", [KeyboardInterrupt, MemoryError, RuntimeError])
    def test_defects_raise(self, tmp_path, monkeypatch, defect):
        read = pipeline.read_block

        def fail(source, role, numbers, settings):
            if role == "response":
                raise defect
            return read(source, role, numbers, settings)

        monkeypatch.setattr(pipeline, "read_block", fail)
        key = written(tmp_path / "key", corpus(CELLS))
        with pytest.raises(defect):
            tables(key, [key, key], refusals={})

    def test_what_the_system_refuses_has_a_place(self, tmp_path, monkeypatch):
        align = pipeline.align_block

        def fails(run, key, response):
            if run.number == 1:
                raise OSError(5, "Input/output error", "b.conll")
            return align(run, key, response)

        monkeypatch.setattr(pipeline, "align_block", fails)
        key = written(tmp_path / "key", corpus(CELLS))
        refusals = {}
        assert list(tables(key, [key, key], refusals=refusals)) == [0]
        assert str(refusals[1]) == "b.conll: Input/output error"


@pytest.mark.usefixtures("_blocks")
class TestBrokenKeys:
    @pytest.mark.parametrize(
        ("cells", "message", "settings"),
        [
            ({**CELLS, "d4": "(1 - - - - -"}, "never closed", {}),
            ({**CELLS, "d2": "(1)(2) (1) (2)"}, "repeated", {"repeated": "error"}),
            (CELLS, "has no head", {"match": "head"}),
            (CELLS, "has no minimum span", {"match": "min"}),
        ],
    )
    def test_raise(self, tmp_path, cells, message, settings):
        key = written(tmp_path / "key", corpus(cells))
        sound = written(tmp_path / "sound", corpus(SOUND))
        with pytest.raises(FormatError, match=message) as raised:
            tables(key, [sound, sound], refusals={}, **settings)
        assert "key" in raised.value.place

    def test_with_a_document_twice_raise(self, tmp_path):
        twice = corpus(CELLS) + conll("-", name="(d1); part 000")
        key = written(tmp_path / "key", twice)
        with pytest.raises(PairingError, match="is repeated"):
            tables(key, [written(tmp_path / "a", corpus(SOUND))], refusals={})

    def test_without_topics_raise(self):
        key = {name: {"e": [(0, 0)]} for name in NAMES}
        with pytest.raises(PairingError, match="names no topic"):
            tables(key, [key], refusals={}, scope="topic")


class TestMemory:
    """Values whose shape is decided for all sides at once."""

    @pytest.mark.parametrize(
        ("key", "sound", "broken", "message"),
        [
            (["ab", "c"], ["abc"], 7, "found 7"),
            (["ab", "c"], ["abc"], {"x": ["ab"]}, "no document in common"),
            (LISTS, [[["a"]], [["c"]]], [[["a"]]], "a list of 1 documents"),
            (LISTS, [[], [["c"]]], ["ab", "c"], "found one document"),
            (["ab", "c"], ["abc"], LISTS, "found one document"),
            (["ab"], ["abc"], Document("document", (), ()), "is not a span of tokens"),
            ({"d": ["ab"]}, {"d": ["a"]}, LISTS, "a list of 2 documents"),
        ],
    )
    def test_others_go_on_as_without_them(self, key, sound, broken, message):
        expected = tables(key, [sound, key])
        for at in range(3):
            given = [sound, key]
            given.insert(at, broken)
            refusals = {}
            found = tables(key, given, refusals=refusals)
            assert list(refusals) == [at]
            assert message in str(refusals[at])
            assert list(found.values()) == list(expected.values())
            with pytest.raises(corefkit.CorefkitError):
                tables(key, given)

    def test_names_beside_tokens(self, tmp_path):
        header = "document\tentity\tmention\n"
        names = written(tmp_path / "names", f"{header}d\t1\tx\nd\t1\ty\n")
        tokens = written(tmp_path / "tokens", conll("(1) (1)", name="(d); part 000"))
        for key, broken in ((names, tokens), (tokens, names)):
            refusals = {}
            found = tables(key, [broken, key], refusals=refusals)
            assert "is a name" in str(refusals[0])
            assert found[1] == tables(key, [key])[0]

    def test_names_of_a_response_that_does_not_pair_are_forgotten(self, tmp_path):
        header = "document\tentity\tmention\n"
        key = written(tmp_path / "key", f"{header}d\t1\t0-1\nd\t1\t3\n")
        names = written(tmp_path / "names", f"{header}e\t1\tx\ne\t1\ty\n")
        expected = corefkit.score(key, key).to_dict()
        for given in ([names, key], [key, names]):
            found = corefkit.score_submissions(key, given)
            (sound,) = [one for one in found if isinstance(one, corefkit.Evaluation)]
            assert sound.to_dict() == expected

    def test_a_key_that_is_broken_raises(self):
        with pytest.raises(FormatError):
            tables(7, [["ab"]], refusals={})
        either = [[frozenset("ab")]]
        with pytest.raises(FormatError, match="can be one document"):
            tables(either, [either], refusals={})
        refusals = {}
        assert list(tables(["ab"], [either, ["a"]], refusals=refusals)) == [0, 1]


def test_threads_end_with_an_error_that_is_kept(monkeypatch):
    """The traceback of an error keeps the frames that read in threads."""
    monkeypatch.setattr("corefkit.alignment.pipeline._MIN_THREADED_BYTES", 0)
    monkeypatch.setattr("corefkit.alignment.pipeline._BLOCK_DOCUMENTS", 1)
    before = set(threading.enumerate())

    def fail(_):
        message = "no counts"
        raise SettingsError(message, code="settings/conflict")

    metric = corefkit.Metric("fails", "Fails", fail, corefkit.METRICS["muc"].score)
    key = {str(number): ["ab"] for number in range(5)}
    with pytest.raises(SettingsError) as caught:
        corefkit.score(key, key, metrics=[metric])
    assert caught.tb is not None
    assert set(threading.enumerate()) == before
