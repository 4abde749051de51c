r"""What the resolver scores, and where it loses: the tables of docs/cistell.md.

    corefkit train --from-scratch DATA/gum -o TEXT.model
    corefkit train DATA/gum/gum-train.conllu -o GOLD.model \
        --heldout DATA/gum/gum-dev.conllu
    python benchmarks/resolver_tables.py DATA TEXT.model GOLD.model

DATA has the corpora `gum` and `ontogum`. Prints Markdown; scores are in percent, with
95 % intervals of `corefkit.compare` over texts.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import corefkit
from cistell import Resolver
from cistell.corpora.parts import is_masked, parts_of
from cistell.corpora.schemes import in_scheme
from cistell.experiment.preparing import with_trees, with_types
from cistell.linking.found import with_found
from cistell.links import RuleLinks
from cistell.parsing.accuracy import raw_text
from cistell.readers import RawText
from cistell.taggers import with_mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.model import Document

SETTINGS: dict[str, dict[str, str]] = {
    "exact": {},
    "exact, no singletons": {"singletons": "drop"},
    "heads": {"match": "head"},
    "heads, no singletons": {"match": "head", "singletons": "drop"},
}
OURS, SIEVE, PAPER = "corefkit", "sieve", "BEST of the paper, TiMBL"
_PART = 300  # words, about as many as the paper's documents have


def main() -> None:
    """Resolve the test parts in all ways, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("text", help="model for raw text")
    parser.add_argument("gold", help="model for annotated documents")
    arguments = parser.parse_args()
    data, text = arguments.data, Resolver.load(arguments.text)
    train, test = (unmasked(data / f"gum/gum-{part}.conllu") for part in PARTS)
    paper = Resolver.train(train, paper=True, note=silent)
    show_raw(text, paper, test)
    show_ladder(text, test)
    show_given("GUM test, whole documents", Resolver.load(arguments.gold), paper, test)
    train, test = (ontogum(data, part) for part in PARTS)
    dev = ontogum(data, "dev")
    own = Resolver.train(train, heldout=dev, tagger=False, note=silent)
    paper = Resolver.train(train, paper=True, note=silent)
    show_given(f"OntoGUM test, parts of {_PART} words", own, paper, test)


PARTS = ("train", "test")


def silent(line: str) -> None:
    """Say nothing: what a model lacks here is meant."""
    del line


def unmasked(path: Path) -> list[Document]:
    """Read documents, without those whose words are masked."""
    return [document for document in corefkit.read(path) if not is_masked(document)]


def ontogum(data: Path, part: str) -> list[Document]:
    """Read OntoGUM with all noun phrases as mentions, cut into parts."""
    folder = data / "ontogum"
    trees = next((folder / "conll2012").glob(f"ontogum-{part}.*"))
    documents = unmasked(folder / f"ontogum-{part}.conllu")
    joined = with_trees(documents, list(corefkit.read(trees)))
    mapped = (one.document for one in in_scheme(joined, "ontogum-nps"))
    typed = with_types(mapped, unmasked(data / f"gum/gum-{part}.conllu"))
    return [one for whole in typed for one in parts_of(whole, _PART).documents]


def resolved(
    resolver: Resolver, items: Iterable[Document | RawText], mentions: str | None = None
) -> list[Document]:
    """Resolve documents, without notes."""
    return list(resolver.resolve(items, mentions=mentions, note=silent))


def by_sieve(resolver: Resolver) -> Resolver:
    """Link by rules, with words, trees and mentions as a resolver finds them."""
    return replace(resolver, links=RuleLinks("sieve", resolver.context))


def show_raw(resolver: Resolver, paper: Resolver, test: Sequence[Document]) -> None:
    """Print what is scored from raw text."""
    texts = [RawText(document.id, raw_text(document)) for document in test]
    same = replace(paper, reader=resolver.reader, tagger=resolver.tagger)
    systems = {OURS: resolver, SIEVE: by_sieve(resolver), PAPER: same}
    responses = {name: resolved(one, texts) for name, one in systems.items()}
    print("\n### Raw text, GUM test\n")
    show_scores(test, responses, tokens="characters")


def show_given(
    title: str, resolver: Resolver, paper: Resolver, test: Sequence[Document]
) -> None:
    """Print what is scored with the trees and mentions of a corpus."""
    systems = {OURS: resolver, SIEVE: by_sieve(resolver), PAPER: paper}
    responses = {name: resolved(one, test) for name, one in systems.items()}
    print(f"\n### Given trees and mentions, {title}\n")
    show_scores(test, responses)


def show_scores(
    key: Sequence[Document], responses: Mapping[str, list[Document]], **settings: str
) -> None:
    """Print single metrics for exact spans, then the CoNLL mean in all settings."""
    metrics = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea")
    head = ("exact", "Mentions", "MUC", "B³", "CEAFm", "CEAFe", "LEA")
    rows = []
    for name, response in responses.items():
        found = corefkit.score(key, response, metrics=metrics, **settings)
        rows.append([name, *(f"{100 * found[one].f1:.2f}" for one in metrics)])
    show_table(head, rows)
    rows = [[name] for name in responses]
    ahead = [f"{OURS} ahead of {name}" for name in responses if name != OURS]
    rows += [[line] for line in ahead]
    for own in SETTINGS.values():
        compared = corefkit.compare(
            key, responses, metrics=("conll",), baseline=OURS, **settings, **own
        )
        mean = compared.to_dict()["metrics"]["conll"]
        for row, name in zip(rows, responses, strict=False):
            row.append(with_interval(mean["systems"][name]))
        for row, pair in zip(rows[len(responses) :], mean["pairs"], strict=True):
            row.append(difference(pair))
    print()
    show_table(("CoNLL", *SETTINGS), rows)


def with_interval(system: Mapping[str, object]) -> str:
    """Write a score with its interval."""
    low, high = (100 * end for end in system["interval"])  # type: ignore[attr-defined]
    return f"{100 * float(str(system['score'])):.2f} [{low:.1f}, {high:.1f}]"


def difference(pair: Mapping[str, object]) -> str:
    """Write by how much the first system is ahead, and how sure that is."""
    sign = 1 if pair["a"] == OURS else -1
    ends = sorted(100 * sign * end for end in pair["interval"])  # type: ignore[attr-defined]
    value = 100 * sign * float(str(pair["difference"]))
    p = float(str(pair["p_adjusted"]))
    return f"{value:+.2f} [{ends[0]:+.1f}, {ends[1]:+.1f}], p {p:.4f}"


def show_ladder(resolver: Resolver, test: Sequence[Document]) -> None:
    """Print what each stage would bring if it made no error."""
    texts = [RawText(document.id, raw_text(document)) for document in test]
    bare = [replace(document, entities=(), bridges=()) for document in test]
    read = [reading.document for reading in resolver.reader.read_anew(test)]
    anew = [replace(document, entities=(), bridges=()) for document in read]
    stages = {
        "raw text": resolved(resolver, texts),
        "given words and sentences": resolved(resolver, anew),
        "given trees": resolved(resolver, bare),
        "given mentions and their types": resolved(resolver, read),
        "given trees, mentions and types": resolved(resolver, test),
        "mentions as found in given words, linked by the key": perfect(resolver, read),
        "mentions as found in given trees, linked by the key": perfect(resolver, test),
    }
    rows = []
    for name, response in stages.items():
        exact, heads = (
            corefkit.score(test, response, tokens="characters", **SETTINGS[setting])
            for setting in ("exact", "heads, no singletons")
        )
        rows.append(
            [
                name,
                f"{100 * exact['mentions'].f1:.2f}",
                f"{100 * exact.conll:.2f}",
                f"{100 * heads.conll:.2f}",
            ]
        )
    print("\n### Where it loses, GUM test\n")
    show_table(("", "Mentions", "CoNLL, exact", "CoNLL, heads, no singletons"), rows)


def perfect(resolver: Resolver, documents: Sequence[Document]) -> list[Document]:
    """Find the mentions of documents, and link them as the key does."""
    bare = [replace(document, entities=(), bridges=()) for document in documents]
    linked = []
    for reading, key in zip(resolver.reader.read(bare), documents, strict=True):
        found = with_mentions(
            reading.document, "sm2", tagger=resolver.tagger, evidence=reading.evidence
        )
        mentions = [mention for entity in found for mention in entity]
        linked.append(with_found(key, mentions))
    return linked


def show_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
