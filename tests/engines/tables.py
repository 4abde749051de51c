"""Tables of mentions at random, and what is compared of two results."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

import corefkit

DOCUMENTS = ("t/a", "t/b", "u/a", "u/ b")
ENTITIES = ("e1", "e2", "e3", "7")


def spans(*, heads: bool = False, gaps: bool = False):
    """Draw rows of documents, entities and tokens."""

    @st.composite
    def row(draw):
        start = draw(st.integers(0, 5))
        end = start + draw(st.integers(0, 3))
        found = {
            "document": draw(st.sampled_from(DOCUMENTS)),
            "entity": draw(st.sampled_from(ENTITIES)),
            "start": start,
            "end": end,
        }
        if heads:
            found["head"] = draw(st.integers(start, end))
        if gaps:
            gap = end - start > 1 and draw(st.booleans())
            found["gaps"] = f"{start + 1}-{start + 1}" if gap else None
        return found

    return row()


def names():
    """Draw rows whose mentions are names, or spans in letters."""
    return st.fixed_dictionaries(
        {
            "document": st.sampled_from(DOCUMENTS),
            "entity": st.integers(1, 4),
            "mention": st.sampled_from(("rec-1", "rec-2", "3-5", "4", "é", "a")),
        }
    )


def lists(row, *, unique: bool = True):
    """Draw lists of rows; `unique` ones have every mention once."""
    return st.lists(
        row,
        min_size=1,
        max_size=25,
        unique_by=mention_of if unique else None,
    )


def mention_of(row):
    """Return what tells the mention of a row apart."""
    told = {name: row[name] for name in sorted(row) if name not in ("entity", "head")}
    return tuple(told.values())


def table(rows):
    """Make an Arrow table of rows."""
    names = list(rows[0])
    return pa.table({name: [row[name] for row in rows] for name in names})


def both(engine, key, response, **settings):
    """Score tables by reading them and by an engine; errors are results too."""
    found = []
    for used in (None, engine):
        try:
            found.append(corefkit.score(key, response, engine=used, **settings))
        except corefkit.CorefkitError as error:
            found.append(error)
    return found


def assert_same(one, other, *, reasons: bool = True):
    """See that two results are the same, their counts in every bit."""
    assert one.documents == other.documents
    assert one.missing == other.missing
    assert one.signature == other.signature
    assert one.notes == other.notes
    if one.settings.joins_documents or not reasons:
        # The reason is looked for in documents, and not in what they are joined to.
        assert [told(text) for text in one.warnings] == [
            told(text) for text in other.warnings
        ]
    else:
        assert one.warnings == other.warnings
    assert one.repetitions == other.repetitions
    assert_counts(one, other)
    assert one.corpus == other.corpus


def told(warning):
    """Return what a warning says, without the reason that it gives."""
    return warning.split(": ")[:2]


def assert_counts(one, other):
    """See that counts are the same in every bit, whatever the order of rows."""
    assert list(one.counts) == list(other.counts)
    for name, counts in one.counts.items():
        found = other.counts[name]
        assert found.dtype == counts.dtype, name
        assert np.array_equal(found, counts), name
