"""Documents with fewer mentions, and what that costs: how many go, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cistell.mentions.words import get_tree
from corefkit.model import Document, Entity, Mention
from corefkit.tables.model import Table, make_columns, make_rows
from corefkit.tables.terminal import render_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.syntax.dependencies import Syntax


@dataclass(frozen=True, slots=True)
class Loss:
    """Mentions and entities before and after a change; those of documents add up.

    >>> print(Loss(9, 8, 4, 4, dropped={"has a gap": 2}, added={"a pronoun": 1}))
                        Mentions   Entities
    before                     9          4
    dropped: has a gap        -2
    added: a pronoun          +1
    after                      8          4
    """

    mentions_before: int = 0
    mentions_after: int = 0
    entities_before: int = 0
    entities_after: int = 0
    # How many mentions were dropped, by reason.
    dropped: Mapping[str, int] = field(default_factory=dict)
    # How many mentions were added, by reason.
    added: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Loss) -> Loss:
        """Add up two losses."""
        return Loss(
            self.mentions_before + other.mentions_before,
            self.mentions_after + other.mentions_after,
            self.entities_before + other.entities_before,
            self.entities_after + other.entities_after,
            Counter(self.dropped) + Counter(other.dropped),
            Counter(self.added) + Counter(other.added),
        )

    def __str__(self) -> str:
        """Format the counts for a terminal."""
        return render_terminal([self.grid()])

    def grid(self) -> Table:
        """Return the counts as the rows of a grid."""
        changes = [
            (f"dropped: {why}", f"-{n:,}", "") for why, n in self.dropped.items()
        ]
        changes += [(f"added: {why}", f"+{n:,}", "") for why, n in self.added.items()]
        rows = (
            ("before", f"{self.mentions_before:,}", f"{self.entities_before:,}"),
            *changes,
            ("after", f"{self.mentions_after:,}", f"{self.entities_after:,}"),
        )
        heads = make_columns(["", "Mentions", "Entities"])
        return Table(heads, make_rows(rows), mark_width=1)


def loss_between(
    before: Document,
    after: Iterable[Document],
    *,
    dropped: Mapping[str, int] | None = None,
    added: Mapping[str, int] | None = None,
) -> Loss:
    """Count what one document has, and what the documents made of it have.

    Reasons without mentions are left out.
    """
    now = list(after)
    return Loss(
        _mentions(before),
        sum(map(_mentions, now)),
        _entities(before),
        sum(map(_entities, now)),
        {why: number for why, number in (dropped or {}).items() if number},
        {why: number for why, number in (added or {}).items() if number},
    )


def _mentions(document: Document) -> int:
    return sum(map(len, document.entities))


def _entities(document: Document) -> int:
    return sum(bool(entity.mentions) for entity in document.entities)


REPEATED = "stands in an earlier entity too"

# Returns why a mention is dropped, in words that follow "it"; empty to keep it.
Reason: TypeAlias = Callable[[Mention], str]


class Mapped(NamedTuple):
    """A document in a scheme, and what mapping it dropped and added."""

    document: Document
    loss: Loss


def restricted(document: Document, reason: Reason) -> Mapped:
    """Drop the mentions that there is a reason to drop.

    Repeated spans are dropped too, and so are entities without mentions and links to
    them.
    """
    seen: set[Mention] = set()
    dropped: Counter[str] = Counter()
    entities: list[Entity] = []
    for entity in document.entities:
        mentions: list[Mention] = []
        for mention in entity.mentions:
            why = REPEATED if mention in seen else reason(mention)
            if why:
                dropped[why] += 1
            else:
                seen.add(mention)
                mentions.append(mention)
        if mentions:
            entities.append(replace(entity, mentions=tuple(mentions)))
    after = _with_links(document, entities, seen)
    return Mapped(after, loss_between(document, [after], dropped=dropped))


def _with_links(
    document: Document, entities: Iterable[Entity], mentions: set[Mention]
) -> Document:
    """Give a document other entities, and keep the links between them."""
    row = tuple(entities)
    ids = {entity.id for entity in row}
    bridges = (
        bridge._replace(mention=bridge.mention if bridge.mention in mentions else None)
        for bridge in document.bridges
        if bridge.anaphor in mentions and bridge.antecedent in ids
    )
    return replace(
        document,
        entities=tuple(
            replace(entity, split=tuple(id for id in entity.split if id in ids))
            for entity in row
        ),
        bridges=tuple(bridges),
    )


NO_NODE = "has no node in the tree"


def onto_trees(document: Document) -> Mapped:
    """Keep the mentions that the dependency tree has a node for.

    A node is a word with what hangs on it; some of these words may be left out, each
    with all that hangs on it in turn: so "by the old mill" has a node for "the old
    mill". The heads of mentions are dropped, since they may be others in this tree.
    """
    tree = get_tree(document, purpose="to map mentions onto")
    kept = restricted(
        document, lambda mention: "" if _has_node(mention, tree) else NO_NODE
    )
    entities = tuple(
        replace(
            entity, mentions=tuple(replace(mention, head=None) for mention in entity)
        )
        for entity in kept.document
    )
    return Mapped(replace(kept.document, entities=entities), kept.loss)


def _has_node(mention: Mention, tree: Syntax) -> bool:
    inside = {*mention.tokens} - tree.empty
    tops = [token for token in inside if tree.parents[token] not in inside]
    if len(tops) != 1:
        return not inside  # empty nodes alone, which trees do not have
    return all(
        child in inside for token in inside - {*tops} for child in tree.children[token]
    )
