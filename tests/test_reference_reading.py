"""Preset `conll2012` reads as the reference scorer does, however input comes in."""

from __future__ import annotations

import re

import pytest
from builders import counts
from files import conll, corpus, written
from raising import raises

import corefkit
from corefkit import PRESETS, FormatError, PairingError
from corefkit.cli import main
from corefkit.formats import open_source

# Read as people mean it, the first token is a mention of 1 and of 2. The reference
# scorer deletes (2) first, and what is left there is (11).
GLUED = "#begin document d\nw\t(1(2)1)\nw\t(11)\n#end document\n"
# To the reference scorer a comment is a token, with brackets of its own.
COMMENTED = conll("(1) - (1)").replace("d\t0\t1", "# c\t(1)\nd\t0\t1")
# It opens before it closes, and pairs otherwise.
TURNED = conll("(1 1)|(1 1)")
# It reads (2) first, so that the repeated mention belongs to another entity.
REPEATED = conll("(1|1)|(2) (1) (1) (2)")
ODD = {
    "glued": GLUED,
    "commented": COMMENTED,
    "turned": TURNED,
    "repeated": REPEATED,
}
# Brackets in another order that pair alike, a blank line, columns apart by blanks.
PLAIN = corpus({"a": "(1 1)|(2) / (2)", "b": "(1|(2) 1)|(3 3)"}) + conll(
    "(1) (1)", name="x"
)


def put_into(folder, text):
    folder.mkdir()
    return written(folder / "file.conll", text)


def scored(key, response, **options):
    result = corefkit.score(key, response, preset="conll2012", **options)
    return counts(result, result)


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
class TestOddFiles:
    def test_folder_is_what_its_file_is(self, tmp_path, text):
        path = put_into(tmp_path / "folder", text)
        expected = scored(path, path)
        assert scored(tmp_path / "folder", path) == expected
        assert scored(path, tmp_path / "folder") == expected
        # Read otherwise, there would be other mentions.
        assert expected != counts(result := corefkit.score(path, path), result) or (
            text is TURNED
        )

    def test_scope_is_of_what_the_reference_scorer_reads(self, tmp_path, text):
        path = put_into(tmp_path / "folder", text)
        assert scored(path, path, scope="corpus") == scored(path, path)

    def test_documents_that_were_read_otherwise_are_refused(self, tmp_path, text):
        path = put_into(tmp_path / "folder", text)
        documents = list(corefkit.read(path))
        for sides in ((documents, path), (path, documents)):
            with raises(FormatError, "input/file-required"):
                scored(*sides)
        assert corefkit.score(documents, path)["mentions"].f1 == 1

    def test_explain_ends_in_the_score(self, tmp_path, text, capsys):
        path = put_into(tmp_path / "folder", text)
        found = corefkit.score(path, path, preset="conll2012")["muc"]
        command = ["explain", path, path, "--metric", "muc", "--preset", "conll2012"]
        assert main(command) == 0
        shown = capsys.readouterr().out
        numbers = int(found.recall_numerator), int(found.recall_denominator)
        assert re.search("recall .* = {}/{} ".format(*numbers), shown.replace("\n", ""))
        assert shown.rstrip().endswith("|reading:reference")


@pytest.mark.parametrize("preset", PRESETS)
def test_file_is_folder_is_documents(tmp_path, preset):
    key = put_into(tmp_path / "key", PLAIN)
    response = put_into(tmp_path / "response", PLAIN.replace("(2)", "(3)"))
    metrics = ["mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"]

    def found(*sides):
        try:
            result = corefkit.score(*sides, preset=preset, metrics=metrics)
        except FormatError as error:
            return error.message
        return counts(result, result), result.signature

    expected = found(key, response)
    assert found(tmp_path / "key", tmp_path / "response") == expected
    documents = [list(corefkit.read(path)) for path in (key, response)]
    assert {one.origin for one in documents[0]} == {"conll"}
    assert found(*documents) == expected
    assert found(key, documents[1]) == expected


class TestNames:
    KEY = conll("(1) (1)")

    @pytest.mark.parametrize("name", ["(d); part 0", "d_0", "(d); part 000 "])
    def test_are_compared_byte_by_byte(self, tmp_path, name):
        key = put_into(tmp_path / "key", self.KEY)
        response = put_into(
            tmp_path / "response", self.KEY.replace("(d); part 000", name)
        )
        sides = [
            (key, response),
            (tmp_path / "key", tmp_path / "response"),
            (key, tmp_path / "response"),
        ]
        if not name.endswith(" "):
            sides.append((key, list(corefkit.read(response))))
        for one in sides:
            assert corefkit.score(*one, preset="conll2012")["muc"].f1 == 0
            assert corefkit.score(*one)["muc"].f1 == 1

    def test_are_compared_byte_by_byte_under_scope(self, tmp_path):
        key = put_into(tmp_path / "key", self.KEY)
        response = put_into(
            tmp_path / "response", self.KEY.replace("(d); part 000", "d_0")
        )
        result = corefkit.score(key, response, preset="conll2012", scope="corpus")
        assert result["muc"].f1 == 0

    def test_documents_of_other_formats_are_paired_as_their_files(self, tmp_path):
        key = put_into(tmp_path / "key", self.KEY)
        line = '{"doc_key": "d_0", "clusters": [[[0, 0], [1, 1]]]}\n'
        response = written(tmp_path / "r.jsonl", line)
        for other in (response, list(corefkit.read(response))):
            assert corefkit.score(key, other, preset="conll2012")["muc"].f1 == 1

    def test_partitions_are_paired_as_ever(self):
        found = corefkit.score({"d_0": ["ab"]}, {"(d); part 000": ["ab"]})
        assert found["muc"].f1 == 1


class TestSeveralResponses:
    def test_score_does_not_depend_on_the_formats_beside_it(self, tmp_path):
        # Between CoNLL files a trailing blank makes another name.
        key = written(tmp_path / "key", conll("(1)", name="a") + conll("-", name="a "))
        other = written(tmp_path / "other", '{"doc_key": "a", "clusters": []}\n')
        settings = PRESETS["conll2012"]
        alone = corefkit.score(key, key, preset="conll2012")
        (one, _) = corefkit.score_responses(key, [key, other], settings=settings)
        (_, two) = corefkit.score_responses(key, [other, key], settings=settings)
        assert alone.documents == one.documents == two.documents == ("a", "a ")
        assert counts(one, one) == counts(two, two) == counts(alone, alone)


def test_texts_of_other_lengths_are_refused_under_scope(tmp_path):
    # The second document of the corpus would begin at another token.
    key = put_into(tmp_path / "key", corpus({"a": "(1) -", "b": "(1)"}))
    response = put_into(tmp_path / "response", corpus({"a": "(1) - -", "b": "(1)"}))
    assert corefkit.score(key, response, preset="conll2012")["mentions"].f1 == 1
    message = r"response/file.conll:1: document '\(a\); part 000' has 3 tokens, expect"
    with pytest.raises(PairingError, match=message):
        corefkit.score(key, response, preset="conll2012", scope="corpus")


def test_characters_are_compared_where_the_setting_says_so(tmp_path):
    key = written(tmp_path / "key", conll("(1) - (1)", words=["ab", "c", "d"]))
    other = conll("(1 1) - (1)", words=["a", "b", "c", "d"])
    response = written(tmp_path / "response", other)
    result = corefkit.score(key, response, preset="conll2012", tokens="characters")
    assert result["muc"].f1 == 1
    assert result.signature.endswith("|tokens:characters|reading:reference")


def test_what_reads_alike_is_known(tmp_path):
    for text, origin in ((PLAIN, "conll"), *((odd, "strict") for odd in ODD.values())):
        path = written(tmp_path / "file", text)
        assert {one.origin for one in corefkit.read(path)} == {origin}
        source = open_source(path, reference=True)
        assert {source.read_document(0).origin} == {"conll"}
        source.close()
