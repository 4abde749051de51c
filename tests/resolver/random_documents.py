"""Documents at random, for laws: any trees, any mentions, some words often."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from resolver.trees import parsed

from corefkit.model import Entity, Mention

# Words as in `trees`, with a place for the head, which is any word of the sentence.
WORDS = (
    "the/{}",
    "her/{}",
    "this/{}",
    "she/{}",
    "it/{}",
    "I/{}",
    "herself/{}",
    "that/{}",
    "la/{}",
    "sus/{}",
    "*/{}:nsubj",
    "Ann/PROPN/{}/nsubj/Number=Sing",
    "Bob/PROPN/{}/conj",
    "Royal/ADJ/{}/amod",
    "Mills/PROPN/{}/flat/Number=Plur",
    "RM/PROPN/{}/appos",
    "mill/NOUN/{}/obj/Gender=Masc|Number=Sing",
    "building/NOUN/{}/obl/Gender=Fem|Number=Plur",
    "miller/NOUN/{}/nsubj/Gender=Com",
    "molino/NOUN/{}/nmod:poss/Gender=Masc",
    "femme/NOUN/{}/appos/Gender=Fem",
    "slept/VERB/{}/acl:relcl/Number=Sing|Person=3",
    "is/{}",
    '"/{}',
    "1912/NUM/{}/nummod/NumType=Card",
)
TYPES = ("", "person", "GPE", "org", "zork")


@st.composite
def documents(draw, most=5):
    """Draw a document with a few sentences and mentions, of any entities."""
    lines = draw(st.lists(_sentences(), min_size=1, max_size=most))
    document = parsed("so/ADV/0//A=B", *lines)
    last = len(document.tokens) - 1
    spans = draw(st.sets(_spans(last), max_size=2 * most))
    entities = {}
    for start, end in sorted(spans):
        type_ = draw(st.sampled_from(TYPES))
        mention = Mention(start, end, attributes={"type": type_} if type_ else {})
        entities.setdefault(draw(st.integers(0, 3)), []).append(mention)
    return replace(
        document,
        entities=tuple(
            Entity(f"e{number}", tuple(mentions))
            for number, mentions in entities.items()
        ),
    )


@st.composite
def _sentences(draw):
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7))
    heads = (draw(st.integers(0, len(words))) for _ in words)
    line = " ".join(word.format(head) for word, head in zip(words, heads, strict=True))
    speaker = draw(st.sampled_from(("", "# speaker = Ann\n", "# speaker = Bob\n")))
    return speaker + line


def _spans(last):
    start = st.integers(0, last)
    return start.flatmap(
        lambda first: st.tuples(
            st.just(first), st.integers(first, min(last, first + 4))
        )
    )
