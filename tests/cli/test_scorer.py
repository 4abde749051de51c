"""`corefkit-scorer`: the arguments, text and exit codes of the reference scorer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType

import pytest
from files import conll, corpus, written
from reference_calls import METRICS

import corefkit
from corefkit.cli import main
from corefkit.cli.scorer import run
from corefkit.example import paths

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
        heads = re.findall(r"^METRIC (\w+):$", text, re.MULTILINE)
        # Version 8.01 has no `lea`; scripts that parse `all` rely on its text.
        assert heads == ["muc", "bcub", "ceafm", "ceafe", "blanc"]
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

    def test_tabs_in_names_stay(self, scorer, tmp_path):
        path = written(tmp_path / "key", conll("(1)", name="a\tb"))
        for words in ((), ("a\tb",)):
            _, text, err = scorer("muc", path, path, *words)
            assert "====> a\tb:\n" in text
            assert "Mentions: Recall: (1 / 1)" in text
            assert "no document is called" not in err

    def test_names_that_are_not_unicode_are_found(self, scorer, tmp_path):
        content = conll("(1) (1)", name="NAME").encode().replace(b"NAME", b"\xe9")
        path = written(tmp_path / "key", content)
        name = os.fsdecode(b"\xe9")
        assert "Recall: (1 / 1)" in scorer("muc", path, path, name)[1]

    def test_names_are_safe_to_show(self, scorer, tmp_path):
        name = "\x1b[31mred"
        path = written(tmp_path / "key", conll("(1)", name=name))
        for words in ((), (name,)):
            _, text, _ = scorer("muc", path, path, *words)
            assert "\x1b" not in text
            assert "\\x1b[31mred:\n" in text


class TestParsers:
    """Ways in which programs read the text of the reference scorer."""

    KEY, RESPONSE = map(str, paths()[:2])
    SCORES = corefkit.score(KEY, RESPONSE)
    RATIO = r"\(([0-9.]+) / ([0-9.]+)\) ([0-9.]+)%"
    NAMES = MappingProxyType(
        {"muc": "muc", "bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e"}
    )

    @staticmethod
    def cut(score):
        """Cut percentages off, as they are printed."""
        ratios = (score.recall, score.precision, score.f1)
        return [int(ratio * 10000 + 1e-9) / 100 for ratio in ratios]

    @pytest.mark.parametrize("short", NAMES)
    def test_last_ratios_behind_a_word(self, scorer, short):
        line = f"Coreference: Recall: {self.RATIO}\tPrecision: {self.RATIO}\tF1: (.+?)%"
        _, text, _ = scorer(short, self.KEY, self.RESPONSE, "none")
        found = re.match(f"(?s).*{line}.*", text)
        score = self.SCORES[self.NAMES[short]]
        assert [float(found[number]) for number in (3, 6, 7)] == self.cut(score)
        assert float(found[1]) == pytest.approx(score.recall_numerator)
        assert float(found[5]) == score.precision_denominator

    @pytest.mark.parametrize("short", NAMES)
    def test_last_line_but_one(self, scorer, short):
        _, text, _ = scorer(short, self.KEY, self.RESPONSE)
        found = re.search(r"F1:\s*([0-9.]+)%", text.splitlines()[-2])
        assert float(found[1]) == self.cut(self.SCORES[self.NAMES[short]])[2]

    def test_parts_of_all(self, scorer):
        _, text, _ = scorer("all", self.KEY, self.RESPONSE, "none")
        _, *parts = text.split("\nMETRIC ")
        scores = {}
        for part in parts:
            short, _, rest = part.partition(":\n")
            scores[short] = float(re.findall(r"F1: ([0-9.]+)%", rest)[-1])
        names = {**self.NAMES, "blanc": "blanc"}
        assert scores == {
            short: self.cut(self.SCORES[name])[2] for short, name in names.items()
        }

    def test_lines_by_how_they_begin(self, scorer):
        _, text, _ = scorer("all", self.KEY, self.RESPONSE, "none")
        mentions = self.cut(self.SCORES["mentions"])
        rows = [
            [float(each) for each in re.findall(r"([0-9.]+)%", line)]
            for line in text.splitlines()
            if line.startswith("Identification of Mentions: Recall: ")
        ]
        assert rows == [mentions] * 5
        (line,) = [row for row in text.splitlines() if row.startswith("BLANC: ")]
        found = [float(each) for each in re.findall(r"([0-9.]+)%", line)]
        assert found == self.cut(self.SCORES["blanc"])


class TestLea:
    def test_totals_have_the_text_of_other_metrics(self, scorer):
        code, text, err = scorer("lea", *paths()[:2], "none")
        assert (code, err) == (0, "")
        assert text.splitlines()[-2] == (
            "Coreference: Recall: (51.3428571428571 / 109) 47.1%"
            "\tPrecision: (66 / 81) 81.48%\tF1: 59.69%"
        )


class TestArguments:
    @pytest.mark.parametrize("words", [[], ["--help"], ["muc", "key"]])
    def test_usage(self, scorer, words):
        code, text, err = scorer(*words)
        assert code == 0
        assert text.startswith("\nuse: corefkit-scorer <metric> <keys_file> ")
        assert not err

    @pytest.mark.parametrize("metric", ["", "lee", "b3", "xmuc"])
    def test_invalid_metrics(self, scorer, files, metric):
        code, text, err = scorer(metric, *files)
        assert (code, text) == (2, "Invalid metric\n")
        assert err.startswith(
            f"error: nothing was scored: unknown metric '{metric}', expect"
        )

    @pytest.mark.parametrize("metric", ["MUC", "Blanc", "cEaFe", "LEA"])
    def test_case_does_not_matter(self, scorer, files, metric):
        assert scorer(metric, *files, "none") == scorer(metric.lower(), *files, "none")

    @pytest.mark.parametrize("metric", ["ALL", "All", "mucx", "ceafe2", "leaf", "allx"])
    def test_what_only_begins_like_a_metric(self, scorer, files, metric):
        code, text, err = scorer(metric, *files)
        assert (code, text) == (25, "")
        assert err.startswith(
            f"error: Metric {metric.lower()} not implemented yet: expected "
        )

    def test_words_behind_the_name_are_told(self, scorer, files):
        code, text, err = scorer("muc", *files, "none", "more")
        assert (code, text) == scorer("muc", *files, "none")[:2]
        assert "note: 'more' follows the name of a document, and is ignored" in err


class TestNotes:
    """Some programs take any word on stderr for an error."""

    @pytest.mark.parametrize("metric", METRICS)
    def test_where_nothing_is_odd_nothing_is_said(self, scorer, metric):
        for words in ((), ("none",), ("(example/bridge); part 000",)):
            assert scorer(metric, *paths()[:2], *words)[2] == ""

    def test_repeated_mentions_are_in_the_text_alone(self, scorer, tmp_path):
        key = written(tmp_path / "key", conll("(1)|(2) (1) (2)"))
        for words in ((), ("none",), ("(d); part 000",)):
            _, text, err = scorer("muc", key, key, *words)
            assert "Repeated mention in the key: 0, 0 02\n" in text
            assert err == ""

    def test_those_that_the_text_does_not_show_are_told(self, scorer, tmp_path):
        key = written(tmp_path / "key", conll("- (1) (1)"))
        response = written(tmp_path / "response", conll("(1)|(2) (1) (2)"))
        _, text, err = scorer("muc", key, response, "none")
        assert "Repeated" not in text
        assert f"note: {response}: 1 repeated mention, counted as " in err

    def test_notes_come_before_the_text(self, files):
        """So they are not in the way of who reads the last lines of both."""
        done = process("muc", *files, "none", stderr=subprocess.STDOUT)
        note, *text = done.stdout.splitlines()[1:]
        assert note.startswith("note: ")
        assert text[-1] == RULE
        assert text[-2].startswith("Coreference: ")

    def test_a_terminal_shows_notes_and_signature_below(
        self, scorer, files, monkeypatch
    ):
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        monkeypatch.setenv("NO_COLOR", "1")
        note, *_, signature = scorer("muc", *files)[2].splitlines()
        assert note.startswith("note: ")
        assert signature.endswith("|reading:reference")

    @pytest.mark.skipif(not Path("/bin/sh").exists(), reason="only on Unix")
    def test_closed_stderr(self, files):
        """What is said there does not come to stdout."""
        done = process("muc", *files, "none", shell="2>&-")
        assert done.returncode == 0
        assert "note" not in done.stdout
        assert done.stdout.endswith(LONG[LONG.index("\n====== TOTALS") :])

    def test_byte_order_mark(self, scorer, tmp_path):
        both = conll("(1) (1)", name="a") + conll("(1) (1) (1)", name="b")
        key = written(tmp_path / "key", b"\xef\xbb\xbf" + both.encode())
        response = written(tmp_path / "response", both)
        _, text, err = scorer("muc", key, response, "none")
        assert "Coreference: Recall: (3 / 3)" in text
        assert f"{key}: begins with a byte-order mark, so" in err
        assert "byte-order" not in scorer("muc", response, response, "none")[2]

    def test_unknown_document(self, scorer, files):
        code, text, err = scorer("all", *files, "(a) part 000")
        assert code == 0
        assert text.count("(0 / 0) 0%") == 30
        assert "did you mean '(a); part 000'?" in err

    def test_missing_document_and_cut_off_file(self, scorer, files):
        _, _, err = scorer("muc", *files, "none")
        assert "lacks document '(b); part 000' of " in err
        assert "key: the file ends inside its last document; brackets that " in err

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
    @pytest.mark.parametrize(
        ("count", "metrics"), [(2, 5), (3, 3), (4, 2), (5, 2), (6, 1), (10, 1), (11, 0)]
    )
    def test_each_metric_counts_them_again(
        self, scorer, repeating, count, metrics, name
    ):
        """With more than ten over all metrics, the reference scorer stops there."""
        code, text, err = scorer("all", *repeating(count), *name)
        assert text.count("TOTALS") == metrics
        if metrics < 5:
            assert code == 1
            assert text.count("Repeated mention in the response") == 11
            assert text.splitlines()[-1].startswith("Repeated mention")
            assert "too many repeated mentions (> 10) in the response" in err
        else:
            assert (code, err) == (0, "")

    def test_a_document_has_its_own(self, scorer, repeating):
        files = repeating(18)
        assert scorer("muc", *files)[0] == 1
        assert scorer("muc", *files, "(a); part 000")[0] == 0


class TestExitCodes:
    @pytest.mark.parametrize("side", [0, 1])
    def test_missing_file(self, scorer, files, side):
        words = [*files]
        words[side] += ".not"
        code, text, err = scorer("all", *words, "none")
        assert (code, text) == (2, "\nMETRIC muc:\n")
        assert (
            err == f"error: {words[side]}: cannot be read: No such file or directory\n"
        )

    def test_file_that_may_not_be_read(self, scorer, files, monkeypatch):
        def denied(*_):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("corefkit.formats.files.os.stat", denied)
        assert scorer("muc", *files)[0] == 13

    @pytest.mark.parametrize("cells", ["1)", "(1"])
    def test_brackets_that_do_not_pair(self, scorer, tmp_path, cells):
        path = written(tmp_path / "key", conll(cells))
        code, _, err = scorer("muc", path, path, "none")
        assert code == 25
        assert err.startswith(f"error: {path}:")

    @pytest.mark.parametrize("name", [[], ["none"], ["(b); part 000"]])
    def test_entity_of_the_key_that_never_closes(self, scorer, files, name):
        """The other metrics are scored."""
        code, text, err = scorer("all", *files, *name)
        assert (code, text.count("TOTALS")) == (255, 4)
        assert "METRIC blanc:\n" in text
        assert "blanc is not scored, since the file ends before any mention" in err
        assert scorer("blanc", *files, *name)[0] == 255
        assert scorer("ceafe", *files, *name)[0] == 0

    def test_it_matters_in_the_key_and_before_others_only(self, scorer, tmp_path):
        last = written(tmp_path / "last", conll("(2) (2) (1").partition("#end")[0])
        key = written(tmp_path / "key", conll("(2) (2) -"))
        first = written(tmp_path / "first", conll("(1 (2) (2)").partition("#end")[0])
        assert scorer("blanc", last, key, "none")[0] == 0
        assert scorer("blanc", key, first, "none")[0] == 0
        assert scorer("blanc", first, key, "none")[0] == 255

    def test_broken_documents_beside_the_named_one_do_not_matter(
        self, scorer, tmp_path
    ):
        path = written(tmp_path / "key", conll("1)", name="x") + conll("(1) (1)"))
        assert scorer("muc", path, path, "(d); part 000")[0] == 0
        assert scorer("muc", path, path)[0] == 25


def process(*words, stderr=subprocess.PIPE, shell=None):
    """Run the command in a process of its own, or in a shell that redirects."""
    start = [
        sys.executable,
        "-c",
        "import corefkit.cli; corefkit.cli.scorer_and_exit()",
    ]
    if shell is not None:
        start = ["/bin/sh", "-c", f'exec "$0" "$@" {shell}', *start]
    return subprocess.run(
        [*start, *words],
        env={**os.environ, "PYTHONPATH": str(Path(corefkit.__file__).parents[1])},
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        check=False,
    )


INSTALLED = Path(sys.executable).with_name("corefkit-scorer")


@pytest.mark.skipif(not INSTALLED.exists(), reason="the command is not installed here")
@pytest.mark.skipif(shutil.which("perl") is None, reason="there is no Perl here")
def test_perl_before_it_does_no_harm():
    """Perl starts what the first line of a script names."""
    words = ["perl", INSTALLED, "muc", *paths()[:2], "none"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Coreference: Recall: (26 / 59) 44.06%" in done.stdout


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
    assert not loaded & {"scipy", "difflib"}
    assert "corefkit.cli.scorer" in loaded
