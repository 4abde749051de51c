"""`corefkit train FILE... -o MODEL`."""

from __future__ import annotations

from argparse import BooleanOptionalAction
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cistell.fitting import recipe_for
from cistell.languages import LANGUAGES
from cistell.learners import LEARNERS
from cistell.modelfile import RANKING
from cistell.profiles import TYPED
from cistell.resolver import Resolver
from cistell.training import (
    SCHEMES,
    Sampling,
    sampling_for,
    usable_features,
)
from corefkit.cli import cistell
from corefkit.cli.arguments import (
    add_format_option,
    add_names_option,
    add_number_option,
    split_names,
)
from corefkit.cli.feature_ranks import print_ranks
from corefkit.cli.messages import ProgressLine, print_info, print_note
from corefkit.exceptions import SettingsError
from corefkit.formats.output import check_writable

if TYPE_CHECKING:
    import argparse

    from cistell.fitting import Recipe
    from cistell.modelfile import Model

# Options that are for learners of pairs alone.
_OF_PAIRS = ("rank_features", "features", "without", "pairs", "positives", "negatives")

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
        choices=(RANKING, *LEARNERS),
        help=f"{RANKING}: candidates of a mention are ranked, as for "
        "`no antecedent`; the others decide on pairs: "
        + "; ".join(f"{row.name}: {row.about}" for row in LEARNERS.values())
        + f" (default: {RANKING}, or timbl with --paper)",
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
    group.add_argument(
        "--small",
        action="store_true",
        help="make a model of a few megabytes, which scores a little less",
    )


def _add_pair_options(parser: argparse.ArgumentParser) -> None:
    default = Sampling()
    group = parser.add_argument_group("pairs to learn from")
    group.add_argument(
        "--pairs",
        choices=tuple(SCHEMES),
        help="every: some pairs of every mention; soon: the closest antecedent and the "
        "mentions between; ng-cardie: the same, nouns with nouns (default: every)",
    )
    most = "at most so many {} of a mention, with `every`"
    other = f"{default.negatives}; {LEARNERS['boosting'].negatives} for boosting"
    for name, what, usual in (
        ("positives", "antecedents", default.positives),
        ("negatives", "other mentions", other),
    ):
        about = f"{most.format(what)} (default: {usual})"
        group.add_argument(f"--{name}", type=int, metavar="N", help=about)
    for name, what, usual in (
        ("features", "use, and no others", "all"),
        ("without", "leave out", "none"),
    ):
        add_names_option(
            group, f"--{name}", f"features or groups to {what}", default=usual
        )
    group.add_argument(
        "--entity-types",
        choices=TYPED,
        help=f"mentions whose entity types are used (default: {TYPED[0]})",
    )
    add_number_option(group, "--seed", 0, "random seed")


def run(arguments: argparse.Namespace) -> int:
    """Train, write the model, and print the ranking if asked to."""
    if arguments.from_scratch is not None:
        from corefkit.cli import train_scratch

        return train_scratch.run(arguments)
    for name in ("jobs", "epochs", "small"):
        if getattr(arguments, name):
            message = f"--{name} goes with --from-scratch"
            raise SettingsError(
                message, code="settings/missing-value", hint=f"leave out --{name}"
            )
    files = cistell.files_given(arguments)
    if arguments.output is None and not arguments.rank_features:
        message = "a file for the model is needed"
        raise SettingsError(
            message, code="settings/missing-value", hint="name it with -o MODEL"
        )
    if arguments.output is not None:
        check_writable(arguments.output)
    recipe = _recipe(arguments)
    documents = list(cistell.with_words(files, arguments.format))
    heldout = list(cistell.with_words(arguments.heldout or (), arguments.format))
    if arguments.rank_features:
        print_ranks(arguments, documents, heldout, recipe)
    if arguments.output is not None:
        with ProgressLine() as line:
            resolver = Resolver.fitted(
                documents,
                recipe,
                heldout=heldout,
                name=", ".join(Path(file).name for file in files),
                note=print_note,
                progress=line.track("looking at mentions"),
            )
        resolver.save(arguments.output)
        print_info(f"written: {arguments.output}, {_summary(resolver.model)}")
    return 0


def _recipe(arguments: argparse.Namespace) -> Recipe:
    context = cistell.context_given(
        arguments, arguments.language, arguments.entity_types or TYPED[0]
    )
    features = usable_features(
        context.lexicon,
        only=split_names(arguments.features, "--features"),
        without=split_names(arguments.without, "--without") or (),
        note=print_note,
    )
    recipe = recipe_for(
        context,
        features,
        paper=arguments.paper,
        learner=_learner(arguments),
        tagger=arguments.tagger,
        seed=arguments.seed,
    )
    sampling = _sampling(arguments, recipe.learner)
    return recipe if recipe.learner == RANKING else replace(recipe, sampling=sampling)


def _learner(arguments: argparse.Namespace) -> str | None:
    """Return the learner that is named, or that the other options are for."""
    named: str | None = arguments.learner
    of_pairs = [
        name for name in _OF_PAIRS if getattr(arguments, name) not in (None, False)
    ]
    if not of_pairs or arguments.paper:
        return named
    if named == RANKING:
        option = f"--{of_pairs[0].replace('_', '-')}"
        message = f"{option} is for learners of pairs, and {RANKING} ranks candidates"
        raise SettingsError(
            message,
            code="settings/conflict",
            hint="name another --learner, or leave it out",
        )
    return named or "boosting"


def _sampling(arguments: argparse.Namespace, learner: str) -> Sampling:
    """Return the pairs that options ask for, and else those that suit the learner."""
    usual = Sampling()
    if learner in LEARNERS:
        usual = sampling_for(learner)
    asked = {
        "scheme": arguments.pairs,
        "positives": arguments.positives,
        "negatives": arguments.negatives,
        "seed": arguments.seed,
    }
    said = {name: value for name, value in asked.items() if value is not None}
    return replace(usual, **said)


def _summary(model: Model) -> str:
    training = model.training
    if model.learner == RANKING:
        return (
            f"{model.learner} trained on {training['documents']:,} documents, "
            f"{training['mentions']:,} mentions"
        )
    return (
        f"{model.learner} trained on {training['documents']:,} documents, "
        f"{training['pairs']:,} pairs, {training['coreferent_pairs']:,} of them "
        f"coreferent, {len(model.columns)} features"
    )
