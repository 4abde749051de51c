"""Names: what is left when titles and the like are not looked at."""

from __future__ import annotations

import pytest
from resolver.lexica import table_of
from resolver.trees import parsed

from cistell.linking.names import name_of
from cistell.words import words_of


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("[ Apple/PROPN/0/root Inc./PROPN/1/flat ]a", ("apple",)),
        ("[ Apple/PROPN/0/root 's/1 ]a", ("apple",)),
        ("[ Ann/PROPN/0/root Brown/PROPN/1/flat ]a", ("ann", "brown")),
        ("[ Ms./PROPN/2/compound Brown/PROPN/0/root ]a", ("brown",)),
        ("[ the/2 Company/PROPN/0/root ]a", ("company",)),
        ("[ she/0//root ]a", ()),
        ("[ the/2 mill/NOUN/0/root ]a", ()),
        ("[ Ann/PROPN/0/root and/3 Bob/PROPN/1/conj ]a", ()),
        # What belongs to a name by other relations is not its name.
        ("[ Ann/PROPN/0/root of/3 Halden/PROPN/1/nmod ]a", ("ann", "halden")),
        ("[ Bob/PROPN/3/nmod:poss 's/1 Mill/PROPN/0/root ]a", ("mill",)),
    ],
)
def test_name_is_its_telling_words(line, name):
    document = parsed(line)
    table = table_of(document)
    assert name_of(table.profiles[0], words_of(document).syntax) == name
