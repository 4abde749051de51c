"""Mentions of both sides as one table: a row a mention, with the entities it is in.

All steps of the analysis are sorts and joins on such a table. Rows are ordered by
document and, inside a document, by position: first token, last token, then tokens.
"First", "earliest" and "latest" mean this order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.columns import Flags, Ints


@dataclass(frozen=True, slots=True)
class Joined:
    """The mentions of some documents, those of key and response that are one as one.

    Under a match other than exact, paired mentions are one row, with the key's tokens.

    Attributes:
        documents: how many documents there are.
        document: the document of each mention.
        key_entity: the entity of each mention in the key, numbered through all
            documents; -1 where the key lacks it.
        response_entity: likewise in the response.
        start: the first token, or the rank of a mention that is a name.
        end: the last token, likewise.
        is_pronoun: whether it is a pronoun.
    """

    documents: int
    document: Ints
    key_entity: Ints
    response_entity: Ints
    start: Ints
    end: Ints
    is_pronoun: Flags


@dataclass(frozen=True, slots=True)
class Description:
    """What is known of the mentions of a `Joined` table beside their entities.

    Attributes:
        type: the type of each, by its number in `TYPES`; -1 where it is not known.
        pronoun: the fine kind of each pronoun, such as `personal`; empty for others.
        head: the head token of each; -1 where it is not known.
        sentence: the sentence in which each begins; -1 where it is not known.
        text: the words of each, case-folded; empty where they are not known.
        head_word: its head word, case-folded; empty where it is not known.
        trimmed_start: the first token after trimming.
        trimmed_end: the last token after trimming.
        sources: where pronouns, types and heads come from, one sentence each.
    """

    type: Ints
    pronoun: Sequence[str]
    head: Ints
    sentence: Ints
    text: Sequence[str]
    head_word: Sequence[str]
    trimmed_start: Ints
    trimmed_end: Ints
    sources: tuple[str, ...]
