"""The command `corefkit train-parser`."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from functools import partial

import pytest
from files import written
from treebanks import QUICK, treebank

import corefkit.cli.train_parser
from cistell.parsing import Parser
from corefkit.cli import main

TABLE = """\
treebank.conllu: 4 documents, 96 sentences, 720 words
Tokens F1     100.00
Sentences F1  100.00
UPOS          100.00
UAS           100.00
LAS           100.00
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run `corefkit train-parser` beside a small treebank, with quick options."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "treebank.conllu", treebank())
    command = corefkit.cli.train_parser
    quick = partial(command.train_parser, options=QUICK)
    monkeypatch.setattr(command, "train_parser", quick)

    def training(*words):
        code = main(["train-parser", *words])
        return code, *capsys.readouterr()

    return training


@pytest.mark.slow
def test_a_model_is_trained_and_measured(run, tmp_path):
    code, out, err = run("treebank.conllu", "-o", "m", "--heldout", "treebank.conllu")
    assert (code, out) == (0, TABLE)
    *parts, wrote = err.splitlines()
    assert [re.sub(r"\d+:\d+", "0:00", line) for line in parts] == [
        "tokenizer: trained in 0:00 minutes",
        "tagger: trained in 0:00 minutes",
        "parser: trained in 0:00 minutes",
    ]
    assert wrote == "wrote m, trained with 4 documents, 96 sentences, 720 words"
    assert Parser(tmp_path / "m").parts == {"tokenizer", "tagger", "parser"}


@pytest.mark.slow
def test_parts_can_be_chosen(run, tmp_path):
    code, out, err = run("treebank.conllu", "-o", "m", "--parts", "tagger,parser")
    assert (code, out) == (0, "")
    assert "tokenizer" not in err
    assert Parser(tmp_path / "m").parts == {"tagger", "parser"}


@pytest.mark.slow
def test_without_tokenizer_only_tags_and_trees_are_measured(run):
    words = "--parts", "tagger,parser", "--heldout", "treebank.conllu"
    _, out, _ = run("treebank.conllu", "-o", "m", *words)
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["UPOS", "UAS", "LAS"]


@pytest.mark.slow
def test_several_treebanks_are_one_and_masked_documents_are_named(run, tmp_path):
    masked = re.sub(r"(?m)^(\d+)\t\S+\t\S+", r"\1\t___\t_", treebank())
    masked = masked.replace("newdoc id = ", "newdoc id = masked_")
    written(tmp_path / "masked.conllu", masked)
    files = "treebank.conllu", "masked.conllu"
    code, _, err = run(*files, "-o", "m", "--parts", "tagger")
    assert code == 0
    names = "masked_ann, masked_carl, masked_dora, masked_otto"
    assert f"note: 4 masked documents left out: {names}\n" in err
    assert "trained with 4 documents, 96 sentences, 720 words" in err


@pytest.mark.slow
def test_on_a_terminal_a_line_tells_how_far_it_is(run, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _, _, err = run("treebank.conllu", "-o", "m", "--parts", "tagger")
    shown = [line.strip() for line in err.split("\n")[0].split("\r")]
    first, second, third = [line for line in shown if line][:3]
    assert (first, third) == ("tagger: 0 of 2", "tagger: 2 of 2")
    assert re.fullmatch(r"tagger: 1 of 2, \d+ (second|minute)s? left", second)
    last = err.split("\n")[0].rpartition("\r")[2]
    assert re.fullmatch(r"tagger: trained in \d+:\d\d minutes", last)


USAGE = {
    "no output": (["treebank.conllu"], "-o"),
    "no treebank": (["-o", "m"], "TREEBANK"),
    "unknown part": (["treebank.conllu", "-o", "m", "--parts", "taggr"], "'tagger'"),
    "no iterations": (["treebank.conllu", "-o", "m", "--iterations", "0"], "1 or more"),
    "no part": (["treebank.conllu", "-o", "m", "--parts", ","], "--parts"),
    "over the treebank": (
        ["treebank.conllu", "-o", "./treebank.conllu"],
        "is a treebank that is read",
    ),
    "over the heldout one": (
        ["absent", "-o", "treebank.conllu", "--heldout", "treebank.conllu"],
        "is a treebank that is read",
    ),
    "heldout without parser": (
        ["treebank.conllu", "-o", "m", "--parts", "tagger", "--heldout", "x"],
        "--heldout measures tags and trees",
    ),
}


@pytest.mark.parametrize(("words", "message"), USAGE.values(), ids=USAGE)
def test_wrong_usage_is_told(run, tmp_path, words, message):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert [path.name for path in tmp_path.iterdir()] == ["treebank.conllu"]


INPUT = {
    "absent treebank": (["absent", "-o", "m"], "absent: cannot be read"),
    "absent heldout": (
        ["treebank.conllu", "-o", "m", "--heldout", "absent"],
        "absent: cannot be read",
    ),
    "heldout without trees": (
        ["treebank.conllu", "-o", "m", "--heldout", "bare.conllu"],
        "has no UPOS tag",
    ),
    "absent folder": (["treebank.conllu", "-o", "no/m"], "no/m: cannot be written"),
    "text": (["text", "-o", "m"], "is in an unknown format"),
    "no trees": (["bare.conllu", "-o", "m"], "has no UPOS tag"),
}


@pytest.mark.parametrize(("words", "message"), INPUT.values(), ids=INPUT)
def test_wrong_input_is_told_before_anything_is_trained(run, tmp_path, words, message):
    written(tmp_path / "text", "Otto sold the boat.\n")
    rows = ["\t".join([str(number), "w", *"_" * 8]) for number in range(1, 200)]
    written(tmp_path / "bare.conllu", "\n".join([*rows, ""]))
    code, out, err = run(*words)
    assert (code, out) == (1, "")
    assert message in err
    assert "trained" not in err.replace("is trained with", "")
    assert not (tmp_path / "m").exists()


def test_missing_library_is_told(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
    code, _, err = run("treebank.conllu", "-o", "m")
    assert code == 1
    assert "hint: pip install 'corefkit[cistell]'" in err


LONG = """
import signal
from cistell.parsing.training import train_parser
from corefkit.formats import read

def show(*told):
    print(*told, flush=True)

# Tests that run in the background are started with this signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

train_parser(read("treebank.conllu"), "m", iterations=10**6, progress=show)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGKILL"])
@pytest.mark.slow
def test_killed_training_leaves_no_file_behind(tmp_path, name):
    written(tmp_path / "treebank.conllu", treebank())
    training = subprocess.Popen(
        [sys.executable, "-c", LONG],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with training:
        assert training.stdout.readline().startswith(b"tokenizer 0")
        training.send_signal(getattr(signal, name))
        assert training.wait() != 0
    assert [path.name for path in tmp_path.iterdir()] == ["treebank.conllu"]
