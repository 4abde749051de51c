"""Build the kernel for trials: with sanitizers, and telling the ways through it."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_SOURCE = _HERE.parents[1] / "src" / "corefkit" / "_kernel.c"
_SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
_INCLUDE = f"-I{sysconfig.get_path('include')}"
_PRELOADED = ("libasan.so", "libubsan.so")


def can_build(folder: Path, compiler: str = "gcc") -> bool:
    """Say whether gcc, its sanitizers and the headers of Python are there."""
    source = folder / "headers.c"
    source.write_text("#include <Python.h>\n")
    options = (*_SANITIZERS, "-fPIC", "-shared", _INCLUDE)
    try:
        _run(compiler, *options, str(source), "-o", str(folder / "headers.so"))
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def built(folder: Path, compiler: str = "gcc") -> Path:
    """Compile the kernel into a folder, and return where it is."""
    target = folder / "_kernel.abi3.so"
    common = ["-g", "-O1", "-fPIC", "-std=gnu11", *_SANITIZERS]
    kernel = [
        *("-fsanitize-coverage=trace-pc", "-DPy_LIMITED_API=0x030B0000", _INCLUDE),
        *("-include", str(_HERE / "trial.h"), "-Wall", "-Wextra", "-Werror"),
    ]
    parts = {_SOURCE: kernel, _HERE / "trial.c": []}
    objects = []
    for source, options in parts.items():
        made = folder / f"{source.stem}.o"
        _run(compiler, *common, *options, "-c", str(source), "-o", str(made))
        objects.append(str(made))
    _run(compiler, *_SANITIZERS, "-shared", *objects, "-o", str(target))
    return target


def environment(compiler: str = "gcc") -> dict[str, str]:
    """Return the environment in which Python can load such a kernel."""
    libraries = [
        _run(compiler, f"-print-file-name={name}").strip() for name in _PRELOADED
    ]
    return {
        **os.environ,
        "LD_PRELOAD": ":".join(libraries),
        # Python itself leaks at its end; what the kernel leaks is counted.
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=99",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "COREFKIT_KERNEL": "auto",
    }


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
