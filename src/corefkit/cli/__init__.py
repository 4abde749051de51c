"""The command `corefkit`: parse, call, print. Only this package prints or exits.

A command is a module with `HELP`, `add_arguments(parser)` and `run(arguments)`, and a
row in `COMMANDS`; only the command in use is imported. A command with commands of its
own is a package with `HELP` and `COMMANDS`.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from corefkit import strings as colours
from corefkit.cli.parsing import (
    MARGIN,
    NO_CONFIGURATION,
    CommandParser,
    Help,
    configuration_files,
    overview,
)
from corefkit.cli.telling import (
    CANNOT_BE_SCORED,
    DONE,
    Line,
    be_quiet,
    complain,
    inform,
    note,
    tell,
    tell_all,
    told_refused,
    warn,
)
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.kernel import in_words
from corefkit.settings import VERSION
from corefkit.strings import get_width

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType, ModuleType

__all__ = [
    "CANNOT_BE_SCORED",
    "COMMANDS",
    "DONE",
    "WRONG_USAGE",
    "Line",
    "complain",
    "inform",
    "main",
    "main_and_exit",
    "note",
    "scorer_and_exit",
    "tell",
    "tell_all",
    "told_refused",
    "warn",
]

COMMANDS: Mapping[str, str] = {
    "score": "score one or more responses against a key",
    "compare": "test whether one system is really better than another",
    "errors": "show what went wrong in responses, and what it costs",
    "report": "write one page with scores, tests, errors and texts",
    "explain": "show how a metric's score comes about, step by step",
    "doctor": "find what could explain a score far from the expected one",
    "serve": "open reports and leaderboards in a browser, on this machine",
    "validate": "list all problems of files",
    "convert": "write a file in another format",
    "stats": "count what corpora hold, side by side",
    "lab": "see how metrics behave, on the papers' sets and on yours",
    "train": "train the resolver on annotated documents",
    "resolve": "find the entities of documents or of plain text",
    "train-parser": "train a parser of raw text on a treebank",
    "experiment": "rerun the studies of the resolver's paper on open corpora",
    "completion": "print a script by which a shell completes commands",
    "manual": "print the manual page",
}

COMMON = "every command"  # the title of what all commands take
WRONG_USAGE = 2
BY_SIGNAL = 128  # and the number of the signal, as shells count

_ABOUT = "Coreference evaluation, exact to the papers and official scorers."

_DEFECT = (
    "this is a defect of corefkit; please report it with the output of the same "
    "command after `export COREFKIT_TRACEBACK=1`"
)


def main(
    argv: Sequence[str] | None = None, run: Callable[[list[str]], int] | None = None
) -> int:
    """Run a command line and return its exit code; `run` is another command's."""
    try:
        try:
            code = (run or _run)(list(sys.argv[1:] if argv is None else argv))
        except SystemExit as stop:  # argparse has printed help or what is wrong
            code = int(stop.code or 0)
        if sys.stdout is not None:  # it is None where it was closed
            sys.stdout.flush()
    except CorefkitError as error:
        complain(str(error))
        return WRONG_USAGE if isinstance(error, SettingsError) else CANNOT_BE_SCORED
    except BrokenPipeError:
        # Whoever read our output is gone; there is nothing left to flush to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        try:
            tell(_of_system(error))
        except OSError:  # what is left to print has no room either
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            tell(_of_system(error))
        return CANNOT_BE_SCORED
    except MemoryError:
        tell("corefkit: not enough memory for this input")
        return CANNOT_BE_SCORED
    except KeyboardInterrupt:
        return BY_SIGNAL + signal.SIGINT
    except _Stopped as stopped:
        return BY_SIGNAL + stopped.signal
    except Exception as error:  # no traceback ever reaches a user
        if os.environ.get("COREFKIT_TRACEBACK"):
            raise
        tell(f"corefkit: {type(error).__name__}: {error}")
        complain(f"\nhint: {_DEFECT}")
        return CANNOT_BE_SCORED
    finally:
        colours.set_colours(False)
    return code


def main_and_exit(run: Callable[[list[str]], int] | None = None) -> None:
    """Run the command line of this process, then exit."""
    # Nothing that is imported is garbage: looking for it there takes time.
    # `look_for_garbage` lets Python look again, at what comes after.
    gc.disable()
    # numpy's linear algebra, which nothing here uses, would start many threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.stderr is None:
        # It was closed; `print` would take standard output instead.
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        # A terminal without Unicode shows a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    for name in ("SIGTERM", "SIGHUP"):  # some systems have one only
        number = getattr(signal, name, None)
        # A signal that is ignored, as nohup does, stays ignored.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)
    sys.exit(main(run=run))


def scorer_and_exit() -> None:
    """Run the command line of this process as `corefkit-scorer`, then exit."""
    main_and_exit(_run_scorer)


def _run_scorer(words: list[str]) -> int:
    # Imported here, where garbage is not looked for.
    from corefkit.cli.scorer import run

    look_for_garbage()
    return run(words)


class _Stopped(BaseException):
    """The command was stopped; what is half written is removed on the way out."""

    def __init__(self, signal: int) -> None:
        self.signal = signal


def _stop(number: int, _: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # once is enough
    raise _Stopped(number)


def _of_system(error: OSError) -> str:
    """Say what the system refuses, and where; only standard output has no name."""
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return f"standard output cannot be written: {error.strerror}"
    return f"corefkit: {error}"


def _run(words: list[str]) -> int:
    """Find the command that the first words name, and run it."""
    name, commands, about = "corefkit", COMMANDS, _ABOUT
    while True:
        if not words or words[0] not in commands:
            parser = overview(name, commands, about)
            if name == "corefkit":
                version = f"corefkit {VERSION} ({in_words()})"
                parser.add_argument("--version", action="version", version=version)
            parser.list_or_refuse(words)
        name, words = f"{name} {words[0]}", words[1:]
        module = module_of(name)
        if not hasattr(module, "COMMANDS"):
            break
        commands, about = module.COMMANDS, module.HELP
    look_for_garbage()
    parser = parser_of(name, module)
    arguments = _arguments(name, parser, words)
    colours.set_colours(colours.should_colour(sys.stdout))
    target = getattr(arguments, "target_file", None)
    if target is None:
        code: int = module.run(arguments)
        return code
    # Imported here because few calls need it and every start would pay.
    from corefkit.cli.writing import printed_to

    with printed_to(target, parser.files_in(arguments)):
        return int(module.run(arguments))


def parser_of(name: str, module: ModuleType) -> CommandParser:
    """Make the parser of a command that has no commands of its own."""
    # argparse would import much to find out the width, and once for each option.
    help_of = partial(Help, width=get_width() - MARGIN)
    parser = CommandParser(
        prog=name, description=module.HELP, formatter_class=help_of, allow_abbrev=False
    )
    module.add_arguments(parser)
    _add_common_options(parser)
    return parser


def module_of(name: str) -> ModuleType:
    """Import the module of a command, such as `corefkit lab perturb`."""
    home = ".".join(name.replace("-", "_").split()[1:])
    return import_module(f"corefkit.cli.{home}")


def _arguments(name: str, parser: CommandParser, words: list[str]) -> Namespace:
    """Read the words of a command, and the defaults that a project has for it."""
    defaults = None
    if not {NO_CONFIGURATION, "--help", "-h"} & {*words}:
        paths = configuration_files()
        if paths:
            # Imported here because few projects have such a file.
            from corefkit.cli.configuration import defaults_for

            defaults = defaults_for(paths, name.partition(" ")[2], parser)
    arguments = parser.parse_words(words)
    if defaults is not None:
        defaults.apply(arguments)
    be_quiet(arguments.quiet)
    if defaults is not None:
        defaults.tell(arguments)
    return arguments


def look_for_garbage() -> None:
    """Let Python look for garbage, now that the command is imported."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _add_common_options(parser: CommandParser) -> None:
    """Add what every command takes."""
    group = parser.add_argument_group(COMMON)
    group.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="show no notes and no progress; warnings and errors are shown",
    )
    group.add_argument(
        NO_CONFIGURATION,
        action="store_true",
        help="take no options from corefkit.toml or pyproject.toml",
    )
