"""The folder of a run: steps that are done once, and what they leave behind.

A step is known by a hash of its name, its options and the files that it reads. What it
writes goes into a temporary folder first, and is moved when the step is done; a record,
with the notes of the step, is written last. So an interrupted run continues where it
was, no file is ever half written, and a later run repeats the notes.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.exceptions import SettingsError
from corefkit.formats.output import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from cistell.studies.study import Variant
    from cistell.studies.systems import System


CONFIG, VERSIONS, LOG = "config.json", "versions.json", "log.txt"
REPORTS = ("report.md", "report.html", "tables.tex", "results.json")
RECORDS = "steps"
FOLDERS = (RECORDS, "corpora", "models", "responses", "scores")
UNFINISHED = ".unfinished"  # what a step has written before it is done


class Layout(NamedTuple):
    """The files of one setting, relative to the folder of the run.

    >>> Layout("gum").corpus("test")
    'corpora/gum-test.conllu'
    """

    setting: str

    def corpus(self, part: str) -> str:
        """Name the documents of a part."""
        return f"corpora/{self.setting}-{part}.conllu"

    @property
    def summaries(self) -> str:
        """What is known of the parts of the corpus."""
        return f"corpora/{self.setting}.json"

    @property
    def threshold(self) -> str:
        """The threshold that was picked."""
        return f"models/{self.setting}.threshold.json"

    def pairs(self, variant: Variant | None = None) -> str:
        """Name what the training pairs tell."""
        return f"models/{self._trained(variant)}.pairs.json"

    def response(self, system: System) -> str:
        """Name the response of a system."""
        return f"responses/{self.setting}-{system.name}.conllu"

    def scores(self, system: System) -> str:
        """Name the scores of a system."""
        return f"scores/{self.setting}-{system.name}.json"

    def _trained(self, variant: Variant | None) -> str:
        return self.setting if variant is None else f"{self.setting}-{variant.name}"


def record_file(step: str) -> str:
    """Name the record that a step is done."""
    return f"{RECORDS}/{step}.json"


@dataclass(frozen=True, slots=True)
class RunStep:
    """A piece of work of a run."""

    name: str  # its name, and that of its record
    about: str  # what it does, to show to the user
    inputs: tuple[str, ...]  # the files of the run that it reads
    options: Mapping[str, Any]  # what else it depends on, as plain values
    # Does the work, and writes files below the folder that it is called with.
    make: Callable[[Path], None]


class RunFolder:
    """A folder in which the steps of one configuration are done.

    A folder that does not exist is made; `fresh` deletes what an earlier run left. The
    listener is told what the user should know, now or from a step done before.
    """

    def __init__(
        self,
        path: Path,
        *,
        config: Mapping[str, Any],
        versions: Mapping[str, str],
        fresh: bool = False,
        listener: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.path = path
        self._listener = listener
        self._notes: dict[str, None] = {}
        self._versions = dict(versions)
        text = json_text(config)
        _check(path, text, fresh=fresh)
        path.mkdir(parents=True, exist_ok=True)
        for name in FOLDERS:
            (path / name).mkdir(exist_ok=True)
        self.write(CONFIG, text)
        self.write(VERSIONS, json_text(versions))

    def write(self, name: str, text: str) -> None:
        """Write a file, or leave it as it was."""
        with replace_file(self.path / name) as unfinished:
            unfinished.write_text(text, "utf-8")

    def read(self, name: str) -> Any:
        """Read a file of JSON that a step wrote."""
        return json.loads((self.path / name).read_text("utf-8"))

    def note(self, line: str) -> None:
        """Note something for the user; it is recorded with the current step."""
        self._notes[line] = None
        self._listener(line)

    def do(self, step: RunStep) -> bool:
        """Do a step unless it is done already; return whether there was work to do."""
        key = self._key(step)
        before = self._record(step, key)
        if before is not None:
            for line in before["notes"]:
                self._listener(line)
            return False
        start = time.monotonic()
        self._notes.clear()
        unfinished = self.path / UNFINISHED
        shutil.rmtree(unfinished, ignore_errors=True)
        for name in FOLDERS:
            (unfinished / name).mkdir(parents=True)
        try:
            step.make(unfinished)
            written = sorted(path for path in unfinished.rglob("*") if path.is_file())
            outputs = {}
            for path in written:
                name = path.relative_to(unfinished).as_posix()
                outputs[name] = sha256(path)
                path.replace(self.path / name)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        record = {"key": key, "outputs": outputs, "notes": list(self._notes)}
        self.write(record_file(step.name), json_text(record))
        self.log(f"{step.name}: {time.monotonic() - start:.1f} seconds")
        return True

    def log(self, line: str) -> None:
        """Add a line to the log, with the time."""
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        with (self.path / LOG).open("a", encoding="utf-8") as file:
            file.write(f"{now} {line}\n")

    def _key(self, step: RunStep) -> str:
        inputs = {name: sha256(self.path / name) for name in step.inputs}
        known = {
            "step": step.name,
            "options": dict(step.options),
            "inputs": inputs,
            "versions": self._versions,
        }
        return hashlib.sha256(json_text(known).encode()).hexdigest()

    def _record(self, step: RunStep, key: str) -> dict[str, Any] | None:
        """Read the record of a step, if it is done and its files are unchanged."""
        try:
            record: dict[str, Any] = self.read(record_file(step.name))
        except (OSError, ValueError):
            return None
        done = record["key"] == key and all(
            (self.path / name).is_file() and sha256(self.path / name) == digest
            for name, digest in record["outputs"].items()
        )
        return record if done else None


def json_text(value: object) -> str:
    """Write a value as JSON; equal values make the same text."""
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def sha256(path: Path) -> str:
    """Hash the bytes of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check(path: Path, text: str, *, fresh: bool) -> None:
    """Refuse a folder that has something else, or empty it."""
    if path.exists() and not path.is_dir():
        message = "is a file, expected a folder for the run"
        raise SettingsError(message, code="settings/invalid-target", place=str(path))
    if not path.exists() or not any(path.iterdir()):
        return
    if not (path / CONFIG).is_file():
        message = "is a folder with other things in it, and no run"
        raise SettingsError(
            message,
            code="settings/invalid-target",
            place=str(path),
            hint="name a new folder by -o",
        )
    if fresh:
        _empty(path)
        return
    try:
        before = json.loads((path / CONFIG).read_text("utf-8"))
    except ValueError:
        before = {}
    differences = _differences(before, json.loads(text))
    if differences:
        message = f"is a run of another configuration: {', '.join(differences)}"
        hint = "name another folder by -o, or start this one again with --fresh"
        raise SettingsError(
            message, code="settings/invalid-target", place=str(path), hint=hint
        )


def _empty(path: Path) -> None:
    """Delete what a run writes, and nothing else."""
    for name in (*FOLDERS, UNFINISHED):
        shutil.rmtree(path / name, ignore_errors=True)
    for name in (CONFIG, VERSIONS, LOG, *REPORTS):
        (path / name).unlink(missing_ok=True)


def _differences(before: object, now: object, keys: Sequence[str] = ()) -> list[str]:
    """Describe which values differ, in a few words each.

    >>> _differences({"seed": 1, "parts": 300}, {"seed": 2, "parts": 300})
    ['seed is 2, was 1']
    """
    if isinstance(before, dict) and isinstance(now, dict):
        return [
            line
            for name in sorted({*before, *now})
            for line in _differences(before.get(name), now.get(name), (*keys, name))
        ]
    if before == now:
        return []
    where = ".".join(keys)
    simple = all(isinstance(value, str | int | float | None) for value in (before, now))
    short = simple and max(map(len, map(str, (before, now)))) < 40
    return [f"{where} is {now}, was {before}" if short else f"{where} is another"]
