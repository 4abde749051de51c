"""`corefkit lab diagnose KEY RESPONSE`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.cli import options, tell_all
from corefkit.lab.diagnose import diagnose
from corefkit.lab.diagnose.text import DIAGNOSIS_WRITERS
from corefkit.lab.labels import partition_metric_names
from corefkit.metrics.registry import list_default_metrics
from corefkit.settings import resolve_settings

if TYPE_CHECKING:
    import argparse

HELP = """Find the metrics that reward a worse response.

The response is changed in ways that add no correct link and remove none: mentions with
only wrong links are taken out (more precise), and missing key mentions are put into
wrong entities (less precise a and b). Recall must stay the same, and precision must
follow. Metrics that move the other way are named, with all scores. Two extremes are
shown beside: every mention alone, and all mentions of a document in one entity."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=False)
    default = list_default_metrics()
    others = (name for name in partition_metric_names() if name not in default)
    listed = f"{','.join(default)} and the CoNLL mean; there are also "
    listed += ", ".join(others)
    options.add_names(
        parser, "--metric", "metric or variant to diagnose", default=listed
    )
    options.add_output_option(parser, DIAGNOSIS_WRITERS)
    options.add_settings_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Diagnose and print."""
    # The example has two responses: the first is the one to diagnose.
    key, (response, *_) = options.inputs(arguments)
    result = diagnose(
        key,
        response.path,
        settings=resolve_settings(**options.settings_given(arguments)),
        metrics=options.names_given(arguments.metric, "--metric"),
        format=arguments.format,
    )
    result = replace(result, response=response.name)
    print(DIAGNOSIS_WRITERS[arguments.output](result))
    tell_all(result.notes, result.warnings)
    return 0
