"""Figures and bars: pictures, and SVG inside the page, which follows its colours."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from corefkit.strings.escaping import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corefkit.report.charts import Bars, Share
    from corefkit.report.page import Figure

_ENLARGED = 1.3  # figures, which are made for paper
_PIXELS = 96 / 72  # of a point
_LEAST_WITH_TEXT = 5  # percent of a bar


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
    """Draw bars, and what their colours mean; a grid says it in digits.

    A bar with a title is a figure of its own; without one, it repeats what stands
    beside it, and is hidden from those who cannot see it.
    """
    lines = [
        f'<p class="bar"><span>{for_html(name)}</span>'
        f"<svg>{''.join(_pieces(shares, part.whole))}</svg></p>"
        for name, shares in part.bars
    ]
    labels = {share.kind: share.label for _, shares in part.bars for share in shares}
    lines.append(key_html(labels))
    inner = "\n".join(lines)
    if not part.title:
        return f'<div class="bars" aria-hidden="true">\n{inner}\n</div>'
    title = for_html(part.title)
    return (
        f'<figure class="chart bars"><figcaption>{title}</figcaption>\n'
        f'<div role="img" aria-label="{title}">\n{inner}\n</div></figure>'
    )


def key_html(labels: Mapping[str, str]) -> str:
    """Say what colours mean: labels by kind."""
    colours = [
        f'<span><svg class="sign"><rect class="{kind}" width="100%" height="100%"/>'
        f"</svg>{for_html(label)}</span>"
        for kind, label in labels.items()
    ]
    return f'<p class="colours">{" ".join(colours)}</p>'


def _pieces(shares: Iterable[Share], whole: float | None) -> Iterator[str]:
    """Draw the pieces of a bar one after the other, as shares of its width.

    A piece below 0 goes back: it is an outline, over which the next piece begins.
    """
    shares = [share for share in shares if share.size]
    total = whole or sum(share.size for share in shares)
    before = 0.0
    for share in shares:
        after = before + share.size
        fall = " falls" if share.size < 0 else ""
        size = 100 * abs(share.size) / total
        title = for_html(f"{share.label}: {_number(share.size)}")
        yield (
            f'<rect class="{share.kind}{fall}" '
            f'x="{100 * min(before, after) / total:.3f}%" '
            f'width="{size:.3f}%" height="100%"><title>{title}</title></rect>'
        )
        if whole and size > _LEAST_WITH_TEXT:
            middle = 50 * (before + after) / total
            yield f'<text x="{middle:.3f}%" y="50%">{_number(share.size)}</text>'
        before = after


def _number(size: float) -> str:
    return f"{size:.1f}" if isinstance(size, float) else f"{size:,}"
