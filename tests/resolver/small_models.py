"""A resolver that is small and quick to make, with a parser, for texts."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from resolver.stories import stories
from treebanks import QUICK, treebank

import corefkit
from cistell.links import PairLinks
from cistell.readers import Reader
from cistell.resolver import Resolver

TEXT = "Ann sold the mill. She missed the mill.\n"


@cache
def parser_bytes():
    """Train a parser of UDPipe on very little, or skip the test without UDPipe."""
    pytest.importorskip("ufal.udpipe")
    from cistell.parsing.training import train_parser

    with TemporaryDirectory() as folder:
        path = Path(folder) / "treebank.conllu"
        path.write_text(treebank(), "utf-8")
        train_parser(corefkit.read(path), Path(folder) / "en.udpipe", options=QUICK)
        return (Path(folder) / "en.udpipe").read_bytes()


@cache
def small_resolver():
    """Train a resolver of pairs on stories, and give it a parser."""
    trained = Resolver.train(
        stories(12),
        learner="ib1",
        wordnet="none",
        tagger=False,
        entity_types="none",
        note=lambda _: None,
    )
    model = replace(trained.model, parser=Reader(parser_bytes()).files())
    return Resolver.of(PairLinks(model, trained.context))
