"""The resolver that a command line names: a model, the sieve, or a baseline."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cistell.languages import LANGUAGES
from cistell.lexicon import NO_WORDNET
from cistell.links import RuleLinks, linked_by, links_of
from cistell.loading import (
    SIEVE,
    chosen_model,
    context_for,
    context_of_model,
    read_model,
)
from cistell.models import BASELINES, CHECKS, SEARCHES, baseline_needs
from cistell.needs import WORDNET
from cistell.parsing.texts import texts_at
from cistell.places import ENVIRONMENT, default_model, is_bundled
from cistell.resolver import Resolver
from cistell.resolving import MODELS, linking_named
from corefkit.cli.messages import print_note
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    import argparse

    from cistell.modelfile import Model
    from cistell.models import Linking
    from cistell.profiles import Context

_HELDOUT = "heldout"
_OPEN = ("search", "check", "threshold")  # what the paper leaves open


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose a resolver."""
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help=f"model file, or `{SIEVE}`, which links by rules (default: "
        f"${ENVIRONMENT}, or your own model, or the one that comes with corefkit)",
    )
    parser.add_argument(
        "--paper",
        action="store_true",
        help="link as in Recasens and Hovy 2010: `--link best`, with a model of "
        "`corefkit train --paper`",
    )
    parser.add_argument(
        "--link",
        choices=MODELS,
        metavar="NAME",
        help="how a mention finds its entity (default: as the model says)",
    )


def add_linking_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for what the paper leaves open."""
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
        default="en",
        help="language of the default model and of baselines (default: en)",
    )


def resolver_given(arguments: argparse.Namespace) -> Resolver:
    """Load what a command line names, and the parser that it names in place."""
    resolver = _resolver(arguments)
    if not arguments.parser:
        return resolver
    from cistell.parsing import Parser

    reader = resolver.reader.with_parser(Parser(*arguments.parser))
    return replace(resolver, reader=reader)


def _resolver(arguments: argparse.Namespace) -> Resolver:
    if arguments.paper and arguments.link is None:
        arguments.link = "best"
    rule = _rule(arguments)
    if rule:
        return _by_rule(arguments, rule)
    path = chosen_model(arguments.model, arguments.language)
    model = read_model(path, note=print_note)
    context = context_of_model(
        model, lexicon=arguments.lexicon, wordnet=arguments.wordnet, note=print_note
    )
    links = links_of(model, context)
    linking = _linking(arguments, model)
    if linking is not None:
        return Resolver.of(linked_by(links, linking))
    resolver = Resolver.of(links)
    if arguments.parser or not is_bundled(path):
        return resolver
    words = context_for(
        arguments.language, lexicon=arguments.lexicon, wordnet=arguments.wordnet
    )
    return resolver.with_tree_links(words)


def _rule(arguments: argparse.Namespace) -> str:
    """Name the baseline that links, if one does; the sieve does where no model is."""
    if arguments.model == SIEVE:
        if arguments.link is not None:
            other = "--paper" if arguments.paper else f"--link {arguments.link}"
            message = f"--model {SIEVE} and {other} are two ways to link"
            raise SettingsError(
                message, code="settings/conflict", hint="leave one of them out"
            )
        return SIEVE
    if arguments.link in BASELINES:
        return str(arguments.link)
    chosen = arguments.model is not None or arguments.link is not None
    if chosen or default_model(arguments.language) is not None:
        return ""
    if not arguments.parser and any(map(texts_at, arguments.files)):
        return ""  # there is no parser either: what to do is said there
    print_note(
        f"there is no trained model here, so the {SIEVE} links, by rules; "
        "`corefkit train --help` says how to train one"
    )
    return SIEVE


def _by_rule(arguments: argparse.Namespace, name: str) -> Resolver:
    """Link by a baseline, with tagger, parser and lexicon of a model, if any."""
    asked = [option for option in (*_OPEN, "merge") if getattr(arguments, option)]
    if asked:
        message = f"--{asked[0]} is for models of pairs, and {name} links by rules"
        raise SettingsError(
            message, code="settings/conflict", hint=f"leave out --{asked[0]}"
        )
    named = None if arguments.model in (None, SIEVE) else arguments.model
    path = named or default_model(arguments.language)
    model = None if path is None else read_model(path, note=print_note)
    folders = {"lexicon": arguments.lexicon, "wordnet": arguments.wordnet}
    if model is None or named is None:
        context = context_for(arguments.language, **folders)
    else:
        context = context_of_model(model, **folders, note=print_note)
    if WORDNET in baseline_needs(name, lemmas=arguments.lemmas):
        _note_wordnet(context)
    links = RuleLinks(name, context, arguments.lemmas)
    if model is None:
        return Resolver(links)
    return replace(Resolver.of(links_of(model, context)), links=links)


def _note_wordnet(context: Context) -> None:
    """Say that WordNet, which tells persons from things, is missing, if it is."""
    lexicon = context.lexicon
    if not context.language.natural_gender or lexicon.wordnet is not None:
        return
    for missing in lexicon.missing:
        if WORDNET in missing.resource and not missing.declined:
            print_note(
                f"{missing.resource} is missing, so it is not known which nouns are "
                "persons, and pronouns may be linked differently than with it; "
                f"{missing.hint}, or use `--wordnet {NO_WORDNET}`"
            )


def _linking(arguments: argparse.Namespace, model: Model) -> Linking | None:
    """Return the linking that options ask for; None for the model's own."""
    asked = [name for name in _OPEN if getattr(arguments, name) is not None]
    if arguments.link is None and not asked and not arguments.merge:
        return None
    linking = linking_named(arguments.link or "best")
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
            raise SettingsError(
                message, code="model/missing-part", hint="train it with --heldout FILE"
            )
        return float(picked[arguments.link or "best"])
    try:
        return float(arguments.threshold)
    except ValueError:
        message = f"found --threshold {arguments.threshold!r}, expected a distance"
        hint = "give a number, such as 0.09, or `heldout`"
        raise SettingsError(message, code="settings/invalid-value", hint=hint) from None
