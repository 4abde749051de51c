"""The corpus in a folder: which files are for training, for trials and for the test.

A part is a file of CoNLL-U, or a folder of such files, with `train`, `dev` or `test`
among the words of its name, as in `gum-train.conllu` or `en_gum-ud-dev.conllu`. What is
left of the name is that of the corpus. Where the folder has no part, the folders in it
are looked at. One file without such a word is for training.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cistell.corpora.parts import is_masked
from corefkit.exceptions import CorefkitError, SettingsError, quoted
from corefkit.formats import read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from corefkit.model import Document

TRAIN, DEV, TEST = "train", "dev", "test"
_WORDS = {
    **dict.fromkeys(("train", "training"), TRAIN),
    **dict.fromkeys(("dev", "devel", "development", "val", "validation"), DEV),
    "test": TEST,
}
_ENDING = ".conllu"
_LICENCE = re.compile(r"(licen[cs]e|copying)\b", re.IGNORECASE)
_HINT = (
    "a corpus is in CoNLL-U, with tags, trees and entities, and its files have "
    "`train`, `dev` and `test` in their names, as GUM's have"
)


class Files(NamedTuple):
    """Where the parts of a corpus are."""

    name: str
    parts: dict[str, Path]  # by `train`, `dev` and `test`
    licence: str  # the name of the file that has it; empty if there is none


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents of a corpus, without those whose words are masked."""

    name: str
    train: tuple[Document, ...]
    dev: tuple[Document, ...]  # none if the corpus has no such part
    test: tuple[Document, ...]  # none if the corpus has no such part
    masked: tuple[str, ...]  # the ids of the documents that are left out
    licence: str  # where its licence is told


def corpus_at(folder: Path) -> Corpus:
    """Read the corpus that a folder has.

    Raises:
        SettingsError: there is no such folder, or no training file, or several corpora.
        CorefkitError: a part has no document with words, or no entities.
    """
    files = files_at(folder)
    masked: list[str] = []
    parts = {
        part: tuple(_documents(path, masked)) for part, path in files.parts.items()
    }
    for part, documents in parts.items():
        if not any(document.entities for document in documents):
            message = f"no document of the {part} part has entities"
            raise CorefkitError(
                message,
                code="model/nothing-to-learn",
                place=str(files.parts[part]),
                hint=_HINT,
            )
    return Corpus(
        files.name,
        parts[TRAIN],
        parts.get(DEV, ()),
        parts.get(TEST, ()),
        tuple(masked),
        files.licence,
    )


def _documents(path: Path, masked: list[str]) -> Iterator[Document]:
    for document in read(path):
        if is_masked(document):
            masked.append(document.id)
        elif document.words:
            yield document


def files_at(folder: Path) -> Files:
    """Find the parts of the corpus in a folder, or say why there is not one."""
    if not folder.is_dir():
        message = "there is no such folder"
        raise SettingsError(
            message, code="model/no-corpus", place=str(folder), hint=_HINT
        )
    corpora = _corpora(folder)
    if not corpora:
        inside = sorted(path for path in folder.iterdir() if path.is_dir())
        corpora = {
            f"{path.name}/{name}": parts
            for path in inside
            for name, parts in _corpora(path).items()
        }
    if not corpora:
        message = "there is no corpus here"
        raise SettingsError(
            message, code="model/no-corpus", place=str(folder), hint=_HINT
        )
    if len(corpora) > 1:
        names = ", ".join(map(quoted, sorted(corpora)))
        message = f"there are several corpora here: {names}"
        hint = "a model is trained on one, in one language: name a folder that has it"
        raise SettingsError(
            message, code="model/several-corpora", place=str(folder), hint=hint
        )
    ((name, parts),) = corpora.items()
    if TRAIN not in parts:
        found = ", ".join(quoted(path.name) for path in parts.values())
        message = f"there is no training part here, only {found}"
        raise SettingsError(
            message, code="model/no-corpus", place=str(folder), hint=_HINT
        )
    return Files(name, parts, _licence(parts[TRAIN].parent))


def _corpora(folder: Path) -> dict[str, dict[str, Path]]:
    """Find the parts in a folder, by the names of their corpora."""
    found: dict[str, dict[str, Path]] = {}
    plain = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not _is_treebank(path):
            continue
        part, name = part_of(path.name.removesuffix(_ENDING))
        if not part:
            plain.append(path)
            continue
        row = found.setdefault(name or folder.name, {})
        if part in row:
            message = f"{quoted(row[part].name)} and {quoted(path.name)} are both the "
            message += f"{part} part of a corpus"
            raise SettingsError(
                message,
                code="model/several-corpora",
                place=str(folder),
                hint="leave one of them",
            )
        row[part] = path
    files = [path for path in plain if path.is_file()]
    for path in files:
        # Beside files that are named as parts, another file is another corpus.
        found.setdefault(path.name.removesuffix(_ENDING), {})[TRAIN] = path
    return found


def _is_treebank(path: Path) -> bool:
    if path.is_dir():
        return any(path.glob(f"*{_ENDING}"))
    return path.name.endswith(_ENDING)


def part_of(name: str) -> tuple[str, str]:
    """Tell which part a name is of, and the name of its corpus; empty if of none.

    >>> part_of("en_gum-ud-train"), part_of("dev"), part_of("tales")
    (('train', 'en_gum-ud'), ('dev', ''), ('', 'tales'))
    """
    words = re.split(r"([^A-Za-z0-9]+)", name)
    for at, word in enumerate(words):
        if word.lower() in _WORDS:
            # The sign before the word goes with it, or else the one after it.
            before, after = words[: max(at - 1, 0)], words[at + 1 :]
            rest = "".join(before or after[1:] if not at else before + after)
            return _WORDS[word.lower()], rest
    return "", name


def _licence(folder: Path) -> str:
    names = sorted(path.name for path in folder.iterdir() if path.is_file())
    return next((name for name in names if _LICENCE.match(name)), "")
