"""Model files: all that resolving needs, in one archive.

The files of the learner are under `learner/`, those of the tagger of mentions under
`tagger/`, and those of the parser of raw text under `parser/`. `model.json` has the
card of the model, its features, and how mentions find their entities.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cistell.archive import (
    ABOUT,
    FORMAT,
    Archive,
    load_archive,
    save_archive,
)
from cistell.card import Card
from cistell.learners import learner_named
from cistell.learners.base import AGAIN, Column
from cistell.linking import EntityLinker
from cistell.models import CHECKS, SEARCHES, Linking
from corefkit.exceptions import CorefkitError, FormatError, quoted

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from cistell.learners.base import Classifier

__all__ = ["FORMAT", "FOUND", "GOLD", "RANKING", "Model", "load_model", "save_model"]

_LEARNER, _TAGGER, _PARSER = "learner", "tagger", "parser"
# Mentions to link: those of a document, or those that a tagger found in it. A model may
# link the two differently, since not all of the latter are mentions.
GOLD, FOUND = "gold", "found"
# The learner of models that rank candidates, in place of deciding on pairs.
RANKING = "ranking"


@dataclass(frozen=True, slots=True)
class Model:
    """A trained model."""

    language: str
    # The features of pairs, in the order of a row; none if candidates are ranked.
    columns: tuple[Column, ...]
    learner: str  # one of `LEARNERS`, or `ranking`
    classifier: Classifier | EntityLinker  # what it has learned
    corpus: Mapping[str, object]  # the fingerprint of the training corpus
    # How the training pairs were chosen, and how many there were.
    training: Mapping[str, object]
    # The files of a trained tagger of mentions, or None.
    tagger: Mapping[str, bytes] | None = None
    # The files of a parser of raw text, or None.
    parser: Mapping[str, bytes] | None = None
    # How mentions find their entities, by where they are from: `gold` or `found`.
    linkings: Mapping[str, Linking] = field(default_factory=dict)
    # How ready a linker that ranks is to link, by the same.
    biases: Mapping[str, float] = field(default_factory=dict)
    card: Card = field(default_factory=Card)  # what to know of it


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, or leave the file as it was."""
    save_archive(Archive(_about(model), _entries(model)), path)


def load_model(
    path: str | os.PathLike[str],
    *,
    known: Callable[[str], Iterable[Column]] | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Model:
    """Read a model from a file.

    Args:
        path: a file that `save_model` wrote.
        known: returns all features of a language, with their values; a model with
            others is refused.
        note: called with what the user should know.

    Raises:
        FormatError: the file is not a model, is damaged, or is of another version.
    """
    try:
        return _model(load_archive(Path(path)), known=known, note=note)
    except CorefkitError as error:
        # The other errors are not about the bytes of the file: its language or learner
        # is unknown here, or the package of its learner is missing.
        is_about_file = error.code.startswith("model/")
        code = error.code if is_about_file else "model/unsupported"
        raise FormatError(
            error.message, code=code, place=str(path), hint=error.hint
        ) from error


def _entries(model: Model) -> dict[str, bytes]:
    folders = {
        _LEARNER: model.classifier.files(),
        _TAGGER: model.tagger or {},
        _PARSER: model.parser or {},
    }
    return {
        f"{folder}/{name}": body
        for folder, files in folders.items()
        for name, body in files.items()
    }


def _about(model: Model) -> dict[str, object]:
    return {
        "card": model.card.to_dict(),
        "language": model.language,
        "learner": model.learner,
        "columns": [
            {"name": column.name, "values": column.values} for column in model.columns
        ],
        "linkings": {name: asdict(linking) for name, linking in model.linkings.items()},
        "biases": dict(model.biases),
        "corpus": dict(model.corpus),
        "training": dict(model.training),
        "parts": [
            name
            for name, files in ((_TAGGER, model.tagger), (_PARSER, model.parser))
            if files is not None
        ],
    }


def _model(
    archive: Archive,
    *,
    known: Callable[[str], Iterable[Column]] | None,
    note: Callable[[str], None],
) -> Model:
    about = archive.about
    try:
        language, name = str(about["language"]), str(about["learner"])
        columns = tuple(map(_column, about["columns"]))
        corpus, training = dict(about["corpus"]), dict(about["training"])
        linkings = {
            str(mentions): _linking(values)
            for mentions, values in about["linkings"].items()
        }
        biases = {str(name): float(bias) for name, bias in about["biases"].items()}
        parts = [str(part) for part in about["parts"]]
        card = Card.from_dict(about["card"])
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        message = f"the model is damaged: {ABOUT} lacks a part"
        raise FormatError(message, code="model/damaged", hint=AGAIN) from error
    if known:
        _check_columns(columns, {column.name: column for column in known(language)})
    name, classifier = _classifier(name, archive.under(_LEARNER), columns, note=note)
    return Model(
        language=language,
        columns=columns,
        learner=name,
        classifier=classifier,
        corpus=corpus,
        training=training,
        tagger=archive.under(_TAGGER) if _TAGGER in parts else None,
        parser=archive.under(_PARSER) if _PARSER in parts else None,
        linkings=linkings,
        biases=biases,
        card=card,
    )


def _classifier(
    name: str,
    files: Mapping[str, bytes],
    columns: tuple[Column, ...],
    *,
    note: Callable[[str], None],
) -> tuple[str, Classifier | EntityLinker]:
    """Load what was learned; another learner may take over for one that is missing."""
    if name == RANKING:
        return name, EntityLinker.load(files)
    learner = learner_named(name, note=note)
    return learner.name, learner.load(files, columns)


def _column(column: Mapping[str, Any]) -> Column:
    name, values = column["name"], tuple(column["values"])
    if not all(isinstance(word, str) for word in (name, *values)):
        raise TypeError
    return Column(name, values)


def _linking(values: Mapping[str, Any]) -> Linking:
    """Read how mentions are linked; refuse what no linking is."""
    threshold = values["threshold"]
    search, check = values["search"], values["check"]
    if search not in SEARCHES or check not in CHECKS:
        raise ValueError
    return Linking(
        search,
        check,
        None if threshold is None else float(threshold),
        bool(values["merge"]),
    )


def _check_columns(columns: Iterable[Column], known: Mapping[str, Column]) -> None:
    """Refuse a model whose features are not the features of this version."""
    for column in columns:
        if column.name not in known:
            what = f"has the feature {quoted(column.name)}, unknown to this corefkit"
        elif column != known[column.name]:
            what = f"has other values of the feature {quoted(column.name)}"
        else:
            continue
        hint = "use the corefkit that trained it, or train it again"
        message = f"the model {what}"
        raise FormatError(message, code="model/features", hint=hint)
