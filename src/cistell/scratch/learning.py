"""What the steps of a training from scratch do.

Everything learns from what it will meet. A network reads the documents that it learned
from better than any other text; so the training part is read by networks that learned
from the rest of it (a jack-knife), and the tagger and the linker learn from that. The
linker gets the mentions that a tagger finds in documents which it has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from cistell.cards import card_of
from cistell.fitting import Trials, fit_links, held_out, recipe_for
from cistell.linking import with_found
from cistell.links import links_of
from cistell.network import SMALL, Course, Network
from cistell.parsing.training import train_parser
from cistell.parsing.udpipe import TOKENIZER
from cistell.readers import Reader
from cistell.resolver import Resolver
from cistell.scratch.sharing import done_together
from cistell.scratch.steps import in_rounds
from cistell.taggers import learn_tagger, with_singletons
from cistell.training import usable_features

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from cistell.card import Card
    from cistell.evidence import Reading
    from cistell.features.base import Feature
    from cistell.profiles import Context
    from cistell.scratch.corpus import Corpus
    from cistell.scratch.judging import Score
    from cistell.taggers import MentionTagger
    from corefkit.model import Document, Mention

    Share: TypeAlias = Callable[[float], None]

# Parts of the training documents, each read by a network that has not seen it.
FOLDS = 4
_LICENCE_OF_KINDS = (
    "that of WordNet 3.0, Princeton University, for the kinds of nouns that it keeps"
)
_BEST_EPOCHS = Course().epochs
_EPOCHS_OF_A_FOLD = 8  # it reads a quarter of the documents, and is then forgotten
_TOKENIZER_EPOCHS = 10  # six gave F1 of sentences 94.5 on GUM's development part


@dataclass(frozen=True, slots=True)
class Options:
    """How a model is trained from scratch."""

    context: Context  # the language and its lexicon
    seed: int = 0  # of everything that is drawn at random
    jobs: int = 1  # processes that learn at the same time
    # How often networks go through the corpus; None for as often as is best.
    epochs: int | None = None
    small: bool = False  # whether the model should be small more than good
    note: Callable[[str], None] = lambda _: None  # takes what the user should know


@dataclass(slots=True)
class Training:
    """A training from scratch, with what it has learned so far."""

    corpus: Corpus
    options: Options
    reader: Reader = field(default_factory=Reader)
    # The training documents as networks read them that have not seen them.
    readings: list[Reading] = field(default_factory=list)
    tagger: MentionTagger | None = None
    # For each training document, the mentions that a tagger found that has not seen it.
    mentions: list[list[Mention]] = field(default_factory=list)
    resolver: Resolver | None = None
    scores: list[Score] = field(default_factory=list)

    def done(self) -> Resolver:
        """Return the resolver, which the last step of learning has made."""
        assert self.resolver is not None
        return self.resolver


class _Task(NamedTuple):
    """Something that learns to read: the tokenizer, or a network."""

    part: str
    fold: int | None = None  # what a network does not learn from, but reads


class _Learned(NamedTuple):
    files: dict[str, bytes]
    readings: list[Reading]


def learn_to_read(training: Training, share: Share) -> None:
    """Learn words, tags, trees and types, and read the training documents anew."""
    documents, options = training.corpus.train, training.options
    folds = range(min(FOLDS, len(documents)))
    tasks = [_Task("network"), *(_Task("network", fold) for fold in folds)]
    tasks.append(_Task(TOKENIZER))

    def work(task: _Task, share: Share) -> _Learned:
        if task.part == TOKENIZER:
            return _Learned(_tokenizer(documents, options, share), [])
        return _network(documents, task.fold, options, share)

    whole, *parts, tokenizer = done_together(
        work, tasks, jobs=options.jobs, share=share
    )
    files = {f"network/{name}": body for name, body in whole.files.items()}
    training.reader = Reader.load({**tokenizer.files, **files})
    training.readings = [
        parts[number % len(folds)].readings[number // len(folds)]
        for number in range(len(documents))
    ]


def _tokenizer(
    documents: Sequence[Document], options: Options, share: Share
) -> dict[str, bytes]:
    epochs = min(options.epochs or _TOKENIZER_EPOCHS, _TOKENIZER_EPOCHS)
    with TemporaryDirectory(prefix="corefkit-") as folder:
        path = Path(folder) / "tokenizer"
        train_parser(
            documents,
            path,
            parts=(TOKENIZER,),
            options={TOKENIZER: f"epochs={epochs}"},
            progress=lambda _, done, total: share(done / max(total, 1)),
        )
        return {"udpipe": path.read_bytes()}


def _network(
    documents: Sequence[Document], fold: int | None, options: Options, share: Share
) -> _Learned:
    """Train a network, on all documents or on all but a fold, which it then reads."""
    best = _BEST_EPOCHS if fold is None else _EPOCHS_OF_A_FOLD
    wordnet = options.context.lexicon.wordnet
    learned = [
        document
        for number, document in enumerate(documents)
        if fold is None or len(documents) == 1 or number % FOLDS != fold
    ]
    network = Network.learn(
        learned,
        seed=options.seed,
        sizes=SMALL if options.small else None,
        course=Course(epochs=options.epochs or best),
        kinds=wordnet.kinds() if wordnet else {},
        progress=lambda done, total, _: share(done / total),
    )
    files = network.files()
    if fold is None:
        return _Learned(files, [])
    # As it is kept, with fewer digits, it is as it will be used.
    readings = Network.load(files).read(documents[fold::FOLDS])
    return _Learned({}, list(readings))


def learn_mentions(training: Training, share: Share) -> None:
    """Learn to find mentions, and find those of the training documents."""
    learned = learn_tagger(
        training.readings,
        seed=training.options.seed,
        progress=lambda done, total: share(done / max(total, 1)),
    )
    training.tagger, training.mentions = learned.tagger, learned.mentions


def learn_links(training: Training, share: Share) -> None:
    """Learn to link mentions, pick thresholds, and put all together."""
    corpus, options, tagger = training.corpus, training.options, training.tagger
    assert tagger is not None
    read = [reading.document for reading in training.readings]
    ready = list(map(with_found, read, training.mentions))
    more: Sequence[Document] = ()
    if corpus.dev:
        judged = list(training.reader.read_anew(corpus.dev))
        found = [with_singletons(one.document, tagger.mentions(one)) for one in judged]
        trials = Trials([one.document for one in judged], found)
    else:
        at = held_out(len(read))
        trials = Trials(
            [read[number] for number in at],
            [with_singletons(read[number], training.mentions[number]) for number in at],
        )
        more = [ready[number] for number in at]
        ready = [one for number, one in enumerate(ready) if number not in at]
    features = usable_features(options.context.lexicon, note=options.note)
    recipe = recipe_for(options.context, features, seed=options.seed)
    model = fit_links(
        ready,
        recipe,
        trials=trials,
        more=more,
        note=options.note,
        progress=in_rounds(share, 2 if more else 1),
    )
    model = replace(
        model,
        tagger=tagger.files(),
        parser=training.reader.files(),
        card=_card(training, recipe.features),
    )
    training.resolver = Resolver.of(links_of(model, options.context))


def _card(training: Training, features: Sequence[Feature]) -> Card:
    corpus, context = training.corpus, training.options.context
    licence = "that of the corpus"
    wordnet = context.lexicon.wordnet is not None
    if corpus.licence:
        licence += f", in its file {corpus.licence}"
    return card_of(
        f"a resolver of {context.language.name} text: words, tags, trees, mentions and "
        "entities",
        corpus.train,
        name=f"{corpus.name}, training part",
        context=context,
        features=features,
        licences=(licence, *([_LICENCE_OF_KINDS] if wordnet else [])),
    )
