"""Model files are checked before they are parsed."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from cistell.modelfile import load_parts, save_parts
from corefkit import FormatError

CARD = {"title": "ä", "scores": {"exact": 70.5}}
PARTS = {
    "codes": np.array([[1, -128], [127, 0]], np.int8),
    "scale": np.array([0.5, np.inf, -0.0], np.float32),
    "empty": np.zeros((0, 3), np.float32),
    "text": "wörds\n".encode(),
}


@pytest.fixture
def path(tmp_path):
    save_parts(tmp_path / "m.model", CARD, PARTS)
    return tmp_path / "m.model"


def reject(path):
    with pytest.raises(FormatError) as caught:
        load_parts(path)
    assert caught.value.place == str(path)
    return caught.value.code


def seal(content):
    digest = hashlib.sha256(content).hexdigest().encode()
    return b"cistell-model 1\n" + digest + b"\n" + content


def test_parts_and_card_come_back(path):
    card, parts = load_parts(path)
    assert card == CARD
    assert parts.keys() == PARTS.keys()
    for name, part in parts.items():
        if isinstance(part, bytes):
            assert part == PARTS[name]
        else:
            assert part.dtype == PARTS[name].dtype
            assert part.tobytes() == PARTS[name].tobytes()
            assert part.shape == PARTS[name].shape


def test_every_changed_byte_is_noticed(path):
    data = path.read_bytes()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        path.write_bytes(changed)
        assert reject(path) in ("model/not-a-model", "model/version", "model/damaged")


def test_cut_files_are_damaged(path):
    data = path.read_bytes()
    for size in range(0, len(data), 7):
        path.write_bytes(data[:size])
        assert reject(path) in ("model/not-a-model", "model/version", "model/damaged")


def test_missing_files_are_unreadable(tmp_path):
    assert reject(tmp_path / "none.model") == "model/unreadable"


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "object", "shape": [1], "offset": 0, "size": 8},
        {"type": "int8", "shape": [9], "offset": 0, "size": 9},
        {"type": "int8", "shape": [1], "offset": -9, "size": 1},
        {"type": "float32", "shape": [2], "offset": 0, "size": 4},
        {"type": "int8", "shape": [1], "offset": 0},
        [],
    ],
)
def test_wrong_headers_are_damaged(tmp_path, entry):
    header = json.dumps({"card": {}, "parts": {"x": entry}}).encode()
    content = len(header).to_bytes(8, "little") + header + b"12345678"
    (tmp_path / "x").write_bytes(seal(content))
    assert reject(tmp_path / "x") == "model/damaged"


def test_failed_writing_leaves_the_file_as_it_was(path):
    before = path.read_bytes()
    with pytest.raises(ValueError, match="float64"):
        save_parts(path, CARD, {"x": np.zeros(3)})
    with pytest.raises(TypeError):
        save_parts(path, {"card": object()}, {})
    assert path.read_bytes() == before
    assert len([*path.parent.iterdir()]) == 1
