"""Model files: named parts and a card, whose checksum is verified before parsing.

    line 1      cistell-model 1
    line 2      sha256 of all bytes after this line
    8 bytes     length of the header, little endian
    header      JSON: the card, and type, shape, offset and size of each part
    parts       arrays or bytes

The same contents are always serialized to the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit import FormatError

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Part = NDArray[Any] | bytes

_MAGIC = b"cistell-model "
_VERSION = 1
_TYPES = ("int8", "float32", "bytes")
_HINT = "copy or download the file again, or train a model with `cistell train`"


def save_parts(
    path: str | os.PathLike[str], card: Mapping[str, Any], parts: Mapping[str, Part]
) -> None:
    """Serialize parts to a model file; if writing fails, the file is unchanged.

    Args:
        path: the file.
        card: a description of the model, as values for JSON.
        parts: arrays of 8-bit integers or 32-bit floats, or bytes.
    """
    entries: dict[str, dict[str, Any]] = {}
    bodies, offset = [], 0
    for name, part in sorted(parts.items()):
        if isinstance(part, bytes):
            kind, shape, body = "bytes", [len(part)], part
        else:
            kind, shape, body = part.dtype.name, list(part.shape), part.tobytes()
        if kind not in _TYPES:
            message = f"part {name!r} has type {kind}, expected one of {_TYPES}"
            raise ValueError(message)
        entries[name] = {"type": kind, "shape": shape, "offset": offset}
        entries[name]["size"] = len(body)
        bodies.append(body)
        offset += len(body)
    about = {"card": dict(card), "parts": entries}
    header = json.dumps(about, ensure_ascii=False, sort_keys=True).encode()
    content = b"".join([len(header).to_bytes(8, "little"), header, *bodies])
    digest = hashlib.sha256(content).hexdigest().encode()
    path = Path(path)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "wb") as file:  # noqa: PTH123
            file.write(b"%s%d\n%s\n" % (_MAGIC, _VERSION, digest))
            file.write(content)
        Path(unfinished).chmod(0o644)
        Path(unfinished).replace(path)
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise


def load_parts(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, Part]]:
    """Parse a model file, and return its card and parts.

    Raises:
        FormatError: the file is not a model, is damaged, or has another version.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        message = f"the model cannot be read: {error.strerror or error}"
        raise _make_error(path, "model/unreadable", message) from error
    version_line, _, remainder = data.partition(b"\n")
    if not version_line.startswith(_MAGIC):
        message = "the file is not a model of cistell"
        raise _make_error(path, "model/not-a-model", message)
    if version_line != b"%s%d" % (_MAGIC, _VERSION):
        version = version_line.removeprefix(_MAGIC)[:20].decode("ascii", "replace")
        message = f"the model has format {version}, expected {_VERSION}"
        raise _make_error(path, "model/version", message)
    digest, _, content = remainder.partition(b"\n")
    if hashlib.sha256(content).hexdigest().encode() != digest:
        message = "the model is damaged: its checksum does not match"
        raise _make_error(path, "model/damaged", message)
    try:
        start = 8 + int.from_bytes(content[:8], "little")
        about = json.loads(content[8:start])
        parts = {
            name: _read_part(content, start, entry)
            for name, entry in about["parts"].items()
        }
        return dict(about["card"]), parts
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = f"the model is damaged: {error}"
        raise _make_error(path, "model/damaged", message) from error


def _make_error(path: str | os.PathLike[str], code: str, message: str) -> FormatError:
    return FormatError(message, code=code, place=str(path), hint=_HINT)


def _read_part(content: bytes, start: int, entry: Mapping[str, Any]) -> Part:
    kind, first, size = entry["type"], start + entry["offset"], entry["size"]
    if kind not in _TYPES or entry["offset"] < 0 or first + size > len(content):
        message = "a part is outside the file or of an unknown type"
        raise ValueError(message)
    if kind == "bytes":
        return content[first : first + size]
    count = size // np.dtype(kind).itemsize
    # A copy is aligned, and does not keep the bytes of the file.
    return np.frombuffer(content, kind, count, first).reshape(entry["shape"]).copy()
