"""The checks, in the order in which they are made: one function and one row each.

To add a check, write a function from a `Case` to suspicions in the module that it
belongs to, and add its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.doctor import documents, mentions, offsets, sides, words

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
        Check(
            "broken", "a file that cannot be read as it stands", documents.broken, True
        ),
        Check("names", "documents with other names", documents.other_names, True),
        Check("joined", "documents of the key in one", documents.joined_parts, True),
        Check(
            "exchanged",
            "documents with the name of another",
            documents.other_documents,
            True,
        ),
        Check("tokens", "the same text in other tokens", words.other_tokens, True),
        Check("spelling", "words written otherwise", words.other_spelling, True),
        Check("text", "another text, or version of it", words.other_text, True),
        Check("column", "brackets in another column", offsets.other_column, True),
        Check(
            "bounds",
            "tokens from 1, exclusive ends, shifts",
            offsets.other_bounds,
            True,
        ),
        Check(
            "through", "tokens counted through the file", offsets.through_the_file, True
        ),
        Check("characters", "characters, not tokens", offsets.by_character, True),
        Check("sentences", "tokens counted by sentence", offsets.in_each_sentence),
        Check("empty", "a side without mentions", mentions.without_mentions),
        Check("identical", "the key as the response", sides.identical),
        Check("swapped", "key and response swapped", sides.swapped),
        Check("missing", "documents that the response lacks", sides.missing_documents),
        Check("extra", "documents that the key lacks", sides.extra_documents),
        Check("singletons", "singletons on one side", mentions.singletons),
        Check("boundaries", "mentions that differ by bounds", mentions.boundaries),
        Check("nested", "nested mentions on one side", mentions.nested),
        Check("zeros", "zeros on one side", mentions.zeros),
        Check("repeated", "mentions that a side repeats", mentions.repeated),
        Check("ids", "ids that begin anew, or go on", mentions.ids_across_documents),
    )
}
