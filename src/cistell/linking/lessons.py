"""What the linker learns from: the candidates of all annotated mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.linking.candidates import candidates_of
from cistell.linking.rows import rows_of
from cistell.linking.traits import traits_of
from cistell.linking.vocabulary import vocabulary_of
from cistell.table import annotated_table
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cistell.learners.base import Codes
    from cistell.linking.traits import Traits
    from cistell.linking.vocabulary import Vocabulary
    from cistell.profiles import Context
    from corefkit.arrays.columns import Flags, Ints
    from corefkit.model import Document


class Lesson(NamedTuple):
    """Rows in groups: for each mention "no antecedent", and then its candidates."""

    columns: tuple[str, ...]
    rows: Codes
    starts: Ints  # the first row of each group
    right: Flags  # which rows are right


def lesson_of(
    documents: Sequence[Document],
    context: Context,
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> tuple[Vocabulary, Lesson]:
    """Describe the candidates of all mentions, and collect frequent words.

    Raises:
        CorefkitError: no mention has an antecedent: nothing can be learned.
    """
    tables = [annotated_table(document, context) for document in documents]
    described = [traits_of(table) for table, _ in tables]
    vocabulary = vocabulary_of(described)
    parts = []
    for done, (traits, (_, entity)) in enumerate(zip(described, tables, strict=True)):
        progress(done, len(tables))
        parts.append(_part(traits, entity, vocabulary))
    if all(part.right[part.starts].all() for part in parts):
        message = "there is nothing to learn from: no mention has an antecedent"
        hint = "train on documents with entities of two mentions or more, and others"
        raise CorefkitError(message, code="model/nothing-to-learn", hint=hint)
    sizes = [len(part.rows) for part in parts]
    offsets = np.cumsum([0, *sizes])[:-1]
    starts = [part.starts + at for part, at in zip(parts, offsets, strict=True)]
    return vocabulary, Lesson(
        parts[0].columns,
        np.concatenate([part.rows for part in parts]),
        np.concatenate(starts),
        np.concatenate([part.right for part in parts]),
    )


def _part(traits: Traits, entity: Ints, vocabulary: Vocabulary) -> Lesson:
    """Describe the candidates of one document's mentions."""
    first, second = candidates_of(traits)
    rows = rows_of(traits, first, second, vocabulary)
    coreferent = entity[first] == entity[second]
    alone = np.ones(len(entity), np.bool_)
    alone[second[coreferent]] = False
    mention = np.concatenate([np.arange(len(entity)), second])
    order = np.argsort(mention, kind="stable")
    return Lesson(
        rows.columns,
        np.concatenate([rows.alone, rows.pairs])[order],
        np.flatnonzero(np.diff(mention[order], prepend=-1)),
        np.concatenate([alone, coreferent])[order],
    )
