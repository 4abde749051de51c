"""Values of features on the two mentions of a small document that have a name.

A table of examples has a document for each value of each feature of a group: a line,
or several. Where a test has such a table, a feature or value without example fails it.
"""

from __future__ import annotations

import numpy as np
from resolver.lexica import table_of
from resolver.trees import parsed

from cistell.paper.features import FEATURES, LANGUAGE_FEATURES, Pairs


def value_of(name, *lines, language=None, **options):
    """Return what a feature says of the two named mentions, whatever their names."""
    document = parsed(*lines)
    language = language or languages_with(name)[0]
    table = table_of(document, language, **options)
    named = {
        mention
        for entity in document
        for mention in entity
        if not entity.id.startswith("alone")
    }
    first, second = (
        np.array([number])
        for number, one in enumerate(table.profiles)
        if one.mention in named
    )
    (index,) = FEATURES[name].indices(Pairs(table, first, second))
    return FEATURES[name].values[int(index)]


def languages_with(name):
    """Return the languages that have a feature."""
    return [code for code, names in LANGUAGE_FEATURES.items() if name in names]


def cases(examples):
    """Return name, value and lines of each example, for a parametrized test."""
    return [
        (name, value, (lines,) if isinstance(lines, str) else lines)
        for name, values in examples.items()
        for value, lines in values.items()
    ]


def lacking(group, examples):
    """Return the features of a group, or values of them, that have no example."""
    wanted = {
        (name, value)
        for name, feature in FEATURES.items()
        for value in feature.values
        if feature.group == group
    }
    return wanted ^ {(name, value) for name, value, _ in cases(examples)}
