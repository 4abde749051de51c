"""Documents without words get placeholders, in one place for all formats."""

from __future__ import annotations

from corefkit import Document, Entity, Mention
from corefkit.formats.brackets import list_sentences


def test_document_without_words_has_as_many_as_it_needs():
    assert list_sentences(Document("d", (), ())) == ()
    entity = Entity("1", (Mention(1, 2),))
    assert list_sentences(Document("d", (), (entity,))) == (("_", "_", "_"),)
