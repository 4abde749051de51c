"""Suite files: TOML with the corpora, systems and settings of a suite.

    title = "CRAC 2026"
    preset = "crac2026"                              # or any other setting
    metrics = ["conll", "lea"]
    missing_cells = "omit"
    key = "data/{corpus}-test.conllu"                # all files that match

    [systems]
    corpipe = "runs/corpipe/{corpus}.conllu"
    baseline = ["runs/1/{corpus}.conllu", "runs/2/{corpus}.conllu"]   # two runs

    [corpora.en_gum]                                 # what differs for one corpus
    key = "other/gum.conllu"
    responses = {corpipe = "runs/corpipe/gum.conllu"}
    singletons = "drop"

Paths are relative to the folder of the file.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from corefkit.analysis.compare.systems import Runs
from corefkit.exceptions import SettingsError
from corefkit.formats import Input
from corefkit.settings import SETTINGS
from corefkit.strings import suggest

_CORPUS = "{corpus}"
_SETTINGS = ("preset", *SETTINGS)
_TOP_KEYS = ("title", "metrics", "missing_cells", "key", "systems", "corpora")
_CORPUS_KEYS = ("key", "responses")


@dataclass(frozen=True, slots=True)
class SuiteCorpus:
    """A corpus of a suite.

    Attributes:
        key: the key, as for `corefkit.score`.
        responses: the response of each system, or its `Runs`, by name.
        settings: the settings in which the corpus differs from the suite.

    >>> SuiteCorpus("key.conll", {"A": "a.conll"}, {"singletons": "drop"}).key
    'key.conll'
    """

    key: Input
    responses: Mapping[str, Any]
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suite:
    """Corpora, the responses of systems to them, and settings.

    Attributes:
        title: its name.
        corpora: the corpora, by name.
        settings: the settings of scoring.
        metrics: the names of the metrics; None for the default set.
        missing_cells: the policy for missing responses: `omit`, `empty` or `error`.

    >>> corpora = {"first": SuiteCorpus("key.conll", {"A": "a.conll", "B": "b.conll"})}
    >>> Suite("demo", corpora).systems
    ('A', 'B')
    """

    title: str
    corpora: Mapping[str, SuiteCorpus]
    settings: Mapping[str, str] = field(default_factory=dict)
    metrics: Sequence[str] | None = None
    missing_cells: str = "omit"

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of all systems, in the order of their first response."""
        corpora = self.corpora.values()
        return (
            *dict.fromkeys(name for corpus in corpora for name in corpus.responses),
        )


def read_suite(path: str | os.PathLike[str]) -> Suite:
    """Read a suite file; responses need not exist.

    Raises:
        SettingsError: the file is not a suite; the message names the place.
    """
    place = os.fspath(path)
    try:
        values = tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"cannot be read as TOML: {reason}"
        raise SettingsError(message, code="settings/unreadable", place=place) from error
    return _SuiteReader(place, values).read()


class _SuiteReader:
    """Converts the values of a suite file, and reports errors with their place."""

    def __init__(self, path: str, values: Mapping[str, Any]) -> None:
        self._path, self._values = path, values
        self._folder = Path(path).parent

    def read(self) -> Suite:
        values = self._values
        self._check_keys(values, (*_TOP_KEYS, *_SETTINGS), "")
        systems = self._get(values, "systems", dict, "")
        if not systems:
            self._reject("has no systems", "add a table [systems]")
        patterns = {
            name: self._list_texts(pattern, f"systems.{name}")
            for name, pattern in systems.items()
        }
        tables = self._get_corpora(values)
        if not tables:
            self._reject(
                "has no corpora", f"add a key with {_CORPUS}, or [corpora.NAME]"
            )
        metrics = values.get("metrics")
        return Suite(
            self._get(values, "title", str, "") or Path(self._path).stem,
            {
                name: self._read_corpus(name, table, patterns)
                for name, table in tables.items()
            },
            self._get_settings(values, ""),
            None if metrics is None else self._list_texts(metrics, "metrics"),
            self._get(values, "missing_cells", str, "") or "omit",
        )

    def _get_corpora(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the table of each corpus: those listed, or those with a key."""
        corpora = values.get("corpora", {})
        if isinstance(corpora, list):
            return {name: {} for name in self._list_texts(corpora, "corpora")}
        tables: dict[str, Any] = self._get(values, "corpora", dict, "")
        pattern = self._get(values, "key", str, "")
        names = self._find_keys(pattern) if _CORPUS in pattern else []
        return {name: {} for name in names} | tables

    def _find_keys(self, pattern: str) -> list[str]:
        """Return the names of the corpora whose keys match a pattern."""
        start, _, end = pattern.partition(_CORPUS)
        # The part of the pattern after the name can repeat it.
        expression = re.escape(start) + "(?P<name>[^/]+)" + re.escape(end)
        expression = expression.replace(re.escape(_CORPUS), "(?P=name)")
        glob = pattern.replace(_CORPUS, "*")
        folder = Path(glob).anchor or self._folder
        relative = glob.removeprefix(Path(glob).anchor)
        names = set()
        for path in Path(folder).glob(relative):
            text = (
                path.as_posix()
                if Path(glob).anchor
                else path.relative_to(folder).as_posix()
            )
            match = re.fullmatch(expression.removeprefix(re.escape("./")), text)
            if match is not None:
                names.add(match["name"])
        return sorted(names)

    def _read_corpus(
        self, name: str, table: Any, patterns: Mapping[str, Sequence[str]]
    ) -> SuiteCorpus:
        where = f"corpora.{name}"
        if not isinstance(table, dict):
            self._reject(f"{where} is not a table", f"write [{where}]")
        self._check_keys(table, (*_CORPUS_KEYS, *_SETTINGS), where)
        key = self._get(table, "key", str, where) or self._get(
            self._values, "key", str, ""
        )
        if not key:
            self._reject(f"{where} has no key", "add key = PATH")
        own = self._get(table, "responses", dict, where)
        self._check_keys(own, tuple(patterns), f"{where}.responses")
        responses: dict[str, Any] = {}
        for system, pattern in patterns.items():
            texts = pattern
            if system in own:
                texts = self._list_texts(own[system], f"{where}.responses.{system}")
            paths = [self._resolve(text, name) for text in texts]
            responses[system] = paths[0] if len(paths) == 1 else Runs(paths)
        settings = self._get_settings(table, where)
        return SuiteCorpus(self._resolve(key, name), responses, settings)

    def _resolve(self, pattern: str, corpus: str) -> str:
        return str(self._folder / pattern.replace(_CORPUS, corpus))

    def _get_settings(self, values: Mapping[str, Any], where: str) -> dict[str, str]:
        names = [name for name in _SETTINGS if name in values]
        return {name: self._get(values, name, str, where) for name in names}

    def _get(self, values: Mapping[str, Any], name: str, kind: type, where: str) -> Any:
        value = values.get(name, kind())
        if not isinstance(value, kind):
            expected = "a table" if kind is dict else "a text"
            path = f"{where}.{name}" if where else name
            self._reject(f"{path} is {value!r:.60}, expected {expected}")
        return value

    def _list_texts(self, value: object, where: str) -> list[str]:
        texts: list[Any] = value if isinstance(value, list) else [value]
        if texts and all(isinstance(text, str) and text for text in texts):
            return texts
        return self._reject(
            f"{where} is {value!r:.60}, expected a text, or a list of texts"
        )

    def _check_keys(
        self, values: Mapping[str, Any], known: Sequence[str], where: str
    ) -> None:
        for name in values:
            if name not in known:
                path = f"{where}.{name}" if where else name
                self._reject(f"unknown key {path!r}", suggest(name, known))

    def _reject(self, message: str, hint: str | None = None) -> NoReturn:
        raise SettingsError(
            message, code="settings/invalid-value", place=self._path, hint=hint
        )
