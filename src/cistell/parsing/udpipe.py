"""UDPipe's library and its model files; it raises nothing, so results are checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from corefkit.exceptions import CorefkitError, FormatError

TOKENIZER, TAGGER, PARSER = "tokenizer", "tagger", "parser"
PARTS = (TOKENIZER, TAGGER, PARSER)

HOW_TO_GET_ONE = (
    "train one with `corefkit train-parser TREEBANK -o FILE`, or take one of those for "
    "UDPipe 1 at ufal.mff.cuni.cz/udpipe/1/models; corefkit downloads nothing itself"
)

# Loads a model and uses each of its parts.
_PROBE = """
import sys
from ufal import udpipe
model = udpipe.Model.load(sys.argv[1])
if model is None:
    sys.exit(1)
sentence = udpipe.Sentence()
tokenizer = model.newTokenizer(model.DEFAULT)
if tokenizer is None:
    sentence.addWord("Ann")
else:
    tokenizer.setText("Ann sold the mill, which she didn't like, in 1999.")
    tokenizer.nextSentence(sentence)
model.tag(sentence, model.DEFAULT)
model.parse(sentence, model.DEFAULT)
"""


def library() -> Any:
    """Import UDPipe, or say how to install it."""
    try:
        import ufal.udpipe
    except ImportError as error:
        message = "UDPipe, which parses text, is not installed"
        hint = "pip install 'corefkit[cistell]'"
        raise CorefkitError(
            message, code="environment/missing-package", hint=hint
        ) from error
    return ufal.udpipe


def load_model(path: str | os.PathLike[str]) -> Any:
    """Load a model file, which must be known to be intact.

    UDPipe aborts the process on some damaged files: use `check_model` first.
    """
    model = library().Model.load(str(path))
    if model is None:
        raise _not_udpipe(path)
    return model


def check_model(path: str | os.PathLike[str]) -> None:
    """Load and use a model file in a child process.

    Raises:
        FormatError: the file cannot be read, or UDPipe rejects it or crashes.
    """
    library()
    try:
        with Path(path).open("rb") as file:
            file.read(1)
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise FormatError(
            message, code="model/unreadable", place=str(path), hint=HOW_TO_GET_ONE
        ) from error
    probe = subprocess.run(
        [sys.executable, "-P", "-c", _PROBE, str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        # The child finds modules where this process does.
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    if probe.returncode:
        raise _not_udpipe(path)


def _not_udpipe(path: str | os.PathLike[str]) -> FormatError:
    message = "is not a model of UDPipe 1, or is damaged"
    return FormatError(
        message, code="model/not-udpipe", place=str(path), hint=HOW_TO_GET_ONE
    )


def parts_of(model: Any) -> list[str]:
    """Find out which parts a model has, by trying each."""
    nothing = library().Sentence()
    answers = (
        model.newTokenizer(model.DEFAULT) is not None,
        model.tag(nothing, model.DEFAULT),
        model.parse(nothing, model.DEFAULT),
    )
    return [part for part, answer in zip(PARTS, answers, strict=True) if answer]
