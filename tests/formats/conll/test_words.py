"""Words of CoNLL-2012 read without entities equal those of the document."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from files import written

from corefkit.formats import open_source

WIDE = "d\t0\t{}\t{}\tNN\t(NP*)\t-\t-\t-\t-\t*\t{}\n"
LINES = (
    WIDE.format(0, "Ann", "(1)"),
    WIDE.format(1, "ging", "-"),
    "\n\n",
    WIDE.format(0, "Sie", "(1)"),
)
PLAIN = "".join(LINES)
BODIES = {
    "plain": PLAIN.encode(),
    "blanks before, between and behind": f"\n \n{PLAIN}\n\n".encode(),
    "spaces": PLAIN.replace("\t", "   ").encode(),
    "CRLF": PLAIN.replace("\n", "\r\n").encode(),
    "a comment": f"# text\n{PLAIN}".encode(),
    "a comment behind blanks": f"{PLAIN}  # text with some more of words\n".encode(),
    "a word that looks like one": PLAIN.replace("ging", "#").encode(),
    "control characters": PLAIN.replace("Ann\t", "Ann\x01").encode(),
    "no-break spaces": PLAIN.replace("ging", "a\u00a0b\u2028c\u0085d").encode(),
    "not UTF-8": PLAIN.replace("Ann", "\xe4").encode("latin-1"),
    "few columns": b"d 0 0 (1)\nd 0 1 -\n",
    "few columns in one line": PLAIN.encode() + b"d 0 1 -\n",
    "more columns in one line": PLAIN.encode() + b"d 0 1 rief VB * - - - - - * - -\n",
    "no numbers": PLAIN.replace("\t0\t0", "\t0\tx").encode(),
    "nothing": b"",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_text_equals_the_text_of_the_document(body, tmp_path):
    path = tmp_path / "file.conll"
    path.write_bytes(b"#begin document (d);\n" + body + b"#end document\n")
    for place in (path, tmp_path):
        with closing(open_source(place, format="conll")) as source:
            document, words = source.read_document(0), source.read_text(0)
            assert not source.may_have_mention_types(0)
        assert words == replace(document, entities=())


def test_plain_documents_have_words_and_layers(tmp_path):
    text = f"#begin document (d);\n{PLAIN}#end document\n"
    with closing(open_source(written(tmp_path / "file.conll", text))) as source:
        words = source.read_text(0)
    assert words.sentences == (("Ann", "ging"), ("Sie",))
    assert words.layers == {"xpos": ("NN",) * 3, "parse": ("(NP*)",) * 3}
