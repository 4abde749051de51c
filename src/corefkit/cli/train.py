"""`corefkit train FILE... -o MODEL`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.cistell.languages import LANGUAGES
from corefkit.cistell.learners import LEARNERS
from corefkit.cistell.modelfile import save_model
from corefkit.cistell.models import LINKINGS
from corefkit.cistell.profiles import TYPED
from corefkit.cistell.training import (
    SCHEMES,
    Sampling,
    train,
    training_pairs,
    usable_features,
)
from corefkit.cistell.tuning import ablated, picked_thresholds, ranked
from corefkit.cli import Line, cistell, note, tell
from corefkit.cli.options import add_format_option, add_names, add_number, names_given
from corefkit.exceptions import SettingsError
from corefkit.formats.placing import check_place
from corefkit.report.grids import Grid, Spacing, cells, columns
from corefkit.report.terminal import terminal_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from corefkit.cistell.features.base import Feature
    from corefkit.cistell.modelfile import Model
    from corefkit.cistell.profiles import Context
    from corefkit.cistell.tuning import Rank
    from corefkit.model import Document

_FOLD = 5  # every fifth document is held out, if no others are given

HELP = """Train the resolver on annotated documents with tags and trees (CoNLL-U).

A classifier learns from pairs of mentions whether they are coreferent. The model is one
file, for `corefkit resolve`. With --tagger, it can find mentions in texts that have
none. With --heldout, thresholds of certainty are picked on other documents.

--rank-features prints how informative each feature is by itself (gain ratio), and how
much F1 on held-out pairs falls without it; -o can then be left out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    cistell.add_files(parser, "train on")
    parser.add_argument("-o", "--output", metavar="MODEL", help="model file to write")
    parser.add_argument(
        "--language",
        choices=tuple(LANGUAGES),
        default="en",
        help="language, which decides the features (default: en)",
    )
    parser.add_argument(
        "--learner",
        choices=tuple(LEARNERS),
        default="timbl",
        help="; ".join(f"{row.name}: {row.about}" for row in LEARNERS.values())
        + " (default: timbl)",
    )
    parser.add_argument(
        "--heldout",
        metavar="FILE",
        action="append",
        help="file or folder to pick thresholds and rank features on; repeat it for "
        "more",
    )
    parser.add_argument(
        "--tagger", action="store_true", help="also train a tagger of mentions"
    )
    parser.add_argument(
        "--rank-features",
        action="store_true",
        help="print how much each feature contributes",
    )
    _add_pair_options(parser)
    cistell.add_lexicon_options(parser)
    add_format_option(parser)


def _add_pair_options(parser: argparse.ArgumentParser) -> None:
    default = Sampling()
    group = parser.add_argument_group("pairs to learn from")
    group.add_argument(
        "--pairs",
        choices=tuple(SCHEMES),
        default=default.scheme,
        help="every: some pairs of every mention; soon: the closest antecedent and the "
        "mentions between; ng-cardie: the same, nouns with nouns (default: every)",
    )
    most = "at most so many {} of a mention, with `every`"
    add_number(group, "--positives", default.positives, most.format("antecedents"))
    group.add_argument(
        "--negatives",
        type=int,
        metavar="N",
        help=f"{most.format('other mentions')} (default: {default.negatives}; "
        f"{LEARNERS['boosting'].negatives} for boosting)",
    )
    for name, what, usual in (
        ("features", "use, and no others", "all"),
        ("without", "leave out", "none"),
    ):
        add_names(group, f"--{name}", f"features or groups to {what}", default=usual)
    group.add_argument(
        "--entity-types",
        choices=TYPED,
        default=TYPED[0],
        help="mentions whose entity types are used (default: names)",
    )
    add_number(group, "--seed", 0, "random seed")


def run(arguments: argparse.Namespace) -> int:
    """Train, write the model, and print the ranking if asked to."""
    files = cistell.files_given(arguments)
    if arguments.output is None and not arguments.rank_features:
        message = "a file for the model is needed"
        raise SettingsError(message, hint="name it with -o MODEL")
    if arguments.output is not None:
        check_place(arguments.output)
    context = cistell.context_given(
        arguments, arguments.language, arguments.entity_types
    )
    features = usable_features(
        context.lexicon,
        only=names_given(arguments.features, "--features"),
        without=names_given(arguments.without, "--without") or (),
        note=note,
    )
    documents = list(cistell.with_words(files, arguments.format))
    heldout = list(cistell.with_words(arguments.heldout or (), arguments.format))
    sampling = _sampling(arguments)
    if arguments.rank_features:
        _print_ranks(arguments, documents, heldout, features, context, sampling)
    if arguments.output is not None:
        with Line() as line:
            model = train(
                documents,
                context=context,
                features=features,
                learner=arguments.learner,
                sampling=sampling,
                tagger=arguments.tagger,
                note=note,
                progress=line.share("looking at mentions"),
            )
        if heldout:
            model = _tuned(model, heldout, features, context)
        save_model(model, arguments.output)
        tell(f"written: {arguments.output}, {_summary(model)}")
    return 0


def _sampling(arguments: argparse.Namespace) -> Sampling:
    negatives = arguments.negatives
    if negatives is None:
        negatives = LEARNERS[arguments.learner].negatives
    return Sampling(arguments.pairs, arguments.positives, negatives, arguments.seed)


def _tuned(
    model: Model,
    heldout: Sequence[Document],
    features: Sequence[Feature],
    context: Context,
) -> Model:
    """Pick the threshold of each linking model."""
    thresholds = picked_thresholds(
        heldout, LINKINGS, model.classifier, features=features, context=context
    )
    return replace(model, training={**model.training, "thresholds": thresholds})


def _summary(model: Model) -> str:
    training = model.training
    return (
        f"{model.learner} trained on {training['documents']:,} documents, "
        f"{training['pairs']:,} pairs, {training['coreferent_pairs']:,} of them "
        f"coreferent, {len(model.columns)} features"
    )


def _print_ranks(
    arguments: argparse.Namespace,
    documents: Sequence[Document],
    heldout: Sequence[Document],
    features: Sequence[Feature],
    context: Context,
    sampling: Sampling,
) -> None:
    if not heldout and len(documents) > 1:
        heldout = documents[::_FOLD]
        documents = [
            document for number, document in enumerate(documents) if number % _FOLD
        ]
    pairs = training_pairs(documents, features, context, sampling=sampling)
    whole = None
    if not heldout:
        ranks = ranked(pairs)
    else:
        judged = training_pairs(heldout, features, context, sampling=sampling)
        with Line() as line:
            whole, ranks = ablated(
                pairs,
                judged,
                learner=arguments.learner,
                seed=sampling.seed,
                progress=line.share("leaving out features"),
            )
    print(terminal_text([_grid(ranks, features)]))
    if whole is not None:
        print(
            f"\nF1 of {len(judged.positive):,} held-out pairs with all features: "
            f"{100 * whole:.2f}"
        )


def _grid(ranks: Sequence[Rank], features: Sequence[Feature]) -> Grid:
    groups = {feature.name: feature.group for feature in features}
    rows = [
        (
            rank.feature,
            str(number),
            groups[rank.feature],
            f"{rank.gain_ratio:.4f}",
            "-" if rank.loss is None else f"{100 * rank.loss:+.2f}",
        )
        for number, rank in enumerate(ranks, 1)
    ]
    heads = columns(["Feature", "Rank", "Group", "Gain ratio", "F1 lost without it"])
    return Grid(heads, cells(rows), spacing=Spacing(marks=1))
