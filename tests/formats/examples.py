"""An example file of each format, with most of its annotation.

`EXAMPLES` has the files of each format by their names: the one that is read last, texts
that belong to it before it. Formats without a text here are written by corefkit.
"""

from __future__ import annotations

import json
import tempfile
from itertools import chain
from pathlib import Path
from typing import Any

from formats.laws import NEWS

from corefkit.formats import FORMATS
from corefkit.formats.output import write

APF_TEXT = """\
<DOC>
<DOCID> harbour </DOCID>
<DOCTYPE SOURCE="newswire"> NEWS STORY </DOCTYPE>
<BODY>
<TEXT>
Mayor Ann Berg of Hill &amp; Co left.
She slept
early.
</TEXT>
</BODY>
</DOC>
"""
APF = """\
<?xml version="1.0"?>
<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">
<source_file URI="harbour.sgm" SOURCE="newswire" TYPE="text" VERSION="5.0">
<document DOCID="harbour">
<entity ID="E1" TYPE="PER" SUBTYPE="Individual" CLASS="SPC">
<entity_mention ID="m" TYPE="NAM" ROLE="PER">
<extent><charseq START="26" END="39">Mayor Ann Berg</charseq></extent>
<head><charseq START="32" END="39">Ann Berg</charseq></head>
</entity_mention>
<entity_mention ID="m" TYPE="PRO" LDCTYPE="">
<extent><charseq START="64" END="66">She</charseq></extent>
</entity_mention>
</entity>
<entity ID="E2">
<entity_mention ID="m" >
<extent><charseq START="44" END="56">Hill &amp; Co</charseq></extent>
</entity_mention>
</entity>
</document>
</source_file>
"""
ECB = """\
<Document doc_name="7_2ecbplus.xml" doc_id="DOC1">
<token t_id="1" sentence="0" number="0">Ann</token>
<token t_id="2" sentence="0" number="1">set</token>
<token t_id="3" sentence="0" number="2">it</token>
<token t_id="4" sentence="0" number="3">up</token>
<token t_id="5" sentence="1" number="0">Then</token>
<token t_id="6" sentence="1" number="1">she</token>
<token t_id="7" sentence="1" number="2">left</token>
<Markables>
<ACTION_OCCURRENCE m_id="1" note="byHand" >
  <token_anchor t_id="4"/>
  <token_anchor t_id="2"/>
</ACTION_OCCURRENCE>
<HUMAN_PART_PER m_id="2" comment="" >
  <token_anchor t_id="1"/>
</HUMAN_PART_PER>
<HUMAN_PART_PER m_id="3">
  <token_anchor t_id="6"/>
</HUMAN_PART_PER>
<NON_HUMAN_PART m_id="4">
  <token_anchor t_id="3"/>
</NON_HUMAN_PART>
<ACTION_OCCURRENCE m_id="7">
  <token_anchor t_id="7"/>
</ACTION_OCCURRENCE>
<HUMAN_PART_PER m_id="8" RELATED_TO="" TAG_DESCRIPTOR="ann" instance_id="HUM17" />
<ACTION_OCCURRENCE m_id="9" RELATED_TO="" TAG_DESCRIPTOR="set" />
</Markables>
<Relations>
<CROSS_DOC_COREF r_id="40" note="HUM17" >
  <source m_id="3" />
  <source m_id="2" />
  <target m_id="8" />
</CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="41" >
  <source m_id="1" />
  <target m_id="9" />
</INTRA_DOC_COREF>
<PLOT_LINK r_id="42"><source m_id="1"/><target m_id="7"/></PLOT_LINK>
</Relations>
</Document>
"""
ANCORA = """\
<?xml version="1.0" encoding="UTF-8"?>
<article lng="es">
  <sentence>
    <sn entity="entity1" entityref="ne" ne="person" func="suj">
      <spec><d lem="el" pos="da0fs0" wd="La"/></spec>
      <grup.nom>
        <n lem="alcaldesa" pos="ncfs000" gen="f" wd="alcaldesa"/>
        <sp>
          <prep><s lem="de" pos="sps00" wd="de"/></prep>
          <sn entityref="ne" ne="location">
            <grup.nom>
              <n lem="Vila_Nova" pos="np0000l" ne="location" wd="Vila_Nova"/>
            </grup.nom>
          </sn>
        </sp>
      </grup.nom>
    </sn>
    <grup.verb><v lem="vender" pos="vmis3s0" wd="vendió"/></grup.verb>
    <sn entityref="nne">
      <spec>
        <d entity="entity1" coreftype="ident" lem="su" pos="dp" gen="c" wd="su"/>
      </spec>
      <grup.nom><n lem="barco" pos="ncms000" wd="barco"/></grup.nom>
    </sn>
    <f lem="." pos="fp" wd="."/>
  </sentence>
  <sentence>
    <S>
      <sn coreftype="ident" elliptic="yes" entity="entity1" entityref="spec" tem="agt"/>
      <grup.verb><v lem="ser" pos="vsis3s0" wd="Era"/></grup.verb>
      <sn entity="entity1" coreftype="pred">
        <grup.nom><p lem="ese" pos="pd" wd="esa"/></grup.nom>
      </sn>
    </S>
    <sn missing="yes" arg="arg1"/>
    <f lem="." pos="fp" wd="."/>
  </sentence>
</article>
"""
BRAT_TEXT = "Ann's aunt left.\nShe, said Ann, ran home.\n"
BRAT = (
    "T1\tPerson 0 3\tAnn\n"
    "T2\tPerson 0 10\tAnn's aunt\n"
    "T3\tPerson 17 20\tShe\n"
    "T4\tPerson 27 30\tAnn\n"
    "*\tCoref T2 T3\n"
    "R1\tCoref Arg1:T4 Arg2:T1\n"
)
LITBANK_TEXT = "Ann 's aunt left .\nShe ran home , a barn .\n"
LITBANK = (
    "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP\n"
    "MENTION\tT4\t0\t0\t0\t2\tAnn 's aunt\tPER\tNOM\n"
    "MENTION\tT2\t1\t0\t1\t0\tShe\tPER\tPRON\n"
    "MENTION\tT3\t1\t2\t1\t2\thome\tFAC\tNOM\n"
    "MENTION\tT5\t1\t4\t1\t5\ta barn\tFAC\tNOM\n"
    "COREF\tT1\tAnn-0\n"
    "COREF\tT4\tThe aunt-1\n"
    "COREF\tT2\tThe aunt-1\n"
    "COREF\tT3\thome-2\n"
    "APPOS\tT5\tT3\n"
)
WEBANNO_HEADER = (
    "#FORMAT=WebAnno TSV 3.2\n"
    "#T_SP=webanno.custom.Referent|entity|infstat\n"
    "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n\n"
)
WEBANNO = WEBANNO_HEADER + (
    "#Text=Ann saw the barn door .\n"
    "1-1\t0-3\tAnn\tperson\tnew\tana\t2-1[4_0]\t\n"
    "1-2\t4-7\tsaw\t_\t_\t_\t_\t\n"
    "1-3\t8-11\tthe\tobject[2]\tnew[2]\t_\t_\t\n"
    "1-4\t12-16\tbarn\tobject[2]|place[3]\tnew[2]|*[3]\tcoref\t2-3[5_3]\t\n"
    "1-5\t17-21\tdoor\tobject[2]\tnew[2]\t_\t_\t\n"
    "1-6\t22-23\t.\t_\t_\t_\t_\t\n"
    "\n"
    "#Text=She entered it .\n"
    "2-1\t24-27\tShe\tperson[4]|person[6]\tgiv[4]|giv[6]\t_\t_\t\n"
    "2-2\t28-35\tentered\t_\t_\t_\t_\t\n"
    "2-3\t36-38\tit\tplace[5]\tgiv[5]\t_\t_\t\n"
    "2-4\t39-40\t.\t_\t_\t_\t_\t\n"
)
MUC = """\
<DOC>
<DOCID> zoo-1 </DOCID>
<STORYID cat=a> A1 </STORYID>
<TXT>
<p>
<s> <COREF ID="1" MIN="keeper">The keeper of <COREF ID="2">the zoo</COREF></COREF> said
<COREF ID="3" TYPE="IDENT" REF="1">he</COREF>'d call. </s>
<s> <COREF ID="4" TYPE="IDENT" REF="3" STATUS="OPT">He</COREF> did &amp; left. </s>
</p>
</TXT>
</DOC>
"""
ONTONOTES = """\
<DOC DOCNO="bn/zoo/00/zoo_0001@0001@zoo@bn@en@on">
<TEXT PARTNO="000">
<COREF ID="3" TYPE="IDENT">The keeper of <COREF ID="5" TYPE="IDENT">the zoo</COREF> \
</COREF> said 0 <COREF ID="3" TYPE="IDENT">he</COREF> wants \
<COREF ID="3" TYPE="IDENT">*PRO*-1</COREF> to call .
<COREF ID="8" TYPE="APPOS" SUBTYPE="HEAD">Ann</COREF> , \
<COREF ID="8" TYPE="APPOS" SUBTYPE="ATTRIB">a vet</COREF> , left \
<COREF ID="5" TYPE="IDENT" E_OFF="6">zoo-bound</COREF> .
</TEXT>
<TEXT PARTNO="001">
R-AMP-D -LRB- <COREF ID="3" TYPE="IDENT">here</COREF> -RRB-
</TEXT>
</DOC>
"""
CONLLU = (
    "# newdoc id = d\n"
    "# global.Entity = eid-etype-head-other\n"
    "1\tw\t_\t_\t_\t_\t2\t_\t_\tEntity=(e1-person-2-x:y\n"
    "2\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=e1)(e2\n"
    "3\tw\t_\t_\t_\t_\t1\t_\t_\tEntity=e2)\n"
    "\n"
    "# newdoc id = e\n"
    "1-2\tw\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tw\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tw\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|Entity=(e1)\n"
    "2.1\tw\t_\t_\t_\t_\t_\t_\t1:x\tBridge=e1<e3:part|Entity=(e3[1/2])\n"
    "3\tw\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2)|SplitAnte=e1<e2,e3<e2\n"
    "4\tw\t_\t_\t_\t_\t_\t_\t_\tEntity=(e3[2/2])\n"
)
DEMOCRAT = (
    "#begin document (d); part 000\n"
    "1\tAnne\tAnne\tPROPN\t_\t_\t2\t_\t_\t_\t_\t0\t(PER)\t(PER)\t(1)\n"
    "2\thabite\thabiter\tVERB\t_\t_\t0\t_\t_\t_\t_\t0\t*\t*\t_\n"
    "3\tune\tun\tDET\t_\t_\t4\t_\t_\t_\t_\t0\t*\t*\t(2\n"
    "4\tmaison\tmaison\tNOUN\t_\t_\t2\t_\t_\t_\t_\t0\t*\t*\t_\n"
    "5-6\tdu\t_\t_\t_\t_\t_\t_\t_\t_\t_\t0\t*\t*\t_\n"
    "5\tde\tde\tADP\t_\t_\t7\t_\t_\t_\t_\t0\t*\t*\t_\n"
    "6\tle\tle\tDET\t_\t_\t7\t_\t_\t_\t_\t0\t*\t*\t(3\n"
    "7\tport\tport\tNOUN\t_\t_\t4\t_\t_\t_\t_\t0\t(LOC\t(LOC\t_\n"
    "8\tde\tde\tADP\t_\t_\t9\t_\t_\t_\t_\t0\t*\t*\t_\n"
    "9\tBrest\tBrest\tPROPN\t_\t_\t7\t_\t_\t_\t_\t_\t*)\t*)\t(4)|2)|3)\n"
    "10\t.\t.\tPUNCT\t_\t_\t2\t_\t_\t_\t_\t0\t*\t*\t_\n"
    "\n"
    "1\tElle\telle\tPRON\t_\t_\t3\t_\t_\t_\t_\t1\t*\t*\t(1)\n"
    "2\ty\ty\tPRON\t_\t_\t3\t_\t_\t_\t_\t1\t*\t*\t(2)\n"
    "3\tdort\tdormir\tVERB\t_\t_\t0\t_\t_\t_\t_\t1\t*\t*\t_\n"
    "#end document\n"
)
BOOKNLP_TOKENS = "sentence_ID\ttoken_ID_within_document\tword\n" + "".join(
    f"{sentence}\t{number}\t{word}\n"
    for number, (sentence, word) in enumerate(
        [(0, "Ann"), (0, "'s"), (0, "aunt"), (0, "left"), (1, "She"), (1, "ran")]
    )
)
BOOKNLP = (
    "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
    "7\t0\t0\tPROP\tPER\tAnn\n"
    "12\t0\t2\tNOM\tPER\tAnn 's aunt\n"
    "12\t4\t4\tPRON\tPER\tShe\n"
)
SACR = """\
#title: The boat

{Ann:function="s \\"subject\\"",head="1" The owner of {boat the boat}} didn{no 't}
sell {boat it}.

*****

{Ann She}\\n
rows.

#COLOR:Ann=#ff0000
#TOKENIZATION-TYPE:1
"""
# A record of each dialect of JSON: "Ann saw a dog . It ran ."
DOG = ["Ann", "saw", "a", "dog", ".", "It", "ran", "."]
DOG_TEXT = "Ann saw a dog. It ran."
DOG_SPANS = [[[0, 0]], [[2, 3], [5, 5]]]
DOG_ENDS = [[[0, 1]], [[2, 4], [5, 6]]]
DOG_CHARACTERS = [[[0, 3]], [[8, 13], [15, 17]]]
DOG_IN_SENTENCES = [[[0, 0, 1]], [[0, 2, 4], [1, 0, 1]]]
DIALECT_RECORDS: dict[str, dict[str, Any]] = {
    "e2e": {"doc_id": "d", "sentences": [DOG[:5], DOG[5:]], "clusters": DOG_SPANS},
    "maverick": {
        "tokens": DOG,
        "clusters_token_offsets": DOG_SPANS,
        "clusters_char_offsets": None,
        "clusters_token_text": [["Ann"], ["a dog", "It"]],
    },
    "fastcoref": {
        "text": DOG_TEXT,
        "clusters": DOG_CHARACTERS,
        "clusters_strings": [["Ann"], ["a dog", "It"]],
    },
    "wl-coref": {
        "document_id": "d",
        "cased_words": DOG,
        "sent_id": [0] * 5 + [1] * 3,
        "part_id": 0,
        "span_clusters": DOG_ENDS,
        "word_clusters": [[0], [3, 5]],
    },
    "allennlp": {"document": DOG, "clusters": DOG_SPANS, "top_spans": [[0, 0]]},
    "preco": {
        "id": "d",
        "sentences": [DOG[:5], DOG[5:]],
        "mention_clusters": DOG_IN_SENTENCES,
    },
    "corenlp": {
        "docId": "d",
        "sentences": [
            {"tokens": [{"index": n, "word": word} for n, word in enumerate(words, 1)]}
            for words in (DOG[:5], DOG[5:])
        ],
        "corefs": {
            str(number): [
                {"sentNum": at + 1, "startIndex": start + 1, "endIndex": end + 1}
                for at, start, end in cluster
            ]
            for number, cluster in enumerate(DOG_IN_SENTENCES, 3)
        },
    },
    "doccano": {
        "id": 17,
        "text": DOG_TEXT,
        "entities": [
            {"id": n, "label": "x", "start_offset": start, "end_offset": end}
            for n, (start, end) in enumerate(chain.from_iterable(DOG_CHARACTERS))
        ],
        "relations": [{"id": 0, "from_id": 2, "to_id": 1, "type": "coref"}],
    },
    "label-studio": {
        "id": 17,
        "data": {"text": DOG_TEXT},
        "annotations": [
            {
                "result": [
                    {
                        "id": f"m{n}",
                        "type": "labels",
                        "value": {
                            "start": start,
                            "end": end,
                            "text": DOG_TEXT[start:end],
                        },
                    }
                    for n, (start, end) in enumerate(
                        chain.from_iterable(DOG_CHARACTERS)
                    )
                ]
                + [{"type": "relation", "from_id": "m1", "to_id": "m2"}]
            }
        ],
    },
    "wec": {
        "coref_chain": 2293469,
        "doc_id": "Dogs",
        "mention_context": DOG,
        "mention_id": "108172",
        "tokens_number": [2, 3],
        "tokens_str": "a dog",
    },
}
GAP = (
    "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref"
    "\tURL\n"
    "x-1\tAnn Lee met Zo\u00eb, and she left.\tshe\t21\tAnn Lee\t0\tTRUE\tZo\u00eb\t12"
    "\tFALSE\thttp://x\n"
    "x-2\tBob saw Tom.  He hid.\tHe\t14\tBob\t0\tFALSE\tTom\t8\tFALSE\thttp://x\n"
)
WINOBIAS = (
    "1 [The cook] thanked the guard because [she] was hungry.\n"
    "2 The cook thanked [the guard] and gave [him] [his] keys.\n"
)


def _write_news(name: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"story{FORMATS[name].suffixes[0]}")
        write([NEWS], path, format=name)
        return path.read_text("utf-8")


EXAMPLES = {
    "conllu": {"story.conllu": CONLLU},
    "muc": {"story.muc": MUC},
    "ontonotes": {"story.coref": ONTONOTES},
    "apf": {"story.sgm": APF_TEXT, "story.apf.xml": APF},
    "ecb": {"story.xml": ECB},
    "ancora": {"story.tbf.xml": ANCORA},
    "webanno": {"story.webanno.tsv": WEBANNO},
    "litbank": {"story.txt": LITBANK_TEXT, "story.tsv.ann": LITBANK},
    "brat": {"story.txt": BRAT_TEXT, "story.ann": BRAT},
    "democrat": {"story.conll": DEMOCRAT},
    "booknlp": {"story.tokens": BOOKNLP_TOKENS, "story.entities": BOOKNLP},
    "sacr": {"story.sacr": SACR},
    "gap": {"story.tsv": GAP},
    "winobias": {"pro_story.txt": WINOBIAS},
}
EXAMPLES |= {
    name: {"story.json": f"{json.dumps(record)}\n"}
    for name, record in DIALECT_RECORDS.items()
}
# A Parquet file is not text, and it needs a library.
EXAMPLES |= {
    name: {f"story{FORMATS[name].suffixes[0]}": _write_news(name)}
    for name in FORMATS
    if name not in EXAMPLES and name != "parquet"
}
