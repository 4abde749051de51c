"""Names that people gave to files, made into names on disk."""

from __future__ import annotations

import re

_LONGEST = 80  # bytes of a file's name on disk


def file_name(name: str) -> str:
    """Make a file's name of what people called it, so that messages can show it.

    It has letters, digits and `.+-_` only, and begins with a letter or digit: it names
    nothing but a file in the folder that was made for it.

    >>> file_name("../../etc/passwd"), file_name("-"), file_name("Schlüssel 1.conll")
    ('etc_passwd', 'file', 'Schlüssel_1.conll')
    >>> file_name("x" * 300 + ".conll")[-12:]
    'xxxxxx.conll'
    """
    safe = re.sub(r"[^\w.+-]+", "_", name)
    safe = re.sub(r"^[\W_]+", "", safe)
    if len(safe.encode("utf-8")) > _LONGEST:
        stem, point, ending = safe.rpartition(".")
        ending = f"{point}{ending}"[:20] if stem else ""
        room = (_LONGEST - len(ending.encode("utf-8"))) // 4
        safe = f"{(stem or safe)[:room]}{ending}"
    return safe or "file"
