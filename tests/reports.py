"""Reports for tests, made from scores, comparison and errors."""

from __future__ import annotations

import corefkit
from corefkit import example
from corefkit.analysis.reporting.values import Report
from corefkit.report.reader.values import Reader


def made_report(key, systems, *, samples=200, **keywords):
    """Make a report without documents for the reader."""
    names = tuple(systems)
    scores = [corefkit.score(key, one, **keywords) for one in systems.values()]
    comparison = corefkit.compare(key, systems, samples=samples, **keywords)
    repair = {
        "repair" if name == "metrics" else name: v for name, v in keywords.items()
    }
    return Report(
        str(key) if not isinstance(key, dict | list) else "key",
        names,
        tuple(scores),
        comparison,
        corefkit.errors(key, systems, **repair),
        Reader("key", names, ()),
        notes=comparison.notes,
        warnings=comparison.warnings,
    )


def example_report(*names, **keywords):
    """Make the report of the bundled example, or of one of its systems."""
    key, *responses = example.paths()
    chosen = {path.name: path for path in responses if not names or path.stem in names}
    return made_report(key, chosen, **keywords)
