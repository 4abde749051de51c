"""Kinds of errors and repairs once more: sets, one mention at a time, word for word.

A mention is any value that sorts. Slow and plain, to compare the arrays with.
"""

from __future__ import annotations

KINDS = (
    "span",
    "conflated",
    "extra_mention",
    "extra_entity",
    "divided",
    "missing_mention",
    "missing_entity",
)


def sets(partition):
    return [frozenset(entity) for entity in partition if entity]


def with_spans(response, pairs):
    """Let response mentions take the places of their key mentions."""
    place = dict(pairs)
    return [frozenset(place.get(m, m) for m in entity) for entity in sets(response)]


def anchor(entity, pronouns):
    return min((m for m in entity if m not in pronouns), default=min(entity))


def one_sided(entities, others, pronouns):
    """Find the errors of one side: pieces, mentions and entities the other lacks."""
    inside = frozenset().union(*others)
    found = {"pieces": [], "mentions": [], "entities": []}
    for entity in entities:
        first = anchor(entity, pronouns)
        lacking = entity - inside
        if len(entity) == 1:
            whole = lacking == entity
        else:
            whole = len(lacking) >= 2 and entity - lacking <= pronouns
        if whole:
            found["entities"].append((lacking, entity))
        else:
            found["mentions"] += [(frozenset({m}), entity) for m in lacking - {first}]
        for other in others:
            piece = entity & other
            if piece and first not in piece and piece != entity:
                found["pieces"].append((piece, entity))
    return found


def errors(key, response, pronouns):
    """List the errors of the six kinds: kind, mentions, entity."""
    of_response = one_sided(response, key, pronouns)
    of_key = one_sided(key, response, pronouns)
    named = {
        "conflated": of_response["pieces"],
        "extra_mention": of_response["mentions"],
        "extra_entity": of_response["entities"],
        "divided": of_key["pieces"],
        "missing_mention": of_key["mentions"],
        "missing_entity": of_key["entities"],
    }
    return [
        (kind, *error)
        for kind in KINDS[1:]
        for error in sorted(named[kind], key=lambda error: min(error[0]))
    ]


def operations(key, response):
    """Count the raw operations of Kummerfeld and Klein."""
    keys, responses = frozenset().union(*key), frozenset().union(*response)
    cut = [r & k for r in response for k in key if r & k and r & k != r]
    glued = [r & k for r in response for k in key if r & k and r & k != k]
    return {
        "split": len(cut) + len(responses - keys),
        "remove": len(responses - keys),
        "introduce": len(keys - responses),
        "merge": len(glued) + sum(len(k - responses) for k in key if len(k) > 1),
    }


def repaired(key, response, pronouns, kinds, pairs=()):
    """Repair some kinds, one error at a time; give the entities as sets."""
    key, response = sets(key), with_spans(response, pairs)
    keys = frozenset().union(*key)
    entities = [set(entity) for entity in response]

    def home(mention):
        return next((entity for entity in entities if mention in entity), None)

    def clear(entity):
        if len(entity) == 1 and not entity & keys:
            entity.clear()

    def join(first, second):
        if first is not second:
            first |= second
            second.clear()

    for kind, mentions, entity in errors(key, response, pronouns):
        if kind not in kinds:
            continue
        earliest = min(mentions)
        if kind == "conflated":
            rest = home(earliest)
            rest -= mentions
            entities.append(set(mentions))
            clear(rest)
        elif kind in ("extra_mention", "extra_entity"):
            rest = home(earliest)
            if rest is not None:
                rest -= mentions
                clear(rest)
        elif kind == "divided":
            first = anchor(entity, pronouns)
            piece = home(earliest)
            if home(first) is None:
                piece.add(first)
            join(home(first), piece)
        else:
            place = home(anchor(entity, pronouns))
            if place is None:
                present = [m for m in sorted(entity) if home(m) is not None]
                place = home(present[0]) if present else set()
                if not present:
                    entities.append(place)
            place |= {m for m in mentions if home(m) is None}
    if "span" not in kinds:
        back = {paired: own for own, paired in pairs}
        entities = [{back.get(m, m) for m in entity} for entity in entities]
    return {frozenset(entity) for entity in entities if entity}


def pairs_of_spans(response, key, *, trimmed, sentence, head):
    """Pair mentions that differ at their borders, one at a time: pairs and how."""
    free = sorted(key)
    found = []
    for mention in sorted(response):
        for other in free:
            same = trimmed[mention] == trimmed[other]
            if same and sentence[mention] == sentence[other]:
                found.append((mention, other, "trim"))
                free.remove(other)
                break
    left = [m for m in response if m not in {pair[0] for pair in found}]
    for mention in left:
        mine = [m for m in left if head[m] == head[mention]]
        theirs = [m for m in free if head[m] == head[mention]]
        if head[mention] >= 0 and len(mine) == len(theirs) == 1:
            found.append((mention, theirs[0], "head"))
    return sorted(found)
