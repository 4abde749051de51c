"""A module of Lightning that is validated in two processes: run by `test_lightning.py`.

    python validating.py STORE WAY

Each process writes what it logged, or how it was refused, to STORE.RANK as JSON. The
way is `taken`, where processes share documents themselves, or `sampled`, where
Lightning's sampler does, which repeats one so that both have as many.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from integrations.gathering import KEY, RESPONSES

PROCESSES = 2


def main(store: str, way: str) -> None:
    # Imported here because tests are collected where there is no torch.
    import torch
    from lightning import LightningModule, Trainer
    from torch.utils.data import DataLoader

    import corefkit
    from corefkit.integrations.torch import CoreferenceMetric

    class Resolver(LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Linear(1, 1)
            self.scores = CoreferenceMetric()

        def validation_step(self, batch: list[int], batch_idx: int) -> None:
            del batch_idx
            response = {str(number): RESPONSES[number] for number in batch}
            self.scores.update(preds=response, target=dict.fromkeys(response, KEY))

        def on_validation_epoch_end(self) -> None:
            self.log_dict(self.scores.compute())
            self.scores.reset()

        def val_dataloader(self) -> DataLoader:
            numbers = list(range(len(RESPONSES)))
            if way == "taken":
                numbers = numbers[self.global_rank :: PROCESSES]
            return DataLoader(numbers, batch_size=2, collate_fn=list)

    trainer = Trainer(
        accelerator="cpu",
        devices=PROCESSES,
        strategy="ddp",
        use_distributed_sampler=way == "sampled",
        logger=False,
        enable_checkpointing=False,
        enable_model_summary=False,
        enable_progress_bar=False,
    )
    try:
        (found,) = trainer.validate(Resolver(), verbose=False)
    except corefkit.PairingError as error:
        found = {"refused": error.message}
    Path(f"{store}.{trainer.global_rank}").write_text(json.dumps(found), "utf-8")
    # After an error Lightning leaves the group open, whose threads may end the process
    # by a signal.
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
