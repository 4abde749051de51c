"""Columns that tell of one mention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cistell.lexicon import SUPERTYPES
from cistell.linking.certainty import certainties
from cistell.linking.codes import capped, in_steps
from cistell.linking.vocabulary import CLASSES, word_codes

if TYPE_CHECKING:
    from cistell.learners.base import Codes
    from cistell.linking.traits import Traits
    from cistell.linking.vocabulary import Vocabulary
    from corefkit.arrays.columns import Flags, Ints

UNORDERED = (*CLASSES, "kind", "gender", "person", "type", "supertype")
_SUPERTYPES = {name: code for code, name in enumerate(("", *SUPERTYPES))}
_OFTEN = 40


def mention_columns(traits: Traits, vocabulary: Vocabulary) -> dict[str, Codes]:
    """Tell of each mention what it is, whatever it is compared with."""
    table = traits.table
    supertypes = [_SUPERTYPES.get(row.supertype, 0) for row in table.profiles]
    columns: dict[str, Ints | Flags | Codes] = {
        **word_codes(traits, vocabulary),
        "kind": table.kind,
        "gender": table.gender,
        "number": table.number,
        "person": table.person,
        "type": table.entity_type,
        "supertype": np.array(supertypes, np.int64),
        "certainty": certainties(table),
        "place": in_steps(np.arange(len(traits.rows))),
        "depth": traits.depth,
        "size": table.end - table.start,
        "modifiers": traits.modifier_count,
        "name_words": traits.name_count,
        "relative": table.relative,
        "coordinated": table.coordinated,
        "possessive": table.possessive,
        "quoted": table.quoted,
        "predicate": table.subject >= 0,
        "apposed": table.apposed >= 0,
        "earlier_heads": np.minimum(traits.earlier_heads, _OFTEN),
        "earlier_texts": np.minimum(traits.earlier_texts, _OFTEN),
    }
    return {name: capped(values) for name, values in columns.items()}


def place_columns(traits: Traits) -> dict[str, Codes]:
    """Tell where in the document and in its sentence a mention stands."""
    number = np.arange(len(traits.rows))
    sentence = np.maximum.accumulate(traits.table.sentence)
    return {
        "length": in_steps(np.full(len(number), len(number))),
        "sentence": in_steps(sentence),
        "in_sentence": capped(number - np.searchsorted(sentence, sentence)),
    }
