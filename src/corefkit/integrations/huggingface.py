"""The scorer inside `evaluate`, and arrays of `transformers` as entities.

Neither library is imported here.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from corefkit.exceptions import CorefkitError, FormatError, quoted
from corefkit.formats.in_memory import read_batch
from corefkit.scoring import score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.evaluation import Evaluation
    from corefkit.metrics.metric import Metric

_PADDING = -100  # padding value of `transformers`


def module() -> str:
    """Return the folder to pass to `evaluate.load`.

    It comes with corefkit: nothing is loaded from the network.

    >>> Path(module()).name
    'coreference'
    """
    return str(Path(__file__).with_name("coreference"))


def entities_in(mentions: Any) -> list[list[tuple[int, int]]]:
    """Convert the mentions of a document, `[first, last, entity]` each, to entities.

    Rows of -100 are padding.

    >>> entities_in([[0, 1, 7], [2, 2, 9], [4, 4, 7], [-100, -100, -100]])
    [[(0, 1), (4, 4)], [(2, 2)]]
    """
    rows = mentions.tolist() if hasattr(mentions, "tolist") else mentions
    entities: dict[int, list[tuple[int, int]]] = {}
    for row in rows:
        if len(row) != 3 or not all(number == int(number) for number in row):
            message = f"found the mention {row!r}, expected [first, last, entity]"
            raise FormatError(message, code="input/not-a-mention", place="mentions")
        start, end, entity = map(int, row)
        padding = [number == _PADDING for number in (start, end, entity)]
        if all(padding):
            continue
        if any(padding) or not 0 <= start <= end:
            message = f"found the mention {row!r}, expected 0 <= first <= last"
            hint = f"in a row of padding, all three are {_PADDING}"
            raise FormatError(
                message, code="input/padding-span", place="mentions", hint=hint
            )
        entities.setdefault(entity, []).append((start, end))
    return list(entities.values())


def score_batch(
    predictions: Sequence[Any],
    references: Sequence[Any],
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    **keywords: Any,
) -> Evaluation:
    """Score documents as `evaluate` stores them: entities, or lines of CoNLL-2012.

    Args:
        predictions: for each document its entities; or for each sentence its lines.
        references: the key, in the same form.
        metrics: as for `corefkit.score`.
        keywords: the settings, as for `corefkit.score`.

    >>> score_batch([[[(0, 1), (4, 4)]]], [[[(0, 1), (4, 4), (6, 7)]]])["muc"].recall
    0.5
    >>> lines = ["story 0 0 Ann (1)", "story 0 1 saw -", "story 0 2 herself (1)"]
    >>> score_batch([lines], [lines]).documents
    ('(story); part 000',)
    """
    sides = {"references": references, "predictions": predictions}
    if not any(
        isinstance(line, str)
        for sentences in sides.values()
        for sentence in sentences
        for line in sentence or ()
    ):
        key = read_batch(references, "key")
        response = read_batch(predictions, "response")
        return score(key, response, metrics=metrics, **keywords)
    # Files support all settings, including the preset `conll2012`.
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in sides]
        for path in paths:
            _reject_lists(sides[path.name], path.name)
            path.write_text(format_conll(sides[path.name]), "utf-8")
        try:
            return score(*paths, metrics=metrics, format="conll", **keywords)
        except CorefkitError as error:
            for name, text in vars(error).items():
                if isinstance(text, str):  # messages name the files without the folder
                    setattr(error, name, text.replace(folder + os.sep, ""))
            raise


def _reject_lists(sentences: Sequence[Sequence[str]], place: str) -> None:
    """Reject lists that were converted to strings because they lack a level."""
    for line in (line for sentence in sentences for line in sentence):
        if line.startswith("["):
            message = f"found {quoted(line)}, expected a line of CoNLL-2012"
            hint = "a document is [[[first, last], ...], ...]"
            raise FormatError(message, code="input/wrong-shape", place=place, hint=hint)


def format_conll(sentences: Iterable[Iterable[str]]) -> str:
    """Join lines to a file; their first two columns identify the document.

    >>> print(format_conll([["story 0 0 Ann (1)"], ["other 1 0 Bob -"]]), end="")
    #begin document (story); part 000
    story 0 0 Ann (1)
    <BLANKLINE>
    #end document
    #begin document (other); part 001
    other 1 0 Bob -
    <BLANKLINE>
    #end document
    """
    documents: dict[str, list[str]] = {}
    for sentence in sentences:
        lines: list[str] = []
        for line in sentence:
            columns = line.split()
            if not line.startswith("#") and columns:
                part = columns[1] if len(columns) > 1 else ""
                header = f"({columns[0]}); part {part.rjust(3, '0')}"
                lines = documents.setdefault(header, [])
                lines.append(line)
            elif not columns:
                lines.append("")
        lines.append("")
    return "".join(
        "\n".join([f"#begin document {header}", *lines, "#end document", ""])
        for header, lines in documents.items()
    )
