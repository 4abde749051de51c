"""GAP and WinoBias: their documents, tokens and errors."""

from __future__ import annotations

import pytest
from files import written
from formats import laws, reading
from formats.examples import GAP, WINOBIAS

import corefkit

HEADER = GAP.partition("\n")[0] + "\n"


def row(**changes):
    """Write an example of GAP, in which Ann saw Zoë."""
    cells = {
        **{"ID": "x", "Text": "Ann saw Zoë. She left.", "Pronoun": "She"},
        **{"Pronoun-offset": "13", "A": "Ann", "A-offset": "0", "A-coref": "TRUE"},
        **{"B": "Zoë", "B-offset": "8", "B-coref": "FALSE", "URL": "http://x"},
    } | changes
    return "\t".join(cells.values()) + "\n"


class TestGap:
    @pytest.fixture
    def put(self, tmp_path):
        return lambda content: written(tmp_path / "x.tsv", content)

    def test_pronoun_and_its_names_are_an_entity(self, put):
        first, second = corefkit.read(put(GAP))
        assert [[first.text(mention) for mention in entity] for entity in first] == [
            ["Ann Lee", "she"],
            ["Zoë"],
        ]
        assert [len(entity) for entity in second] == [1, 1, 1]
        assert (first.id, second.id, first.origin) == ("x-1", "x-2", "running")

    def test_attributes_are_roles(self, put):
        first, _ = corefkit.read(put(GAP))
        mentions = {
            first.text(mention): mention for entity in first for mention in entity
        }
        assert mentions["she"].attributes == {
            "gender": "feminine",
            "mention_type": "PRO",
        }
        assert mentions["Zoë"].attributes == {"name": "B", "mention_type": "NAM"}

    def test_quotes_are_text(self, put):
        text = row(Text='"Ann" saw Zoë. She left.', **{"A-offset": "1"})
        text = text.replace("\t13\t", "\t15\t").replace("\t8\t", "\t10\t")
        (document,) = corefkit.read(put(HEADER + text))
        assert document.tokens[:3] == ('"', "Ann", '"')

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"URL": "a\tb"}, "format/wrong-columns"),
            ({"A-offset": "1"}, "format/different-text"),
            ({"A-offset": "-1"}, "format/different-text"),
            ({"A-offset": "99"}, "format/different-text"),
            ({"A": ""}, "format/different-text"),
            ({"A-coref": "1"}, "format/invalid-annotation"),
            ({"Pronoun": "left", "Pronoun-offset": "17"}, "format/invalid-annotation"),
            ({"B": "Ann", "B-offset": "0"}, "format/invalid-span"),
        ],
    )
    def test_invalid_example_is_an_error(self, put, changes, code):
        path = put(HEADER + row(ID="y") + row(**changes))
        laws.check_fault(path, "gap", 3, code, alone=False)

    def test_repeated_id_is_an_error(self, put):
        (problem,) = reading.problems(put(HEADER + row() + row()), format="gap")
        assert (problem.code, problem.line) == ("format/repeated-document", 3)


class TestWinoBias:
    @pytest.fixture
    def put(self, tmp_path):
        return lambda content: written(tmp_path / "pro_x.txt.dev", content)

    def test_brackets_are_an_entity(self, put):
        first, second = corefkit.read(put(WINOBIAS))
        (entity,) = second
        assert [second.text(mention) for mention in entity] == [
            "the guard",
            "him",
            "his",
        ]
        assert [mention.attributes.get("gender") for mention in entity] == [
            *(None, "masculine", "masculine")
        ]
        assert (first.id, second.id) == ("pro_x.dev/1", "pro_x.dev/2")
        assert first.tokens[:3] == ("The", "cook", "thanked")

    def test_sentence_can_have_no_mention(self, put):
        _, second = corefkit.read(put("1 [A] and [b] left.\n2 The cook left.\n"))
        assert second.entities == ()

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("The [cook] left.", "format/wrong-number"),
            ("2 The [cook left.", "format/unbalanced-bracket"),
            ("2 The cook] left.", "format/unbalanced-bracket"),
            ("2 [The [cook]] left.", "format/unbalanced-bracket"),
        ],
    )
    def test_invalid_sentence_is_an_error(self, put, line, code):
        path = put(f"1 [The cook] said [she] left.\n{line}\n")
        with pytest.raises(corefkit.FormatError) as caught:
            list(corefkit.read(path))
        assert (caught.value.code, caught.value.place) == (code, f"{path}:2")


@pytest.mark.parametrize("name", ["gap", "winobias"])
def test_format_cannot_be_written(tmp_path, name):
    with pytest.raises(corefkit.SettingsError) as caught:
        corefkit.write([], tmp_path / "x", format=name)
    assert caught.value.code == "settings/read-only-format"
