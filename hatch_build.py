"""Build the kernel, the only compiled part of corefkit, if a compiler is installed.

The variable `COREFKIT_KERNEL` decides about failures: `auto`, the default, ignores
them, and files are then read by Python; `require` raises them; `off` does not build it.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_WAYS = ("auto", "require", "off")
_SOURCE = Path("src", "corefkit", "_kernel.c")
_OLDEST = 3, 11  # the Python whose limited API the kernel keeps to


class KernelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compile the kernel, and add it to the wheel or to the folder of its source."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the kernel for a wheel, or in place for an editable install."""
        way = os.environ.get("COREFKIT_KERNEL") or "auto"
        if way not in _WAYS:
            message = f"COREFKIT_KERNEL is {way!r}, expected one of {', '.join(_WAYS)}"
            raise ValueError(message)
        folder = Path(self.root, _SOURCE).parent
        if version == "editable":
            # The files of an earlier install may be older than the source.
            for stale in (*folder.glob("_kernel*.so"), *folder.glob("_kernel*.pyd")):
                stale.unlink()
        self._scratch = tempfile.mkdtemp()
        path = None if way == "off" else self._build(require=way == "require")
        if path is None:
            return
        if version == "editable":
            shutil.copy(path, folder / path.name)
            return
        build_data["pure_python"] = False
        build_data["tag"] = _make_tag()
        build_data["force_include"][str(path)] = f"corefkit/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        """Remove the files of the compiler."""
        del version, build_data, artifact
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _build(self, *, require: bool) -> Path | None:
        """Compile the kernel; None if that fails, unless it is required."""
        try:
            return _compile(Path(self.root), Path(self._scratch))
        except (Exception, SystemExit) as error:
            if require:
                shutil.rmtree(self._scratch, ignore_errors=True)
                raise
            why = f"the kernel is missing, since it could not be built: {error}"
            self.app.display_warning(why)
            return None


def _compile(root: Path, scratch: Path) -> Path:
    """Compile the kernel in a scratch folder, and return its path."""
    if sys.implementation.name != "cpython":
        message = "it is for CPython"
        raise RuntimeError(message)
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        message = "a Python without its global lock has no limited API"
        raise RuntimeError(message)
    from setuptools import Distribution, Extension

    extension = Extension(
        "corefkit._kernel",
        [str(_SOURCE)],
        define_macros=[("Py_LIMITED_API", "0x{:02X}{:02X}0000".format(*_OLDEST))],
        extra_compile_args=[] if os.name == "nt" else ["-std=c11", "-O3"],
        py_limited_api=True,
    )
    here = Path.cwd()
    os.chdir(root)  # the compiler writes its files under the path of the source
    try:
        build = Distribution({"ext_modules": [extension]}).get_command_obj("build_ext")
        build.build_temp, build.build_lib = str(scratch / "made"), str(scratch)
        build.ensure_finalized()
        build.run()
        return Path(build.get_ext_fullpath("corefkit._kernel"))
    finally:
        os.chdir(here)


def _make_tag() -> str:
    """Return the tag of the wheel, for all versions of Python since the oldest one.

    The platform is that of the build, not that of the machine: for macOS, the oldest
    release that the compiler supports.
    """
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return "cp{}{}-abi3-{}".format(*_OLDEST, platform)
