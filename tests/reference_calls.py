"""Ways to call the reference scorer, and its text in an order that does not change.

Perl goes through documents in an order that is another one in each run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from files import conll, corpus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LEA = "lea"
METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc", LEA, "all")
# Paths of scorer.pl: version 8.01, and its LEA branch, which alone has that metric.
SCORER = os.environ.get("COREFKIT_REFERENCE_SCORER", "")
LEA_SCORER = os.environ.get("COREFKIT_LEA_SCORER", "")
_KEPT = Path(__file__).parent / "data" / "reference_calls.json"


class Printed(NamedTuple):
    """What a call gave: its exit code, and its text in order."""

    code: int
    text: str


class Pair(NamedTuple):
    """A key and a response that are odd in some way."""

    key: str | bytes
    response: str | bytes


_PLAIN = corpus({"a": "(1) (1 1) (2) (2)", "b": "(1) (1) (2)"})
_OTHER = corpus({"a": "(1) (1 1) (2) (1)", "b": "(1) (2) (2)"})
# In one document: Perl would go through several in any order.
_TWICE = conll("(1)|(2) (1)|(2) (1)|(2) (1)")
_ONCE = conll("(1) (1) (1) (1)")

# Both scorers take these in the same way, whatever the metric.
PAIRS = {
    "plain": Pair(_PLAIN, _OTHER),
    "other order": Pair(_PLAIN, corpus({"b": "(1) (2) (2)", "a": "(1) (1 1) (2) (1)"})),
    "other documents": Pair(_PLAIN, corpus({"x": "(1) (1)"})),
    "missing document": Pair(_PLAIN, corpus({"b": "(1) (2) (2)"})),
    "no document": Pair(_PLAIN, "a\tb\t(1)\n"),
    "empty file": Pair(_PLAIN, ""),
    "empty key": Pair("", _PLAIN),
    "no mention": Pair(corpus({"a": "- - -"}), corpus({"a": "- - -"})),
    "document twice": Pair(
        corpus({"a": "(1) (1) (2)"}) + corpus({"a": "(1) (1) (1)"}),
        corpus({"a": "(1) (2) (2)"}) + corpus({"a": "(1) (1) (2)"}),
    ),
    "carriage returns": Pair(_PLAIN.replace("\n", "\r\n"), _OTHER),
    "blank columns": Pair(_PLAIN.replace("\t", "  "), _OTHER),
    "blank lines": Pair(_PLAIN.replace("d\t0\t1", " \t \nd\t0\t1"), _OTHER),
    "comments": Pair(_PLAIN.replace("d\t0\t1", "# note\nd\t0\t1"), _OTHER),
    "many columns": Pair(_PLAIN.replace("\tw", "\tw\tN\t_\t_\t0\t0\tSBJ\t_"), _OTHER),
    "no end": Pair(_PLAIN.replace("#end document\n", "", 1), _OTHER),
    "no last line end": Pair(_PLAIN.rstrip("\n"), _OTHER),
    "name with blanks": Pair(
        conll("(1) (1)", name="a  b "), conll("(1) (1)", name="a  b")
    ),
    "name with tab": Pair(*[conll("(1) (1)", name="a\tb")] * 2),
    "name with letters": Pair(*[conll("(1) (1)", name="été 日本")] * 2),
    "no name": Pair(*[conll("(1) (1)", name="")] * 2),
    "double antecedents": Pair(conll("(1+2) (1) (2+1)|(2)"), conll("(1) (1) (2)")),
    "open at the end": Pair(
        *[conll("(2) (2) (1", name="x").replace("#end document\n", "")] * 2
    ),
    "open before others": Pair(
        *[conll("(1 (2) (2)", name="x").replace("#end document\n", "")] * 2
    ),
    "repeated in the key": Pair(_TWICE, _ONCE),
    "repeated in both": Pair(_TWICE, _TWICE),
    "more than ten over metrics": Pair(_ONCE, _TWICE),
    "more than ten": Pair(conll("(1) " * 12), conll("(1)|(2) " * 11 + "(1)")),
    "ten": Pair(conll("(1) " * 12), conll("(1)|(2) " * 10 + "(1) (1)")),
}


def names_in(content: str) -> list[str]:
    """Name the documents of a key."""
    found = re.findall(r"^#begin document (.*?)\r?$", content, re.MULTILINE)
    return list(dict.fromkeys(found))


def filters(content: str) -> Iterator[tuple[str, ...]]:
    """Go through what may stand behind the files: nothing, `none`, documents."""
    names = names_in(content)
    yield ()
    yield ("none",)
    for name in [*names, "no such document", ""]:
        yield (name,)
    yield (*names, "none")


def find_scorer(metric: str) -> str:
    """Return the path of the scorer of a metric; empty if it cannot be run here."""
    path = LEA_SCORER if metric == LEA else SCORER
    return path if shutil.which("perl") else ""


def printed_by_scorer(*words: str) -> Printed:
    """Run the reference scorer."""
    command = ["perl", find_scorer(words[0]), *words]
    done = subprocess.run(command, capture_output=True, check=False)
    return Printed(done.returncode, in_order(done.stdout.decode("utf-8")))


def in_order(text: str) -> str:
    """Sort what each metric has of documents; the version line is left out.

    >>> one, two = (f"====> {name}:\\n====> {name}:\\nx\\n" for name in "ab")
    >>> ends = "\\n====== TOTALS =======\\n"
    >>> in_order(f"v\\n{one}{two}{ends}") == in_order(f"w\\n{two}{one}{ends}")
    True
    """
    parts = re.split(r"(\n====== TOTALS =======\n)", text.partition("\n")[2])
    return "".join(map(_sorted_documents, parts))


def _sorted_documents(text: str) -> str:
    # A document is read twice: from the key, and from the response.
    head, *reads = re.split(r"(?m)^(?=====> )", text)
    pairs = zip(reads[::2], reads[1::2], strict=True)
    return head + "".join(sorted(one + other for one, other in pairs))


def digest(printed: Sequence[Printed]) -> str:
    """Shorten what calls gave to what tells it apart."""
    texts = [f"{code}\n{text}" for code, text in printed]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def kept(case: str, metric: str) -> str:
    """Look up what the reference scorer itself gave."""
    found: str = json.loads(_KEPT.read_text("utf-8"))[case][metric]
    return found


def keep(case: str, metric: str, found: str) -> None:
    """Write down what the reference scorer gives; one process may do it at a time."""
    all_kept = json.loads(_KEPT.read_text("utf-8"))
    all_kept.setdefault(case, {})[metric] = found
    _KEPT.write_text(json.dumps(all_kept, indent=1, sort_keys=True) + "\n", "utf-8")
