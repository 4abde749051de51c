"""Known answers of comparisons, and small corpora to compare on."""

from __future__ import annotations

import json

import pytest
from shared_files import SHARED

FOLDER = SHARED / "conformance" / "known" / "compare"
FILES = ("two-systems", "three-systems", "parts")


def known(name):
    """Read a file of known answers, or skip the test."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return json.loads(path.read_text("utf-8"))


def side(data, name):
    """Take the key or a system out of known answers: partitions by document."""
    return {document: sides[name] for document, sides in data["documents"].items()}


def systems(data):
    return {name: side(data, name) for name in data["systems"]}


def texts(data):
    """Map documents to texts, where a file has several documents in one."""
    if "units" not in data:
        return None
    return {
        document: f"text {number}"
        for number, documents in enumerate(data["units"])
        for document in documents
    }


# Letters of each document as token numbers, so that a file can hold them.
def spans(documents):
    return {
        name: [[(ord(letter) - 97,) * 2 for letter in entity] for entity in entities]
        for name, entities in documents.items()
    }


def json_lines(documents):
    """Write partitions of letters as a file of JSON lines."""
    return "".join(
        json.dumps({"doc_key": name, "clusters": clusters}) + "\n"
        for name, clusters in spans(documents).items()
    )
