"""Democrat's columns by their numbered rules, and every way to break them."""

from __future__ import annotations

import pytest
from files import written
from formats import drawn, laws, reading
from formats.reading import (
    DATA,
    everything,
    needs_data,
    problems,
    recognised_samples,
    spans,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import Mention, SettingsError
from corefkit.cli import main
from corefkit.formats import FORMATS, READ_ONLY, recognised
from corefkit.formats.bytefile import ByteFile
from corefkit.formats.conllu.democrat import READER, recognise
from corefkit.formats.writing import write


def line(number, word, cell="_", name="*", **known):
    """Write a line: number, word, brackets and named entity, and columns by name."""
    columns = [str(number), word, known.get("lemma", "_"), known.get("upos", "_")]
    columns += ["_", "_", str(known.get("head", "_")), known.get("deprel", "_")]
    columns += ["_", "_", known.get("speaker", "_"), known.get("paragraph", "_")]
    return "\t".join([*columns, name, name, cell])


def document(*lines, name="(d); part 000"):
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


# "Anne habite une maison du port de Brest . / Elle y dort ."
ANNE = document(
    line(1, "Anne", "(1)", "(PER)", lemma="Anne", upos="PROPN", head=2, paragraph="0"),
    line(2, "habite", lemma="habiter", upos="VERB", head=0, paragraph="0"),
    line(3, "une", "(2", lemma="un", upos="DET", head=4, paragraph="0"),
    line(4, "maison", lemma="maison", upos="NOUN", head=2, paragraph="0"),
    line("5-6", "du", paragraph="0"),
    line(5, "de", lemma="de", upos="ADP", head=7, paragraph="0"),
    line(6, "le", "(3", "*", lemma="le", upos="DET", head=7, paragraph="0"),
    line(7, "port", "_", "(LOC", lemma="port", upos="NOUN", head=4, paragraph="0"),
    line(8, "de", "_", "*", lemma="de", upos="ADP", head=9, paragraph="0"),
    line(9, "Brest", "(4)|2)|3)", "*)", lemma="Brest", upos="PROPN", head=7),
    line(10, ".", lemma=".", upos="PUNCT", head=2, paragraph="0"),
    "",
    line(1, "Elle", "(1)", lemma="elle", upos="PRON", head=3, paragraph="1"),
    line(2, "y", "(2)", lemma="y", upos="PRON", head=3, paragraph="1"),
    line(3, "dort", lemma="dormir", upos="VERB", head=0, paragraph="1"),
)


@pytest.fixture
def put(tmp_path):
    return lambda content: written(tmp_path / "x.conll", content)


read, found = reading.reads_one("democrat"), reading.finds("democrat")


class TestReading:
    def test_words_are_tokens_and_ranges_are_not(self, read):
        found = read(ANNE)
        assert found.id == "(d); part 000"
        assert [len(sentence) for sentence in found.sentences] == [10, 3]
        assert found.tokens[4:6] == ("de", "le")
        ranges = {n: row for n, row in enumerate(found.layers["mwt"]) if row}
        assert ranges == {4: "5-6\tdu" + "\t_" * 8}

    def test_columns_are_layers_unless_they_are_empty(self, read):
        layers = read(ANNE).layers
        assert sorted(layers) == ["head", "lemma", "mwt", "upos"]
        assert layers["upos"][:2] == ("PROPN", "VERB")
        assert layers["head"][9:11] == ("2", "3")

    def test_brackets_are_entities_with_heads_of_the_tree(self, read):
        found = read(ANNE)
        assert spans(found) == {
            "1": [(0, 0), (10, 10)],
            "2": [(2, 8), (11, 11)],
            "3": [(5, 8)],
            "4": [(8, 8)],
        }
        heads = {tuple(one): one.head for entity in found for one in entity}
        assert heads[2, 8] == 3
        assert heads[5, 8] == 6

    def test_named_entity_gives_its_type_by_words_and_by_head(self, read):
        found = read(ANNE)
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

    def test_same_words_go_before_the_same_head(self, read):
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
        assert read(ANNE).comments == (("newpar",), ("newpar",))

    def test_speakers_and_comments_are_kept(self, read):
        lines = "# scène 2", line(1, "Non", speaker="Anne"), "", line(1, "Si")
        assert read(document(*lines)).comments == (("scène 2", "speaker = Anne"), ())

    @pytest.mark.parametrize("content", reading.ways(ANNE).values())
    def test_ways_of_writing_do_not_matter(self, read, content):
        assert everything(read(content)) == everything(read(ANNE))

    def test_document_without_words(self, read):
        found = read(document())
        assert (found.sentences, found.entities, found.layers) == ((), (), {})

    def test_nothing_is_wrong_with_it(self, found):
        assert found(ANNE) == []


class TestNaming:
    @pytest.mark.parametrize("before", ["", "# a comment\n", "# x\n" * 20_000])
    def test_it_is_recognised_by_its_columns(self, put, before):
        with ByteFile(put(before + ANNE)) as file:
            assert recognised(file).name == "democrat"
            assert recognised(file, "democrat").name == "democrat"

    def test_it_is_conll_where_that_is_named_or_the_reference_scorer_is_followed(
        self, put
    ):
        with ByteFile(put(ANNE)) as file:
            assert recognised(file, "conll").name == "conll"
            assert recognised(file, otherwise="conll").name == "conll"

    @pytest.mark.parametrize("name", ["0", "1", "12"])
    def test_conll_of_as_many_columns_whose_document_is_a_number_is_conll(
        self, put, name
    ):
        row = "\t".join((name, "0", "0", "Anne", *"_" * 10, "(1)"))
        path = put(f"#begin document ({name}); part 000\n{row}\n#end document\n")
        with ByteFile(path) as file:
            assert recognised(file).name == "conll"
        assert next(corefkit.read(path)).tokens == ("Anne",)

    @needs_data
    def test_the_corpus_keeps_its_words_without_being_named(self):
        path = DATA / "democrat-fr" / "dem1921_sg.dev.conll"
        document = next(corefkit.read(path))
        assert document.tokens[:4] == ("Zèbre", "Zèbre", "est", "un")
        assert corefkit.score(path, path, match="head", metrics="muc")["muc"].f1 == 1

    @reading.heads(
        own=[
            b"#begin document (d); part 000\n",
            ANNE.encode(),
            b"# x\n" + ANNE.encode().replace(b"\n", b"\r\n"),
        ],
        others=[
            b"",
            b"#begin document (d); part 000\nd\t0\t0\tAnne\t(1)\n",
            line(1, "Anne").encode(),
            ANNE.replace("\t", " ").encode(),
        ],
    )
    def test_recognise_looks_at_the_first_line(self, head, expected):
        assert recognise(head) is expected

    @reading.needs_samples
    def test_no_sample_of_another_format_is_taken(self):
        assert recognised_samples(recognise) == []

    def test_file_of_another_format_is_refused(self, put):
        path = put("#begin document (d); part 000\nd\t0\t0\tAnne\t(1)\n#end document\n")
        message = "is CoNLL-2012, expected Democrat columns"
        with pytest.raises(corefkit.FormatError, match=message):
            list(corefkit.read(path, format="democrat"))

    def test_it_is_not_written(self, tmp_path):
        with pytest.raises(SettingsError, match="is read, and not written") as refused:
            write([], tmp_path / "x", format="democrat")
        assert "conllu" in refused.value.hint
        assert not READ_ONLY.keys() & FORMATS.keys()

    def test_nearest_name_is_found(self, put):
        with pytest.raises(SettingsError) as refused:
            list(corefkit.read(put(ANNE), format="democrats"))
        assert "'democrat'" in refused.value.hint


BROKEN = {
    "never closed": (3, line(2, "b", "(7"), "entity 7 opens here and is never closed"),
    "never opened": (3, line(2, "b", "7)"), "entity 7 closes here but was not opened"),
    "no number": (3, line(2, "b", "(x)"), "entity id 'x' is not a number"),
    "no bracket": (3, line(2, "b", "7"), "'7' is not a coreference cell"),
    "values": (3, line(2, "b", "(7-2)"), "entity id '7-2' is not a number"),
    "few columns": (3, "2\tb\t(7)", "found 3 columns, expected 15 separated by tabs"),
    "many columns": (3, line(2, "b") + "\t_", "found 16 columns, expected 15"),
    "lost word": (3, line(3, "c"), "found word '3', expected 2"),
    "no ID": (3, line("x", "c"), "found word 'x', expected 2"),
    "empty node": (3, line("1.1", "c"), "found word '1.1', expected 2"),
    "range": (3, line("2-3", "b", "(1)"), "brackets on the multiword range 2-3"),
}


@pytest.mark.parametrize(("number", "text", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_line_is_a_problem_and_refused(put, number, text, message):
    path = put(document(line(1, "a", "(1)"), text))
    assert laws.check_fault(path, "democrat", number, message, alone=False).hint


def test_bytes_that_are_not_utf_8_are_refused(put):
    path = put(document(line(1, "é", "(1)")).encode("latin-1"))
    laws.check_fault(path, "democrat", 2, "byte 3 of the line is not UTF-8")


def test_document_without_end_is_refused(put):
    path = put(ANNE.replace("#end document\n", ""))
    laws.check_fault(
        path, "democrat", ANNE.count("\n"), "the file ends inside document"
    )


def test_what_does_not_fit_is_told_and_left_out(read, found):
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
    expected = [
        (2, "multiword range 2-3 does not fit before word 1"),
        (4, "multiword range 1-3 does not fit before word 1"),
        (5, "named entity '*)' does not fit with those before"),
        (7, "named entity '(LOC' does not fit with those before"),
        (7, "a named entity (LOC) opens here and is never closed"),
        (9, "a multiword range stands behind the last word of its sentence"),
    ]
    assert found(content) == [(number, text, "warning") for number, text in expected]
    assert [row for row in read(content).layers["mwt"] if row] == ["1-2\ty" + "\t_" * 8]


@given(drawn.damaged(ANNE, b"()|0123456789\t\n #_-*.d\xff\0"))
@settings(max_examples=60)
def test_broken_files_are_refused_and_nothing_else(content):
    laws.check_reader(READER, content)


cells = st.sampled_from(["_", "(1)", "(1", "1)", "(2)", "(2|(1)", "1)|2)"])


@given(st.lists(cells, max_size=6), st.booleans())
@settings(max_examples=60)
def test_brackets_are_those_of_conll(tmp_path_factory, row, cut):
    lines = [line(1 if cut else n, f"w{n}", cell) for n, cell in enumerate(row, 1)]
    path = tmp_path_factory.mktemp("x") / "x.conll"
    path.write_text(document(*("\n\n" if cut else "\n").join(lines).split("\n")))
    if any(problem.severity == "error" for problem in problems(path, format="conll")):
        with pytest.raises(corefkit.FormatError):
            list(corefkit.read(path, format="democrat"))
        return
    if not row:
        return
    (plain,) = corefkit.read(path, format="conll")
    (found,) = corefkit.read(path, format="democrat")
    assert [{*entity} for entity in found] == [{*entity} for entity in plain]


def test_convert_keeps_all_of_it(tmp_path, put, read):
    target = tmp_path / "x.conllu"
    assert main(["convert", put(ANNE), str(target), "--from", "democrat"]) == 0
    assert everything(*corefkit.read(target)) == everything(read(ANNE))


CORPUS = {
    "dev": (46, 28279, 709, 7032, 4294),
    "test": (30, 28504, 520, 7754, 3939),
}


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("part", CORPUS)
def test_the_release_is_read_whole(part):
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
