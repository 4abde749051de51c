"""`corefkit convert IN OUT`."""

from __future__ import annotations

import argparse

from corefkit.cli import arguments as options
from corefkit.cli.messages import ProgressLine
from corefkit.cli.output import (
    STANDARD,
    check_target,
    report_losses,
    write_documents,
)
from corefkit.exceptions import SettingsError
from corefkit.formats import FORMATS, get_writable_format, read
from corefkit.formats.output import find_format, remove_annotation

_ENDINGS = "\n".join(
    f"  {row.name:<{max(map(len, FORMATS))}}  {row.label:<26}  {' '.join(row.suffixes)}"
    for row in FORMATS.values()
)
HELP = f"""Write the documents of a file or folder in another format.

The format of IN is detected from its content, that of OUT from its suffix unless --to
specifies it. Annotation that the format does not support is dropped and listed on
stderr. Formats with one document per file require a folder as OUT. OUT is replaced only
after a successful run.

Supported formats and suffixes:
{_ENDINGS}
Text formats in one file can be compressed: use the suffix .gz."""

EXAMPLES = (
    "corefkit convert key.conll key.jsonl",
    "corefkit convert corpus.conllu corpus/ --to brat",
    "corefkit convert key.conllu prompts/ --to inline --blind",
    "corefkit convert - - --from jsonl --to conll < in.jsonl > out.conll",
)
COMMON_OPTIONS = ("--from", "--to")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="IN", help="file or folder to read; `-` is standard input"
    )
    parser.add_argument(
        "target", metavar="OUT", help="file or folder to write; `-` is standard output"
    )
    options.add_format_option(parser)
    options.add_options(
        parser,
        "--to FORMAT: format of OUT (default: from its suffix)\n"
        "--blind: drop entities and empty nodes, as for prompts",
    )


def run(arguments: argparse.Namespace) -> int:
    """Convert, and print how much was written and lost."""
    source, target = arguments.source, arguments.target
    to = arguments.to
    format = find_format(target) if to is None else get_writable_format(to)
    if arguments.blind and not format.writer.words:
        message = f"--blind writes the text only, and {format.label} has no words"
        raise SettingsError(message, code="settings/conflict", hint="--to crac-text")
    check_target([source], target, format)
    with ProgressLine() as line:
        # On a terminal, a progress line would mix with the output.
        progress = None if target == STANDARD else line.track("converting")
        documents = read(source, format=arguments.format, progress=progress)
        if arguments.blind:
            documents = map(remove_annotation, documents)
        losses = write_documents(documents, [source], target, format)
    report_losses(losses)
    return 0
