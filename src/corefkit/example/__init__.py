"""A small example corpus: four short texts, one key, two responses.

The two systems fail in opposite ways. `careful` links little and is nearly always
right: it misses most pronouns and keeps "the mayor of Halden" apart from her name.
`greedy` links almost everything: all people of a text end up in one entity. MUC,
which counts links, ranks `greedy` first; B³, CEAF, BLANC and LEA rank `careful` first.

The key also exists with tags and trees of a parser, for the resolver.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["paths", "trees"]


def paths() -> tuple[Path, Path, Path]:
    """Return the paths of the key and of the two responses.

    >>> from corefkit.example import paths
    >>> [path.name for path in paths()]
    ['key.conll', 'careful.conll', 'greedy.conll']
    """
    folder = Path(__file__).parent
    return folder / "key.conll", folder / "careful.conll", folder / "greedy.conll"


def trees() -> Path:
    """Return the path of the key with tags and trees, as CoNLL-U.

    >>> trees().name
    'trees.conllu'
    """
    return Path(__file__).parent / "trees.conllu"
