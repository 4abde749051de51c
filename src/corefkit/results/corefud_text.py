"""The output of the CorefUD scorer 1.2, so that scripts that parse it keep working."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.results.reference_text import get_evaluation
from corefkit.settings import select_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.exceptions import Refused
    from corefkit.results.score_table import Ranking
    from corefkit.results.stored_results import Scored

# The scorer's names of the metrics, in the order of its `all`.
COREFUD_NAMES = {
    "muc": "muc",
    "b_cubed": "bcub",
    "ceaf_e": "ceafe",
    "ceaf_m": "ceafm",
    "blanc": "blanc",
    "lea": "lea",
    "mor": "mor",
    "zeros": "zero",
}
# The scorer's words for settings.
_SINGLETONS = {"keep": ", singletons", "drop": ""}
_ZEROS = {
    "position": ", zeros (using linear match method)",
    "dependency": ", zeros (using dependent match method)",
    "drop": "",
}
_MATCHES = {"partial": "partial-corefud"}


def render_corefud_text(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> str:
    """Return the output of the CorefUD scorer for one response."""
    del ranking  # of a single response
    evaluation = get_evaluation(
        results, "corefud", COREFUD_NAMES, has_totals_only=not (refused or per_document)
    )
    settings = evaluation.settings
    names = [name for name in COREFUD_NAMES if name in evaluation]
    content = "coreferential mentions" + select_by(settings, "singletons", _SINGLETONS)
    content += select_by(settings, "zeros", _ZEROS)
    match = _MATCHES.get(settings.match, settings.match)
    lines = [
        f"The scorer is evaluating {content} using {match} match evaluation setting.",
        "The following metrics will be evaluated: "
        + ", ".join(COREFUD_NAMES[name] for name in names),
        "",
    ]
    for name in names:
        score = evaluation[name]
        ratios = {"Recall": score.recall, "Precision": score.precision, "F1": score.f1}
        texts = (f"{label}: {100 * ratio:.2f}" for label, ratio in ratios.items())
        lines += [COREFUD_NAMES[name], "  ".join(texts)]
    if evaluation.conll is not None:
        lines.append(f"CoNLL score: {100 * evaluation.conll:.2f}")
    return "\n".join(lines)
