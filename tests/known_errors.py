"""Known error analyses, with heads, types and trimmable tokens as they are given.

Tables are described here from the known answers alone, so that kinds and repairs are
tested apart from what finds pronouns, types and heads.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import replace
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from shared_files import SHARED

import corefkit
from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.analysis.errors import kinds as kinds_module
from corefkit.analysis.errors.error_analysis import TYPES
from corefkit.analysis.errors.kinds import (
    SpanErrors,
    find_errors_by_kind,
    find_span_errors,
)
from corefkit.analysis.errors.mentions import MentionFacts, join_mentions
from corefkit.settings import Settings

NO_SPAN_ERRORS = SpanErrors(
    np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.bool_)
)
FOLDER = SHARED / "conformance" / "known" / "errors"


class Facts(NamedTuple):
    """What is known of the mentions of a document, by span."""

    head: dict
    type: dict
    starts: list  # of sentences
    lead: set  # tokens that are trimmed at the front
    trail: set  # and at the back


@cache
def known(name):
    return json.loads((FOLDER / name).read_text("utf-8"))


def aligned(key, response, **settings):
    """Align key and response: one block."""
    with open_runs(key, [response], settings=Settings(**settings)) as runs:
        ((_, block),) = iter_aligned_blocks(runs)
    return block


def tables(key, response, **settings):
    """Join key and response, as one table."""
    return join_mentions(aligned(key, response, **settings))


def list_errors(*arguments):
    """List the errors of each document, without their rows."""
    errors = kinds_module.list_errors(*arguments)
    return [tuple(error for error, _ in document) for document in errors]


def with_pronouns(table, pronouns):
    flags = [table.mention(row) in pronouns for row in range(len(table))]
    return replace(table, is_pronoun=np.array(flags, np.bool_))


def plain_kinds(key, response, pronouns=(), **settings):
    """Find the kinds of errors without span errors."""
    table = with_pronouns(tables(key, response, **settings), set(pronouns))
    return find_errors_by_kind(table, NO_SPAN_ERRORS)


def described(table, facts):
    """Describe a table by the facts of its documents."""
    rows = [
        (facts[document], (int(start), int(end)))
        for document, start, end in zip(
            table.document.tolist(), table.start, table.end, strict=True
        )
    ]
    types = np.array([TYPES.index(fact.type[span]) for fact, span in rows], np.int64)
    trimmed = np.array([trim(fact, *span) for fact, span in rows], np.int64)
    return MentionFacts(
        type=types,
        pronoun=[""] * len(rows),
        head=np.array([fact.head[span] for fact, span in rows], np.int64),
        sentence=np.array(
            [bisect_right(fact.starts, span[0]) for fact, span in rows], np.int64
        ),
        text=[""] * len(rows),
        head_word=[""] * len(rows),
        trimmed_start=trimmed.reshape(-1, 2)[:, 0],
        trimmed_end=trimmed.reshape(-1, 2)[:, 1],
    )


def trim(fact, start, end):
    before = None
    while start < end and before != (start, end):
        before = start, end
        start += start in fact.lead
        end -= start < end and end in fact.trail
    return start, end


def kinds_by_facts(table, facts):
    """Find span errors and kinds of a table with its facts; and its description."""
    description = described(table, facts)
    table = replace(table, is_pronoun=description.type == TYPES.index("pronoun"))
    return find_errors_by_kind(table, find_span_errors(table, description)), description


def case_files():
    return FOLDER / "cases.key.conll", FOLDER / "cases.response.conll"


def case_facts():
    """List the facts of the constructed cases, by document of the file."""
    cases = known("cases.json")["documents"]
    facts = {}
    for document in corefkit.read(case_files()[0]):
        name = document.id.removeprefix("(").partition(")")[0]
        mentions = cases[name]["mentions"]
        words = document.tokens
        points = {row for row, word in enumerate(words) if not word[0].isalnum()}
        lengths = [len(sentence) for sentence in document.sentences]
        facts[name] = Facts(
            {tuple(mention["span"]): mention["head"] for mention in mentions},
            {tuple(mention["span"]): mention["type"] for mention in mentions},
            [0, *accumulate(lengths)],
            points | {row for row, word in enumerate(words) if word == "the"},
            points | {row for row, word in enumerate(words) if word == "'s"},
        )
    return facts


def ontogum(system):
    """Return key, response and facts of a system, each by document."""
    documents = known("ontogum-dev.json")["systems"][system]["documents"]
    sides = [
        {
            name: [[tuple(span) for span in entity] for entity in document[side]]
            for name, document in documents.items()
        }
        for side in ("key", "response")
    ]
    facts = [
        Facts(
            {tuple(row[:2]): row[2] for row in document["mentions"]},
            {tuple(row[:2]): row[3] for row in document["mentions"]},
            document["sentence_starts"],
            set(document["trim_lead"]),
            set(document["trim_trail"]),
        )
        for document in documents.values()
    ]
    return *sides, facts
