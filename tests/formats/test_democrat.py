"""Democrat's columns: the numbered rules of the format, and errors."""

from __future__ import annotations

import pytest
from files import written
from formats import laws, reading
from formats.examples import DEMOCRAT
from formats.reading import DATA, everything, needs_data, problems, spans
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Mention, SettingsError
from corefkit.cli import main
from corefkit.formats import FORMATS, READ_ONLY, detect_format
from corefkit.formats.democrat import recognise
from corefkit.formats.files import ByteFile
from corefkit.formats.output import write


def line(number, word, cell="_", name="*", **known):
    """Write a line: number, word, brackets and named entity, and columns by name."""
    columns = [str(number), word, known.get("lemma", "_"), known.get("upos", "_")]
    columns += ["_", "_", str(known.get("head", "_")), known.get("deprel", "_")]
    columns += ["_", "_", known.get("speaker", "_"), known.get("paragraph", "_")]
    return "\t".join([*columns, name, name, cell])


def document(*lines, name="(d); part 000"):
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


# "Anne habite une maison du port de Brest . / Elle y dort ."


@pytest.fixture
def put(tmp_path):
    return lambda content: written(tmp_path / "x.conll", content)


read, found = reading.reads_one("democrat"), reading.finds("democrat")


class TestReading:
    def test_words_are_tokens_and_ranges_are_not(self, read):
        found = read(DEMOCRAT)
        assert found.id == "(d); part 000"
        assert [len(sentence) for sentence in found.sentences] == [10, 3]
        assert found.tokens[4:6] == ("de", "le")
        ranges = {n: row for n, row in enumerate(found.layers["mwt"]) if row}
        assert ranges == {4: "5-6\tdu" + "\t_" * 8}

    def test_columns_with_values_are_layers(self, read):
        layers = read(DEMOCRAT).layers
        assert sorted(layers) == ["head", "lemma", "mwt", "upos"]
        assert layers["upos"][:2] == ("PROPN", "VERB")
        assert layers["head"][9:11] == ("2", "3")

    def test_entities_have_heads_from_the_tree(self, read):
        found = read(DEMOCRAT)
        assert spans(found) == {
            "1": [(0, 0), (10, 10)],
            "2": [(2, 8), (11, 11)],
            "3": [(5, 8)],
            "4": [(8, 8)],
        }
        heads = {tuple(one): one.head for entity in found for one in entity}
        assert heads[2, 8] == 3
        assert heads[5, 8] == 6

    def test_label_of_a_name_is_the_type_of_mentions(self, read):
        found = read(DEMOCRAT)
        types = {
            tuple(one): one.attributes.get("type") for entity in found for one in entity
        }
        assert types[0, 0] == "PER"
        assert (
            types[5, 8] == "LOC"
        )  # "le port de Brest", whose head is that of the name
        assert types[8, 8] is None  # "Brest" is inside a longer name
        assert types[2, 8] is None
        assert types[10, 10] is None

    def test_same_words_take_precedence_over_the_same_head(self, read):
        found = read(
            document(
                line(1, "Anne", "(1|(2)", "(PER", head=0),
                line(2, "Brest", "_", "*)", head=1),
                line(3, "arrive", "1)", head=1),
            )
        )
        one, two = found.entities
        assert one.mentions == (Mention(0, 2),)
        assert [one.mentions[0].attributes, two.mentions[0].attributes] == [
            {"type": "PER"},
            {"type": "PER"},
        ]

    def test_new_paragraphs_are_comments(self, read):
        assert read(DEMOCRAT).comments == (("newpar",), ("newpar",))

    def test_speakers_and_comments_are_kept(self, read):
        lines = "# scène 2", line(1, "Non", speaker="Anne"), "", line(1, "Si")
        assert read(document(*lines)).comments == (("scène 2", "speaker = Anne"), ())

    def test_document_without_words(self, read):
        found = read(document())
        assert (found.sentences, found.entities, found.layers) == ((), (), {})

    def test_example_has_no_problems(self, found):
        assert found(DEMOCRAT) == []


class TestNaming:
    @pytest.mark.parametrize("before", ["", "# a comment\n", "# x\n" * 20_000])
    def test_format_is_recognised_by_its_columns(self, put, before):
        with ByteFile(put(before + DEMOCRAT)) as file:
            assert detect_format(file).name == "democrat"
            assert detect_format(file, "democrat").name == "democrat"

    def test_file_is_conll_on_request_and_for_the_reference_scorer(self, put):
        with ByteFile(put(DEMOCRAT)) as file:
            assert detect_format(file, "conll").name == "conll"
            assert detect_format(file, default="conll").name == "conll"

    @pytest.mark.parametrize("name", ["0", "1", "12"])
    def test_conll_with_a_number_as_document_is_recognised(self, put, name):
        row = "\t".join((name, "0", "0", "Anne", *"_" * 10, "(1)"))
        path = put(f"#begin document ({name}); part 000\n{row}\n#end document\n")
        with ByteFile(path) as file:
            assert detect_format(file).name == "conll"
        assert next(corefkit.read(path)).tokens == ("Anne",)

    @needs_data
    @pytest.mark.slow
    def test_corpus_is_recognised_and_has_words(self):
        path = DATA / "democrat-fr" / "dem1921_sg.dev.conll"
        document = next(corefkit.read(path))
        assert document.tokens[:4] == ("Zèbre", "Zèbre", "est", "un")
        assert corefkit.score(path, path, match="head", metrics="muc")["muc"].f1 == 1

    @reading.heads(
        own=[
            b"#begin document (d); part 000\n",
            DEMOCRAT.encode(),
            b"# x\n" + DEMOCRAT.encode().replace(b"\n", b"\r\n"),
        ],
        others=[
            b"",
            b"#begin document (d); part 000\nd\t0\t0\tAnne\t(1)\n",
            line(1, "Anne").encode(),
            DEMOCRAT.replace("\t", " ").encode(),
        ],
    )
    def test_first_line_is_recognised(self, head, expected):
        assert recognise(head) is expected

    def test_file_in_another_format_is_rejected(self, put):
        path = put("#begin document (d); part 000\nd\t0\t0\tAnne\t(1)\n#end document\n")
        with raises(corefkit.FormatError, "format/other-format", place="x.conll"):
            list(corefkit.read(path, format="democrat"))

    def test_format_is_not_written(self, tmp_path):
        with raises(SettingsError, "settings/read-only-format", place=None) as refused:
            write([], tmp_path / "x", format="democrat")
        assert "conllu" in refused.value.hint
        assert not READ_ONLY.keys() & FORMATS.keys()

    def test_similar_name_is_suggested(self, put):
        with raises(SettingsError, "settings/unknown-format", place=None) as refused:
            list(corefkit.read(put(DEMOCRAT), format="democrats"))
        assert "'democrat'" in refused.value.hint


BROKEN = {
    "never closed": (3, line(2, "b", "(7"), "unbalanced-bracket"),
    "never opened": (3, line(2, "b", "7)"), "unbalanced-bracket"),
    "no number": (3, line(2, "b", "(x)"), "invalid-annotation"),
    "no bracket": (3, line(2, "b", "7"), "invalid-annotation"),
    "values": (3, line(2, "b", "(7-2)"), "invalid-annotation"),
    "few columns": (3, "2\tb\t(7)", "wrong-columns"),
    "many columns": (3, line(2, "b") + "\t_", "wrong-columns"),
    "lost word": (3, line(3, "c"), "wrong-number"),
    "no ID": (3, line("x", "c"), "wrong-number"),
    "empty node": (3, line("1.1", "c"), "wrong-number"),
    "range": (3, line("2-3", "b", "(1)"), "invalid-annotation"),
}


@pytest.mark.parametrize(("number", "text", "code"), BROKEN.values(), ids=BROKEN)
def test_error_is_reported_and_raised(put, number, text, code):
    path = put(document(line(1, "a", "(1)"), text))
    assert laws.check_fault(
        path, "democrat", number, f"format/{code}", alone=False
    ).hint


def test_invalid_utf8_is_an_error(put):
    path = put(document(line(1, "é", "(1)")).encode("latin-1"))
    laws.check_fault(path, "democrat", 2, "format/not-utf8")


def test_document_without_end_is_an_error(put):
    path = put(DEMOCRAT.replace("#end document\n", ""))
    laws.check_fault(path, "democrat", DEMOCRAT.count("\n"), "format/unpaired-document")


def test_invalid_ranges_and_names_are_ignored(read, found):
    content = document(
        line("2-3", "x"),
        line("1-2", "y"),
        line("1-3", "z"),
        line(1, "a", "_", "*)"),
        line(2, "b", "_", "(PER"),
        line(3, "c", "(1)", "(LOC"),
        line("4-5", "w"),
        "",
        line(1, "d"),
    )
    problem = "format/left-out", "warning"
    assert found(content) == [(number, *problem) for number in (2, 4, 5, 7, 7, 9)]
    assert [row for row in read(content).layers["mwt"] if row] == ["1-2\ty" + "\t_" * 8]


cells = st.sampled_from(["_", "(1)", "(1", "1)", "(2)", "(2|(1)", "1)|2)"])


@given(st.lists(cells, max_size=6), st.booleans())
def test_brackets_are_those_of_conll(tmp_path_factory, row, cut):
    lines = [line(1 if cut else n, f"w{n}", cell) for n, cell in enumerate(row, 1)]
    path = tmp_path_factory.mktemp("x") / "x.conll"
    path.write_text(document(*("\n\n" if cut else "\n").join(lines).split("\n")))
    if any(problem.severity == "error" for problem in problems(path, format="conll")):
        with raises(corefkit.FormatError, "format/unbalanced-bracket"):
            list(corefkit.read(path, format="democrat"))
        return
    if not row:
        return
    (plain,) = corefkit.read(path, format="conll")
    (found,) = corefkit.read(path, format="democrat")
    assert [{*entity} for entity in found] == [{*entity} for entity in plain]


def test_conversion_to_conllu_is_lossless(tmp_path, put, read):
    target = tmp_path / "x.conllu"
    assert main(["convert", put(DEMOCRAT), str(target), "--from", "democrat"]) == 0
    assert everything(*corefkit.read(target)) == everything(read(DEMOCRAT))


CORPUS = {"dev": (46, 28279, 709, 7032, 4294), "test": (30, 28504, 520, 7754, 3939)}


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("part", CORPUS)
def test_corpus_is_read_completely(part):
    path = DATA / f"democrat-fr/dem1921_sg.{part}.conll"
    documents = list(corefkit.read(path, format="democrat"))
    counts = corefkit.statistics_of(documents)
    ranges = sum(bool(row) for one in documents for row in one.layers.get("mwt", ()))
    found = len(documents), counts.words, ranges, counts.mentions, counts.entities
    assert found == CORPUS[part]
    assert not any(
        problem.severity == "error" for problem in problems(path, format="democrat")
    )
    assert counts.typed_mentions == counts.mentions
    sizes = [[len(entity) for entity in one] for one in corefkit.read(path)]
    assert [[len(entity) for entity in one] for one in documents] == sizes
