"""One case for each error code; `data/errors.txt` pins the text of each error.

Other tests assert class, code and place of an error, not its wording.
`python3 dev.py rewrite` rewrites the file.
"""

from __future__ import annotations

import ast
import asyncio
import errno
import functools
import gzip
import os
import re
import sys
from contextlib import chdir
from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from unittest.mock import Mock, patch

import pytest
import source_trees
from corefud_cases import CASES
from files import conll, corpus
from kept import is_rewriting

import corefkit
from cistell.mentions.lexicon import load_lexicon, read_demonyms
from cistell.mentions.words import get_tree
from cistell.modelfile import load_parts
from cistell.neural.inference import NeuralResolver
from cistell.resolver import TreeResolver
from cistell.studies.corpora import find_files
from cistell.taggers import learn_filter
from cistell.trees import UDPipeParser, check_error, check_relations
from corefkit import CorefkitError, Document, Entity, Mention, cli
from corefkit.alignment.overlap import reject_members
from corefkit.analysis.compare.systems import find_settings
from corefkit.engines import duck
from corefkit.engines.spark import Spark, check_version, translate_error
from corefkit.example import paths
from corefkit.formats import files as bytefile
from corefkit.formats import problems as kinds
from corefkit.formats.files import load_kernel
from corefkit.formats.in_memory import read_batch
from corefkit.formats.libraries import read_rows
from corefkit.formats.output import check_writable
from corefkit.formats.problems import Faults, ProblemKind
from corefkit.integrations.spacy import docs as spacy_docs
from corefkit.lab.figures import Figure, write_figure
from corefkit.serve.jobs import (
    JobQueue,
    Limits,
    RunFolder,
    check_compression,
    read_output,
)
from corefkit.serve.server import Server
from corefkit.serve.store import Store
from corefkit.settings import VERSION

GOLDEN = Path(__file__).parent / "data" / "errors.txt"
FAMILIES = "format|input|pairing|settings|engine|model|request|environment"
CODE = re.compile(f"({FAMILIES})/[a-z0-9]+(-[a-z0-9]+)*")
# Cases that need a package that may be missing.
PACKAGES = {
    "engine/unsupported-mention": "duckdb",
    "engine/unsupported-setting": "duckdb",
    "format/invalid-table": "pyarrow",
    "input/discontinuous-mention": "spacy",
    "input/no-words": "spacy",
    "model/not-udpipe": "ufal.udpipe",
    "pairing/different-columns": "duckdb",
    "request/forbidden": "starlette",
    "request/no-space": "starlette",
    "request/not-found": "starlette",
    "request/timeout": "starlette",
}
WORDS = (("a", "b", "c"),)
TEXT = "Ann met Bo.\n"
FIELDS = "# newdoc id = d\n# global.Entity = eid-etype"
MUC = "<DOC><DOCNO>d</DOCNO>\n<TXT>{}</TXT>\n</DOC>\n"
COREF = '<COREF ID="1">a</COREF>'
WEBANNO = "#FORMAT=WebAnno TSV 3.2\n#T_SP=x|a\n#T_RL=Coref|type|BT_{}\n\n\n"


def conllu(*miscs, fields=FIELDS):
    """Write a sentence of CoNLL-U from the MISC column of its words."""
    rows = [[str(n), "w", *"_" * 7, misc] for n, misc in enumerate(miscs, 1)]
    return "\n".join([fields, *map("\t".join, rows), "", ""])


ROW = {"doc_name": "d", "sentences": [["a", "b"]], "coref_chains": [[[0, 0, 1]]]}
PARSED = (
    "#begin document (d); part 000\n"
    "d\t0\t0\ta\tNN\t*)\t-\t-\t-\t-\t*\t(1\n"
    "d\t0\t1\tb\tNN\t*\t-\t-\t-\t-\t*\t1)\n"
    "#end document\n"
)
LAYERS = {
    "upos": ("X",) * 3,
    "head": ("9",) * 3,
    "deprel": ("x",) * 3,
    "xpos": ("X",) * 3,
    "lemma": ("x",) * 3,
    "feats": ("x",) * 3,
}


# Files with a problem, by code; the first is validated.
FILES = {
    "format/unreadable": {"nowhere.conll": None},
    "format/empty-file": {"file.conll": ""},
    "format/unknown-format": {"file.pdf": "%PDF-1.7"},
    "format/other-format": {"file.conll": conll("(1)"), "--from": "jsonl"},
    "format/no-document": {"file.tsv": "document\tmention\tentity\n"},
    "format/empty-folder": {".": None, "a.pdf": "%PDF-1.7"},
    "format/invalid-table": {"file.parquet": "PAR1"},
    "format/unbalanced-bracket": {"file.conll": conll("(1 -")},
    "format/not-utf8": {"file.jsonl": b'{"doc_key": "\xff"}\n'},
    "format/repeated-document": {"file.conll": conll("(1)") * 2},
    "format/repeated-mention": {"file.conll": conll("(1)|(2)")},
    "format/crossing-mentions": {
        "file.jsonl": '{"doc_key": "d", "clusters": [[[0, 1], [1, 2]]]}'
    },
    "format/two-types": {"file.conllu": conllu("Entity=(e-x)", "Entity=(e-y)")},
    "format/cut-token": {"file.ann": "T1\tx 0 2\tAn\n", "file.txt": TEXT},
    "format/left-out": {
        "file.conllu": conllu("Entity=(e-1)").replace("1\tw", "1-2\tw", 1)
    },
    "format/broken-link": {"file.conllu": conllu("Entity=(e-1)|Bridge=x<e")},
    "format/misplaced": {"file.conllu": conllu("_").replace("1\tw", "7.1\tw\n1\tw", 1)},
    "format/other-encoding": {
        "file.conll": conll("(1)").encode().replace(b"w0", b"\xff")
    },
    "format/empty-document": {
        "file.conll": conll("(1)") + conll("", name="(e); part 0")
    },
    "format/empty-word": {
        "file.jsonl": '{"doc_key":"d","sentences":[[""]],"clusters":[]}'
    },
    "format/span-too-large": {
        "file.jsonl": '{"doc_key": "d", "clusters": [[[0, 99999999]]]}'
    },
    "format/no-mentions": {"file.conll": conll("-")},
    "format/without-mentions": {"file.conll": corpus({"a": "(1)", "b": "-"})},
    "format/nested-mention": {"file.conll": conll("(1 (1) 1)")},
    "format/across-sentences": {"file.conll": conll("(1 / 1)")},
    "format/long-mention": {"file.conll": conll(f"(1 {'- ' * 100} 1)")},
    "format/blank-in-word": {
        "file.jsonl": '{"doc_key":"d","sentences":[["a b"]],"clusters":[]}'
    },
    "format/singletons": {"file.conll": conll("(1)")},
    "format/order-of-parts": {
        "file.conll": conll("(1)") + conll("(1)", name="(d); part 003")
    },
    "format/byte-order-mark": {"file.conll": b"\xef\xbb\xbf" + conll("(1)").encode()},
    "format/line-ends": {"file.conll": conll("(1)").replace("\n", "\r\n", 1)},
    "format/invalid-annotation": {"file.conll": conll("x")},
    "format/incomplete-mention": {"file.conllu": conllu("Entity=(e[1/2]-1)")},
    "format/conflicting-entities": {
        "file.tsv.ann": "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP\n"
        "COREF\tT1\ta\nCOREF\tT1\tb\n",
        "file.txt": TEXT,
    },
    "format/invalid-span": {"file.jsonl": '{"doc_key": "d", "clusters": [[[2, 1]]]}'},
    "format/missing-id": {"file.muc": MUC.format(f"{COREF}<COREF>b</COREF>")},
    "format/repeated-id": {"file.muc": MUC.format(COREF * 2)},
    "format/unknown-id": {"file.muc": MUC.format('<COREF ID="1" REF="7">a</COREF>')},
    "format/unpaired-tag": {"file.muc": MUC.format('<COREF ID="1">a')},
    "format/unpaired-document": {
        "file.conll": conll("(1)").removesuffix("#end document\n")
    },
    "format/wrong-columns": {"file.conllu": conllu("_").replace("\t_", "", 1)},
    "format/wrong-number": {"file.conllu": conllu("_").replace("1\tw", "2\tw", 1)},
    "format/invalid-header": {
        "file.conllu": conllu("Entity=(e)", fields="# newdoc id = d")
    },
    "format/missing-text": {"file.ann": "T1\tx 0 3\tAnn\n"},
    "format/different-text": {"file.ann": "T1\tx 0 3\tBob\n", "file.txt": TEXT},
    "format/invalid-json": {"file.jsonl": '{"doc_key": }\n'},
    "format/invalid-xml": {"file.xml": '<Document doc_name="d"><token></Document>'},
    "format/unknown-dialect": {"file.json": '{"body": "Ann", "clusters": []}\n'},
    "format/ambiguous-dialect": {
        "file.json": '{"sentences": [["a"]], "text": "a", "clusters": []}\n'
    },
    "format/invalid-record": {"file.jsonl": '{"doc_key": 7, "clusters": []}\n'},
    **{
        f"format/{kind}": {"file.conllu": text, "--profile": "corefud"}
        for kind, _, text in CASES
    },
}


def document(*spans, words=WORDS, name="d", **more):
    """Make a document in which the spans are the mentions of one entity."""
    entity = Entity("e", tuple(Mention(*span) for span in spans))
    return Document(name, words, (entity,) if spans else (), **more)


def fail(error):
    raise error


def command(*words):
    return cli.run_words(list(words))


def put(name, text):
    Path(name).write_text(text, "utf-8")
    return name


def score(response, key=None, **options):
    return corefkit.score(
        [document((0, 0))] if key is None else key, response, **options
    )


def without(*packages):
    return patch.dict(sys.modules, dict.fromkeys(packages))


def without_arrow():
    with without("pyarrow"):
        score(put("file.parquet", "PAR1"))


def too_many_pairs():
    many = document(*((0, end) for end in range(1500)), words=(("a",) * 1500,))
    corefkit.score(
        many,
        document(*((1, end) for end in range(1, 1500)), words=many.sentences),
        metrics=["mor"],
    )


def without_space():
    full = Mock(write=Mock(side_effect=OSError(28, "No space left")))
    with (
        patch("tempfile.TemporaryFile", return_value=full),
        patch("tempfile.gettempdir", return_value="aside"),
    ):
        packed()


def packed():
    Path("file.conll.gz").write_bytes(gzip.compress(conll("(1)").encode()))
    corefkit.score("file.conll.gz", ["ab"])


def too_large():
    with patch.object(bytefile, "MAX_COPY_BYTES", 10):
        packed()


def docs(document):
    import spacy

    list(spacy_docs([document], spacy.blank("en").vocab))


def update_twice():
    evaluator = corefkit.Evaluator()
    evaluator.update({"a": ["ab"]}, {"a": ["ab"]})
    evaluator.update(document((0, 0)), document((0, 0)))


def configured(content):
    Path("corefkit.toml").write_bytes(content)
    command("score", "--example")


def cannot_listen():
    full = OSError(errno.EADDRINUSE, "Address already in use")
    with (
        patch("socket.create_server", side_effect=full),
        Server(Path("runs.sqlite"))._open_socket(),
    ):
        pass


def without_kernel():
    with (
        patch.dict(os.environ, {"COREFKIT_KERNEL": "require"}),
        patch("corefkit.formats.files._import_kernel", return_value=None),
    ):
        load_kernel()


def killed_run():
    put("messages.txt", "")
    read_output(Path(), Mock(), -9, Limits())


def spark(words):
    fail(translate_error(RuntimeError(words)))


def duckdb(words):
    with duck.translate_errors("key", "1GB"):
        raise OSError(words)


def engine(gaps=None, other=None, **settings):
    import pandas

    rows = {"document": ["d"], "start": [0], "end": [2], "entity": ["e"]}
    key = pandas.DataFrame(rows | (gaps or {}))
    response = pandas.DataFrame(rows | (gaps or {}) | (other or {}))
    corefkit.score(key, response, engine="duckdb", scope="corpus", **settings)


def full_queue():
    JobQueue(Mock(queue=0, at_once=1), Mock()).check_space()


def defective_run():
    put(
        "messages.txt",
        "corefkit: KeyError: 7\n\nhint: this is a defect of corefkit; please report it",
    )
    read_output(Path(), Mock(), 1, Limits())


def large_file():
    with TemporaryDirectory() as home:
        RunFolder(Path(home), Limits(file_bytes=1)).add_file("a", BytesIO(b"12"))


def full_server():
    from corefkit.serve.app import Application

    server = Mock(_limits=Limits(database_bytes=1), _store=Mock(size=lambda: 1 << 30))
    asyncio.run(Application._check_space(server))


def unknown_run():
    from corefkit.serve.app import Application

    server = Mock(_store=Mock(find_run=lambda _: None))
    Application._find_run(server, Mock(path_params={"number": "7"}))


def forbidden_request():
    from corefkit.serve.app import SUBMITTER, _require_owner

    _require_owner(Mock(scope={SUBMITTER: "team"}))


async def slow_request():
    from starlette.requests import Request

    from corefkit.serve.app import Application

    content_type = (b"content-type", b"multipart/form-data; boundary=x")
    scope = {"type": "http", "headers": [content_type]}
    limits = Mock(upload_seconds=0, run_bytes=1, responses=1, at_once=1)
    request = Request(scope, lambda: asyncio.sleep(9))
    await Application(Mock(), Path(), limits)._read_form(request)


CALLS = {
    # Content of files, found by other commands than validate.
    "format/malformed": lambda: Faults("key.conll")(7, "not as the format says"),
    "format/duplicate-file-name": lambda: corefkit.write(
        [document((0, 0), name="a/b"), document((0, 0), name="a_b")],
        "out",
        format="brat",
    ),
    "format/several-documents": lambda: corefkit.write(
        [document((0, 0)), document((0, 0), name="e")], "out.ann", format="brat"
    ),
    "format/incomplete-scores": lambda: find_settings(
        SimpleNamespace(changed=None, response="ours")
    ),
    "format/invalid-parse": lambda: corefkit.score(
        put("key.conll", PARSED), put("response.conll", PARSED), match="head"
    ),
    "format/missing-class": lambda: corefkit.score(["a"], ["a"], by="kind"),
    "format/missing-attribute": lambda: corefkit.score(
        document((0, 1)), document((0, 1)), metrics="lea_weighted", weights="type:PER=1"
    ),
    "format/missing-head": lambda: score(
        [document((0, 1))], [document((0, 1))], match="head"
    ),
    "format/not-scores": lambda: corefkit.side_by_side([put("scores.json", "{}")]),
    "format/too-large": too_large,
    "format/too-many-pairs": too_many_pairs,
    "format/unencodable": lambda: command(
        "convert", put("a.jsonl", '{"doc_key":"\\ud800","clusters":[]}'), "out.conll"
    ),
    # Python objects.
    "input/ambiguous-shape": lambda: corefkit.score([[], []], [[], []]),
    "input/discontinuous-mention": lambda: docs(
        Document("d", WORDS, (Entity("e", (Mention(0, 2, ((1, 1),)),)),))
    ),
    "input/duplicate-name": lambda: corefkit.score({1: ["a"], "1": ["a"]}, {}),
    "input/file-required": lambda: corefkit.score(
        [document((0, 0), origin="strict")], [document((0, 0))], preset="conll2012"
    ),
    "input/invalid-columns": lambda: read_rows([ROW, {"x": 7}], "key"),
    "input/invalid-gap": lambda: Mention(0, 2, ((5, 6),)),
    "input/invalid-row": lambda: read_rows([ROW, 7], "key"),
    "input/invalid-state": lambda: corefkit.Evaluator.from_state({}),
    "input/no-mention": lambda: read_batch([[[None]]], "key"),
    "input/no-response": lambda: corefkit.compare(["ab"], []),
    "input/no-words": lambda: docs(document((0, 0), words=())),
    "input/not-a-mention": lambda: corefkit.score({"d": [[{}]]}, {"d": ["a"]}),
    "input/not-a-span": lambda: corefkit.score([["a"]], [["a"]], mentions="spans"),
    "input/not-a-token": lambda: corefkit.score([["a"]], [["a"]], mentions="tokens"),
    "input/not-an-evaluator": lambda: corefkit.Evaluator().merge(7),
    "input/not-an-id": lambda: corefkit.Evaluator().update(["a"], ["a"], document=[]),
    "input/other-version": lambda: corefkit.Evaluator.from_state({"form": 0}),
    "input/outside-text": lambda: read_rows(
        [ROW | {"coref_chains": [[[0, 0, 99]]]}], "key"
    ),
    "input/padding-span": lambda: Mention(-1, -1),
    "input/padding-token": lambda: corefkit.score([[-1]], [[1]], mentions="tokens"),
    "input/reversed-span": lambda: Mention(2, 1),
    "input/several-documents": lambda: corefkit.Evaluator().update(
        {"a": ["ab"]}, {"a": ["ab"]}, document="d"
    ),
    "input/unnamed-response": lambda: corefkit.compare(["ab"], {" ": ["ab"]}),
    "input/unordered": lambda: corefkit.score({((("a", "b"),),)}, [[[("a", "b")]]]),
    "input/wrong-shape": lambda: corefkit.score(7, ["a"]),
    # Key and response.
    "pairing/anonymous-entities": lambda: corefkit.score(
        {"a": ["ab"], "b": ["ab"]}, {"a": ["ab"], "b": ["ab"]}, scope="corpus"
    ),
    "pairing/different-columns": lambda: engine(other={"document": [7]}),
    "pairing/different-evaluators": lambda: corefkit.Evaluator().merge(
        corefkit.Evaluator(average="macro")
    ),
    "pairing/different-key": lambda: corefkit.compare(
        document((0, 0), words=(("x",),)), [score([document((0, 0))])]
    ),
    "pairing/different-mentions": update_twice,
    "pairing/different-text": lambda: score(
        [document((0, 0), words=(("x", "b", "c"),))]
    ),
    "pairing/invalid-strata": lambda: corefkit.compare(["ab"], [["ab"]], strata="(x)"),
    "pairing/missing-document": lambda: corefkit.score(
        {"a": ["ab"], "b": ["ab"]}, {"a": ["ab"]}, missing="error"
    ),
    "pairing/no-common-document": lambda: corefkit.score({"a": ["ab"]}, {"b": ["ab"]}),
    "pairing/no-common-metric": lambda: corefkit.compare(
        None,
        [corefkit.score(["ab"], ["ab"], metrics=[name]) for name in ("muc", "lea")],
    ),
    "pairing/no-topic": lambda: corefkit.score(
        {"a": ["ab"]}, {"a": ["ab"]}, scope="topic"
    ),
    "pairing/not-comparable": lambda: corefkit.compare(
        None, [corefkit.score([one], [one]) for one in ("ab", "xyz")]
    ),
    "pairing/nothing-scored": lambda: corefkit.compare(
        ["ab"], [7, 8], skip_broken=True
    ),
    "pairing/repeated-document": lambda: corefkit.score(
        put("key.conll", conll("(1)") * 2), put("response.conll", conll("(1)"))
    ),
    "pairing/unnamed-documents": lambda: corefkit.score([[["a"]], [["b"]]], [[["a"]]]),
    # Settings, metrics and options.
    "settings/conflict": lambda: corefkit.score(
        ["a"], ["a"], settings=corefkit.Settings(), preset="default"
    ),
    "settings/duplicate-metric": lambda: corefkit.score(
        ["a"],
        ["a"],
        metrics=[corefkit.METRICS["muc"], replace(corefkit.METRICS["lea"], name="muc")],
    ),
    "settings/duplicate-name": lambda: command("score", str(paths()[0]), "a=x", "a=y"),
    "settings/engine-with-mentions": lambda: corefkit.score(
        ["a"], ["a"], engine="duckdb", mentions="spans"
    ),
    "settings/invalid-figure": lambda: write_figure(Figure("f", "F", "x", [], []), "."),
    "settings/invalid-metric": lambda: corefkit.score(
        ["abc"], ["ab"], metrics=[corefkit.lea_with(lambda _: -1)]
    ),
    "settings/invalid-order": lambda: command("score", "--example", "--sort", "alpha"),
    "settings/invalid-target": lambda: command(
        "convert", str(paths()[0]), "-", "--to", "brat"
    ),
    "settings/invalid-value": lambda: corefkit.score(["a"], ["a"], settings=5),
    "settings/invalid-weights": lambda: corefkit.score(["a"], ["a"], weights="type"),
    "settings/missing-value": lambda: corefkit.score(["a"], ["a"], metrics=[]),
    "settings/not-in-file": lambda: configured(b"[score]\ncounts = 'x'\n"),
    "settings/not-toml": lambda: configured(b"a b"),
    "settings/read-only-format": lambda: corefkit.write([], "x", format="democrat"),
    "settings/stored-scores": lambda: corefkit.compare(
        None, [corefkit.score(["ab"], ["ab"])], average="macro"
    ),
    "settings/unknown-document": lambda: corefkit.explain(
        {"d": ["ab"]}, {"d": ["ab"]}, metric="muc", document="x"
    ),
    "settings/unknown-engine": lambda: corefkit.score(["a"], ["a"], engine="x"),
    "settings/unknown-format": lambda: corefkit.write([], "x", format="x"),
    "settings/unknown-mentions": lambda: corefkit.score(["a"], ["a"], mentions="x"),
    "pairing/different-number": lambda: corefkit.score(
        put("k.crac.txt", "a b\nc d\n"), put("r.crac.txt", "a b\n"), tokens="aligned"
    ),
    "pairing/missing-cell": lambda: corefkit.score_suite(
        corefkit.Suite("s", {"a": corefkit.SuiteCorpus(["ab"], {"A": "no.conll"})}),
        missing_cells="error",
    ),
    "pairing/no-sentences": lambda: score(
        put("r.crac.txt", "a|[e1] ##|[e1] c .\n"),
        [document((0, 0), words=(("a", "_"), ("c", ".")), empty=(1,))],
    ),
    "pairing/too-much-drift": lambda: score(
        [document((0, 0), words=(("x", "y", "z"),))], tokens="aligned"
    ),
    "pairing/unplaced-mention": lambda: score(
        [document((0, 0), (9, 9), words=((*"abcdefghi", "zebra"),))],
        [document((0, 0), words=(tuple("abcdefghi"),))],
        tokens="aligned",
        scope="corpus",
    ),
    "settings/unknown-metric": lambda: corefkit.score(["a"], ["a"], metrics="x"),
    "settings/unknown-preset": lambda: corefkit.score(["a"], ["a"], preset="x"),
    "settings/unknown-setting": lambda: corefkit.score(["a"], ["a"], x="y"),
    "settings/unknown-value": lambda: corefkit.score(["a"], ["a"], match="x"),
    "settings/unreadable": lambda: configured(b"\xff"),
    "settings/unsupported-metric": lambda: corefkit.explain(
        ["ab"], ["ab"], metric="alpha"
    ),
    "settings/unsupported-setting": lambda: corefkit.explain(
        ["ab"], ["ab"], metric="muc", split="score"
    ),
    # Engines.
    "engine/counts-only": lambda: reject_members(7),
    "engine/failed": lambda: spark("odd"),
    "engine/missing-package": lambda: spark("No module named 'corefkit'"),
    "engine/no-disk-space": lambda: duckdb("No space left on device"),
    "engine/other-session": lambda: duckdb("not suitable for replacement scan"),
    "engine/other-version": lambda: spark("OtherVersion: 0.1.1 on a worker"),
    "engine/out-of-memory": lambda: spark("Java heap space"),
    "engine/too-large": lambda: spark("maxResultSize"),
    "engine/unreadable": lambda: spark("UNABLE_TO_INFER_SCHEMA"),
    "engine/unsupported-column": lambda: spark("CANNOT_MERGE_SCHEMA"),
    "engine/unsupported-input": lambda: Spark().open(7, "key"),
    "engine/unsupported-mention": lambda: engine(gaps={"gaps": ["1-1"]}),
    "engine/unsupported-setting": lambda: engine(match="head"),
    # Models of the resolver.
    "model/damaged": lambda: load_parts(put("m.model", "cistell-model 1\n0\n")),
    "model/failed": lambda: check_error(SimpleNamespace(message="odd")),
    "model/invalid-lexicon": lambda: read_demonyms(
        Path(put("demonyms.tsv", "\tFrench\n"))
    ),
    "model/missing-part": lambda: TreeResolver("sieve", None).resolve_text("Go!"),
    "model/missing-syntax": lambda: get_tree(document(), purpose="to link by"),
    "model/no-corpus": lambda: find_files("gum", "test", Path("nowhere")),
    "model/no-lexicon": lambda: load_lexicon("en", folder=Path("nowhere")),
    "model/not-a-model": lambda: NeuralResolver.load(put("m.model", "no model")),
    "model/not-udpipe": lambda: UDPipeParser(put("m.udpipe", "no model")),
    "model/nothing-to-learn": lambda: learn_filter([]),
    "model/unreadable": lambda: load_parts("no.model"),
    "model/unsupported": lambda: check_relations("en", {"dobj"}),
    "model/version": lambda: load_parts(put("m.model", "cistell-model 9\n")),
    # Requests to the server.
    "request/busy": full_queue,
    "request/defect": defective_run,
    "request/forbidden": forbidden_request,
    "request/invalid": lambda: check_compression(Path(put("a", "BZh")), "a", 1),
    "request/no-space": full_server,
    "request/not-found": unknown_run,
    "request/timeout": lambda: asyncio.run(slow_request()),
    "request/too-large": large_file,
    # The machine.
    "environment/cannot-listen": cannot_listen,
    "environment/database": lambda: Store(Path("nowhere/runs.sqlite")),
    "environment/missing-package": without_arrow,
    "environment/no-kernel": without_kernel,
    "environment/old-package": lambda: check_version("3.5.9"),
    "environment/temporary-folder": without_space,
    "environment/unwritable": lambda: check_writable("no/such/a.conll"),
    "environment/worker-died": killed_run,
}


def pinned(error):
    """Write class, code, place, message and hint of an error, one line each."""
    severity = f" ({error.severity})" if isinstance(error, corefkit.Problem) else ""
    place = getattr(error, "place", None)
    if severity:
        place = error.file if error.line is None else f"{error.file}:{error.line}"
    rows = {"class": f"{type(error).__name__}{severity}", "place": place}
    rows |= {"message": error.message, "hint": error.hint}
    lines = [
        f"  {name}: {value}".replace("\n", "\\n")
        for name, value in rows.items()
        if value
    ]
    return "\n".join([error.code, *lines, ""]).replace(VERSION, "VERSION")


@functools.cache
def outcome(code):
    """Provoke the error of a code in an empty folder, and return its text."""
    with TemporaryDirectory() as folder, chdir(folder):
        if code in FILES:
            return pinned(_problem(code, dict(FILES[code])))
        try:
            CALLS[code]()
        except CorefkitError as error:
            return pinned(error).replace(f"{folder}/", "")
    pytest.fail(f"{code} is not raised")


def _problem(code, files):
    format, profile = files.pop("--from", None), files.pop("--profile", None)
    for name, content in files.items():
        if content is not None:
            Path(name).write_bytes(
                content if isinstance(content, bytes) else content.encode()
            )
    path = next(iter(files))
    problems = corefkit.validate(path, format=format, profile=profile)
    matching = [problem for problem in problems if problem.code == code]
    assert matching, [(problem.code, problem.message) for problem in problems]
    return matching[0]


def is_installed(code):
    return code not in PACKAGES or find_spec(PACKAGES[code]) is not None


@pytest.mark.parametrize("code", [*FILES, *CALLS])
def test_case_has_its_code(code):
    if not is_installed(code):
        pytest.skip(f"{PACKAGES[code]} is not installed")
    assert outcome(code).startswith(f"{code}\n")


@pytest.mark.kept
def test_texts_are_as_pinned():
    codes = sorted(filter(is_installed, (*FILES, *CALLS)))
    texts = {code: outcome(code) for code in codes}
    if is_rewriting():
        GOLDEN.write_text("\n".join(texts.values()), "utf-8")
    blocks = GOLDEN.read_text("utf-8").removesuffix("\n").split("\n\n")
    expected = {block.partition("\n")[0]: f"{block}\n" for block in blocks}
    assert expected.keys() == {*FILES, *CALLS}
    assert texts == {code: expected[code] for code in texts}


def iter_nodes():
    for path in (*source_trees.FILES, *source_trees.RESOLVER_FILES):
        yield from ast.walk(source_trees.parse_source(path))


@source_trees.GROUP
def test_every_code_has_a_case():
    codes = {
        kind.code for kind in vars(kinds).values() if isinstance(kind, ProblemKind)
    }
    for node in iter_nodes():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            codes |= {node.value} if CODE.fullmatch(node.value) else set()
    assert codes == {*FILES, *CALLS}
    assert FILES.keys().isdisjoint(CALLS)


@source_trees.GROUP
def test_codes_are_of_known_families():
    for node in iter_nodes():
        if isinstance(node, ast.keyword) and node.arg == "code":
            value = getattr(node.value, "value", None)
            assert not isinstance(value, str) or CODE.fullmatch(value), value
