"""The neural resolver as a component of spaCy.

    nlp.add_pipe("cistell")
    doc = nlp("Ann sold the mill. She misses it.")
    doc.spans["coref_clusters_1"]

Each entity is converted to a group of spans, `coref_clusters_1` and so on in text
order, as in spacy-experimental. `nlp.evaluate` scores these groups.
"""

# Annotations are not postponed: spaCy requires types, not their names.

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example

from cistell.neural import NeuralResolver

PREFIX = "coref_clusters"


class SpacyResolver:
    """Pipeline component that sets the span groups of documents.

    Args:
        resolver: computes entities.
        singletons: whether to include singletons.
        scorer: scores examples; by default that of `corefkit.integrations.spacy`.
    """

    def __init__(
        self,
        resolver: NeuralResolver,
        *,
        singletons: bool = False,
        scorer: Callable[..., dict[str, Any]] | None = None,
    ) -> None:
        self._resolver = resolver
        self._singletons = singletons
        self._scorer = scorer

    def score(self, examples: Iterable[Example], **options: object) -> dict[str, Any]:
        """Score examples; implements the interface of spaCy components."""
        return {} if self._scorer is None else self._scorer(examples, **options)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Resolve documents."""
        del batch_size
        return map(self, stream)

    def __call__(self, doc: Doc) -> Doc:
        """Resolve a document."""
        text = self._resolver.tokenizer.tokenize(doc.text)
        mentions = self._resolver.find_mentions(text)
        entities = self._resolver.link_mentions(text, mentions)
        for name in [name for name in doc.spans if name.startswith(f"{PREFIX}_")]:
            del doc.spans[name]
        minimum = 1 if self._singletons else 2
        groups: list[list[Span]] = []
        for entity in entities:
            spans = [
                doc.char_span(
                    int(text.starts[mentions.spans[i, 0]]),
                    int(text.ends[mentions.spans[i, 1]]),
                    alignment_mode="expand",
                )
                for i in entity
            ]
            # Mentions inside one token of spaCy are duplicates.
            unique = {
                (span.start, span.end): span for span in spans if span is not None
            }
            if len(unique) >= minimum:
                groups.append(list(unique.values()))
        for number, group in enumerate(groups, 1):
            doc.spans[f"{PREFIX}_{number}"] = group
        return doc


@Language.factory(
    "cistell",
    default_config={
        "model": None,
        "singletons": False,
        "scorer": {"@scorers": "corefkit.coref_scorer.v1"},
    },
    assigns=["doc.spans"],
    default_score_weights={"coref_conll_f1": 1.0, "coref_f": None},
)
def make_resolver(
    nlp: Language,
    name: str,
    model: str | None,
    singletons: bool,
    scorer: Callable[..., dict[str, Any]] | None,
) -> SpacyResolver:
    """Return the component, with a model file or the default model."""
    del nlp, name
    resolver = NeuralResolver.load(model)
    return SpacyResolver(resolver, singletons=singletons, scorer=scorer)
