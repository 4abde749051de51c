"""UDPipe's training, as a program of its own.

    python -m corefkit.cistell.parsing.trainer TREEBANK MODEL TOKENIZER TAGGER PARSER

TREEBANK is read and MODEL is written; the rest are UDPipe's options for each part, or
`none`. It tells of its progress on stderr, and what is wrong on stdout. Training takes
minutes in which Python's lock is held, and nobody could be told or stop it otherwise.
"""

from __future__ import annotations

import sys
from pathlib import Path

from corefkit.cistell.parsing.udpipe import library

NONE = "none"
_METHOD = "morphodita_parsito"  # the only one there is


def main(treebank: str, model: str, *options: str) -> str:
    """Train a model; gives what is wrong, if anything is."""
    udpipe = library()
    reader = udpipe.InputFormat.newConlluInputFormat("")
    reader.setText(Path(treebank).read_text("utf-8"))
    error = udpipe.ProcessingError()
    sentences, sentence = udpipe.Sentences(), udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
    if error.occurred():
        return str(error.message)
    nothing = udpipe.Sentences()
    trained = udpipe.Trainer.train(_METHOD, sentences, nothing, *options, error)
    if error.occurred() or not trained:
        return str(error.message) or "no model came out"
    Path(model).write_bytes(trained)
    return ""


if __name__ == "__main__":
    sys.stdout.write(main(*sys.argv[1:]))
