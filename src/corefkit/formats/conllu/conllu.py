"""CoNLL-U with the coreference annotation of CorefUD and GUM in its last column.

Lines and columns:

1.  `# newdoc` or `# newdoc id = X` begins a document, and the comments right above it
    are part of it. One without id is named by its number in the file. What stands
    before the first of them is a document if it has sentences, and is named by its
    number too. A file without any is one document, named by the file's name.
2.  A line that starts with `#` is a comment. A line of nothing but blanks and tabs ends
    a sentence. Every other line has ten columns, separated by tabs: ID, FORM, LEMMA,
    UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC.
3.  The ID `n` is a word; words count 1, 2, 3 ... in their sentence. `n.k` is an empty
    node, the k-th behind word n; a wrong `n.k` is reported and does no harm. Both are
    tokens and are numbered through the document from 0. `n-m` is no token: the line is
    kept as it is in layer `mwt`, on the word that follows.
4.  FORM is the word, as it is. The other columns are layers; an empty cell counts as
    `_`, and a layer of nothing but `_` is left out. Layer `misc` is MISC without the
    items `Entity`, `Bridge`, `SplitAnte` and `Split`.
5.  Comments are kept by sentence, all but `newdoc` and `global.Entity`.

Entities:

6.  `# global.Entity = eid-etype-head-other` names the values of an opening bracket, and
    holds until the next such line, in later documents too. `eid` or `GRP` is the
    entity's id, `etype` or `entity` the attribute `type`; `head` and `minspan` see rule
    11; every other field, `other` included, is an attribute by its own name.
7.  `Entity=` holds brackets in a row: `(id-value-value` opens a mention, `id)` closes
    the one that was opened last with this id, `(id-value-value)` is a mention of one
    token. Trailing values may be missing, and empty values are no attributes. Mentions
    may nest, cross and go over the end of a sentence, and all close in their document.
8.  `(e5[1/2]-person` opens part 1 of a mention of 2 parts, and `e5[1/2])` closes that
    part. Part i goes with the mention that waits for it; of several that do, with the
    one that began last. All parts write the number of parts alike (`2` is not `02`).
    The values of the first part count. Parts that touch make no gap.
9.  Ids and values may hold `%2D` for a hyphen, likewise `%28 %29 %7C %20 %09 %0A %0D`
    and `%25` for brackets, bar, blank, tab, line ends and per cent; ids also `%2C %3A
    %3C %5B %5D` for comma, colon, less-than and square brackets. Names of fields may
    hold any character of ASCII that way. Other codes are left as they are.
10. Entities stand in the order in which their first brackets open, and so do the
    mentions of an entity. Under an id that begins with `NOCOREF` every mention is an
    entity of its own; from the second on `#2`, `#3` ... is put behind the id.
11. `head` is a position among the mention's tokens, from 1, gaps not counted; `minspan`
    is a list of them, with commas: the first and last are the minimum. The head is the
    one that `head` says; without such a field, the first that `minspan` lists; where
    there is no value, the first word of the mention whose HEAD is not the ID of a token
    of the mention in the same sentence. Failing that it is the first word, and in a
    mention of nothing but empty nodes the first node.
12. `SplitAnte=e3<e7,e4<e7`, or `Split=`, says that e3 and e4 together are the split
    antecedent of e7. `Bridge=e12<e5:subset` says that the mention of e5 which opens at
    this token, the first if several do, bridges to e12; `:subset` may be missing.

Refused are other numbers of columns, wrong IDs of words, `Entity` with no fields named
before, fields without an id, brackets without id or partner, text without brackets,
more values than fields, parts that are missing or out of order, positions outside the
mention, bridges whose mention does not open there, and bytes that are not UTF-8. Only
reported are links that cannot be read or name an unknown entity (an unknown antecedent
is kept, a link of an unknown anaphor is left out), mentions inside another mention of
their entity, entities of several types, and `Entity` on a line `n-m`.

Written are the fields `eid-etype-head`, `minspan` where a mention has a minimum, and
the names of all other attributes.
"""

from __future__ import annotations

import re
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from corefkit.formats import base
from corefkit.formats.conllu.codes import COLUMNS, DECLARATION, LAYERS, NEWDOC
from corefkit.formats.conllu.rows import ConlluExtent, parse
from corefkit.formats.conllu.whole import ConlluSource
from corefkit.formats.conllu.writing import conllu_text
from corefkit.formats.documents import document_problems
from corefkit.strings.ids import file_stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_FIRST_ID = re.compile(rb"(?:1|1-(?!1\t)[0-9]+|0\.1)\t")
_USUAL_COMMENT = re.compile(rb"#[ \t]*(?:newdoc|newpar|sent_id|text|global\.Entity)\b")
_OTHER_FORMAT = re.compile(rb"#[ \t]*(?:begin document|global\.columns)\b")
_MARK = re.compile(rb"\n(#[ \t]*(?:newdoc|global\.Entity)[^\n]*)")


def recognise(head: bytes) -> bool:
    r"""Return whether the first bytes of a file look like CoNLL-U.

    >>> recognise(b"1\tAnn" + b"\t_" * 8), recognise(b"1\tAnn\t(7)")
    (True, False)
    """
    usual = False
    for line in head.split(b"\n"):
        if line.startswith(b"#"):
            if _OTHER_FORMAT.match(line):
                return False
            usual = usual or _USUAL_COMMENT.match(line) is not None
        elif line.strip():
            # After the usual comments a line with fewer columns is broken; one with
            # more belongs to one of the formats that add some.
            more = line.count(b"\t") + 1 - COLUMNS
            if usual:
                return more <= 0
            return more == 0 and _FIRST_ID.match(line) is not None
    return usual


def extents(file: ByteFile, faults: Faults) -> Iterator[ConlluExtent]:
    """Find the documents of a file, without reading their content."""
    del faults  # nothing around documents can be wrong
    begins: list[tuple[int, str, str | None]] = []
    declared = None
    floor = file.text_start
    for offset, line in _marks(file):
        if match := DECLARATION.fullmatch(line):
            declared = match[1]
        elif match := NEWDOC.fullmatch(line):
            start = _comments_start(file, offset, floor)
            begins.append((start, match[1] or "", declared))
            floor = offset + 1
    first = begins[0][0] if begins else file.size
    if _has_tokens(file, file.text_start, first):
        name = "" if begins else file_stem(file.name)
        begins.insert(0, (file.text_start, name, None))
    stretches = pairwise([*begins, (file.size, "", None)])
    for number, ((start, name, before), (end, *_)) in enumerate(stretches, 1):
        extent = ConlluExtent(name.strip() or str(number), start, end)
        extent.declared = before
        yield extent


def _marks(file: ByteFile) -> Iterator[tuple[int, str]]:
    """Yield the comments that may begin a document or name fields, by offset."""
    start = file.text_start
    for block in file.blocks(start, file.size):
        for match in _MARK.finditer(b"\n" + block):
            line = match[1].rstrip(b"\r")
            yield start + match.start(), line.decode("utf-8", "replace")
        start += len(block)


def _comments_start(file: ByteFile, offset: int, floor: int) -> int:
    """Go back from a comment to the first of those right above it."""
    size = 1 << 12
    while True:
        start = max(floor, offset - size)
        *lines, _ = file.read(start, offset).split(b"\n")
        above = list(takewhile(lambda line: line[:1] == b"#", reversed(lines)))
        # The first line may begin further up.
        if start == floor or len(above) < len(lines) - 1:
            return offset - sum(len(line) + 1 for line in above)
        size *= 4


def _has_tokens(file: ByteFile, start: int, end: int) -> bool:
    return any(
        line.strip(b" \t") and not line.startswith(b"#")
        for _, line in file.lines(start, end)
    )


# Entities always refer, and a bracket closes the last one opened for its entity.
WRITER = base.Writer(
    alters=base.LINE_MARKS,
    carries=frozenset(base.EVERYTHING) - {base.NON_REFERRING, base.CROSSING_ITS_OWN},
    layers=frozenset({*LAYERS, "mwt"}),
    text=conllu_text,
)
READER = base.Reader(
    open=lambda file, _response, _reference: ConlluSource(file, extents),
    problems=lambda file: document_problems(file, extents, parse),
)
