"""Tokens, tags and trees of raw text, by UDPipe: parsing, and training for it.

    from cistell.parsing import Parser
    document = Parser("en.udpipe").parse_text("Ann sold her mill.", id="mill")

A model of UDPipe 1 has up to three parts: a tokenizer, a tagger and a parser. It is a
file of the user's, or one that `train_parser` makes from a treebank; nothing is
downloaded. The modules, each importing only from those before it:

    udpipe       the library and its models, with every return value checked
    sentences    sentences that were cut after an abbreviation, joined
    parser       parsing: what UDPipe writes, as documents
    texts        plain texts, as files or folders
    trainer      training, in a process of its own
    training     the same, from a treebank, which is checked, to a model file
    accuracy     how good a parser is, with documents as they are written
"""

from __future__ import annotations

from cistell.parsing.parser import Parser as Parser
