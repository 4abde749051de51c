"""What a server takes at most: bytes, files, seconds, processes."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields

from corefkit.exceptions import SettingsError

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30
_LARGEST_FILE = 512 * _MIB  # SQLite keeps values of up to a gigabyte


def _processes() -> int:
    """Leave half of the machine to others."""
    return max(1, min(4, (os.cpu_count() or 1) // 2))


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server takes at most.

    Attributes:
        file_bytes: the size of one file, as it is sent and as it is unpacked.
        responses: how many responses one run has.
        run_bytes: the size of all files of a run together.
        database_bytes: the size of all runs that are kept; beyond it, none is added.
        waiting_bytes: the size of all files that were sent and are in no run yet.
        waiting_seconds: how long such a file is kept.
        request_bytes: the size of a request that is no file.
        upload_seconds: how long sending one file may take.
        at_once: how many runs are scored at the same time.
        queue: how many more runs wait for their turn.
        memory: what one run may use, in bytes.
        seconds: how long one run may take.
        name_length: the number of characters of a name.

    >>> Limits(file_bytes=5).run_bytes
    268435456
    >>> Limits(seconds=0)
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: the limit 'seconds' is 0, expected 1 or more
    """

    file_bytes: int = 64 * _MIB
    responses: int = 50
    run_bytes: int = 256 * _MIB
    database_bytes: int = 10 * _GIB
    waiting_bytes: int = _GIB
    waiting_seconds: int = 3600
    request_bytes: int = 128 * _KIB
    upload_seconds: int = 120
    at_once: int = _processes()
    queue: int = 100
    memory: int = 2 * _GIB
    seconds: int = 300
    name_length: int = 200

    def __post_init__(self) -> None:
        """Refuse limits that nothing passes, and files that cannot be stored."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                message = f"the limit {field.name!r} is {value}, expected 1 or more"
                raise SettingsError(message, code="settings/invalid-value")
        if self.file_bytes > _LARGEST_FILE:
            message = f"files of {in_words(self.file_bytes)} cannot be stored"
            raise SettingsError(
                message,
                code="settings/invalid-value",
                hint=f"at most {in_words(_LARGEST_FILE)}",
            )


def in_words(size: int) -> str:
    """Say a number of bytes as people read it.

    >>> in_words(64 * 2**20), in_words(1500), in_words(12)
    ('64 MB', '1.5 KB', '12 bytes')
    """
    for unit, name in ((_GIB, "GB"), (_MIB, "MB"), (_KIB, "KB")):
        if size >= unit:
            return f"{size / unit:.1f}".removesuffix(".0") + f" {name}"
    return f"{size} bytes"
