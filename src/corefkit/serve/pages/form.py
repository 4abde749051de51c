"""Where files are dropped; `web/src/serve` sends them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from corefkit.formats import FORMATS, READ_ONLY
from corefkit.serve.limits import in_words
from corefkit.serve.pages.frame import Markup, element, paragraph, text_of
from corefkit.settings import PRESETS, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.serve.limits import Limits
    from corefkit.serve.values import Asked

_UNSET = (
    "What is not set is as the preset says; without a preset it is the first choice "
    "of each list. The report names all of it."
)
_FORMAT = "what the files are, if that is not recognised by what is in them"
_NO_SCRIPT = "Sending files needs JavaScript, which this browser does not run here."


def new_run(limits: Limits, *, like: Asked | None = None) -> Markup:
    """Write the form for a new run; one like an earlier has its key and settings."""
    key = None if like is None else like.key
    told = {"file": limits.file_bytes, "responses": limits.responses}
    given = None if key is None else json.dumps({"file": key.hash, "name": key.name})
    most = (
        f"Each file has at most {in_words(limits.file_bytes)} and is in any format "
        "that corefkit reads; files packed by gzip are read too."
    )
    return element(
        "form",
        *([] if key is not None else [_drop("key", "Key", several=False)]),
        _drop("responses", "Responses", several=True),
        *([] if key is None else [paragraph("", id="ticked", class_="note")]),
        paragraph(most, class_="note"),
        _settings({} if like is None else like.settings),
        element(
            "p",
            element("button", text_of("Make the report"), type="submit"),
            *([] if key is not None else [_example()]),
        ),
        paragraph("", id="state", role="status"),
        paragraph("", id="trouble", role="alert"),
        element("noscript", paragraph(_NO_SCRIPT)),
        id="new-run",
        data_limits=json.dumps(told),
        data_key=given,
    )


def _example() -> Markup:
    text = text_of("Try the bundled example")
    return element("button", text, type="button", id="example", class_="quiet")


def _drop(name: str, label: str, *, several: bool) -> Markup:
    """Write a place for files; the browser's own control would not list them."""
    choose = "Choose files" if several else "Choose a file"
    drop = (
        "or drop files here: what systems found, one file for each system"
        if several
        else "or drop it here: the file with the right entities"
    )
    return element(
        "div",
        element("b", text_of(label)),
        element(
            "input",
            type="file",
            id=name,
            multiple=several,
            class_="unseen",
            aria_label=f"{label}: {choose.lower()}",
        ),
        element("label", text_of(choose), for_=name, class_="button"),
        element("span", text_of(drop), class_="note"),
        element("ul", id=f"{name}-chosen", class_="chosen"),
        class_="drop",
        data_for=name,
    )


def _settings(chosen: Mapping[str, str]) -> Markup:
    rows = [
        _choice("format", _FORMAT, [*FORMATS, *READ_ONLY], chosen),
        paragraph(_UNSET, class_="note"),
        _choice("preset", "settings to start from", [*PRESETS], chosen),
    ]
    rows += [
        _choice(row.name, row.meaning, [*row.choices], chosen)
        for row in SETTINGS.values()
        if row.is_option and row.choices
    ]
    about = text_of("Settings")
    return element(
        "details",
        element("summary", about),
        *rows,
        class_="settings",
        open=bool(chosen),
    )


def _choice(
    name: str, meaning: str, values: list[str], chosen: Mapping[str, str]
) -> Markup:
    options = [
        element("option", text_of("not set"), value=""),
        *(
            element(
                "option",
                text_of(value),
                value=value,
                selected=chosen.get(name) == value,
            )
            for value in values
        ),
    ]
    return element(
        "div",
        element("label", text_of(name.replace("_", "-")), for_=f"setting-{name}"),
        element("select", *options, id=f"setting-{name}", data_setting=name),
        element("span", text_of(meaning), class_="note"),
    )
