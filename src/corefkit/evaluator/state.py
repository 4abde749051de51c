"""The state of an evaluator: plain values that go to other processes, and to disk.

Arrays of counts and hashes, strings and numbers, in dictionaries and lists. Whoever
writes JSON turns the arrays into lists (`tolist`); they are read again as they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from corefkit.alignment.blocks import Repeats
from corefkit.alignment.pairing import Unpaired
from corefkit.alignment.seen import Meeting, Seen
from corefkit.columns.prints import NO_PRINTS
from corefkit.corpus.declaration import Declaration
from corefkit.evaluator.gathered import Gathered
from corefkit.exceptions import FormatError, SettingsError
from corefkit.settings import VERSION, Settings
from corefkit.tally import Tally

if TYPE_CHECKING:
    from corefkit.columns import Floats
    from corefkit.metrics.base import Metric

_FORM = 1  # of the state; another number is another form
_PLACE = "state"


def state_of(
    gathered: Gathered, settings: Settings, *, named: bool | None
) -> dict[str, Any]:
    """Write down what was gathered, and under which metrics and settings."""
    tally, seen = gathered.tally, gathered.seen
    return {
        "corefkit": VERSION,
        "form": _FORM,
        "metrics": [metric.name for metric in tally.metrics],
        "settings": asdict(settings),
        "named": named,
        "names": list(gathered.names),
        "mentions": gathered.mentions,
        "documents": list(gathered.documents),
        "missing": list(gathered.missing),
        "counts": dict(tally.counts) if gathered.documents else {},
        "prints": np.concatenate([NO_PRINTS, *gathered.prints]),
        "repetitions": list(tally.repetitions),
        "unknown_to_reference": list(tally.unknown_to_reference),
        "text_notes": dict(seen.text_notes),
        "meeting": asdict(seen.meeting),
        "key_repeats": asdict(seen.key_repeats),
        "response_repeats": asdict(seen.response_repeats),
        "unpaired": asdict(gathered.unpaired),
        "notes": list(gathered.notes),
        "declared": [side._asdict() for side in gathered.declared],
    }


def settings_in(state: object) -> Settings:
    """Read the settings of a state; refuse what is none, or of another version."""
    if not isinstance(state, Mapping) or "form" not in state:
        message = f"found a {type(state).__name__}, expected the state of an evaluator"
        raise FormatError(message, place=_PLACE, hint="`evaluator.state` gives it")
    made_by = state.get("corefkit"), state["form"]
    if made_by != (VERSION, _FORM):
        message = (
            f"written by corefkit {made_by[0]} in form {made_by[1]}, expected "
            f"{VERSION} and {_FORM}"
        )
        hint = "counts may differ between versions: count the documents again"
        raise SettingsError(message, place=_PLACE, hint=hint)
    names = [field.name for field in fields(Settings)]
    settings = _part(state, "settings", Mapping)
    if sorted(settings) != sorted(names):
        message = f"has settings {', '.join(settings)}, expected {', '.join(names)}"
        raise SettingsError(message, place=_PLACE)
    return Settings(**settings)


def gathered_in(state: Mapping[str, Any], metrics: tuple[Metric, ...]) -> Gathered:
    """Read what was gathered, of the metrics that the state names."""
    names = [metric.name for metric in metrics]
    if list(_part(state, "metrics", list)) != names:
        found, expected = ", ".join(state["metrics"]), ", ".join(names)
        message = f"has the metrics {found}, expected {expected}"
        raise SettingsError(message, place=_PLACE)
    documents = _strings(state, "documents")
    tally = Tally(metrics)
    if documents:
        counts = _part(state, "counts", Mapping)
        tally.rows = [{name: _rows(counts, name, documents) for name in names}]
        prints = np.asarray(_value(state, "prints"), np.uint64)
        if prints.shape != (len(documents), NO_PRINTS.shape[1]):
            _refuse("prints")
        tally.key_read = [prints]
    tally.repetitions = _strings(state, "repetitions")
    tally.unknown_to_reference = dict.fromkeys(_strings(state, "unknown_to_reference"))
    key, response = _strings(state, "names")
    ours, theirs = _part(state, "declared", list)
    return Gathered(
        tally,
        _seen(state),
        documents,
        _strings(state, "missing"),
        Unpaired(**_part(state, "unpaired", Mapping)),
        dict.fromkeys(_strings(state, "notes")),
        (key, response),
        (Declaration(**ours), Declaration(**theirs)),
        str(_value(state, "mentions")),
    )


def _seen(state: Mapping[str, Any]) -> Seen:
    return Seen(
        dict(_part(state, "text_notes", Mapping)),
        Meeting(**_part(state, "meeting", Mapping)),
        Repeats(**_part(state, "key_repeats", Mapping)),
        Repeats(**_part(state, "response_repeats", Mapping)),
    )


def _rows(counts: Mapping[str, Any], name: str, documents: list[str]) -> Floats:
    """Read the counts of a metric, one row a document; whole numbers stay whole."""
    rows: Floats = np.asarray(_value(counts, name))
    numbers = rows.dtype in (np.dtype(np.int64), np.dtype(np.float64))
    if rows.ndim != 2 or len(rows) != len(documents) or not numbers:
        _refuse(f"counts of {name}")
    return rows


def _value(state: Mapping[str, Any], name: str) -> Any:
    if name not in state:
        _refuse(name)
    return state[name]


def _part(state: Mapping[str, Any], name: str, kind: type) -> Any:
    found = _value(state, name)
    if not isinstance(found, kind):
        _refuse(name)
    return found


def _strings(state: Mapping[str, Any], name: str) -> list[str]:
    found = _part(state, name, list)
    if not all(isinstance(text, str) for text in found):
        _refuse(name)
    return list(found)


def _refuse(name: str) -> NoReturn:
    message = f"its part {name!r} is missing, or not what an evaluator writes"
    hint = "was it sent or stored as it was?"
    raise FormatError(message, place=_PLACE, hint=hint)
