"""`corefkit completion SHELL`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli import DONE, options
from corefkit.cli.shells import bash, fish, zsh

if TYPE_CHECKING:
    import argparse

SHELLS = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}

HELP = """Print a script by which a shell completes commands, options and their values.

The script completes `corefkit` and `corefkit-scorer`. It needs no Python when you press
Tab. Put it where your shell looks for such scripts, and start a new shell:

  bash  corefkit completion bash -o ~/.local/share/bash-completion/completions/corefkit
  zsh   corefkit completion zsh -o FOLDER/_corefkit, for a FOLDER that $fpath names
  fish  corefkit completion fish -o ~/.config/fish/completions/corefkit.fish

`corefkit-scorer` needs the same file under its own name in bash and fish. Make it anew
after an update of corefkit."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "shell", metavar="SHELL", choices=tuple(SHELLS), help=", ".join(SHELLS)
    )
    options.add_file_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    print(SHELLS[arguments.shell](), end="")
    return DONE
