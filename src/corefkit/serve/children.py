"""A child process and its folder: made, filled, run within limits, removed."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from corefkit.exceptions import CorefkitError
from corefkit.serve.limits import in_words
from corefkit.serve.names import file_name
from corefkit.serve.values import Outcome, Refusal, Scores

if TYPE_CHECKING:
    from pathlib import Path

    from corefkit.serve.limits import Limits
    from corefkit.serve.spool import Spool
    from corefkit.serve.store import Store
    from corefkit.serve.values import Asked

# Nothing is imported from the folder that it works in.
COMMAND = (sys.executable, "-P", "-m", "corefkit.serve.child")
_DEFECT = "this is a defect of corefkit; please report it"


class Folder:
    """The folder of one run, with its files and what its child leaves.

    Attributes:
        path: where it is.
    """

    def __init__(self, home: Path, asked: Asked, limits: Limits) -> None:
        self._asked, self._limits = asked, limits
        # The child works in it, and so must not look for it from there.
        self.path = home.absolute() / f"run-{secrets.token_hex(16)}"
        # Each file stands alone in a folder that no file can name.
        self._inside = secrets.token_hex(16)
        self._names = [
            f"{self._inside}/{number}/{file_name(file.name)}"
            for number, file in enumerate(asked.files)
        ]

    def __enter__(self) -> Self:
        """Make the folder."""
        self.path.mkdir()
        return self

    def __exit__(self, *exception: object) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)

    def fill(self, spool: Spool, store: Store) -> None:
        """Put the files in, and say what is asked."""
        total = 0
        for file, name in zip(self._asked.files, self._names, strict=True):
            path = self.path / name
            path.parent.mkdir(parents=True)
            if file.hash in spool:
                _put(spool.path(file.hash), path)
            elif (content := store.content(file.hash)) is not None:
                path.write_bytes(content)
            else:
                message = f"the file of {file.name!r} is not here any more"
                raise Refusal(410, message, hint="send it again")
            total += path.stat().st_size
        spool.check_run(total)
        asked = {
            "files": [[file.hash, file.name] for file in self._asked.files],
            "settings": dict(self._asked.settings),
            "paths": self._names,
            "folder": self._inside,
            "most": self._limits.file_bytes,
            "memory": self._limits.memory,
            "seconds": self._limits.seconds,
        }
        (self.path / "asked.json").write_text(json.dumps(asked), "utf-8")

    def content(self, hash: str) -> bytes:
        """Return the bytes of a file, by its hash."""
        hashes = [file.hash for file in self._asked.files]
        return (self.path / self._names[hashes.index(hash)]).read_bytes()

    async def scored(self) -> Outcome:
        """Run the child, and read what it leaves; say why if it leaves nothing."""
        process = await asyncio.create_subprocess_exec(
            *(*COMMAND, str(self.path)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env=self._environment(),
            # Ctrl-C at the terminal is for the server, which ends its children.
            start_new_session=True,
        )
        try:
            await asyncio.wait_for(process.wait(), self._limits.seconds)
        except TimeoutError:
            message = f"it took more than {self._limits.seconds} seconds"
            raise self._too_much(message, "--time-limit") from None
        finally:
            await _ended(process)
        return self.outcome(process.returncode or 0)

    def _environment(self) -> dict[str, str]:
        # What is copied aside goes with the folder; one thread is what is counted on.
        return {**os.environ, "TMPDIR": str(self.path), "OPENBLAS_NUM_THREADS": "1"}

    def _too_much(self, message: str, option: str) -> CorefkitError:
        hint = f"send fewer responses at once, or start the server with {option}"
        return CorefkitError(
            f"the run was stopped: {message}", code="request/too-large", hint=hint
        )

    def outcome(self, code: int) -> Outcome:
        """Read what a child left that ended with a code, or raise why it left none."""
        file = self.path / "outcome.json"
        if not file.is_file():
            raise self._died(code)
        found = json.loads(file.read_text("utf-8"))
        if found.get("memory"):
            message = f"it needs more than {in_words(self._limits.memory)} of memory"
            raise self._too_much(message, "--memory-limit")
        if "defect" in found:
            raise CorefkitError(found["defect"], code="request/defect", hint=_DEFECT)
        if "refused" in found:
            raise CorefkitError(found["refused"], code="pairing/nothing-scored")
        return self._read(found)

    def _read(self, found: dict[str, Any]) -> Outcome:
        return Outcome(
            found["corpus"],
            found["fingerprint"],
            found["signature"],
            tuple(Scores(**one) for one in found["systems"]),
            (self.path / "scores").read_bytes(),
            (self.path / "report").read_bytes(),
        )

    def _died(self, code: int) -> CorefkitError:
        """Say how a child ended that left nothing."""
        if code == -getattr(signal, "SIGXCPU", 0):
            message = f"it took more than {self._limits.seconds} seconds"
            return self._too_much(message, "--time-limit")
        how = f"by signal {-code}" if code < 0 else f"with code {code}"
        message = f"the process that scored the run ended {how} before it was done"
        hint = "it may have needed too much memory, or the disk is full; try it again"
        return CorefkitError(message, code="environment/worker-died", hint=hint)


def _put(file: Path, path: Path) -> None:
    """Put a file at another place too, without its bytes twice where that can be."""
    try:
        os.link(file, path)
    except OSError:  # some file systems have no links
        shutil.copyfile(file, path)


async def _ended(process: asyncio.subprocess.Process) -> None:
    """End a child and all that it may have started, if it is still there."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        await process.wait()
