"""Which runs belong on one leaderboard: those against the same key."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefkit.corpus import Fingerprint


def corpus_id(fingerprint: Fingerprint, hash: str) -> str:
    """Name what a response was scored on: documents, words, mentions, entities.

    The same key in another format has the same name. A key whose words are not known,
    or whose mentions are names, is known by the hash of its bytes.

    >>> from corefkit.corpus import compute_fingerprint
    >>> from corefkit.example import paths
    >>> corpus_id(compute_fingerprint(paths()[0]), "0f" * 32)
    '13ccc68d73f18a98'
    """
    known = [
        *(fingerprint.documents, fingerprint.words, fingerprint.mentions),
        *(fingerprint.entities, fingerprint.text),
        *(fingerprint.mention_set, fingerprint.entity_set),
    ]
    told = bool(fingerprint.text) and bool(
        fingerprint.mention_set or not fingerprint.mentions
    )
    text = "|".join(map(str, known)) if told else hash
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
