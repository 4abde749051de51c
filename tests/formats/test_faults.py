"""One reporter: the first error is raised in reading, all problems are kept else."""

from __future__ import annotations

import pytest
from raising import raises

from corefkit.exceptions import FormatError
from corefkit.formats.files import ByteFile
from corefkit.formats.problems import LEFT_OUT, NESTED, Faults, Problem


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "key"
    path.write_bytes(b"one\ntwo\nthree\n")
    with ByteFile(path) as opened:
        yield opened


def test_reading_stops_at_the_first_error(file):
    faults = Faults(file)
    faults(1, "odd", kind=LEFT_OUT)
    faults.report_at(4, "odd", kind=NESTED)
    with raises(FormatError, "format/malformed", place="key:2") as error:
        faults(2, "bad", "fix it")
    assert (error.value.place, error.value.hint) == (f"{file.name}:2", "fix it")
    with raises(FormatError, "format/malformed", place="key:3") as error:
        faults.report_at(9, "bad")
    assert error.value.place == f"{file.name}:3"
    assert faults.sorted_problems == []


def test_validation_keeps_all_problems_in_order(file):
    faults = Faults(file, [])
    faults.report_at(9, "third")
    faults(1, "first", kind=LEFT_OUT)
    faults.copy_for("other")(2, "second", "fix it")
    assert faults.sorted_problems == [
        Problem(
            *(file.name, 1, "first", None),
            *("warning", "left-out", "format/left-out"),
        ),
        Problem("other", 2, "second", "fix it"),
        Problem(file.name, 3, "third"),
    ]


@pytest.mark.parametrize(
    ("earlier", "where"),
    [("e1", "twice in entity e1"), ("a\tb", r"in entity e1 and in entity 'a\tb'")],
)
def test_repeated_mention_names_both_entities(earlier, where):
    faults = Faults("key", [])
    faults.report_repeated_mention(7, "[0, 1]", "e1", earlier)
    (problem,) = faults.sorted_problems
    assert problem.message == f"mention [0, 1] is {where}"
    assert problem.severity == "warning"
    assert (problem.kind, problem.code) == (
        "repeated-mention",
        "format/repeated-mention",
    )
