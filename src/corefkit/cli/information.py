"""`corefkit help`, `example`, `completion` and `cite`."""

from __future__ import annotations

import argparse
from pathlib import Path
from shutil import copyfile

from corefkit.cli import arguments as options
from corefkit.cli.arguments import SETTINGS_TITLE, Command, format_settings_help
from corefkit.cli.messages import EXIT_OK, print_info
from corefkit.cli.output import make_folder
from corefkit.exceptions import SettingsError
from corefkit.settings import VERSION

SHELLS = {"bash": "corefkit.bash", "zsh": "_corefkit", "fish": "corefkit.fish"}
SHELL_FILES = Path(__file__).parent / "shells"

BIBTEX = f"""@software{{corefkit,
  author  = {{{{corefkit contributors}}}},
  title   = {{corefkit: coreference evaluation}},
  version = {{{VERSION}}},
  year    = {{2026}},
  url     = {{https://corefkit.github.io/corefkit/}},
}}"""


def _add_topic(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "topic",
        metavar="COMMAND",
        nargs="*",
        help="command to explain, as in `score` or `lab perturb`; or `settings`",
    )


def _print_help(arguments: argparse.Namespace) -> int:
    from corefkit.cli import run_words

    if arguments.topic == [SETTINGS_TITLE]:
        print(format_settings_help(), end="")
        return EXIT_OK
    return run_words([*arguments.topic, "--help"])


def _add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="folder to write the files to"
    )


def _write_example(arguments: argparse.Namespace) -> int:
    from corefkit.example import paths, trees

    folder = arguments.folder
    sources = [*paths(), trees()]
    for source in sources:
        if (folder / source.name).exists():
            message = f"{str(folder / source.name)!r} already exists"
            raise SettingsError(
                message, code="settings/invalid-target", hint="name another folder"
            )
    make_folder(folder)
    for source in sources:
        copyfile(source, folder / source.name)
        print(folder / source.name)
    key, careful, _ = (folder / path.name for path in paths())
    print_info(f"try: corefkit score {key} {careful}")
    return EXIT_OK


def _add_shell(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell", metavar="SHELL", choices=tuple(SHELLS), help=", ".join(SHELLS)
    )
    options.add_file_option(parser)


def _print_completion(arguments: argparse.Namespace) -> int:
    path = SHELL_FILES / SHELLS[arguments.shell]
    print(path.read_text("utf-8"), end="")
    return EXIT_OK


def _print_citation(_: argparse.Namespace) -> int:
    print(BIBTEX)
    return EXIT_OK


COMMANDS = {
    "help": Command(
        "Show the help of a command or of the settings.",
        _add_topic,
        _print_help,
        (
            "corefkit help score",
            "corefkit help lab perturb",
            "corefkit help settings",
        ),
    ),
    "example": Command(
        """Write the bundled example to a folder.

It is a small corpus: four short texts with a key (key.conll), the responses of two
systems that fail in opposite ways (careful.conll, greedy.conll), and the key with tags
and trees (trees.conllu). The tutorial uses these files. Existing files are not
replaced.""",
        _add_folder,
        _write_example,
        ("corefkit example .",),
    ),
    "completion": Command(
        """Print a shell completion script for commands, options and values.

Write it to the folder of your shell, and start a new shell:

  bash  ~/.local/share/bash-completion/completions/corefkit
  zsh   _corefkit in a folder that $fpath names
  fish  ~/.config/fish/completions/corefkit.fish

pip installs the scripts in share/ of the environment. Write the script again after an
update of corefkit.""",
        _add_shell,
        _print_completion,
        (
            "corefkit completion bash -o ~/.corefkit.bash",
            "corefkit completion zsh -o ~/.zfunc/_corefkit",
            "corefkit completion fish -o ~/.config/fish/completions/corefkit.fish",
        ),
    ),
    "cite": Command(
        "Print the BibTeX entry of corefkit.",
        lambda _: None,
        _print_citation,
        ("corefkit cite >> references.bib",),
    ),
}
