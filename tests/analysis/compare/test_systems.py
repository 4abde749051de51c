"""Systems by name, broken ones among them."""

from __future__ import annotations

import pytest
from files import corpus, written

import corefkit
from corefkit.analysis.compare.systems import gather_systems
from corefkit.results.records import render_json
from corefkit.results.stored_results import read_stored

FAST = {"samples": 50}
CELLS = {"a": "(1) (1) -", "b": "(1) - (1)"}


@pytest.fixture
def files(tmp_path):
    """Make a key, a good response and broken ones."""
    made = {
        "key": corpus(CELLS),
        "good": corpus({**CELLS, "b": "- - (1)"}),
        "bracket": corpus({**CELLS, "b": "(1 - -"}),
        "other": corpus({"x": "(1)"}),
        "json": '{"corefkit": "1.2.3", "systems": [',
    }
    names = {name: tmp_path / f"{name}.conll" for name in made}
    return {name: written(names[name], text) for name, text in made.items()} | {
        "gone": str(tmp_path / "gone.conll")
    }


@pytest.mark.parametrize("broken", ["bracket", "other", "json", "gone"])
def test_broken_response_raises_or_is_left_out(files, broken):
    responses = {"one": files["good"], "two": files[broken], "three": files["key"]}
    with pytest.raises(corefkit.CorefkitError):
        corefkit.compare(files["key"], responses, **FAST)
    found = corefkit.compare(files["key"], responses, skip_broken=True, **FAST)
    assert found.systems == ("one", "three")
    assert list(found.refused) == ["two"]
    assert files[broken] in found.refused["two"]
    assert found.to_dict()["refused"] == [
        {"response": "two", "reason": found.refused["two"]}
    ]
    del responses["two"]
    others = corefkit.compare(files["key"], responses, **FAST)
    assert found.metrics == others.metrics
    assert "refused" not in others.to_dict()


def test_broken_responses_without_names_are_called_by_their_files(files):
    found = corefkit.compare(
        files["key"], [files["gone"], files["good"]], skip_broken=True, **FAST
    )
    assert (found.systems, list(found.refused)) == (("good.conll",), ["gone.conll"])


def test_all_broken_are_all_named(files):
    with pytest.raises(corefkit.FormatError) as error:
        corefkit.compare(
            files["key"], [files["gone"], files["bracket"]], skip_broken=True, **FAST
        )
    assert "none of 2 responses can be scored" in error.value.message
    assert "gone.conll" in error.value.message
    assert "bracket.conll:" in error.value.message
    with pytest.raises(corefkit.FormatError, match="cannot be read"):
        corefkit.compare(files["key"], [files["gone"]], skip_broken=True, **FAST)


def test_broken_key_is_always_an_error(files):
    with pytest.raises(corefkit.CorefkitError, match=r"bracket\.conll:"):
        corefkit.compare(files["bracket"], [files["good"]], skip_broken=True, **FAST)


def test_broken_baseline_is_an_error(files):
    with pytest.raises(corefkit.PairingError, match="the baseline 'two' cannot be sc"):
        corefkit.compare(
            files["key"],
            {"one": files["good"], "two": files["gone"]},
            baseline="two",
            skip_broken=True,
            **FAST,
        )


def test_responses_need_a_key_unless_they_are_stored(files):
    with pytest.raises(corefkit.SettingsError, match="responses require a key"):
        corefkit.compare(None, [files["good"]], **FAST)


@pytest.mark.parametrize(
    ("responses", "message"),
    [
        ([], "there are no responses to compare"),
        ({}, "there are no responses to compare"),
        ("a.conll", "found 'a.conll', expected several"),
        (7, "found 7, expected several responses"),
        ({"": ["ab"]}, "a system has no name"),
    ],
    ids=["list", "mapping", "path", "number", "name"],
)
def test_what_is_no_list_of_responses_is_refused(responses, message):
    with pytest.raises(corefkit.SettingsError, match=message):
        corefkit.compare(["ab"], responses, **FAST)


def test_evaluation_alone_is_no_list():
    with pytest.raises(corefkit.SettingsError, match="expected several"):
        corefkit.compare(None, corefkit.score(["ab"], ["ab"]), **FAST)


def test_names_of_one_file_are_told_apart(files, tmp_path):
    results = corefkit.score_responses(files["key"], [files["good"], files["good"]])
    stored = written(tmp_path / "s.json", render_json(results, per_document=True))
    names = [f"run:{name}" for name in ("good.conll", "good.conll")]
    found = gather_systems(None, {"run": stored})
    assert list(found.results) == [f"{n}. {one}" for n, one in enumerate(names, 1)]
    assert found.is_stored


def test_results_that_were_read_are_taken_as_they_are(files, tmp_path):
    result = corefkit.score(files["key"], files["good"])
    stored = written(tmp_path / "s.json", render_json([result], per_document=True))
    (read,) = read_stored(stored)
    found = corefkit.compare(files["key"], {"A": read, "B": files["key"]}, **FAST)
    assert found.systems == ("A", "B")


def test_key_is_read_once(files):
    def once():
        yield from corefkit.read(files["key"])

    responses = {name: corefkit.read(files[name]) for name in ("good", "key")}
    assert corefkit.compare(once(), responses, **FAST).systems == ("good", "key")


@pytest.mark.parametrize("skip_broken", [False, True])
def test_messages_name_the_system_that_they_are_about(skip_broken):
    key = {"a": ["ab"], "b": ["cd"]}
    responses = {"good": key, "bad": 7, "some": {"a": ["ab"]}, "few": {"b": ["cd"]}}
    options = {"skip_broken": skip_broken, **FAST}
    if not skip_broken:
        with pytest.raises(corefkit.FormatError, match="bad: found 7, expected"):
            corefkit.compare(key, responses, **options)
        with pytest.raises(
            corefkit.FormatError, match=r"2\. response: found 7, expected"
        ):
            corefkit.compare(key, [*responses.values()], **options)
        del responses["bad"]
    found = corefkit.compare(key, responses, **options)
    assert "some: lacks document 'b', scored as empty" in found.notes
    assert "few: lacks document 'a', scored as empty" in found.notes
    assert all(reason.startswith("bad: ") for reason in found.refused.values())
