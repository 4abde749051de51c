"""Small trees to tag, written in one line each."""

from __future__ import annotations

from corefkit.model import Document, Entity, Mention

LAYERS = ("upos", "feats", "head", "deprel")


def parsed(*lines, mentions=()):
    """Make a document of sentences whose words are `form/UPOS/head/deprel[/feats]`.

    An empty relation is `root`.
    A word `*` is an empty node: `*/PRON`, or `*/VERB`.
    """
    sentences, empty = [], []
    layers = {name: [] for name in LAYERS}
    for line in lines:
        words = [word.split("/") for word in line.split()]
        for form, tag, *rest in words:
            head, relation, features = (*rest, *"___"[len(rest) :])
            if form == "*":
                empty.append(len(layers["upos"]))
            cells = (tag, features, head, relation or "root")
            for name, cell in zip(LAYERS, cells, strict=True):
                layers[name].append(cell)
        sentences.append(tuple(word[0] for word in words))
    return Document(
        "d",
        tuple(sentences),
        tuple(Entity(str(span), (Mention(*span),)) for span in mentions),
        empty=tuple(empty),
        layers={name: tuple(cells) for name, cells in layers.items()},
    )


def texts(document, mentions):
    """Return the words of mentions."""
    return [document.text(mention) for mention in mentions]
