"""The command `corefkit explain`."""

import argparse
import inspect

import pytest

from corefkit.analysis.explain import explain
from corefkit.analysis.explain.metric_steps import list_explained_metrics
from corefkit.cli import main
from corefkit.cli.explain import add_arguments
from corefkit.example import paths
from corefkit.metrics.registry import find_metrics


def test_explain_prints_the_walk_through(capsys):
    key, careful, _ = map(str, paths())
    assert main(["explain", key, careful, "--metric", "muc"]) == 0
    assert capsys.readouterr().out == explain(key, careful, metric="muc") + "\n"


def test_explain_example_is_key_against_careful(capsys):
    key, careful, _ = map(str, paths())
    assert main(["explain", "--example", "--metric", "lea", "--document", "lamps"]) == 0
    expected = explain(key, careful, metric="lea", document="lamps")
    out = capsys.readouterr().out
    assert out == expected + "\n"
    assert str(paths()[0].parent) not in out


def test_explain_shows_the_altered_sides_of_a_variant(capsys):
    assert main(["explain", "--example", "--metric", "ceaf_m_sys"]) == 0
    shown = capsys.readouterr().out
    documents = shown.count("\nDocument ")
    assert shown.count("Key and response then are:") == 2 * documents > 0


def test_explain_help_names_every_metric_and_variant(capsys):
    main(["explain", "--help"])
    shown = capsys.readouterr().out.replace(",", " ").split()
    assert set(shown) >= {*list_explained_metrics(), "conll"}


def test_explain_takes_the_settings_of_score(capsys):
    words = ["--preset", "conll2012", "--singletons", "drop", "--blanc-rule", "both"]
    assert main(["explain", "--example", "--metric", "blanc", *words]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert "singletons:drop|repeated:reference" in last
    assert "blanc:both" in last


def test_explain_and_its_function_take_the_same_settings():
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    options = vars(parser.parse_args(["--metric", "muc"])).keys()
    parameters = inspect.signature(explain).parameters.keys()
    of_files = {"key", "responses", "example", "target_file", "output"}
    # Windows are rejected: only `score` and `compare` have them.
    of_function = {"key", "response", "settings", "as_html", "window"}
    assert options - of_files == parameters - of_function


def test_explain_writes_a_page(tmp_path, capsys):
    key, careful, _ = map(str, paths())
    words = ["explain", key, careful, "--metric", "lea", "--format", "html"]
    expected = explain(key, careful, metric="lea", as_html=True) + "\n"
    assert main(words) == 0
    assert capsys.readouterr().out == expected
    target = tmp_path / "lea.html"
    assert main([*words, "-o", str(target)]) == 0
    assert target.read_text("utf-8") == expected
    assert capsys.readouterr().out == ""


def test_explain_writes_its_text_to_a_file(tmp_path):
    key, careful, _ = map(str, paths())
    target = tmp_path / "lea.txt"
    assert main(["explain", key, careful, "--metric", "lea", "-o", str(target)]) == 0
    assert target.read_text("utf-8") == explain(key, careful, metric="lea") + "\n"


def test_explain_never_replaces_what_it_reads(tmp_path, capsys):
    key, careful, _ = paths()
    copy = tmp_path / "key.conll"
    copy.write_bytes(key.read_bytes())
    words = ["explain", str(copy), str(careful), "--metric", "lea", "-o", str(copy)]
    assert main(words) == 2
    assert "is an input" in capsys.readouterr().err
    assert copy.read_bytes() == key.read_bytes()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--metric", "mucc"], "did you mean 'muc'?"),
        (["--metric", "muc", "--document", "lampposts"], "unknown document"),
    ],
    ids=["metric", "document"],
)
def test_explain_refuses_wrong_usage_before_it_prints(words, message, capsys):
    assert main(["explain", "--example", *words]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err


def test_explain_of_an_unreadable_file_says_so(tmp_path, capsys):
    key, *_ = map(str, paths())
    missing = str(tmp_path / "no such file")
    assert main(["explain", key, missing, "--metric", "muc"]) == 1
    assert missing in capsys.readouterr().err


def test_explain_without_a_metric_shows_all_default_metrics(capsys):
    assert main(["explain", "--example", "--document", "lamps"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("All metrics: careful.conll against key.conll\n")
    for metric in find_metrics(None):
        assert f"\n{metric.label} ({metric.source})\n" in shown


def test_explain_takes_entities_in_place_of_files(capsys):
    words = ["explain", "abc defg", "ab cd fghi", "--metric", "b_cubed"]
    assert main(words) == 0
    expected = explain(["abc", "defg"], ["ab", "cd", "fghi"], metric="b_cubed")
    assert capsys.readouterr().out == expected + "\n"


def test_explain_of_the_example_shows_no_folder(capsys):
    assert main(["explain", "--example", "--metric", "muc"]) == 0
    assert str(paths()[0].parent) not in capsys.readouterr().out
