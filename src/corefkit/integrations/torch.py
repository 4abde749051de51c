"""The scorer as a metric of torchmetrics, whose state goes from process to process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Self

import torch
from torchmetrics import Metric, utilities

from corefkit.evaluator import Evaluator
from corefkit.formats.in_memory import read_batch
from corefkit.settings import Keywords

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.evaluation import Evaluation
    from corefkit.formats import Input
    from corefkit.metrics.metric import Metric as Counted

_END = b"\n"  # of the state of an update: JSON in one line


class CoreferenceMetric(Metric):
    """Scores of coreference, batch by batch, as a metric of torchmetrics.

    The counts of each update are stored as JSON in tensors of bytes. So the state can
    be gathered from other processes, cloned, stored and reset like that of any metric,
    and the scores equal those of `corefkit.score` for all documents at once.

    >>> metric = CoreferenceMetric(metrics="muc", singletons="drop")
    >>> metric.update(preds=[[[(0, 1), (4, 4)]]], target=[[[(0, 1), (4, 4), (6, 7)]]])
    >>> metric.compute()["muc_recall"]
    tensor(0.5000, dtype=torch.float64)
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False

    counted: list[torch.Tensor] | torch.Tensor
    _in_batch = False

    def __init__(
        self,
        *,
        metrics: str | Iterable[str | Counted] | None = None,
        prefix: str = "",
        **keywords: Any,
    ) -> None:
        """Begin without documents.

        Args:
            metrics: names or `corefkit.Metric` values; the default set if not given.
            prefix: the prefix of the names of scores: `val` makes `val/muc_f1`.
            keywords: the settings of `corefkit.score`, and keywords of
                `torchmetrics.Metric`, such as `sync_on_compute`.
        """
        settings: Any = {
            name: keywords.pop(name)
            for name in Keywords.__annotations__
            if name in keywords
        }
        super().__init__(**keywords)
        self._empty = Evaluator(metrics=metrics, **settings)
        self._prefix = prefix
        self._last: Evaluator | None = None
        self.add_state("counted", default=[], dist_reduce_fx="cat")

    @property
    def dtype(self) -> torch.dtype:
        return torch.uint8

    def set_dtype(self, dst_type: str | torch.dtype) -> Self:
        """Ignore the dtype: the state is bytes, not numbers."""
        del dst_type
        return self

    def reset(self) -> None:
        """Forget all documents.

        The list is left as it is: `torchmetrics.wrappers.Running` keeps it for its
        window, and torchmetrics itself would empty it.
        """
        self.counted, self._last = [], None
        super().reset()

    def update(self, preds: Input, target: Input) -> None:
        """Count a batch: a list of documents, or a mapping of their ids.

        Args:
            preds: the response, for each document its entities.
            target: the key, in the same form.
        """
        evaluator = self._make_evaluator()
        evaluator.update(read_batch(target, "key"), read_batch(preds, "response"))
        self._last = evaluator
        # Collections group metrics whose states are equal after an update. Two custom
        # metrics with the same name and no counts yet must differ.
        objects = list(map(id, evaluator.metrics))
        state = {**evaluator.state, "objects": objects}
        text = json.dumps(state, default=lambda array: array.tolist())
        data = torch.frombuffer(bytearray(text.encode() + _END), dtype=torch.uint8)
        assert isinstance(self.counted, list), "torchmetrics restores gathered states"
        self.counted.append(data.to(self.device))

    def evaluation(self) -> Evaluation:
        """Score the documents so far, with signature, counts and single documents.

        Inside `metric.sync_context()`, these include the documents of all processes.
        """
        total = self._make_evaluator()
        gathered = self.counted if isinstance(self.counted, list) else [self.counted]
        data = b"".join(part.cpu().numpy().tobytes() for part in gathered)
        for text in data.split(_END)[:-1]:
            total.merge(Evaluator.from_state(json.loads(text), metrics=total.metrics))
        return total.compute()

    def _make_evaluator(self) -> Evaluator:
        return Evaluator(metrics=self._empty.metrics, settings=self._empty.settings)

    def compute(self) -> dict[str, torch.Tensor]:
        """Score the documents so far: `muc_recall`, ..., `conll_f1`, from 0 to 1.

        Misleading scores emit a warning, except for a single batch, which often has no
        matching mentions.
        """
        result = self.evaluation()
        if result.warnings and not self._in_batch:
            # Only documents, not counts, explain missing matches.
            for message in result.warnings:
                utilities.rank_zero_warn(message)
            for message in self._last.compute().warnings if self._last else ():
                if message not in result.warnings:
                    utilities.rank_zero_warn(f"last batch: {message}")
        exact = torch.float32 if self.device.type == "mps" else torch.float64
        return {
            name: torch.tensor(value, dtype=exact, device=self.device)
            for name, value in result.to_flat(prefix=self._prefix).items()
        }

    def forward(self, *batch: Any, **named: Any) -> Any:
        """Count a batch, and return the scores of this batch."""
        self._in_batch = True
        try:
            return super().forward(*batch, **named)
        finally:
            self._in_batch = False
