"""Scores side by side, and the warnings."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import pytest
from builders import letters
from files import written

import corefkit
from corefkit.corpus import Declaration
from corefkit.results.records import render_json
from corefkit.results.score_table import (
    WRITERS,
    compare_settings,
    list_cautions,
    side_by_side,
)
from corefkit.results.stored_results import read_stored

KEY = letters("abc defg")


def scored(name, key=KEY, declared=None, **options):
    result = corefkit.score(key, letters("ab cd fghi"), **options)
    return replace(result, response=name, declared=declared or Declaration())


class TestCautions:
    def test_results_of_one_corpus_need_none(self):
        assert list_cautions([scored("a")]) == []
        assert list_cautions([scored("a"), scored("b", metrics=["muc"])]) == []

    def test_other_key(self):
        assert list_cautions([scored("a"), scored("b", letters("abc de"))]) == [
            "a is not comparable with b: other mentions in the key: 7 against 5"
        ]

    def test_other_settings_and_preprocessing(self):
        gold = scored("a", declared=Declaration(preprocessing="gold"))
        auto = scored(
            "b", declared=Declaration(preprocessing="udpipe"), average="macro"
        )
        assert list_cautions([gold, auto]) == [
            "a is not comparable with b: average: micro against macro; preprocessing: "
            "gold against udpipe"
        ]

    def test_alike_ones_are_told_once(self):
        auto = [
            scored(f"x/{name}.conll", average="macro") for name in ("b", "c", "d", "e")
        ]
        drop = scored("f", singletons="drop")
        assert list_cautions([scored("x/a.conll"), *auto, drop, scored("g")]) == [
            "a.conll is not comparable with b.conll, c.conll, d.conll and 1 more: "
            "average: micro against macro",
            "a.conll is not comparable with f: singletons: keep against drop",
        ]


class TestSettings:
    def test_same_signature_has_no_differences(self):
        assert compare_settings(scored("a"), scored("b")) == []

    def test_every_setting_that_differs_is_named(self):
        other = scored("b", match="exact", singletons="drop", blanc_rule="links")
        assert compare_settings(scored("a"), other) == [
            "singletons: keep against drop",
            "blanc: key against links",
        ]

    def test_name_in_weights_is_no_setting(self):
        odd = scored("b", weights="type:x|average:macro=1")
        assert compare_settings(scored("a"), odd) == [
            "weights: ace2005 against type:x|average:macro=1"
        ]

    def test_settings_of_stored_results_are_those_that_were_stored(self, tmp_path):
        odd = scored("b", weights="type:x|average:macro=1", average="macro")
        (stored,) = read_stored(written(tmp_path / "b.json", render_json([odd])))
        assert compare_settings(scored("a"), stored) == [
            "average: micro against macro",
            "weights: ace2005 against type:x|average:macro=1",
        ]

    def test_each_of_several_has_its_own(self, tmp_path):
        every = [scored("a", average="macro"), scored("b"), scored("c", match="exact")]
        stored = read_stored(written(tmp_path / "b.json", render_json(every)))
        assert [one.changed for one in stored] == [{"average": "macro"}, {}, {}]
        again = read_stored(written(tmp_path / "c.json", render_json(stored[::-1])))
        assert [one.changed for one in again] == [{}, {}, {"average": "macro"}]

    def test_where_settings_are_not_known_the_signatures_are_told(self, tmp_path):
        text = render_json([scored("b")]).replace(f":{corefkit.__version__}|", ":9.0|")
        (stored,) = read_stored(written(tmp_path / "b.json", text))
        ours = scored("a").signature
        assert stored.changed is None
        assert compare_settings(scored("a"), stored) == [
            f"signature: {ours} against {stored.signature}"
        ]
        assert "averaged" not in WRITERS["table"]([stored])
        assert WRITERS["table"]([stored]).splitlines()[-2] == "1 document, in percent"


class TestSideBySide:
    def test_is_the_table_without_a_warning(self):
        results = [scored("a"), scored("b")]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert side_by_side(results) == WRITERS["table"](results)

    def test_warns_at_the_call(self):
        with pytest.warns(UserWarning, match="a is not comparable with b: ") as found:
            side_by_side([scored("a"), scored("b", letters("ab"))])
        assert [one.filename for one in found] == [__file__]

    def test_takes_stored_results(self, tmp_path):
        stored = written(tmp_path / "b.json", render_json([scored("b")]))
        text = side_by_side([scored("a"), stored])
        assert text.splitlines()[0].split() == ["a", "b.json"]

    @pytest.mark.parametrize("format", ["markdown", "latex", "csv"])
    def test_in_other_formats(self, format):
        text = side_by_side([scored("a"), scored("b")], format=format)
        assert scored("a").signature in text

    def test_as_json(self):
        text = side_by_side([scored("a"), scored("b")], format="json")
        assert [one["response"] for one in json.loads(text)["systems"]] == ["a", "b"]

    def test_sorted_and_ranked(self):
        (worse,) = corefkit.score_responses(KEY, {"a": letters("a bc")})
        text = side_by_side([worse, scored("b")], sort="lea", format="json")
        found = json.loads(text)
        assert [one["response"] for one in found["systems"]] == ["b", "a"]
        assert [one["rank"] for one in found["systems"]] == [1, 2]
        with pytest.raises(corefkit.SettingsError, match="unknown metric 'leo'"):
            side_by_side([worse], sort="leo")

    def test_takes_what_was_refused(self):
        error = corefkit.FormatError("no good", code="format/malformed", place="b:7")
        refused = corefkit.Refused("b", error)
        text = side_by_side([refused, scored("a")])
        first, _, heads = text.splitlines()[:3]
        assert first == "2 submissions, 1 rejected"
        assert heads.split() == ["a", "b"]
        assert "- not scored: b:7: no good" in text
        with pytest.raises(corefkit.SettingsError, match="no results"):
            side_by_side([refused])

    def test_unknown_format(self):
        with pytest.raises(corefkit.SettingsError, match="unknown format 'jsno'"):
            side_by_side([scored("a")], format="jsno")

    def test_nothing_to_show(self):
        with pytest.raises(corefkit.SettingsError, match="no results"):
            side_by_side([])
