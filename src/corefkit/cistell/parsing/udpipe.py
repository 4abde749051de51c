"""UDPipe's library and its model files; it raises nothing, so results are checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    import os

TOKENIZER, TAGGER, PARSER = "tokenizer", "tagger", "parser"
PARTS = (TOKENIZER, TAGGER, PARSER)

HOW_TO_GET_ONE = (
    "train one with `corefkit train-parser TREEBANK -o FILE`, or take one of those for "
    "UDPipe 1 at ufal.mff.cuni.cz/udpipe/1/models; corefkit downloads nothing itself"
)


def library() -> Any:
    """Import UDPipe, or say how to install it."""
    try:
        import ufal.udpipe
    except ImportError as error:
        message = "UDPipe, which parses text, is not installed"
        hint = "pip install 'corefkit[cistell]'"
        raise CorefkitError(message, hint=hint) from error
    return ufal.udpipe


def load_model(path: str | os.PathLike[str]) -> Any:
    """Load a model file, or say what is wrong with it."""
    udpipe = library()
    try:
        with Path(path).open("rb") as file:
            file.read(1)
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise CorefkitError(message, place=str(path), hint=HOW_TO_GET_ONE) from error
    model = udpipe.Model.load(str(path))
    if model is None:
        message = "is not a model of UDPipe 1, or is damaged"
        raise CorefkitError(message, place=str(path), hint=HOW_TO_GET_ONE)
    return model


def parts_of(model: Any) -> list[str]:
    """Find out which parts a model has, by trying each."""
    nothing = library().Sentence()
    answers = (
        model.newTokenizer(model.DEFAULT) is not None,
        model.tag(nothing, model.DEFAULT),
        model.parse(nothing, model.DEFAULT),
    )
    return [part for part, answer in zip(PARTS, answers, strict=True) if answer]
