"""Inputs and options that the commands of the resolver share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cistell.corpora.parts import is_masked
from cistell.lexicon import load_lexicon
from cistell.links import RuleLinks
from cistell.parsing.texts import texts_at
from cistell.profiles import context_of
from cistell.readers import HOW_TO_READ_TEXT, RawText
from corefkit.cli.arguments import (
    add_example_option,
    check_standard_input,
    is_example,
)
from corefkit.cli.messages import print_note
from corefkit.example import trees
from corefkit.exceptions import SettingsError
from corefkit.formats import read

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from cistell.parsing.texts import Text
    from cistell.profiles import Context
    from cistell.resolver import Resolver
    from corefkit.cli.messages import Progress, ProgressLine
    from corefkit.model import Document

_SHOWN = 5  # documents that a note names


def add_files(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Add FILE and `--example`."""
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help=f"file or folder to {purpose}"
    )
    add_example_option(parser, "the bundled example, four short texts with trees,")


def files_given(arguments: argparse.Namespace) -> list[str]:
    """List the files that a command line names."""
    if is_example(arguments, *arguments.files):
        return [str(trees())]
    check_standard_input(
        [*arguments.files, *(getattr(arguments, "heldout", None) or ())]
    )
    return list(arguments.files)


def add_lexicon_options(parser: argparse.ArgumentParser) -> None:
    """Add `--lexicon` and `--wordnet`."""
    group = parser.add_argument_group("knowledge of words")
    group.add_argument(
        "--lexicon",
        metavar="FOLDER",
        type=Path,
        help="folder of word lists: genders, plurals, demonyms, WordNets of other "
        "languages",
    )
    group.add_argument(
        "--wordnet",
        metavar="FOLDER",
        type=Path,
        help="folder with WordNet's index.noun and data.noun, or `none` to do without "
        "(default: $COREFKIT_WORDNET, or $WNSEARCHDIR, or where Debian's wordnet-base "
        "puts them)",
    )


def add_parser_option(
    parser: argparse.ArgumentParser, purpose: str, *, default: str = "none"
) -> None:
    """Add `--parser`, which may be repeated."""
    parser.add_argument(
        "--parser",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help=f"model of UDPipe, {purpose}; repeat it if tokenizer, tagger and parser "
        f"are separate files (default: {default})",
    )


def context_given(
    arguments: argparse.Namespace, language: str, entity_types: str
) -> Context:
    """Load the language and lexicon that a command line names."""
    lexicon = load_lexicon(
        language, folder=arguments.lexicon, wordnet=arguments.wordnet
    )
    return context_of(lexicon, entity_types)


def with_words(paths: Sequence[str], format: str | None) -> Iterator[Document]:
    """Read files, leaving out documents whose words are masked, with a note."""
    masked = []
    for path in paths:
        for document in read(path, format=format):
            if is_masked(document):
                masked.append(document.id)
            else:
                yield document
    note_masked(masked)


def note_masked(ids: Sequence[str]) -> None:
    """Say which documents are left out because their words are masked, if any."""
    if ids:
        names = ", ".join(ids[:_SHOWN]) + (" ..." if len(ids) > _SHOWN else "")
        print_note(
            f"{len(ids)} masked document{'s' if len(ids) > 1 else ''} left out: {names}"
        )


def inputs_given(
    arguments: argparse.Namespace, resolver: Resolver, line: ProgressLine | None
) -> Iterator[Iterable[Document | RawText]]:
    """Read the documents, or the plain texts, of each FILE of a command line.

    The line, if there is one, shows how many of them were taken.
    """
    format = arguments.format
    texts = {path: [] if format else texts_at(path) for path in arguments.files}
    _check_texts([text for row in texts.values() for text in row], resolver)
    shares: list[Progress | None] = [None] * len(arguments.files)
    if line is not None:
        shares = [*line.track_files("resolving", arguments.files)]
    return (
        _raw_texts(texts[path], share)
        if texts[path]
        else read(path, format=format, progress=share)
        for path, share in zip(arguments.files, shares, strict=True)
    )


def _raw_texts(texts: Sequence[Text], share: Progress | None) -> Iterator[RawText]:
    for number, text in enumerate(texts, 1):
        yield RawText(text.id, text.read())
        if share is not None:
            share(number, len(texts))


def _check_texts(texts: Iterable[Text], resolver: Resolver) -> None:
    """Refuse texts if nothing can read them, or if two would get the same id."""
    seen: dict[str, Path] = {}
    for text in texts:
        if not resolver.reader.reads_texts:
            what = "the model has no parser"
            if isinstance(resolver.links, RuleLinks):
                what = "no model that has a parser is here"
            message = f"{str(text.path)!r} is plain text, and {what}"
            raise SettingsError(
                message, code="model/missing-part", hint=HOW_TO_READ_TEXT
            )
        if text.id in seen:
            message = f"{str(text.path)!r} and {str(seen[text.id])!r} would both be "
            message += f"the document {text.id!r}"
            raise SettingsError(
                message,
                code="settings/conflict",
                hint="rename one of them, or name a folder",
            )
        seen[text.id] = text.path
