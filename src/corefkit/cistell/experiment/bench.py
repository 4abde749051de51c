"""What the steps on one setting need in memory: documents, features, training pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.cistell.languages import language_named
from corefkit.cistell.profiles import Context
from corefkit.cistell.sampling import Sampling
from corefkit.cistell.training import training_pairs, usable_features
from corefkit.formats import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from corefkit.cistell.experiment.study import Setting, Variant
    from corefkit.cistell.features.base import Feature
    from corefkit.cistell.learners.base import Instances
    from corefkit.cistell.lexicon import Lexicon
    from corefkit.model import Document

_FOLD = 10  # of so many training texts one is held out to pick thresholds


@dataclass(frozen=True, slots=True)
class Options:
    """What is the same for all settings of a run.

    Attributes:
        data: the folder that paths of studies start from.
        words: how long parts of documents are; 0 leaves them whole.
        seed: of all that is drawn by lot.
        parsers: model files of UDPipe; without any, one is trained.
        lexicon: a folder of word lists.
        wordnet: the folder of WordNet's files, or `none`.
    """

    data: Path
    words: int = 300
    seed: int = 0
    parsers: tuple[Path, ...] = ()
    lexicon: Path | None = None
    wordnet: Path | str | None = None


class Bench:
    """A setting, with what was read for it; each thing is made when first asked for.

    Args:
        setting: the setting.
        learners: the names of the learners, the first of which has all models.
        run: the folder of the run.
        options: what is the same for all settings.
        lexicon: what is known of words.
        note: called with what the user should know.
    """

    def __init__(
        self,
        setting: Setting,
        learners: Iterable[str],
        run: Path,
        options: Options,
        *,
        lexicon: Lexicon,
        note: Callable[[str], None],
    ) -> None:
        self.setting = setting
        self.learners = tuple(learners)
        self.run = run
        self.options = options
        self.note = note
        self._lexicon = lexicon
        self._documents: dict[str, list[Document]] = {}
        self._instances: dict[str, Instances] = {}

    def clear(self) -> None:
        """Forget what takes memory."""
        self._documents.clear()
        self._instances.clear()

    def context(self, variant: Variant | None = None) -> Context:
        """Give what mentions are looked at with."""
        types = (variant and variant.entity_types) or self.setting.entity_types
        return Context(language_named(self.setting.language), self._lexicon, types)

    @property
    def sampling(self) -> Sampling:
        """Which pairs are learned from: the default, by the run's seed."""
        return Sampling(seed=self.options.seed)

    def features(self, variant: Variant | None = None) -> tuple[Feature, ...]:
        """Give the features that pairs are described by."""
        without = () if variant is None else variant.without
        features, notes = usable_features(self._lexicon, without=without)
        for line in notes:
            self.note(line)
        return features

    def documents(self, part: str) -> list[Document]:
        """Give the documents of a part, as the first step wrote them."""
        if part not in self._documents:
            path = self.run / corpus_file(self.setting, part)
            self._documents[part] = list(read(path, format="conllu"))
        return self._documents[part]

    def training(self, variant: Variant | None = None) -> list[Document]:
        """Give the documents to learn from."""
        documents = self.documents("train")
        share = 1.0 if variant is None else variant.train_share
        if share == 1:
            return documents
        texts = self._texts(documents)
        # Spread over the corpus, whose texts are often sorted by genre.
        kept = {
            text
            for at, text in enumerate(texts)
            if int((at + 1) * share) > int(at * share)
        } or {texts[0]}
        return [one for one in documents if self.text_of(one.id) in kept]

    def held_out(self) -> tuple[list[Document], list[Document]]:
        """Part the training documents into some to learn from and some to try on.

        Parts of one text stay together.
        """
        documents = self.documents("train")
        apart = {*self._texts(documents)[::_FOLD]}
        learned = [one for one in documents if self.text_of(one.id) not in apart]
        return learned, [one for one in documents if self.text_of(one.id) in apart]

    def instances(self, variant: Variant | None = None) -> Instances:
        """Give the training pairs."""
        name = "" if variant is None else variant.name
        if name not in self._instances:
            self._instances[name] = training_pairs(
                self.training(variant),
                self.features(variant),
                self.context(variant),
                sampling=self.sampling,
            )
        return self._instances[name]

    def text_of(self, document: str) -> str:
        """Name the text that a document, by its id, is a part of."""
        return document.rpartition("/")[0] if self.options.words else document

    def _texts(self, documents: Iterable[Document]) -> list[str]:
        return list(dict.fromkeys(self.text_of(one.id) for one in documents))


def corpus_file(setting: Setting, part: str) -> str:
    """Name the file that a part of a corpus is written to."""
    return f"corpora/{setting.name}-{part}.conllu"
