"""Steps are done once, again when something changes, and leave nothing half done."""

from __future__ import annotations

import json
import re

import pytest

from cistell.studies.folder import RunFolder, RunStep, json_text
from corefkit.exceptions import SettingsError

CONFIG = {"seed": 0, "study": {"title": "Stories", "settings": ["a"]}}


def folder_in(path, config=CONFIG, **options):
    versions = options.pop("versions", {"corefkit": "0"})
    return RunFolder(path, config=config, versions=versions, **options)


def step(made, *, options=None, inputs=(), name="a.model", text="learned"):
    def make(out):
        made.append(name)
        (out / "models" / name).write_text(text, "utf-8")

    return RunStep(name, "training", tuple(inputs), options or {}, make)


def test_step_is_done_once(tmp_path):
    made = []
    assert folder_in(tmp_path / "run").do(step(made))
    assert not folder_in(tmp_path / "run").do(step(made))
    assert made == ["a.model"]
    assert (tmp_path / "run/models/a.model").read_text("utf-8") == "learned"


def test_what_a_step_told_is_told_again_where_it_was_done_before(tmp_path):
    for done in (True, False):
        heard = []
        folder = folder_in(tmp_path / "run", listener=heard.append)

        def make(out, folder=folder):
            folder.note("no list of names")
            (out / "models/a.model").write_text("learned", "utf-8")

        folder.note("said before the step")
        assert folder.do(RunStep("a.model", "training", (), {}, make)) is done
        assert heard == ["said before the step", "no list of names"]


def test_step_is_done_again_where_something_changed(tmp_path):
    made = []
    folder = folder_in(tmp_path / "run")
    source = tmp_path / "run/corpora/a.conllu"
    source.write_text("words", "utf-8")
    inputs = ("corpora/a.conllu",)
    folder.do(step(made, inputs=inputs))
    assert not folder.do(step(made, inputs=inputs))
    assert folder.do(step(made, inputs=inputs, options={"seed": 1}))
    source.write_text("other words", "utf-8")
    assert folder.do(step(made, inputs=inputs, options={"seed": 1}))
    newer = folder_in(tmp_path / "run", versions={"corefkit": "1"})
    assert newer.do(step(made, inputs=inputs, options={"seed": 1}))


@pytest.mark.parametrize("damage", ["deleted", "changed", "note"])
def test_step_is_done_again_where_its_output_is_damaged(tmp_path, damage):
    made = []
    folder = folder_in(tmp_path / "run")
    folder.do(step(made))
    output = tmp_path / "run/models/a.model"
    if damage == "deleted":
        output.unlink()
    elif damage == "changed":
        output.write_text("lear", "utf-8")
    else:
        (tmp_path / "run/steps/a.model.json").write_text('{"key"', "utf-8")
    assert folder.do(step(made))
    assert output.read_text("utf-8") == "learned"


def test_interrupted_step_leaves_nothing(tmp_path):
    folder = folder_in(tmp_path / "run")

    def make(out):
        (out / "models" / "a.model").write_text("lear", "utf-8")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        folder.do(RunStep("a.model", "training", (), {}, make))
    assert not [path for path in (tmp_path / "run/models").iterdir()]
    assert not list((tmp_path / "run").glob(".unfinished"))
    made = []
    assert folder.do(step(made))


def test_run_of_another_configuration_is_refused(tmp_path):
    folder_in(tmp_path / "run")
    other = {"seed": 7, "study": {"title": "Stories", "settings": ["b"]}}
    message = "another configuration: seed is 7, was 0, study.settings is another"
    with pytest.raises(SettingsError, match=re.escape(message)) as error:
        folder_in(tmp_path / "run", other)
    assert "--fresh" in str(error.value.hint)
    kept = json.loads((tmp_path / "run/config.json").read_text("utf-8"))
    assert kept["seed"] == 0


def test_fresh_deletes_what_runs_write_and_nothing_else(tmp_path):
    made = []
    folder_in(tmp_path / "run").do(step(made))
    (tmp_path / "run/notes.txt").write_text("mine", "utf-8")
    folder = folder_in(tmp_path / "run", {"seed": 7}, fresh=True)
    assert folder.do(step(made))
    assert made == ["a.model", "a.model"]
    assert (tmp_path / "run/notes.txt").read_text("utf-8") == "mine"


def test_folder_of_other_things_is_refused_even_if_fresh(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine", "utf-8")
    with pytest.raises(SettingsError, match="no run"):
        folder_in(tmp_path, fresh=True)
    with pytest.raises(SettingsError, match="is a file"):
        folder_in(tmp_path / "thesis.txt")


def test_log_has_the_time_that_steps_took(tmp_path):
    folder_in(tmp_path / "run").do(step([]))
    log = (tmp_path / "run/log.txt").read_text("utf-8")
    assert re.search(r"^\d{4}-\d\d-\d\d .* a\.model: \d+\.\d seconds$", log)


def test_json_of_equal_values_is_equal():
    assert json_text({"b": 1, "a": "é"}) == json_text({"a": "é", "b": 1})
    assert "é" in json_text("é")
