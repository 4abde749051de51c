"""The style and the script of pages, and the policy that allows them and no others."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

STYLES = ("style.css", "reader.css", "lists.css", "walk.css", "inside.css")
SCRIPT = "reader.js"
_FOLDER = files("corefkit.report") / "web"


def read_asset(name: str) -> str:
    """Read a file that pages are made of."""
    return (_FOLDER / name).read_text("utf-8")


def style_text() -> str:
    """Return the style of all pages: of parts, of the reader, of its lists."""
    return "".join(read_asset(name) for name in STYLES if (_FOLDER / name).is_file())


def script_text(name: str = SCRIPT) -> str:
    """Return a script as it stands in its element."""
    return read_asset(name).strip()


def policy(style: str, *scripts: str, connects: bool = False) -> str:
    """Say what a page may load: its own style and scripts, and pictures inside it.

    A page that `connects` may ask the server that it comes from.
    """
    rules = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": " ".join(map(_hash, scripts)) or "'none'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        **({"connect-src": "'self'"} if connects else {}),
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
