"""The pages for users of other scorers: complete, and true of our own command.

What the other scorers do was seen by running them; they are not here. What can be
held without them: each page has the same parts, lists each option that the other
scorer's own help or code has, and recommends only what our parser understands.
"""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentError
from itertools import pairwise

import pytest
from test_docs_tables import DOCS, cells, names

import corefkit
from corefkit.cli import COMMANDS, load_command
from corefkit.cli.arguments import Command, CommandParser
from corefkit.exceptions import CorefkitError
from corefkit.metrics.registry import find_metrics, list_metric_names

# The options of each scorer: words of its command line, or names of its functions.
OPTIONS = {
    "coval": """all NP_only remove_nested remove_singletons remove_singleton min_span
        min_spans min mentions muc bcub ceafe lea keep_non_referring MIN
        arrau-scorer.py evaluator.ceafm evaluator.get_document_evaluations""",
    "corefud-scorer": """key_file sys_file -m --metrics all muc bcub ceafe ceafm blanc
        lea mor zero -s --keep-singletons -a --match head partial exact -x --exact-match
        -z --zero-match-method linear dependent""",
    "ua-scorer": """key system all muc bcub ceafe ceafm blanc lea -m --metrics conll
        mention zero non-referring bridging keep_non_referring keep_bridging
        remove_singletons remove_split_antecedent MIN min min_spans -s --keep-singletons
        -l --keep-split-antecedents -p --partial-match --partial-match-method craft
        -z --keep-zeros --zero-match-method dependent -f ua corefud conll -a exact head
        partial-corefud partial-craft only_split_antecedent --only-split-antecedent
        evaluate_discourse_deixis -d --evaluate-discourse-deixis --np-only
        --allow-boundary-crossing --remove-nested-mentions -t conll12 crac18 craft19
        crac22 crac23 crac24 codicrac22ar codicrac22br codicrac22dd""",
    "scorch": """<gold> <sys> <out-file> - -h --help scorch.conll <conll-file>
        [<out-dir>] scores.muc scores.conll2012 scores.blanc add_sys_mentions""",
    "neleval": """evaluate -g -m muc b_cubed mention_ceaf entity_ceaf luo pairwise
        strong_mention_match b_cubed_plus mention_ceaf_plus typed_mention_ceaf
        typed_mention_ceaf_plus all-coref all -f tab json none --by-doc -b --by-type
        --overall --type-weights prepare-conll-coref --cross-doc --with-kb prepare-brat
        prepare-tac prepare-tac15 to-weak select-alternatives weights-for-hierarchy
        validate-spans analyze confidence significance --permute --bootstrap -n -p -j
        --metrics rank-systems compare-measures plot-systems compose-measures
        list-measures""",
    "e2e": """CorefEvaluator update mention_to_predicted mention_to_gold get_f1
        get_precision get_recall Evaluator beta Evaluator.get_counts evaluate_documents
        muc b_cubed ceafe lea MentionEvaluator.update ClusterChecker.total_lea
        ClusterChecker.add_predictions conll.evaluate_conll calculate_conll.py""",
    "evaluate-coval": """predictions references keep_singletons NP_only min_span
        remove_nested add add_batch""",
}
PARTS = [
    "Commands",
    "Options",
    "Differences",
    "Parse the output",
]
PAGES = {name: DOCS / "moving" / f"{name}.md" for name in OPTIONS}
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


@pytest.mark.parametrize("name", PAGES)
def test_pages_have_the_same_parts(name):
    text = PAGES[name].read_text("utf-8")
    parts = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert [part for part in parts if part in PARTS] == PARTS
    assert text.index("| before | now |") < text.index("## Options")


@pytest.mark.parametrize("name", PAGES)
def test_every_option_of_the_other_scorer_is_listed(name):
    text = PAGES[name].read_text("utf-8").partition("## Options")[2]
    head = next(line for line in text.splitlines() if line.startswith("| "))
    rows = cells(PAGES[name], head)
    listed = {
        word
        for row in rows
        for one in names(row[0])
        for word in (one, *re.split(r"[ (),=]+", one))
    }
    assert set(OPTIONS[name].split()) - listed == set()
    assert all(row[1] for row in rows)  # what it is here, or that it is not


@pytest.mark.parametrize("name", PAGES)
def test_what_is_recommended_is_understood(name):
    lines = recommended(PAGES[name].read_text("utf-8"))
    assert lines or name == "evaluate-coval"  # which is about Python only
    assert [line for line in lines if refusal(line)] == []


@pytest.mark.parametrize("name", sorted(PAGES.keys() - {"e2e", "evaluate-coval"}))
def test_json_has_what_scripts_are_told_to_take(name):
    text = PAGES[name].read_text("utf-8").partition("## Parse the output")[2]
    paths = [one for table in _TABLE.findall(text) for one in names(table)]
    paths = [one for one in paths if one.startswith(".") and "NAME" not in one]
    document = corefkit.score(["ab"], ["ab"]).to_dict()
    (system,) = document["systems"]
    above = {*document, *system} - {"systems", "scores"}
    for path in paths:
        first, *rest = re.sub(r"^(\.systems\[0\])?(\.scores)?\.", "", path).split(".")
        if first in list_metric_names():
            assert set(rest) <= {"recall", "precision", "f1"}, path
        else:
            assert first in above, path


def test_index_leads_to_every_page():
    text = (DOCS / "moving.md").read_text("utf-8")
    pages = sorted(path.name for path in (DOCS / "moving").iterdir())
    assert sorted(re.findall(r"\(moving/([^)#]*)\)", text)) == pages
    assert [line for line in recommended(text) if refusal(line)] == []
