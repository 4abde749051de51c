"""Coreference scores as a module of `evaluate`; corefkit computes them."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from corefkit.integrations.huggingface import score_batch
from corefkit.settings import resolve_settings

_DESCRIPTION = """\
Scores of coreference resolution: mention detection, MUC, B-cubed, CEAF, BLANC, LEA and
the CoNLL mean, exact to the papers and to the CoNLL reference scorer.
"""

_INPUTS = """
Args:
    predictions: for each document its entities, each a list of mentions, each
        [first token, last token]; or, for each sentence, its lines of CoNLL-2012.
    references: the key, in the same form.
    metrics: names, as "lea" or ["conll", "lea"]; the default set if not given.
    singletons, match, preset and others: the settings of corefkit, by name.

Returns:
    recall, precision and f1 of each metric, from 0 to 1, as "muc_recall"; the CoNLL
    mean as "conll_f1"; and the "signature", which contains the settings.

Examples:
    >>> import evaluate
    >>> from corefkit.integrations.huggingface import module
    >>> coreference = evaluate.load(module())
    >>> key = [[[0, 1], [4, 4], [6, 7]], [[2, 2], [9, 9]]]
    >>> response = [[[0, 1], [4, 4]], [[2, 2], [9, 9]]]
    >>> scores = coreference.compute(predictions=[response], references=[key])
    >>> round(scores["conll_f1"], 4)
    0.8333
"""

_CITATION = """\
@software{corefkit,
    title = {corefkit},
    author = {{corefkit contributors}},
    url = {https://github.com/corefkit/corefkit},
}
"""

_LOGGER = evaluate.logging.get_logger(__name__)
_HOME = "https://github.com/corefkit/corefkit"


class Coreference(evaluate.Metric):
    """Scores of coreference; the name of a configuration is that of a preset."""

    def _info(self) -> evaluate.MetricInfo:
        resolve_settings(preset=self._preset)  # reject an unknown preset now
        spans = datasets.Sequence(
            datasets.Sequence(datasets.Sequence(datasets.Value("int64")))
        )
        lines = datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=[
                datasets.Features({"predictions": kind, "references": kind})
                for kind in (spans, lines)
            ],
            homepage="https://corefkit.github.io/corefkit/",
            license="Apache-2.0",
            codebase_urls=[_HOME],
            reference_urls=[_HOME],
        )

    @property
    def _preset(self) -> str | None:
        return None if self.config_name == "default" else self.config_name

    def _compute(
        self,
        predictions: list[Any],
        references: list[Any],
        prefix: str = "",
        **keywords: Any,
    ) -> dict[str, float | str]:
        """Score all documents that were added; names can have a prefix."""
        keywords = {"preset": self._preset, **keywords}
        result = score_batch(predictions, references, **keywords)
        for warning in result.warnings:
            _LOGGER.warning(warning)
        return {**result.to_flat(prefix=prefix), "signature": result.signature}
