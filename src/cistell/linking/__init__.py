"""The linker: an antecedent for each mention, ranked among candidates, or none.

names        the words of names that tell whose they are
traits       what is known of mentions beside their table
candidates   which earlier mentions a mention is compared with
vocabulary   words that have codes of their own
codes        numbers as codes
mentions     columns that tell of one mention
certainty    how sure a tagger was of a mention and of its type
comparing    columns that tell what two mentions have in common
rivals       columns that tell how a candidate stands among the others
baskets      columns that tell what the sieve makes of a pair and of the entities
rows         all columns together
ranking      what learning makes small
lessons      what is learned from
linker       learning and linking
"""

from __future__ import annotations

from cistell.linking.found import with_found
from cistell.linking.linker import EntityLinker, linked
from cistell.linking.rows import NEEDS

__all__ = ["NEEDS", "EntityLinker", "linked", "with_found"]
