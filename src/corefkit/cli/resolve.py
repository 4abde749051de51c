"""`corefkit resolve FILE... -o OUT`."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cistell.baselines import BASELINES, baseline_needs
from corefkit.cistell.languages import LANGUAGES
from corefkit.cistell.lexicon import NO_WORDNET
from corefkit.cistell.models import CHECKS, SEARCHES
from corefkit.cistell.needs import WORDNET, shares, watched
from corefkit.cistell.parsing.texts import texts_at
from corefkit.cistell.resolver import Resolver
from corefkit.cistell.resolving import MODELS, linking_named, resolve_by_baseline
from corefkit.cistell.taggers import MENTIONS, check_mentions, with_mentions
from corefkit.cli.cistell import (
    add_example_option,
    add_lexicon_options,
    context_given,
    files_given,
)
from corefkit.cli.options import add_format_option
from corefkit.cli.telling import note, tell
from corefkit.cli.writing import check_target, tell_losses, write_all
from corefkit.corpus.declaration import declared, declaring
from corefkit.exceptions import SettingsError
from corefkit.formats import named, read
from corefkit.formats.writing import by_suffix

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from corefkit.cistell.modelfile import Model
    from corefkit.cistell.models import Linking
    from corefkit.cistell.parsing import Parser
    from corefkit.cistell.parsing.texts import Text
    from corefkit.cistell.profiles import Context
    from corefkit.cistell.resolving import Resolution
    from corefkit.model import Document

_HELDOUT = "heldout"
_NO_MENTION = (
    "no mention was found: they are those of FILE or, with `--mentions sm1`, the noun "
    "phrases of its trees, as CoNLL-U has them and --parser makes them"
)

HELP = """Find the entities of documents, by a model that `corefkit train` wrote.

FILE is annotated, such as CoNLL-U, with tags and trees; its mentions are taken and its
entities are not looked at. Or it is plain text (its name ends in .txt) or a folder of
texts, with a parser of UDPipe named by --parser; mentions are then found by a tagger.
--parser with an annotated file replaces its tags and trees.

--link chooses how a mention finds its entity, as in Recasens and Hovy 2010:
  all_singletons   not at all          } these need no model
  head_match       by the same head    }
  head_match_pron  and pronouns by agreement with the closest noun
  strong           the first earlier mention whose whole entity agrees
  super_strong     the same, decisions counting under a distance of 0.09 only
  best             the mention decided most surely, if its whole entity agrees
  weak             the first earlier mention that is coreferent"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help="file or folder to resolve"
    )
    add_example_option(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="file or folder to write"
    )
    parser.add_argument("--model", metavar="MODEL", help="model file to resolve by")
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
        help="gold: those of FILE; sm1: every noun phrase; sm2: those of them that the "
        "model's tagger keeps (default: gold where FILE has mentions, else sm2 where "
        "the model has a tagger, else sm1)",
    )
    parser.add_argument(
        "--parser",
        metavar="FILE",
        action="append",
        help="model of UDPipe; repeat it where tokenizer, tagger and parser are files "
        "of their own",
    )
    _add_linking_options(parser)
    add_lexicon_options(parser)
    add_format_option(parser)
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        help="format to write, if the ending of OUT does not say",
    )


def _add_linking_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what the paper leaves open")
    group.add_argument(
        "--search",
        choices=SEARCHES,
        help="which coreferent mention to take: the first, the closest, the best by "
        "distance, the likeliest by votes, or the best of all (top)",
    )
    group.add_argument(
        "--check",
        choices=CHECKS,
        help="whether its whole entity must agree, and whether to go on to the next "
        "where it does not",
    )
    group.add_argument(
        "--threshold",
        metavar="DISTANCE",
        help="decisions count under this distance only; `heldout` for what was picked "
        "in training",
    )
    group.add_argument(
        "--merge",
        action="store_true",
        help="join all entities that a mention is coreferent with",
    )
    group.add_argument(
        "--lemmas",
        action="store_true",
        help="compare heads by lemmas (head_match, head_match_pron)",
    )
    group.add_argument(
        "--language",
        choices=tuple(LANGUAGES),
        help="of baselines without a model (default: en)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read, resolve and write."""
    arguments.files = files_given(arguments)
    format = named(arguments.to) if arguments.to else by_suffix(arguments.output)
    check_target(arguments.files, arguments.output, format)
    resolver = _resolver(arguments)
    check_mentions(arguments.mentions, resolver.tagger if resolver else None)
    found = _resolved(arguments, resolver, _documents(arguments))
    losses = write_all(found, arguments.files, arguments.output, format)
    if not losses.mentions:
        tell(f"warning: {_NO_MENTION}")
    tell_losses(losses)
    return 0


def _resolver(arguments: argparse.Namespace) -> Resolver | None:
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
        hint = "name one by --model; `corefkit train` makes it; or --link head_match"
        raise SettingsError(message, hint=hint)
    return None


def _documents(arguments: argparse.Namespace) -> Iterator[Document]:
    """Give the documents with tags and trees."""
    format = arguments.format
    texts = {path: [] if format else texts_at(path) for path in arguments.files}
    _check_texts(arguments, [text for row in texts.values() for text in row])
    if not arguments.parser:
        return chain.from_iterable(read(one, format=format) for one in arguments.files)
    from corefkit.cistell.parsing import Parser

    parser = Parser(*arguments.parser)
    name = f"udpipe:{'+'.join(Path(path).stem for path in arguments.parser)}"
    return (
        declaring(document, replace(declared(document), preprocessing=name))
        for path in arguments.files
        for document in _parsed(path, texts[path], format, parser)
    )


def _check_texts(arguments: argparse.Namespace, texts: Iterable[Text]) -> None:
    """Refuse texts that cannot be parsed, or told apart."""
    seen: dict[str, Path] = {}
    for text in texts:
        if not arguments.parser:
            from corefkit.cistell.parsing.udpipe import HOW_TO_GET_ONE

            message = f"{str(text.path)!r} is plain text, and needs a parser of UDPipe"
            raise SettingsError(message, hint=f"name it by --parser; {HOW_TO_GET_ONE}")
        if text.id in seen:
            message = f"{str(text.path)!r} and {str(seen[text.id])!r} would both be "
            message += f"the document {text.id!r}"
            raise SettingsError(message, hint="rename one of them, or name a folder")
        seen[text.id] = text.path


def _parsed(
    path: str, texts: Iterable[Text], format: str | None, parser: Parser
) -> Iterable[Document]:
    if texts:
        return (parser.parse_text(text.read(), id=text.id) for text in texts)
    return map(parser.parse_document, read(path, format=format))


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
    for one in found:
        refused += one.refused
        yield one.document
    if threshold is not None and not refused:
        note(
            f"the threshold {threshold:g} turned no decision down: the distances of "
            "this model are smaller; --threshold heldout takes one that fits"
        )


def _by_baseline(
    arguments: argparse.Namespace,
    resolver: Resolver | None,
    documents: Iterable[Document],
) -> Iterator[Resolution]:
    """Resolve by a baseline, with tagger and words of a model where one is given."""
    name = arguments.link
    needs = baseline_needs(name, lemmas=arguments.lemmas)
    tagger = None
    if resolver is None:
        context = context_given(arguments, arguments.language or "en", "names")
        if WORDNET in needs:
            _note_wordnet(context)
    else:
        context, tagger = resolver.context, resolver.tagger
    ready = (with_mentions(one, arguments.mentions, tagger=tagger) for one in documents)
    return resolve_by_baseline(
        watched(ready, shares(needs), who=f"--link {name}", note=note),
        name,
        context,
        lemmas=arguments.lemmas,
    )


def _note_wordnet(context: Context) -> None:
    """Tell that WordNet, which knows persons from things, is missing, if it is."""
    lexicon = context.lexicon
    if not context.language.natural_gender or lexicon.wordnet is not None:
        return
    for one in lexicon.missing:
        if WORDNET in one.resource and not one.declined:
            note(
                f"{one.resource} is missing, so which nouns are persons is not known, "
                "and pronouns may go elsewhere than with it; "
                f"{one.hint}, or say `--wordnet {NO_WORDNET}`"
            )


def _linking(arguments: argparse.Namespace, model: Model) -> Linking:
    linking = linking_named(arguments.link)
    threshold = linking.threshold
    if arguments.threshold == _HELDOUT:
        picked = model.training.get("thresholds")
        if not isinstance(picked, dict):
            message = "the model has no threshold that was picked on held-out documents"
            raise SettingsError(message, hint="train it with --heldout FILE")
        threshold = float(picked[arguments.link])
    elif arguments.threshold is not None:
        try:
            threshold = float(arguments.threshold)
        except ValueError:
            message = f"{arguments.threshold!r} is no distance"
            hint = "give a number, as in 0.09, or heldout"
            raise SettingsError(message, hint=hint) from None
    return replace(
        linking,
        search=arguments.search or linking.search,
        check=arguments.check or linking.check,
        merge=arguments.merge,
        threshold=threshold,
    )
