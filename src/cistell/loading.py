"""Loading: which model is used, and whether all that it needs is here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.features import chosen_features, columns_of
from cistell.lexicon import NO_WORDNET, load_lexicon
from cistell.modelfile import load_model
from cistell.places import ENVIRONMENT, default_model
from cistell.profiles import context_of
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from cistell.learners.base import Column
    from cistell.lexicon import Lexicon
    from cistell.modelfile import Model
    from cistell.profiles import Context

# The name that stands for a resolver without a model.
SIEVE = "sieve"

_PARTS = {
    "wordnet": "WordNet",
    "genders": "lists of genders",
    "plurals": "lists of plurals",
    "demonyms": "lists of demonyms",
    "pronouns": "tables of pronouns",
}


def chosen_model(
    path: str | os.PathLike[str] | None, language: str = "en"
) -> str | os.PathLike[str]:
    """Return the model file that a user names, or else the default.

    Raises:
        SettingsError: none is named, and there is no default.
    """
    found = default_model(language) if path is None else path
    if found is None:
        message = f"there is no model to resolve with (language: {language})"
        hint = (
            "`corefkit train --from-scratch FOLDER` trains one from an annotated "
            "corpus, such as GUM in CoNLL-U, and keeps it; --model FILE or "
            f"{ENVIRONMENT} names one that you have; --model {SIEVE} needs none, but "
            "tags and trees, which a CoNLL-U file has and --parser finds"
        )
        raise SettingsError(message, code="model/none", hint=hint)
    return found


def read_model(
    path: str | os.PathLike[str], *, note: Callable[[str], None] = lambda _: None
) -> Model:
    """Read a model; refuse one with features that this corefkit does not know."""
    return load_model(path, known=_known, note=note)


def _known(language: str) -> tuple[Column, ...]:
    return columns_of(chosen_features(language))


def context_for(
    language: str,
    *,
    entity_types: str = "names",
    lexicon: Path | None = None,
    wordnet: Path | str | None = None,
) -> Context:
    """Load what mentions of a language are described with."""
    words = load_lexicon(language, folder=lexicon, wordnet=wordnet)
    return context_of(words, entity_types)


def context_of_model(
    model: Model,
    *,
    lexicon: Path | None = None,
    wordnet: Path | str | None = None,
    note: Callable[[str], None],
) -> Context:
    """Load what the mentions of a model are described with.

    A model that was trained without WordNet does without it here too, unless `wordnet`
    names one. `note` is called if the words known here differ from those of the
    training.
    """
    recorded = model.training.get("words")
    known = recorded if isinstance(recorded, dict) else {}
    if wordnet is None and known.get("wordnet") == NO_WORDNET:
        wordnet = NO_WORDNET
    context = context_for(
        model.language,
        entity_types=str(model.training.get("entity_types", "names")),
        lexicon=lexicon,
        wordnet=wordnet,
    )
    for line in _differences(model, context.lexicon, known):
        note(line)
    return context


def _differences(
    model: Model, words: Lexicon, known: Mapping[str, object]
) -> Iterator[str]:
    """Describe which words of the training are missing here, or differ."""
    recorded = model.training.get("missing")
    missing = {*map(str, recorded)} if isinstance(recorded, list) else set()
    gone = [
        lacking.resource for lacking in words.missing if lacking.resource not in missing
    ]
    here = words.fingerprints()
    others = [
        title
        for part, title in _PARTS.items()
        if known.get(part, here[part]) != here[part]
    ]
    if gone:
        yield (
            f"the model was trained with {', '.join(gone)}, missing here: it will "
            "decide worse; --lexicon and --wordnet name the folders"
        )
    elif others:
        yield (
            f"the model was trained with other {' and '.join(others)} than those here: "
            "it may decide otherwise; --lexicon and --wordnet name the folders"
        )
