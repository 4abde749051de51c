"""Losses add up, and are laid out for people."""

from __future__ import annotations

from corefkit import Document, Entity, Mention
from corefkit.cistell.corpora.loss import Loss, loss_between


def test_losses_add_up():
    one = Loss(5, 4, 2, 2, dropped={"is long": 2}, added={"is short": 1})
    two = Loss(3, 2, 1, 1, dropped={"is long": 1, "is odd": 1})
    assert one + two == Loss(
        8, 6, 3, 3, dropped={"is long": 3, "is odd": 1}, added={"is short": 1}
    )
    assert one + Loss() == one


def test_table_has_a_row_for_each_reason():
    loss = Loss(1200, 1001, 7, 6, dropped={"is long": 200}, added={"is short": 1})
    assert [line.split("  ")[0] for line in str(loss).splitlines()[1:]] == [
        "before",
        "dropped: is long",
        "added: is short",
        "after",
    ]
    assert "1,200" in str(loss)


def test_entities_without_mentions_and_empty_reasons_do_not_count():
    before = Document("d", (), (Entity("1", (Mention(0, 0),)), Entity("2", ())))
    loss = loss_between(before, [before], dropped={"is long": 0})
    assert loss == Loss(1, 1, 1, 1)
