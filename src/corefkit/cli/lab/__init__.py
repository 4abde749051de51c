"""`corefkit lab COMMAND`: the metric laboratory."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

HELP = """See how metrics behave: on the sets that the papers print, on a corpus made
worse step by step, and on the output of your own system."""

COMMANDS: Mapping[str, str] = {
    "reproduce": "recompute the papers' tables and figures",
    "perturb": "make a key worse step by step, and see how metrics react",
    "diagnose": "find the metrics that reward a worse response",
}
