"""The part that runs in a browser: what is shipped is what its sources give."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from shared_files import ROOT

from corefkit.analysis.errors.error_tables import KIND_LABELS

WEB = ROOT / "web"
MODULES = WEB / "node_modules"
BUILT = ROOT / "src" / "corefkit" / "tables" / "assets"
SOURCES = [
    path
    for pattern in ("src/**/*.ts", "tests/**/*.ts", "*.json", ".npmrc")
    for path in sorted(WEB.glob(pattern))
]


def scripts(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.js")}


def test_the_scripts_of_the_package_are_what_web_builds(tmp_path):
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    if not MODULES.exists():
        pytest.skip("web/node_modules is missing: run `npm ci` in web/")
    for path in SOURCES:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    (tmp_path / "web" / "node_modules").symlink_to(MODULES)
    built = tmp_path / BUILT.relative_to(ROOT)
    built.mkdir(parents=True)
    done = subprocess.run(
        [npm, "run", "build"],
        cwd=tmp_path / "web",
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    # Where these differ, run `npm run build` in web/.
    assert scripts(built) == scripts(BUILT)


def test_lists_of_errors_call_kinds_what_tables_call_them():
    source = (WEB / "src" / "error_text.ts").read_text("utf-8")
    links = dict(re.findall(r'^  (recall|precision): "(.*)",$', source, re.MULTILINE))
    in_lists = {kind: links.get(kind, kind.replace("_", " ")) for kind in KIND_LABELS}
    assert in_lists == {kind: label.lower() for kind, label in KIND_LABELS.items()}


def test_sources_put_no_text_into_a_page_as_markup():
    ways = (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "DOMParser",
        "createContextualFragment",
        "setHTMLUnsafe",
        "srcdoc",
    )
    found = {
        (path.name, way)
        for path in (WEB / "src").rglob("*.ts")
        for way in ways
        if way in path.read_text("utf-8")
    }
    assert found == set()


def test_the_lock_file_names_no_registry_and_has_every_platform():
    text = (WEB / "package-lock.json").read_text("utf-8")
    assert '"resolved"' not in text
    # npm 11 refuses a lock file that lacks packages of other systems.
    for package in ("@biomejs/cli", "@esbuild/", "@typescript/typescript"):
        for system in ("darwin-arm64", "linux-x64", "win32-x64"):
            joint = "" if package.endswith("/") else "-"
            assert f'"node_modules/{package}{joint}{system}"' in text
