"""Folders: each is what its files are, in threads too, and nothing is passed over."""

from __future__ import annotations

import os
import socket
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread

import pytest
from builders import counts
from files import conll, corpus, json_line, written
from formats.reading import problems
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention, PairingError
from corefkit.cli import main
from corefkit.formats import conll as conll_module
from corefkit.formats import files as bytefile
from corefkit.formats import open_source
from corefkit.formats.conll import ConllSource
from corefkit.formats.folder import FolderSource
from corefkit.formats.output import write
from corefkit.metrics.standard import ceaf_with

NAMED = "document\tentity\tmention\nd\t1\trec-1\nd\t1\trec-2\nd\t2\trec-3\n"
TOKENS = "document\tentity\tstart\tend\nd\t1\t0\t0\nd\t1\t2\t2\n"


@pytest.fixture
def folder(tmp_path):
    """Write files below a folder, and give its path."""

    def folder(name, files):
        for path, content in files.items():
            target = tmp_path / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            written(target, content)
        return tmp_path / name

    return folder


def opened(path, **options):
    return closing(open_source(path, **options))


def ids(path, **options):
    with opened(path, **options) as source:
        return list(source.ids)


FILES = {f"{n:02}.conll": corpus({f"d{n}": "(1) (1) -"}) for n in range(30)}


class TestThreads:
    def test_no_file_is_closed_while_another_thread_reads_it(self, folder, monkeypatch):
        # One thread is inside a file while the other one goes through all others.
        monkeypatch.setenv("COREFKIT_KERNEL", "off")
        path = folder("corpus", FILES)
        meet, parted = Barrier(2, timeout=30), Barrier(2, timeout=30)
        read = conll_module.read_tokens

        def slow(*arguments, **options):
            if slow.first:
                slow.first = False
                meet.wait()
                parted.wait()
            return read(*arguments, **options)

        slow.first = True
        monkeypatch.setattr(conll_module, "read_tokens", slow)
        found = []
        with opened(path) as source:
            thread = Thread(target=lambda: found.append(source.read_columns([0])))
            thread.start()
            meet.wait()
            documents = [source.read_document(number) for number in range(1, 30)]
            parted.wait()
            thread.join()
        assert [len(document.entities) for document in documents] == [1] * 29
        assert len(found[0].start) == 2

    def test_weights_on_two_folders_of_conllu(self, tmp_path, monkeypatch):
        # Attributes are fetched by one thread while another reads the next block.
        monkeypatch.setattr("corefkit.alignment.pipeline._MIN_THREADED_BYTES", 1)
        monkeypatch.setattr("corefkit.alignment.pipeline._BLOCK_DOCUMENTS", 1)
        sides = []
        for side in ("key", "response"):
            sides.append(tmp_path / side)
            sides[-1].mkdir()
            for number in range(20):
                mentions = (
                    Mention(0, 0, attributes={"type": "person"}),
                    Mention(2, 2, attributes={"type": "person"}),
                )
                text = (("Ann", "saw", "her"),) * 3
                document = Document(f"d{number}", text, (Entity("1", mentions),))
                write([document], sides[-1] / f"{number:02}.conllu")
        result = corefkit.score(
            *sides, metrics=["lea_weighted"], weights="type:person=2"
        )
        assert result["lea_weighted"].recall_denominator == 20 * 4

    def test_number_of_open_files_is_limited(self, folder, monkeypatch):
        path = folder("corpus", FILES)
        handles = []
        opening = bytefile._open_file

        def kept(name):
            handles.append(opening(name))
            return handles[-1]

        monkeypatch.setattr(bytefile, "_open_file", kept)
        with opened(path) as source:
            for number in (*range(30), 3, 17, 29):
                source.read_document(number)
                assert sum(not handle.closed for handle in handles) <= 10
        assert all(handle.closed for handle in handles)

    def test_all_files_are_closed_after_an_error(self, folder, monkeypatch):
        path = folder("corpus", {**FILES, "x.conll": "#begin document (x)\n"})
        handles = []
        opening = bytefile._open_file
        monkeypatch.setattr(
            bytefile,
            "_open_file",
            lambda name: handles.append(opening(name)) or handles[-1],
        )
        with raises(FormatError, "format/unpaired-document", place="x.conll:2"):
            open_source(path)
        assert all(handle.closed for handle in handles)


class TestColumns:
    @pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 0, 2, 1], [2], [1, 3, 0], []])
    def test_documents_are_read_in_the_given_order(self, folder, order):
        text = corpus({"a": "(1) (1) (2)", "b": "-", "c": "(1 1) (1)", "d": "(3)"})
        middle = text.index("#begin document (c)")
        path = folder("two", {"1.conll": text[:middle], "2.conll": text[middle:]})
        alone = folder("one", {"all.conll": text}) / "all.conll"
        with opened(path) as source, opened(alone) as file:
            found, expected = source.read_columns(order), file.read_columns(order)
        for part in ("entity", "start", "end", "entity_document", "token_count"):
            assert getattr(found, part).tolist() == getattr(expected, part).tolist()
        assert found.text_hash.tolist() == expected.text_hash.tolist()

    def test_documents_of_a_file_are_read_at_once(self, folder, monkeypatch):
        documents = {f"d{number}": "(1) (1)" for number in range(400)}
        path = folder("corpus", {"a.conll": corpus(documents), "b.conll": conll("-")})
        read, calls = ConllSource.read_columns, []

        def counted(self, numbers, ids=None):
            calls.append(len(numbers))
            return read(self, numbers, ids)

        monkeypatch.setattr(ConllSource, "read_columns", counted)
        corefkit.score(path, path)
        assert calls == [400, 1, 400, 1]

    def test_files_are_opened_once_per_block(self, folder, monkeypatch):
        # The key has the documents of twenty files in turns.
        every = [f"d{number}" for number in range(200)]
        key = folder("key", {"key.conll": corpus(dict.fromkeys(every, "(1)"))})
        files = {
            f"{row}.conll": corpus(dict.fromkeys(every[row::20], "(1)"))
            for row in range(20)
        }
        response = folder("response", files)
        opening, names = bytefile._open_file, []

        def counted(name):
            names.append(name)
            return opening(name)

        monkeypatch.setattr(bytefile, "_open_file", counted)
        result = corefkit.score(key / "key.conll", response)
        assert result["mentions"].f1 == 1
        # To recognise each, to find its documents, to read them.
        assert len(names) < 4 * 20


class TestWhatItsFilesAre:
    def test_names_are_rejected_against_tokens(self, folder, tmp_path):
        path = folder("tables", {"a.tsv": NAMED})
        other = written(tmp_path / "other.conll", conll("(1) - (1)", name="(d);"))
        for sides in ((path, other), (other, path), (path / "a.tsv", other)):
            with raises(PairingError, "pairing/different-mentions"):
                corefkit.score(*sides)

    def test_names_and_tokens_in_one_folder_are_rejected(self, folder):
        other = TOKENS.replace("d\t", "e\t")
        path = folder("mixed", {"a.tsv": NAMED, "b.tsv": other})
        with raises(PairingError, "pairing/different-mentions", place="mixed"):
            corefkit.score(path, path)
        assert any("is a name" in one.message for one in problems(path))

    @pytest.mark.parametrize("sides", ["folder file", "file folder", "folder folder"])
    def test_names_match_as_in_single_files(self, folder, sides):
        more = NAMED.replace("d\t", "e\t")
        key = folder("key", {"a.tsv": NAMED, "b.tsv": more})
        changed = NAMED.replace("rec-3", "rec-4")
        response = folder("response", {"a.tsv": changed, "b.tsv": more})
        whole = [
            folder("whole", {"key.tsv": NAMED + more.partition("\n")[2]}),
            folder("whole", {"response.tsv": changed + more.partition("\n")[2]}),
        ]
        files = [whole[0] / "key.tsv", whole[1] / "response.tsv"]
        given = [
            one if kind == "folder" else file
            for kind, one, file in zip(
                sides.split(), (key, response), files, strict=True
            )
        ]
        expected, result = corefkit.score(*files), corefkit.score(*given)
        assert counts(result, result) == counts(expected, expected)

    def test_custom_metric_gets_the_same_mentions(self, folder):
        # The similarity looks at the mentions themselves: rec-1 must be there.
        def both_have_the_first(key, response):
            return float("rec-1" in key & response)

        own = ceaf_with(both_have_the_first, name="own")
        path = folder("tables", {"a.tsv": NAMED})
        for side in (path, path / "a.tsv"):
            result = corefkit.score(side, side, metrics=[own])
            assert result["own"].recall_numerator == 1

    def test_words_of_names_are_the_same(self, folder):
        path = folder("tables", {"a.tsv": NAMED, "b.tsv": NAMED.replace("d\t", "e\t")})
        (alone,) = corefkit.read(path / "a.tsv")
        assert next(iter(corefkit.read(path))).words == alone.words

    def test_declaration_is_that_of_the_first_file(self, folder):
        text = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        text += "# corefkit.corpus = scheme:gum split:test\n"
        text += "1\tAnn\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1)\n\n"
        path = folder("declared", {"a.conllu": text})
        for side in (path, path / "a.conllu"):
            declared = corefkit.score(side, side).declared
            assert (declared.scheme, declared.split) == ("gum", "test")

    def test_running_text_does_not_affect_other_files(self, folder):
        # Other tokens are compared by characters where a text is running, and there
        # alone: what columns have are tokens.
        muc = '<DOC><DOCID>r</DOCID>\n<COREF ID="1">Ann</COREF> left\n</DOC>\n'
        key = conll("(1) -", name="(d);", words=["ab", "c"])
        other = conll("(1) - -", name="(d);", words=["a", "b", "c"])
        one = folder("key", {"a.muc": muc, "b.conll": key})
        two = folder("response", {"a.muc": muc, "b.conll": other})
        with raises(PairingError, "pairing/different-text", place="b.conll:2"):
            corefkit.score(one, two)


class TestHidden:
    @pytest.mark.parametrize(
        "hidden",
        [
            ".old/b.conll",
            ".ipynb_checkpoints/b.conll",
            "sub/.git/x/b.conll",
            ".b.conll",
        ],
    )
    def test_hidden_files_are_skipped(self, folder, hidden):
        files = {"a.conll": conll("(1)"), hidden: conll("(1)", name="(old);")}
        assert ids(folder("r", files)) == ["(d); part 000"]

    def test_folder_that_is_hidden_itself_is_read(self, folder):
        assert ids(folder(".r", {"a.conll": conll("(1)")})) == ["(d); part 000"]

    def test_unreadable_hidden_files_are_skipped(self, folder):
        path = folder("r", {"a.conll": conll("(1)")})
        (path / ".#lock").symlink_to("nowhere")
        os.mkfifo(path / ".pipe")
        assert ids(path) == ["(d); part 000"]


class TestCannotBeRead:
    @pytest.fixture(params=["score", "stats", "validate", "convert", "explain"])
    def said(self, request, capsys, tmp_path):
        """Run a command on a folder, and give what it says of what it refuses."""

        def said(path):
            more = {
                "score": [str(path)],
                "convert": [str(tmp_path / "out.jsonl")],
                "explain": [str(path), "--metric", "muc"],
            }.get(request.param, [])
            assert main([request.param, str(path), *more]) == 1
            shown = capsys.readouterr()
            return shown.out + shown.err

        return said

    def test_dangling_link(self, folder, said):
        path = folder("r", {"a.conll": conll("(1)")})
        (path / "b.conll").symlink_to("nowhere")
        assert "b.conll: cannot be read: No such file" in said(path)

    def test_link_to_itself(self, folder, said):
        path = folder("r", {"a.conll": conll("(1)")})
        (path / "b").symlink_to("b")
        assert "b: cannot be read: Too many levels" in said(path)

    def test_pipe(self, folder, said):
        path = folder("r", {"sub/a.conll": conll("(1)")})
        os.mkfifo(path / "sub" / "b")
        assert "b: is neither a file nor a folder" in said(path)

    def test_socket(self, folder, said, monkeypatch):
        path = folder("r", {"a.conll": conll("(1)")})
        monkeypatch.chdir(path)
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("b")
            assert "b: is neither a file nor a folder" in said(path)

    def test_link_to_another_folder(self, folder, said):
        path = folder("r", {"a.conll": conll("(1)")})
        other = folder("other", {"b.conll": conll("(1)", name="(e);")})
        (path / "more").symlink_to(other)
        assert f"more: is a link to the folder {other}" in said(path)

    @pytest.mark.parametrize("what", ["sub", "sub/b.conll", "sub/b.other"])
    def test_unreadable(self, folder, said, what, monkeypatch):
        # Who runs as root may read all: refuse by hand.
        files = {"a.conll": conll("(1)"), "sub/b.conll": "x", "sub/b.other": "x"}
        path = folder("r", files)
        denied = path / what

        def refusing(original):
            def call(name, *arguments, **options):
                if str(name) == str(denied):
                    raise PermissionError(13, "Permission denied", str(name))
                return original(name, *arguments, **options)

            return call

        monkeypatch.setattr(Path, "iterdir", refusing(Path.iterdir))
        monkeypatch.setattr("builtins.open", refusing(open))
        assert f"{denied}: cannot be read: Permission denied" in said(path)


def test_circular_links_are_skipped(folder):
    path = folder("r", {"sub/a.conll": conll("(1)")})
    (path / "sub" / "up").symlink_to(path)
    (path / "sub" / "out").symlink_to(path.parent)
    (path / "twin").symlink_to(path / "sub")
    assert ids(path) == ["(d); part 000"]


class TestValidate:
    def test_document_id_in_two_files(self, folder, capsys):
        files = {
            "a.conll": conll("(1)"),
            "b.jsonl": json_line("d_0", ["a"], [[[0, 0]]]),
        }
        path = folder("r", files)
        with raises(PairingError, "pairing/repeated-document", place="b.jsonl:1"):
            corefkit.score(path, path)
        assert main(["validate", str(path)]) == 1
        shown = capsys.readouterr().out
        assert f"{path}/b.jsonl:1: document 'd_0' is repeated" in shown
        assert f"it first begins at {path}/a.conll:1" in shown

    def test_valid_folder_has_no_problems(self, folder, capsys):
        files = {"a.conll": conll("(1)"), "b.conll": conll("(1)", name="(e);")}
        assert main(["validate", str(folder("r", files))]) == 0
        assert capsys.readouterr().out.endswith("r: ok\n")

    def test_problem_of_a_file_is_listed_once(self, folder, capsys):
        path = folder("r", {"a.conll": conll("(1) 2)"), "b.conll": conll("(1)")})
        assert main(["validate", str(path)]) == 1
        assert capsys.readouterr().out.count("closes here but was not opened") == 1


class TestReference:
    def test_folder_is_read_as_the_reference_scorer_reads_its_file(self, folder):
        # In its way of reading, what is deleted joins its neighbours: entity 13.
        key = "#begin document d\nw\t(1(2)3)\nw\t(13)\n#end document\n"
        path = folder("r", {"a.conll": key})
        alone = corefkit.score(path / "a.conll", path / "a.conll", preset="conll2012")
        result = corefkit.score(path, path, preset="conll2012")
        assert alone["muc"].recall_denominator == 1
        assert counts(result, result) == counts(alone, alone)

    def test_names_are_compared_byte_by_byte(self, folder):
        key = folder("key", {"a.conll": conll("(1) (1)")})
        response = folder("response", {"a.conll": conll("(1) (1)", name="(d); part 0")})
        for sides in ((key, response), (key / "a.conll", response / "a.conll")):
            assert corefkit.score(*sides, preset="conll2012")["muc"].f1 == 0
            assert corefkit.score(*sides)["muc"].f1 == 1

    def test_file_without_document_has_none(self, folder):
        files = {"a.conll": conll("(1) (1)"), "b.conll": "no document\n"}
        path = folder("r", files)
        result = corefkit.score(path, path, preset="conll2012")
        assert result.documents == ("(d); part 000",)
        with raises(FormatError, "format/unknown-format", place="b.conll:1"):
            FolderSource(path, format=None, response=False, reference=False)
