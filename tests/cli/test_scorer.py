"""`corefkit-scorer`: the arguments, text and exit codes of the reference scorer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from files import conll, corpus, written
from reference_calls import (
    HAS_SCORER,
    METRICS,
    digest,
    filters,
    in_order,
    printed_by_scorer,
)
from shared_files import SHARED

import corefkit
from corefkit.cli import main
from corefkit.cli.scorer import run
from corefkit.example import paths

CASES = sorted((SHARED / "conformance" / "reference").glob("*.key"))
KEPT = Path(__file__).parents[1] / "data" / "reference_calls.json"
RULE = "-" * 74

KEY = """\
#begin document (a); part 000
a\t0\t0\tx\t(1
a\t0\t1\tx\t1)
a\t0\t2\tx\t(2)
#end document
#begin document (b); part 000
a\t0\t0\tx\t(5
a\t0\t1\tx\t(1)
a\t0\t2\tx\t(1+2)
"""
RESPONSE = """\
#begin document (a); part 000
a\t0\t0\tx\t(1
a\t0\t1\tx\t1)
a\t0\t2\tx\t(1)|(2)
#end document
"""
# What the reference scorer prints for `muc KEY RESPONSE`.
LONG = f"""\
====> (a); part 000:
File (a); part 000:
Entity 0: (0,1)
Entity 1: (2,2)
====> (a); part 000:
File (a); part 000:
Entity 0: (0,1) (2,2)
Entity 1: (2,2)
(a); part 000:
Repeated mention in the response: 2, 2 11
Total key mentions: 2
Total response mentions: 2
Strictly correct identified mentions: 2
Partially correct identified mentions: 0
No identified: 0
Invented: 0
Recall: (0 / 0) 0%\tPrecision: (0 / 1) 0%\tF1: 0%
{RULE}
====> (b); part 000:
Discarded (1+2)
File (b); part 000:
Entity 0:
Entity 1: (1,1)
====> :
File :
(b); part 000:
Total key mentions: 1
Total response mentions: 0
Strictly correct identified mentions: 0
Partially correct identified mentions: 0
No identified: 1
Invented: 0
Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}

====== TOTALS =======
Identification of Mentions: Recall: (2 / 3) 66.66%\tPrecision: (2 / 2) 100%\tF1: 80%
{RULE}
Coreference: Recall: (0 / 0) 0%\tPrecision: (0 / 1) 0%\tF1: 0%
{RULE}
"""


@pytest.fixture
def scorer(capsys):
    """Run a command line; return exit code, stdout below the version, and stderr."""

    def called(*words):
        code = main(list(map(str, words)), run)
        out, err = capsys.readouterr()
        version, _, text = out.partition("\n")
        assert version == f"version: 8.01 corefkit {corefkit.__version__}"
        return code, text, err

    return called


@pytest.fixture
def files(tmp_path):
    return written(tmp_path / "key", KEY), written(tmp_path / "response", RESPONSE)


class TestText:
    def test_each_document_is_shown(self, scorer, files):
        assert scorer("muc", *files)[:2] == (0, LONG)

    def test_only_totals_are_shown(self, scorer, files):
        repeated = "Repeated mention in the response: 2, 2 11\n"
        totals = LONG[LONG.index("\n====== TOTALS") :]
        assert scorer("muc", *files, "none")[:2] == (0, repeated + totals)

    def test_blanc_forgets_names_and_has_no_ratios_of_documents(self, scorer, files):
        _, text, _ = scorer("blanc", *files)
        before, _, _ = text.partition("\n====== TOTALS")
        expected = LONG[: LONG.index("\n====== TOTALS")].replace(
            "\n(a); part 000:\n", "\n:\n"
        )
        expected = expected.replace("\n(b); part 000:\n", "\n:\n")
        kept = [
            line
            for line in expected.splitlines()
            if not line.startswith("Recall") and line != RULE
        ]
        assert before.splitlines() == kept

    def test_one_document_is_named_first(self, scorer, files):
        _, text, _ = scorer("muc", *files, "(b); part 000")
        document = LONG[LONG.index("====> (b)") : LONG.index("\n====== TOTALS")]
        assert text.startswith(
            "(b); part 000:\n" + document.replace("\n(b); part 000:\n", "\n")
        )
        assert "Mentions: Recall: (0 / 1) 0%\tPrecision: (0 / 0) 0%" in text

    def test_a_document_that_only_the_response_has(self, scorer, files):
        key, response = files
        _, text, err = scorer("bcub", response, key, "(b); part 000")
        assert text.startswith("(b); part 000:\n====> :\nFile :\n====> (b); part 000:")
        assert "Mentions: Recall: (0 / 0) 0%\tPrecision: (0 / 1) 0%" in text
        assert "no document is called '(b); part 000', scored as empty" in err

    def test_the_first_of_a_name_is_shown_and_the_last_counts(self, scorer, tmp_path):
        both = conll("(1) (1)") + conll("(1) (1) (1)")
        key = written(tmp_path / "key", both)
        _, text, err = scorer("muc", key, key, "(d); part 000")
        assert "Coreference: Recall: (1 / 1)" in text
        assert "2 documents are called '(d); part 000', the first one is scored" in err
        _, text, err = scorer("muc", key, key, "none")
        assert "Coreference: Recall: (2 / 2)" in text
        assert "is there twice, the last one counts" in err

    def test_all_has_headings(self, scorer, files):
        _, text, _ = scorer("all", *files, "none")
        heads = [line for line in text.splitlines() if line.startswith("METRIC")]
        assert heads == [f"METRIC {name}:" for name in METRICS[:-1]]
        assert text.startswith("\nMETRIC muc:\n")

    def test_sums_are_rounded_as_its_own(self, scorer, tmp_path):
        # A fifth is 19.99 % or 20 %, by the way to add it up.
        key = written(tmp_path / "key", conll("(1) " * 9))
        response = written(tmp_path / "response", conll("(1) " + "- " * 8))
        _, text, _ = scorer("ceafe", key, response, "none")
        assert "Recall: (0.2 / 1) 19.99%\tPrecision: (0.2 / 1) 19.99%" in text
        assert main(["score", key, response, "--format", "reference"]) == 0

    def test_same_text_as_the_format_of_score(self, scorer, capsys):
        for response in paths()[1:]:
            words = [str(paths()[0]), str(response)]
            _, text, _ = scorer("all", *words, "none")
            main(["score", *words, "--format", "reference"])
            assert capsys.readouterr().out.partition("\n")[2] == text

    def test_other_formats_are_read(self, scorer, tmp_path):
        line = '{"doc_key": "d_0", "clusters": [[[0, 0], [1, 2]], [[4, 4]]]}\n'
        path = written(tmp_path / "key.jsonl", line)
        _, text, _ = scorer("muc", path, path)
        assert "Entity 0: (0,0) (1,2)\nEntity 1: (4,4)\n" in text
        assert "Recall: (1 / 1) 100%" in text

    def test_names_are_safe_to_show(self, scorer, tmp_path):
        name = "\x1b[31mred"
        path = written(tmp_path / "key", conll("(1)", name=name))
        for words in ((), (name,)):
            _, text, _ = scorer("muc", path, path, *words)
            assert "\x1b" not in text
            assert "\\x1b[31mred:\n" in text


class TestArguments:
    @pytest.mark.parametrize("words", [[], ["--help"], ["muc", "key"]])
    def test_usage(self, scorer, words):
        code, text, err = scorer(*words)
        assert code == 0
        assert text.startswith("\nuse: corefkit-scorer <metric> <keys_file> ")
        assert not err

    @pytest.mark.parametrize("metric", ["", "lea", "b3", "xmuc"])
    def test_invalid_metrics(self, scorer, files, metric):
        code, text, err = scorer(metric, *files)
        assert (code, text) == (0, "Invalid metric\n")
        assert err.startswith(f"nothing was scored: unknown metric '{metric}', expect")

    @pytest.mark.parametrize("metric", ["MUC", "Blanc", "cEaFe"])
    def test_case_does_not_matter(self, scorer, files, metric):
        assert scorer(metric, *files, "none") == scorer(metric.lower(), *files, "none")

    @pytest.mark.parametrize("metric", ["ALL", "All", "mucx", "ceafe2", "allx"])
    def test_what_only_begins_like_a_metric(self, scorer, files, metric):
        code, text, err = scorer(metric, *files)
        assert (code, text) == (25, "")
        assert err.startswith(f"Metric {metric.lower()} not implemented yet: expected ")

    def test_words_behind_the_name_are_told(self, scorer, files):
        code, text, err = scorer("muc", *files, "none", "more")
        assert (code, text) == scorer("muc", *files, "none")[:2]
        assert (
            "note: 'more' stands behind the name of a document, and is not used" in err
        )


class TestNotes:
    def test_signature(self, scorer, files):
        _, _, err = scorer("muc", *files)
        assert err.splitlines()[-1].endswith("|reading:reference")

    def test_unknown_document(self, scorer, files):
        code, text, err = scorer("all", *files, "(a) part 000")
        assert code == 0
        assert text.count("(0 / 0) 0%") == 30
        assert "did you mean '(a); part 000'?" in err

    def test_missing_document_and_cut_off_file(self, scorer, files):
        _, _, err = scorer("muc", *files, "none")
        assert "lacks document '(b); part 000' of " in err
        assert "key: the file ends inside its last document; brackets that " in err

    def test_where_the_reference_scorer_stops_at_blanc(self, scorer, files):
        message = "the reference scorer stops at blanc with exit code 255"
        assert message in scorer("all", *files, "none")[2]
        assert message not in scorer("muc", *files, "none")[2]

    def test_no_document(self, scorer, tmp_path):
        path = written(tmp_path / "key", "a\tb\t(1)\n")
        code, text, err = scorer("muc", path, path)
        assert (code, text.count("(0 / 0) 0%")) == (0, 4)
        assert "has no document" in err


class TestRepeated:
    @pytest.fixture
    def repeating(self, tmp_path):
        """Write a response that repeats mentions, half of them in each document."""

        def both(count):
            cells = "(1) " * 9
            twice = {}
            for name, times in {"a": count - count // 2, "b": count // 2}.items():
                twice[name] = "(1)|(2) " * times + "(1) " * (9 - times)
            key = written(tmp_path / "key", corpus(dict.fromkeys("ab", cells)))
            return key, written(tmp_path / "response", corpus(twice))

        return both

    def test_ten_are_scored(self, scorer, repeating):
        code, text, err = scorer("muc", *repeating(10), "none")
        assert code == 0
        assert text.count("Repeated mention in the response") == 10
        assert "the reference scorer counts" not in err

    @pytest.mark.parametrize("name", [[], ["none"]])
    def test_eleven_are_refused(self, scorer, repeating, name):
        code, text, err = scorer("all", *repeating(11), *name)
        assert code == 1
        assert text.count("Repeated mention in the response") == 11
        assert "TOTALS" not in text
        assert "nothing is scored: the response repeats more than 10 mentions" in err

    def test_they_are_not_counted_again_for_each_metric(self, scorer, repeating):
        code, text, err = scorer("all", *repeating(4), "none")
        assert (code, text.count("TOTALS")) == (0, 5)
        assert (
            "counts the 4 repeated mentions again for each metric, and stops at cea"
            in err
        )
        assert "stops at ceafm with exit code 1" in err


class TestExitCodes:
    @pytest.mark.parametrize("side", [0, 1])
    def test_missing_file(self, scorer, files, side):
        words = [*files]
        words[side] += ".not"
        code, text, err = scorer("all", *words, "none")
        assert (code, text) == (2, "\nMETRIC muc:\n")
        assert err == f"{words[side]}: cannot be read: No such file or directory\n"

    def test_file_that_may_not_be_read(self, scorer, files, monkeypatch):
        def denied(*_):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("corefkit.formats.bytefile.os.stat", denied)
        assert scorer("muc", *files)[0] == 13

    @pytest.mark.parametrize("cells", ["1)", "(1"])
    def test_brackets_that_do_not_pair(self, scorer, tmp_path, cells):
        path = written(tmp_path / "key", conll(cells))
        code, _, err = scorer("muc", path, path, "none")
        assert code == 25
        assert err.startswith(f"{path}:")

    def test_broken_documents_beside_the_named_one_do_not_matter(
        self, scorer, tmp_path
    ):
        path = written(tmp_path / "key", conll("1)", name="x") + conll("(1) (1)"))
        assert scorer("muc", path, path, "(d); part 000")[0] == 0
        assert scorer("muc", path, path)[0] == 25


def test_command_is_installed():
    """It starts as `corefkit` does: what is not needed is not imported."""
    code = (
        "import sys\n"
        "sys.argv[0] = 'corefkit-scorer'\n"
        "from corefkit.cli import scorer_and_exit\n"
        "import atexit\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "assert 'numpy' not in sys.modules\n"
        "scorer_and_exit()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "all", *map(str, paths()[:2]), "none"],
        env={**os.environ, "PYTHONPATH": str(Path(corefkit.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("TOTALS") == 5
    loaded = set(done.stderr.splitlines()[-1].split())
    assert not loaded & {"scipy", "corefkit.cli.score", "corefkit.model", "difflib"}
    assert "corefkit.cli.scorer" in loaded


each_case = pytest.mark.parametrize("key", CASES, ids=lambda key: key.stem)


@pytest.mark.skipif(not CASES, reason="the reference cases are not beside the project")
class TestReferenceCases:
    """Each metric, with each filter; `reference_calls.json` keeps what was printed.

    With COREFKIT_REFERENCE_SCORER=path/to/scorer.pl it is run beside, and with
    COREFKIT_REWRITE=1 what it prints is kept.
    """

    @each_case
    def test_all_prints_the_same(self, key, scorer):
        compare("all", key, scorer)

    @pytest.mark.slow
    @pytest.mark.parametrize("metric", METRICS[:-1])
    @each_case
    def test_each_metric_prints_the_same(self, key, metric, scorer):
        compare(metric, key, scorer)


def compare(metric, key, scorer):
    texts = []
    for name in filters(key):
        words = [metric, str(key), str(key.with_suffix(".response")), *name]
        code, text, _ = scorer(*words)
        assert code == 0
        texts.append(in_order(f"\n{text}"))
        if HAS_SCORER:
            code, text = printed_by_scorer(*words)
            assert (code, in_order(text)) == (0, texts[-1])
    found, kept = digest(texts), json.loads(KEPT.read_text())
    if os.environ.get("COREFKIT_REWRITE") and HAS_SCORER:
        kept.setdefault(key.stem, {})[metric] = found
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    assert found == kept[key.stem][metric]
