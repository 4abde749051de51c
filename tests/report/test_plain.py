"""Documents as text: brackets that nest, cross and have gaps; colours; widths."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.example import paths
from corefkit.report.entity_text import iter_bracketed, render_document
from corefkit.report.reader_data import convert_document
from corefkit.tables.terminal import measure_width

COLOUR = re.compile(r"\x1b\[\d+m")
OPENING = re.compile(r"\[(\d+) (?:\.\.\. )?")
CLOSING = re.compile(r"(?<!\\)(?: \.\.\.)?\](\d*)")


def document(text, *entities, **fields):
    """Make a document; a line is a sentence, an entity a list of token numbers."""
    sentences = tuple(tuple(line.split(" ")) for line in text.split("\n"))
    rows = tuple(
        Entity(str(number), tuple(Mention.of(tokens) for tokens in entity))
        for number, entity in enumerate(entities)
    )
    return Document("d", sentences, rows, **fields)


def sentences(made, **options):
    text = render_document(convert_document(made), width=200, **options)
    return text.split("\n\n")[0].split("\n")[2:]


def test_nested_mentions_close_from_inside():
    made = document("a b c d e", [[0, 1, 2, 3], [4]], [[3], [1, 2, 3]], [[3], [0]])
    assert sentences(made) == ["[2 [1 a] [3 b c [3 [1 d]]]] [2 e]"]


def test_crossing_mentions_name_their_ends():
    made = document("a b c d", [[0, 1], [3]], [[1, 2], [3]])
    assert sentences(made)[0].startswith("[1 a [2 b]1 c]2")


def test_a_gap_has_dots():
    made = document("He took the house over .", [[1, 4], [0]])
    assert sentences(made) == ["[1 He] [1 took ...] the house [1 ... over] ."]


def test_a_mention_over_two_sentences_names_its_end():
    made = document("a b\nc d", [[1, 2], [3]])
    assert sentences(made) == ["a [1 b", "c]1 [1 d]"]


def test_mentions_of_one_are_listed_below():
    made = document("a b c", [[0], [2]], [[1]])
    text = render_document(convert_document(made))
    assert "[1 a] b [1 c]" in text
    assert text.endswith("1  a | c\nOnce: b")


def test_empty_nodes_are_shown_where_they_are_mentioned():
    made = document("_ llueve él _ .", [[0], [2], [3, 4]], empty=(0, 2, 3))
    assert sentences(made) == ["[1 ∅] llueve [1 ∅él] [1 ∅ .]"]
    alone = document("_ llueve", [[1]], empty=(0,))
    assert sentences(alone) == ["llueve"]


def test_brackets_of_the_text_are_not_those_of_mentions():
    made = document(r"[1 x] \[ y", [[0], [3]])
    assert sentences(made) == [r"[1 \[1] x\] \\\[ [1 y]"]


def test_hostile_text_is_shown_as_text():
    made = Document(
        "a\x1b[2Jb\n",
        (("\x1b[31m", "\u202e", "x\u2028", "\ud800", "two words"),),
        (Entity("1", (Mention(0, 0), Mention(1, 1))),),
    )
    text = render_document(convert_document(made))
    assert "\x1b" not in text
    assert all(line.isprintable() for line in text.split("\n"))
    text.encode("utf-8")


def test_tokens_without_words_are_numbers():
    (made,) = corefkit.read([[(0, 1), (3, 3)]])
    text = render_document(convert_document(made))
    assert "[1 0 1] 2 [1 3]" in text
    assert "no words" in text


def test_equal_mentions_are_counted():
    made = document("she a she she", [[0], [2], [3], [1]])
    assert "1  she (x3) | a" in render_document(convert_document(made))


def test_long_lists_say_what_they_leave_out():
    words = " ".join(f"word{number}" for number in range(500))
    made = document(words, [[number] for number in range(500)])
    text = render_document(convert_document(made), width=80)
    listing = text.split("\n\n")[1]
    shown = len(re.findall(r"word\d+", listing))
    assert f"| {500 - shown} more" in listing
    assert len(listing.split("\n")) == 5


def test_an_entity_called_like_the_bar_is_counted_once():
    made = document("| a " * 300 + "|", [[at] for at in range(601)])
    assert "1  | (x301) | a (x300)" in render_document(convert_document(made))


@pytest.mark.parametrize("path", paths())
@pytest.mark.parametrize("width", [40, 80])
def test_lines_keep_to_the_width_and_colours_change_nothing(path, width):
    for made in corefkit.read(path):
        shown = convert_document(made)
        plain = render_document(shown, width=width)
        painted = render_document(shown, width=width, colours=True)
        assert COLOUR.sub("", painted) == plain
        widths = [measure_width(line) for line in plain.split("\n")]
        assert max(widths) <= width
        for line in painted.split("\n"):
            assert line.count("\x1b[0m") * 2 == line.count("\x1b[")


def test_wide_letters_take_two_columns():
    made = document(" ".join(["漢字"] * 40), [[0], [5]])
    lines = render_document(convert_document(made), width=40).split("\n")
    assert max(map(measure_width, lines)) <= 40


def test_entities_keep_their_colours():
    made = document("a b", [[0], [1]])
    assert sentences(made, colours=True) == [
        "\x1b[34m[1 a]\x1b[0m \x1b[34m[1 b]\x1b[0m"
    ]


def test_twelve_entities_have_twelve_colours():
    # One entity of one mention stands before each of two.
    made = document(
        " ".join("w" * 36),
        *([[3 * at]] for at in range(12)),
        *([[3 * at + 1], [3 * at + 2]] for at in range(12)),
    )
    (line,) = sentences(made, colours=True)
    assert len(set(COLOUR.findall(line)) - {"\x1b[0m"}) == 12


spans = st.sets(st.integers(0, 11), min_size=1, max_size=5)


@given(st.lists(st.lists(spans, min_size=2, max_size=4), max_size=4))
def test_every_mention_can_be_read_back(entities):
    made = document("\n".join(["t t t t"] * 3), *entities)
    shown = convert_document(made)
    found = []
    open_parts = []
    token = 0
    for sentence in iter_bracketed(shown, set(shown.key)):
        for chunk in sentence:
            text = "".join(piece.text for piece in chunk)
            begins, ends = text.split("t")
            open_parts += [(int(number), token) for number in OPENING.findall(begins)]
            for name in CLOSING.findall(ends):
                # A name says which is closed, the innermost of that entity.
                place = next(
                    at
                    for at in reversed(range(len(open_parts)))
                    if not name or open_parts[at][0] == int(name)
                )
                entity, first = open_parts.pop(place)
                found.append((entity, first, token))
            token += 1
    assert open_parts == []
    parts = [
        (entity, part)
        for row, entity in zip(shown.spans, shown.key, strict=True)
        for part in row
    ]
    covered = [(entity, at) for entity, (i, j) in parts for at in range(i, j + 1)]
    again = [(entity, at) for entity, i, j in found for at in range(i, j + 1)]
    assert sorted(again) == sorted(covered)


def test_files_are_shown_whole():
    text = corefkit.entities_text(paths()[0], width=80)
    assert text.count("mentioned once") == 4
    page = corefkit.entities_html(paths()[0], title="<b>")
    assert "<title>&lt;b&gt;</title>" in page
    assert page == corefkit.entities_html(paths()[0], title="<b>")
