"""Draw processor seconds against mentions, both by powers of ten."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def draw(path: Path, curves: Mapping[str, Mapping[int, float]]) -> None:
    """Write the curves as SVG, without date and with ids that do not change."""
    import matplotlib as mpl  # only figures need it

    mpl.use("svg")
    from matplotlib import pyplot as plt

    settings = {"svg.hashsalt": "corefkit", "svg.fonttype": "none", "font.size": 10}
    with mpl.rc_context(settings):
        figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
        for number, (name, curve) in enumerate(curves.items()):
            own = name == "corefkit"
            axes.loglog(
                list(curve),
                list(curve.values()),
                marker="osD^vPX"[number % 7],
                linewidth=2.4 if own else 1.2,
                label=name,
            )
        axes.set_xlabel("mentions of the key, in one document")
        axes.set_ylabel("processor seconds, start-up included")
        axes.grid(which="major", linewidth=0.4)
        axes.legend(frameon=False)
        figure.savefig(path, metadata={"Date": None, "Creator": None})
        plt.close(figure)
