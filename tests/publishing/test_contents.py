"""What wheels and the sdist hold: all that is needed, and nothing else."""

from __future__ import annotations

import configparser
import email
import json
import re
import subprocess
import tarfile
import tomllib
import zipfile

import pytest
from shared_files import ROOT

from corefkit.settings import VERSION

pytestmark = pytest.mark.slow

CONFIGURATION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = CONFIGURATION["project"]
TARGET = CONFIGURATION["tool"]["hatch"]["build"]["targets"]["wheel"]
INFORMATION = f"corefkit-{VERSION}.dist-info/"
DATA = f"corefkit-{VERSION}.data/data/"
KERNELS = {"corefkit/_kernel.abi3.so", "corefkit/_kernel.pyd"}
# A corpus by mistake would show.
MEGABYTES = 10


def tracked(folder):
    """List the files of a folder that belong to the project."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("needs a clone, to know which files belong to the project")
    return {name for name in done.stdout.splitlines() if (ROOT / name).exists()}


def text_of(wheel, name):
    with zipfile.ZipFile(wheel) as opened:
        return opened.read(INFORMATION + name).decode()


def test_wheel_has_the_package_and_its_data_and_nothing_else(wheels):
    package = {name.removeprefix("src/") for name in tracked("src/corefkit")}
    package = {name for name in package if not name.endswith((".c", ".h"))}
    assert "corefkit/py.typed" in package
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as opened:
            # The tools that name the systems of a wheel list its folders too.
            names = {name for name in opened.namelist() if not name.endswith("/")}
        inside = {name for name in names if name.startswith("corefkit/")}
        compiled = inside & KERNELS
        assert inside - compiled == package
        assert len(compiled) == ("-abi3-" in wheel.name)
        shared = {name for name in names if name.startswith(DATA)}
        assert shared == {DATA + name for name in TARGET["shared-data"].values()}
        beside = {name.removeprefix(INFORMATION) for name in names - inside - shared}
        needed = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
        assert beside == needed
        assert wheel.stat().st_size < MEGABYTES * 2**20


def test_wheels_are_pure_or_for_every_python_from_the_oldest(wheels):
    for wheel in wheels:
        tags = email.message_from_string(text_of(wheel, "WHEEL"))
        pure = wheel.name.endswith("-py3-none-any.whl")
        assert tags["Root-Is-Purelib"] == ("true" if pure else "false")
        assert pure or tags["Tag"].startswith("cp311-abi3-")


def test_entry_points_are_those_of_the_project(wheels):
    groups = {"console_scripts": PROJECT["scripts"], **PROJECT["entry-points"]}
    for wheel in wheels:
        parsed = configparser.ConfigParser(delimiters=("=",))
        parsed.optionxform = str
        parsed.read_string(text_of(wheel, "entry_points.txt"))
        assert {name: dict(parsed[name]) for name in parsed.sections()} == groups


def test_licence_is_in_every_file_that_is_published(wheels, sdist):
    licence = (ROOT / "LICENSE").read_text("utf-8")
    for wheel in wheels:
        assert text_of(wheel, "licenses/LICENSE") == licence
    with tarfile.open(sdist) as opened:
        inside = opened.extractfile(f"corefkit-{VERSION}/LICENSE").read()
    assert inside.decode() == licence


def test_metadata_is_that_of_the_project(wheels):
    for wheel in wheels:
        found = email.message_from_string(text_of(wheel, "METADATA"))
        assert (found["Name"], found["Version"]) == ("corefkit", VERSION)
        assert found["Summary"] == PROJECT["description"]
        assert found["Requires-Python"] == PROJECT["requires-python"]
        assert found["License-Expression"] == "Apache-2.0"
        assert found["Description-Content-Type"] == "text/markdown"
        urls = dict(url.split(", ") for url in found.get_all("Project-URL"))
        assert urls == PROJECT["urls"]
        assert set(found.get_all("Classifier")) == set(PROJECT["classifiers"])
        assert set(found.get_all("Provides-Extra")) == set(
            PROJECT["optional-dependencies"]
        )
        needs = found.get_all("Requires-Dist")
        always = {need for need in needs if "extra ==" not in need}
        assert always == set(PROJECT["dependencies"])


def test_classifiers_name_every_python_that_is_supported():
    start = "Programming Language :: Python :: 3."
    named = [name for name in PROJECT["classifiers"] if name.startswith(start)]
    minors = [int(name.removeprefix(start)) for name in named]
    oldest = int(PROJECT["requires-python"].removeprefix(">=3."))
    assert minors == list(range(oldest, max(minors) + 1))


def test_parts_are_the_packages_that_are_installed_with_it(folder):
    listed = folder / "corefkit.cdx.json"
    if not listed.exists():
        pytest.skip("no list of parts there: python3 dev.py package makes it")
    parts = json.loads(listed.read_text("utf-8"))
    whole = parts["metadata"]["component"]
    assert (whole["name"], whole["version"]) == ("corefkit", VERSION)
    names = {part["bom-ref"]: part["name"].lower() for part in parts["components"]}
    direct = {re.split(r"[<>=]", need)[0] for need in PROJECT["dependencies"]}
    lock = (ROOT / "locks" / "run.lock").read_text("utf-8")
    for part in parts["components"]:
        assert f"\n{part['name'].lower()}=={part['version']} " in lock
    needs = {row["ref"]: set(row.get("dependsOn", ())) for row in parts["dependencies"]}
    assert {names[part] for part in needs[whole["bom-ref"]]} == direct
    assert set().union(*needs.values()) == set(names)


def test_sdist_has_the_project_and_nothing_else(sdist):
    with tarfile.open(sdist) as opened:
        files = {entry.name for entry in opened if entry.isfile()}
    names = {name.partition("/")[2] for name in files}
    assert names - {"PKG-INFO"} == tracked(".")
    # The model of cistell has 25 MB.
    assert sdist.stat().st_size < (MEGABYTES + 25) * 2**20


def test_wheel_of_cistell_has_its_package_model_and_command(folder):
    (wheel,) = (folder / "cistell").glob("*.whl")
    package = {name.removeprefix("src/") for name in tracked("src/cistell")}
    with zipfile.ZipFile(wheel) as opened:
        names = {name for name in opened.namelist() if not name.endswith("/")}
        (entry_points,) = (n for n in names if n.endswith("/entry_points.txt"))
        text = opened.read(entry_points).decode()
    assert {name for name in names if name.startswith("cistell/")} == package
    assert "cistell/data/en.model" in package
    assert "cistell = cistell.cli:main_and_exit" in text
    assert wheel.stat().st_size < 30e6
