"""What the fuzz job begins with: documents with all that formats can hold, as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cases import STEM, load

import corefkit
from corefkit.example import paths
from corefkit.exceptions import FormatError
from corefkit.formats import FORMATS, detect_format
from corefkit.formats.files import ByteFile
from corefkit.formats.output import write
from corefkit.model import Bridge, Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cases import Case

_SAMPLES = Path(__file__).resolve().parents[2] / "shared" / "data" / "formats"
_LARGEST = 1 << 15


def _cells(text: str) -> tuple[str, ...]:
    return tuple(text.split())


PLAIN = Document(
    "(tales/mill); part 002",
    (("The", "miller", "'s", "son", "left", "."), ("He", "took", "his", "cat", ".")),
    (
        Entity("7", (Mention(0, 3), Mention(6, 6), Mention(8, 8))),
        Entity("12", (Mention(0, 2),)),
        Entity("3", (Mention(8, 9), Mention(3, 6))),  # crosses a mention
        Entity("0", (Mention(0, 3),)),  # is there before
    ),
)

RICH = Document(
    "mill",
    (
        ("Ann", "and", "Bo", "said", "_", "rains"),
        ("They", "_", "closed", "the", "door"),
    ),
    (
        Entity("e1", (Mention(0, 0, head=0, attributes={"type": "person"}),)),
        Entity("e2", (Mention(2, 2, head=2, attributes={"type": "person"}),)),
        Entity(
            "e3",
            (
                Mention(0, 2, ((1, 1),), 0, (0, 0), {"type": "person", "kind": "a-b"}),
                Mention(6, 6, (), 6, (6, 6), {"mention_type": "PRO"}),
                Mention(7, 7),
            ),
            split=("e1", "e2"),
        ),
        Entity("e4", (Mention(4, 4),), referring=False),
        Entity("e5", (Mention(9, 10, (), 10, (10, 10), {"type": "thing"}),)),
        Entity("e6", (Mention(2, 6), Mention(5, 8), Mention(3, 10, ((4, 5), (7, 8))))),
    ),
    empty=(4, 7),
    bridges=(Bridge(Mention(9, 10), "e3", Mention(6, 6), "part"),),
    layers={
        "lemma": _cells("Ann and Bo say _ rain they _ close the door"),
        "upos": _cells("PROPN CCONJ PROPN VERB PRON VERB PRON PRON VERB DET X"),
        "head": _cells("4 3 1 0 _ 4 3 _ 0 5 3"),
        "deps": _cells("4:a 3:b 1:c 0:root 4:e 4:f 3:g 2:nsubj 0:h 5:i 3:j"),
        "misc": _cells("_ _ _ SpaceAfter=No _ _ _ _ A=b|C=d _ _"),
    },
    comments=(("sent_id = 1", "text = Ann and Bo said rains"), ("sent_id = 2",)),
)

ODD_WORDS = (
    *(
        "(",
        "a|b)",
        "<i>",
        "&amp;",
        '"',
        "x y",
        "\u00a0",
        "e\u0301",
        "\U0001f600",
        "漢字",
    ),
    *(
        "-LRB-",
        "*PRO*",
        "0",
        "_",
        "#1",
        "a\\b",
        "{",
        "'",
        "\u2028",
        "%28",
        "\ufeff",
        "1",
    ),
)
ODD = Document(
    "a b/<c> (d); e",
    (ODD_WORDS, ("-", "*", "\x85", "x\u200b")),
    (
        Entity("é (1)|", (Mention(0, 0), Mention(0, 25))),
        Entity("", (Mention(4, 9, attributes={"my <key>": 'a "b" | c=d\\'}),)),
        Entity("1-2[1/2]", (Mention(22, 22, attributes={"type": "x-y z"}),)),
        Entity("9" * 30, (Mention(25, 25),)),
    ),
)


WORDLESS = Document("bare", (), (Entity("1", (Mention(0, 4), Mention(2, 2))),))
EMPTY = Document("none", (("Nobody", "spoke"),), ())

# Ways to write that the writers do not use.
_BY_HAND: dict[str, tuple[str, ...]] = {
    "conll": (
        "#begin document (a); part 000\na 0 0 Ann NNP (1)\n\n# x\n"
        "a 0 1 her - (2(1)\na 0 2 cat - 2)\n\n#end document\n",
        "#begin document x\n(1\n-\n1)\n#end document\n",
    ),
    "conllu": (
        "# newdoc id = a\n# global.Entity = GRP-entity-minspan-link\n"
        "1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tvamos\tir\tVERB\t_\t_\t0\troot\t_\tEntity=(1-event-1\n"
        "2\tnos\t_\tPRON\t_\t_\t1\tobj\t_\tEntity=(2-person-1-x)1)|Bridge=1<2:part\n"
        "2.1\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=(2-person)|SplitAnte=1<2\n\n",
    ),
    "jsonl": (
        '{"doc_key": "a", "sentences": [["A", "b"], ["c"]], "clusters": [[[0, 1]]], '
        '"predicted_clusters": [[[2, 2]]], "speakers": [["x", "y"], ["z"]]}\n'
        '{"clusters": [[], [[0, 0], [0, 0]]], "doc_key": "\\u00e9\\ud83d\\ude00"}\n',
    ),
    "semeval": (
        "#begin document a\n0\tAnn\t(person-7-Ann%20B\n1\tB.\tperson-7)\n\n"
        "0\tShe\t(person-7)\n#end document a\n",
        "#begin document b\n1\t(1\n2\t_\n3\t1)|(2)\n\n1\t(1)\n#end document b\n",
    ),
    "ua": (
        "# newdoc id = a\n1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m1|Min=1) _\n"
        "2 her _ _ _ _ _ _ _ _ (EntityID=2|MarkableID=m2@(EntityID=1|ElementOf=2) _\n"
        "3 door _ _ _ _ _ _ _ _ m2) (MarkableID=m2|EntityAnchor=1|Rel=poss) _ _ _\n",
    ),
    "muc": (
        '<DOC>\n<DOCNO> a </DOCNO>\n<TEXT>\n<p>\n<COREF ID="1" MIN="B.">B. C.</COREF> '
        'lost <COREF ID=2 TYPE="IDENT" REF="1" STATUS="OPT">her</COREF> cat &amp; '
        "hat.\n</TEXT>\n</DOC>\n",
    ),
    "ontonotes": (
        '<DOC DOCNO="a@b@c">\n<TEXT PARTNO="000">\n<COREF ID="1" TYPE="APPOS" '
        'SUBTYPE="HEAD"><COREF ID="2" TYPE="IDENT" S_OFF="1">pre-Ann</COREF></COREF> '
        "*PRO*-1 0 left -AMP- ran\n</TEXT>\n</DOC>\n",
    ),
    "webanno": (
        "#FORMAT=WebAnno TSV 3.3\n#T_CH=x.CoreferenceLink|referenceType|"
        "referenceRelation\n\n\n#Text=Ann left\n1-1\t0-3\tAnn\tperson[1]\t*->1-1\t\n"
        "1-2\t4-8\tleft\t_\t_\t\n\n#Text=She ran\n2-1\t9-12\tShe\tperson\tx->1-2\t\n",
    ),
    "tsv": (
        "document,entity,mention\na,1,m1\na,1,m2\na,2,m3\n",
        'document\tentity\tstart\tend\n"a ""b"""\t1\t0\t3\na\tx\t1\t1\n',
    ),
}


def seeds(name: str, folder: Path) -> list[Case]:
    """Write documents in a format, and take what else there is of it.

    Args:
        name: the format.
        folder: an empty folder to write to.
    """
    return [
        *_written(name, folder),
        *_by_hand(name),
        *_samples(name),
    ]


def _written(name: str, folder: Path) -> Iterator[Case]:
    example = corefkit.read(paths()[0])
    groups = [[one] for one in (PLAIN, RICH, ODD, WORDLESS, EMPTY, *example)]
    if FORMATS[name].writer.files is None:
        groups.append([PLAIN, WORDLESS, RICH])
    for number, group in enumerate(groups):
        home = folder / str(number)
        home.mkdir()
        write(group, home / f"{STEM}{FORMATS[name].suffixes[0]}", format=name)
        yield load(home)


def _by_hand(name: str) -> Iterator[Case]:
    ending = FORMATS[name].suffixes[0]
    for text in _BY_HAND.get(name, ()):
        yield {ending: text.encode()}


def _samples(name: str) -> Iterator[Case]:
    """Iterate over the small samples next to the project, if they are there."""
    for path in sorted(_SAMPLES.rglob("*")) if _SAMPLES.exists() else ():
        if not path.is_file() or path.stat().st_size > _LARGEST:
            continue
        try:
            with ByteFile(path) as file:
                if detect_format(file, name).name != name:
                    continue
                if not FORMATS[name].recognise(file.read(0, _LARGEST)):
                    continue
        except FormatError:
            continue
        yield _with_companions(path, FORMATS[name].suffixes[0])


def _with_companions(path: Path, ending: str) -> Case:
    case = {ending: path.read_bytes()}
    stem = path.name.removesuffix(ending).partition(".tsv")[0].removesuffix(".ann")
    for other in (".txt", ".sgm"):
        beside = path.with_name(stem + other)
        if beside != path and beside.exists():
            case[other] = beside.read_bytes()
    return case
