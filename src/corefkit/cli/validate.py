"""`corefkit validate FILE...`."""

from __future__ import annotations

import argparse

from corefkit.cli import arguments as options
from corefkit.cli.messages import ProgressLine, print_info
from corefkit.formats.problems import SEVERITIES, WARNING
from corefkit.formats.validation import (
    PROFILES,
    format_counts,
    validate_path,
)
from corefkit.settings import VERSION
from corefkit.strings import has_colours, highlight_problem

HELP = """List all problems of files, each with file:line and a hint.

A problem has one of three severities:

  error    the file cannot be scored
  warning  a probable mistake in a valid file
  note     unusual; listed with --severity note

A file without listed problems is ok. The exit code is 0 if all files are ok, and 1
otherwise; with --severity error, it shows if the files can be scored."""

EXAMPLES = (
    "corefkit validate key.conll response.conll",
    "corefkit validate corpus/ --severity note",
    "corefkit validate response.conll --format json",
)
COMMON_OPTIONS = ("--severity", "--format", "--output", "--from")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="file or folder to check"
    )
    meaning = "list problems of this severity and above"
    options.add_choice_option(
        parser, "--severity", SEVERITIES, meaning, default=WARNING
    )
    parser.add_argument(
        "--profile",
        choices=list(PROFILES),
        metavar="|".join(PROFILES),
        help="add the tests of the shared tasks' official validator, whose verdict the "
        "exit code is",
    )
    options.add_output_option(parser, ("table", "json"))
    options.add_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    options.check_files([options.NamedPath(file, file) for file in arguments.files])
    severity, is_table = arguments.severity, arguments.output == "table"
    validations = []
    with ProgressLine() as line:
        callbacks = line.track_files("checking", arguments.files)
        for file, update in zip(arguments.files, callbacks, strict=True):
            validation = validate_path(
                file,
                format=arguments.format,
                profile=arguments.profile,
                progress=update,
            )
            validations.append(validation)
            if is_table:  # at once, since the next file may take a while
                line.show("")
                for text in validation.format_lines(least=severity):
                    print(highlight_problem(text, on=has_colours()))
    if is_table:
        listed, hidden = format_counts(validations, least=severity)
        if listed:
            print(listed)
        if hidden:
            print_info(hidden)
    else:
        from corefkit.results.records import format_json

        files = [validation.to_dict(least=severity) for validation in validations]
        print(format_json({"corefkit": VERSION, "files": files}))
    return int(not all(validation.is_ok(least=severity) for validation in validations))
