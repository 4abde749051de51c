"""The smallest CorefUD file with each problem of profile `corefud`."""

from __future__ import annotations

DECLARED = "# global.Entity = eid-etype-head-minspan-identity\n"


def format_corefud(text, declaration=DECLARED):
    """Format sentences, in which a word is `form`, `form|items` or `id:form|items`."""
    lines = [declaration]
    for sentence in text.split("\n"):
        if sentence.startswith("#"):
            lines.append(f"{sentence}\n")
            continue
        for number, word in enumerate(sentence.split(), 1):
            form, _, items = word.partition("|")
            token_id, _, form = form.rpartition(":")
            row = [token_id or str(number), form, *"______", "_", items or "_"]
            lines.append("\t".join(row) + "\n")
        lines.append("\n")
    return "".join(lines)


# The kind, its line, and the smallest file with it.
_CASES = [
    ("global-entity-mismatch", 2, "# global.Entity = eid-etype-head\na"),
    ("entity-mwt", 2, "1-2:ab|Entity=(e1-person-1) 1:a 2:b"),
    ("multiple-entity-statements", 2, "a|Entity=(e1-person-1)|Entity=(e2-person-1)"),
    ("multiple-bridge-statements", 2, "a|Entity=(e1--1)|Bridge=e2<e1|Bridge=e3<e1"),
    (
        "multiple-splitante-statements",
        2,
        "a|Entity=(e1--1)|SplitAnte=e2<e1|SplitAnte=e3<e1",
    ),
    ("bridge-without-entity", 2, "a|Bridge=e1<e2"),
    ("splitante-without-entity", 2, "a|SplitAnte=e1<e3,e2<e3"),
    ("spurious-entity-statement", 2, "a|Entity=(e1-person-1)x"),
    ("spurious-entity-statement", 2, "a|Entity=(e1--1)(e2--1 b|Entity=e2)"),
    ("spurious-entity-statement", 3, "a|Entity=(e1--1 b|Entity=e1)(e2--1)"),
    ("spurious-entity-statement", 3, "a|Entity=(e1--1 b|Entity=(e2--1(e3--1)e1)"),
    ("too-many-entity-attributes", 2, "a|Entity=(e1-person-1-1-Ann-x)"),
    ("too-many-entity-attributes", 3, "a|Entity=(e1--1 b|Entity=e1-person)"),
    ("spurious-entity-id", 2, "a|Entity=(e1[1/1]-person-1)"),
    ("spurious-entity-id", 2, "a|Entity=([e1-person-1)"),
    ("misplaced-mention-part", 2, "a|Entity=(e1[2/2]-person-1)"),
    (
        "mention-attribute-mismatch",
        4,
        "a|Entity=(e1[1/2]-person-1) b c|Entity=(e1[2/2]-person-2)",
    ),
    (
        "entity-across-newdoc",
        5,
        "a|Entity=(e1-person-1)\n# newdoc\na|Entity=(e1-person-1)",
    ),
    ("spurious-entity-type", 2, "a|Entity=(e1-Person-1)"),
    ("spurious-mention-head", 2, "a|Entity=(e1-person-0)"),
    ("spurious-mention-head", 2, "a|Entity=(e1-person--1)"),
    ("entity-type-mismatch", 3, "a|Entity=(e1-person-1) b|Entity=(e1--1)"),
    (
        "entity-identity-mismatch",
        3,
        "a|Entity=(e1-person-1-1-Ann) b|Entity=(e1-person-1-1-Bob)",
    ),
    ("mention-head-out-of-range", 2, "a|Entity=(e1-person-2)"),
    ("same-span-entity-mentions", 2, "a|Entity=(e1-person-1)(e2-person-1)"),
    (
        "crossing-mentions-same-entity",
        5,
        "a|Entity=(e1[1/2] b|Entity=e1[1/2])(e1--1 c|Entity=e1) d|Entity=(e1[2/2])",
    ),
    ("spurious-bridge-statement", 2, "a|Entity=(e1-person-1)|Bridge=e2<e1:Part"),
    ("spurious-splitante-statement", 2, "a|Entity=(e1-person-1)|SplitAnte=e2"),
    (
        "spurious-splitante-relation",
        2,
        "a|Entity=(e1-person-1)|SplitAnte=e1<e1,e2<e1",
    ),
    (
        "misplaced-splitante-statement",
        3,
        "a|Entity=(e1--1) b|Entity=(e2--1)|SplitAnte=e2<e1,e3<e1",
    ),
    (
        "repeated-splitante-relation",
        2,
        "a|Entity=(e1-person-1)|SplitAnte=e2<e1,e2<e1,e3<e1",
    ),
    ("only-one-split-antecedent", 2, "a|Entity=(e1-person-1)|SplitAnte=e2<e1"),
    (
        "split-antecedent-mismatch",
        3,
        "a|Entity=(e1--1)|SplitAnte=e2<e1,e3<e1 b|Entity=(e1--1)|SplitAnte=e2<e1,e3<e1",
    ),
    ("cross-sentence-mention", 3, "a b|Entity=(e1-person-1\nc"),
    ("cross-sentence-mention", 2, "a|Entity=(e1[1/2]-person-1)\nc"),
    ("ill-nested-entities", 2, "a|Entity=e1)"),
    (
        "ill-nested-entities-warning",
        4,
        "a|Entity=(e1--1 b|Entity=(e2--1 c|Entity=e1) d|Entity=e2)",
    ),
]
CASES = [(kind, line, format_corefud(text)) for kind, line, text in _CASES]
_UNDECLARED = format_corefud("a|Entity=(e1-person-1)", declaration="")
_INVALID = format_corefud("a", declaration="# global.Entity = GRP-etype-head\n")
CASES += [
    ("entity-without-global-entity", 1, _UNDECLARED),
    ("spurious-global-entity", 1, _INVALID),
]
