"""Columns compared array by array."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import numpy as np

from corefkit.arrays.columns import Columns, make_default_details


def assert_same(found, wanted, where: str = "columns") -> None:
    """Compare columns, or a part of them; details that say nothing may be missing."""
    if isinstance(wanted, Columns):
        found, wanted = (
            replace(side, details=side.details or make_default_details(side))
            for side in (found, wanted)
        )
    if not is_dataclass(wanted):
        assert (found is None) == (wanted is None), where
        np.testing.assert_array_equal(found, wanted, err_msg=where)
        return
    for field in fields(wanted):
        values = getattr(found, field.name), getattr(wanted, field.name)
        assert_same(*values, f"{where}.{field.name}")
