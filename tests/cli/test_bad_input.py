"""Bad input: exit code 1, `file:line`, found and expected, never a traceback."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
from files import BYTE_ORDER_MARK, conll, corpus, json_line, written

from corefkit.cli import main

WORDS = ["The", "cat", "saw", "its", "tail"]
GOOD = conll("(1 1) - (2|(1) 2)", words=WORDS)
TWO = GOOD + conll("(1) (1)", name="(e); part 000")
JSON = json_line("d_0", WORDS, [[[0, 1], [3, 3]], [[3, 4]]])


class Bad(NamedTuple):
    """A response, or a key, and what is said about it."""

    content: str | bytes
    place: str
    said: str  # a pattern
    hint: str = ""


def changed(**fields):
    data = json.loads(JSON) | fields
    return json.dumps(
        {name: value for name, value in data.items() if value is not None}
    )


# What is wrong by itself, on either side.
BROKEN = {
    "unclosed": Bad(
        GOOD.replace("1)", "-", 1),
        ":2",
        "entity 1 opens here and is never closed",
        "line 7",
    ),
    "unopened": Bad(
        GOOD.replace("(2|(1)", "(1)"), ":6", "entity 2 closes here but was not opened"
    ),
    "id of letters": Bad(
        GOOD.replace("(1)", "(e1)"),
        ":5",
        "is not a",
        "the last column is '-', or brackets",
    ),
    "one id of letters": Bad(
        GOOD.replace("(2|(1)", "(e1)"), ":5", "entity id 'e1' is not a number"
    ),
    "no brackets": Bad(
        GOOD.replace("(2|(1)", "its"), ":5", "'its' is not a coreference cell"
    ),
    "last line cut off": Bad(
        GOOD.removesuffix("\n#end document\n")[:-3],
        ":6",
        r"the file ends inside document '\(d\); part 000', begun at line 1",
        "is the file cut off?",
    ),
    "no end": Bad(
        GOOD.removesuffix("#end document\n"),
        ":7",
        "expected '#end document'",
        "cut off",
    ),
    "cut off in the second document": Bad(
        TWO[:-25],
        ":10",
        r"inside document '\(e\); part 000', begun at line 8",
        "cut off",
    ),
    "begins inside": Bad(
        TWO.replace("#end document\n", "", 1), ":7", "a document begins inside document"
    ),
    "ends twice": Bad(GOOD + "#end document\n", ":8", "ends here that did not begin"),
    "text outside": Bad("hello world\n" + GOOD, ":1", "a token outside any document"),
    "no header": Bad(
        GOOD.partition("\n")[2],
        ":1",
        "unknown format, expected one of",
        "#begin document",
    ),
    "binary": Bad(bytes(range(256)) * 9, ":1", "unknown format", "binary"),
    "binary behind a header": Bad(
        GOOD.encode().replace(b"(2|(1)", bytes(range(33, 256)) + b"\0\1\2"),
        ":5",
        "is not a coreference cell",
    ),
    "empty": Bad("", "", "is empty, expected one of: .*CoNLL-2012"),
    "blank": Bad("\n \n", "", "is empty, expected one of: .*CoNLL-2012"),
    "only a byte-order mark": Bad(BYTE_ORDER_MARK, "", "is empty"),
    "UTF-16": Bad(
        GOOD.encode("utf-16"), ":1", "unknown format", "UTF-16; save .* UTF-8"
    ),
    "UTF-16 without a mark": Bad(GOOD.encode("utf-16-le"), ":1", "unknown format", ""),
    "cell not UTF-8": Bad(
        GOOD.encode().replace(b"(1)", b"(\xff)"), ":5", r"'\(2\|\(\\+xff\)' is not a"
    ),
    "doubled document": Bad(
        GOOD + GOOD, ":8", r"document '\(d\); part 000' is repeated", ":1"
    ),
    "doubled document, spelled otherwise": Bad(
        GOOD + GOOD.replace("part 000", "part 0"), ":8", "is repeated", ":1"
    ),
    "JSON cut off": Bad(
        JSON[:-9], ":1", "not JSON", "expected one JSON object per line"
    ),
    "JSON with a comma too many": Bad(
        JSON.replace("]}", "],}"), ":1", "not JSON: .*column"
    ),
    "JSON broken in line 2": Bad(JSON + "\n{", ":3", "not JSON"),
    "JSON list": Bad(JSON + "[]\n", ":2", "expected an object"),
    "JSON not UTF-8": Bad(
        JSON.encode().replace(b"cat", b"c\xe4t"),
        ":1",
        r"byte \d+ of the line is not UTF-8",
    ),
    "JSON with a number as id": Bad(
        changed(doc_key=7), ":1", "'doc_key' is not a string", "sentences"
    ),
    "JSON of unknown fields": Bad(
        '{"body": "The cat", "clusters": []}', ":1", "no known dialect has", "known are"
    ),
    "JSON without clusters": Bad(
        changed(clusters=None), ":1", "'clusters' is missing in document 'd_0'"
    ),
    "JSON clusters of names": Bad(
        changed(clusters={"a": []}),
        ":1",
        "'clusters' is not a list",
        "expected one JSON",
    ),
    "JSON span backwards": Bad(
        changed(clusters=[[[4, 3]]]),
        ":1",
        r"\[4, 3\] in entity 0 ends before it starts",
        r"\[first token, last token\]",
    ),
    "JSON span outside": Bad(
        changed(clusters=[[[4, 5]]]), ":1", "the document's 5 tokens"
    ),
    "JSON span of one": Bad(changed(clusters=[[[4]]]), ":1", "is not a span"),
    "JSON text": Bad(changed(sentences="The cat"), ":1", "'sentences' is not a list"),
    "JSON doubled document": Bad(JSON + JSON, ":2", "document 'd_0' is repeated", ":1"),
    "packed and cut off": Bad(
        gzip.compress(GOOD.encode())[:-9], "", "cannot be read: "
    ),
}

# What is wrong only beside the key, which is GOOD.
UNPAIRED = {
    "word changed": Bad(
        GOOD.replace("saw", "sees"),
        ":4",
        r"token 2 of document '\(d\); part 000' is 'sees', expected 'saw' as in key:4",
        "same tokens",
    ),
    "token missing": Bad(
        GOOD.replace("d\t0\t2\tsaw\t-\n", ""),
        ":4",
        r"token 2 \('saw'\) of document .* is missing here: see key:4",
    ),
    "tokens missing at the end": Bad(
        conll("(1 1)", words=WORDS),
        ":3",
        r"3 tokens \('saw its tail'\) of document .* are missing here: see key:4",
    ),
    "token added": Bad(
        GOOD.replace("#end", "d\t0\t5\t.\t-\n#end"),
        ":7",
        r"token 5 \('\.'\) of document .* is too many",
    ),
    "word changed in JSON": Bad(
        JSON.replace("saw", "sees"),
        ":1",
        "token 2 .* is 'sees', expected 'saw' as in key:4",
    ),
    "other documents": Bad(
        GOOD.replace("(d)", "(x)"),
        "",
        r"no document in common with key: found document '\(x\); part 000', "
        r"expected document '\(d\); part 000'",
        "paired by id",
    ),
}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in a folder of its own; gives exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COREFKIT_TRACEBACK", raising=False)

    def command(*words, **files):
        for name, content in files.items():
            written(Path(name), content)
        code = main(list(words))
        streams = capsys.readouterr()
        assert "Traceback" not in streams.err
        assert "defect" not in streams.err
        return code, streams.out, streams.err

    return command


def check(result, place, said, hint):
    code, out, err = result
    assert (code, out) == (1, "")
    message, _, given_hint = err.partition("\n\nhint: ")
    assert re.match(f"error: {re.escape(place)}: .*{said}", message)
    assert re.search(hint, given_hint)


@pytest.mark.parametrize("bad", BROKEN.values(), ids=BROKEN)
def test_broken_response_is_refused(run, bad):
    key = JSON if "JSON" in str(bad.said) else GOOD
    result = run("score", "key", "response", key=key, response=bad.content)
    check(result, f"response{bad.place}", bad.said, bad.hint)


@pytest.mark.parametrize("bad", BROKEN.values(), ids=BROKEN)
def test_broken_key_is_refused(run, bad):
    result = run("score", "key", "response", key=bad.content, response=GOOD)
    check(result, f"key{bad.place}", bad.said, bad.hint)


@pytest.mark.parametrize("bad", BROKEN.values(), ids=BROKEN)
def test_validate_lists_what_score_refuses(run, bad):
    code, out, err = run("validate", "response", response=bad.content)
    assert (code, err) == (1, "")
    assert re.search(f"(?m)^response{re.escape(bad.place)}: .*{bad.said}", out)
    assert re.search(r"(?m)^\d+ problems?: \d+ errors? ", out)


@pytest.mark.parametrize("bad", UNPAIRED.values(), ids=UNPAIRED)
def test_response_to_another_text_is_refused(run, bad):
    result = run("score", "key", "response", key=GOOD, response=bad.content)
    check(result, f"response{bad.place}", bad.said, bad.hint)


@pytest.mark.parametrize("bad", UNPAIRED.values(), ids=UNPAIRED)
def test_response_to_another_text_is_sound_by_itself(run, bad):
    code, out, _ = run("validate", "response", response=bad.content)
    assert (code, out) == (0, "response: ok\n")


HARMLESS = {
    "byte-order mark": BYTE_ORDER_MARK + GOOD.encode(),
    "CRLF": GOOD.replace("\n", "\r\n"),
    "no final newline": GOOD.removesuffix("\n"),
    "blanks": GOOD.replace("\t", "   "),
    "comments": "# made by hand\n\n"
    + GOOD.replace("\nd\t0\t3", "\n# a comment\n\nd\t0\t3"),
    "packed": gzip.compress(GOOD.encode()),
    "JSON": JSON,
    "JSON with a byte-order mark": BYTE_ORDER_MARK + JSON.encode(),
    "JSON with CRLF": JSON.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("content", HARMLESS.values(), ids=HARMLESS)
def test_what_can_be_read_is_read(run, content):
    words = ("score", "key", "response", "--metric", "lea", "--format", "csv")
    code, out, err = run(*words, key=GOOD, response=content)
    assert (code, err) == (0, "")
    assert "lea,1.0,1.0,1.0," in out


def test_words_that_are_not_utf8_are_compared_as_bytes(run):
    content = GOOD.encode().replace(b"cat", b"c\xe4t")
    assert run("score", "key", "key", key=content)[0] == 0
    check(
        run("score", "key", "response", response=GOOD),
        "response:3",
        r"is 'cat', expected 'c\\+xe4t' as in key:3",
        "",
    )


class TestDocuments:
    def test_missing_document_is_noted(self, run):
        code, _, err = run("score", "key", "response", key=TWO, response=GOOD)
        assert code == 0
        found = "lacks document '(e); part 000' of key:8, scored as empty"
        assert err == f"note: response: {found}\n"

    def test_missing_document_is_refused_where_asked_for(self, run):
        words = ("score", "key", "response", "--missing", "error")
        result = run(*words, key=TWO, response=GOOD)
        check(result, "response", r"lacks document '\(e\); part 000'", "--missing")

    def test_extra_document_is_noted(self, run):
        code, _, err = run("score", "key", "response", key=GOOD, response=TWO)
        assert code == 0
        found = "has document '(e); part 000' that the key lacks, left out"
        assert err == f"note: response:8: {found}\n"

    def test_extra_document_is_refused_where_asked_for(self, run):
        words = ("score", "key", "response", "--missing", "error")
        result = run(*words, key=GOOD, response=TWO)
        check(
            result,
            "response:8",
            r"has document '\(e\); part 000' that the key lacks",
            "--missing",
        )


REPEATED = {
    "in one entity": GOOD.replace("(2|(1)", "(2|(1)|(1)"),
    "in two entities": GOOD.replace("(2|(1)", "(2|(1)|(3)"),
}


class TestRepeated:
    each_case = pytest.mark.parametrize("content", REPEATED.values(), ids=REPEATED)

    @each_case
    @pytest.mark.parametrize("side", ["key", "response"])
    def test_is_noted(self, run, content, side):
        files = {"key": GOOD, "response": GOOD} | {side: content}
        code, out, err = run("score", "key", "response", "--format", "csv", **files)
        assert code == 0
        assert f"note: {side}: 1 repeated mention, kept in the first" in err
        assert f"see {side}:5" in err
        assert out.count(",1.0,1.0,1.0,") == 9

    @each_case
    def test_is_refused_where_asked_for(self, run, content):
        words = ("score", "key", "response", "--repeated", "error")
        result = run(*words, key=GOOD, response=content)
        check(result, "response:5", "is repeated here", "--repeated first")

    @each_case
    def test_is_listed_by_validate(self, run, content):
        code, out, _ = run("validate", "response", response=content)
        assert code == 1
        assert out.startswith("response:5: warning: mention of tokens 3 to 3 ")


class TestFiles:
    def test_missing(self, run):
        result = run("score", "key", "nothing", key=GOOD)
        check(result, "nothing", "cannot be read: No such file or directory", "")

    def test_directory(self, run):
        Path("folder").mkdir()
        result = run("score", "key", "folder", key=GOOD)
        check(result, "folder", "no file of a known format is in this folder", "")

    def test_unreadable(self, run, monkeypatch):
        # Tests may run as root, who may read everything.
        denied = mock.Mock(side_effect=PermissionError(13, "Permission denied"))
        written(Path("key"), GOOD)
        monkeypatch.setattr("builtins.open", denied)
        check(
            run("score", "key", "key"), "key", "cannot be read: Permission denied", ""
        )

    @pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() == 0, reason="as root"
    )
    def test_unreadable_in_truth(self, run):
        written(Path("key"), GOOD)
        Path("key").chmod(0)
        check(
            run("score", "key", "key"), "key", "cannot be read: Permission denied", ""
        )

    @pytest.mark.parametrize("name", ["", "x" * 5000], ids=["none", "long"])
    def test_impossible_name(self, run, name):
        code, out, err = run("score", "key", name, key=GOOD)
        assert (code, out) == (1, "")
        assert err

    def test_validate_goes_on_after_a_file_that_cannot_be_read(self, run):
        code, out, _ = run("validate", "nothing", "key", key=GOOD)
        assert code == 1
        assert out == (
            "nothing: cannot be read: No such file or directory\nkey: ok\n"
            "1 problem: 1 error (unreadable)\n"
        )


class TestFrom:
    def test_that_does_not_fit_the_key(self, run):
        result = run("score", "key", "key", "--from", "jsonl", key=GOOD)
        check(result, "key", "is CoNLL-2012, expected JSON lines", "omit --from")

    def test_that_does_not_fit_the_response(self, run):
        words = ("score", "key", "response", "--from", "conll")
        result = run(*words, key=GOOD, response=JSON)
        check(result, "response", "is JSON lines, expected CoNLL-2012", "omit --from")

    def test_that_fits_nothing(self, run):
        result = run("score", "key", "key", "--from", "jsonl", key="hello\n")
        check(result, "key:1", "not JSON", "")

    def test_conll_without_documents(self, run):
        result = run("score", "key", "key", "--from", "conll", key="# hello\n")
        check(result, "key", "has no document, expected CoNLL-2012", "")

    def test_formats_may_be_mixed_without_it(self, run):
        for files in ({"key": GOOD, "response": JSON}, {"key": JSON, "response": GOOD}):
            assert run("score", "key", "response", **files)[0] == 0


def test_long_names_do_not_flood_the_message(run):
    # A file of another system's line ends is one long line.
    _, _, err = run(
        "score", "key", "key", key=corpus({"a": "- " * 900}).replace("\n", "\r")
    )
    assert len(err) < 1000


def test_validate_lists_everything(run):
    text = conll("1) (x) (2 -", name="(a);") + conll("(1|(2 2)|1)", name="(a);")
    code, out, _ = run("validate", "file", "good", file=text, good=GOOD)
    assert code == 1
    places = [
        line.partition(" ")[0] for line in out.splitlines() if line.startswith("f")
    ]
    assert places == ["file:2:", "file:3:", "file:4:", "file:7:", "file:8:"]
    errors = "4 errors (2 unpaired-bracket, 1 malformed, 1 repeated-document)"
    count = f"5 problems: {errors}, 1 warning (repeated-mention)"
    assert out.endswith(f"good: ok\n{count}\n")
