"""The same corpus put in another way has the same counts.

In blocks of one document or in one, in threads or without, as files or a folder or
documents in memory, packed or through a pipe, in any order, beside other responses: for
every setting, and every format that corefkit writes. What is refused in one way is
refused in the others, since nobody should learn of a fault by luck.
"""

from __future__ import annotations

import gzip
import os
import shutil
from contextlib import contextmanager, suppress
from functools import cache
from itertools import chain
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from corpora import key_documents, response_documents, retokenised, written_corpus

import corefkit
from corefkit import FORMATS, METRICS, PRESETS, SUPPLEMENTS, VARIANTS, CorefkitError
from corefkit.settings import SETTINGS, Settings, resolve_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

WEIGHTED = ("ceaf_m_weighted", "ceaf_e_weighted", "lea_weighted", "ace_value")
PLAIN = [name for name in (*METRICS, *VARIANTS, *SUPPLEMENTS) if name not in WEIGHTED]
# Every preset, every value of every setting, and weights that ask for types.
EVERY_SETTING: dict[str, Settings] = {
    "default": Settings(),
    **PRESETS,
    **{
        f"{name}:{value}": resolve_settings(**{name: value})
        for name, row in SETTINGS.items()
        if row.is_option
        for value in list(row.choices)[1:]
    },
}
METRICS_OF = {
    **dict.fromkeys(EVERY_SETTING, PLAIN),
    "ace2005": WEIGHTED,
}


REFUSED = "refused"


class Written:
    """A key and a response in one format, written once, in any way that is asked for.

    Args:
        folder: where to write.
        format: the name of the format.
        key: the documents of the key.
        response: those of the response.
    """

    def __init__(self, folder: Path, format: str, key: list, response: list) -> None:
        self.folder, self.format = folder, format
        self._documents = {"key": key, "response": response}
        self.one_file = FORMATS[format].writer.files is None
        self.packs = FORMATS[format].writer.text is not None
        self.whole = cache(self._whole)
        self.backwards = cache(self._backwards)
        self.apart = cache(self._apart)
        self.packed = cache(self._packed)
        self.outcome = cache(self._outcome)

    def _whole(self, side: str) -> Path:
        documents = self._documents[side]
        return written_corpus(self.folder, self.format, documents, stem=side)

    def _backwards(self, side: str) -> Path:
        """Give the last document first; where each has its file, by folders."""
        documents = self._documents[side][::-1]
        folder = self.folder / "backwards"
        if self.one_file:
            return written_corpus(folder, self.format, documents, stem=side)
        for number, one in enumerate(documents):
            below = folder / side / str(number)
            written_corpus(below, self.format, [one], stem="one")
        return folder / side

    def _apart(self, side: str) -> Path:
        """Give each document its file, in a folder."""
        folder = self.folder / "apart" / side
        for one in self._documents[side]:
            written_corpus(folder / f"in{one.id}", self.format, [one], stem=one.id)
        return folder

    def _packed(self, side: str) -> Path:
        path = self.whole(side)
        packed = path.with_name(f"{path.name}.gz")
        packed.write_bytes(gzip.compress(path.read_bytes()))
        return packed

    def _outcome(self, name: str) -> object:
        """Score the plain way: one block, no threads, a file if there may be one."""
        return outcome(self.whole("key"), self.whole("response"), name)


def outcome(key: object, response: object, name: str) -> object:
    """Score, and give all counts of each document and all scores; or what refuses."""
    try:
        (result,) = corefkit.score_responses(
            key, [response], settings=EVERY_SETTING[name], metrics=METRICS_OF[name]
        )
    except CorefkitError:
        return REFUSED
    return values(result)


def values(result: corefkit.Evaluation) -> object:
    counts = {
        (document, metric): rows[number].tolist()
        for metric, rows in result.counts.items()
        for number, document in enumerate(result.documents)
    }
    scores = {
        name: (one.recall, one.precision, one.f1) for name, one in result.scores.items()
    }
    return {"signature": result.signature, **counts, **scores}


# Formats whose documents have no ids: files name them, or their order does.
UNNAMED = ("crac-text",)


def in_blocks_of_one(case: Written, name: str, patch: pytest.MonkeyPatch) -> object:
    patch.setattr("corefkit.alignment.pipeline._BLOCK_DOCUMENTS", 1)
    return outcome(case.whole("key"), case.whole("response"), name)


def in_threads(case: Written, name: str, patch: pytest.MonkeyPatch) -> object:
    patch.setattr("corefkit.alignment.pipeline._BLOCK_DOCUMENTS", 2)
    patch.setattr("corefkit.alignment.pipeline._MIN_THREADED_BYTES", 0)
    return outcome(case.apart("key"), case.apart("response"), name)


def in_folders(case: Written, name: str, patch: pytest.MonkeyPatch) -> object:
    del patch
    if not case.one_file:
        return outcome(case.apart("key"), case.whole("response"), name)
    sides = []
    for side in ("key", "response"):
        path = case.whole(side)
        folder = case.folder / "folders" / side
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder)
        sides.append(folder)
    return outcome(*sides, name)


def as_documents(case: Written, name: str, patch: pytest.MonkeyPatch) -> object:
    del patch
    try:
        sides = [list(corefkit.read(case.whole(side))) for side in ("key", "response")]
    except CorefkitError:
        return REFUSED
    odd = any(one.origin == "strict" for one in chain(*sides))
    if odd and EVERY_SETTING[name].reading == "reference":
        # The reference scorer reads these files another way than `read` did.
        assert outcome(*sides, name) == REFUSED
        pytest.skip("refused in words")
    return outcome(*sides, name)


def from_the_last(case: Written, name: str, patch: pytest.MonkeyPatch) -> object:
    del patch
    return outcome(case.backwards("key"), case.backwards("response"), name)


def beside_another(case: Written, name: str, patch: pytest.MonkeyPatch) -> object:
    """Score with another response before it and one behind it."""
    del patch
    key, response = case.whole("key"), case.whole("response")
    try:
        _, result, _ = corefkit.score_responses(
            key,
            [key, response, case.backwards("response")],
            settings=EVERY_SETTING[name],
            metrics=METRICS_OF[name],
        )
    except CorefkitError:
        return REFUSED
    return values(result)


def packed(case: Written, name: str, patch: pytest.MonkeyPatch) -> object:
    del patch
    if not case.packs:
        pytest.skip("a format of several files, or of bytes, is not packed")
    return outcome(case.packed("key"), case.packed("response"), name)


def through_pipes(case: Written, name: str, patch: pytest.MonkeyPatch) -> object:
    del patch
    if not case.one_file:
        pytest.skip("a format of several files does not go through a pipe")
    with (
        piped(case.whole("key"), case.folder / "pipes") as key,
        piped(case.whole("response"), case.folder / "pipes") as response,
    ):
        return outcome(key, response, name)


@contextmanager
def piped(path: Path, folder: Path) -> Iterator[Path]:
    """Give a pipe, called as the file, that the file comes out of."""
    folder.mkdir(exist_ok=True)
    pipe = folder / path.name
    os.mkfifo(pipe)
    thread = Thread(target=_pour, args=(path, pipe))
    thread.start()
    try:
        yield pipe
    finally:
        # Whoever waits for a reader, now or in a moment, gets one that takes it all.
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        while thread.is_alive():
            with suppress(BlockingIOError):
                os.read(reader, 1 << 16)
            thread.join(0.01)
        os.close(reader)
        pipe.unlink()


def _pour(path: Path, pipe: Path) -> None:
    with suppress(BrokenPipeError):
        pipe.write_bytes(path.read_bytes())


WAYS: dict[str, Callable[[Written, str, pytest.MonkeyPatch], object]] = {
    way.__name__: way
    for way in (
        in_blocks_of_one,
        in_threads,
        in_folders,
        as_documents,
        from_the_last,
        beside_another,
        packed,
        through_pipes,
    )
}


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    """Give a corpus in a format: `even`, `uneven`, or with `other tokens`."""

    @cache
    def case(format: str, kind: str) -> Written:
        key = key_documents(1, uneven=kind != "even")
        response = response_documents(key, 1)
        if kind == "other tokens":
            response[2] = retokenised(response[2])
        return Written(tmp_path_factory.mktemp(format), format, key, response)

    return case


def check(written: Written, way: str, name: str, patch: pytest.MonkeyPatch) -> None:
    if written.format in UNNAMED and way in (
        "in_threads",
        "in_folders",
        "as_documents",
    ):
        pytest.skip("documents have other ids, since the format has none")
    expected, found = written.outcome(name), WAYS[way](written, name, patch)
    if REFUSED in (found, expected):
        # Of several faults another one may be found first.
        assert found == expected
        return
    if way == "from_the_last" and EVERY_SETTING[name].scope != "document":
        # Documents of a topic are one text, in which mentions stand elsewhere now.
        assert found.pop("signature") == expected["signature"]
        # Nor does the first mention of an entity, which is no anaphor, stay the first.
        found = {
            one: row for one, row in found.items() if "zeros" not in (one, one[-1])
        }
        for one, numbers in found.items():
            assert numbers == pytest.approx(expected[one], rel=1e-12), one
        return
    assert found == expected


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", EVERY_SETTING)
def test_counts_are_the_same_for_every_setting(case, way, name, monkeypatch):
    # Of all formats CoNLL-U says most.
    check(case("conllu", "uneven"), way, name, monkeypatch)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("format", FORMATS)
def test_counts_are_the_same_in_every_format(case, way, format, monkeypatch):
    for name in ("default", "conll2012"):
        with monkeypatch.context() as patch:
            check(case(format, "even"), way, name, patch)


@pytest.mark.parametrize("way", WAYS)
def test_counts_are_the_same_where_one_text_has_other_tokens(case, way, monkeypatch):
    # Another document has empty nodes, which have no characters.
    written = case("conllu", "other tokens")
    assert written.outcome("default") == REFUSED
    assert written.outcome("tokens:characters") != REFUSED
    check(written, way, "tokens:characters", monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["even", "uneven", "other tokens"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("format", FORMATS)
def test_counts_are_the_same_for_all(case, way, format, kind, monkeypatch):
    for name in EVERY_SETTING:
        with monkeypatch.context() as patch:
            check(case(format, kind), way, name, patch)


def test_every_setting_is_tried():
    # A setting that is signed with another one has no effect alone.
    chosen = {
        name: row.choices
        for name, row in SETTINGS.items()
        if row.choices and not row.signed_with
    }
    tried = {
        (name, getattr(settings, name))
        for settings in EVERY_SETTING.values()
        for name in chosen
    }
    assert tried == {(name, value) for name in chosen for value in chosen[name]}
