"""The metric laboratory: how metrics behave, on the papers' sets and on your own data.

labels             key and response as arrays, and their scores
perturbation       ways to change a corpus step by step, and generated corpora
curves             a corpus changed step by step, scored by every metric
figures, drawing   curves as values, and drawn by matplotlib
diagnosis          a response changed on purpose: which metrics reward the change
outcomes, claims   printed numbers and claims of papers, checked
reproduction       the papers' tables, figures and claims recomputed
"""

from __future__ import annotations

from corefkit.lab.curves import perturb
from corefkit.lab.diagnosis import diagnose
from corefkit.lab.figures import write_figure
from corefkit.lab.labels import read_key, read_pair
from corefkit.lab.perturbation import generate_pair
from corefkit.lab.reproduction import reproduce

__all__ = [
    "diagnose",
    "generate_pair",
    "perturb",
    "read_key",
    "read_pair",
    "reproduce",
    "write_figure",
]
