"""cistell: coreference resolution of raw text, and the systems it is compared with.

    resolver   systems by name, and documents in parallel
    neural     a resolver of raw text, with a small pretrained encoder
    paper      the system of Recasens and Hovy (2010), which the package is named after
    sieve      rules, the surest first (Lee et al. 2013)
    mentions   words, mentions and word lists, for the sieve and the paper
    taggers    mentions of documents with trees
    trees      parsers
    studies    studies of three papers, on open corpora
    spacy      a component for spaCy
    cli        the command

>>> from cistell import load_resolver
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # For type checkers and the documentation, which cannot read the table below.
    # isort: off
    from cistell.neural import NeuralResolver as NeuralResolver
    from cistell.neural.training import train as train
    from cistell.resolver import (
        RawText as RawText,
        TreeResolver as TreeResolver,
        load_resolver as load_resolver,
        resolve_all as resolve_all,
    )
    # isort: on

_HOMES = {
    "NeuralResolver": "cistell.neural",
    "RawText": "cistell.resolver",
    "TreeResolver": "cistell.resolver",
    "load_resolver": "cistell.resolver",
    "resolve_all": "cistell.resolver",
    "train": "cistell.neural.training",
}
__all__ = [*_HOMES]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # Imported on demand: training needs PyTorch.
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    message = f"module 'cistell' has no attribute {name!r}"
    raise AttributeError(message)
