"""The process that scores one run: `python -m corefkit.serve.child FOLDER`.

It reads `asked.json`, limits itself before it looks into any file, and leaves
`outcome.json`, beside it the report and the scores, or why there are none. It ends when
its standard input does, so that it does not outlive a server that was killed.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from corefkit.serve.values import Asked, Outcome

_GRACE = 5  # seconds
_LARGEST_OUTPUT = 1 << 28  # bytes of a file that the process writes

# What the loader of libraries says where memory is limited.
_NO_ROOM = ("failed to map segment", "annot allocate memory")


def main(folder: Path) -> None:
    """Score what a folder asks for, and leave there what came out."""
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    os.chdir(folder)  # so that messages name no folder of this machine
    asked = json.loads(Path("asked.json").read_text("utf-8"))
    limit(memory=asked["memory"], seconds=asked["seconds"])
    answer(asked)


def answer(asked: dict[str, Any]) -> None:
    """Leave in this folder what came out; the outcome is there whole or not at all."""
    text = json.dumps(_outcome(asked))
    part = Path("outcome.part")
    part.write_text(text, "utf-8")
    part.replace("outcome.json")


def limit(*, memory: int, seconds: int) -> None:
    """Limit this process, as far as the system can."""
    try:
        import resource
    except ImportError:  # Windows has no such limits; the server's clock ends it there
        return
    wanted = {
        "RLIMIT_AS": memory,
        "RLIMIT_DATA": memory,
        "RLIMIT_CPU": seconds,  # it is told so by a signal, and later killed
        "RLIMIT_FSIZE": _LARGEST_OUTPUT,
        "RLIMIT_CORE": 0,
    }
    for name, value in wanted.items():
        number = getattr(resource, name, None)
        if number is not None:
            # A system may not know a limit, or have a lower one.
            with suppress(ValueError, OSError):
                hard = value + _GRACE if name == "RLIMIT_CPU" else value
                resource.setrlimit(number, (value, hard))


def _end_with_the_server() -> None:
    with suppress(OSError):
        while os.read(0, 1024):
            pass
    os._exit(1)  # at once, whatever the other thread does


def _outcome(asked: dict[str, Any]) -> dict[str, object]:
    """Score, or say why that cannot be done; what is said names no folder."""
    hide = re.compile(rf"{re.escape(asked['folder'])}/\d+/")
    try:
        # Imported here because limits come first.
        from corefkit.serve.scoring import in_form, outcome_of

        paths = [Path(path) for path in asked["paths"]]
        found = outcome_of(_asked(asked), paths, most=asked["most"])
        return _written(found, hide)
    except CorefkitError as error:
        return {"refused": in_form(hide.sub("", error.reason))}
    except OSError as error:
        return {"refused": hide.sub("", f"files cannot be read or written: {error}")}
    except Exception as error:  # noqa: BLE001 - the server says that it is a defect
        if _lacks_memory(error):
            return {"refused": "", "memory": True}
        return {"defect": hide.sub("", f"{type(error).__name__}: {error}")}


def _lacks_memory(error: Exception) -> bool:
    """Say whether there was no memory left, for values or for a library to load."""
    if isinstance(error, ImportError):
        return any(sign in str(error) for sign in _NO_ROOM)
    return isinstance(error, MemoryError)


def _asked(values: dict[str, Any]) -> Asked:
    from corefkit.serve.values import Asked, Upload

    key, *responses = (Upload(*file) for file in values["files"])
    return Asked(key, tuple(responses), values["settings"])


def _written(found: Outcome, hide: re.Pattern[str]) -> dict[str, object]:
    """Write the large parts of an outcome to files of their own; return the rest."""
    values = asdict(found)
    for name in ("report", "scores"):
        text = values.pop(name).decode("utf-8")
        Path(name).write_bytes(hide.sub("", text).encode("utf-8"))
    rest: dict[str, object] = json.loads(hide.sub("", json.dumps(values)))
    return rest


if __name__ == "__main__":
    main(Path(sys.argv[1]))
