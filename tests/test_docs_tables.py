"""Tables of the documentation: each lists what the registries have, and no more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kept import check_section, markdown_table

import corefkit
from corefkit.analysis.doctor import CHECKS
from corefkit.classes import CLASSES
from corefkit.cli import COMMANDS
from corefkit.cli.lab import COMMANDS as LAB
from corefkit.formats import READ_ONLY
from corefkit.formats.dialects import DIALECTS
from corefkit.formats.problems import KINDS
from corefkit.results.score_table import WRITERS
from corefkit.settings import SETTINGS
from corefkit.weights import PRESET_WEIGHTS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
FORMATS = DOCS / "formats.md"


def cells(page: Path, head: str) -> list[list[str]]:
    """Read the rows of the first table of a page that starts with some cells."""
    return parse_table(page.read_text("utf-8"), head)


def parse_table(text: str, head: str) -> list[list[str]]:
    """Parse the rows of the first table that starts with some cells."""
    lines = text.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(head))
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows


def names(cell: str) -> list[str]:
    """List the names that a cell has between backticks."""
    return re.findall(r"`([^`]*)`", cell)


@pytest.mark.kept
def test_kinds_of_problems():
    rows = [[f"`{kind.name}`", kind.severity, kind.meaning] for kind in KINDS.values()]
    generated = markdown_table(["kind", "severity", "meaning"], rows)
    check_section(DOCS / "formats.md", "kinds of problems", generated)


@pytest.mark.kept
def test_checks_of_doctor():
    faults_first = sorted(CHECKS.values(), key=lambda check: not check.is_fault)
    rows = [
        [f"`{check.name}`", "fault" if check.is_fault else "choice", check.topic]
        for check in faults_first
    ]
    generated = markdown_table(["check", "kind", "cause"], rows)
    check_section(DOCS / "doctor.md", "checks of doctor", generated)


@pytest.mark.kept
def test_classes():
    rows = [
        [
            f"`{row.name}`",
            row.meaning,
            ", ".join(f"`{value}`" for value in row.values),
            row.response,
        ]
        for row in CLASSES.values()
    ]
    head = ["class", "divides", "values", "class of a mention of the response"]
    check_section(DOCS / "classes.md", "classes", markdown_table(head, rows))


def test_variants():
    rows = cells(DOCS / "metrics.md", "| name | label | altered for recall")
    listed = {one: row[1] for row in rows for one in names(row[0])}
    assert set(listed) == set(corefkit.VARIANTS)
    for name, label in listed.items():
        assert corefkit.VARIANTS[name].label in label.split(", ")


def test_supplements():
    rows = cells(DOCS / "metrics.md", "| name | measures")
    listed = [name for row in rows for name in names(row[0])]
    assert sorted(listed) == sorted(corefkit.SUPPLEMENTS)


def test_formats():
    rows = cells(DOCS / "formats.md", "| name | format | suffixes")
    every = {
        name: row
        for name, row in {**corefkit.FORMATS, **READ_ONLY}.items()
        if not row.is_dialect
    }
    assert sorted(names(row[0])[0] for row in rows) == sorted(every)
    for name, label, endings, *_ in rows:
        row = every[names(name)[0]]
        assert row.label.removesuffix(" table") in label
        # Beside them stand the endings of files with the text.
        own = names(endings.partition(", text in")[0])
        if row.name in corefkit.FORMATS:
            assert own == list(row.suffixes)


@pytest.mark.kept
def test_dialects_of_json():
    rows = [
        [
            f"`{row.name}`",
            READ_ONLY[row.name].label.removeprefix("JSON of "),
            ", or ".join(f"`{name}`" for name in row.text),
            " and ".join(
                [", or ".join(f"`{name}`" for name in row.key)]
                + [f"`{name}`" for name in row.required]
            ),
            f"{row.unit} from {row.first}, end {row.end}",
        ]
        for row in DIALECTS.values()
    ]
    head = ["name", "of", "words or text", "entities", "spans count"]
    generated = markdown_table(head, rows)
    check_section(DOCS / "formats" / "json.md", "dialects of JSON", generated)


def test_pages_state_the_number_of_formats():
    every = len({**corefkit.FORMATS, **READ_ONLY})
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    texts = [page.read_text("utf-8") for page in pages]
    stated = [int(n) for text in texts for n in re.findall(r"(\d+) \[?formats", text)]
    assert len(stated) >= 5
    assert max(stated) < every
    assert f"and writes {len(corefkit.FORMATS)}." in texts[pages.index(FORMATS)]


# Heads of the columns, and the names that writers have for them.
CARRIED = {
    "gaps": "discontinuous mentions",
    "heads": "heads",
    "minimum spans": "minimum spans",
    "empty nodes": "empty nodes",
    "types": "entity types",
    "other attributes": "other attributes",
    "split antecedents": "split antecedents",
    "bridging": "bridging anaphors",
    "non-referring": "non-referring entities",
    "crossing": "mentions that cross another",
    "crossing its own": "mentions that cross another of their entity",
}


@pytest.mark.kept
def test_what_formats_carry():
    carried = {
        name: set(row.writer.carries) - {"mention types"}
        for name, row in corefkit.FORMATS.items()
    }
    assert set().union(*carried.values()) == set(CARRIED.values())
    rows = [
        [f"`{name}`", *("yes" if kind in kinds else "" for kind in CARRIED.values())]
        for name, kinds in carried.items()
    ]
    generated = markdown_table(["", *CARRIED], rows)
    check_section(DOCS / "formats.md", "carried by formats", generated)


def test_fields_of_the_signature():
    rows = cells(DOCS / "conventions.md", "| field | values | meaning |")[1:]
    assert [names(row[0]) for row in rows] == [
        [one.signed] for one in SETTINGS.values()
    ]
    free = {"weights": PRESET_WEIGHTS, "by": CLASSES, "max_drift": ()}
    free |= {"only": ["all", "NAME=VALUE"], "topics": ["id"], "window": ["none"]}
    for (_, values, _), row in zip(rows, SETTINGS.values(), strict=True):
        assert names(values) == list(row.choices or free[row.name])
    always = [row.name for row in SETTINGS.values() if row.always_signed]
    assert (
        always == list(SETTINGS)[: list(SETTINGS).index("undefined")]
    )  # as the page says


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("conventions.md", "repeated"),
        ("matching.md", "match"),
        ("matching.md", "scope"),
        ("matching.md", "singletons"),
        ("matching.md", "zeros"),
        ("metrics.md", "blanc_rule"),
    ],
)
def test_choices_of_a_setting(page, name):
    option = f"--{name}" if page == "conventions.md" else name
    rows = cells(DOCS / page, f"| `{option}` |")
    assert [one for row in rows for one in names(row[0])] == list(
        SETTINGS[name].choices
    )
    assert "(default)" in rows[0][0]


def test_presets():
    rows = cells(DOCS / "cli.md", "| preset |")
    assert [name for row in rows for name in names(row[0])] == list(corefkit.PRESETS)


def test_output_formats_of_score():
    text = (DOCS / "cli.md").read_text("utf-8")
    assert all(f"**{name}**" in text for name in WRITERS)


def test_commands():
    commands = [*COMMANDS, *(f"lab {name}" for name in LAB)]
    text = (DOCS / "cli.md").read_text("utf-8")
    assert [name for name in commands if f"corefkit {name} " not in text] == []
