"""Inputs and options that several commands share."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from corefkit.exceptions import SettingsError
from corefkit.formats import FORMATS, READ_ONLY
from corefkit.settings import PRESETS, SETTINGS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from corefkit.settings import Keywords

_PIPES = ("/dev/stdin", "/dev/fd/0")
_Parser: TypeAlias = "argparse.ArgumentParser | argparse._ArgumentGroup"
_NAMES = "NAME=PATH gives it a name"


class NamedPath(NamedTuple):
    """A file or folder, and what to call it."""

    name: str
    path: str


def named(word: str) -> NamedPath:
    """Read `NAME=PATH` or a path, which is then its own name.

    The name has one character or more and no `/`. A word that is the path of a file or
    folder as it stands is never split.

    >>> named("base=runs/1.conll"), named("runs/a=1.conll").name
    (NamedPath(name='base', path='runs/1.conll'), 'runs/a=1.conll')
    """
    name, _, path = word.partition("=")
    # Not Path.exists, which raises for what cannot be a path.
    whole = not path or name in ("", ".") or "/" in name or os.path.exists(word)  # noqa: PTH110
    return NamedPath(word, word) if whole else NamedPath(name, path)


def check_files(files: Sequence[NamedPath], *, key: str | None = None) -> None:
    """Refuse a name that stands for two files, and standard input if it comes twice.

    A file without a name may come twice, but of standard input nothing is left then.

    >>> check_files([named("a.conll"), named("a.conll"), named("-")], key="a.conll")
    """
    if any(file.name != file.path for file in files):
        for name, count in Counter(file.name for file in files).items():
            if count > 1:
                message = f"the name {name!r} is given {count} times, expected once"
                raise SettingsError(
                    message,
                    code="settings/duplicate-name",
                    hint="name each as NAME=PATH",
                )
    check_standard_input([key or "", *(file.path for file in files)])


def check_standard_input(paths: Iterable[str]) -> None:
    """Refuse to read standard input twice.

    >>> check_standard_input(["key.conll", "-"])
    """
    # A file that standard input is read from can be opened again, a pipe cannot.
    pipes = {"-"} | {path for path in _PIPES if not os.path.isfile(path)}  # noqa: PTH113
    if sum(path in pipes for path in paths) > 1:
        message = "standard input is named twice, but can be read only once"
        raise SettingsError(
            message,
            code="settings/duplicate-name",
            hint="name a file in place of one of the two",
        )


def add_inputs(
    parser: argparse.ArgumentParser, *, several: bool, done: str = "shown side by side"
) -> None:
    """Add KEY, RESPONSE and `--example`; `done` says what happens to several."""
    parser.add_argument(
        "key", metavar="KEY", nargs="?", help="file or folder with the key"
    )
    more = f"; several are {done}" if several else ""
    parser.add_argument(
        "responses",
        metavar="RESPONSE",
        nargs="*" if several else "?",
        type=named,
        help=f"file or folder with a response; {_NAMES}{more}",
    )
    add_example_option(parser)


def add_corpora(parser: argparse.ArgumentParser) -> None:
    """Add FILE, which may have a name, and `--example`."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        type=named,
        help=f"file or folder of a corpus; {_NAMES}; several are shown side by side",
    )
    add_example_option(parser)


def add_example_option(
    parser: argparse.ArgumentParser, what: str = "the bundled example corpus"
) -> None:
    """Add `--example`."""
    parser.add_argument(
        "--example", action="store_true", help=f"use {what} in place of files"
    )


def inputs(arguments: argparse.Namespace) -> tuple[str, list[NamedPath]]:
    """Find the key and the responses that a command line names."""
    given = arguments.responses or []
    responses = [given] if isinstance(given, NamedPath) else list(given)
    needed = "a key and a response are"
    if is_example(arguments, arguments.key, *responses, needed=needed, least=2):
        key, *responses = examples()
        return key.path, responses
    check_files(responses, key=arguments.key)
    return arguments.key, responses


def corpora(arguments: argparse.Namespace) -> list[NamedPath]:
    """Find the corpora that a command line names."""
    if is_example(arguments, *arguments.files):
        return examples()
    check_files(arguments.files)
    return list(arguments.files)


def examples() -> list[NamedPath]:
    """List the files of the bundled example, the key first."""
    from corefkit.example import paths

    return [NamedPath(str(path), str(path)) for path in paths()]


def is_example(
    arguments: argparse.Namespace,
    *files: object,
    needed: str = "a file is",
    least: int = 1,
) -> bool:
    """Tell whether `--example` is given; refuse it beside files, and none of both."""
    given = [file for file in files if file is not None]
    if arguments.example and given:
        message = "--example comes with its own files"
        raise SettingsError(
            message, code="settings/conflict", hint="leave out the files, or --example"
        )
    if not arguments.example and len(given) < least:
        message = f"{needed} needed"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint="name files or folders, or use --example",
        )
    return bool(arguments.example)


def add_settings_options(
    parser: argparse.ArgumentParser, *, weights: bool = False
) -> None:
    """Add an option for each setting, for the preset and for the format of files.

    Weights are for commands with metrics that weigh mentions.
    """
    group = parser.add_argument_group("settings (the signature names them)")
    group.add_argument(
        "--preset", metavar="NAME", help=f"settings to start from: {', '.join(PRESETS)}"
    )
    for row in SETTINGS.values():
        if row.is_option and (weights or row.name != "weights"):
            group.add_argument(
                row.option,
                metavar=row.metavar,
                choices=row.choices or None,
                help=row.help,
            )
    add_format_option(parser)


def settings_given(arguments: argparse.Namespace) -> Keywords:
    """Collect the preset and the settings of a command line; None where not given."""
    given = {name: getattr(arguments, name, None) for name in ("preset", *SETTINGS)}
    return cast("Keywords", given)


def add_format_option(parser: argparse.ArgumentParser) -> None:
    """Add `--from`."""
    parser.add_argument(
        "--from",
        dest="format",
        metavar="FORMAT",
        help="format of the files, if it is not recognised: "
        f"{', '.join((*FORMATS, *READ_ONLY))}",
    )


def add_target_format_option(parser: argparse.ArgumentParser) -> None:
    """Add `--to`."""
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        help="format to write, if the ending of OUT does not tell",
    )


def add_names(parser: _Parser, option: str, what: str, *, default: str = "all") -> None:
    """Add an option that takes names; `names_given` reads them."""
    every = ", or `all`" if option == "--metric" else ""
    parser.add_argument(
        *spellings(option),
        action="append",
        metavar="NAME",
        help=f"{what}; repeat it, or separate names by commas{every} "
        f"(default: {default})",
    )


def spellings(option: str) -> tuple[str, ...]:
    """List the spellings of an option; that of metrics has two."""
    return (option, "--metrics") if option == "--metric" else (option,)


def add_output_option(
    parser: argparse.ArgumentParser,
    writers: Iterable[str],
    *,
    more: str = "",
    file: bool = True,
) -> None:
    """Add `--format`, which names one of the writers; the first is the default.

    Add `-o` too, which `corefkit.cli` sees to, unless a command has its own.
    """
    names = list(writers)
    parser.add_argument(
        "--format",
        dest="output",
        choices=names,
        default=names[0],
        metavar="|".join(names),
        help=f"output format{more} (default: {names[0]})",
    )
    if file:
        add_file_option(parser)


def add_file_option(parser: argparse.ArgumentParser) -> None:
    """Add `-o FILE`, to which all that is printed goes."""
    parser.add_argument(
        "-o",
        "--output",
        dest="target_file",
        metavar="FILE",
        help="write to this file, which is replaced only when all is written "
        "(default: standard output)",
    )


def add_folder_option(parser: argparse.ArgumentParser, what: str) -> None:
    """Add `-o FOLDER`."""
    # Imported here because few commands need it, and every start would pay.
    from pathlib import Path

    parser.add_argument(
        "-o",
        "--output",
        dest="folder",
        type=Path,
        metavar="FOLDER",
        help=f"also write {what} to this folder",
    )


def add_per_document(parser: argparse.ArgumentParser) -> None:
    """Add the option that shows documents."""
    about = "show every document too"
    parser.add_argument("--per-document", action="store_true", help=about)


def add_sort(parser: argparse.ArgumentParser, what: str, *, more: str = "") -> None:
    """Add the option that sorts responses."""
    meaning = f"sort {what}; `name` sorts by name{more}"
    parser.add_argument("--sort", metavar="NAME", help=meaning)


def add_number(parser: _Parser, option: str, default: int, what: str) -> None:
    """Add an option that takes a whole number."""
    about = f"{what} (default: {default})"
    parser.add_argument(option, type=int, default=default, metavar="N", help=about)


def names_given(words: Sequence[str] | None, option: str) -> list[str] | None:
    """List the names of an option that is repeated or has commas; None without it."""
    if words is None:
        return None
    names = [name for word in words for name in word.split(",") if name]
    if not names:
        message = f"{option} names nothing"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint=f"give one name or more: {option} NAME,NAME",
        )
    return names
