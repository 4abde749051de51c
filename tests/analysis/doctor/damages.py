"""Responses damaged on purpose, each in one way that real ones are."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import accumulate

from corefkit.model import Document, Entity, Mention


def with_spans(document, change):
    """Change the spans of all mentions; None drops one."""
    entities = []
    for entity in document.entities:
        spans = [change(mention) for mention in entity.mentions]
        kept = tuple(Mention(*span) for span in spans if span is not None)
        if kept:
            entities.append(Entity(entity.id, kept))
    return replace(document, entities=tuple(entities), bridges=(), origin="")


def bare(document):
    """Leave out the words, as a file of spans alone does."""
    return Document(document.id, (), document.entities)


def moved(start, end):
    """Move starts and ends, of documents without words."""

    def change(mention):
        return mention.start + start, mention.end + end

    return lambda documents: [bare(with_spans(one, change)) for one in documents]


def through_the_file(documents):
    found, before = [], 0
    for document in documents:
        found.append(moved(before, before)([document])[0])
        before += len(document.words)
    return found


def in_characters(documents):
    found = []
    for document in documents:
        ends = [
            end + at
            for at, end in enumerate(accumulate(len(word) for word in document.words))
        ]
        starts = [
            end - len(word) for end, word in zip(ends, document.words, strict=True)
        ]
        found.append(
            bare(
                with_spans(
                    document,
                    lambda one, s=starts, e=ends: (s[one.start], e[one.end]),
                )
            )
        )
    return found


def in_each_sentence(documents):
    found = []
    for document in documents:
        starts = [0, *accumulate(map(len, document.sentences))]

        def change(mention, starts=starts):
            first = max(start for start in starts if start <= mention.start)
            return mention.start - first, mention.end - first

        found.append(bare(with_spans(document, change)))
    return found


def renamed(documents):
    return [
        replace(one, id=f"run7/{one.id.strip('()').partition(')')[0]}.pred.conll")
        for one in documents
    ]


def numbered(documents):
    return [replace(one, id=f"doc-{at}") for at, one in enumerate(documents)]


def exchanged(documents):
    names = [one.id for one in documents]
    turned = [*names[1:], names[0]]
    return [replace(one, id=name) for one, name in zip(documents, turned, strict=True)]


def joined(documents):
    sentences, entities, before = [], [], 0
    for number, document in enumerate(documents):
        sentences += document.sentences
        entities += [
            replace(entity, id=f"{number}-{entity.id}")
            for entity in moved(before, before)([document])[0].entities
        ]
        before += len(document.words)
    return [Document("all", tuple(sentences), tuple(entities))]


def cut_words(documents):
    """Cut each word of six letters or more in two."""
    found = []
    for document in documents:
        sentences, first, last = [], [], []
        at = 0
        for sentence in document.sentences:
            row = []
            for word in sentence:
                pieces = [word[:3], word[3:]] if len(word) > 5 else [word]
                first.append(at)
                last.append(at + len(pieces) - 1)
                at += len(pieces)
                row += pieces
            sentences.append(tuple(row))
        change = with_spans(
            document, lambda one, a=first, b=last: (a[one.start], b[one.end])
        )
        found.append(replace(change, sentences=tuple(sentences), layers={}))
    return found


def in_lower_case(documents):
    return [
        replace(
            one,
            sentences=tuple(
                tuple(word.lower() for word in row) for row in one.sentences
            ),
        )
        for one in documents
    ]


def without_second_sentence(documents):
    found = []
    for one in documents:
        first, second, *rest = one.sentences
        start, end = len(first), len(first) + len(second)

        def change(mention, start=start, end=end):
            if mention.end < start:
                return mention.start, mention.end
            if mention.start >= end:
                return mention.start + start - end, mention.end + start - end
            return None

        cut = with_spans(one, change)
        found.append(replace(cut, sentences=(first, *rest), layers={}, comments=()))
    return found


def of_another_text(documents):
    return [
        replace(one, sentences=tuple(row[::-1] for row in one.sentences[::-1]))
        for one in documents
    ]


def without_last_document(documents):
    return documents[:-1]


def with_another_document(documents):
    return [*documents, replace(documents[0], id="one more")]


def without_singletons(documents):
    return [
        replace(one, entities=tuple(row for row in one.entities if len(row) > 1))
        for one in documents
    ]


def of_last_words(documents):
    return [with_spans(one, lambda span: (span.end, span.end)) for one in documents]


def without_nested(documents):
    found = []
    for one in documents:
        spans = {(span.start, span.end) for row in one.entities for span in row}

        def change(mention, spans=spans):
            inside = any(
                start <= mention.start and mention.end <= end
                for start, end in spans - {(mention.start, mention.end)}
            )
            return None if inside else (mention.start, mention.end)

        found.append(with_spans(one, change))
    return found


def with_copies(documents):
    first, *rest = documents
    copy = Entity("copy", (first.entities[0].mentions[0], Mention(1, 1)))
    return [replace(first, entities=(*first.entities, copy)), *rest]


def empty(documents):
    return [replace(one, entities=()) for one in documents]


# How a response is damaged, and the check that must say so; those that can be undone
# give back the very score.
UNDONE = {
    "from 1": (moved(1, 1), "bounds"),
    "seven too high": (moved(7, 7), "bounds"),
    "exclusive ends": (moved(0, 1), "bounds"),
    "from 1, exclusive ends": (moved(1, 2), "bounds"),
    "through the file": (through_the_file, "through"),
    "characters": (in_characters, "characters"),
    "renamed": (renamed, "names"),
    "numbered": (numbered, "names"),
    "exchanged": (exchanged, "exchanged"),
    "exchanged, no words": (
        lambda documents: [bare(one) for one in exchanged(documents)],
        "exchanged",
    ),
    "joined": (joined, "joined"),
    "other tokens": (cut_words, "tokens"),
    "lower case": (in_lower_case, "spelling"),
}
SEEN = {
    "by sentence": (in_each_sentence, "sentences"),
    "a sentence lost": (without_second_sentence, "text"),
    "another text": (of_another_text, "text"),
    "a document missing": (without_last_document, "missing"),
    "a document more": (with_another_document, "extra"),
    "no singletons": (without_singletons, "singletons"),
    "last words": (of_last_words, "boundaries"),
    "no nested mentions": (without_nested, "nested"),
    "copies": (with_copies, "repeated"),
    "no mentions": (empty, "empty"),
}
DAMAGES = UNDONE | SEEN


def imperfect(documents, *, seed=0):
    """Make a response of a key: lose mentions, and put some into other entities."""
    chance = random.Random(seed)
    found = []
    for document in documents:
        groups = [
            [one for one in entity if chance.random() > 0.15]
            for entity in document.entities
        ]
        for group in groups:
            for mention in [*group]:
                if chance.random() < 0.1:
                    group.remove(mention)
                    chance.choice(groups).append(mention)
        entities = tuple(
            Entity(str(at), tuple(dict.fromkeys(group)))
            for at, group in enumerate(groups)
            if group
        )
        found.append(replace(document, entities=entities, bridges=(), origin=""))
    return found
