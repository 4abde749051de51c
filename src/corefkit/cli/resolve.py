"""`corefkit resolve FILE...`: what was found is shown, or written with -o."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.links import PairLinks
from cistell.taggers import MENTIONS, check_mentions
from corefkit.cli import cistell
from corefkit.cli.arguments import (
    add_format_option,
    add_number_option,
    add_target_format_option,
)
from corefkit.cli.messages import ProgressLine, print_note, print_warning
from corefkit.cli.output import (
    STANDARD,
    check_target,
    choose_format,
    report_losses,
    write_documents,
)
from corefkit.cli.resolvers import (
    add_linking_options,
    add_model_options,
    resolver_given,
)
from corefkit.cli.shown import add_view_option, check_view, show
from corefkit.strings import escape_terminal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from cistell.resolver import Resolver
    from corefkit.model import Document

_NO_MENTION = (
    "no mention was found: mentions are those of FILE or, with `--mentions sm1`, the "
    "noun phrases of its trees, which CoNLL-U has and --parser makes"
)

HELP = """Find the entities of texts and documents.

FILE is plain text (its name ends in .txt), a folder of texts, or annotated with tags
and trees, as CoNLL-U is. What a file lacks is found by the model: words, tags and
trees, mentions. If FILE has mentions, these are used; its entities are not. What was
found is shown to you, or written to OUT.

Without --model, your own model is used, which `corefkit train --from-scratch` makes, or
the one that comes with corefkit. `--model sieve` links by rules (Lee et al. 2013) and
needs no training. --parser names a parser of UDPipe, for texts and in place of the
trees of FILE.

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
        help="file or folder to write (default: text is shown)",
    )
    add_view_option(parser)
    add_model_options(parser)
    parser.add_argument(
        "--mentions",
        choices=MENTIONS,
        help="gold: the mentions of FILE; sm1: every noun phrase; sm2: the noun "
        "phrases that the model's tagger keeps (default: gold if any document of FILE "
        "has mentions, else sm2 if the model has a tagger, else sm1; the bundled model "
        "links sm1 by the sieve if FILE has trees)",
    )
    cistell.add_parser_option(parser, "for plain text or in place of the trees of FILE")
    add_number_option(parser, "--jobs", 1, "processes that share the documents")
    parser.add_argument(
        "--card",
        action="store_true",
        help="print what the model is, was trained on and scores, and stop",
    )
    add_linking_options(parser)
    cistell.add_lexicon_options(parser)
    add_format_option(parser)
    add_target_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read, resolve, and write or show."""
    if arguments.card:
        print(_card(arguments))
        return 0
    arguments.files = cistell.files_given(arguments)
    check_view(arguments)
    format = None
    if arguments.view is None:
        format = choose_format(arguments.to, arguments.output)
        check_target(arguments.files, arguments.output, format)
    resolver = resolver_given(arguments)
    check_mentions(arguments.mentions, resolver.tagger)
    with ProgressLine() as line:
        # A line between the words that are written would be taken for one of them.
        hidden = format is not None and arguments.output == STANDARD
        resolved = _resolved(arguments, resolver, None if hidden else line)
        if format is None:
            mentions, losses = show(resolved, arguments), None
        else:
            losses = write_documents(
                resolved, arguments.files, arguments.output, format
            )
            mentions = losses.mentions
    if not mentions:
        print_warning(_NO_MENTION)
    if losses is not None:
        report_losses(losses)
    return 0


def _resolved(
    arguments: argparse.Namespace, resolver: Resolver, line: ProgressLine | None
) -> Iterator[Document]:
    resolutions = resolver.resolve_inputs(
        cistell.inputs_given(arguments, resolver, line),
        mentions=arguments.mentions,
        jobs=arguments.jobs,
        note=print_note,
    )
    refused = 0
    for resolution in resolutions:
        refused += resolution.refused
        yield resolution.document
    _note_threshold(resolver, refused)


def _note_threshold(resolver: Resolver, refused: int) -> None:
    """Say that the threshold which the user chose did nothing, if so."""
    links = resolver.links
    linking = links.linking if isinstance(links, PairLinks) else None
    if linking is not None and linking.threshold is not None and not refused:
        print_note(
            f"the threshold {linking.threshold:g} turned no decision down: the "
            "distances of this model are smaller; --threshold heldout uses one that "
            "fits"
        )


def _card(arguments: argparse.Namespace) -> str:
    lines = str(resolver_given(arguments).card).splitlines()
    return "\n".join(map(escape_terminal, lines))
