"""Documents that a command shows to people, in place of writing them for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli.messages import ProgressLine, print_info
from corefkit.cli.output import STANDARD, check_page, write_page
from corefkit.exceptions import SettingsError
from corefkit.report.entity_text import (
    build_entity_page,
    count_entities,
    render_document,
)
from corefkit.report.reader_data import convert_document
from corefkit.strings import WIDTH, has_colours
from corefkit.tables.terminal import label_paths

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from corefkit.model import Document
    from corefkit.report.reader_data import ReaderDocument

TEXT, HTML = "text", "html"
_MOST_NAMED = 3  # files in the title of a page


def add_view_option(parser: argparse.ArgumentParser) -> None:
    """Add `--format`, which shows documents; with `-o` alone they are written."""
    parser.add_argument(
        "--format",
        dest="view",
        choices=(TEXT, HTML),
        metavar=f"{TEXT}|{HTML}",
        help="show what was found in place of writing it for programs: `text` with "
        "mentions in brackets, in colours on a terminal; `html` as one page with the "
        "reader; to OUT, or to standard output without -o (default: text without -o)",
    )


def check_view(arguments: argparse.Namespace) -> None:
    """Settle whether documents are shown, and where they go.

    Without -o, they are shown as text, or written to standard output if --to names a
    format. Options that contradict each other, and a place that cannot be written, are
    refused.
    """
    if arguments.view is None and arguments.output is None:
        if arguments.to is None:
            arguments.view = TEXT
        arguments.output = STANDARD
    if arguments.view is None:
        return
    if arguments.to is not None:
        message = f"--format {arguments.view} and --to {arguments.to} are two outputs"
        hint = "--format is for people, --to for programs: leave one of them out"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    arguments.output = arguments.output or STANDARD
    check_page(arguments.files, arguments.output)


def show(documents: Iterable[Document], arguments: argparse.Namespace) -> int:
    """Show documents as the command line asks; give the number of their mentions."""
    target = arguments.output
    shown = (convert_document(document) for document in documents)
    if arguments.view == TEXT and target == STANDARD:
        return _print(shown)
    kept = list(shown)
    if arguments.view == TEXT:
        texts = [render_document(one, width=WIDTH) for one in kept]
        write_page(target, "\n\n".join(texts) + "\n")
    else:
        write_page(target, _page(kept, arguments.files))
    if target != STANDARD:
        print_info(f"written: {count_entities(kept)}")
    return sum(len(one.spans) for one in kept)


def _print(documents: Iterable[ReaderDocument]) -> int:
    """Print documents, each as soon as it is known."""
    mentions = 0
    for number, one in enumerate(documents):
        blank = "\n" if number else ""
        ProgressLine.clear_current()
        print(f"{blank}{render_document(one, colours=has_colours())}", flush=True)
        mentions += len(one.spans)
    return mentions


def _page(documents: Sequence[ReaderDocument], files: Sequence[str]) -> str:
    from corefkit.tables.html import render_html_page

    names = ["standard input" if name == STANDARD else name for name in files]
    more = len(names) - _MOST_NAMED
    listed = ", ".join(label_paths(names)[:_MOST_NAMED])
    others = f" and {more} more" if more > 0 else ""
    title = f"Entities found in {listed}{others}"
    return render_html_page(
        build_entity_page(documents, title=title, made_by="corefkit resolve")
    )
