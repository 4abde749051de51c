"""Run frozen cases inside one installation: `PYTHON freeze_runner.py CASES OUT`.

`freeze.py` starts this file with the interpreter of the installation under test, which
may be of any revision. It therefore relies on the standard library and on public names
of corefkit only: the console scripts `corefkit` and `corefkit-scorer`, `__version__`,
and the Python API that docs/python.md lists. `load_program` and `show` are the places
to update if one of these changes.

Every case runs in a forked child: it sees no state of an earlier case, a crash is an
exit code, and only the imports, which take longer than most cases, are shared.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import traceback
import warnings
from importlib.metadata import entry_points
from pathlib import Path

TIMEOUT_S = 100
MAX_INLINE_CHARACTERS = 2_000  # of a script or style sheet inside a page
MAX_FILE_CHARACTERS = 400_000
PACKAGE = Path(importlib.import_module("corefkit").__file__).parent
DURATIONS = (
    (r"\b\d+(?:\.\d+)? (seconds?|minutes?|hours?|ms|s)\b(?! of)", r"N \1"),
    (
        r"\b\d\d\d\d-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:\+00:00|Z)?)?",
        "DATE",
    ),
)


def load_program(name: str):
    """Load a console script of the installation."""
    (script,) = entry_points(group="console_scripts", name=name)
    return script.load()


def run_program(name: str, arguments: list[str]) -> int:
    """Run a console script in this process and return its exit code."""
    sys.argv = [name, *arguments]
    try:
        load_program(name)()
    except SystemExit as stop:
        if isinstance(stop.code, str):
            sys.stderr.write(stop.code + "\n")
            return 1
        return stop.code or 0
    return 0


def run_source(source: str) -> int:
    """Run Python statements, then print the value of the last expression."""
    names: dict[str, object] = {"show": show}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            *statements, last = source.strip().split("\n")
            exec("import corefkit\n" + "\n".join(statements), names)
            show(eval(last, names))
        except Exception as error:  # noqa: BLE001 - any error is a result
            show(error)
    for warning in caught:
        sys.stderr.write(f"{warning.category.__name__}: {warning.message}\n")
    return 0


def show(value: object, indent: str = "") -> None:  # noqa: C901
    """Print a value so that two of them differ if and only if their texts do."""
    write = sys.stdout.write
    if isinstance(value, BaseException):
        write(f"{indent}raises {type(value).__name__}\n")
        for name in ("code", "place", "message", "hint"):
            if hasattr(value, name):
                write(f"{indent}  {name}: {getattr(value, name)}\n")
        if not hasattr(value, "message"):
            write(f"{indent}  {value}\n")
    elif hasattr(value, "per_document"):  # an evaluation
        show(dict(value.scores), indent)
        for name, document in zip(value.documents, value.per_document, strict=True):
            write(f"{indent}document {name}\n")
            show(dict(document.scores), indent + "  ")
        for name in ("signature", "missing", "notes", "warnings"):
            write(f"{indent}{name}: {getattr(value, name)!r}\n")
    elif hasattr(value, "shared"):  # an overlap table: its class is internal
        columns = (value.key_entity, value.response_entity, value.shared)
        for row in zip(*(column.tolist() for column in columns), strict=True):
            write(f"{indent}{row}\n")
        for side in (value.key, value.response):
            write(f"{indent}sizes {side.size.tolist()}\n")
    elif hasattr(value, "to_dict"):
        text = json.dumps(value.to_dict(), indent=1, ensure_ascii=False, default=repr)
        write(indent + text.replace("\n", "\n" + indent) + "\n")
    elif isinstance(value, dict):
        for name, item in value.items():
            write(f"{indent}{name}: {item!r}\n")
    elif isinstance(value, str):
        write("".join(f"{indent}{line}\n" for line in value.splitlines()))
    elif isinstance(value, list | tuple) and value:
        for item in value:
            show(item, indent + "- ")
    else:
        write(f"{indent}{value!r}\n")


def run_child(case: dict, folder: Path, streams: Path) -> int:
    """Run a case in a forked child with its own folder and streams."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        signal.alarm(TIMEOUT_S)
        os.setpgrp()
        os.chdir(folder)
        os.environ.update(case.get("env", {}))
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(case.get("stdin") or os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(streams / "stdout", flags), 1)
        os.dup2(os.open(streams / "stderr", flags), 2)
        # As in a new process, whatever the parent did to them.
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            for number, mode in enumerate("rww")
        )
        if "source" in case:
            code = run_source(case["source"])
        elif "shell" in case:
            code = run_shell(case["shell"])
        else:
            code = run_program(*case["program"])
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001 - as a new process would print it
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def run_shell(command: str) -> int:
    """Run a shell command in which the programs of the installation are found."""
    programs = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": programs + os.pathsep + os.environ["PATH"]}
    return subprocess.run(["bash", "-c", command], env=environment).returncode


def list_replacements(work: Path) -> list[tuple[str, str]]:
    """List the texts that differ between installations or runs, with placeholders."""
    version = re.escape(importlib.import_module("corefkit").__version__)
    paths = {work.resolve(): "WORK", work: "WORK", PACKAGE: "PACKAGE"}
    paths |= {Path(sys.prefix): "PYTHON", Path(sys.base_prefix): "PYTHON"}
    return [
        *((re.escape(str(path)), name) for path, name in paths.items()),
        (rf"(?<![\d.]){version}(?![\d]|\.\d)", "VERSION"),
        # The folder of a case has a number; messages name it.
        (r"WORK/run-\d+", "WORK/run"),
        (r"\btmp[a-z0-9_]{8}\b", "TEMPORARY"),
        (r" at 0x[0-9a-f]+>", " at ADDRESS>"),
        *DURATIONS,
    ]


def normalize(text: str, replacements: list[tuple[str, str]]) -> str:
    """Replace versions, paths and durations."""
    for pattern, replacement in replacements:
        text = re.sub(pattern, replacement, text)
    return text


def digest(content: bytes) -> str:
    """Describe a content that is not readable."""
    return f"{len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()[:16]}"


def describe_file(path: Path, replacements: list[tuple[str, str]]) -> str:
    """Return the content of a file as text, or its digest."""
    content = path.read_bytes()
    if path.suffix == ".parquet":
        return describe_parquet(path)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return digest(content) + "\n"
    text = normalize(text, replacements)
    if "<!DOCTYPE html>" in text[:200]:
        text = shorten_page(text)
    if len(text) > MAX_FILE_CHARACTERS:
        text = text[:MAX_FILE_CHARACTERS] + f"\n[{digest(text.encode())}]\n"
    return text


def describe_parquet(path: Path) -> str:
    """List schema and rows: the bytes depend on the version of the library."""
    try:
        table = importlib.import_module("pyarrow.parquet").read_table(path)
    except ImportError:
        return "a Parquet file\n"
    rows = "".join(f"{row!r}\n" for row in table.to_pylist())
    return f"{table.schema.remove_metadata()}\n{rows}"


def shorten_page(text: str) -> str:
    """Replace long scripts and styles by digests, and put each tag on its own line."""

    def shorten(match: re.Match[str]) -> str:
        if len(match[2]) <= MAX_INLINE_CHARACTERS:
            return match[0]
        return f"{match[1]}[{digest(match[2].encode())}]{match[3]}"

    text = re.sub(r"(?s)(<(?:script|style)[^>]*>)(.*?)(</)", shorten, text)
    return text.replace("><", ">\n<")


def describe_case(
    case: dict, code: int, folder: Path, streams: Path, work: Path
) -> str:
    """Return the text that is kept of a case."""
    replacements = list_replacements(work)
    if "source" in case:
        command = case.get("title", case["source"]).strip()
    else:
        command = case.get("shell") or " ".join(
            (
                case["program"][0],
                *(repr(a) if " " in a else a for a in case["program"][1]),
            )
        )
        command = "$ " + command + (f" < {case['stdin']}" if case.get("stdin") else "")
    parts = [command, f"exit code {code}"]
    for name in ("stdout", "stderr"):
        content = describe_file(streams / name, replacements)
        parts += [f"--- {name}\n{content}"] if content else []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            name = normalize(path.relative_to(folder).as_posix(), replacements)
            parts.append(f"--- file {name}\n{describe_file(path, replacements)}")
    return "\n".join(parts) + "\n"


def run_cases(cases: list[dict], out: Path, work: Path) -> None:
    """Run cases one after the other and write one file for each."""
    number = os.getpid()
    folder, streams = work / f"run-{number}", work / f"streams-{number}"
    streams.mkdir()
    for case in cases:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        code = run_child(case, folder, streams)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        path = out / (case["id"] + ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(describe_case(case, code, folder, streams, work), "utf-8")
        if "keep" in case:  # an input of later cases
            target = work / "in" / case["keep"]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(folder, target, dirs_exist_ok=True)
        sys.stdout.write(f"{spent:.2f}\t{case['id']}\n")
        sys.stdout.flush()


def warm_up(work: Path, commands: list[list[str]]) -> None:
    """Import once, by running commands, everything that most cases import."""
    handlers = {
        name: signal.getsignal(name) for name in (signal.SIGTERM, signal.SIGHUP)
    }
    kept = os.dup(1), os.dup(2)
    with (work / f"warm-{os.getpid()}").open("w") as sink:
        os.dup2(sink.fileno(), 1)
        os.dup2(sink.fileno(), 2)
        for command in commands:
            try:
                run_program("corefkit", command)
            except Exception:  # noqa: BLE001 - an older installation may lack it
                traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
    for number, handler in handlers.items():
        signal.signal(number, handler)


if __name__ == "__main__":
    plan = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    work_folder = Path(plan["work"])
    os.chdir(work_folder)
    warm_up(work_folder, plan["warm_up"])
    run_cases(plan["cases"], Path(plan["out"]), work_folder)
