"""Expected errors: their class, code and place, not their wording."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit import CorefkitError

_ANY = "*"


@contextmanager
def raises(
    kind: type[CorefkitError], code: str, *, place: str | None = _ANY
) -> Iterator[pytest.ExceptionInfo[CorefkitError]]:
    """Expect an error of exactly this class, with this code.

    Args:
        kind: the class.
        code: the code.
        place: the expected place, of which leading folders may be omitted; None for an
            error without a place. By default the place is not checked.
    """
    with pytest.raises(kind) as caught:
        yield caught
    error = caught.value
    assert (type(error), error.code) == (kind, code), error
    if place != _ANY:
        is_inside = place is not None and str(error.place).endswith(f"/{place}")
        assert error.place == place or is_inside, error.place
