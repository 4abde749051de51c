"""Set up corefkit in .venv, then run it, its tests or its checks.

    python3 dev.py example          score the bundled example
    python3 dev.py test [ARG...]    run the tests; arguments go to pytest, and -m ""
                                    runs those that take long or need a browser too
    python3 dev.py rewrite [ARG...] rewrite golden files, doctests, console blocks,
                                    generated tables and manual pages, and list the
                                    changed files; arguments go to pytest
    python3 dev.py engines [ARG...] run the tests with Spark, which needs Java
    python3 dev.py integrations [ARG...]
                                    run the tests with torch, spaCy, stanza, datasets
                                    and others, in .venv-integrations (six gigabytes)
    python3 dev.py oldest [ARG...]  run the tests with the oldest packages that
                                    pyproject.toml allows, in .venv-oldest
    python3 dev.py package          build what is published into dist/, and check it
    python3 dev.py package FOLDER   check what is to be published from a folder
    python3 dev.py lint             check format, style, types and prose
    python3 dev.py check            test, then lint
    python3 dev.py docs             build the site and serve it while you write
    python3 dev.py docs build       build it into site/; warnings and dead links fail
    python3 dev.py fuzz [ARG...]    feed the readers with broken files; see fuzz/
    python3 dev.py freeze OUT       run every command and keep its outputs; --compare
                                    A B shows differences; see tools/freeze.py

Needs Python 3.11 or newer and nothing else. What is installed into .venv is fixed by
the lock files in locks/, hashes included. Nothing is installed outside of it, with
one exception: Debian and Ubuntu keep a part of Python, ensurepip, in a package of its
own. If it is missing, root gets it (pythonX.Y-venv) by apt-get; others get a hint.
"""

# The syntax here stays old enough for any Python 3 to get as far as `newer_python`.

import hashlib
import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
# The second distribution; its sources are in src/cistell.
CISTELL = ROOT / "packaging" / "cistell"
VENV = ROOT / ".venv"
# Torch takes gigabytes, and what finds it behaves differently: spaCy does.
INTEGRATION_VENV = ROOT / ".venv-integrations"
OLDEST_VENV = ROOT / ".venv-oldest"
RUN_LOCK, DEV_LOCK, DOCS_LOCK = "locks/run.lock", "locks/dev.lock", "locks/docs.lock"
ENGINE_LOCK, INTEGRATION_LOCK = "locks/engines.lock", "locks/integrations.lock"
OLDEST_LOCK, RELEASE_LOCK = "locks/oldest.lock", "locks/release.lock"
# Tests that need neither patience nor what few machines have.
USUAL = ("-m", "not slow and not browser and not engine and not integration")
# Tests that hold kept outputs.
KEPT = ("-m", "kept and not engine and not integration")
# Tests of a file, or of a group, share fixtures: one process runs them all.
SPREAD = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadgroup")
# What is compiled, where a compiler is at hand: it is built again once it changes.
SWITCH = "COREFKIT_KERNEL"
KERNEL = ("hatch_build.py", "src/corefkit/_kernel.c", "src/corefkit/_kernel_parts/*.h")
# An editable install of cistell is a copy: it is installed again once it changes.
KERNEL += ("src/cistell/**/*.py",)


def main(arguments: list) -> int:
    """Run the command named by the first argument and return its exit code."""
    known = (example, test, rewrite, engines, integrations, oldest, package)
    known += (lint, check, docs, fuzz, freeze)
    commands = {command.__name__: command for command in known}
    name, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    # The others pass all arguments on.
    most = {"example": 0, "package": 1, "lint": 0, "check": 0}.get(name, len(rest))
    if name not in commands or len(rest) > most:
        print(__doc__, file=sys.stderr)
        return 0 if name in ("-h", "--help") else 2
    if sys.version_info < (3, 11):  # noqa: UP036
        return run(newer_python(), __file__, *arguments)
    return commands[name](*rest)


def example() -> int:
    """Score the bundled example."""
    install(RUN_LOCK)
    return run(program("corefkit"), "score", "--example")


def test(*arguments: str) -> int:
    """Run the tests, on a few processors at once; all of them where `-m ''` asks."""
    install(DEV_LOCK)
    # Without bytecode, each process would rewrite the assertions of all tests again,
    # and each command that a test starts would compile the package.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    return run(program("python"), "-m", "pytest", *SPREAD, *USUAL, *arguments)


def rewrite(*arguments: str) -> int:
    """Rewrite all kept outputs, see tests/kept.py, and list the files that differ."""
    install(DEV_LOCK)
    os.environ["COREFKIT_REWRITE"] = "1"
    code = run(program("python"), "-m", "pytest", "-q", *KEPT, *arguments)
    run("git", "diff", "--stat")
    return code


def engines(*arguments: str) -> int:
    """Run the tests with Spark, which is large and so is installed for them alone."""
    install(ENGINE_LOCK)
    return run(program("python"), "-m", "pytest", "-m", "engine", *arguments)


def integrations(*arguments: str) -> int:
    """Run the tests with libraries that need torch, in an environment of their own."""
    install(INTEGRATION_LOCK, INTEGRATION_VENV)
    python, folder = program("python", INTEGRATION_VENV), Path("tests", "integrations")
    return run(python, "-m", "pytest", "-m", "integration", folder, *arguments)


def oldest(*arguments: str) -> int:
    """Run the tests with the oldest packages that the project says it works with."""
    if sys.version_info[:2] != (3, 11):
        sys.exit("The oldest packages are those of Python 3.11: run this with it.")
    install(OLDEST_LOCK, OLDEST_VENV)
    python = program("python", OLDEST_VENV)
    # What they need in turn is new, and warns of how they use it.
    patient = ("-W", "ignore::DeprecationWarning")
    return run(python, "-m", "pytest", *SPREAD, *USUAL, *patient, *arguments)


def package(named: str = "") -> int:
    """Build what is published and check it, or check what a folder has."""
    install(RELEASE_LOCK)
    folder = Path(named).resolve() if named else ROOT / "dist"
    if not named and (build(folder) or list_parts(folder)):
        return 1
    os.environ["COREFKIT_DIST"] = str(folder)
    return run(program("python"), "-m", "pytest", Path("tests", "publishing"))


def build(folder: Path) -> int:
    """Build the sdist, the wheel for this system and the pure one into a folder."""
    shutil.rmtree(str(folder), ignore_errors=True)
    python = program("python")
    command = (python, "-m", "build", "--no-isolation", "--outdir", folder, ".")
    way = os.environ.get(SWITCH) or "auto"
    for kernel, targets in ((way, ()), ("off", ("--wheel",))):
        os.environ[SWITCH] = kernel
        if run(*command, *targets):
            return 1
    os.environ[SWITCH] = way
    # Only a wheel: its sources are in the sdist of corefkit.
    options = ("--no-isolation", "--wheel", "--outdir", folder / "cistell")
    return 1 if run(python, "-m", "build", *options, CISTELL) else 0


def list_parts(folder: Path) -> int:
    """Write what the pure wheel brings with it, as CycloneDX: packages of the lock."""
    (wheel,) = folder.glob("*-none-any.whl")
    venv, versions = folder / "parts", folder / "versions.txt"
    quietly("making " + venv.name, sys.executable, "-m", "venv", "--without-pip", venv)
    pip = (program("python"), "-m", "pip")
    frozen = [str(part) for part in (*pip, "freeze", "--exclude-editable")]
    versions.write_bytes(subprocess.check_output(frozen))
    target = (*pip, "--python", program("python", venv), "install", "--no-compile")
    quietly("installing " + wheel.name, *target, "--constraint", versions, wheel)
    output = folder / "corefkit.cdx.json"
    options = ("--pyproject", "pyproject.toml", "--mc-type", "library")
    options += ("--output-reproducible", "--output-format", "JSON", "--output-file")
    environment = (program("cyclonedx-py"), "environment", program("python", venv))
    failed = run(*environment, *options, output)
    if not failed:
        listed = json.loads(output.read_text("utf-8"))
        # The version is not in pyproject.toml, where the tool looks for it.
        version = wheel.name.split("-")[1]
        purl = "pkg:pypi/corefkit@" + version
        listed["metadata"]["component"].update(version=version, purl=purl)
        output.write_text(json.dumps(listed, indent=2) + "\n", "utf-8")
    shutil.rmtree(str(venv))
    versions.unlink()
    return failed


def lint() -> int:
    """Check format, style, types and prose; continue after a failure."""
    install(DEV_LOCK)
    figures = ROOT.parent / "shared" / "tools" / "house.py"
    if figures.exists():  # for information: they fail nothing
        run(program("python"), figures)
    tools = (("ruff", "format", "--check", "."), ("ruff", "check", "."), ("mypy",))
    codes = [run(program("python"), "-m", *tool) for tool in tools]
    return int(any([*codes, run(program("python"), Path("tools", "prose.py"))]))


def check() -> int:
    """Run everything a change must pass."""
    return test() or lint()


def docs(*arguments: str) -> int:
    """Build the site and serve it, or what else MkDocs is asked for."""
    install(DOCS_LOCK)
    # The theme's makers announce another program of theirs at each start.
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    return run(program("python"), "-m", "mkdocs", *(arguments or ("serve",)))


def fuzz(*arguments: str) -> int:
    """Feed every reader with broken files, each for a minute; or the kernel's."""
    install(DEV_LOCK)
    if arguments[:1] == ("kernel",):
        return run(program("python"), Path("fuzz", "fuzz_kernel.py"), *arguments[1:])
    return run(program("python"), Path("fuzz", "fuzz_readers.py"), *arguments)


def freeze(*arguments: str) -> int:
    """Freeze the behaviour of this tree or a revision, or compare two of them."""
    install(DEV_LOCK)
    return run(program("python"), Path("tools", "freeze.py"), *arguments)


def program(name: str, venv: Path = VENV) -> Path:
    """Say where a program of an environment is."""
    windows = os.name == "nt"
    return venv / ("Scripts" if windows else "bin") / (name + ".exe" * windows)


def run(*command: object) -> int:
    """Run a command in the project's folder and return its exit code."""
    sys.stdout.flush()
    return subprocess.run([str(part) for part in command], cwd=str(ROOT)).returncode


def install(lock: str, venv: Path = VENV) -> None:
    """Bring what a lock file lists, and the project itself, into an environment.

    The stamp holds a fingerprint of all that decides the content of the environment,
    then the lock files installed so far, and what the kernel was built from: a stale
    environment is made anew, a complete one is left.
    """
    stamp, python = venv / "installed.txt", program("python", venv)
    done = stamp.read_text().split() if stamp.exists() and python.exists() else []
    before = done
    if done[:1] != [fingerprint()]:
        need_ensurepip()
        quietly("making " + venv.name, sys.executable, "-m", "venv", "--clear", venv)
        done = [fingerprint()]
    pip = (python, "-m", "pip", "install", "--disable-pip-version-check")
    if lock not in done:
        quietly("installing " + lock, *pip, "--require-hashes", "-r", lock)
        done = [*done, lock]
    if kernel_print() not in done or kernel_is_missed():
        editable = ("--no-deps", "--no-build-isolation", "--editable")
        for name, folder in (("corefkit", ROOT), ("cistell", CISTELL)):
            quietly("installing " + name, *pip, *editable, folder)
        done = [part for part in done if not part.startswith("kernel:")]
        done = [*done, kernel_print()]
    if done != before:
        stamp.write_text("\n".join(done))


def fingerprint() -> str:
    """Hash the place of the project and the files that say what it needs."""
    digest = hashlib.sha256(str(ROOT).encode())
    projects = (ROOT / "pyproject.toml", CISTELL / "pyproject.toml")
    for path in (*projects, *sorted(ROOT.glob("locks/*.lock"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kernel_is_missed() -> bool:
    """Say whether the kernel must be there and is not: a compiler may have come."""
    kernels = ("src/corefkit/_kernel*.so", "src/corefkit/_kernel*.pyd")
    built = any(list(ROOT.glob(pattern)) for pattern in kernels)
    return os.environ.get(SWITCH) == "require" and not built


def kernel_print() -> str:
    """Hash what the kernel is built from."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in KERNEL for path in ROOT.glob(pattern)):
        digest.update(path.read_bytes())
    return "kernel:" + digest.hexdigest()


def quietly(what: str, *command: object) -> None:
    """Run a step of the set-up; show its output only where it fails."""
    print(what + " ...", file=sys.stderr, flush=True)
    # Tests may run without the kernel, but it is built for those that do not.
    ways = {SWITCH: "auto"} if os.environ.get(SWITCH) == "off" else {}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=str(ROOT),
        env={**os.environ, **ways},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        output = done.stdout.decode(errors="replace")
        sys.exit(output + "\n" + what + " failed; the reason stands above.")


def need_ensurepip() -> None:
    """Make sure that `venv` can work: Debian and Ubuntu keep a part of it apart."""
    if importlib.util.find_spec("ensurepip"):
        return
    package = "python{}.{}-venv".format(*sys.version_info[:2])
    get_package(package, "since Python lacks ensurepip")
    importlib.invalidate_caches()
    if not importlib.util.find_spec("ensurepip"):
        sys.exit(
            "This Python cannot make environments: its module ensurepip is missing.\n"
            "On Debian and Ubuntu: sudo apt-get install " + package
        )


def get_package(package: str, why: str) -> None:
    """Install a package of Debian or Ubuntu, if this is root there."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        os.environ["DEBIAN_FRONTEND"] = "noninteractive"
        quietly("apt-get update", "apt-get", "update")
        wanted = ("apt-get", "install", "--yes", package)
        quietly(" ".join(wanted) + ", " + why, *wanted)


def newer_python() -> str:
    """Find a Python that is new enough under one of its versioned names."""
    for name in ("python3.14", "python3.13", "python3.12", "python3.11"):
        path = shutil.which(name)
        if path and subprocess.call([path, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            return path
    sys.exit(
        "corefkit needs Python 3.11 or newer; this is {}.{}.\n"
        "Install one and run this again.".format(*sys.version_info[:2])
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
