"""A small model, trained once."""

from __future__ import annotations

import pytest
from files import written
from treebanks import QUICK, treebank

import corefkit
from cistell.parsing import Parser
from cistell.parsing.training import train_parser


@pytest.fixture(scope="session")
def documents(tmp_path_factory):
    """The treebank of `treebanks`, read."""
    path = tmp_path_factory.mktemp("treebank") / "treebank.conllu"
    return list(corefkit.read(written(path, treebank())))


@pytest.fixture(scope="session")
def model(tmp_path_factory, documents):
    """A model trained with it."""
    path = tmp_path_factory.mktemp("model") / "quick.udpipe"
    train_parser(documents, path, options=QUICK)
    return path


@pytest.fixture(scope="session")
def parser(model):
    """A parser with that model."""
    return Parser(model)
