"""Reports for tests."""

from __future__ import annotations

import corefkit
from corefkit import example


def made_report(key, systems, *, samples=200, **keywords):
    """Make a report from few samples."""
    return corefkit.make_report(key, systems, samples=samples, **keywords)


def example_report(*names, **keywords):
    """Make the report of the bundled example, or of one of its systems."""
    key, *responses = example.paths()
    chosen = {path.name: path for path in responses if not names or path.stem in names}
    return made_report(key, chosen, **keywords)
