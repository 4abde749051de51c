"""The papers: what they print, as data, and what is wrong with it.

Each paper is a file with these parts:

    table          numbers of sets that the paper states, metric by metric, as printed
    figure         the sets behind a figure; its curves are computed
    corpus_table   numbers of corpora that are not available; some follow from others
    claim          what the paper says about all these, in a form that can be checked
    erratum        what is known to be wrong, why, and what shows it

`fits` and `fitted` mark sets, wholes and claims that were chosen so that a number fits
or the claim holds.

Source: the papers themselves; `corefkit.lab.papers.partitions` describes our notation
for sets.
"""

from __future__ import annotations

import tomllib
from dataclasses import fields
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from corefkit.lab.papers.partitions import sets_of_letters, sets_of_sizes
from corefkit.lab.papers.values import (
    Check,
    Claim,
    CorpusTable,
    Erratum,
    Paper,
    PaperFigure,
    PaperTable,
    Row,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

# In the order of reports, the newest first.
PAPERS = (
    "moosavi-strube-2016",
    "pradhan-et-al-2014",
    "cai-strube-2010",
    "recasens-hovy-2010",
    "luo-2005",
)


def load(name: str) -> Paper:
    """Read the file of a paper.

    >>> load("luo-2005").cited, len(load("luo-2005").tables)
    ('Luo 2005', 6)
    """
    text = (files(__package__) / f"{name}.toml").read_text("utf-8")
    return paper_from(name, tomllib.loads(text))


def paper_from(name: str, data: Mapping[str, Any]) -> Paper:
    """Build a paper from the data of its file."""
    return Paper(
        name=name,
        **{key: value for key, value in data.items() if not isinstance(value, list)},
        tables=tuple(map(_table, data.get("table", ()))),
        figures=tuple(map(_figure, data.get("figure", ()))),
        corpus_tables=tuple(map(_corpus_table, data.get("corpus_table", ()))),
        claims=tuple(map(_claim, data.get("claim", ()))),
        errata=tuple(map(_erratum, data["erratum"])),
    )


def _without(data: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in names}


def _table(data: Mapping[str, Any]) -> PaperTable:
    return PaperTable(**_without(data, "row"), rows=tuple(map(_row, data["row"])))


def _row(data: Mapping[str, Any]) -> Row:
    if "key_sizes" in data:
        sets = sets_of_sizes(data["key_sizes"], data["response"])
    else:
        sets = sets_of_letters(data["key"], data["response"])
    return Row(
        **_without(data, "key_sizes", "key", "response", "printed", "correct"),
        sets=sets,
        printed=_numbers(data["printed"]),
        correct=_numbers(data.get("correct", {})),
    )


def _numbers(data: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {metric: tuple(text.split()) for metric, text in data.items()}


def _figure(data: Mapping[str, Any]) -> PaperFigure:
    return PaperFigure(
        **_without(data, "key_sizes", "responses"),
        sets={
            tick: sets_of_sizes(data["key_sizes"], response)
            for tick, response in data["responses"].items()
        },
    )


def _corpus_table(data: Mapping[str, Any]) -> CorpusTable:
    columns = tuple(data["columns"].split())
    return CorpusTable(
        **_without(data, "columns", "rows", "errata", "fitted"),
        columns=columns,
        rows={
            row: dict(zip(columns, text.split(), strict=True))
            for row, text in data["rows"].items()
        },
        errata={
            (row, column): (correct, wrong["erratum"])
            for row, wrong in data.get("errata", {}).items()
            for column, correct in wrong.items()
            if column != "erratum"
        },
        fitted=frozenset(data.get("fitted", ())),
    )


def _claim(data: Mapping[str, Any]) -> Claim:
    known = {field.name for field in fields(Claim)} & data.keys()
    return Claim(
        **{name: data[name] for name in known - {"against"}},
        against=tuple(data.get("against", ())),
        about=_without(data, *known),
    )


def _erratum(data: Mapping[str, Any]) -> Erratum:
    checks = tuple(Check(**check) for check in data.get("check", ()))
    return Erratum(**_without(data, "check"), checks=checks)
