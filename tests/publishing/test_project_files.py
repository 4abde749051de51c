"""Files that other programs read: citation, workflows, forms, recipe and image."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
import tomllib

import pytest
from shared_files import ROOT

from corefkit.settings import VERSION

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
REPOSITORY = PROJECT["urls"]["Repository"]
PYTHONS = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
SCHEMAS = {
    "citation-file-format": [ROOT / "CITATION.cff"],
    "github-workflows": WORKFLOWS,
    "github-actions": [ROOT / "action.yml"],
    "github-issue-forms": FORMS,
    "github-issue-config": [ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"],
    "dependabot": [ROOT / ".github" / "dependabot.yml"],
}


def text_of(name):
    return (ROOT / name).read_text("utf-8")


def run(tool, *arguments):
    """Run a tool of the group `release`: `python3 dev.py package` has all of them."""
    found = shutil.which(tool, path=sysconfig.get_path("scripts"))
    if found is None:
        assert "COREFKIT_DIST" not in os.environ, f"{tool} is not installed"
        pytest.skip(f"needs {tool}: python3 dev.py package installs it")
    command = [found, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("schema", SCHEMAS)
def test_file_obeys_the_schema_of_its_reader(schema):
    files = SCHEMAS[schema]
    assert files
    done = run("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *files)
    assert done.returncode == 0, done.stdout


def test_pre_commit_runs_the_ruff_of_the_lock():
    revision = re.search(
        r"ruff-pre-commit\n +rev: v([\d.]+)", text_of(".pre-commit-config.yaml")
    )
    assert revision
    assert f"\nruff=={revision[1]} " in text_of("locks/dev.lock")


@pytest.mark.slow
def test_workflows_are_safe():
    places = (".github", "action.yml")
    done = run("zizmor", "--offline", "--persona", "pedantic", *places)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_index_takes_what_is_published(folder):
    files = sorted(folder.glob("*.whl")) + sorted(folder.glob("*.tar.gz"))
    done = run("twine", "check", "--strict", *files)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_kernel_keeps_to_the_limited_interface(wheels):
    compiled = [wheel for wheel in wheels if "-abi3-" in wheel.name]
    if not compiled:
        pytest.skip("needs a wheel with the kernel")
    done = run("abi3audit", "--strict", *compiled)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "platform", ["linux-64", "linux-aarch64", "osx-arm64", "win-64"]
)
def test_conda_reads_the_recipe(platform):
    if "COREFKIT_DIST" not in os.environ:
        pytest.importorskip("rattler_build")
    from rattler_build import (
        JinjaConfig,
        PlatformConfig,
        RenderConfig,
        Stage0Recipe,
        VariantConfig,
    )

    there = PlatformConfig(target_platform=platform)
    variants = VariantConfig.from_file_with_context(
        ROOT / "conda" / "variants.yaml", JinjaConfig(platform=there)
    )
    recipe = Stage0Recipe.from_file(ROOT / "conda" / "recipe.yaml")
    packages = recipe.render(variants, RenderConfig(platform=there))
    names = [package.recipe.to_dict()["build"]["string"] for package in packages]
    wanted = [f"py{python.replace('.', '')}" for python in PYTHONS]
    assert [name.partition("h")[0] for name in names] == wanted


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_of_others_are_pinned(path):
    for action in re.findall(r"uses: (\S+)", path.read_text("utf-8")):
        assert action.startswith("./") or re.search(r"@[0-9a-f]{40}$", action)


def test_matrix_has_every_python_of_the_classifiers():
    (row,) = re.findall(r"python: \[(.*)\]", text_of(".github/workflows/ci.yml"))
    assert re.findall(r"[\d.]+", row) == PYTHONS
    variants = text_of("conda/variants.yaml")
    assert re.findall(r"^  - (3\.\d+)\.\*$", variants, re.MULTILINE) == PYTHONS


def test_version_is_the_same_everywhere():
    assert f"\nversion: {VERSION}\n" in text_of("CITATION.cff")
    assert f'\n  version: "{VERSION}"\n' in text_of("conda/recipe.yaml")


def test_conda_needs_what_pip_needs():
    recipe = text_of("conda/recipe.yaml")
    run_part = recipe.partition("  run:\n")[2].partition("\n\n")[0]
    needs = re.findall(r"- (\S+) (\S+)", run_part)
    wanted = [f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]]
    assert ["".join(need) for need in needs] == wanted
    entries = dict(re.findall(r"- (\S+) = (\S+:\S+)\n", recipe))
    assert entries == PROJECT["scripts"]
    for name in entries:
        assert f"        - {name} --" in recipe, f"no test of the package runs {name}"


def test_addresses_of_the_project_are_the_same_everywhere():
    pattern = r"https://github\.com/corefkit/[\w.-]+"
    names = ("CITATION.cff", "conda/recipe.yaml", "Dockerfile", "CHANGELOG.md")
    policies = (".github/SECURITY.md", ".github/CODE_OF_CONDUCT.md")
    for name in (*names, *policies, "README.md"):
        found = set(re.findall(pattern, text_of(name)))
        assert found == {REPOSITORY}, name
    site = PROJECT["urls"]["Homepage"]
    assert f"\nurl: {site}\n" in text_of("CITATION.cff")
    assert f"homepage: {site}\n" in text_of("conda/recipe.yaml")


def test_headings_of_the_changelog_link_to_what_changed():
    versions = re.findall(r"^## \[(.+?)\]", CHANGELOG, re.MULTILINE)
    links = dict(re.findall(r"^\[(.+?)\]: (\S+)$", CHANGELOG, re.MULTILINE))
    assert list(links) == versions
    assert versions[:2] == ["Unreleased", VERSION]
    assert all(link.startswith(REPOSITORY) for link in links.values())
    assert links["Unreleased"].endswith(f"/compare/v{VERSION}...HEAD")
    for version, older in zip(versions[1:], [*versions[2:], None], strict=True):
        changed = f"/compare/v{older}...v{version}"
        end = changed if older else f"/releases/tag/v{version}"
        assert links[version].endswith(end)


def test_citation_and_changelog_have_the_same_date():
    heading = rf"^## \[{re.escape(VERSION)}\] - (\d{{4}}-\d\d-\d\d)$"
    (date,) = re.findall(heading, CHANGELOG, re.MULTILINE)
    assert f"\ndate-released: {date}\n" in text_of("CITATION.cff")


def test_release_is_prepared():
    tag = os.environ.get("COREFKIT_RELEASE")
    if not tag:
        pytest.skip("COREFKIT_RELEASE names no tag")
    assert tag == f"v{VERSION}"
    waiting = re.search(r"^## \[Unreleased\]\n(.*?)^## ", CHANGELOG, re.M | re.S)[1]
    assert waiting.strip() == "", "move what is new below the heading of the version"


def test_image_runs_as_a_user_and_its_source_is_little():
    lines = text_of("Dockerfile").splitlines()
    assert [line for line in lines if line.startswith("USER ")] == ["USER corefkit"]
    ignored = text_of(".dockerignore").splitlines()
    assert "*" in ignored
    for kept in (line[1:] for line in ignored if line.startswith("!")):
        assert (ROOT / kept).exists()


def test_page_lists_every_extra_and_the_least_versions():
    page = text_of("docs/install.md")
    rows = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert sorted(rows) == sorted(PROJECT["optional-dependencies"])
    assert f"| Python | {', '.join(PYTHONS)} |" in page
    for need in PROJECT["dependencies"]:
        name, _, least = need.partition(">=")
        assert f"| {name} | {least} and newer |" in page
