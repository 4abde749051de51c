"""`corefkit resolve FILE... -o OUT`, or `--format text|html` to see what was found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.cistell.languages import LANGUAGES
from corefkit.cistell.lexicon import NO_WORDNET
from corefkit.cistell.models import BASELINES, CHECKS, SEARCHES, baseline_needs
from corefkit.cistell.needs import WORDNET, shares, watched
from corefkit.cistell.resolver import Resolver
from corefkit.cistell.resolving import MODELS, linking_named, resolve_by_baseline
from corefkit.cistell.taggers import MENTIONS, check_mentions, with_mentions
from corefkit.cli import cistell, note, tell
from corefkit.cli.options import add_format_option, add_target_format_option
from corefkit.cli.shown import add_view_option, check_view, show
from corefkit.cli.writing import check_target, target_format, tell_losses, write_all
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from corefkit.cistell.modelfile import Model
    from corefkit.cistell.models import Linking
    from corefkit.cistell.profiles import Context
    from corefkit.cistell.resolving import Resolution
    from corefkit.model import Document

_HELDOUT = "heldout"
_NO_MENTION = (
    "no mention was found: mentions are those of FILE or, with `--mentions sm1`, the "
    "noun phrases of its trees, which CoNLL-U has and --parser makes"
)

HELP = """Find the entities of documents with a model that `corefkit train` wrote.

FILE is annotated with tags and trees, as CoNLL-U is; its mentions are used, its
entities are not. Or FILE is plain text (its name ends in .txt) or a folder of texts;
then --parser names a parser of UDPipe, and a tagger finds the mentions. With an
annotated file, --parser replaces its tags and trees.

What was found is written to OUT, for programs, or shown to you with --format.

--link chooses how a mention finds its entity, as in Recasens and Hovy 2010:
  all_singletons   it does not         } these need no model
  head_match       by the same head    }
  head_match_pron  the same, and pronouns by agreement with the closest noun
  sieve            by rules, the surest first (Lee et al. 2013); needs no model either
  strong           the first earlier mention whose whole entity agrees
  super_strong     the same, but only decisions under a distance of 0.09 count
  best             the mention decided most surely, if its whole entity agrees
  weak             the first earlier mention that is coreferent"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    cistell.add_files(parser, "resolve")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="file or folder to write; needed without --format",
    )
    add_view_option(parser)
    parser.add_argument("--model", metavar="MODEL", help="model file")
    parser.add_argument(
        "--link",
        choices=MODELS,
        default="best",
        metavar="NAME",
        help="how a mention finds its entity (default: best)",
    )
    parser.add_argument(
        "--mentions",
        choices=MENTIONS,
        help="gold: the mentions of FILE; sm1: every noun phrase; sm2: the noun "
        "phrases that the model's tagger keeps (default: gold if FILE has mentions, "
        "else sm2 if the model has a tagger, else sm1)",
    )
    cistell.add_parser_option(parser, "for plain text or in place of the trees of FILE")
    _add_linking_options(parser)
    cistell.add_lexicon_options(parser)
    add_format_option(parser)
    add_target_format_option(parser)


def _add_linking_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what the paper leaves open")
    group.add_argument(
        "--search",
        choices=SEARCHES,
        help="which coreferent mention to link to: the first, the closest, the best by "
        "distance, the likeliest by votes, or the best of all (top)",
    )
    group.add_argument(
        "--check",
        choices=CHECKS,
        help="whether its whole entity must agree, and whether to try the next mention "
        "if it does not",
    )
    group.add_argument(
        "--threshold",
        metavar="DISTANCE",
        help="only decisions under this distance count; `heldout` is the one picked in "
        "training",
    )
    group.add_argument(
        "--merge",
        action="store_true",
        help="merge all entities that a mention is coreferent with",
    )
    group.add_argument(
        "--lemmas",
        action="store_true",
        help="compare heads by lemmas (head_match, head_match_pron)",
    )
    group.add_argument(
        "--language",
        choices=tuple(LANGUAGES),
        help="language of baselines without a model (default: en)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read, resolve, and write or show."""
    arguments.files = cistell.files_given(arguments)
    check_view(arguments)
    format = None
    if arguments.view is None:
        format = target_format(arguments.to, arguments.output)
        check_target(arguments.files, arguments.output, format)
    resolver = _resolver(arguments)
    check_mentions(arguments.mentions, resolver.tagger if resolver else None)
    resolved = _resolved(arguments, resolver, cistell.documents_given(arguments))
    if format is None:
        if not show(resolved, arguments):
            tell(f"warning: {_NO_MENTION}")
        return 0
    losses = write_all(resolved, arguments.files, arguments.output, format)
    if not losses.mentions:
        tell(f"warning: {_NO_MENTION}")
    tell_losses(losses)
    return 0


def _resolver(arguments: argparse.Namespace) -> Resolver | None:
    """Load the model, if one is named; a baseline can do without."""
    if arguments.model is not None:
        resolver = Resolver.load(
            arguments.model,
            lexicon=arguments.lexicon,
            wordnet=arguments.wordnet,
            note=note,
        )
        if arguments.link in BASELINES:
            return resolver
        return replace(resolver, linking=_linking(arguments, resolver.model))
    if arguments.link not in BASELINES:
        message = f"--link {arguments.link} needs a model"
        hint = "name one with --model; `corefkit train` makes it; or --link head_match"
        raise SettingsError(message, hint=hint)
    return None


def _resolved(
    arguments: argparse.Namespace,
    resolver: Resolver | None,
    documents: Iterable[Document],
) -> Iterator[Document]:
    threshold = None
    if resolver is None or arguments.link in BASELINES:
        found = _by_baseline(arguments, resolver, documents)
    else:
        threshold = resolver.linking.threshold
        found = resolver.resolve(documents, mentions=arguments.mentions, note=note)
    refused = 0
    for resolution in found:
        refused += resolution.refused
        yield resolution.document
    if threshold is not None and not refused:
        note(
            f"the threshold {threshold:g} turned no decision down: the distances of "
            "this model are smaller; --threshold heldout uses one that fits"
        )


def _by_baseline(
    arguments: argparse.Namespace,
    resolver: Resolver | None,
    documents: Iterable[Document],
) -> Iterator[Resolution]:
    """Resolve with a baseline, and with tagger and lexicon of a model, if any."""
    name = arguments.link
    needs = baseline_needs(name, lemmas=arguments.lemmas)
    tagger = None
    if resolver is None:
        context = cistell.context_given(arguments, arguments.language or "en", "names")
        if WORDNET in needs:
            _note_wordnet(context)
    else:
        context, tagger = resolver.context, resolver.tagger
    ready = (
        with_mentions(document, arguments.mentions, tagger=tagger)
        for document in documents
    )
    return resolve_by_baseline(
        watched(ready, shares(needs), who=f"--link {name}", note=note),
        name,
        context,
        lemmas=arguments.lemmas,
    )


def _note_wordnet(context: Context) -> None:
    """Say that WordNet, which tells persons from things, is missing, if it is."""
    lexicon = context.lexicon
    if not context.language.natural_gender or lexicon.wordnet is not None:
        return
    for missing in lexicon.missing:
        if WORDNET in missing.resource and not missing.declined:
            note(
                f"{missing.resource} is missing, so it is not known which nouns are "
                "persons, and pronouns may be linked differently than with it; "
                f"{missing.hint}, or use `--wordnet {NO_WORDNET}`"
            )


def _linking(arguments: argparse.Namespace, model: Model) -> Linking:
    linking = linking_named(arguments.link)
    threshold = linking.threshold
    if arguments.threshold is not None:
        threshold = _threshold(arguments, model)
    return replace(
        linking,
        search=arguments.search or linking.search,
        check=arguments.check or linking.check,
        merge=arguments.merge,
        threshold=threshold,
    )


def _threshold(arguments: argparse.Namespace, model: Model) -> float:
    if arguments.threshold == _HELDOUT:
        picked = model.training.get("thresholds")
        if not isinstance(picked, dict):
            message = "the model has no threshold that was picked on held-out documents"
            raise SettingsError(message, hint="train it with --heldout FILE")
        return float(picked[arguments.link])
    try:
        return float(arguments.threshold)
    except ValueError:
        message = f"found --threshold {arguments.threshold!r}, expected a distance"
        hint = "give a number, such as 0.09, or `heldout`"
        raise SettingsError(message, hint=hint) from None
