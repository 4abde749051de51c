"""`corefkit train --from-scratch FOLDER`: progress, the model, and a report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from cistell.places import users_model
from cistell.scratch import Options, train_from_scratch
from corefkit.cli import cistell
from corefkit.cli.messages import ProgressLine, print_info, print_note
from corefkit.cli.output import make_folder
from corefkit.exceptions import SettingsError
from corefkit.formats.output import check_writable
from corefkit.strings import format_duration, format_time_left
from corefkit.tables.model import Table, make_columns, make_rows
from corefkit.tables.terminal import render_terminal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from cistell.scratch import Outcome
    from cistell.scratch.judging import Score
    from cistell.scratch.steps import Progress

# Options that choose what is learned, which is chosen here.
_CLASH = {
    **{name: f"--{name}" for name in ("paper", "learner", "heldout", "tagger")},
    **{name: f"--{name}" for name in ("features", "without", "pairs")},
    **{name: f"--{name}" for name in ("positives", "negatives")},
    "rank_features": "--rank-features",
    "entity_types": "--entity-types",
    "format": "--from",
}


def run(arguments: argparse.Namespace) -> int:
    """Train, write the model, and print what it scores."""
    _check(arguments)
    target = Path(arguments.output or users_model(arguments.language))
    if arguments.output is None:
        make_folder(target.parent)
    check_writable(target)
    options = Options(
        cistell.context_given(arguments, arguments.language, "all"),
        seed=arguments.seed,
        jobs=arguments.jobs or os.cpu_count() or 1,
        epochs=arguments.epochs,
        small=arguments.small,
        note=print_note,
    )
    with ProgressLine() as line:
        outcome = train_from_scratch(arguments.from_scratch, options, show=_shown(line))
    cistell.note_masked(outcome.corpus.masked)
    outcome.resolver.save(target)
    _report(outcome, target, kept=arguments.output is None)
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that clash, before anything is read."""
    if arguments.files or arguments.example:
        message = "--from-scratch takes a folder, and no other files"
        raise SettingsError(
            message, code="settings/conflict", hint="leave out FILE and --example"
        )
    for name, option in _CLASH.items():
        # `--no-tagger` is said too, and is False.
        said = getattr(arguments, name)
        if said or (name == "tagger" and said is not None):
            message = f"--from-scratch and {option} do not go together"
            hint = "--from-scratch chooses what is best for raw text; leave one out"
            raise SettingsError(message, code="settings/conflict", hint=hint)
    for name in ("jobs", "epochs"):
        number = getattr(arguments, name)
        if number is not None and number < 1:
            message = f"--{name} cannot be {number}"
            raise SettingsError(
                message, code="settings/invalid-value", hint="give 1 or more"
            )


def _shown(line: ProgressLine) -> Callable[[Progress], None]:
    """Return a function that shows on a line how far the training is.

    Each step is told when it begins, so that a log shows it too.
    """
    begun = set[str]()

    def show(progress: Progress) -> None:
        if progress.step not in begun:
            begun.add(progress.step)
            line.show("")
            print_info(f"{progress.number} of {progress.steps}: {progress.step}")
        line.show(f"{100 * progress.done:3.0f}%{format_time_left(progress.left)}")

    return show


def _report(outcome: Outcome, target: Path, *, kept: bool) -> None:
    if outcome.scores:
        print(render_terminal([_grid(outcome.scores)]))
        print(f"\ntest part of {outcome.corpus.name}, in percent")
    else:
        print_note("the corpus has no test part, so nothing was scored")
    minutes = format_duration(sum(outcome.seconds.values()))
    print_info(f"written: {target}, trained in {minutes}")
    if kept:
        print_info("`corefkit resolve FILE` uses it from now on")


def _grid(scores: Sequence[Score]) -> Table:
    """Lay out scores, a row for each measure of each stage."""
    rows = [(one.stage, one.name, f"{one.percent:.2f}") for one in scores]
    heads = make_columns(["From", "Measure", "Score"])
    return Table(heads, make_rows(rows), mark_width=1)
