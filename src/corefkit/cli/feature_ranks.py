"""`corefkit train --rank-features`: what each feature tells of coreference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.training import training_pairs
from cistell.tuning import ablated, ranked
from corefkit.cli.messages import ProgressLine
from corefkit.tables.model import Table, make_columns, make_rows
from corefkit.tables.terminal import render_terminal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from cistell.features.base import Feature
    from cistell.fitting import Recipe
    from cistell.tuning import Rank
    from corefkit.model import Document

_FOLD = 5  # every fifth document is held out, if no others are given


def print_ranks(
    arguments: argparse.Namespace,
    documents: Sequence[Document],
    heldout: Sequence[Document],
    recipe: Recipe,
) -> None:
    """Rank features on the documents held out, or on a fifth of the others."""
    features, sampling = recipe.features, recipe.sampling
    if not heldout and len(documents) > 1:
        heldout = documents[::_FOLD]
        documents = [
            document for number, document in enumerate(documents) if number % _FOLD
        ]
    pairs = training_pairs(documents, features, recipe.context, sampling=sampling)
    whole = None
    if not heldout:
        ranks = ranked(pairs)
    else:
        judged = training_pairs(heldout, features, recipe.context, sampling=sampling)
        with ProgressLine() as line:
            whole, ranks = ablated(
                pairs,
                judged,
                learner=recipe.learner,
                seed=arguments.seed,
                progress=line.track("leaving out features"),
            )
    print(render_terminal([_grid(ranks, features)]))
    if whole is not None:
        print(
            f"\nF1 of {len(judged.positive):,} held-out pairs with all features: "
            f"{100 * whole:.2f}"
        )


def _grid(ranks: Sequence[Rank], features: Sequence[Feature]) -> Table:
    groups = {feature.name: feature.group for feature in features}
    rows = [
        (
            rank.feature,
            str(number),
            groups[rank.feature],
            f"{rank.gain_ratio:.4f}",
            "-" if rank.loss is None else f"{100 * rank.loss:+.2f}",
        )
        for number, rank in enumerate(ranks, 1)
    ]
    heads = make_columns(
        ["Feature", "Rank", "Group", "Gain ratio", "F1 lost without it"]
    )
    return Table(heads, make_rows(rows), mark_width=1)
