"""One of several processes that gather what they counted: run by `test_torch.py`.

    python gathering.py RANK PROCESSES STORE

It writes what it computed to STORE.RANK as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

KEY = [[(0, 1), (4, 4), (6, 7)], [(2, 2), (9, 9)]]
RESPONSES = [
    [[(0, 1), (4, 4)], [(2, 2), (9, 9)]],
    [[(0, 1), (4, 4), (2, 2)], [(6, 7)]],
    [],
    [[(0, 1), (4, 4), (6, 7)], [(2, 2), (9, 9), (11, 12)]],
    [[(3, 3), (5, 5)]],
]


def main(rank: int, processes: int, store: str) -> None:
    # Imported here because tests are collected where there is no torch.
    import torch.distributed as distributed
    from torchmetrics import MetricCollection

    from corefkit.integrations.torch import CoreferenceMetric

    distributed.init_process_group(
        "gloo", init_method=f"file://{store}", rank=rank, world_size=processes
    )
    metric = CoreferenceMetric().to("cpu")
    both = MetricCollection(
        {"all": CoreferenceMetric(), "muc": CoreferenceMetric(metrics="muc")}
    )
    # The last process has no documents: there are fewer than processes need.
    mine = [] if rank == processes - 1 else RESPONSES[rank :: processes - 1]
    own = []
    for response in mine:
        own.append(metric([response], [KEY])["lea_f1"].item())
        both.update([response], [KEY])
    found = {
        "own": own,
        "scores": {name: value.item() for name, value in metric.compute().items()},
        "both": {name: value.item() for name, value in both.compute().items()},
        "updates": len(metric.counted),
    }
    with metric.sync_context():
        evaluation = metric.evaluation()
        found["documents"] = len(evaluation.documents)
        found["signature"] = evaluation.signature
    metric.update([RESPONSES[0]], [KEY])
    found["more"] = metric.compute()["mentions_recall"].item()
    Path(f"{store}.{rank}").write_text(json.dumps(found), "utf-8")
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
