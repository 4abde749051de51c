"""UDPipe's training, as a program of its own.

    python -m corefkit.cistell.parsing.trainer TOKENIZER TAGGER PARSER <TREEBANK >MODEL

The words are UDPipe's options for each part, or `none`. It tells of its progress on
stderr, where the last line is what is wrong, if anything is. Training takes minutes in
which Python's lock is held, and nobody could be told or stop it otherwise.
"""

from __future__ import annotations

import signal
import sys

from corefkit.cistell.parsing.udpipe import library

NONE = "none"
_METHOD = "morphodita_parsito"  # the only one there is


def trained(treebank: str, *options: str) -> tuple[bytes, str]:
    """Train with a treebank in CoNLL-U; gives the model, or what is wrong."""
    udpipe = library()
    reader = udpipe.InputFormat.newConlluInputFormat("")
    reader.setText(treebank)
    error = udpipe.ProcessingError()
    sentences, sentence = udpipe.Sentences(), udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
    if error.occurred():
        return b"", str(error.message)
    nothing = udpipe.Sentences()
    model = udpipe.Trainer.train(_METHOD, sentences, nothing, *options, error)
    if error.occurred() or not model:
        return b"", str(error.message) or "no model came out"
    return bytes(model), ""


def main() -> str:
    """Train with what is on standard input; gives what is wrong, if anything is."""
    if hasattr(signal, "SIGPIPE"):
        # Who is told of progress may have been killed: then this ends too.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    model, wrong = trained(sys.stdin.buffer.read().decode(), *sys.argv[1:])
    sys.stdout.buffer.write(model)
    return f"\n{wrong}" if wrong else ""


if __name__ == "__main__":
    raise SystemExit(main() or 0)
