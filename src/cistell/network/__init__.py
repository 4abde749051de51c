"""A tagger and parser that is a network: tags, trees and types, learned together.

    from cistell.network import Network
    network = Network.learn(documents)
    document, evidence = next(network.read([document]))

It is written in NumPy and SciPy, gradients included, and reads words, their pieces and
their neighbours; it needs nothing else that was learned elsewhere. The modules, each
importing only from those before it:

    weights, packing, batches    arrays with names; words laid out by time
    layers, lstm                 steps of a network, and the way back
    sizes                        what weights there are, and how they begin
    encoder                      from words to what is known of each
    questions                    tags, lemmas, types, trees, edges of mentions
    pieces, lemmas, trees        pieces of words; lemmas as rules; scores as trees
    targets, vocabulary          what is learned from, as numbers
    learning                     from sentences to weights
    reading                      from sentences to tags, trees and evidence
    network                      from documents to both; files
"""

from __future__ import annotations

from cistell.network.learning import Course as Course
from cistell.network.network import Network as Network
from cistell.network.sizes import SMALL as SMALL
from cistell.network.sizes import Sizes as Sizes
