"""What is known of mentions beside their entities: pronouns, types, heads, sentences.

What a file says of a mention goes first: its kind (NAM, NOM, PRO) and its head; then
what its words and their annotation tell (`wording`). The key speaks of its own
mentions, the response of those that only it has. Where types and heads come from is
counted, and said in the output.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.matching.zeros import zero_mentions
from corefkit.analysis.errors.analysis import DocumentText
from corefkit.analysis.errors.joined import Description
from corefkit.analysis.errors.known import UNSAID, Known, Said, known_of, not_said
from corefkit.analysis.errors.mention_names import is_span
from corefkit.analysis.errors.said import sentences_on
from corefkit.analysis.errors.texts import Texts, kinds_in_response
from corefkit.analysis.errors.wording import Facts, nothing_known
from corefkit.columns import runs
from corefkit.formats.source import names_of
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.alignment.blocks import AlignedBlock, Block
    from corefkit.alignment.runs import Run
    from corefkit.analysis.errors.joined import Joined
    from corefkit.analysis.errors.texts import Text
    from corefkit.columns import Columns


class _Response(NamedTuple):
    """What is known of the response's mentions, by their numbers in its columns."""

    columns: Columns
    heads: Mapping[int, int]  # that the file names
    zeros: frozenset[int]  # the mentions whose heads are empty nodes

    def said(
        self, mention: Mention, number: int, kinds: Mapping[Mention, Mention]
    ) -> Mention | None:
        """Find what the response says of one of its mentions, if anything."""
        if not kinds and not self.heads:
            return None
        there = self.columns.mention(number)
        # Where a side has other tokens, a head is none of the key's.
        head = self.heads.get(number) if there == mention else None
        attributes = kinds.get(there, mention).attributes
        return replace(mention, head=head, attributes=attributes)


class Describing:
    """Describes the mentions of an analysis: block by block, system by system.

    Args:
        language: the language of the texts, as in `en` or `English`; found if not
            given.

    >>> from corefkit.alignment.pipeline import aligned_blocks, opened_runs
    >>> from corefkit.analysis.errors.joined import joined
    >>> from corefkit.example import paths
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> describing = Describing()
    >>> with opened_runs(paths()[0], paths()[1:], settings=DEFAULT_SETTINGS) as opened:
    ...     tables = [
    ...         describing.describe(run, block, joined(block))
    ...         for run, block in aligned_blocks(opened)
    ...     ]
    >>> tables[0].text[0], int(tables[0].trimmed_start[0])
    ('the mayor of halden', 1)
    >>> print(describing.sources[0])
    types: pronouns by a list of words of English (guessed); other types are not known
    """

    def __init__(self, *, language: str | None = None) -> None:
        self._texts = Texts(language)
        self._counts: Counter[tuple[str, str, str]] = Counter()

    @property
    def sources(self) -> tuple[str, ...]:
        """Where pronouns, types and heads came from so far, one sentence each."""
        return sentences_on(self._counts)

    def text(self, run: Run, block: AlignedBlock, row: int) -> DocumentText:
        """Return the words of a document of a block; none where mentions are names."""
        if block.table.mentions.key.names is not None:
            return DocumentText()
        wording = self._texts.of(run, block, row).wording
        if wording is None:
            return DocumentText()
        return DocumentText(
            wording.tokens, wording.sentence_starts, empty=wording.empty
        )

    def describe(self, run: Run, block: AlignedBlock, table: Joined) -> Description:
        """Describe the mentions of a table that was made of a block of a run."""
        if _are_names(run, table):
            self._count_nothing(len(table.document))
            spans = zip(table.start.tolist(), table.end.tolist(), strict=True)
            facts = [nothing_known(Mention(*span)) for span in spans]
            return description(facts, self.sources, has_tokens=False)
        known: list[Known] = []
        response = _of_response(block.response)
        for first, size in zip(*runs(table.document), strict=True):
            text = self._texts.of(run, block, int(table.document[first]))
            self._count_text(text, int(size))
            rows = range(int(first), int(first + size))
            known += self._of_document(run, block, table, rows, text, response)
        self._counts.update([found.typed for found in known])
        self._counts.update([found.headed for found in known])
        self._counts.pop(UNSAID, None)
        return description([found.facts for found in known], self.sources)

    def _of_document(
        self,
        run: Run,
        block: AlignedBlock,
        table: Joined,
        rows: range,
        text: Text,
        response: _Response,
    ) -> Iterator[Known]:
        """Describe the mentions of one document; those of the key once for all."""
        of_key = {} if text.wording is None else text.wording.of_key
        numbers = table.key_mention[rows.start : rows.stop].tolist()
        new = [
            row
            for row, number in zip(rows, numbers, strict=True)
            if number not in of_key
        ]
        said = self._said(run, block, table, new, response)
        for number in numbers:
            found = of_key.get(number)
            if found is None:
                one = next(said)
                found = known_of(text, one)
                if one.is_zero:
                    found = found._replace(facts=not_said(found.facts))
                if number >= 0:
                    of_key[number] = found
            yield found

    def _said(
        self,
        run: Run,
        block: AlignedBlock,
        table: Joined,
        rows: Sequence[int],
        response: _Response,
    ) -> Iterator[Said]:
        """Go through mentions, with what which file says of them, if it does."""
        if not rows:
            return
        row = int(table.document[rows[0]])
        of_key, kinds = self._texts.said(run, block, row), None
        for at, start, end, key_mention, response_mention in zip(
            rows,
            table.start[rows].tolist(),
            table.end[rows].tolist(),
            table.key_mention[rows].tolist(),
            table.response_mention[rows].tolist(),
            strict=True,
        ):
            mention = Mention(start, end, table.gaps.get(at, ()))
            if key_mention >= 0:
                own = of_key.get(mention) if of_key else None
                yield Said(mention, own, "the key")
                continue
            if kinds is None:
                kinds = kinds_in_response(run, block, row)
            own = response.said(mention, response_mention, kinds)
            is_zero = response_mention in response.zeros
            yield Said(mention, own, "the response", is_zero)

    def _count_text(self, text: Text, mentions: int) -> None:
        if text.wording is None:
            self._counts["trimming", "", ""] += mentions
            self._counts["distances", "", ""] += mentions
            return
        name = text.language.in_words
        how = "words" if text.language.words else "no list" if name else "language"
        self._counts["trimming", how, name] += mentions
        if not text.wording.has_sentences:
            self._counts["distances", "", ""] += mentions
        if text.wording.broken_trees:
            self._counts["trees", "", text.whose] += mentions

    def _count_nothing(self, mentions: int) -> None:
        for what in ("types", "heads", "trimming"):
            self._counts[what, "", ""] += mentions


def description(
    facts: Sequence[Facts], sources: tuple[str, ...], *, has_tokens: bool = True
) -> Description:
    """Set out what is known of mentions in columns."""
    columns = list(zip(*facts, strict=True)) or [()] * len(Facts._fields)
    numbers = {
        name: np.array(column, np.int64)
        for name, column in zip(Facts._fields, columns, strict=True)
        if name not in ("pronoun", "text", "head_word", "typed_by", "head_by")
    }
    words = dict(zip(Facts._fields, columns, strict=True))
    return Description(
        **numbers,
        pronoun=words["pronoun"],
        text=words["text"],
        head_word=words["head_word"],
        sources=sources,
        has_tokens=has_tokens,
    )


def _of_response(block: Block) -> _Response:
    read, columns = block.read.details, block.attributes.columns
    heads: dict[int, int] = {}
    if read is not None and columns.details is not None and np.any(read.head >= 0):
        named = enumerate(columns.details.head.tolist())
        heads = {mention: head for mention, head in named if head >= 0}
    zeros = frozenset(np.flatnonzero(zero_mentions(columns)).tolist())
    return _Response(columns, heads, zeros)


def _are_names(run: Run, table: Joined) -> bool:
    """Say whether mentions are names, of which no text tells anything."""
    if table.names is not None:
        return not all(map(is_span, table.names))
    named = names_of(run.key.source)
    return named is not None and named.named
