"""System mentions: Cai and Strube (2010), section 3.

Two mention taggers, of which SM1 has the higher recall and SM2 the higher precision,
and two systems: that of Soon et al. (2001), with a decision tree, and BEST of Recasens
and Hovy (2010), with memory-based learning. Systems are trained on the mentions of
their tagger. Twinless mentions are those that the other side does not have.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import corefkit
from cistell.learners import learn_tree
from cistell.mentions.profiles import make_context
from cistell.paper.memory import learn_ib1
from cistell.paper.models import LINKINGS, Linking
from cistell.paper.pairs import Sampling
from cistell.paper.system import train as train_pairs
from cistell.studies.claims import (
    FAILS,
    HOLDS,
    NOISE,
    SMALL_POINTS,
    JudgedClaim,
    chart_scores,
    find_decisive,
    get_difference,
    get_scores,
    label_metric,
    list_differences,
    present_claims,
)
from cistell.studies.systems import compare_systems, prepare, resolve_by_pairs
from cistell.taggers import find_candidates, learn_filter, tag_mentions
from corefkit import Document, Entity, Mention
from corefkit.analysis.compare.comparison_text import format_p
from corefkit.metrics.registry import get_label
from corefkit.tables.model import Heading, Paragraph, Table, make_columns, make_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cistell.paper.memory import Classifier, Instances
    from cistell.studies.systems import StudyOptions, StudySetting
    from corefkit import Comparison
    from corefkit.tables.model import Part

VARIANTS = (
    *("muc", "b_cubed_sys", "b_cubed_0", "b_cubed_all", "b_cubed_rn"),
    *("ceaf_m_sys", "ceaf_m", "ceaf_m_rn"),
)
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


# The training pairs, the learner and the linking model of each system. Soon et al. link
# to the closest mention that is coreferent.
RECIPES: Mapping[str, tuple[str, Callable[[Instances], Classifier], Linking]] = {
    "Soon": ("soon", learn_tree, Linking("closest", check="none")),
    "BEST": ("every", learn_ib1, LINKINGS["best"]),
}


class FoundMentions(NamedTuple):
    """Mentions of a tagger for each document: annotated ones, and others at random."""

    twins: list[list[Mention]]
    twinless: list[list[Mention]]

    def select(self, share: float) -> list[list[Mention]]:
        """Return all twins, and a share of the twinless mentions, in text order."""
        return [
            sorted(
                twins + twinless[: round(share * len(twinless))],
                key=lambda mention: (mention.start, -mention.end),
            )
            for twins, twinless in zip(self.twins, self.twinless, strict=True)
        ]


def match_mentions(
    documents: Sequence[Document],
    tagger: Callable[[Document], list[Mention]],
    *,
    seed: int = 0,
) -> FoundMentions:
    """Find mentions, and match them with the annotated ones."""
    random = Random(seed)
    matched = FoundMentions([], [])
    for document in documents:
        annotated = {mention for entity in document for mention in entity}
        mentions = tagger(document)
        others = [mention for mention in mentions if mention not in annotated]
        random.shuffle(others)
        matched.twins.append([m for m in mentions if m in annotated])
        matched.twinless.append(others)
    return matched


def annotate(document: Document, mentions: Sequence[Mention]) -> Document:
    """Return a document with these mentions, in the entities that it annotates."""
    entity_of = {m: entity.id for entity in document for m in entity}
    entities: dict[str, list[Mention]] = {}
    for number, mention in enumerate(mentions):
        entities.setdefault(entity_of.get(mention, f"new-{number}"), []).append(mention)
    rows = tuple(Entity(id, tuple(row)) for id, row in entities.items())
    return replace(document, entities=rows, bridges=())


def run_taggers(setting: StudySetting, options: StudyOptions) -> Iterator[Part]:
    """Run the study, and yield the parts of its page."""
    options.progress("reading the corpus")
    train, test = (prepare(setting, part, options)[0] for part in ("train", "test"))
    # A tagger knows no entity types.
    context = make_context(options.load_lexicon("en"), "none")
    options.progress("finding mentions")
    mention_filter = learn_filter(train, seed=options.seed)
    taggers = {"SM1": find_candidates, "SM2": mention_filter.find_mentions}
    found = {
        name: [
            match_mentions(part, tagger, seed=options.seed) for part in (train, test)
        ]
        for name, tagger in taggers.items()
    }

    def resolve(system: str, tagger: str, share: float = 1.0) -> list[Document]:
        options.progress(f"{system} on {tagger}, {share:.0%} of the twinless mentions")
        in_train, in_test = (mentions.select(share) for mentions in found[tagger])
        scheme, learn, linking = RECIPES[system]
        model = train_pairs(
            map(annotate, train, in_train),
            context,
            sampling=Sampling(scheme=scheme, seed=options.seed),
            learn=learn,
            note=options.note,
        )
        tagged = map(tag_mentions, test, in_test)
        return resolve_by_pairs(model, tagged, {"": linking})[""]

    responses = {
        f"{system} ({tagger})": resolve(system, tagger)
        for system, tagger in (("Soon", "SM1"), ("Soon", "SM2"), ("BEST", "SM2"))
    }
    steps = {f"{share:.0%}": resolve("Soon", "SM1", share) for share in SHARES[:-1]}
    steps["100%"] = responses["Soon (SM1)"]
    options.progress("comparing")
    by_share = compare_systems(test, steps, metrics=VARIANTS, seed=options.seed)
    by_system = compare_systems(
        test, responses, metrics=VARIANTS, seed=options.seed, test="t"
    )
    yield from present_claims(_judge_claims(by_share, by_system))
    yield from _iter_tables(test, responses, found, by_system)
    yield from _iter_curve(by_share)


def _judge_claims(by_share: Comparison, by_system: Comparison) -> Iterator[JudgedClaim]:
    rises, gains = (
        {metric: get_difference(comparison, metric, a, b) for metric in VARIANTS}
        for comparison, a, b in (
            (by_share, "0%", "100%"),
            (by_system, "Soon (SM2)", "Soon (SM1)"),
        )
    )

    adequate = ("muc", "b_cubed_sys", "ceaf_m_sys")
    is_constant = abs(rises["b_cubed_0"].value) < SMALL_POINTS
    is_stronger = rises["ceaf_m"].low > rises["ceaf_m_sys"].high
    tendencies = {gains[metric].verdict for metric in adequate}
    is_same = HOLDS if len(tendencies) == 1 else FAILS
    is_blind = gains["b_cubed_all"].verdict == NOISE
    for claim, verdict, differences, metrics in (
        (
            "without twinless mentions MUC, B³sys and CEAFm sys are higher",
            rises[find_decisive({m: rises[m] for m in adequate})].verdict,
            rises,
            adequate,
        ),
        (
            "B³₀ is almost constant",
            HOLDS if is_constant else FAILS,
            rises,
            ("b_cubed_0", "b_cubed_sys"),
        ),
        (
            "CEAFm reacts more to twinless mentions than CEAFm sys",
            HOLDS if is_stronger else NOISE,
            rises,
            ("ceaf_m", "ceaf_m_sys"),
        ),
        (
            "MUC, B³sys and CEAFm sys have the same tendency between taggers",
            NOISE if NOISE in tendencies else is_same,
            gains,
            adequate,
        ),
        (
            "B³all does not distinguish the taggers",
            HOLDS if is_blind else FAILS,
            gains,
            ("b_cubed_all", "b_cubed_sys"),
        ),
    ):
        section, setting = ("section 3.3.1", "SM2 above SM1")
        if differences is rises:
            section, setting = "section 3.2", "without above with twinless mentions"
        lines = list_differences({label_metric(m): differences[m] for m in metrics})
        yield JudgedClaim(claim, section, verdict, lines, setting)


def _iter_tables(
    key: Sequence[Document],
    responses: dict[str, list[Document]],
    found: dict[str, list[FoundMentions]],
    comparison: Comparison,
) -> Iterator[Part]:
    yield Heading(2, "Mention taggers (Table 7)", "taggers")
    rows = []
    for name, parts in found.items():
        for part, mentions in zip(("training", "test"), parts, strict=True):
            twins, others = (sum(map(len, column)) for column in mentions)
            share = f"{100 * twins / (twins + others):.1f} %"
            rows.append((name, part, f"{twins + others:,}", f"{twins:,}", share))
    heads = ["Tagger", "Part", "Mentions", "Twins", "Precision"]
    yield Table(make_columns(heads, words=2), make_rows(rows))
    annotated = sum(len(entity) for document in key for entity in document)
    yield Paragraph(f"{annotated:,} mentions of the test part are annotated.")
    scores = {
        name: corefkit.score(key, response, metrics=VARIANTS)
        for name, response in responses.items()
    }
    heads = ["Metric", "System", "R", "P", "F1", "p (t-test)"]
    taggers, systems = ("Soon (SM1)", "Soon (SM2)"), ("Soon (SM2)", "BEST (SM2)")
    for title, anchor, names, metrics in (
        ("One system, two taggers (Tables 8-10)", "tables-8-10", taggers, VARIANTS),
        ("Two systems, two variants (Table 11)", "table-11", systems, VARIANTS[1:3]),
    ):
        cells: list[tuple[str, ...]] = []
        for metric in metrics:
            pairs = comparison[metric].pairs
            (pair,) = (pair for pair in pairs if {pair.a, pair.b} == {*names})
            for label, name in zip((get_label(metric), ""), names, strict=True):
                score = scores[name][metric]
                numbers = (score.recall, score.precision, score.f1)
                p = format_p(pair.p_adjusted) if label else ""
                cells.append((label, name, *(f"{100 * n:.1f}" for n in numbers), p))
        yield Heading(2, title, anchor)
        yield Table(make_columns(heads, words=2), make_rows(cells))


def _iter_curve(comparison: Comparison) -> Iterator[Part]:
    yield Heading(2, "Twinless mentions from 0 to 100 % (Figures 1 and 2)", "twinless")
    yield Paragraph(
        "Soon on SM1, trained and resolved again with a share of the twinless "
        "mentions; F1 in percent, with 95 % intervals."
    )
    scores = [get_scores(comparison, metric) for metric in VARIANTS]
    rows = [
        (share, *(f"{row[share].value:.1f}" for row in scores))
        for share in comparison.systems
    ]
    heads = ["Twinless", *map(label_metric, VARIANTS)]
    yield Table(make_columns(heads), make_rows(rows))
    yield chart_scores("Variants of B³", comparison, VARIANTS[1:4])
    yield chart_scores("Variants of CEAF", comparison, VARIANTS[5:])
