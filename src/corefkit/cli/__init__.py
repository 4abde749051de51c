"""The command `corefkit`: parse, call, print. Only this package prints or exits.

A command is a module with `HELP`, `add_arguments(parser)` and `run(arguments)`, and a
row in `COMMAND_GROUPS`. `EXAMPLES` and `COMMON_OPTIONS` fill its short help. Only the
module of the command in use is imported. A module with several commands, such as
`lab`, has a mapping `COMMANDS` instead.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from corefkit import strings as colours
from corefkit.cli.arguments import NO_CONFIG, Command, CommandParser, format_overview
from corefkit.cli.config import load_configuration
from corefkit.cli.messages import (
    EXIT_FAILURE,
    EXIT_OK,
    EXIT_USAGE,
    print_error,
    print_stderr,
    set_quiet,
)
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.formats.files import describe_kernel
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from types import FrameType

__all__ = [
    "COMMANDS",
    "COMMAND_GROUPS",
    "load_commands",
    "main",
    "main_and_exit",
    "scorer_and_exit",
]

COMMAND_GROUPS: Mapping[str, Mapping[str, str]] = {
    "score and compare": {
        "score": "score one or more responses against a key",
        "compare": "test which systems differ significantly",
        "suite": "score systems on several corpora, and rank them by the mean",
        "report": "write an HTML report with scores, tests, errors and texts",
        "serve": "open reports and leaderboards in a browser, on this machine",
    },
    "understand a score": {
        "errors": "count errors by kind, and compute the cost of each kind",
        "explain": "show the computation of a metric, step by step",
        "doctor": "find the cause of a surprising score",
        "lab": "recompute papers, and study the behaviour of metrics",
    },
    "prepare files": {
        "validate": "list all problems of files",
        "convert": "write a file in another format",
        "stats": "count documents, mentions and entities, side by side",
    },
    "help": {
        "help": "show the help of a command or of the settings",
        "example": "write the bundled example to a folder",
        "completion": "print a shell completion script",
        "cite": "print the BibTeX entry of corefkit",
    },
}
COMMANDS: Mapping[str, str] = {
    name: summary
    for commands in COMMAND_GROUPS.values()
    for name, summary in commands.items()
}

PROGRAM = "corefkit"
ABOUT = "Coreference evaluation, exact to the papers and official scorers."
EXIT_SIGNAL = 128  # plus the number of the signal, as in shells

# Commands that share a module.
_MODULES = dict.fromkeys(("help", "example", "completion", "cite"), "information")
_HELP_OPTIONS = ("-h", "--help")
# Commands of earlier versions, and what replaces them.
_MOVED = {
    "resolve": "cistell resolve",
    "train": "cistell train",
    "experiment": "cistell study",
}
_DEFECT = (
    "this is a defect of corefkit; please report it with the output of the same "
    "command after `export COREFKIT_TRACEBACK=1`"
)


def main(
    argv: Sequence[str] | None = None, run: Callable[[list[str]], int] | None = None
) -> int:
    """Run a command line and return its exit code."""
    try:
        try:
            code = (run or run_words)(list(sys.argv[1:] if argv is None else argv))
        except SystemExit as stop:  # argparse has printed help or an error
            code = int(stop.code or 0)
        if sys.stdout is not None:  # None if it was closed
            sys.stdout.flush()
    except CorefkitError as error:
        print_error(error)
        return EXIT_USAGE if isinstance(error, SettingsError) else EXIT_FAILURE
    except BrokenPipeError:
        _discard_stdout()
        return EXIT_OK
    except OSError as error:
        try:
            print_error(_format_oserror(error))
        except OSError:  # buffered output cannot be written either
            _discard_stdout()
            print_error(_format_oserror(error))
        return EXIT_FAILURE
    except MemoryError:
        print_error("not enough memory for this input")
        return EXIT_FAILURE
    except KeyboardInterrupt:
        return EXIT_SIGNAL + signal.SIGINT
    except _Stopped as stopped:
        return EXIT_SIGNAL + stopped.signal
    except Exception as error:  # users never see a traceback
        if os.environ.get("COREFKIT_TRACEBACK"):
            raise
        print_error(f"{type(error).__name__}: {error}")
        print_stderr(f"\nhint: {_DEFECT}")
        return EXIT_FAILURE
    finally:
        colours.set_colours(False)
    return code


def main_and_exit(run: Callable[[list[str]], int] | None = None) -> None:
    """Run the command line of this process, then exit."""
    # Imported modules are never garbage: collecting while importing takes time.
    # `enable_gc` turns the collector on again.
    gc.disable()
    # numpy's linear algebra, which is not used here, would start many threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.stderr is None:
        # It was closed; `print` would use stdout instead.
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        # A terminal without Unicode shows a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    for name in ("SIGTERM", "SIGHUP"):  # some systems have only one of them
        number = getattr(signal, name, None)
        # An ignored signal, as with nohup, stays ignored.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)
    sys.exit(main(run=run))


def scorer_and_exit() -> None:
    """Run the command line of this process as `corefkit-scorer`, then exit."""
    main_and_exit(_run_scorer)


def _run_scorer(words: list[str]) -> int:
    from corefkit.cli.scorer import run

    enable_gc()
    return run(words)


class _Stopped(BaseException):
    """The command was stopped; unfinished files are removed on the way out."""

    def __init__(self, signal: int) -> None:
        self.signal = signal


def _stop(number: int, _: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # once is enough
    raise _Stopped(number)


def _discard_stdout() -> None:
    """Redirect stdout to nowhere, since its reader is gone or its disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _format_oserror(error: OSError) -> str:
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return f"standard output cannot be written: {error.strerror}"
    return str(error)


def run_words(words: list[str]) -> int:
    """Run the command that the first words name."""
    if words == ["--version"]:
        print(f"{PROGRAM} {VERSION} ({describe_kernel()})")
        return EXIT_OK
    name, words = _choose(PROGRAM, ABOUT, COMMAND_GROUPS, words)
    command = load_command(name)
    names: list[Collection[str]] = [COMMANDS]
    if not isinstance(command, Command):
        summaries = {part: entry.summary for part, entry in command.items()}
        groups = {"commands": summaries}
        part, words = _choose(f"{PROGRAM} {name}", COMMANDS[name], groups, words)
        command, name = command[part], f"{name} {part}"
        names.append(summaries)
    enable_gc()
    parser = CommandParser.from_command(f"{PROGRAM} {name}", command)
    configuration = None
    if not {NO_CONFIG, *_HELP_OPTIONS} & {*words}:
        configuration = load_configuration(name, words, parser, names)
    arguments = parser.parse_words(words, configuration.words if configuration else ())
    set_quiet(arguments.quiet)
    if configuration is not None:
        arguments.configured = configuration.keys
        configuration.report(quiet=arguments.quiet)
    colours.set_colours(colours.should_colour(sys.stdout))
    target = getattr(arguments, "target_file", None)
    if target is None:
        return command.run(arguments)
    from corefkit.cli.output import redirect_output

    with redirect_output(target, parser.list_input_files(arguments)):
        return command.run(arguments)


def _choose(
    prog: str,
    about: str,
    groups: Mapping[str, Mapping[str, str]],
    words: Sequence[str],
) -> tuple[str, list[str]]:
    """Split words into a command and its words; or print the overview and exit."""
    names = [name for commands in groups.values() for name in commands]
    if words and words[0] not in (*names, *_HELP_OPTIONS):
        _reject_word(prog, words[0], names)
    if words and words[0] in names:
        return words[0], list(words[1:])
    text = format_overview(prog, about, groups)
    if not words:
        print_stderr(text.rstrip("\n"))
        raise SystemExit(EXIT_USAGE)
    print(text, end="")
    raise SystemExit(EXIT_OK)


def _reject_word(prog: str, word: str, names: Sequence[str]) -> NoReturn:
    parser = CommandParser(prog=prog, usage=f"{prog} COMMAND [ARGUMENT...]")
    if prog == PROGRAM and word in _MOVED:
        message = f"the command `{PROGRAM} {word}` is now `{_MOVED[word]}`"
        parser.error(message, hint="pip install cistell")
    if not word.startswith("-"):
        parser.error(f"unknown command {word!r}", hint=colours.suggest(word, names))
    nearest = colours.find_nearest(word, ["--version", "--help"])
    hint = f"options follow the command: {prog} COMMAND {word}"
    if nearest:
        hint = f"did you mean {nearest}?"
    parser.error(f"unrecognized arguments: {word}", hint=hint)


def load_command(name: str) -> Command | Mapping[str, Command]:
    """Import a command, or the commands of one such as `lab`."""
    module = import_module(f"corefkit.cli.{_MODULES.get(name, name).replace('-', '_')}")
    if name in _MODULES:
        command: Command = module.COMMANDS[name]
        return command
    if hasattr(module, "COMMANDS"):
        commands: Mapping[str, Command] = module.COMMANDS
        return commands
    return Command(
        module.HELP,
        module.add_arguments,
        module.run,
        getattr(module, "EXAMPLES", ()),
        getattr(module, "COMMON_OPTIONS", ()),
    )


def load_commands() -> dict[str, Command]:
    """Import all commands, by their words such as `lab perturb`."""
    commands: dict[str, Command] = {}
    for name in COMMANDS:
        command = load_command(name)
        if isinstance(command, Command):
            commands[name] = command
        else:
            commands |= {f"{name} {part}": entry for part, entry in command.items()}
    return commands


def enable_gc() -> None:
    """Enable the garbage collector after imports; see `main_and_exit`."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
