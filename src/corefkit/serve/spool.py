"""Files that were sent and wait for their run: on disk, by the hashes of their bytes.

No name that somebody sends is ever part of a path: a file is called by its hash. What
is left from a server that was killed is removed when the next one starts.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from corefkit.serve.limits import in_words
from corefkit.serve.values import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from corefkit.serve.limits import Limits

_BLOCK = 1 << 18  # bytes that are held before they are written


class Incoming:
    """A file that is being sent.

    Attributes:
        size: how many bytes came so far.
    """

    def __init__(self, spool: Spool, path: Path, handle: BinaryIO) -> None:
        self._spool, self._path, self._handle = spool, path, handle
        self._hash = hashlib.sha256()
        self._held = bytearray()
        self.size = 0

    def add(self, part: bytes) -> None:
        """Take the next bytes; refuse them if they are too many."""
        self._spool.check_size(self.size + len(part))
        self._spool.take_room(len(part))
        self.size += len(part)
        self._held += part

    @property
    def holds_much(self) -> bool:
        """Whether it is time to write."""
        return len(self._held) >= _BLOCK

    def write(self) -> None:
        """Write what is held; a thread may do it, as the disk may be slow."""
        self._hash.update(self._held)
        self._handle.write(self._held)
        self._held.clear()

    def finish(self) -> str:
        """Keep the file, and return its hash."""
        self.write()
        self._handle.close()
        name = self._hash.hexdigest()
        self._spool.keep(self._path, name, self.size)
        return name


class Spool:
    """The files that wait in one folder, which has nothing else.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from corefkit.serve.limits import Limits
    >>> with TemporaryDirectory() as folder:
    ...     spool = Spool(Path(folder), Limits())
    ...     with spool.incoming() as file:
    ...         file.add(b"#begin document (a);")
    ...         name = file.finish()
    ...     spool.path(name).read_bytes()
    b'#begin document (a);'
    """

    def __init__(
        self,
        folder: Path,
        limits: Limits,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder, self._limits, self._clock = folder, limits, clock
        self._kept: dict[str, tuple[int, float]] = {}  # sizes, and when last wanted
        self._held: dict[str, int] = {}  # by how many runs that wait or are scored
        self._room = limits.waiting_bytes

    @contextmanager
    def incoming(self) -> Iterator[Incoming]:
        """Open a file to be sent; unless it is finished, nothing of it stays."""
        self._forget_old(self._limits.waiting_seconds)
        path = self._folder / f"part-{secrets.token_hex(16)}"
        with path.open("xb") as handle:
            file = Incoming(self, path, handle)
            try:
                yield file
            except OSError:  # the disk is full: what nobody asked for makes room
                self._forget_old(0)
                raise
            finally:
                with suppress(OSError):  # a full disk, which was told before
                    handle.close()
                if path.exists():
                    path.unlink()
                    self._room += file.size

    def check_size(self, size: int) -> None:
        """Refuse a file that is larger than files may be."""
        most = self._limits.file_bytes
        if size > most:
            message = f"the file has more than {in_words(most)}, which is the limit"
            hint = "the option --file-limit of the server sets it"
            raise Refusal(413, message, hint=hint)

    def check_run(self, size: int) -> None:
        """Refuse a run whose files are larger together than they may be."""
        most = self._limits.run_bytes
        if size > most:
            message = f"the files of the run have more than {in_words(most)} together"
            raise Refusal(413, message, hint="send fewer responses at once")

    def take_room(self, size: int) -> None:
        """Take room for bytes that come in; refuse them if none is left."""
        if size > self._room:
            message = "too many files wait for their run, so there is no room for more"
            raise Refusal(503, message, hint="try again in a few minutes")
        self._room -= size

    def keep(self, part: Path, name: str, size: int) -> None:
        """Call a file by its hash; the same bytes are kept once."""
        if name in self._kept:
            part.unlink()
            self._room += size
        else:
            part.rename(self._folder / name)
        self._kept[name] = size, self._clock()

    def __contains__(self, name: str) -> bool:
        """Say whether a file waits here; it then waits longer."""
        if name not in self._kept:
            return False
        self._kept[name] = self._kept[name][0], self._clock()
        return True

    def path(self, name: str) -> Path:
        """Say where a file is."""
        return self._folder / name

    def size(self, name: str) -> int:
        """Say how large a file is."""
        return self._kept[name][0]

    def hold(self, names: Iterable[str]) -> None:
        """Keep files for a run, whatever their age."""
        for name in names:
            self._held[name] = self._held.get(name, 0) + 1

    def release(self, names: Iterable[str], *, are_stored: bool) -> None:
        """Let files of a run that is over grow old, or go if they are stored."""
        for name in names:
            self._held[name] -= 1
            if not self._held[name]:
                del self._held[name]
                if are_stored:
                    self._forget(name)

    def _forget_old(self, seconds: int) -> None:
        oldest = self._clock() - seconds
        for name, (_, wanted) in [*self._kept.items()]:
            if wanted < oldest and name not in self._held:
                self._forget(name)

    def _forget(self, name: str) -> None:
        if name in self._kept:
            self._room += self._kept.pop(name)[0]
            with suppress(OSError):
                self.path(name).unlink()
