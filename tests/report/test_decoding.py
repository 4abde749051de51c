"""What a browser decodes is what Python encode_reader."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from corpora import key_documents, response_documents
from reader_data import decoded
from shared_files import ROOT

import corefkit
from corefkit.example import paths
from corefkit.model import Document, Entity, Mention
from corefkit.report.reader_data import encode_reader

WEB = ROOT / "web"
BUILD = WEB / "node_modules" / ".bin" / "esbuild"
# Decodes data from standard input, and prints what is compared.
SCRIPT = """
import { readFileSync } from "node:fs";
import { decodeData } from "./src/data";
const data = decodeData(JSON.parse(readFileSync(0, "utf-8")));
const documents = data.ids.map((_, number) => data.document(number));
process.stdout.write(JSON.stringify(documents.map((document) => ({
  id: document.id,
  sentences: document.sentences,
  spans: document.spans.map((span) => span.parts),
  empty: [...document.empty],
  hasWords: document.hasWords,
  key: document.key.entityOf,
  responses: document.responses,
}))));
"""


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    """Build a program that decodes pages' data by the modules of the browser."""
    if shutil.which("node") is None or not BUILD.exists():
        pytest.skip("needs node and web/node_modules: run `npm ci` in web/")
    program = tmp_path_factory.mktemp("web") / "decode.mjs"
    options = ["--bundle", "--platform=node", "--format=esm", f"--outfile={program}"]
    subprocess.run(
        [BUILD, *options, "--log-level=warning"],
        input=SCRIPT,
        text=True,
        check=True,
        cwd=WEB,
    )
    return program


def gapped():
    words = (("The", "old", "", "mill  was", "<b>&\u2028"),)
    mentions = Mention.of([0, 3]), Mention.of([0, 1, 3]), Mention(0, 3), Mention(4, 4)
    key = Document(
        "<d>&\u2028\N{RIGHT-TO-LEFT OVERRIDE}", words, (Entity("1", mentions),)
    )
    return [key], {"A": [Document(key.id, words, (Entity("1", mentions[3:]),))]}


def zeros():
    key = key_documents(5)
    responses = {
        name: response_documents(key, seed)[seed:] for seed, name in enumerate("AB")
    }
    return key, responses


CASES = {
    "example": lambda: (paths()[0], list(paths()[1:])),
    "letters": lambda: (["abc", "de"], {"A": ["ab", "cd"], "B": ["xyz"]}),
    "far": lambda: ([[(0, 1), (10**9, 10**9)]], {"A": [[(0, 10**9)]]}),
    "gaps": gapped,
    "zeros": zeros,
}


@pytest.mark.parametrize(
    ("name", "match"), [*((name, "exact") for name in CASES), ("zeros", "head")]
)
def test_a_browser_decodes_what_was_encoded(decoder, name, match):
    report = corefkit.make_report(*CASES[name](), samples=10, match=match)
    done = subprocess.run(
        ["node", decoder],
        input=encode_reader(report.reader),
        text=True,
        encoding="utf-8",
        capture_output=True,
        check=True,
    )
    for found, expected in zip(json.loads(done.stdout), decoded(report), strict=True):
        assert found["id"] == expected.id
        assert found["sentences"] == expected.sentences
        assert found["spans"] == json.loads(json.dumps(expected.spans))
        assert found["empty"] == expected.empty
        assert found["hasWords"] == expected.has_words
        assert found["key"] == expected.key.entity_of
        for response, side in zip(found["responses"], expected.responses, strict=True):
            check_side(response, side)


def check_side(found, expected):
    assert found["entityOf"] == expected.entity_of
    assert found["keySpan"] == expected.key_span
    assert found["isMissing"] == expected.is_missing
    scores = [None if one is None else one / 100 for one in found["scores"]]
    assert scores == pytest.approx(expected.scores)
    for error, shown in zip(found["errors"], expected.errors, strict=True):
        fields = ("id", "kind", "type", "madeBy", "entity", "spans")
        known = shown.id, shown.kind, shown.type, shown.made_by, shown.entity
        assert [error[field] for field in fields] == [*known, shown.spans]
        if shown.link is not None:
            parts = [
                error["link"][name] for name in ("distance", "entitySize", "cause")
            ]
            assert parts == [*shown.link]
