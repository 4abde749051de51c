"""Figures and bars: pictures, and SVG inside the page, which follows its colours."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from corefkit.strings.escaping import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.report.page import Bars, Figure, Share

_ENLARGED = 1.3  # figures, which are made for paper
_PIXELS = 96 / 72  # of a point


def figure_html(part: Figure) -> str:
    """Put the drawing of a figure into the page, if there is one."""
    if part.drawing is None:
        return ""
    drawing = part.drawing.read_bytes()
    data = base64.b64encode(drawing).decode("ascii")
    about = for_html(". ".join(filter(None, [part.title, part.about])))
    return (
        f'<figure><img alt="{about}"{_width(drawing)} '
        f'src="data:image/svg+xml;base64,{data}"></figure>'
    )


def _width(drawing: bytes) -> str:
    """Say how wide to show an SVG: larger than on paper, all alike."""
    points = re.search(rb'width="([\d.]+)pt"', drawing)
    if points is None:
        return ""
    return f' width="{_ENLARGED * _PIXELS * float(points[1]):.0f}"'


def bars_html(part: Bars) -> str:
    """Draw bars, and what their colours mean; a grid says it in digits."""
    lines = [
        f'<p class="bar" aria-hidden="true"><span>{for_html(name)}</span>'
        f"<svg>{''.join(_pieces(shares))}</svg></p>"
        for name, shares in part.bars
    ]
    labels = {share.kind: share.label for _, shares in part.bars for share in shares}
    colours = [
        f'<span><i class="{kind}"></i> {for_html(label)}</span>'
        for kind, label in labels.items()
    ]
    lines.append(f'<p class="key" aria-hidden="true">{" ".join(colours)}</p>')
    return "\n".join(lines)


def _pieces(shares: Iterable[Share]) -> Iterator[str]:
    """Draw the pieces of a bar one after the other, as shares of its width."""
    shares = [share for share in shares if share.size]
    total, before = sum(share.size for share in shares), 0
    for share in shares:
        yield (
            f'<rect class="{share.kind}" x="{100 * before / total:.3f}%" '
            f'width="{100 * share.size / total:.3f}%" height="100%"/>'
        )
        before += share.size
