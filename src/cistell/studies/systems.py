"""Systems of the studies: a setting is a corpus, and the systems that are run on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

import corefkit
from cistell.learners import learn_logistic
from cistell.mentions.lexicon import Lexicon, load_lexicon
from cistell.mentions.profiles import (
    list_annotated,
    make_annotated_table,
    make_context,
    make_table,
)
from cistell.paper.features import choose_usable_features
from cistell.paper.memory import compute_gain_ratios, learn_ib1
from cistell.paper.models import LINKINGS, Linking, make_resolution
from cistell.paper.pairs import Sampling, decide_pairs, encode_training_pairs
from cistell.paper.system import PairModel, resolve_by_baseline
from cistell.sieve import resolve_by_sieve
from cistell.studies.corpora import (
    CORPORA,
    Mapped,
    add_types,
    get_text_name,
    map_scheme,
    parse_documents,
    read_constituents,
    read_corpus,
    split_documents,
)
from cistell.trees import TreeParser, load_parser

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from cistell.mentions.profiles import Context
    from cistell.paper.memory import Instances
    from corefkit import Comparison, Document

# The metrics of the paper, and LEA.
METRICS = ("muc", "b_cubed", "ceaf_m", "lea")
BASELINES = {
    "all_singletons": "ALL SINGLETONS",
    "head_match": "HEAD MATCH",
    "head_match_pron": "HEAD MATCH + PRON",
}
SIEVE = "SIEVE"
FOUR = ("STRONG", "SUPER STRONG", "BEST", "WEAK")
SEVEN = (*BASELINES.values(), *FOUR)
# SUPER STRONG with the threshold of the paper, which was chosen on its data.
LITERAL = "SUPER STRONG < 0.09"
_MODERN = {
    "STRONG, logistic": LINKINGS["strong"],
    "BEST, logistic": LINKINGS["best"],
    "BEST without check, logistic": replace(LINKINGS["best"], check="none"),
}
_SAMPLES = 1000
_HELD_OUT = 10  # one training text of so many is held out to choose thresholds
_THRESHOLDS = 12


@dataclass(frozen=True, slots=True)
class Variant:
    """Another training on the corpus of a setting."""

    title: str  # the difference
    without: Sequence[str] = ()  # features, or groups of them
    train_share: float = 1.0
    entity_types: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A corpus in an annotation scheme, with gold or automatic trees.

    `paper` is the table of the paper with the most similar setting; with `keeps_all`,
    mentions without a node in an automatic tree are kept.
    """

    title: str
    corpus: str
    scheme: str = "as-annotated"
    is_parsed: bool = False
    keeps_all: bool = False
    paper: str = ""
    variants: tuple[Variant, ...] = ()
    has_modern: bool = True  # whether to run better learners, too


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """Options of a study, as in `cistell study --help`."""

    data: Path
    words: int = 300
    seed: int = 0
    parser: str = ""
    lexicon: Path | None = None
    wordnet: str | None = None
    responses: Path | None = None
    note: Callable[[str], None] = lambda _: None

    def load_lexicon(self, language: str) -> Lexicon:
        """Load the word lists of a language."""
        return load_lexicon(language, folder=self.lexicon, wordnet=self.wordnet)


@dataclass(frozen=True)
class SettingRun:
    """A setting, its documents, and the responses and scores of its systems.

    `changes` counts the test mentions that were dropped or added, by reason; `features`
    are sorted by gain ratio, the best first.
    """

    setting: Setting
    key: list[Document]
    changes: Counter[str]
    responses: dict[str, list[Document]]
    comparison: Comparison
    seven: Comparison  # of the seven models alone, with more samples
    features: list[str]
    threshold: float

    def count_links(self, system: str) -> int:
        """Return the number of links of a response: mentions less entities."""
        return sum(len(e) - 1 for document in self.responses[system] for e in document)


def prepare(
    setting: Setting, part: str, options: StudyOptions, parser: TreeParser | None
) -> Mapped:
    """Return the documents of a part, mapped, parsed and split."""
    documents = read_corpus(setting.corpus, part, options.data)
    trees = {}
    if setting.scheme == "noun-phrases":
        trees = read_constituents(part, options.data)
    documents, changes = map_scheme(documents, setting.scheme, trees)
    if setting.corpus == "ontogum":
        documents = add_types(documents, read_corpus("gum", part, options.data))
    if parser is not None:
        documents, dropped = parse_documents(
            documents, parser, keep_all=setting.keeps_all
        )
        changes += dropped
    documents, dropped = split_documents(documents, options.words)
    return Mapped(documents, changes + dropped)


def run_setting(setting: Setting, options: StudyOptions) -> SettingRun:
    """Train and resolve by all systems of a setting, and compare them."""
    options.note(f"{setting.title}: reading the corpus")
    parser = load_parser(options.parser) if setting.is_parsed else None
    train = prepare(setting, "train", options, parser)
    test = prepare(setting, "test", options, parser)
    lexicon = options.load_lexicon(CORPORA[setting.corpus].language)
    trainer = Trainer(train.documents, lexicon, options)
    context = make_context(lexicon, "names")
    responses = resolve_by_rules(test.documents, context)
    options.note(f"{setting.title}: training and resolving")
    instances = trainer.encode(Variant(""))
    ratios = compute_gain_ratios(instances)
    threshold = trainer.choose_threshold()
    model = PairModel(instances.columns, learn_ib1(instances), context)
    responses |= resolve_by_pairs(model, test.documents, list_linkings(threshold))
    if setting.has_modern:
        classifier = learn_logistic(instances, seed=options.seed)
        model = PairModel(instances.columns, classifier, context)
        responses |= resolve_by_pairs(model, test.documents, _MODERN)
    for variant in setting.variants:
        options.note(f"{setting.title}: {variant.title}")
        instances = trainer.encode(variant)
        context = make_context(lexicon, variant.entity_types or "names")
        model = PairModel(instances.columns, learn_ib1(instances), context)
        linkings = {
            f"{name}, {variant.title}": linking
            for name, linking in list_linkings(threshold).items()
            if name in FOUR
        }
        responses |= resolve_by_pairs(model, test.documents, linkings)
    options.note(f"{setting.title}: comparing {len(responses)} systems")
    return SettingRun(
        setting,
        test.documents,
        test.changes,
        responses,
        compare_systems(test.documents, responses, seed=options.seed),
        compare_systems(
            test.documents,
            {name: responses[name] for name in SEVEN},
            metrics=METRICS[:3],
            seed=options.seed,
            samples=10_000,
        ),
        sorted(ratios, key=lambda name: (-ratios[name], name)),
        threshold,
    )


def compare_systems(
    key: Sequence[Document],
    responses: dict[str, list[Document]],
    *,
    metrics: Sequence[str] = METRICS,
    seed: int = 0,
    samples: int = _SAMPLES,
    **options: Any,
) -> Comparison:
    """Compare responses; a text is drawn with all its parts."""
    return corefkit.compare(
        key,
        responses,
        metrics=metrics,
        units={document.id: get_text_name(document) for document in key},
        samples=samples,
        seed=seed,
        interval="percentile",
        **options,
    )


def list_linkings(threshold: float) -> dict[str, Linking]:
    """Return the four models of the paper, SUPER STRONG with both thresholds."""
    return {
        "STRONG": LINKINGS["strong"],
        LITERAL: LINKINGS["super_strong"],
        "SUPER STRONG": replace(LINKINGS["super_strong"], threshold=threshold),
        "BEST": LINKINGS["best"],
        "WEAK": LINKINGS["weak"],
    }


def resolve_by_rules(
    documents: Sequence[Document], context: Context
) -> dict[str, list[Document]]:
    """Resolve the mentions of documents by the baselines of the paper and the sieve."""
    responses = {
        label: [
            strip_layers(resolution.document)
            for resolution in resolve_by_baseline(documents, name, context)
        ]
        for name, label in BASELINES.items()
    }
    tables = (make_table(d, list_annotated(d), context) for d in documents)
    responses[SIEVE] = [
        strip_layers(make_resolution(table, resolve_by_sieve(table)).document)
        for table in tables
    ]
    return responses


def resolve_by_pairs(
    model: PairModel, documents: Iterable[Document], linkings: dict[str, Linking]
) -> dict[str, list[Document]]:
    """Resolve the mentions of documents by several linking models."""
    responses: dict[str, list[Document]] = {name: [] for name in linkings}
    for row in model.resolve(documents, linkings):
        for name, resolution in row.items():
            responses[name].append(strip_layers(resolution.document))
    return responses


def strip_layers(document: Document) -> Document:
    """Remove tags and trees, which the key contains."""
    return replace(document, layers={}, comments=())


class Trainer:
    """The training documents of a setting, encoded as pairs on demand."""

    def __init__(
        self, documents: list[Document], lexicon: Lexicon, options: StudyOptions
    ) -> None:
        self._documents, self._lexicon, self._options = documents, lexicon, options
        self._sampling = Sampling(seed=options.seed)

    def encode(
        self, variant: Variant, documents: Sequence[Document] | None = None
    ) -> Instances:
        """Return the training pairs of a variant, by default of all its documents."""
        features = choose_usable_features(
            self._lexicon, without=variant.without, note=self._options.note
        )
        context = make_context(self._lexicon, variant.entity_types or "names")
        chosen = documents or self._select_share(variant.train_share)
        return encode_training_pairs(chosen, features, context, sampling=self._sampling)

    def _select_share(self, share: float) -> list[Document]:
        """Return a share of the texts, spread over the corpus and its genres."""
        texts = list(dict.fromkeys(map(get_text_name, self._documents)))
        selected = {
            text
            for i, text in enumerate(texts)
            if int((i + 1) * share) > int(i * share)
        }
        return [d for d in self._documents if get_text_name(d) in selected]

    def choose_threshold(self) -> float:
        """Choose the threshold of SUPER STRONG on training texts that are held out.

        Each candidate accepts another twelfth of the positive decisions; the best mean
        F1 of the three metrics of the paper wins, of equals the largest threshold.
        """
        texts = list(dict.fromkeys(map(get_text_name, self._documents)))
        held_out = set(texts[::_HELD_OUT])
        tuning = [d for d in self._documents if get_text_name(d) in held_out]
        training = [d for d in self._documents if get_text_name(d) not in held_out]
        instances = self.encode(Variant(""), training)
        context = make_context(self._lexicon, "names")
        model = PairModel(instances.columns, learn_ib1(instances), context)
        linkings = {
            str(threshold): Linking("first", threshold=threshold)
            for threshold in _list_thresholds(model, tuning)
        }
        responses = resolve_by_pairs(model, tuning, linkings)

        def rate(name: str) -> tuple[float, float]:
            scores = corefkit.score(tuning, responses[name], metrics=METRICS[:3])
            return sum(scores[metric].f1 for metric in METRICS[:3]), float(name)

        return float(max(linkings, key=rate))


def _list_thresholds(model: PairModel, documents: Iterable[Document]) -> list[float]:
    tables = (make_annotated_table(d, model.context)[0] for d in documents)
    blocks = decide_pairs(tables, model.features, model.classifier)
    decisions = (block.decisions for block in blocks)
    distances = [np.zeros(1), *(d.distance[d.positive] for d in decisions)]
    shares = np.linspace(1 / _THRESHOLDS, 1, _THRESHOLDS)
    # Slightly above, because decisions are accepted below the threshold.
    quantiles = np.quantile(np.concatenate(distances), shares) + 1e-9
    thresholds: list[float] = np.unique(quantiles).tolist()
    return thresholds
