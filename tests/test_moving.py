"""The page for users of other scorers: complete, and true of our own command.

What the other scorers do was seen by running them; they are not here. What can be
held without them: each scorer has the same parts, a row for each option in its help
or code, and recommends only what our parser understands.
"""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentError
from itertools import pairwise

import pytest
from test_docs import headings
from test_docs_tables import DOCS, names, parse_table

import corefkit
from corefkit.cli import COMMANDS, load_command
from corefkit.cli.arguments import Command, CommandParser
from corefkit.exceptions import CorefkitError
from corefkit.metrics.registry import find_metrics, list_metric_names

# The options of each scorer: words of its command line, or names of its functions.
OPTIONS = {
    "scorer.pl": "muc bcub ceafm ceafe blanc all key response none",
    "coval": """
        all NP_only remove_nested remove_singletons remove_singleton min_span
        min_spans min mentions muc bcub ceafe lea keep_non_referring MIN
        arrau-scorer.py evaluator.ceafm evaluator.get_document_evaluations
    """,
    "CorefUD scorer": """
        key_file sys_file -m --metrics all muc bcub ceafe ceafm blanc lea mor
        zero -s --keep-singletons -a --match head partial exact -x --exact-match
        -z --zero-match-method linear dependent
    """,
    "Universal Anaphora scorer": """
        key system all muc bcub ceafe ceafm blanc lea -m --metrics conll mention
        zero non-referring bridging keep_non_referring keep_bridging
        remove_singletons remove_split_antecedent MIN min min_spans -s
        --keep-singletons -l --keep-split-antecedents -p --partial-match
        --partial-match-method craft -z --keep-zeros --zero-match-method
        dependent -f ua corefud conll -a exact head partial-corefud
        partial-craft only_split_antecedent --only-split-antecedent
        evaluate_discourse_deixis -d --evaluate-discourse-deixis --np-only
        --allow-boundary-crossing --remove-nested-mentions -t conll12 crac18
        craft19 crac22 crac23 crac24 codicrac22ar codicrac22br codicrac22dd
    """,
    "scorch": """
        <gold> <sys> <out-file> - -h --help scorch.conll <conll-file>
        [<out-dir>] scores.muc scores.conll2012 scores.blanc add_sys_mentions
    """,
    "neleval": """
        evaluate -g -m muc b_cubed mention_ceaf entity_ceaf luo pairwise
        strong_mention_match b_cubed_plus mention_ceaf_plus typed_mention_ceaf
        typed_mention_ceaf_plus all-coref all -f tab json none --by-doc -b
        --by-type --overall --type-weights prepare-conll-coref --cross-doc
        --with-kb prepare-brat prepare-tac prepare-tac15 to-weak
        select-alternatives weights-for-hierarchy validate-spans analyze
        confidence significance --permute --bootstrap -n -p -j --metrics
        rank-systems compare-measures plot-systems compose-measures
        list-measures
    """,
    "metrics.py of e2e-coref": """
        CorefEvaluator update mention_to_predicted mention_to_gold get_f1
        get_precision get_recall Evaluator beta Evaluator.get_counts
        evaluate_documents muc b_cubed ceafe lea MentionEvaluator.update
        ClusterChecker.total_lea ClusterChecker.add_predictions
        conll.evaluate_conll calculate_conll.py
    """,
    "coval of Hugging Face evaluate": """
        predictions references keep_singletons NP_only min_span remove_nested
        add add_batch
    """,
}
PARTS = ["Options of", "Differences from", "Output of"]
PAGE = DOCS / "moving.md"
TOP, *SECTIONS = re.split(r"^(?=## )", PAGE.read_text("utf-8"), flags=re.MULTILINE)
TITLES = [section.partition("\n")[0].removeprefix("## ") for section in SECTIONS]
SCORERS = {
    title: section
    for title, section in zip(TITLES, SECTIONS, strict=True)
    if title != "Common differences"
}
each_scorer = pytest.mark.parametrize("name", SCORERS)
_TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def parser_of(command: str) -> CommandParser:
    """Make the parser of a command."""
    loaded = load_command(command)
    assert isinstance(loaded, Command)
    return CommandParser.from_command(command, loaded)


def refusal(line: str) -> str | None:
    """Say what our parser would not take of a command line, or of a few options.

    Words in capitals stand for values of the user's.

    >>> refusal("corefkit score KEY RESPONSE --match head")
    >>> refusal("--match heads"), refusal("--metric bcup"), refusal("corefkit scroe K")
    ('--match heads', '--metric bcup', 'scroe')
    >>> refusal("corefkit compare KEY A B --per-document")
    '--per-document'
    """
    words = shlex.split(line)
    commands = ["score", "compare"]  # where the options of no command may belong
    if words[0] == "corefkit":
        commands = words[1:2]
        if commands[0] not in COMMANDS:
            return commands[0]
    known = {}
    for parser in map(parser_of, reversed(commands)):
        known |= {name: (parser, one) for name, one in parser.list_options().items()}
    for option, value in pairwise([*words, ""]):
        if not option.startswith("--") or option == "--help":
            continue
        if option not in known:
            return option
        parser, action = known[option]
        if action.nargs == 0 or value.isupper() or not value:
            continue
        try:
            parser.parse_value(action, value)
            if option == "--metric":
                find_metrics(value)
        except (ArgumentError, CorefkitError):
            return f"{option} {value}"
    return None


def recommended(text: str) -> list[str]:
    """List what a page tells to type: commands, and options in columns of ours."""
    found = []
    for table in _TABLE.findall(text):
        head, _, *rows = (line.split(" | ") for line in table.splitlines())
        ours = [
            at
            for at, cell in enumerate(head)
            if cell.strip("| ") in ("now", "corefkit")
        ]
        found += [one for row in rows for at in ours for one in names(row[at])]
    prose = _TABLE.sub("", re.sub(r"(?ms)^```.*?^```$", "", text))
    found += [one for one in names(prose) if one.startswith("corefkit ")]
    return [one for one in found if one.startswith(("corefkit ", "--"))]


def parts_of(section: str) -> dict[str, str]:
    """Split a section into its commands, under an empty name, and its parts."""
    texts = re.split(r"^### (.*)$", section, flags=re.MULTILINE)
    return dict(zip(["", *texts[1::2]], texts[::2], strict=True))


def test_every_scorer_has_a_section():
    assert list(SCORERS) == list(OPTIONS)


@each_scorer
def test_sections_have_the_same_parts(name):
    commands, *parts = parts_of(SCORERS[name])
    assert len(parts) == len(PARTS)
    assert all(map(str.startswith, parts, PARTS))
    assert "| before | now |" in parts_of(SCORERS[name])[commands]


@each_scorer
def test_every_option_of_the_other_scorer_is_listed(name):
    _, options, *_ = parts_of(SCORERS[name]).values()
    rows = parse_table(options, next(re.finditer(r"^\| .*", options, re.M))[0])
    listed = {
        word
        for row in rows
        for cell in (*names(row[0]), *row[0].split(", "))
        for word in (cell, *re.split(r"[ (),=]+", cell))
    }
    assert set(OPTIONS[name].split()) - listed == set()
    assert all(row[1] for row in rows)  # what it is here, or that it is not


@each_scorer
def test_what_is_recommended_is_understood(name):
    lines = recommended(SCORERS[name])
    assert lines or name == "coval of Hugging Face evaluate"  # Python only
    assert [line for line in lines if refusal(line)] == []


def test_json_has_what_scripts_are_to_take():
    paths = [one for one in names(PAGE.read_text("utf-8")) if one.startswith(".s")]
    paths = [one for one in paths if "NAME" not in one]
    assert len(paths) >= 5
    document = corefkit.score(["ab"], ["ab"]).to_dict()
    (system,) = document["systems"]
    above = {*document, *system} - {"systems", "scores"}
    for path in paths:
        first, *rest = re.sub(r"^(\.systems\[0\])?(\.scores)?\.", "", path).split(".")
        if first in list_metric_names():
            assert set(rest) <= {"recall", "precision", "f1"}, path
        else:
            assert first in above, path


def test_top_leads_to_every_scorer():
    linked = re.findall(r"^\| \[?.*\]\(#([^)]*)\)", TOP, re.MULTILINE)
    assert len(linked) == len(SCORERS)
    assert set(linked) <= headings(PAGE)
    assert [line for line in recommended(TOP) if refusal(line)] == []
