"""The papers: what they print, as data, and what is wrong with it.

A file a paper. Its parts:

    table          numbers of sets that the paper states: metric by metric, as printed
    figure         the sets behind a figure; what it shows is computed
    corpus_table   numbers of corpora that are not here: some follow from others
    claim          what the paper says of all these, in a form that can be checked
    erratum        what is known to be wrong, why, and what shows it

What a set, a whole or a claim was chosen for, so that a number fits or the claim holds,
`fits` and `fitted` say.

Source: the papers themselves; the sets are in a notation of our own, see
`corefkit.lab.papers.partitions`.
"""

from __future__ import annotations

import tomllib
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
    Row,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

# In the order of reports: the newest first.
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
    """Make a paper of what its file says."""
    return Paper(
        name=name,
        **{key: value for key, value in data.items() if not isinstance(value, list)},
        tables=tuple(map(_table, data.get("table", ()))),
        figures=tuple(map(_figure, data.get("figure", ()))),
        corpus_tables=tuple(map(_corpus_table, data.get("corpus_table", ()))),
        claims=tuple(map(_claim, data.get("claim", ()))),
        errata=tuple(map(_erratum, data["erratum"])),
    )


def _table(data: Mapping[str, Any]) -> Table:
    return Table(
        id=data["id"],
        where=data["where"],
        title=data["title"],
        fields=tuple(data["fields"]),
        decimals=data["decimals"],
        percent=data.get("percent", False),
        rule=data["rule"],
        rows=tuple(map(_row, data["row"])),
    )


def _row(data: Mapping[str, Any]) -> Row:
    if "key_sizes" in data:
        sets = sets_of_sizes(data["key_sizes"], data["response"])
    else:
        sets = sets_of_letters(data["key"], data["response"])
    return Row(
        label=data["label"],
        sets=sets,
        printed={name: tuple(text.split()) for name, text in data["printed"].items()},
        correct={
            name: tuple(text.split()) for name, text in data.get("correct", {}).items()
        },
        erratum=data.get("erratum", ""),
        fits=data.get("fits", ""),
    )


def _figure(data: Mapping[str, Any]) -> PaperFigure:
    return PaperFigure(
        id=data["id"],
        where=data["where"],
        title=data["title"],
        x_label=data["x_label"],
        ordered=data["ordered"],
        source=data["source"],
        sets={
            tick: sets_of_sizes(data["key_sizes"], response)
            for tick, response in data["responses"].items()
        },
    )


def _corpus_table(data: Mapping[str, Any]) -> CorpusTable:
    columns = tuple(data["columns"].split())
    return CorpusTable(
        id=data["id"],
        where=data["where"],
        title=data["title"],
        columns=columns,
        decimals=data["decimals"],
        percent=data.get("percent", False),
        rule=data["rule"],
        rows={
            row: dict(zip(columns, text.split(), strict=True))
            for row, text in data["rows"].items()
        },
        shares=data.get("shares", {}),
        errata={
            (row, column): (correct, wrong["erratum"])
            for row, wrong in data.get("errata", {}).items()
            for column, correct in wrong.items()
            if column != "erratum"
        },
        fitted=frozenset(data.get("fitted", ())),
    )


def _claim(data: Mapping[str, Any]) -> Claim:
    named = {"id", "where", "says", "operator", "erratum", "against", "fits"}
    return Claim(
        id=data["id"],
        where=data["where"],
        says=data["says"],
        operator=data["operator"],
        about={name: value for name, value in data.items() if name not in named},
        erratum=data.get("erratum", ""),
        against=tuple(data.get("against", ())),
        fits=data.get("fits", ""),
    )


def _erratum(data: Mapping[str, Any]) -> Erratum:
    words = {name: value for name, value in data.items() if name != "check"}
    checks = tuple(Check(**values) for values in data.get("check", ()))
    return Erratum(**words, checks=checks)
