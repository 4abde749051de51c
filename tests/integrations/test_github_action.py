"""The GitHub action: its steps run as a runner runs them, and its script by itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

import pytest
from shared_files import ROOT

import corefkit
from corefkit.example import paths

SCRIPT = ROOT / ".github" / "action" / "score.py"
_EXPRESSION = re.compile(r"\$\{\{ (inputs|steps)\.([\w.-]+) \}\}")
_NO_NETWORK = "NewConnectionError|NameResolutionError|Could not fetch URL"


class Outcome(NamedTuple):
    """What a step left behind."""

    code: int
    log: str
    summary: str
    outputs: dict[str, str]


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "workspace"
    folder.mkdir()
    for path in paths():
        shutil.copy(path, folder)
    return folder


def run(command, workspace, environment):
    """Run a step with the files and variables that a runner gives it."""
    beside = workspace.parent
    files = {name: beside / name for name in ("summary", "outputs")}
    for path in files.values():
        path.write_text("")
    done = subprocess.run(
        command,
        cwd=workspace,
        env={
            **{
                name: os.environ[name]
                for name in ("PATH", "HOME")
                if name in os.environ
            },
            **{name: value for name, value in os.environ.items() if "PIP_" in name},
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_STEP_SUMMARY": str(files["summary"]),
            "GITHUB_OUTPUT": str(files["outputs"]),
            "RUNNER_TEMP": str(beside),
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    rows = [line.split("=", 1) for line in files["outputs"].read_text().splitlines()]
    summary = files["summary"].read_text("utf-8")
    return Outcome(done.returncode, done.stdout, summary, dict(rows))


INPUTS = {
    "KEY": "key.conll",
    "RESPONSE": "careful.conll",
    "METRICS": "",
    "OPTIONS": "",
    "MINIMUM": "",
    "MINIMUM_METRIC": "conll",
}


def scored(workspace, **inputs):
    return run([sys.executable, SCRIPT], workspace, INPUTS | inputs)


def expected():
    key, careful, _ = paths()
    return corefkit.score(key, careful)


class TestScript:
    def test_scores_are_outputs_and_stand_in_the_summary(self, workspace):
        found = scored(workspace)
        assert found.code == 0, found.log
        assert float(found.outputs["conll"]) == expected().conll
        f1 = {name: score.f1 for name, score in expected().scores.items()}
        assert json.loads(found.outputs["f1"]) == f1
        assert found.outputs["signature"] == expected().signature
        with open(found.outputs["json"], encoding="utf-8") as file:  # noqa: PTH123
            assert json.load(file)["systems"][0]["response"] == "careful.conll"
        assert found.summary.startswith("### Coreference scores\n\n|  | Recall |")
        assert "| CoNLL |  |  | 68.43 |" in found.summary
        assert expected().signature in found.summary

    @pytest.mark.slow
    def test_what_misleads_stands_in_the_summary(self, workspace):
        text = (workspace / "key.conll").read_text("utf-8")
        without = re.sub(r"^(?!#)(.+\s)\S+$", r"\1-", text, flags=re.MULTILINE)
        (workspace / "empty.conll").write_text(without, "utf-8")
        found = scored(workspace, RESPONSE="empty.conll")
        assert (
            "\n\n    warning: empty.conll: has no mention to score\n" in found.summary
        )
        assert "warning" not in scored(workspace).summary

    def test_metrics_options_and_several_responses(self, workspace):
        found = scored(
            workspace,
            RESPONSE="A one=careful.conll\n\n  greedy.conll\n",
            METRICS="lea,muc",
            OPTIONS="--singletons 'drop' --format csv",
        )
        assert found.code == 0, found.log
        assert list(json.loads(found.outputs["f1"])) == ["lea", "muc"]
        assert found.outputs["conll"] == ""
        assert "singletons:drop" in found.outputs["signature"]
        assert "| A one Recall |" in found.summary
        assert "greedy.conll F1 |" in found.summary

    @pytest.mark.parametrize(
        ("least", "metric", "code"),
        [
            ("0.68", "conll", 0),
            ("0.69", "conll", 1),
            ("0.6", "lea", 1),
            ("0", "lea", 0),
        ],
    )
    @pytest.mark.slow
    def test_minimum(self, workspace, least, metric, code):
        found = scored(workspace, MINIMUM=least, MINIMUM_METRIC=metric)
        assert found.code == code
        told = f"::error title=corefkit::careful.conll: {metric} is " in found.log
        assert told == bool(code)
        assert "| CoNLL |" in found.summary  # the table is there in either case

    @pytest.mark.parametrize(
        ("inputs", "words"),
        [
            ({"MINIMUM": "60"}, "found '60', expected a number from 0 to 1"),
            ({"MINIMUM": "high"}, "found 'high'"),
            ({"MINIMUM": "nan"}, "found 'nan'"),
            ({"MINIMUM": ".5", "MINIMUM_METRIC": "b3"}, "'b3' is not computed; known"),
            (
                {"MINIMUM": ".5", "METRICS": "lea"},
                "'conll' is not computed; known are lea",
            ),
            ({"OPTIONS": "--singletons 'drop"}, "options: No closing quotation"),
            ({"OPTIONS": "--help"}, "options: expected some that let"),
            ({"RESPONSE": " \n"}, "expected a file or folder each"),
        ],
    )
    @pytest.mark.slow
    def test_a_wrong_input_is_an_error(self, workspace, inputs, words):
        found = scored(workspace, **inputs)
        assert found.code == 2
        (told,) = [line for line in found.log.splitlines() if "::error " in line]
        assert words in told
        assert "Traceback" not in found.log

    def test_a_broken_response_is_told_in_log_and_summary(self, workspace):
        broken = workspace / "broken.conll"
        broken.write_text("#begin document (x); part 000\nx 0 0 a (1\n#end document\n")
        found = scored(workspace, RESPONSE="broken.conll", MINIMUM="0.5")
        assert found.code == 1
        for place in (found.log, found.summary):
            assert "broken.conll:" in place
        assert found.summary.count("    error: broken.conll:") == 1
        assert found.outputs == {}
        both = scored(workspace, RESPONSE="broken.conll\ncareful.conll")
        assert both.code == 1
        assert "not scored: broken.conll" in both.summary
        assert float(both.outputs["conll"]) == expected().conll

    def test_lines_of_files_are_no_commands_to_the_runner(self, workspace):
        name = "::error::spoofed"
        (workspace / name).write_text("nothing that is known\n")
        found = scored(workspace, RESPONSE=name)
        assert found.code == 1
        lines = found.log.splitlines()
        token = lines[0].removeprefix("::stop-commands::")
        assert len(token) == 32
        at = [number for number, line in enumerate(lines) if "spoofed" in line]
        assert at
        assert lines.index(f"::{token}::") > max(at)

    @pytest.mark.parametrize(
        "text",
        ["x\nconll=9", "x%0Aconll=9", "x\n::set-output name=conll::9", "::debug::x"],
    )
    @pytest.mark.parametrize("name", INPUTS)
    @pytest.mark.slow
    def test_lines_of_inputs_are_neither_outputs_nor_commands(
        self, workspace, name, text
    ):
        found = scored(workspace, **{"MINIMUM": "0.5", name: text})
        assert found.code in (1, 2)
        assert found.outputs.get("conll") in (None, repr(expected().conll))
        assert set(found.outputs) <= {"conll", "f1", "signature", "json"}
        obeyed = re.sub(
            r"::stop-commands::(\w+)\n.*?::\1::\n", "", found.log, flags=re.DOTALL
        )
        for line in obeyed.splitlines():
            assert line.startswith("::error title=corefkit::"), line

    def test_modules_of_the_workspace_are_not_run(self, workspace):
        for name in ("json.py", "corefkit.py", "numpy.py"):
            (workspace / name).write_text("raise SystemExit('taken over')")
        assert scored(workspace).code == 0


@pytest.fixture(scope="module")
def action():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    return yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


@pytest.fixture(scope="module")
def installed(action, tmp_path_factory):
    """Run the first step once: it makes an environment from a package index."""
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    workspace = tmp_path_factory.mktemp("runner") / "workspace"
    workspace.mkdir()
    done = step(action["runs"]["steps"][0], {}, {}, workspace)
    if done.code and re.search(_NO_NETWORK, done.log):
        pytest.skip("no package index can be reached")
    assert done.code == 0, done.log
    return {"install.outputs.python": done.outputs["python"]}


def step(given, inputs, steps, workspace):
    """Run a step of the action as a runner does, expressions filled in."""
    known = {"inputs": inputs, "steps": steps}
    environment = {
        name: _EXPRESSION.sub(lambda found: known[found[1]][found[2]], value)
        for name, value in given.get("env", {}).items()
    }
    script = workspace.parent / "step.sh"
    script.write_text(given["run"])
    assert given["shell"] == "bash"
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script]
    return run(command, workspace, environment)


def whole(action, installed, workspace, **inputs):
    """Run the step that scores, and give the outputs of the action."""
    defaults = {
        name: given["default"]
        for name, given in action["inputs"].items()
        if "default" in given
    }
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    done = step(action["runs"]["steps"][1], defaults | given, installed, workspace)
    found = {f"score.outputs.{name}": value for name, value in done.outputs.items()}
    outputs = {
        name: _EXPRESSION.sub(lambda one: found.get(one[2], ""), given["value"])
        for name, given in action["outputs"].items()
    }
    return done._replace(outputs=outputs)


@pytest.mark.integration
class TestAction:
    def test_it_scores(self, action, installed, workspace):
        given = {"key": "key.conll", "response": "careful.conll", "minimum": "0.5"}
        found = whole(action, installed, workspace, **given)
        assert found.code == 0, found.log
        assert float(found.outputs["conll"]) == expected().conll
        assert set(found.outputs) == {"conll", "f1", "signature", "json"}
        assert "68.43" in found.summary
        low = whole(action, installed, workspace, **given | {"minimum": "0.7"})
        assert low.code == 1

    @pytest.mark.parametrize(
        "text",
        ["$(touch taken)", "`touch taken`", '"; touch taken; "', "'; touch taken #"],
    )
    @pytest.mark.parametrize(
        "name", ["key", "response", "metrics", "options", "minimum", "minimum-metric"]
    )
    def test_inputs_are_no_commands(self, action, installed, workspace, name, text):
        given = {"key": "key.conll", "response": "careful.conll", "minimum": "0.5"}
        found = whole(action, installed, workspace, **given | {name: text})
        assert found.code in (1, 2)
        assert not list(workspace.parent.rglob("taken"))

    def test_no_step_has_an_expression_in_its_text(self, action):
        for given in action["runs"]["steps"]:
            assert "${{" not in given["run"]

    def test_every_input_and_output_is_described_and_used(self, action):
        scoring = action["runs"]["steps"][1]["env"]
        used = {f"${{{{ inputs.{name} }}}}" for name in action["inputs"]}
        assert used <= set(scoring.values())
        for given in [*action["inputs"].values(), *action["outputs"].values()]:
            assert given["description"].endswith(".")
        assert set(INPUTS) | {"PYTHON"} == set(scoring)
