"""One setting of a run, with what its steps need in memory."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cistell.mentions.profiles import make_context
from cistell.paper.features import choose_usable_features
from cistell.paper.pairs import Sampling, encode_training_pairs
from cistell.studies.folder import Layout
from cistell.studies.systems import systems_of
from corefkit.formats import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from cistell.mentions.lexicon import Lexicon
    from cistell.mentions.profiles import Context
    from cistell.paper.features import Feature
    from cistell.paper.memory import Instances
    from cistell.studies.study import Setting, Variant
    from cistell.studies.systems import System
    from corefkit.model import Document

_FOLD = 10  # one training text of so many is held out to pick thresholds


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What is the same for all settings of a run."""

    data: Path  # the folder that paths of studies start from
    words: int = 300  # how long parts of documents are; 0 leaves them whole
    seed: int = 0  # of everything that is drawn at random
    parser: str = ""  # finds automatic trees, as in `udpipe:FILE`
    lexicon: Path | None = None  # a folder of word lists
    wordnet: Path | str | None = None  # the folder of WordNet's files, or `none`


class SettingRun:
    """A setting, with what was read for it; each thing is made when first needed.

    The first of the learners has all models.
    """

    def __init__(
        self,
        setting: Setting,
        learners: Iterable[str],
        folder: Path,
        options: RunOptions,
        *,
        lexicon: Lexicon,
        note: Callable[[str], None],
    ) -> None:
        self.setting = setting
        self.learners = tuple(learners)
        self.folder = folder
        self.options = options
        self.note = note
        self.layout = Layout(setting.name)
        self._lexicon = lexicon
        self._documents: dict[str, list[Document]] = {}
        self._instances: dict[str, Instances] = {}

    def clear(self) -> None:
        """Forget what takes memory."""
        self._documents.clear()
        self._instances.clear()

    def context(self, variant: Variant | None = None) -> Context:
        """Return what mentions are described with."""
        types = (variant and variant.entity_types) or self.setting.entity_types
        return make_context(self._lexicon, types)

    @property
    def sampling(self) -> Sampling:
        """Which pairs are learned from: the default, with the seed of the run."""
        return Sampling(seed=self.options.seed)

    def features(self, variant: Variant | None = None) -> tuple[Feature, ...]:
        """Return the features that describe pairs."""
        without = () if variant is None else variant.without
        return choose_usable_features(self._lexicon, without=without, note=self.note)

    def documents(self, part: str) -> list[Document]:
        """Return the documents of a part, as the first step wrote them."""
        if part not in self._documents:
            path = self.folder / self.layout.corpus(part)
            self._documents[part] = list(read(path, format="conllu"))
        return self._documents[part]

    def training(self, variant: Variant | None = None) -> list[Document]:
        """Return the documents to learn from."""
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
        return [document for document in documents if self.text_of(document.id) in kept]

    def held_out(self) -> tuple[list[Document], list[Document]]:
        """Split the training documents into those to learn from and those to try on.

        Parts of one text stay together.
        """
        documents = self.documents("train")
        tried = {*self._texts(documents)[::_FOLD]}
        parts: tuple[list[Document], list[Document]] = ([], [])
        for document in documents:
            parts[self.text_of(document.id) in tried].append(document)
        return parts

    def instances(self, variant: Variant | None = None) -> Instances:
        """Return the training pairs."""
        name = "" if variant is None else variant.name
        if name not in self._instances:
            self._instances[name] = encode_training_pairs(
                self.training(variant),
                self.features(variant),
                self.context(variant),
                sampling=self.sampling,
            )
        return self._instances[name]

    @property
    def threshold(self) -> float:
        """The threshold of SUPER STRONG that a step has picked."""
        path = self.folder / self.layout.threshold
        threshold: float = json.loads(path.read_text("utf-8"))["threshold"]
        return threshold

    def systems(self, learner: str, variant: Variant | None = None) -> list[System]:
        """Return the rows of the tables that a model makes."""
        if learner != self.learners[0]:
            return systems_of(learner)
        return systems_of(learner, variant, threshold=self.threshold)

    def text_of(self, document: str) -> str:
        """Name the text that a document, by its id, is a part of."""
        return document.rpartition("/")[0] if self.options.words else document

    def _texts(self, documents: Iterable[Document]) -> list[str]:
        return list(dict.fromkeys(self.text_of(document.id) for document in documents))
