"""Presets: settings by name, for the numbers of other scorers.

A released preset never changes; a corrected one gets a new name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

PRESETS: Mapping[str, Settings] = {
    # The CoNLL reference scorer v8.01.
    "conll2012": Settings(repeated="reference", reading="reference"),
    # The CorefUD scorer, version 1.2 throughout, as each shared task called it.
    "crac2022": Settings(match="partial", singletons="drop", blanc_rule="links"),
    "crac2023": Settings(match="head", singletons="drop", blanc_rule="links"),
    "crac2024": Settings(
        match="head", singletons="drop", blanc_rule="links", zeros="dependency"
    ),
    "crac2025": Settings(
        match="head", singletons="drop", blanc_rule="links", zeros="dependency"
    ),
    # The Universal Anaphora scorer 2.0 for anaphora resolution (CODI-CRAC 2022).
    "ua": Settings(blanc_rule="links", zeros="drop", split="score"),
    # ACE-value with the default parameters of NIST's script of that year.
    "ace2005": Settings(weights="ace2005"),
}
