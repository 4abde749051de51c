"""UDPipe's training, as a program of its own.

    python -m cistell.parsing.trainer TOKENIZER TAGGER PARSER <TREEBANK >MODEL

The arguments are UDPipe's options for each part, or `none`. It reports its progress on
stderr; if it fails, the last line says why. Training holds Python's lock for minutes:
in the same process, nothing could report progress or stop it.
"""

from __future__ import annotations

import signal
import sys

from cistell.parsing.udpipe import library

NONE = "none"
_METHOD = "morphodita_parsito"  # the only one there is


def trained(treebank: str, *options: str) -> tuple[bytes, str]:
    """Train with a treebank in CoNLL-U; return the model, or what went wrong."""
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
    """Train with what is on standard input; return what went wrong, if anything did."""
    if hasattr(signal, "SIGPIPE"):
        # If the process that reads the progress is killed, this one ends too.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    model, wrong = trained(sys.stdin.buffer.read().decode(), *sys.argv[1:])
    sys.stdout.buffer.write(model)
    return f"\n{wrong}" if wrong else ""


if __name__ == "__main__":
    raise SystemExit(main() or 0)
