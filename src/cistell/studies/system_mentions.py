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
from cistell.paper.features import choose_usable_features
from cistell.paper.memory import learn_ib1
from cistell.paper.models import LINKINGS, Linking
from cistell.paper.pairs import Sampling, encode_training_pairs
from cistell.paper.system import PairModel
from cistell.studies.claims import (
    FAILS,
    HOLDS,
    NOISE,
    SMALL_POINTS,
    Difference,
    Finding,
    get_difference,
    judge_differences,
    list_findings,
)
from cistell.studies.systems import (
    Setting,
    StudyOptions,
    compare_systems,
    prepare,
    resolve_by_pairs,
)
from cistell.taggers import find_candidates, learn_filter, tag_mentions
from corefkit import Document, Entity, Mention
from corefkit.metrics.registry import get_label
from corefkit.tables.model import (
    Heading,
    Page,
    Paragraph,
    Range,
    Ranges,
    Table,
    make_columns,
    make_rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cistell.mentions.profiles import Context
    from cistell.paper.memory import Classifier, Instances
    from corefkit import Comparison
    from corefkit.tables.model import Part

VARIANTS = (
    *("muc", "b_cubed_sys", "b_cubed_0", "b_cubed_all", "b_cubed_rn"),
    *("ceaf_m_sys", "ceaf_m", "ceaf_m_rn"),
)
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


class Recipe(NamedTuple):
    """The training pairs, the learner and the linking model of a system."""

    scheme: str
    learn: Callable[[Instances], Classifier]
    linking: Linking


# Soon et al. link to the closest mention that is coreferent.
RECIPES = {
    "Soon": Recipe("soon", learn_tree, Linking("closest", check="none")),
    "BEST": Recipe("every", learn_ib1, LINKINGS["best"]),
}


class FoundMentions(NamedTuple):
    """Mentions of a tagger for each document: annotated ones, and others at random."""

    twins: list[list[Mention]]
    twinless: list[list[Mention]]

    def select(self, share: float) -> list[list[Mention]]:
        """Return all twins, and a share of the twinless mentions."""
        return [
            twins + twinless[: round(share * len(twinless))]
            for twins, twinless in zip(self.twins, self.twinless, strict=True)
        ]

    @property
    def counts(self) -> tuple[int, int]:
        """The number of twins and of twinless mentions."""
        return sum(map(len, self.twins)), sum(map(len, self.twinless))


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
    ordered = sorted(mentions, key=lambda m: (m.start, -m.end))
    for number, mention in enumerate(ordered):
        entities.setdefault(entity_of.get(mention, f"new-{number}"), []).append(mention)
    return replace(
        document,
        entities=tuple(Entity(id, tuple(row)) for id, row in entities.items()),
        bridges=(),
    )


def resolve_found(
    recipe: Recipe,
    train: Sequence[Document],
    train_mentions: Sequence[Sequence[Mention]],
    test: Sequence[Document],
    test_mentions: Sequence[Sequence[Mention]],
    context: Context,
    options: StudyOptions,
) -> list[Document]:
    """Train a system on found mentions, and resolve found mentions."""
    annotated = list(map(annotate, train, train_mentions))
    instances = encode_training_pairs(
        annotated,
        choose_usable_features(context.lexicon, note=options.note),
        context,
        sampling=Sampling(scheme=recipe.scheme, seed=options.seed),
    )
    model = PairModel(instances.columns, recipe.learn(instances), context)
    tagged = map(tag_mentions, test, (sorted(m, key=_order) for m in test_mentions))
    return resolve_by_pairs(model, tagged, {"": recipe.linking})[""]


def _order(mention: Mention) -> tuple[int, int]:
    return mention.start, -mention.end


def run_taggers(options: StudyOptions) -> Page:
    """Run the study, and return its page."""
    setting = Setting("GUM", "gum", "nominal")
    options.note("reading the corpus")
    train = prepare(setting, "train", options, None).documents
    test = prepare(setting, "test", options, None).documents
    # A tagger knows no entity types.
    context = make_context(options.load_lexicon("en"), "none")
    options.note("finding mentions")
    mention_filter = learn_filter(train, seed=options.seed)
    taggers = {"SM1": find_candidates, "SM2": mention_filter.find_mentions}
    found = {
        name: [
            match_mentions(part, tagger, seed=options.seed) for part in (train, test)
        ]
        for name, tagger in taggers.items()
    }

    def resolve(system: str, tagger: str, share: float = 1.0) -> list[Document]:
        options.note(f"{system} on {tagger}, {share:.0%} of the twinless mentions")
        in_train, in_test = (mentions.select(share) for mentions in found[tagger])
        return resolve_found(
            RECIPES[system], train, in_train, test, in_test, context, options
        )

    responses = {
        f"{system} ({tagger})": resolve(system, tagger)
        for system, tagger in (("Soon", "SM1"), ("Soon", "SM2"), ("BEST", "SM2"))
    }
    steps = {share: resolve("Soon", "SM1", share) for share in SHARES[:-1]}
    steps[1.0] = responses["Soon (SM1)"]
    options.note("comparing")
    return Page(
        "Taggers: a study rerun",
        (
            Paragraph(
                "Cai and Strube (2010, section 3) compare variants of B³ and CEAF on "
                "the output of mention taggers, with ACE 2004 and BART. Here the "
                "corpus is GUM, and both systems are those of cistell. The tests are "
                "paired t-tests over documents, as in the paper."
            ),
        ),
        (
            Heading(2, "Which claims of the paper hold", "claims"),
            list_findings(_judge_claims(test, responses, steps, seed=options.seed)),
            *_iter_tables(test, responses, found, seed=options.seed),
            *_iter_curve(test, steps),
        ),
        "cistell study taggers",
    )


def _judge_claims(
    key: Sequence[Document],
    responses: dict[str, list[Document]],
    steps: dict[float, list[Document]],
    *,
    seed: int,
) -> list[Finding]:
    ends = {"0 %": steps[0.0], "100 %": steps[1.0]}
    by_share = compare_systems(key, ends, metrics=VARIANTS, seed=seed)
    taggers = {name: responses[name] for name in ("Soon (SM2)", "Soon (SM1)")}
    by_tagger = compare_systems(key, taggers, metrics=VARIANTS, seed=seed)
    rises = {m: get_difference(by_share, m, "0 %", "100 %") for m in VARIANTS}
    gains = {m: get_difference(by_tagger, m, *taggers) for m in VARIANTS}

    def show(differences: dict[str, Difference], *metrics: str) -> tuple[str, ...]:
        return tuple(f"{get_label(m)}: {differences[m]}" for m in metrics)

    adequate = ("muc", "b_cubed_sys", "ceaf_m_sys")
    constant = abs(rises["b_cubed_0"].value) < SMALL_POINTS
    equal = gains["b_cubed_all"].verdict == NOISE
    tendencies = {gains[metric].verdict for metric in adequate}
    tendency = NOISE if NOISE in tendencies else FAILS
    return [
        judge_differences(
            "without twinless mentions MUC, B³sys and CEAFsys are higher",
            "section 3.2",
            "",
            {get_label(metric): rises[metric] for metric in adequate},
        ),
        Finding(
            "B³0 is almost constant",
            "section 3.2",
            "",
            HOLDS if constant else FAILS,
            show(rises, "b_cubed_0", "b_cubed_sys"),
        ),
        Finding(
            "CEAF reacts more to twinless mentions than CEAFsys",
            "section 3.2",
            "",
            HOLDS if rises["ceaf_m"].low > rises["ceaf_m_sys"].high else NOISE,
            show(rises, "ceaf_m", "ceaf_m_sys"),
        ),
        Finding(
            "MUC, B³sys and CEAFsys have the same tendency between taggers",
            "section 3.3.1",
            "",
            HOLDS if len(tendencies - {NOISE}) == len(tendencies) == 1 else tendency,
            show(gains, *adequate),
        ),
        Finding(
            "B³all does not distinguish the taggers",
            "section 3.3.1",
            "",
            HOLDS if equal else FAILS,
            show(gains, "b_cubed_all", "b_cubed_sys"),
        ),
    ]


def _iter_tables(
    key: Sequence[Document],
    responses: dict[str, list[Document]],
    found: dict[str, list[FoundMentions]],
    *,
    seed: int,
) -> Iterator[Part]:
    annotated = sum(len(entity) for document in key for entity in document)
    yield Heading(2, "Mention taggers (Table 7)", "taggers")
    rows = []
    for name, parts in found.items():
        for part, mentions in zip(("training", "test"), parts, strict=True):
            twins, others = mentions.counts
            share = f"{100 * twins / (twins + others):.1f} %"
            rows.append((name, part, f"{twins + others:,}", f"{twins:,}", share))
    heads = ["Tagger", "Part", "Mentions", "Twins", "Precision"]
    yield Table(make_columns(heads, words=2), make_rows(rows))
    yield Paragraph(f"{annotated:,} mentions of the test part are annotated.")
    comparison = compare_systems(key, responses, metrics=VARIANTS, seed=seed, test="t")
    for title, systems, metrics in (
        (
            "One system, two taggers (Tables 8-10)",
            ("Soon (SM1)", "Soon (SM2)"),
            VARIANTS,
        ),
        (
            "Two systems, two variants (Table 11)",
            ("Soon (SM2)", "BEST (SM2)"),
            ("b_cubed_sys", "b_cubed_0"),
        ),
    ):
        yield Heading(2, title, f"table-{systems[-1][:4].lower()}")
        yield _make_score_table(key, responses, systems, metrics, comparison)


def _make_score_table(
    key: Sequence[Document],
    responses: dict[str, list[Document]],
    systems: Sequence[str],
    metrics: Sequence[str],
    comparison: Comparison,
) -> Table:
    scores = {
        name: corefkit.score(key, responses[name], metrics=metrics) for name in systems
    }
    rows = []
    for metric in metrics:
        pair = next(
            pair for pair in comparison[metric].pairs if {pair.a, pair.b} == {*systems}
        )
        for number, name in enumerate(systems):
            score = scores[name][metric]
            numbers = (score.recall, score.precision, score.f1)
            p = f"{pair.p_adjusted:.4f}" if pair.p_adjusted >= 0.0001 else "< 0.0001"
            label = "" if number else get_label(metric)
            cells = (f"{100 * value:.1f}" for value in numbers)
            rows.append((label, name, *cells, "" if number else p))
    heads = ["Metric", "System", "R", "P", "F1", "p (t-test)"]
    return Table(make_columns(heads, words=2), make_rows(rows))


def _iter_curve(
    key: Sequence[Document], steps: dict[float, list[Document]]
) -> Iterator[Part]:
    scores = {
        share: corefkit.score(key, steps[share], metrics=VARIANTS) for share in SHARES
    }
    yield Heading(2, "Twinless mentions from 0 to 100 % (Figures 1 and 2)", "twinless")
    yield Paragraph(
        "Soon on SM1, trained and resolved again with a share of the twinless "
        "mentions; F1 in percent."
    )
    labels = [get_label(metric).partition(" (")[0] for metric in VARIANTS]
    rows = [
        (f"{share:.0%}", *(f"{100 * scores[share][m].f1:.1f}" for m in VARIANTS))
        for share in SHARES
    ]
    yield Table(make_columns(["Twinless", *labels]), make_rows(rows))
    for title, metrics in (
        ("Variants of B³", VARIANTS[1:4]),
        ("Variants of CEAF", VARIANTS[5:]),
    ):
        ranges = tuple(
            (
                f"{share:.0%}",
                tuple(
                    Range(series, 100 * scores[share][metric].f1)
                    for series, metric in enumerate(metrics)
                ),
            )
            for share in SHARES
        )
        yield Ranges(title, ranges, tuple(map(get_label, metrics)))
