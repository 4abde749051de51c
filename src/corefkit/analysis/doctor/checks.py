"""The checks, in the order in which they are made: one function and one row each.

To add a check, write a function from a `Case` to suspicions in the module that it
belongs to, and add its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.doctor.beyond import beyond_the_text
from corefkit.analysis.doctor.boundaries import boundaries
from corefkit.analysis.doctor.broken import broken
from corefkit.analysis.doctor.characters import by_character
from corefkit.analysis.doctor.columns import other_column
from corefkit.analysis.doctor.counting import other_count
from corefkit.analysis.doctor.drift import shifted_from_a_token
from corefkit.analysis.doctor.entities import ids_across_documents, links
from corefkit.analysis.doctor.mentions import (
    nested,
    other_number,
    repeated,
    singletons,
    without_mentions,
    zeros,
)
from corefkit.analysis.doctor.names import other_documents, other_names
from corefkit.analysis.doctor.offsets import (
    in_each_sentence,
    other_bounds,
    through_the_file,
)
from corefkit.analysis.doctor.parts import joined_parts, split_documents
from corefkit.analysis.doctor.pieces import word_pieces
from corefkit.analysis.doctor.sides import (
    extra_documents,
    identical,
    missing_documents,
    no_common_document,
    swapped,
)
from corefkit.analysis.doctor.words import other_spelling, other_text, other_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.analysis.doctor.case import Case, Suspicion


class Check(NamedTuple):
    """A check.

    Attributes:
        name: its name in JSON.
        asks: what it looks for, as the documentation lists it.
        find: the function that looks.
        mends: whether it finds faults, which are mended one after the other before
            anything else is looked at; otherwise it finds what is a matter of choice,
            or only to be known.
    """

    name: str
    asks: str
    find: Callable[[Case], Iterator[Suspicion]]
    mends: bool = False


CHECKS: Mapping[str, Check] = {
    check.name: check
    for check in (
        Check("broken", "a file that cannot be read as it stands", broken, True),
        Check("names", "documents with other names", other_names, True),
        Check("joined", "documents of the key in one", joined_parts, True),
        Check("split", "a document of the key in several", split_documents, True),
        Check("exchanged", "documents with the name of another", other_documents, True),
        Check("unrelated", "no document in common", no_common_document, True),
        Check("pieces", "word pieces of a language model", word_pieces, True),
        Check("tokens", "the same text in other tokens", other_tokens, True),
        Check("spelling", "words written otherwise", other_spelling, True),
        Check("text", "another text, or version of it", other_text, True),
        Check("column", "brackets in another column", other_column, True),
        Check("bounds", "tokens from 1, exclusive ends, shifts", other_bounds, True),
        Check("through", "tokens counted through the file", through_the_file, True),
        Check("characters", "characters, not tokens", by_character, True),
        Check("counting", "marks or other tokens not counted", other_count, True),
        Check("drift", "a shift from some token on", shifted_from_a_token, True),
        Check("sentences", "tokens counted by sentence", in_each_sentence, True),
        Check("beyond", "mentions behind the text", beyond_the_text, True),
        Check("links", "no link at all, or one entity", links, True),
        Check("empty", "a side without mentions", without_mentions, True),
        Check("identical", "the key as the response", identical),
        Check("swapped", "key and response swapped", swapped),
        Check("missing", "documents that the response lacks", missing_documents),
        Check("extra", "documents that the key lacks", extra_documents),
        Check("singletons", "singletons on one side", singletons),
        Check("boundaries", "mentions that differ by bounds", boundaries),
        Check("nested", "nested mentions on one side", nested),
        Check("zeros", "zeros on one side", zeros),
        Check("number", "far fewer mentions, or far more", other_number),
        Check("repeated", "mentions that a side repeats", repeated),
        Check("ids", "ids that begin anew, or go on", ids_across_documents),
    )
}
