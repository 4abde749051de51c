"""`corefkit train FILE... -o MODEL`."""

from __future__ import annotations

from argparse import BooleanOptionalAction
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cistell.fitting import recipe_for
from corefkit.cistell.languages import LANGUAGES
from corefkit.cistell.learners import LEARNERS
from corefkit.cistell.profiles import TYPED
from corefkit.cistell.resolver import Resolver
from corefkit.cistell.training import (
    SCHEMES,
    Sampling,
    training_pairs,
    usable_features,
)
from corefkit.cistell.tuning import ablated, ranked
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
    from corefkit.cistell.fitting import Recipe
    from corefkit.cistell.modelfile import Model
    from corefkit.cistell.tuning import Rank
    from corefkit.model import Document

_FOLD = 5  # every fifth document is held out, if no others are given

HELP = """Train the resolver on annotated documents with tags and trees (CoNLL-U).

A classifier learns from pairs of mentions whether they are coreferent, and a tagger
learns to find mentions. The model is one file, for `corefkit resolve`. How sure a
decision must be is picked on documents that are held out: those of --heldout, or a
tenth of FILE, from all of which the model then learns.

What is not said is what scored best; --paper trains as Recasens and Hovy 2010 did.

For raw text, --from-scratch trains everything on the corpus in a folder: what finds
words, tags and trees, mentions and entities. Without -o, the model is kept where
`corefkit resolve` finds it.

--rank-features prints how informative each feature is by itself (gain ratio), and how
much F1 on held-out pairs falls without it; -o can then be left out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    cistell.add_files(parser, "train on")
    parser.add_argument("-o", "--output", metavar="MODEL", help="model file to write")
    _add_ways(parser)
    parser.add_argument(
        "--heldout",
        metavar="FILE",
        action="append",
        help="file or folder to pick thresholds and rank features on; repeat it for "
        "more",
    )
    parser.add_argument(
        "--rank-features",
        action="store_true",
        help="print how much each feature contributes",
    )
    _add_pair_options(parser)
    _add_scratch_options(parser)
    cistell.add_lexicon_options(parser)
    add_format_option(parser)


def _add_ways(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--language",
        choices=tuple(LANGUAGES),
        default="en",
        help="language, which decides the features (default: en)",
    )
    parser.add_argument(
        "--paper",
        action="store_true",
        help="learn and link as the paper does: timbl, few pairs, the best link if its "
        "whole entity agrees, no tagger",
    )
    parser.add_argument(
        "--learner",
        choices=tuple(LEARNERS),
        help="; ".join(f"{row.name}: {row.about}" for row in LEARNERS.values())
        + " (default: boosting, or timbl with --paper)",
    )
    parser.add_argument(
        "--tagger",
        action=BooleanOptionalAction,
        help="also train a tagger of mentions (default: yes, unless --paper)",
    )


def _add_scratch_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("a model of everything, for raw text")
    group.add_argument(
        "--from-scratch",
        type=Path,
        metavar="FOLDER",
        help="train tokenizer, parser, tagger of mentions and linker on the corpus in "
        "a folder, in place of FILE (CoNLL-U; `train`, `dev` and `test` in the names "
        "of files; the test part is scored, never learned from)",
    )
    group.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="processes that learn at the same time (default: one for each core)",
    )
    group.add_argument(
        "--epochs",
        type=int,
        metavar="N",
        help="how often networks go through the corpus: few for a quick trial "
        "(default: as often as was best)",
    )


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
    if arguments.from_scratch is not None:
        from corefkit.cli import train_scratch

        return train_scratch.run(arguments)
    files = cistell.files_given(arguments)
    if arguments.output is None and not arguments.rank_features:
        message = "a file for the model is needed"
        raise SettingsError(message, hint="name it with -o MODEL")
    if arguments.output is not None:
        check_place(arguments.output)
    recipe = _recipe(arguments)
    documents = list(cistell.with_words(files, arguments.format))
    heldout = list(cistell.with_words(arguments.heldout or (), arguments.format))
    if arguments.rank_features:
        _print_ranks(arguments, documents, heldout, recipe)
    if arguments.output is not None:
        with Line() as line:
            resolver = Resolver.fitted(
                documents,
                recipe,
                heldout=heldout,
                name=", ".join(Path(file).name for file in files),
                note=note,
                progress=line.share("looking at mentions"),
            )
        resolver.save(arguments.output)
        tell(f"written: {arguments.output}, {_summary(resolver.model)}")
    return 0


def _recipe(arguments: argparse.Namespace) -> Recipe:
    context = cistell.context_given(
        arguments, arguments.language, arguments.entity_types
    )
    features = usable_features(
        context.lexicon,
        only=names_given(arguments.features, "--features"),
        without=names_given(arguments.without, "--without") or (),
        note=note,
    )
    recipe = recipe_for(
        context,
        features,
        paper=arguments.paper,
        learner=arguments.learner,
        tagger=arguments.tagger,
    )
    return replace(recipe, sampling=_sampling(arguments, recipe.learner))


def _sampling(arguments: argparse.Namespace, learner: str) -> Sampling:
    negatives = arguments.negatives
    if negatives is None:
        negatives = LEARNERS[learner].negatives
    return Sampling(arguments.pairs, arguments.positives, negatives, arguments.seed)


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
    recipe: Recipe,
) -> None:
    features, sampling = recipe.features, recipe.sampling
    if not heldout and len(documents) > 1:
        heldout = documents[::_FOLD]
        documents = [
            document for number, document in enumerate(documents) if number % _FOLD
        ]
    pairs = training_pairs(documents, features, recipe.context, sampling=sampling)
    whole = None
    if not heldout:
        ranks = ranked(pairs)
    else:
        judged = training_pairs(heldout, features, recipe.context, sampling=sampling)
        with Line() as line:
            whole, ranks = ablated(
                pairs,
                judged,
                learner=recipe.learner,
                seed=arguments.seed,
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
