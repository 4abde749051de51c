"""What the commands of the resolver share: options of words, notes, documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cistell.corpora.parts import is_masked
from corefkit.cistell.lexicon import load_lexicon
from corefkit.cistell.profiles import context_of
from corefkit.cli.options import named_once
from corefkit.cli.telling import note
from corefkit.example import trees
from corefkit.exceptions import SettingsError
from corefkit.formats import read

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from corefkit.cistell.profiles import Context
    from corefkit.model import Document

_SHOWN = 5  # documents that a note names


def add_example_option(parser: argparse.ArgumentParser) -> None:
    """Add `--example`."""
    parser.add_argument(
        "--example",
        action="store_true",
        help="use the bundled example corpus, four short texts with trees",
    )


def files_given(arguments: argparse.Namespace) -> list[str]:
    """Give the files that a command line names."""
    if arguments.example == bool(arguments.files):
        message = "a file is needed" if not arguments.example else "--example is a file"
        raise SettingsError(message, hint="name files, or say --example")
    named_once([*arguments.files, *(getattr(arguments, "heldout", None) or ())])
    return [str(trees())] if arguments.example else list(arguments.files)


def add_lexicon_options(parser: argparse.ArgumentParser) -> None:
    """Add `--lexicon` and `--wordnet`."""
    group = parser.add_argument_group("what is known of words")
    group.add_argument(
        "--lexicon",
        metavar="FOLDER",
        type=Path,
        help="word lists: genders, plurals, demonyms, WordNets of other languages",
    )
    group.add_argument(
        "--wordnet",
        metavar="FOLDER",
        type=Path,
        help="WordNet's files index.noun and data.noun, or `none` to do without "
        "(default: $COREFKIT_WORDNET, or $WNSEARCHDIR, or where Debian's wordnet-base "
        "puts them)",
    )


def context_given(
    arguments: argparse.Namespace, language: str, entity_types: str
) -> Context:
    """Give what mentions are looked at with, by a command line."""
    lexicon = load_lexicon(
        language, folder=arguments.lexicon, wordnet=arguments.wordnet
    )
    return context_of(lexicon, entity_types)


def with_words(paths: Sequence[str], format: str | None) -> Iterator[Document]:
    """Read files; documents whose words are masked are left out, with a note."""
    masked = []
    for path in paths:
        for document in read(path, format=format):
            if is_masked(document):
                masked.append(document.id)
            else:
                yield document
    note_masked(masked)


def note_masked(ids: Sequence[str]) -> None:
    """Tell which documents are left out because their words are masked, if any."""
    if ids:
        names = ", ".join(ids[:_SHOWN]) + (" ..." if len(ids) > _SHOWN else "")
        note(
            f"{len(ids)} masked document{'s' if len(ids) > 1 else ''} left out: {names}"
        )
