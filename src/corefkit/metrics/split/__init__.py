"""Documents with split antecedents, counted as the Universal Anaphora scorer does.

In "Ann met Bob. They left." the antecedent of "they" is split over two entities. Such
an antecedent is one more member of its anaphor's entity, beside the mentions, and adds
1 to its size. It is made of those entities; where one of them has a split antecedent
too, the entities that this is made of take its place. Entities of one side with split
antecedents made of the same entities are one entity.

Split antecedents of key and response are seldom equal, so they count in part. Let A be
one of the key and B one of the response, each a partition of its mentions. The metric
itself scores B against A, with recall R(A, B), precision P(A, B) and F1 F(A, B). MUC
gives a singleton one link here, to itself, that is correct where the other side has the
same singleton. The one-to-one map of the largest total F pairs the split antecedents of
key and response; pairs with F = 0 do not count.

Let |k| be the size of key entity k, |r| that of response entity r, x(k, r) the mentions
that they share. Where the split antecedents A of k and B of r are a pair, w(k, r) is
R(A, B) for recall, P(A, B) for precision, and F(A, B) for CEAF and BLANC; elsewhere it
is 0. With x and w short for x(k, r) and w(k, r) the numerators are

    MUC     sum over k, r with x > 0 of   x - 1 + w
    B³      sum over k, r of   (x + w)^2 / |k|          (precision: |r|)
    CEAFm   sum over the best map of   x + w
    CEAFe   sum over the best map of   2 (x + w) / (|k| + |r|)
    LEA     sum over k, r of   |k| (x (x - 1) / 2 + x w) / (|k| (|k| - 1) / 2)
            (precision: |r|), and 1 for each singleton of both sides
    BLANC   coreference links: sum over k, r of   x (x - 1) / 2 + x w
            other links: sum over pairs of common members that neither side has in one
            entity of   w w',   with w = 1 for a mention

and the denominators those of the metrics, with the sizes above. So a split antecedent
with w = 1 counts as a mention that is found. The two kinds of links of BLANC are
metrics of their own, each with its own F and its own pairs; where neither A nor B has a
link of the kind, F is 1 if they are equal, else 0.

Where several maps of split antecedents are best, the score may hang on which is taken:
it is the one that scipy finds for entities in their order, as in that scorer; in BLANC
it is one with the most equal pairs.

Source: Paun, Yu, Moosavi and Poesio 2023, "Scoring Coreference Chains with
Split-Antecedent Anaphors", and the Universal Anaphora scorer, which differs in this:

1.  Its coreference links of BLANC depend on the order of unordered sets: a link of a
    split antecedent counts w only if this comes first in its entity, else 1 or 0, as
    the other side has an equal split antecedent or not. Here it counts w always.
2.  There an equal split antecedent of the other side stands in for a missing pair, in
    the same links, even if it is in a pair already. Here pairs are one to one.
3.  In LEA its version 1 multiplies by w also the links of mentions that come after a
    split antecedent in the set. Its version 2 does not, as here.
4.  Of several best maps it takes the one that scipy finds in BLANC too.
5.  It does not end where split antecedents go in a circle. Here an entity that leads
    back to itself adds nothing.
6.  Whether split antecedents are equal it asks of the tokens of their mentions, also
    where mentions are matched by minimum spans. Here matched mentions are one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.exceptions import SettingsError, quoted
from corefkit.metrics import known_metrics
from corefkit.metrics.split.documents import SplitDocument, split_documents

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.metrics.base import Metric

__all__ = ["SplitDocument", "check_metrics", "split_counts", "split_documents"]


def split_counts(metric: Metric, document: SplitDocument) -> list[float] | None:
    """Count a metric that scores split antecedents; None for others.

    >>> from corefkit import METRICS
    >>> entities = ["ab", "cd", "e", "fg"]
    >>> document = SplitDocument(entities, entities, {3: [0, 1]}, {3: [0, 1, 2]})
    >>> [round(count, 4) for count in split_counts(METRICS["muc"], document)]
    [4.0, 4.0, 3.6667, 4.0]
    """
    if metric.split is None or isinstance(metric.split, str):
        return None
    counts: list[float] = metric.split(document)[0].tolist()
    return counts


def check_metrics(metrics: Iterable[Metric]) -> None:
    """Refuse metrics for which it is not defined how split antecedents count.

    A metric of a user's own is one of these, whatever its name.

    >>> from corefkit import METRICS
    >>> check_metrics([METRICS["muc"], METRICS["mentions"]])
    >>> check_metrics([METRICS["ceaf_phi1"]])
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: 'ceaf_phi1' does not score split antecedents: \
how they count there is not defined
    <BLANKLINE>
    hint: muc, b_cubed, ceaf_m, ceaf_e, blanc, lea do; mentions, mor, \
bridging_anaphora, bridging_mentions, bridging_entities, non_referring need not; for \
others there is --split ignore
    """
    for metric in metrics:
        if isinstance(metric.split, str):
            message = f"{quoted(metric.name)} does not score split antecedents: "
            scored = [known.name for known in known_metrics() if callable(known.split)]
            untouched = [known.name for known in known_metrics() if known.split is None]
            hint = (
                f"{', '.join(scored)} do; {', '.join(untouched)} need not; for others "
                "there is --split ignore"
            )
            raise SettingsError(message + metric.split, hint=hint)
