"""Property tests draw the same examples in every ordinary run."""

from __future__ import annotations

import importlib.util
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def draw_examples():
    """Draw integers and texts, which Hypothesis mixes with constants of modules."""
    drawn = []

    @settings(max_examples=300)
    @given(st.integers(), st.text())
    def collect(number, text):
        drawn.append((number, text))

    collect()
    return drawn


def test_examples_do_not_depend_on_loaded_modules(tmp_path, monkeypatch):
    if not settings().derandomize:
        pytest.skip("this run explores")
    before = draw_examples()
    path = tmp_path / "constants_to_draw.py"
    path.write_text(f"NUMBERS = {list(range(1000, 1500))}\n", "utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, path.stem, module)
    assert draw_examples() == before
