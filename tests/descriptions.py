"""Tables of mentions of key and response, described as an error analysis does."""

from __future__ import annotations

from typing import NamedTuple

from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.analysis.errors.mention_facts import MentionDescriber
from corefkit.analysis.errors.mentions import MentionFacts, MentionTable, join_mentions
from corefkit.settings import Settings


class Described(NamedTuple):
    """One block of documents: mentions, what is known of them, and from where."""

    table: MentionTable
    description: MentionFacts
    sources: tuple[str, ...]
    documents: tuple[str, ...]


def described(key, response, *, language=None, **settings):
    """Join and describe the mentions of key and response, which are one block."""
    describing = MentionDescriber(language=language)
    with open_runs(key, [response], settings=Settings(**settings)) as runs:
        ((run, block),) = iter_aligned_blocks(runs)
        table = join_mentions(block)
        description = describing.describe(run, block, table)
        return Described(table, description, describing.sources, run.documents)
