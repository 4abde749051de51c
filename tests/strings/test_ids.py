"""Ids of documents, and names of files made of them or read as them."""

from __future__ import annotations

import pytest

from corefkit.strings import get_base_name, get_stem, normalize_id


@pytest.mark.parametrize(
    ("document_id", "canonical"),
    [
        ("(bc/cctv/00/cctv_0001); part 000", "bc/cctv/00/cctv_0001_0"),
        ("(bc/cctv/00/cctv_0001); part 012", "bc/cctv/00/cctv_0001_12"),
        ("bc/cctv/00/cctv_0001_12", "bc/cctv/00/cctv_0001_12"),
        ("(a);", "a"),
        ("(a)", "a"),
        ("  a ", "a"),
        ("((a)); part 1", "(a)_1"),
        ("(a); part x", "(a); part x"),
    ],
)
def test_normalized_id_joins_document_and_part(document_id, canonical):
    assert normalize_id(document_id) == canonical


def test_only_the_last_suffix_is_removed():
    assert get_stem("a/story.tsv.ann") == "story.tsv"


@pytest.mark.parametrize(
    ("name", "bare"),
    [("a/b.muc", "b"), ("b.x.MUC.gz", "b.x"), ("b.txt", "b.txt"), (".muc", ".muc")],
)
def test_base_name_has_no_known_suffix(name, bare):
    assert get_base_name(name, ".muc") == bare


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("x.tbf.xml", "x"),
        ("x.xml", "x"),
        ("x.tbf.xml.gz", "x"),
        ("x.XML", "x"),
        ("x", "x"),
        (".xml", ".xml"),
    ],
)
def test_base_name_removes_the_longest_suffix(name, bare):
    assert get_base_name(name, ".tbf.xml", ".xml") == bare
