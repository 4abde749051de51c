"""Which file of a run is where: the one place that names files and folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from corefkit.cistell.experiment.study import Variant
    from corefkit.cistell.experiment.systems import System

CONFIG, VERSIONS, LOG = "config.json", "versions.json", "log.txt"
REPORTS = ("report.md", "report.html", "tables.tex", "results.json")
RECORDS = "steps"
FOLDERS = (RECORDS, "corpora", "models", "responses", "scores")
UNFINISHED = ".unfinished"  # what a step has written before it is done


class Layout(NamedTuple):
    """The files of one setting, relative to the folder of the run.

    >>> Layout("gum").corpus("test")
    'corpora/gum-test.conllu'
    """

    setting: str

    def corpus(self, part: str) -> str:
        """Name the documents of a part."""
        return f"corpora/{self.setting}-{part}.conllu"

    @property
    def summaries(self) -> str:
        """What is known of the parts of the corpus."""
        return f"corpora/{self.setting}.json"

    @property
    def threshold(self) -> str:
        """The threshold that was picked."""
        return f"models/{self.setting}.threshold.json"

    def pairs(self, variant: Variant | None = None) -> str:
        """Name what the training pairs tell."""
        return f"models/{self._trained(variant)}.pairs.json"

    def model(self, learner: str, variant: Variant | None = None) -> str:
        """Name the model of a learner."""
        return f"models/{self._trained(variant)}-{learner}.model"

    def response(self, system: System) -> str:
        """Name the response of a system."""
        return f"responses/{self.setting}-{system.name}.conllu"

    def scores(self, system: System) -> str:
        """Name the scores of a system."""
        return f"scores/{self.setting}-{system.name}.json"

    def _trained(self, variant: Variant | None) -> str:
        return self.setting if variant is None else f"{self.setting}-{variant.name}"


def parser_file(language: str) -> str:
    """Name the parser that a run trains for a language."""
    return f"models/parser-{language}.udpipe"


def record_file(step: str) -> str:
    """Name the record that a step is done."""
    return f"{RECORDS}/{step}.json"
