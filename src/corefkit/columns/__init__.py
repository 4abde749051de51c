"""Mentions of many documents as flat arrays: what readers fill and scoring reads.

A block of documents of one side is one `Columns` value. No object stands for a
mention here; `Columns.members` makes them for those who look.
"""

from corefkit.columns.arrays import (
    Flags,
    Floats,
    Hashes,
    Ints,
    Runs,
    expanded,
    grouping_order,
    places_in_runs,
    runs,
    sorting_order,
    spread,
    stretches,
    sums,
)
from corefkit.columns.columns import (
    Columns,
    empty_columns,
    join_columns,
    rearranged,
    spread_columns,
)
from corefkit.columns.details import Details, Empties, plain_details

__all__ = [
    "Columns",
    "Details",
    "Empties",
    "Flags",
    "Floats",
    "Hashes",
    "Ints",
    "Runs",
    "empty_columns",
    "expanded",
    "grouping_order",
    "join_columns",
    "places_in_runs",
    "plain_details",
    "rearranged",
    "runs",
    "sorting_order",
    "spread",
    "spread_columns",
    "stretches",
    "sums",
]
