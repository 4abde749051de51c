"""Small documents with tags and trees, written with a line for each sentence.

    parsed("[ the/2 mill/NOUN/3/nsubj ]m:place burned/VERB/0/root", "[ it/2 ]m fell")

A word is `form/TAG/head/relation/features/lemma`; what is left out at the end is `_`,
and the lemma is the form in lower case; an empty relation is `root`. A word of `KNOWN`
is `form/head`, with its relation after it where that is another. `*/3:nsubj` is an
empty node: a subject that is not said, of the third word. Mentions stand in brackets;
the name of the entity and, behind a colon, its type follow the closing one, and a
mention without name is alone. A line may have comments before it: `# speaker = Ann` and
a new line.
"""

from __future__ import annotations

from collections import defaultdict

from corefkit.model import Document, Entity, Mention

LAYERS = ("upos", "feats", "head", "deprel", "lemma", "deps")

_DEFINITE = "Definite=Def|PronType=Art"
_INDEFINITE = "Definite=Ind|PronType=Art"
_THIRD = "Number=Sing|Person=3"
_OWN = "Poss=Yes|PronType=Prs"

# Words by form: tag, usual relation, features.
KNOWN = {
    "the": ("DET", "det", _DEFINITE),
    "a": ("DET", "det", _INDEFINITE),
    "this": ("DET", "det", "Number=Sing|PronType=Dem"),
    "which": ("DET", "det", "PronType=Int"),
    "I": ("PRON", "nsubj", "Number=Sing|Person=1|PronType=Prs"),
    "you": ("PRON", "nsubj", "Person=2|PronType=Prs"),
    "he": ("PRON", "nsubj", f"Gender=Masc|{_THIRD}|PronType=Prs"),
    "she": ("PRON", "nsubj", f"Gender=Fem|{_THIRD}|PronType=Prs"),
    "it": ("PRON", "nsubj", f"Gender=Neut|{_THIRD}|PronType=Prs"),
    "they": ("PRON", "nsubj", "Number=Plur|Person=3|PronType=Prs"),
    "her": ("PRON", "nmod:poss", f"Gender=Fem|{_THIRD}|{_OWN}"),
    "his": ("PRON", "nmod:poss", f"Gender=Masc|{_THIRD}|{_OWN}"),
    "herself": ("PRON", "obj", f"Gender=Fem|{_THIRD}|PronType=Prs|Reflex=Yes"),
    "who": ("PRON", "nsubj", "PronType=Rel"),
    "that": ("PRON", "nsubj", "Number=Sing|PronType=Dem"),
    "somebody": ("PRON", "nsubj", "PronType=Ind"),
    "is": ("AUX", "cop", "Mood=Ind|VerbForm=Fin"),
    "and": ("CCONJ", "cc", "_"),
    "of": ("ADP", "case", "_"),
    "'s": ("PART", "case", "_"),
    ",": ("PUNCT", "punct", "_"),
    '"': ("PUNCT", "punct", "_"),
    # Spanish and French share some of theirs.
    "el": ("DET", "det", f"Gender=Masc|Number=Sing|{_DEFINITE}"),
    "le": ("DET", "det", f"Gender=Masc|Number=Sing|{_DEFINITE}"),
    "la": ("DET", "det", f"Gender=Fem|Number=Sing|{_DEFINITE}"),
    "un": ("DET", "det", f"Gender=Masc|Number=Sing|{_INDEFINITE}"),
    "une": ("DET", "det", f"Gender=Fem|Number=Sing|{_INDEFINITE}"),
    "su": ("DET", "det", f"Number=Sing|Person=3|{_OWN}"),
    "sus": ("DET", "det", f"Number=Plur|Person=3|{_OWN}"),
    "ses": ("DET", "det", f"Gender=Masc|Number=Plur|{_OWN}"),
    "él": ("PRON", "nsubj", f"Gender=Masc|{_THIRD}|PronType=Prs"),
    "ella": ("PRON", "nsubj", f"Gender=Fem|{_THIRD}|PronType=Prs"),
    "il": ("PRON", "nsubj", f"Gender=Masc|{_THIRD}|PronType=Prs"),
    "elle": ("PRON", "nsubj", f"Gender=Fem|{_THIRD}|PronType=Prs"),
    "se": ("PRON", "obj", "Person=3|PronType=Prs"),
    "yo": ("PRON", "nsubj", "Number=Sing|Person=1|PronType=Prs"),
    "je": ("PRON", "nsubj", "Number=Sing|Person=1|PronType=Prs"),
    "que": ("PRON", "obj", "PronType=Int,Rel"),
    "qui": ("PRON", "nsubj", "PronType=Rel"),
    "es": ("AUX", "cop", "Mood=Ind|VerbForm=Fin"),
    "est": ("AUX", "cop", "Mood=Ind|VerbForm=Fin"),
    "y": ("CCONJ", "cc", "_"),
    "de": ("ADP", "case", "_"),
}


def parsed(*lines, id="d"):
    """Make a document of sentences."""
    sentences, comments, empty = [], [], []
    cells = {name: [] for name in LAYERS}
    entities = defaultdict(list)
    opened = []
    for line in lines:
        *before, text = line.split("\n")
        comments.append(tuple(comment.removeprefix("# ") for comment in before))
        forms = []
        for word in text.split():
            place = len(cells["upos"])
            if word == "[":
                opened.append(place)
            elif word.startswith("]"):
                name, _, type_ = word[1:].partition(":")
                attributes = {"type": type_} if type_ else {}
                mention = Mention(opened.pop(), place - 1, attributes=attributes)
                entities[name or f"alone {mention.start} {mention.end}"].append(mention)
            else:
                if word.startswith("*"):
                    empty.append(place)
                form, *row = _row(word)
                forms.append(form)
                for name, cell in zip(LAYERS, row, strict=True):
                    cells[name].append(cell)
        sentences.append(tuple(forms))
    assert not opened, "a bracket is not closed"
    return Document(
        id,
        tuple(sentences),
        tuple(Entity(name, tuple(mentions)) for name, mentions in entities.items()),
        empty=tuple(empty),
        layers={name: tuple(column) for name, column in cells.items()},
        comments=tuple(comments),
    )


def _row(word):
    """Return form, tag, features, head, relation, lemma and enhanced dependencies."""
    form, *fields = word.split("/")
    if form == "*":
        deps, features = (*fields, "_")[:2]
        return "_", "PRON", features, "_", "_", "_", deps
    if form in KNOWN or form.lower() in KNOWN:
        tag, usual, features = KNOWN.get(form) or KNOWN[form.lower()]
        head, relation = (*fields, usual)[:2]
        return form, tag, features, head, relation, form.lower(), "_"
    fill_baskets = (*fields, *("_",) * (4 - len(fields)))
    tag, head, relation, features = fill_baskets[:4]
    relation = relation or "root"
    lemma = fill_baskets[4] if len(fill_baskets) > 4 else form.lower()
    return form, tag, features or "_", head, relation, lemma, "_"


def every_mention(document):
    """Return the mentions in the order of the text, the longer of two first."""
    mentions = (mention for entity in document for mention in entity)
    return sorted(mentions, key=lambda one: (one.start, -one.end, one.gaps))
