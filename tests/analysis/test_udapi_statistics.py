"""Statistics are those of `udapi corefud.Stats`, number by number."""

from __future__ import annotations

import inspect
import io
import logging
from contextlib import redirect_stdout
from pathlib import Path
from random import Random

import pytest
from shared_files import DATA

import corefkit
from corefkit.analysis.statistics import (
    HEAD_TAGS,
    SINGLETONS,
    make_statistics_record,
    statistics_of,
)
from corefkit.formats.conllu import format_document
from corefkit.model import Document, Entity, Mention

# udapi does not close its files.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
EXCLUDED = {"keep": None, "drop": "exclude_singletons", "only": "exclude_nonsingletons"}
FORMATS = {
    "docs": ("documents", ","),
    "sents": ("sentences", ","),
    "words": ("words", ","),
    "empty": ("empty_nodes", ","),
    "entities": ("entities", ","),
    "entities_per1k": ("entities_per_1000_words", ".0f"),
    "longest_entity": ("largest_entity", ""),
    "entity_range_95percentile": ("entity_range_p95", ","),
    "avg_entity": ("mean_entity_size", ".1f"),
    "mentions": ("mentions", ","),
    "mentions_per1k": ("mentions_per_1000_words", ".0f"),
    "longest_mention": ("longest_mention", ""),
    "avg_mention": ("mean_length_with_zeros", ".1f"),
}
SHARES = {
    "with_empty": "mentions_with_empty_nodes",
    "with_gaps": "mentions_with_gaps",
    "nontreelet": "non_treelet_mentions",
    **{f"c_len_{number}": f"entity_size_{number}" for number in range(1, 5)},
    "c_len_5+": "entity_size_5_or_more",
    **{f"m_len_{number}": f"mention_length_{number}" for number in range(5)},
    "m_len_5+": "mention_length_5_or_more",
    **{f"head_upos={tag}": name for tag, name in HEAD_TAGS.items()},
    "head_upos=other": "head_other",
}


def compute_with_udapi(path, singletons):
    reading = pytest.importorskip("udapi.block.read.conllu")
    blocks = pytest.importorskip("udapi.block.corefud.stats")
    core = pytest.importorskip("udapi.core.document")
    logging.getLogger().setLevel(logging.CRITICAL)
    options = {"report_basics": True, "report_entity_range": True}
    known = inspect.signature(blocks.Stats.__init__).parameters
    options = {name: value for name, value in options.items() if name in known}
    if EXCLUDED[singletons]:
        options[EXCLUDED[singletons]] = True
    block = blocks.Stats(**options)
    reader = reading.Conllu(files=str(path), split_docs=True)
    with redirect_stdout(io.StringIO()) as output:
        while not reader.finished:
            document = core.Document()
            reader.process_document(document)
            block.process_document(document)
        block.process_end()
    rows = (line.rpartition(" = ") for line in output.getvalue().splitlines())
    return {name.strip(): value.strip() for name, _, value in rows}


def compute(path, singletons):
    counts = statistics_of(corefkit.read(path), singletons=singletons)
    record = make_statistics_record(counts)
    numbers = {
        name: format(record[ours] or 0, form) for name, (ours, form) in FORMATS.items()
    }
    shares = {name: record[f"{ours}_share"] or 0 for name, ours in SHARES.items()}
    return numbers | {name: f"{100 * share:.1f}" for name, share in shares.items()}


def draw_document(seed):
    """Draw sentences with trees, empty nodes and mentions with gaps."""
    chance = Random(seed)
    sentences, empty, mentions = [], [], []
    layers = {"upos": [], "head": [], "deps": []}
    for _ in range(chance.randint(1, 8)):
        first, count = sum(map(len, sentences)), chance.randint(1, 12)
        nodes = [chance.random() < 0.15 for _ in range(count)]
        if all(nodes):
            nodes[0] = False
        words = count - sum(nodes)
        root, word = chance.randint(1, words), 0
        for position, is_node in enumerate(nodes):
            # udapi counts words without a part of speech among the others.
            tag = chance.choice((*HEAD_TAGS, "X"))
            tag = "PUNCT" if tag == "_" and not is_node else tag
            parent = "_"
            if is_node:
                empty.append(first + position)
            else:
                word += 1
                # Words depend on the root, or on a word between it and themselves.
                parent = str(
                    chance.randint(*sorted((root, word + (word < root) * 2 - 1)))
                )
                parent = "0" if word == root else parent
            layers["upos"].append(tag)
            layers["head"].append(parent)
            layers["deps"].append(f"{chance.randint(1, words)}:dep" if is_node else "_")
        sentences.append(tuple("abcdefghijkl"[:count]))
        for _ in range(chance.randint(0, 5)):
            size = min(count, chance.choice((1, 1, 2, 3, 6)))
            start = chance.randint(0, count - size)
            tokens = list(range(first + start, first + start + size))
            if size > 2 and chance.random() < 0.3:
                del tokens[1]
            mentions.append(Mention.of(tokens, head=chance.choice(tokens)))
    mentions = list(dict.fromkeys(mentions))
    entities = {}
    for number, mention in enumerate(mentions):
        # Brackets of overlapping mentions of an entity have several readings.
        name = f"e{chance.randint(1, 9)}"
        if mention.gaps or any(
            mention.start <= other.end and other.start <= mention.end
            for other in entities.get(name, ())
        ):
            name = f"own{number}"
        entities.setdefault(name, []).append(mention)
    made = [Entity(name, tuple(rows)) for name, rows in entities.items()]
    cells = {name: tuple(row) for name, row in layers.items()}
    return Document(
        f"d{seed}", tuple(sentences), tuple(made), tuple(empty), layers=cells
    )


@pytest.mark.parametrize("singletons", SINGLETONS)
def test_statistics_of_random_documents(singletons, tmp_path):
    for seed in range(60):
        path = tmp_path / f"{seed}.conllu"
        rows = [format_document(draw_document(2 * seed + n)) for n in range(2)]
        path.write_text("".join("".join(row) for row in rows), "utf-8")
        expected = compute_with_udapi(path, singletons)
        numbers = compute(path, singletons)
        assert {name: numbers[name] for name in expected} == expected, path.read_text()


@pytest.mark.parametrize("singletons", SINGLETONS)
@pytest.mark.parametrize(
    "name",
    [
        "gum/gum-dev",
        "ontogum/ontogum-dev",
        "ancora-es/es_ancora-ud-dev",
        "formats/corefud/fr-democrat-dev-sample",
    ],
)
def test_statistics_of_corpora(name, singletons, tmp_path):
    source = DATA / f"{name}.conllu"
    if not source.exists():
        pytest.skip(f"{source} is missing")
    # Both read the heads that corefkit writes; GUM declares none.
    path = Path(tmp_path / "file.conllu")
    rows = (line for row in corefkit.read(source) for line in format_document(row))
    path.write_text("".join(rows), "utf-8")
    expected = compute_with_udapi(path, singletons)
    numbers = compute(path, singletons)
    assert {name: numbers[name] for name in expected} == expected
    assert len(expected) >= 36
