"""Model files: what is written, what is read, and what is refused."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import zipfile
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from resolver.learners.pairs import skewed

from cistell.card import Card
from cistell.learners.base import Column
from cistell.learners.ib1 import learn_ib1
from cistell.modelfile import (
    FORMAT,
    FOUND,
    GOLD,
    Model,
    load_model,
    save_model,
)
from cistell.models import Linking
from cistell.taggers import MentionTagger
from corefkit.exceptions import CorefkitError

PAIRS = skewed(0, 200)
MODEL = Model(
    language="en",
    columns=PAIRS.columns,
    learner="ib1",
    classifier=learn_ib1(PAIRS),
    corpus={"documents": 3, "scheme": "été"},
    training={"pairs": 200, "sampling": {"scheme": "every"}},
    tagger={"weights.bin": b"\x00\x01"},
    parser={"udpipe": b"\x02", "network/weights": b"\x03"},
    linkings={GOLD: Linking("best", "none", 0.25), FOUND: Linking("first")},
    biases={GOLD: 0.5},
    card=Card("a trial", ("tales",), ("CC BY",), ("WordNet 3.0",), {"CoNLL": 61.5}),
)


@pytest.fixture
def path(tmp_path):
    """Return a file with a model in it."""
    save_model(MODEL, tmp_path / "model.zip")
    return tmp_path / "model.zip"


def entries(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(path, about=None, **bodies):
    """Change what a model file says and has; None takes something away."""
    found = entries(path)
    described = json.loads(found.pop("model.json")) | (about or {})
    described = {name: value for name, value in described.items() if value is not None}
    for name, body in bodies.items():
        found[name] = body
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.json", json.dumps(described))
        for name, body in found.items():
            archive.writestr(name, body)


def refused(path, **options):
    with pytest.raises(CorefkitError) as error:
        load_model(path, **options)
    assert error.value.place == str(path)
    return error.value


class TestSaving:
    def test_model_is_read_as_it_was_written(self, path):
        found = load_model(path)
        for name in {field.name for field in fields(Model)} - {"classifier"}:
            assert getattr(found, name) == getattr(MODEL, name)
        expected = MODEL.classifier.decide(PAIRS.rows)
        decisions = found.classifier.decide(PAIRS.rows)
        np.testing.assert_array_equal(decisions.distance, expected.distance)

    @pytest.mark.parametrize("part", ["tagger", "parser"])
    def test_model_without_a_part_has_none(self, path, part):
        save_model(replace(MODEL, **{part: None}), path)
        assert getattr(load_model(path), part) is None

    def test_same_model_gives_the_same_bytes(self, path, tmp_path):
        other = tmp_path / "other.zip"
        save_model(load_model(path), other)
        assert other.read_bytes() == path.read_bytes()

    def test_entries_have_no_date_of_their_own_and_are_sorted(self, path):
        with zipfile.ZipFile(path) as archive:
            assert {entry.date_time for entry in archive.infolist()} == {
                (1980, 1, 1, 0, 0, 0)
            }
            names = archive.namelist()
        assert names[0] == "model.json"
        assert names[1:] == sorted(names[1:])
        assert "tagger/weights.bin" in names

    def test_model_says_what_it_is(self, path):
        about = json.loads(entries(path)["model.json"])
        assert (about["format"], about["language"]) == (FORMAT, "en")
        assert about["columns"][0] == {"name": "f0", "values": list("abcdefgh")}
        digest = hashlib.sha256(b"\x00\x01").hexdigest()
        assert about["sha256"]["tagger/weights.bin"] == digest

    def test_nothing_is_left_where_writing_fails(self, path, monkeypatch):
        before = path.read_bytes()

        def full(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
        with pytest.raises(CorefkitError, match="No space left") as error:
            save_model(MODEL, path)
        assert error.value.place == str(path)
        assert path.read_bytes() == before
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    def test_missing_folder_is_an_error(self, tmp_path):
        with pytest.raises(CorefkitError, match="No such file or directory"):
            save_model(MODEL, tmp_path / "none" / "model.zip")


class TestRefusing:
    @pytest.mark.parametrize("body", [b"", b"not a zip", b"PK\x03\x04 half of one"])
    def test_what_is_no_zip(self, path, body):
        path.write_bytes(body)
        assert (
            refused(path).message == "this is not a model that `corefkit train` wrote"
        )

    @pytest.mark.parametrize(
        "about", [b"", b"[1]", b"{}", b'{"format": "new"}', b"\xff"]
    )
    def test_zip_of_something_else(self, path, about):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("model.json", about)
        assert (
            refused(path).message == "this is not a model that `corefkit train` wrote"
        )

    def test_file_that_is_not_there(self, path):
        path.unlink()
        assert "No such file" in refused(path).message

    def test_folder(self, tmp_path):
        assert "cannot be read" in refused(tmp_path).message

    def test_other_format(self, path):
        rewrite(path, {"format": FORMAT + 1, "corefkit": "99.0"})
        error = refused(path)
        assert f"format {FORMAT + 1}, of corefkit 99.0" in error.message
        assert "train the model again" in error.hint

    @pytest.mark.parametrize(
        "part",
        [
            "language",
            "columns",
            "learner",
            "corpus",
            "linkings",
            "biases",
            "parts",
            "card",
        ],
    )
    def test_description_that_lacks_a_part(self, path, part):
        rewrite(path, {part: None})
        assert "model.json lacks a part" in refused(path).message

    def test_entry_that_was_altered(self, path):
        name = "learner/memory.weights.bin"
        rewrite(path, **{name: bytes(len(entries(path)[name]))})
        assert f"'{name}' is not as it was written" in refused(path).message

    def test_entry_that_is_missing(self, path):
        about = json.loads(entries(path)["model.json"])
        rewrite(path, {"sha256": about["sha256"] | {"learner/more": "0"}})
        assert "'learner/more' is not as it was written" in refused(path).message

    def test_any_byte_that_is_altered_changes_nothing_or_is_refused(self, path):
        body = path.read_bytes()
        for at in range(0, len(body), 97):
            path.write_bytes(body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :])
            try:
                found = load_model(path)
            except CorefkitError:
                continue
            assert found.classifier.files() == MODEL.classifier.files()

    def test_unknown_learner(self, path):
        rewrite(path, {"learner": "oracle"})
        assert "unknown learner 'oracle'" in refused(path).message


class TestBombs:
    def bomb(self, path, *, stated=None, name="learner/more"):
        """Add an entry of zeros to a model, much larger than it is packed."""
        about = json.loads(entries(path)["model.json"])
        rewrite(path, {"sha256": about["sha256"] | {name: "0"}})
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
            with archive.open(name, "w") as entry:
                for _ in range(300):
                    entry.write(bytes(1 << 20))
            if stated is not None:
                archive.getinfo(name).file_size = stated

    @pytest.mark.slow
    def test_entry_that_would_fill_memory(self, path, monkeypatch):
        self.bomb(path)
        monkeypatch.setattr(zipfile.ZipFile, "open", None)  # nothing is unpacked
        error = refused(path)
        assert "would unpack to 314," in error.message
        assert "copy the model file again" in error.hint

    @pytest.mark.slow
    def test_entry_that_lies_about_its_size(self, path, monkeypatch):
        self.bomb(path, stated=10)
        taken = []
        plain = zipfile.ZipExtFile._read1

        def counted(self, size):
            part = plain(self, size)
            taken.append(self._decompressor is None or size)
            return part

        monkeypatch.setattr(zipfile.ZipExtFile, "_read1", counted)
        assert "'learner/more' is not as it was written" in refused(path).message
        assert max(taken) < 1 << 20

    def test_packing_that_no_model_has(self, path):
        with zipfile.ZipFile(path, "a", zipfile.ZIP_BZIP2) as archive:
            archive.writestr("learner/more", bytes(1 << 20))
        assert (
            refused(path).message == "this is not a model that `corefkit train` wrote"
        )

    @pytest.mark.parametrize("part", ["model.json", "learner/memory.json"])
    def test_json_that_is_too_deep(self, path, part):
        body = b"[" * 100_000 + b"]" * 100_000
        if part != "model.json":
            about = json.loads(entries(path)["model.json"])
            digest = {part: hashlib.sha256(body).hexdigest()}
            rewrite(path, {"sha256": about["sha256"] | digest}, **{part: body})
            assert "memory.json is missing or damaged" in refused(path).message
            return
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(part, body)
        assert (
            refused(path).message == "this is not a model that `corefkit train` wrote"
        )

    def test_tagger_whose_json_is_too_deep(self):
        body = b"[" * 100_000 + b"]" * 100_000
        with pytest.raises(CorefkitError, match="is missing or damaged"):
            MentionTagger.load({"tagger.json": body})


# Values that nobody wrote, in place of any that a model has.
STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**400, -1, float("nan"), float("inf"), "", "ib1", "\x1b[2J"]),
    st.lists(st.lists(st.integers(), max_size=1), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)


def replaced(value, path, new):
    """Put a value in the place that a path of numbers leads to."""
    if not path or not isinstance(value, dict | list) or not value:
        return new
    places = list(value) if isinstance(value, dict) else range(len(value))
    place = places[path[0] % len(places)]
    copy = value.copy()
    copy[place] = replaced(value[place], path[1:], new)
    return copy


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 20), min_size=1, max_size=4), STRANGE, st.booleans())
def test_damaged_description_is_read_or_refused_in_words(path, place, new, of_memory):
    save_model(MODEL, path)
    found = entries(path)
    part = "learner/memory.json" if of_memory else "model.json"
    body = json.dumps(replaced(json.loads(found[part]), place, new)).encode()
    if of_memory:
        about = json.loads(found["model.json"])
        digest = {part: hashlib.sha256(body).hexdigest()}
        rewrite(path, {"sha256": about["sha256"] | digest}, **{part: body})
    else:
        found["model.json"] = body
        with zipfile.ZipFile(path, "w") as archive:
            for name, one in found.items():
                archive.writestr(name, one)
    with contextlib.suppress(CorefkitError):
        load_model(path, known=lambda _: PAIRS.columns)


class TestFeatures:
    def test_known_features_are_asked_for_the_language(self, path):
        asked = []

        def known(language):
            asked.append(language)
            return (*PAIRS.columns, Column("more", ("no", "yes")))

        assert load_model(path, known=known).columns == PAIRS.columns
        assert asked == ["en"]

    def test_feature_that_is_not_known(self, path):
        error = refused(path, known=lambda _: PAIRS.columns[1:])
        assert "has the feature 'f0', unknown to this corefkit" in error.message
        assert "train it again" in error.hint

    def test_feature_with_other_values(self, path):
        changed = (Column("f0", ("no", "yes")), *PAIRS.columns[1:])
        error = refused(path, known=lambda _: changed)
        assert "has other values of the feature 'f0'" in error.message


class TestTimbl:
    @pytest.fixture
    def path(self, tmp_path):
        pytest.importorskip("timblapi")
        from cistell.learners.timbl import learn_timbl

        model = replace(MODEL, learner="timbl", classifier=learn_timbl(PAIRS))
        save_model(model, tmp_path / "model.zip")
        return tmp_path / "model.zip"

    def test_model_decides_the_same(self, path):
        expected = MODEL.classifier.decide(PAIRS.rows)
        found = load_model(path).classifier.decide(PAIRS.rows)
        np.testing.assert_array_equal(found.distance, expected.distance)

    def test_ib1_takes_over_with_one_note(self, path, monkeypatch):
        monkeypatch.setitem(sys.modules, "timblapi", None)
        notes = []
        found = load_model(path, note=notes.append)
        assert (found.learner, len(notes)) == ("ib1", 1)
        expected = MODEL.classifier.decide(PAIRS.rows)
        decisions = found.classifier.decide(PAIRS.rows)
        np.testing.assert_array_equal(decisions.distance, expected.distance)

    def test_corrupt_instances_that_timbl_sees(self, path):
        name = "learner/timbl.instances"
        body = entries(path)[name][:-200]
        about = json.loads(entries(path)["model.json"])
        digest = {name: hashlib.sha256(body).hexdigest()}
        rewrite(path, {"sha256": about["sha256"] | digest}, **{name: body})
        assert "TiMBL cannot read the instances" in refused(path).message
