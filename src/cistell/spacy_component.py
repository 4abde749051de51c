"""The resolver as a component of spaCy.

    nlp.add_pipe("corefkit_resolver")
    doc = nlp("Ann sold the mill. She misses it.")
    doc.spans["coref_clusters_1"]

spaCy finds the component by its entry point. The words stay spaCy's, and so do its
sentences if it has any; tags, trees and mentions are those of the resolver's model,
since spaCy's trees are of another kind. An entity becomes a group of spans,
`coref_clusters_1` and so on in the order of the text, as spacy-experimental names them;
the label of a span is the type of its entity. `nlp.evaluate` scores these groups.
"""

# Annotations are not postponed: spaCy 3.7 looks at types, and not at their names.

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example

from cistell.resolver import Resolver
from corefkit.exceptions import CorefkitError
from corefkit.formats.libraries import SPANS
from corefkit.model import Document


class SpacyResolver:
    """Fills the span groups of documents.

    Args:
        resolver: what finds entities.
        singletons: whether entities with one mention get a group too.
        scorer: what scores examples; by default that of `corefkit.integrations.spacy`.
    """

    def __init__(
        self,
        resolver: Resolver,
        *,
        singletons: bool = False,
        scorer: Callable[..., dict[str, Any]] | None = None,
    ) -> None:
        self._resolver = resolver
        self._singletons = singletons
        self._scorer = scorer

    def score(self, examples: Iterable[Example], **options: object) -> dict[str, Any]:
        """Score what was found in examples, as spaCy asks its components to."""
        return {} if self._scorer is None else self._scorer(examples, **options)

    def __call__(self, doc: Doc) -> Doc:
        """Resolve one document."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Resolve documents, some at a time."""
        batch: list[Doc] = []
        for doc in stream:
            batch.append(doc)
            if len(batch) >= batch_size:
                yield from self._resolved(batch)
                batch = []
        yield from self._resolved(batch)

    def _resolved(self, docs: list[Doc]) -> Iterator[Doc]:
        words = [[token.i for token in doc if not token.is_space] for doc in docs]
        documents = [
            Document(str(number), self._sentences(doc, row), ())
            for number, (doc, row) in enumerate(zip(docs, words, strict=True))
        ]
        found = self._resolver.resolve(documents)
        for doc, row, document in zip(docs, words, found, strict=True):
            self._fill(doc, row, document)
            yield doc

    def _sentences(self, doc: Doc, words: list[int]) -> tuple[tuple[str, ...], ...]:
        """Put words into sentences: spaCy's or, without any, those of the model."""
        if not words:
            return ()
        if doc.has_annotation("SENT_START"):
            starts = {sentence.start for sentence in doc.sents}
            begins = [_begins(doc, word, starts) for word in words]
        else:
            bounds = {*self._resolver.reader.sentence_starts(doc.text)}
            sizes = [len("".join(doc[word].text.split())) for word in words]
            ends = list(accumulate(sizes))
            # A boundary may lie inside a word of spaCy's; the next word then begins.
            begins = [
                any(place in bounds for place in range(end - size, end))
                for size, end in zip(sizes, ends, strict=True)
            ]
        sentences: list[list[str]] = []
        for word, begun in zip(words, begins, strict=True):
            if begun or not sentences:
                sentences.append([])
            sentences[-1].append(doc[word].text)
        return tuple(map(tuple, sentences))

    def _fill(self, doc: Doc, words: list[int], document: Document) -> None:
        """Write entities as groups of spans, in place of those that there were."""
        for name in [name for name in doc.spans if name.startswith(f"{SPANS}_")]:
            del doc.spans[name]
        least = 1 if self._singletons else 2
        kept = [entity for entity in document if len(entity) >= least]
        for number, entity in enumerate(kept, 1):
            doc.spans[f"{SPANS}_{number}"] = [
                Span(
                    doc,
                    words[mention.start],
                    words[mention.end] + 1,
                    label=mention.attributes.get("type", ""),
                )
                for mention in entity
            ]


def _begins(doc: Doc, word: int, starts: set[int]) -> bool:
    """Tell whether a word begins a sentence, maybe after blanks that are tokens."""
    first = word
    while first not in starts and first > 0 and doc[first - 1].is_space:
        first -= 1
    return first in starts


@Language.factory(
    "corefkit_resolver",
    default_config={
        "model": None,
        "singletons": False,
        "scorer": {"@scorers": "corefkit.coref_scorer.v1"},
    },
    assigns=["doc.spans"],
    default_score_weights={"coref_conll": 1.0, "coref_f": None},
)
def make_resolver(
    nlp: Language,
    name: str,
    model: str | None,
    singletons: bool,
    scorer: Callable[..., dict[str, Any]] | None,
) -> SpacyResolver:
    """Make the component, with a model file or the default model of the language."""
    del name
    resolver = Resolver.load(model, language=nlp.lang or "en")
    if not resolver.reader.parses:
        message = "the model has no parser, which spaCy's words need"
        hint = "`corefkit train --from-scratch FOLDER` makes a model that has one"
        raise CorefkitError(message, code="model/missing-part", hint=hint)
    return SpacyResolver(resolver, singletons=singletons, scorer=scorer)
