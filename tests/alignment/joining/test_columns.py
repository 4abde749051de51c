"""Documents joined as columns are what they are joined as objects."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

import numpy as np
import pytest
from corpora import key_documents, response_documents, written_corpus
from files import conll, corpus, json_line, written
from hypothesis import given
from hypothesis import strategies as st
from shared_files import DATA
from slow_matching import corpus_pairs

import corefkit
from corefkit import FORMATS, Document, Entity, Mention, Settings
from corefkit.alignment.pipeline import open_runs
from corefkit.arrays.building import build_columns, encode_ids
from corefkit.arrays.columns import make_default_details
from corefkit.formats import in_memory
from corefkit.formats.conll import ConllSource
from corefkit.model import Bridge
from corefkit.settings import resolve_settings

SCOPES = ("topic", "corpus")
WRITTEN = [name for name, format in FORMATS.items() if format.writer]


def joined(key, response, scope, **keywords):
    """Give the columns of both sides: as scoring reads them, and through objects."""
    settings = resolve_settings(scope=scope, **keywords)
    with open_runs(key, [response], settings=settings) as (run,):
        sides = run.key, run.response
        numbers = range(len(sides[0].ids))
        fast = [side.read_columns(numbers) for side in sides]
        slow = [
            build_columns([side.read_document(number) for number in numbers])
            for side in sides
        ]
        one_by_one = [
            [side.read_columns([number]) for number in numbers] for side in sides
        ]
    for side, parts in zip(fast, one_by_one, strict=True):
        assert side.token_count.tolist() == [int(part.token_count[0]) for part in parts]
        assert side.text_hash.tolist() == [int(part.text_hash[0]) for part in parts]
        starts = np.concatenate([part.start for part in parts] or [[]])
        assert side.start.tolist() == starts.tolist()
    return fast, slow


def arrays(columns):
    """List what columns say; hashes of texts and roots only tell what is the same."""
    details = columns.details or make_default_details(columns)
    found = {
        field.name: getattr(owner, field.name)
        for owner in (columns, details, *filter(None, [details.empties]))
        for field in fields(owner)
        if field.name not in ("details", "empties", "names", "code")
    }
    found["text_hash"] = found["text_hash"] != 0
    if "parent" in found:
        parent = found["parent"]
        roots = np.unique(parent[parent < 0], return_inverse=True)[1]
        found["parent"] = np.where(parent < 0, -1, parent)
        found["root"] = roots
    return {name: array.tolist() for name, array in found.items()}


def same_texts(columns):
    return (columns[0].text_hash == columns[1].text_hash).tolist()


def check(key, response, scope, **keywords):
    fast, slow = joined(key, response, scope, **keywords)
    for found, expected in zip(fast, slow, strict=True):
        assert arrays(found) == arrays(expected)
    assert same_texts(fast) == same_texts(slow)
    return fast


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("name", WRITTEN)
def test_every_format_is_joined_alike(name, uneven, scope, tmp_path):
    if name == "parquet":
        pytest.importorskip("pyarrow")
    if name == "crac-text" and scope == "topic":
        pytest.skip("it has no document ids, which name topics")
    key = key_documents(3, uneven=uneven)
    response = response_documents(key, 4)
    paths = [
        written_corpus(tmp_path / side, name, documents)
        for side, documents in (("key", key), ("response", response))
    ]
    check(*paths, scope)


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("seed", range(6))
def test_documents_in_memory_are_joined_alike(seed, scope):
    key = key_documents(seed, uneven=seed % 2 == 1)
    check(key, Random(seed).sample(response_documents(key, seed), 5), scope)


@given(corpus_pairs(), st.sampled_from([None, "words", "documents"]))
def test_documents_at_random_are_joined_alike(pair, lacking):
    key, response = pair
    if lacking == "documents" and len(key) > 1:
        response = response[1:]
    if lacking == "words" and not key[0].empty and not response[0].empty:
        response[0] = replace(response[0], sentences=(), empty=(), layers={})
    check(key, response, "corpus")


spans = st.tuples(st.integers(0, 5), st.integers(0, 3)).map(
    lambda span: (span[0], span[0] + span[1])
)
partitions = st.dictionaries(
    st.sampled_from(["7", "07", "e1", "12345678901234567890", "-3", ""]),
    st.lists(spans, min_size=1, max_size=4),
    max_size=4,
)


@given(st.lists(st.tuples(partitions, partitions), min_size=1, max_size=4))
def test_spans_in_memory_are_joined_alike(pairs):
    key = {f"{at}_d": pair[0] for at, pair in enumerate(pairs)}
    response = {f"{at}_d": pair[1] for at, pair in enumerate(pairs)}
    key["0_e"], response["0_f"] = {"7": [(0, 0)]}, {"7": [(0, 0)]}
    check(key, response, "topic")


@given(st.lists(st.tuples(partitions, partitions), min_size=1, max_size=4))
def test_names_in_memory_are_as_many_documents_far_apart(pairs):
    """Mentions are numbered as they come: equal ones stay equal, others do not."""
    sides = [
        {f"{at}_d": {e: [(at, m) for m in ms] for e, ms in pair[side].items()}}
        for side in (0, 1)
        for at, pair in enumerate(pairs)
    ]
    key, response = (
        {name: part for one in half for name, part in one.items()}
        for half in (sides[: len(pairs)], sides[len(pairs) :])
    )
    result = corefkit.score(key, response, scope="corpus")
    merged = [{}, {}]
    for whole, documents in zip(merged, (key, response), strict=True):
        for part in documents.values():
            for name, mentions in part.items():
                whole.setdefault(name, []).extend(mentions)
    expected = corefkit.score({"d": merged[0]}, {"d": merged[1]})
    for name in result:
        assert result.counts[name] == pytest.approx(expected.counts[name])


def test_cells_of_conll_with_ids_of_every_length(tmp_path):
    long = "1" * 17, "1" * 18, "0" * 18, "00", "0"
    cells = " ".join(f"({name})" for name in long)
    key = written(tmp_path / "key", corpus({"1_1": cells, "1_2": f"{cells} (0)"}))
    (ours, _) = check(key, key, "topic")
    assert ours.entity.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]


def test_codes_of_ids_are_the_same_in_every_format(tmp_path):
    names = ["7", "07", "12345678901234567", "123456789012345678"]
    path = written(tmp_path / "a.conll", conll(" ".join(f"({n})" for n in names)))
    ids = {}
    with open_runs(path, [path], settings=Settings()) as (run,):
        code = run.key.read_columns([0], ids).code
    assert code.tolist() == encode_ids(names, ids).tolist()
    assert len(set(code.tolist())) == 4


def test_folder_of_formats_shares_its_ids(tmp_path):
    """Entity 0 of a CoNLL file is that of a JSON line, whatever the order of files."""
    text = conll("(0) (1)", name="(1_b); part 000")
    for side in ("key", "response"):
        (tmp_path / side).mkdir()
        written(tmp_path / side / "z.conll", text)
        line = json_line("1_a", ["x", "y"], [[[0, 0]], [[1, 1]]])
        written(tmp_path / side / "a.jsonl", line)
        table = "document\tentity\tstart\tend\n1_c\t1\t0\t0\n1_c\te\t1\t1\n"
        written(tmp_path / side / "c.tsv", table)
    ours, _ = check(tmp_path / "key", tmp_path / "response", "topic")
    assert np.bincount(ours.entity).tolist() == [2, 3, 1]


class TestLinks:
    """Links that leave a document are found where documents are objects."""

    X, Y = Entity("x", (Mention(0, 0),)), Entity("y", (Mention(1, 1),), ("x",))
    WORDS = (("a", "b"),)

    def test_split_antecedent_in_another_document(self):
        key = [Document("1_1", self.WORDS, (self.Y,)), Document("1_2", self.WORDS, ())]
        key[1] = replace(key[1], entities=(self.X,))
        ours, _ = check(key, key, "topic")
        assert ours.details.split.tolist() == [[0, 1]]

    def test_split_antecedents_of_two_documents(self):
        z = Entity("z", (Mention(0, 1),))
        one = Document("1_1", self.WORDS, (self.Y, self.X, z))
        other = replace(one, id="1_2", entities=(replace(self.Y, split=("z", "x")),))
        ours, _ = check(
            [one, replace(other, entities=(*other, self.X, z))], [one], "topic"
        )
        assert ours.details.split.tolist() == [[0, 1], [0, 2]]

    def test_bridge_to_another_document(self):
        bridge = Bridge(Mention(1, 1), "x")
        key = [
            Document("1_1", self.WORDS, (self.X,)),
            Document(
                "1_2", self.WORDS, (replace(self.Y, split=()),), bridges=(bridge,)
            ),
        ]
        ours, _ = check(key, key, "topic")
        assert ours.details.bridge.tolist() == [[1, 0, -1]]

    def test_bridge_of_a_mention_that_is_there_twice(self):
        # In the second document x stands first; in the topic y does.
        here = Mention(1, 1)
        bridge = Bridge(here, "y", here)
        twice = (Entity("x", (here,)), Entity("y", (here,)))
        key = [
            Document("1_1", self.WORDS, (Entity("y", (Mention(0, 0),)),)),
            Document("1_2", self.WORDS, twice, bridges=(bridge,)),
        ]
        ours, _ = check(key, key, "topic")
        assert ours.details.bridge.tolist() == [[1, 0, 1]]

    def test_entity_without_mentions_has_no_place_among_others(self):
        key = [
            Document("1_1", self.WORDS, (Entity("y", ()), self.X)),
            Document("1_2", self.WORDS, (Entity("y", (Mention(0, 0),)),)),
        ]
        (columns, _), _ = joined(key, key, "topic")
        assert columns.start.tolist() == [0, 2]


def test_documents_without_tokens_are_joined_alike(tmp_path):
    text = corpus({"1_1": "(1)", "1_2": "", "1_3": "(1)"})
    key = written(tmp_path / "key", text)
    check(key, key, "topic")


def test_reference_reading_is_joined_alike(tmp_path):
    text = corpus({"1_1": "(1) -", "1_2": "(1 1)"})
    key = written(tmp_path / "key", text)
    check(key, key, "corpus", preset="conll2012")


def test_nothing_is_joined_to_nothing():
    assert corefkit.score({}, {}, scope="corpus").documents == ()


SAMPLES = [
    "ontogum/conll2012/ontogum-dev.v4_gold_conll",
    "formats/e2e-jsonlines/dem1921_sg_cut2000.dev.first2.jsonlines",
    "formats/corefud/fr-democrat-dev-sample.conllu",
    "democrat-fr/dem1921_sg.dev.conll",
    "gum/gum-dev.conllu",
    "litbank/litbank-coref.conll.gz",
]


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_real_corpora_are_joined_alike(sample):
    if not (DATA / sample).exists():
        pytest.skip("the corpora beside the project are not here")
    check(DATA / sample, DATA / sample, "corpus")


class TestWork:
    """Scoring across documents makes no object for a document, entity or mention."""

    DOCUMENTS = 300

    def texts(self):
        every = [f"{number % 7}_{number}" for number in range(self.DOCUMENTS)]
        clusters = [[[0, 0], [1, 1]], [[2, 2]]]
        rows = [f"{name}\te{at}\t{at}\t{at}\n" for name in every for at in range(3)]
        return {
            "conll": corpus(dict.fromkeys(every, "(1) (2) (1)")),
            "jsonl": "".join(json_line(name, "abc", clusters) for name in every),
            "tsv": "document\tentity\tstart\tend\n" + "".join(rows),
        }

    @pytest.fixture
    def made(self, monkeypatch):
        """Count the objects that are made."""
        found = []
        for kind in (Document, Entity, Mention):
            make = kind.__init__

            def counted(self, *values, make=make, **named):
                found.append(type(self))
                make(self, *values, **named)

            monkeypatch.setattr(kind, "__init__", counted)
        return found

    @pytest.mark.parametrize("scope", SCOPES)
    @pytest.mark.parametrize("name", ["conll", "jsonl", "tsv"])
    def test_files(self, name, scope, made, tmp_path):
        path = written(tmp_path / f"key.{name}", self.texts()[name])
        assert corefkit.score(path, path, scope=scope).conll == 1
        assert made == []

    def test_partitions_in_memory(self, made):
        key = {
            f"d{at}": {"1": ["a", "b"], "2": [f"c{at}"]} for at in range(self.DOCUMENTS)
        }
        assert corefkit.score(key, key, scope="corpus").conll == 1
        assert made == []

    def test_each_side_is_read_once(self, tmp_path, monkeypatch):
        path = written(tmp_path / "key", self.texts()["conll"])
        read, calls = ConllSource.read_columns, []

        def counted(self, numbers, ids=None):
            calls.append(len(numbers))
            return read(self, numbers, ids)

        monkeypatch.setattr(ConllSource, "read_columns", counted)
        corefkit.score(path, path, scope="topic")
        assert calls == [self.DOCUMENTS] * 2

    def test_place_of_a_repeated_mention_is_found_in_its_document(
        self, tmp_path, monkeypatch
    ):
        """Words of the documents before it are not gone through."""
        cells = {f"1_{at}": "(1) (2) -" for at in range(self.DOCUMENTS)}
        text = corpus(cells | {"1_x": "-", "1_z": "- (1) (1)|(2)"})
        path = written(tmp_path / "key", text)
        read, asked = ConllSource.iter_words, []

        def counted(self, number):
            asked.append(number)
            return read(self, number)

        monkeypatch.setattr(ConllSource, "iter_words", counted)
        result = corefkit.score(path, path, scope="topic")
        assert asked == [self.DOCUMENTS + 1] * 2
        line = 5 * self.DOCUMENTS + 3 + 4
        assert [note.rpartition(":")[2] for note in result.notes] == [f"{line}"] * 2

    def test_documents_of_other_formats_are_few_at_a_time(self, monkeypatch):
        """An entity in every document is not copied for each."""
        sizes, build = [], in_memory.build_columns

        def counted(documents, ids):
            sizes.append(len(documents))
            return build(documents, ids)

        monkeypatch.setattr(in_memory, "build_columns", counted)
        key = [
            Document(f"1_{at}", (("a",),), (Entity("x", (Mention(0, 0),)),))
            for at in range(1000)
        ]
        assert corefkit.score(key, key, scope="corpus")["muc"].f1 == 1
        assert max(sizes) <= 256
