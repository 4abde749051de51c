"""corefkit: coreference evaluation, exact to the papers and to the official scorers.

    import corefkit
    result = corefkit.score("key.conll", "response.conll")
    print(result)

The modules, each importing only from those before it:

    exceptions, model, columns, settings   words that all others use
    formats                                files and objects in, columns out
    pairing                                which documents belong together
    matching                               which mentions are one
    overlap, assignment                    the table, and the best map over it
    metrics                                counts for each document, and scores
    reference                              the reference scorer's own way with repeats
    sides, evaluation, scoring             from inputs to results
    explain, report, cli                   what people look at
"""

from corefkit.evaluation import DocumentScores, Evaluation
from corefkit.exceptions import (
    CorefkitError,
    FormatError,
    PairingError,
    SettingsError,
)
from corefkit.formats import FORMATS, read
from corefkit.metrics import METRICS
from corefkit.metrics.base import Metric, Score
from corefkit.metrics.ceaf import ceaf_with
from corefkit.metrics.lea import lea_with
from corefkit.model import Document, Entity, Mention
from corefkit.overlap import Overlap, overlap
from corefkit.scoring import score, score_responses
from corefkit.settings import PRESETS, VERSION, Settings

__version__ = VERSION

__all__ = [
    "FORMATS",
    "METRICS",
    "PRESETS",
    "CorefkitError",
    "Document",
    "DocumentScores",
    "Entity",
    "Evaluation",
    "FormatError",
    "Mention",
    "Metric",
    "Overlap",
    "PairingError",
    "Score",
    "Settings",
    "SettingsError",
    "ceaf_with",
    "lea_with",
    "overlap",
    "read",
    "score",
    "score_responses",
]
