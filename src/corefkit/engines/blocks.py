"""What counting gives of a block of documents: plain values, which travel as bytes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from corefkit.alignment.attributes import Lacking
from corefkit.alignment.blocks import Repeats
from corefkit.alignment.seen import Meeting, Seen
from corefkit.exceptions import CorefkitError, FormatError, PairingError, SettingsError
from corefkit.formats.tables.frames import pyarrow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from corefkit.columns import Hashes

_HEADER = b"corefkit"
_PRINTS = "prints"
_COUNTS = "counts."
_ERRORS = {kind.__name__: kind for kind in (FormatError, PairingError, SettingsError)}


@dataclass(frozen=True, slots=True)
class CountedBlock:
    """The counts of some documents, and what was seen while they were counted.

    Attributes:
        documents: what they are called.
        counts: for each metric its counts, one row a document.
        prints: what the corpus is known by, one row a document.
        rows: how many rows of both sides were looked at.
        seen: what notes and warnings are made of.
        repetitions: what the reference scorer prints about repeated mentions.
        unknown_to_reference: the metrics that it does not know.
        lacking: what documents of key and response lack, and what others have.
        named: whether any mention is a name.
        unsettled: how many mentions stand in several entities of a side, while the
            order of rows is not known; nothing was counted then.
        error: what is wrong with the input; nothing was counted then.
    """

    documents: Sequence[str] = ()
    counts: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    prints: Hashes = field(default_factory=lambda: np.zeros((0, 6), np.uint64))
    rows: int = 0
    seen: Seen = field(default_factory=Seen)
    repetitions: Sequence[str] = ()
    unknown_to_reference: Sequence[str] = ()
    lacking: tuple[Lacking, Lacking] = field(
        default_factory=lambda: (Lacking(), Lacking())
    )
    named: bool = False
    unsettled: int = 0
    error: CorefkitError | None = None

    def to_bytes(self) -> bytes:
        """Write the block; `from_bytes` reads it."""
        arrow = pyarrow("counts")
        columns = {
            "document": arrow.array(self.documents, "string"),
            _PRINTS: _fixed(self.prints),
            **{f"{_COUNTS}{name}": _fixed(rows) for name, rows in self.counts.items()},
        }
        table = arrow.table(columns).replace_schema_metadata({_HEADER: self._header})
        out = arrow.BufferOutputStream()
        with arrow.ipc.new_stream(out, table.schema) as writer:
            writer.write_table(table)
        found: bytes = out.getvalue().to_pybytes()
        return found

    @property
    def _header(self) -> str:
        said: dict[str, object] = {
            "rows": self.rows,
            "seen": asdict(self.seen),
            "repetitions": list(self.repetitions),
            "unknown_to_reference": list(self.unknown_to_reference),
            "lacking": [_lacking_said(side) for side in self.lacking],
            "named": self.named,
            "unsettled": self.unsettled,
        }
        if self.error is not None:
            said["error"] = _error_said(self.error)
        return json.dumps(said)

    @classmethod
    def from_bytes(cls, content: bytes) -> CountedBlock:
        """Read what `to_bytes` wrote.

        >>> prints = np.zeros((1, 6), np.uint64)
        >>> block = CountedBlock(["d"], {"muc": np.array([[1, 2, 1, 3]])}, prints)
        >>> CountedBlock.from_bytes(block.to_bytes()).counts["muc"].tolist()
        [[1, 2, 1, 3]]
        """
        table = pyarrow("counts").ipc.open_stream(content).read_all()
        said = json.loads(table.schema.metadata[_HEADER])
        error = said.pop("error", None)
        said["seen"] = _seen(**said["seen"])
        said["lacking"] = tuple(_lacking(*side) for side in said["lacking"])
        return cls(
            documents=table.column("document").to_pylist(),
            counts={
                name.removeprefix(_COUNTS): _rows(table.column(name))
                for name in table.column_names
                if name.startswith(_COUNTS)
            },
            prints=_rows(table.column(_PRINTS)),
            **said,
            error=None if error is None else _error(*error),
        )


def _fixed(rows: NDArray[Any]) -> Any:
    arrow, width = pyarrow("counts"), rows.shape[1]
    flat = arrow.array(np.ascontiguousarray(rows).reshape(-1))
    return arrow.FixedSizeListArray.from_arrays(flat, width)


def _rows(column: Any) -> NDArray[Any]:
    array = column.combine_chunks()
    width: int = column.type.list_size
    flat: NDArray[Any] = array.flatten().to_numpy()
    return flat.reshape(-1, width)


def _error_said(error: CorefkitError) -> list[str | None]:
    return [type(error).__name__, error.message, error.place, error.hint]


def _error(
    kind: str, message: str, place: str | None, hint: str | None
) -> CorefkitError:
    return _ERRORS.get(kind, CorefkitError)(message, place=place, hint=hint)


def _lacking_said(side: Lacking) -> list[object]:
    errors = {name: _error_said(error) for name, error in side.errors.items()}
    return [errors, sorted(side.known)]


def _lacking(errors: dict[str, Any], known: list[str]) -> Lacking:
    found = {name: _error(*error) for name, error in errors.items()}
    return Lacking(cast("dict[str, FormatError]", found), set(known))


def _seen(
    text_notes: dict[str, str],
    meeting: dict[str, int],
    key_repeats: dict[str, Any],
    response_repeats: dict[str, Any],
) -> Seen:
    repeats = Repeats(**key_repeats), Repeats(**response_repeats)
    return Seen(text_notes, Meeting(**meeting), *repeats)
