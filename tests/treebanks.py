"""A treebank of a few hundred sentences, made of a handful, for training in seconds."""

from __future__ import annotations

# Enough for sentences like those of the treebank; UDPipe's own take minutes.
QUICK = {
    "tokenizer": "epochs=1;dimension=16;segment_size=12;batch_size=10",
    "tagger": "iterations=2",
    "parser": "iterations=3;hidden_layer=20;structured_interval=0;use_gold_tags=1",
}

_NAMES = {"Ann": "Fem", "Carl": "Masc", "Dora": "Fem", "Otto": "Masc"}
_PRONOUNS = {"Fem": "She", "Masc": "He"}
_THINGS = ("mill", "boat", "lamp", "garden")
_ACTS = ("sold", "bought", "painted")

Row = tuple[str, str, str, str, int, str]


def _past(name: str, act: str, thing: str) -> list[Row]:
    return [
        (name, name, "PROPN", f"Gender={_NAMES[name]}|Number=Sing", 2, "nsubj"),
        (act, act, "VERB", "Tense=Past", 0, "root"),
        ("the", "the", "DET", "Definite=Def|PronType=Art", 4, "det"),
        (thing, thing, "NOUN", "Number=Sing", 2, "obj"),
        (".", ".", "PUNCT", "_", 2, "punct"),
    ]


def _not(name: str, thing: str) -> list[Row]:
    gender = _NAMES[name]
    features = f"Gender={gender}|Number=Sing|PronType=Prs"
    return [
        (_PRONOUNS[gender], _PRONOUNS[gender].lower(), "PRON", features, 4, "nsubj"),
        ("did", "do", "AUX", "Tense=Past", 4, "aux"),
        ("n't", "not", "PART", "Polarity=Neg", 4, "advmod"),
        ("like", "like", "VERB", "VerbForm=Inf", 0, "root"),
        ("it", "it", "PRON", "Gender=Neut|Number=Sing|PronType=Prs", 4, "obj"),
        (",", ",", "PUNCT", "_", 9, "punct"),
        ("a", "a", "DET", "Definite=Ind|PronType=Art", 9, "det"),
        ("poor", "poor", "ADJ", "Degree=Pos", 9, "amod"),
        (thing, thing, "NOUN", "Number=Sing", 5, "appos"),
        (".", ".", "PUNCT", "_", 4, "punct"),
    ]


def treebank() -> str:
    """Write the treebank: a document for each name, a paragraph for each thing."""
    texts = []
    for name in _NAMES:
        texts.append(f"# newdoc id = {name.lower()}\n")
        for thing in _THINGS:
            texts.append("# newpar\n")
            for act in _ACTS:
                texts.append(conllu(_past(name, act, thing)))
                texts.append(conllu(_not(name, thing)))
    return "".join(texts)


def conllu(rows: list[Row]) -> str:
    """Write a sentence, with its text; `did` and `n't` are one token."""
    forms = [row[0] for row in rows]
    lines, text = [], ""
    for number, (form, lemma, tag, features, head, relation) in enumerate(rows, 1):
        following = forms[number] if number < len(forms) else ""
        tight = following in ("n't", ",", ".")
        text += form + " " * (not tight and number < len(forms))
        if following == "n't":
            lines.append("\t".join([f"{number}-{number + 1}", "didn't", *"_" * 8]))
        # What a multiword token says of blanks, its words do not say again.
        misc = "SpaceAfter=No" if tight and following != "n't" else "_"
        cells = number, form, lemma, tag, "_", features, head, relation, "_", misc
        lines.append("\t".join(map(str, cells)))
    return "\n".join([f"# text = {text}", *lines, "", ""])
