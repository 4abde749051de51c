"""One reporter: the first error is raised in reading, all problems are kept else."""

from __future__ import annotations

import pytest

from corefkit.exceptions import FormatError
from corefkit.formats.bytefile import ByteFile
from corefkit.formats.faults import Faults, Problem
from corefkit.formats.kinds import LEFT_OUT, NESTED


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "key"
    path.write_bytes(b"one\ntwo\nthree\n")
    with ByteFile(path) as opened:
        yield opened


def test_reading_stops_at_the_first_error(file):
    faults = Faults(file)
    faults(1, "odd", kind=LEFT_OUT)
    faults.at(4, "odd", kind=NESTED)
    with pytest.raises(FormatError, match="bad") as error:
        faults(2, "bad", "mend it")
    assert (error.value.place, error.value.hint) == (f"{file.name}:2", "mend it")
    with pytest.raises(FormatError) as error:
        faults.at(9, "bad")
    assert error.value.place == f"{file.name}:3"
    assert faults.kept == []


def test_validating_keeps_all_in_the_order_of_lines(file):
    faults = Faults(file, [])
    faults.at(9, "third")
    faults(1, "first", kind=LEFT_OUT)
    faults.of("other")(2, "second", "mend it")
    assert faults.kept == [
        Problem(file.name, 1, "first", None, "warning", "left-out"),
        Problem("other", 2, "second", "mend it"),
        Problem(file.name, 3, "third"),
    ]


@pytest.mark.parametrize(
    ("earlier", "where"),
    [("e1", "twice in entity e1"), ("a\tb", r"in entity e1 and in entity 'a\tb'")],
)
def test_repeated_mention_names_both_entities(earlier, where):
    faults = Faults("key", [])
    faults.repeated_mention(7, "[0, 1]", "e1", earlier)
    (problem,) = faults.kept
    assert problem.message == f"mention [0, 1] is {where}"
    assert problem.severity == "warning"
