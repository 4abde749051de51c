"""Studies: which corpora are compared, and what is run on each.

A study is a TOML file. The three of the paper come with corefkit, and users write their
own with the same keys: those of `Study`, and a table `[[setting]]` for each `Setting`,
with `[setting.train]` and `[setting.test]` for its `PartFiles` and optional
`[[setting.variant]]`. Paths are relative to the folder of data.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import MISSING, dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cistell.mentions.lexicon import get_language
from cistell.mentions.profiles import TYPED
from cistell.studies.corpora.schemes import scheme_named
from cistell.studies.learners import LEARNER_LABELS
from cistell.studies.paper import printed_dataset
from corefkit.exceptions import CorefkitError, FormatError, SettingsError, quoted
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

STUDIES = ("language", "scheme", "preprocessing")
PREPROCESSING = ("gold", "udpipe")
PARTS = ("train", "test")

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class PartFiles:
    """The files of one part of a corpus.

    Attributes:
        entities: the file with words, tags, trees and entities.
        trees: a file with constituent trees of the same texts, if the scheme needs it.
        types: a file with the entity types of the same texts.
        split: the name of the part, if it is not `train` or `test`.
    """

    entities: str
    trees: str = ""
    types: str = ""
    split: str = ""

    def __iter__(self) -> Iterator[str]:
        """Go through the paths."""
        return filter(None, (self.entities, self.trees, self.types))


@dataclass(frozen=True, slots=True)
class Variant:
    """Another training on the corpus of a setting, run with the first learner.

    Attributes:
        name: its name in files.
        title: what is different.
        without: features, or groups of them, to leave out.
        train_share: the share of the training documents to learn from.
        entity_types: which mentions show their entity types; as in the setting if
            empty.
    """

    name: str
    title: str
    without: tuple[str, ...] = ()
    train_share: float = 1.0
    entity_types: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A corpus in a scheme, with trees of some kind.

    Attributes:
        name: its name in files.
        title: its name in tables.
        language: the code of the language.
        train: what is learned from.
        test: what is scored.
        scheme: one of `cistell.studies.corpora.schemes`; as annotated if empty.
        format: the format of the files; recognised if empty.
        preprocessing: whose tags and trees: `gold`, the files' own, or `udpipe`.
        drop_without_node: whether to drop mentions that have no node in an automatic
            tree.
        entity_types: which mentions show their entity types.
        learners: those of the study's learners that are run; all if empty.
        paper: the paper's table of the setting nearest to this one.
        optional: how to get a corpus that few have; otherwise empty.
        note: what a reader should know.
        variants: other trainings on it.
    """

    name: str
    title: str
    language: str
    train: PartFiles
    test: PartFiles
    scheme: str = ""
    format: str = ""
    preprocessing: str = "gold"
    drop_without_node: bool = True
    entity_types: str = "names"
    learners: tuple[str, ...] = ()
    paper: str = ""
    optional: str = ""
    note: str = ""
    variants: tuple[Variant, ...] = ()

    def files(self, part: str) -> PartFiles:
        """Return the files of `train` or of `test`."""
        return self.train if part == "train" else self.test

    def paths(self) -> list[str]:
        """Return the paths of all its files."""
        return [path for part in PARTS for path in self.files(part)]


@dataclass(frozen=True, slots=True)
class Study:
    """Settings to compare.

    Attributes:
        title: its title.
        about: a paragraph about it.
        settings: the settings, the first of which the others are compared with.
        learners: names of learners; the first is the paper's, and has all its models.
    """

    title: str
    about: str
    settings: tuple[Setting, ...]
    learners: tuple[str, ...] = ("ib1", "logistic")


def load_study(name: str) -> Study:
    """Read a study of the paper by its name, or one of the user's by its path.

    >>> [setting.name for setting in load_study("scheme").settings]
    ['gum', 'ace', 'ontogum']
    """
    if name in STUDIES:
        text = (files(__package__) / f"{name}.toml").read_text("utf-8")
        return study_from(tomllib.loads(text))
    path = Path(name)
    if path.suffix != ".toml":
        message = f"there is no study {quoted(name)}"
        hint = f"{suggest(name, STUDIES)}; or name a file of your own, as in my.toml"
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    try:
        return study_from(tomllib.loads(path.read_text("utf-8")))
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise CorefkitError(message, code="settings/unreadable", place=name) from error
    except ValueError as error:
        message = f"is not TOML: {error}"
        raise FormatError(message, code="settings/not-toml", place=name) from error
    except CorefkitError as error:
        raise type(error)(
            error.message, code=error.code, place=name, hint=error.hint
        ) from error


def study_from(values: Mapping[str, Any]) -> Study:
    """Make a study from the values of its file, and check it."""
    study = _made(
        Study,
        {key: value for key, value in values.items() if key != "setting"}
        | {"settings": tuple(map(_setting, values.get("setting", ())))},
        "the study",
    )
    if not study.settings or not study.learners:
        message = f"the study has no {'learners' if study.settings else '[[setting]]'}"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint="look at corefkit's own studies for one",
        )
    for learner in study.learners:
        _check(learner, LEARNER_LABELS, "learner")
    for setting in study.settings:
        for learner in setting.learners:
            _check(learner, study.learners, "learner of the study")
    _check_names([setting.name for setting in study.settings])
    return study


def _setting(values: Mapping[str, Any]) -> Setting:
    known = dict(values)
    for part in PARTS:
        if part in known:
            known[part] = _made(PartFiles, known[part], f"[setting.{part}]")
    variants = known.pop("variant", ())
    known["variants"] = tuple(
        _made(Variant, table, "[[setting.variant]]") for table in variants
    )
    setting = _made(Setting, known, "[[setting]]")
    get_language(setting.language)
    if setting.scheme:
        scheme_named(setting.scheme)
    if setting.paper:
        printed_dataset(setting.paper)
    _check(setting.preprocessing, PREPROCESSING, "preprocessing")
    _check(setting.entity_types, TYPED, "value of entity_types")
    for variant in setting.variants:
        if not 0 < variant.train_share <= 1:
            message = f"train_share is {variant.train_share}, expected a share up to 1"
            raise SettingsError(message, code="settings/invalid-value")
        _check(variant.entity_types, ("", *TYPED), "value of entity_types")
    _check_names([variant.name for variant in setting.variants])
    return setting


def _made(kind: type[_Value], values: Mapping[str, Any], what: str) -> _Value:
    """Make a value from a table of TOML, whose keys are the names of its fields."""
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            message = f"{what} has the key {quoted(name)}, which is unknown"
            raise SettingsError(
                message, code="settings/unknown-setting", hint=suggest(name, known)
            )
    for name, field in known.items():
        if field.default is MISSING and name not in values:
            message = f"{what} has no {name!r}"
            raise SettingsError(
                message,
                code="settings/missing-value",
                hint="look at corefkit's own studies for one",
            )
    plain = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in values.items()
    }
    return kind(**plain)


def _check(value: str, known: Collection[str], what: str) -> None:
    if value not in known:
        message = f"there is no {what} {quoted(value)}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(value, known)
        )


def _check_names(names: list[str]) -> None:
    for name in names:
        if not _NAME.fullmatch(name) or names.count(name) > 1:
            why = "is there twice" if names.count(name) > 1 else "cannot name files"
            message = f"the name {quoted(name)} {why}"
            hint = "use small letters, digits and hyphens, each name once"
            raise SettingsError(message, code="settings/duplicate-name", hint=hint)
