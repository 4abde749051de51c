"""The page that says why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.serve.pages.frame import Written, framed, paragraph

if TYPE_CHECKING:
    from corefkit.exceptions import CorefkitError


def refusal_page(error: CorefkitError, depth: int) -> Written:
    """Write why a page cannot be shown."""
    hint = [paragraph(error.hint, class_="note")] if error.hint else []
    return framed("Not found", [paragraph(f"{error.message}."), *hint], depth=depth)
