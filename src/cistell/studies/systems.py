"""Systems of the studies: a setting is a corpus, and the systems that are run on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
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
from cistell.paper.memory import learn_ib1
from cistell.paper.models import LINKINGS, Linking, make_resolution
from cistell.paper.pairs import Sampling, decide_pairs
from cistell.paper.system import PairModel, resolve_by_baseline, train
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
from cistell.trees import TreeParser

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence
    from pathlib import Path

    from cistell.mentions.profiles import Context
    from cistell.paper.memory import Classifier, Instances
    from corefkit import Comparison, Document

# The metrics of the paper, and LEA.
METRICS = ("muc", "b_cubed", "ceaf_m", "lea")
BASELINES = {
    "all_singletons": "ALL SINGLETONS",
    "head_match": "HEAD MATCH",
    "head_match_pron": "HEAD MATCH + PRON",
}
FOUR = ("STRONG", "SUPER STRONG", "BEST", "WEAK")
SEVEN = (*BASELINES.values(), *FOUR)
_MODERN = {
    "STRONG, logistic": LINKINGS["strong"],
    "BEST, logistic": LINKINGS["best"],
    "BEST without check, logistic": replace(LINKINGS["best"], check="none"),
}
_HELD_OUT = 10  # one training text of so many is held out to choose thresholds
_THRESHOLDS = 12


@dataclass(frozen=True, slots=True)
class Variant:
    """Another training on the corpus of a setting."""

    title: str  # the difference
    without: Sequence[str] = ()  # features, or groups of them
    train_share: float = 1.0
    entity_types: str = ""


_ALL = Variant("")  # no difference


@dataclass(frozen=True, slots=True)
class StudySetting:
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
    """Options of a study, as in `cistell study --help`.

    `note` is called with limitations of the results.
    """

    data: Path
    words: int = 300
    seed: int = 0
    parser: str = ""
    lexicon: Path | None = None
    wordnet: str | None = None
    responses: Path | None = None
    note: Callable[[str], None] = lambda _: None
    progress: Callable[[str], None] = lambda _: None

    def load_lexicon(self, language: str) -> Lexicon:
        """Load the word lists of a language."""
        return load_lexicon(language, folder=self.lexicon, wordnet=self.wordnet)


class CachedParser(TreeParser):
    """A parser that parses equal sentences once, because settings share texts."""

    def __init__(self, parser: TreeParser) -> None:
        self._parser = parser
        self._rows: dict[tuple[str, ...], list[list[str]]] = {}

    def iter_sentences(self, text: str) -> Iterator[str]:
        """Yield the parsed sentences of a text."""
        return self._parser.iter_sentences(text)

    def parse_words(self, words: Sequence[str]) -> list[list[str]]:
        """Return the rows of CoNLL-U of the words of a sentence."""
        if (key := tuple(words)) not in self._rows:
            self._rows[key] = self._parser.parse_words(words)
        return self._rows[key]


@dataclass(frozen=True)
class SettingRun:
    """A setting, its documents, and the responses and scores of its systems.

    `changes` counts the test mentions that were dropped or added, by reason; `features`
    are sorted by gain ratio, the best first.
    """

    setting: StudySetting
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
    setting: StudySetting,
    part: str,
    options: StudyOptions,
    parser: TreeParser | None = None,
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


def run_setting(
    setting: StudySetting, options: StudyOptions, parser: TreeParser | None = None
) -> SettingRun:
    """Train and resolve by all systems of a setting, and compare them."""
    options.progress(f"{setting.title}: reading the corpus")
    parser = parser if setting.is_parsed else None
    training = prepare(setting, "train", options, parser)
    test = prepare(setting, "test", options, parser)
    lexicon = options.load_lexicon(CORPORA[setting.corpus].language)
    trainer = Trainer(training.documents, lexicon, options)
    options.progress(f"{setting.title}: training and resolving")
    responses = resolve_by_rules(test.documents, make_context(lexicon, "names"))
    model = trainer.train()
    threshold = trainer.choose_threshold()
    linkings = {
        "STRONG": LINKINGS["strong"],
        # Footnote 7: the closest mentions come first.
        "STRONG, backwards": replace(LINKINGS["strong"], search="closest"),
        # The threshold of the paper was chosen on its data.
        "SUPER STRONG < 0.09": LINKINGS["super_strong"],
        "SUPER STRONG": replace(LINKINGS["super_strong"], threshold=threshold),
        "BEST": LINKINGS["best"],
        "WEAK": LINKINGS["weak"],
    }
    responses |= resolve_by_pairs(model, test.documents, linkings)
    if setting.has_modern:
        modern = trainer.train(learn=partial(learn_logistic, seed=options.seed))
        responses |= resolve_by_pairs(modern, test.documents, _MODERN)
    for variant in setting.variants:
        options.progress(f"{setting.title}: {variant.title}")
        resolved = resolve_by_pairs(
            trainer.train(variant),
            test.documents,
            {name: linkings[name] for name in FOUR},
        )
        responses |= {f"{name}, {variant.title}": resolved[name] for name in FOUR}
    options.progress(f"{setting.title}: comparing {len(responses)} systems")
    compare = partial(compare_systems, test.documents, seed=options.seed)
    seven = {name: responses[name] for name in SEVEN}
    weights = model.classifier.weights
    return SettingRun(
        setting,
        test.documents,
        test.changes,
        responses,
        compare(responses),
        compare(seven, metrics=METRICS[:3], samples=10_000),
        sorted(weights, key=lambda name: (-weights[name], name)),
        threshold,
    )


def compare_systems(
    key: Sequence[Document],
    responses: dict[str, list[Document]],
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = 1000,
    **options: Any,
) -> Comparison:
    """Compare responses; a text is drawn with all its parts."""
    return corefkit.compare(
        key,
        responses,
        metrics=metrics,
        units={document.id: get_text_name(document) for document in key},
        samples=samples,
        interval="percentile",
        **options,
    )


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
    responses["SIEVE"] = [
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


@dataclass(frozen=True, slots=True)
class Trainer:
    """The training documents of a setting."""

    documents: list[Document]
    lexicon: Lexicon
    options: StudyOptions

    def train(
        self,
        variant: Variant = _ALL,
        *,
        texts: Container[str] | None = None,
        learn: Callable[[Instances], Classifier] = learn_ib1,
    ) -> PairModel:
        """Train on a variant, by default on all its texts."""
        share = variant.train_share
        if texts is None:
            # A share is spread over the corpus and its genres.
            texts = {
                text
                for i, text in enumerate(self._texts)
                if int((i + 1) * share) > int(i * share)
            }
        return train(
            [d for d in self.documents if get_text_name(d) in texts],
            make_context(self.lexicon, variant.entity_types or "names"),
            features=choose_usable_features(
                self.lexicon, without=variant.without, note=self.options.note
            ),
            sampling=Sampling(seed=self.options.seed),
            learn=learn,
        )

    @property
    def _texts(self) -> list[str]:
        return list(dict.fromkeys(map(get_text_name, self.documents)))

    def choose_threshold(self) -> float:
        """Choose the threshold of SUPER STRONG on training texts that are held out.

        Each candidate accepts another twelfth of the positive decisions; the best mean
        F1 of the three metrics of the paper wins, of equals the largest threshold.
        """
        held_out = {*self._texts[::_HELD_OUT]}
        tuning = [d for d in self.documents if get_text_name(d) in held_out]
        model = self.train(texts={*self._texts} - held_out)
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
