"""corefkit: coreference evaluation, exact to the papers and to the official scorers.

    import corefkit
    result = corefkit.score("key.conll", "response.conll")
    print(result)

The modules, each importing only from those before it:

    escaping                               text of the input, safe to show
    exceptions, model, columns             words that all others use
    weights, settings                      what changes a score
    formats                                files and objects in, columns out
    pairing, texts, scope                  which documents belong together
    assignment                             the best one-to-one map
    matching                               which mentions are one
    syntax, mention_types, attributes      what is known of mentions beside
    table                                  the overlap table
    metrics                                counts for each document, and scores
    reference, split                       documents that are counted another way
    declaration, fingerprint               which corpus a score is of
    heads, sides, meeting                  both sides read; mentions that hardly meet
    evaluation, scoring                    from inputs to results
    statistics                             what corpora hold
    walkthrough, report, lab               what people look at
    cistell                                the resolver, which stands apart
    cli                                    the command
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from corefkit.settings import VERSION

if TYPE_CHECKING:
    from corefkit.evaluation import DocumentScores, Evaluation
    from corefkit.exceptions import (
        CorefkitError,
        FormatError,
        PairingError,
        SettingsError,
    )
    from corefkit.fingerprint import Fingerprint, differences
    from corefkit.formats import FORMATS, read
    from corefkit.formats.writing import write
    from corefkit.metrics import METRICS, SUPPLEMENTS, VARIANTS
    from corefkit.metrics.base import Metric, Score
    from corefkit.metrics.ceaf import ceaf_with
    from corefkit.metrics.lea import lea_with
    from corefkit.model import Bridge, Document, Entity, Mention
    from corefkit.report.beside import side_by_side
    from corefkit.scoring import score, score_responses
    from corefkit.settings import PRESETS, Settings
    from corefkit.statistics import Statistics, statistics_of
    from corefkit.table import Overlap, overlap
    from corefkit.walkthrough import explain

__version__ = VERSION

__all__ = [
    "FORMATS",
    "METRICS",
    "PRESETS",
    "SUPPLEMENTS",
    "VARIANTS",
    "Bridge",
    "CorefkitError",
    "Document",
    "DocumentScores",
    "Entity",
    "Evaluation",
    "Fingerprint",
    "FormatError",
    "Mention",
    "Metric",
    "Overlap",
    "PairingError",
    "Score",
    "Settings",
    "SettingsError",
    "Statistics",
    "ceaf_with",
    "differences",
    "explain",
    "lea_with",
    "overlap",
    "read",
    "score",
    "score_responses",
    "side_by_side",
    "statistics_of",
    "write",
]

# Where each public name lives: imported when it is first asked for, so that the command
# starts without what it does not use.
_HOMES = {
    "corefkit.evaluation": ("DocumentScores", "Evaluation"),
    "corefkit.exceptions": (
        "CorefkitError",
        "FormatError",
        "PairingError",
        "SettingsError",
    ),
    "corefkit.fingerprint": ("Fingerprint", "differences"),
    "corefkit.formats": ("FORMATS", "read"),
    "corefkit.formats.writing": ("write",),
    "corefkit.metrics": ("METRICS", "SUPPLEMENTS", "VARIANTS"),
    "corefkit.metrics.base": ("Metric", "Score"),
    "corefkit.metrics.ceaf": ("ceaf_with",),
    "corefkit.metrics.lea": ("lea_with",),
    "corefkit.model": ("Bridge", "Document", "Entity", "Mention"),
    "corefkit.report.beside": ("side_by_side",),
    "corefkit.scoring": ("score", "score_responses"),
    "corefkit.settings": ("PRESETS", "Settings"),
    "corefkit.statistics": ("Statistics", "statistics_of"),
    "corefkit.table": ("Overlap", "overlap"),
    "corefkit.walkthrough": ("explain",),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            found: object = getattr(import_module(home), name)
            globals()[name] = found
            return found
    message = f"module 'corefkit' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
