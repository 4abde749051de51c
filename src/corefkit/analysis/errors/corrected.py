"""Documents with errors repaired: what each step of the ladder leaves of a response.

The words are those of the response where its tokens are the key's, else those of the
key. Mentions keep what their side says of them. Bridging and split antecedents, which
no kind repairs, are left out, and so is what the settings leave out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.exceptions import SettingsError
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefkit.alignment.blocks import AlignedBlock
    from corefkit.alignment.runs import Run


def base_document(run: Run, block: AlignedBlock, row: int) -> tuple[Document, Document]:
    """Return the document to be corrected, without entities, and the known mentions.

    Raises:
        SettingsError: the mentions are names and have no text to stand in.
    """
    if block.table.mentions.key.names is not None:
        message = "mentions that are names cannot be written as documents"
        hint = "give files or documents, whose mentions are spans of tokens"
        raise SettingsError(message, hint=hint)
    number, partner = block.key.numbers[row], block.response.numbers[row]
    key = run.key.source.document(number or 0)
    if partner is None:
        return _bare(key), key
    response = run.response.source.document(partner)
    worded = response.sentences or not key.sentences
    if row in block.other_tokens or response.empty != key.empty or not worded:
        # Mentions have the key's tokens; its words go with them.
        return _bare(key, id=response.id), key
    both = Document(response.id, (), (*response.entities, *key.entities))
    return _bare(response), both


def _bare(document: Document, *, id: str | None = None) -> Document:
    return Document(
        id or document.id,
        document.sentences,
        (),
        document.empty,
        layers=document.layers,
        comments=document.comments,
        origin=document.origin,
    )


def corrected_document(
    base: Document, known: Document, entities: Sequence[Sequence[Hashable]]
) -> Document:
    """Put entities into a document; mentions get all that is known of them.

    >>> key = Document(
    ...     "d", (("Ann", "left"),), (Entity("1", (Mention(0, 0, head=0),)),)
    ... )
    >>> corrected_document(_bare(key), key, [[Mention(0, 0)]]).entities[0].mentions[0]
    Mention(start=0, end=0, head=0)
    """
    mentions: dict[Hashable, Mention] = {}
    for entity in known.entities:
        for mention in entity.mentions:
            mentions.setdefault(mention, mention)
    found = [
        Entity(
            str(number),
            tuple(
                mentions.get(mention, mention)
                for mention in members
                if isinstance(mention, Mention)
            ),
        )
        for number, members in enumerate(entities)
    ]
    return Document(
        base.id,
        base.sentences,
        tuple(found),
        base.empty,
        layers=base.layers,
        comments=base.comments,
        origin=base.origin,
    )
