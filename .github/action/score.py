"""The step of `action.yml` that scores: variables in, summary and outputs out.

KEY, RESPONSE, METRICS, OPTIONS, MINIMUM and MINIMUM_METRIC are the action's inputs. The
table goes to the file that GITHUB_STEP_SUMMARY names, outputs to that of GITHUB_OUTPUT,
and messages to the log. The exit code is that of `corefkit score`, or 1 below the
minimum, or 2 for a wrong input.
"""

from __future__ import annotations

import json
import os
import secrets
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any


class WrongInputError(Exception):
    """An input of the action is not what it should be."""


def main() -> int:
    """Score, then write the summary and the outputs, then look at the minimum."""
    try:
        lowest, (options, files) = minimum(os.environ["MINIMUM"]), arguments()
        done = corefkit("score", *options, "--format=json", *files)
        log_safely(done.stderr)
        told = done.stderr.splitlines()
        if done.returncode and not done.stdout:
            summarise(f"The responses could not be scored:\n\n{verbatim(told)}")
            return done.returncode
        scores = read_scores(done.stdout)
        table = corefkit("score", *options, "--format=markdown", *files)
        warnings = [line for line in told if line.startswith("warning: ")]
        summarise(f"{table.stdout}\n{verbatim(warnings)}")
        give_outputs(scores, stored(done.stdout))
        messages = too_low(scores, lowest, os.environ["MINIMUM_METRIC"])
    except WrongInputError as error:
        tell_error(str(error))
        return 2
    for message in messages:
        tell_error(message)
    return done.returncode or min(len(messages), 1)


def minimum(text: str) -> float | None:
    """Read the minimum; None where there is none."""
    if not text.strip():
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 1:
        message = f"minimum: found {text!r}, expected a number from 0 to 1, such as 0.6"
        raise WrongInputError(message)
    return number


def arguments() -> tuple[list[str], list[str]]:
    """Make options and files of `corefkit score` from the inputs."""
    key, responses = os.environ["KEY"].strip(), os.environ["RESPONSE"].splitlines()
    responses = [line.strip() for line in responses if line.strip()]
    if not key or not responses:
        message = "key, response: expected a file or folder each"
        raise WrongInputError(message)
    try:
        options = shlex.split(os.environ["OPTIONS"])
    except ValueError as error:
        message = f"options: {error}"
        raise WrongInputError(message) from error
    metrics = os.environ["METRICS"].strip()
    if metrics:
        options += ["--metric", metrics]
    return options, ["--", key, *responses]


def corefkit(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of corefkit."""
    # Isolated: files of the workspace are no modules, whatever their names are.
    command = [sys.executable, "-I", "-X", "utf8", "-m", "corefkit", *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def read_scores(text: str) -> dict[str, Any]:
    """Read the JSON that was printed, unless an option such as --help prevented it."""
    try:
        scores: dict[str, Any] = json.loads(text)
    except ValueError as error:
        message = "options: expected some that let `corefkit score` print its scores"
        raise WrongInputError(message) from error
    return scores


def stored(text: str) -> Path:
    """Write scores to a file that later steps can read."""
    path = Path(os.environ["RUNNER_TEMP"], f"corefkit-{secrets.token_hex(4)}.json")
    path.write_text(text, "utf-8")
    return path


def give_outputs(scores: dict[str, Any], path: Path) -> None:
    """Write what later steps may ask for: the scores of the first response."""
    first: dict[str, Any] = next(
        (one for one in scores["systems"] if "scores" in one), {}
    )
    conll = first.get("conll")
    f1 = {name: score["f1"] for name, score in first.get("scores", {}).items()}
    outputs = {
        "conll": "" if conll is None else json.dumps(conll),
        "f1": json.dumps(f1, separators=(",", ":")),
        "signature": scores["signature"],
        "json": str(path),
    }
    lines = [f"{name}={value}\n" for name, value in outputs.items()]
    append("GITHUB_OUTPUT", "".join(lines))


def too_low(scores: dict[str, Any], lowest: float | None, metric: str) -> list[str]:
    """Say which responses are below the minimum."""
    if lowest is None:
        return []
    messages = []
    for system in scores["systems"]:
        if "scores" not in system:
            continue  # it was refused, and the exit code says so
        found = system.get("conll")
        if metric != "conll":
            found = system["scores"].get(metric, {}).get("f1")
        if found is None:
            computed = [*system["scores"], *(["conll"] if "conll" in system else [])]
            known = ", ".join(computed)
            message = f"minimum-metric: {metric!r} is not computed; known are {known}"
            raise WrongInputError(message)
        if found < lowest:
            messages.append(
                f"{system['response']}: {metric} is {found:.4f}, below {lowest}"
            )
    return messages


def summarise(text: str) -> None:
    """Add to the summary of the job."""
    append("GITHUB_STEP_SUMMARY", f"### Coreference scores\n\n{text}\n")


def verbatim(lines: list[str]) -> str:
    """Write lines so that Markdown shows them as they are."""
    return "".join(f"    {line}\n" for line in lines)


def append(variable: str, text: str) -> None:
    """Add to the file that a variable names."""
    with Path(os.environ[variable]).open("a", encoding="utf-8") as file:
        file.write(text)


def tell_error(message: str) -> None:
    """Log an error so that the runner shows it on the page of the run."""
    for sign, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A")):
        message = message.replace(sign, code)
    log(f"::error title=corefkit::{message}")


def log_safely(text: str) -> None:
    """Log what may have lines of the files under test in it.

    Lines of the log that begin with `::` are commands to the runner. Here none counts
    until the token comes again.
    """
    token = secrets.token_hex(16)
    log(f"::stop-commands::{token}", *text.splitlines(), f"::{token}::")


def log(*lines: str) -> None:
    """Write lines to the log."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
