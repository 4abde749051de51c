"""The claims on scores, a row each: what is said, what is compared, when it holds."""

from __future__ import annotations

from functools import partial

from corefkit.cistell.experiment.claims import differences, reasons
from corefkit.cistell.experiment.claims.base import (
    LITTLE,
    Claim,
    about_equal,
    little_above,
)
from corefkit.cistell.experiment.systems import SEVEN

# In one setting; where the paper's own numbers do not show one, it does not claim it.
RANKINGS = (
    Claim(
        "muc-weak",
        "MUC rewards WEAK most",
        "section 4",
        partial(differences.highest, metric="muc", models=("weak",)),
        evidence=partial(reasons.order, metric="muc"),
        reasons=reasons.of_muc,
    ),
    Claim(
        "b3-head-match",
        "B³ rewards HEAD MATCH most",
        "section 4",
        partial(differences.highest, metric="b_cubed", models=("head_match",)),
        evidence=partial(reasons.order, metric="b_cubed"),
        reasons=reasons.of_head_match,
    ),
    Claim(
        "b3-weak",
        "of the four models B³ rewards WEAK least: it likes careful output",
        "section 4",
        partial(differences.weak_lowest, metric="b_cubed"),
        evidence=partial(reasons.order, metric="b_cubed"),
        reasons=reasons.of_weak,
    ),
    Claim(
        "ceaf-weak",
        "of the four models CEAF rewards WEAK least",
        "Tables 3, 5 and 7",
        partial(differences.weak_lowest, metric="ceaf_m"),
        evidence=partial(reasons.order, metric="ceaf_m"),
        reasons=reasons.of_weak,
    ),
    Claim(
        "b3-singletons",
        "on B³, ALL SINGLETONS is above STRONG and WEAK",
        "sections 5 and 7",
        differences.singletons_ahead,
        evidence=partial(reasons.order, metric="b_cubed"),
        reasons=reasons.of_singletons,
    ),
)
# The models are others for each dataset of the paper.
CEAF = Claim(
    "ceaf-divided",
    "CEAF prefers {models}",
    "sections 4 to 6",
    partial(differences.highest, metric="ceaf_m"),
    evidence=partial(reasons.order, metric="ceaf_m"),
    reasons=reasons.of_ceaf,
)
NUMBERS_OF_LINKS = Claim(
    "links",
    "WEAK links at least as much as STRONG, and STRONG more than BEST",
    "Tables 3, 5 and 7",
    differences.links_fall,
    evidence=reasons.links,
)

# Between two settings, or between a variant and the setting itself.
LANGUAGE = Claim(
    "language",
    f"the language makes little difference, less than {LITTLE:g} points of F1",
    "section 4",
    partial(differences.mean_gap, models=SEVEN),
    about_equal,
    partial(reasons.by_metric, models=SEVEN),
    reasons.singletons_of_each,
)
GOLD_TREES = Claim(
    "preprocessing",
    "gold preprocessing gives higher scores than automatic",
    "section 6",
    differences.mean_gap,
    evidence=reasons.by_metric,
    reasons=reasons.singletons_of_each,
)
AUTOMATIC_TREES = GOLD_TREES._replace(
    says="automatic preprocessing gives no lower scores than gold"
)
TRAINING_DATA = Claim(
    "training-data",
    "more training data does not help much: all of it is less than "
    f"{LITTLE:g} points above {{title}}",
    "section 5",
    differences.mean_gap,
    little_above,
    reasons.by_metric,
)
VARIANT = Claim(
    "variant-{name}",
    "{title} the four models score higher",
    "section 6",
    differences.mean_gap,
    evidence=reasons.by_metric,
)
# Of an OntoNotes-like scheme against an ACE-like one of the same texts.
SCHEMES = (
    Claim(
        "scheme-singletons",
        "ALL SINGLETONS has higher B³ and CEAF on OntoNotes than on ACE",
        "section 5",
        differences.singletons_higher,
        reasons=reasons.singletons_of_each,
    ),
    Claim(
        "scheme-muc",
        "MUC of the four models is higher on ACE",
        "section 5",
        differences.muc_higher,
        reasons=reasons.singletons_of_each,
    ),
    Claim(
        "scheme-heads",
        "HEAD MATCH gains more over ALL SINGLETONS on ACE, by B³",
        "section 5",
        differences.heads_help,
        reasons=reasons.singletons_of_each,
    ),
)
