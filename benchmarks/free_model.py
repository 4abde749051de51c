"""Train the model that comes with corefkit, on texts that may be redistributed.

    python benchmarks/free_model.py GUM src/cistell/bundled/en.model

GUM is the folder of the corpus, with its train, dev and test files. The model learns
from the genres below alone, whose texts are under CC BY or CC BY-SA, and without
WordNet, so that it needs nothing beside itself. Takes about ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import corefkit
from cistell.loading import context_for
from cistell.modelfile import save_model
from cistell.scratch import Options, train_from_scratch

# By the LICENSE.txt of GUM 11; the annotations are under CC BY 4.0.
GENRES = {
    "academic": "CC BY 4.0",
    "bio": "CC BY-SA 3.0",
    "court": "CC BY 4.0",
    "interview": "CC BY 2.5",
    "news": "CC BY 2.5",
    "voyage": "CC BY-SA 3.0",
}
LICENCES = (
    "CC BY-SA 4.0, with these sources:",
    "annotations of GUM 11 (Zeldes 2017 and contributors): CC BY 4.0",
    "academic articles (DH2017, LSA, PLOS), court documents: CC BY 4.0",
    "news and interviews of Wikinews: CC BY 2.5",
    "biographies of Wikipedia, travel guides of Wikivoyage: CC BY-SA 3.0",
)


def main() -> None:
    """Train, and write the model with its card."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("gum", type=Path)
    parser.add_argument("model", type=Path)
    arguments = parser.parse_args()
    context = context_for("en", entity_types="all", wordnet="none")
    options = Options(context, jobs=os.cpu_count() or 1, small=True)
    with TemporaryDirectory() as folder:
        for part in ("train", "dev", "test"):
            name = f"gum-{part}.conllu"
            documents = corefkit.read(arguments.gum / name)
            free = [one for one in documents if one.id.split("_")[1] in GENRES]
            corefkit.write(free, Path(folder) / name)
        outcome = train_from_scratch(Path(folder), options)
    model = outcome.resolver.model
    learned = ", ".join(GENRES)
    card = replace(
        model.card,
        title="the small resolver of English text that comes with corefkit",
        trained_on=(*model.card.trained_on, f"genres: {learned}"),
        licences=LICENCES,
    )
    save_model(replace(model, card=card), arguments.model)
    print(card)


if __name__ == "__main__":
    main()
