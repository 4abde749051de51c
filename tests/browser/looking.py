"""What tests ask of a page: trouble, faults that axe finds, mentions, screenshots."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from shared_files import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
BAD = ("serious", "critical")
INSIDE = ("file:", "data:", "about:", "blob:")
# Where to keep screenshots for people to look at; unset, they are made and forgotten.
SHOTS = os.environ.get("COREFKIT_SCREENSHOTS")


def watch(page, troubles, inside=()):
    """Write down errors of a page, and requests for what is not in it."""

    def heard(message):
        if message.type in ("error", "warning"):
            troubles.append(f"console {message.type}: {message.text}")

    def asked(request):
        if not request.url.startswith((*INSIDE, *inside)):
            troubles.append(f"request: {request.url}")

    page.on("console", heard)
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on("request", asked)
    page.on("dialog", lambda dialog: (troubles.append("dialog"), dialog.dismiss()))


def faults(page, within="html"):
    """List what axe-core calls serious or critical, with where it is."""
    if not AXE.exists():
        pytest.skip("axe-core is missing: run `npm ci` in web/")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate(
        "within => axe.run(within, {resultTypes: ['violations']})", within
    )
    return [
        f"{one['id']}: {node['html'][:200]} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in BAD
        for node in one["nodes"]
    ]


def pieces(page, side="key", system=None):
    """Map each mention drawn, by its span, to the slots and entities of its pieces."""
    chosen = f'[data-span][data-side="{side}"]'
    if system is not None:
        chosen += f'[data-system="{system}"]'
    drawn = page.eval_on_selector_all(
        chosen,
        "all => all.map(e => [e.dataset.span, e.dataset.slot, e.dataset.entity])",
    )
    found = {}
    for span, slot, entity in drawn:
        if slot is not None:
            found.setdefault(int(span), set()).add((int(slot), int(entity)))
    return found


def tokens(page):
    """List the texts of the tokens, in the order of the page."""
    return page.eval_on_selector_all(
        "[data-token]", "all => all.map(e => [Number(e.dataset.token), e.textContent])"
    )


def shoot(page, name, *, whole=True):
    """Take a screenshot; people who look for ugly things keep them in a folder."""
    picture = page.screenshot(full_page=whole, animations="disabled")
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        (Path(SHOTS) / f"{name}.png").write_bytes(picture)
    return picture
