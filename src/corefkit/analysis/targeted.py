"""Scores of targeted sets: the pronouns of GAP and WinoBias.

The answer of a response is its entity with the mention that matches the pronoun. A name
or occupation is linked if this entity has the mention that matches it.

    GAP       each name is a true or false positive or negative, as in `gap_scorer.py`
    WinoBias  the occupation is a true positive or a false negative; any mention of the
              answer that matches nothing is a false positive, at most one a pronoun

In examples that the response lacks, every candidate is a false negative.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, Unpack

import numpy as np

from corefkit.alignment.pipeline import Run, iter_aligned_blocks, open_runs
from corefkit.alignment.scored_mentions import AlignedBlock
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.resampling import (
    MAX_ENUMERATED,
    count_extreme,
    draw_units,
    enumerate_swaps,
    expand_tail,
    toss_swaps,
)
from corefkit.analysis.compare.systems import replace_default_name
from corefkit.arrays.columns import Floats
from corefkit.exceptions import FormatError, SettingsError, quoted
from corefkit.formats import TARGETED, Input, Path, detect_first_format, read
from corefkit.formats.brackets import read_lines
from corefkit.formats.files import ByteFile
from corefkit.formats.gap import GENDERS, parse_flag
from corefkit.formats.problems import INVALID_ANNOTATION, WRONG_COLUMNS, Faults
from corefkit.results.records import Value, format_csv, format_json
from corefkit.settings import VERSION, Keywords, expand_settings, resolve_settings
from corefkit.strings import format_count
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import Note, Part, Table, make_columns, make_rows
from corefkit.tables.terminal import label_paths, render_terminal

_Partitions: TypeAlias = dict[str, list[list[tuple[int, int]]]]
STATISTICS = ("recall", "precision", "f1", "accuracy")
_TAIL = 0.025  # of intervals
_COUNTS = ("tp", "fp", "fn", "tn", "correct", "pronouns")
_VERSIONS = ("pro", "anti")
_VERSION = re.compile(r"(?<![a-z])(?:pro|anti)(?![a-z])")
_OUTPUT = re.compile(rb"\s*[^\t\n]+\t(?:true|false)\t(?:true|false)\s", re.IGNORECASE)


class TargetedNumber(NamedTuple):
    """A statistic of a group, the ends of its interval, and the p of a difference."""

    group: str
    statistic: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None = None


@dataclass(frozen=True)
class TargetedScores:
    """One response scored on a targeted set.

    Attributes:
        key: the display name of the key.
        response: the display name of the response.
        counts: for each group, `tp`, `fp`, `fn`, `tn`, and the pronouns with correct
            links only, and all pronouns.
        numbers: the statistics of groups, and those that compare two of them.
        signature: the settings.
        notes: notes on the input.
        warnings: why the scores may be misleading.

    >>> row = TargetedNumber("overall", "f1", 0.5, 0.4, 0.6)
    >>> TargetedScores("key", "a", {}, [row], "")["overall", "f1"].value
    0.5
    """

    key: str
    response: str
    counts: Mapping[str, Mapping[str, int]]
    numbers: Sequence[TargetedNumber]
    signature: str
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()

    def __getitem__(self, name: tuple[str, str]) -> TargetedNumber:
        """Return the number of a group and a statistic, as in `"overall", "f1"`."""
        return {row[:2]: row for row in self.numbers}[name]

    def __str__(self) -> str:
        return TARGETED_WRITERS["table"]([self])

    def to_records(self) -> list[dict[str, Value]]:
        """Return a record for each number."""
        return [
            {"response": self.response, **row._asdict(), "signature": self.signature}
            for row in self.numbers
        ]


class _Example(NamedTuple):
    id: str
    gender: str
    counts: Sequence[int]  # in the order of `_COUNTS`


@expand_settings
def score_targeted(
    key: Path,
    response: Input,
    *,
    samples: int = 10_000,
    seed: int = 0,
    format: str | None = None,
    **keywords: Unpack[Keywords],
) -> TargetedScores:
    """Score how a response resolves the pronouns of GAP or WinoBias.

    Args:
        key: a file of GAP or WinoBias, or a folder of such files.
        response: as for `corefkit.score`, or a file with the output that GAP defines.
        samples: the number of draws of intervals, and of swaps of tests.
        seed: the seed of draws and swaps.
        format: the format of files; detected by default.
        keywords: the settings, by name.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "pro.txt")
    ...     _ = path.write_text("1 [The cook] thanked the guard because [she] slept.")
    ...     result = score_targeted(path, {"pro/1": [[(0, 1), (6, 6)]]})
    >>> result["feminine", "accuracy"].value
    1.0
    """
    kind = format or detect_first_format(key)
    if kind not in TARGETED:
        message = f"is not a targeted set, expected {' or '.join(TARGETED)}"
        code, hint = "format/other-format", "`corefkit.score` supports other keys"
        raise FormatError(message, code=code, place=os.fspath(key), hint=hint)
    settings = resolve_settings(**keywords)
    Procedure(samples=samples, seed=seed)  # which rejects invalid numbers
    if settings.joins_documents or settings.is_macro:
        message = "the examples of targeted sets are neither joined nor averaged"
        hint = "leave out scope and average"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    path = os.fspath(response) if isinstance(response, str | os.PathLike) else ""
    if kind == "gap" and os.path.isfile(path):  # noqa: PTH113 - "" is not a Path
        response = _read_output(key, path) or response
    with open_runs(key, [response], settings=settings, format=format) as (run,):
        blocks = (block for _, block in iter_aligned_blocks([run]))
        examples = [row for block in blocks for row in _count_links(kind, run, block)]
        name = path or run.response.name
        notes, warnings = (
            [replace_default_name(text, name) for text in texts]
            for texts in (run.notes, run.warnings)
        )
    counts, numbers = _compute_numbers(examples, samples, seed)
    signature = f"{run.effective_settings.signature}|targeted:{kind}"
    signature += f"|samples:{samples}|seed:{seed}"
    return TargetedScores(
        run.key.name, name, counts, numbers, signature, notes, warnings
    )


def _read_output(key: Path, path: str) -> _Partitions | None:
    """Read a file with the output that GAP defines as entities; None for others."""
    with ByteFile(path) as file:
        if not _OUTPUT.match(file.head):
            return None
        faults, partitions = Faults(file), _Partitions()
        documents = {document.id: document for document in read(key)}
        for line, text in read_lines(file, file.text_start, file.size, faults):
            name, *flags = text.split("\t")
            if len(flags) != 2 or name in partitions:
                message = f"found {quoted(text)}, expected a new id and two flags"
                hint = "the columns are ID, A-coref and B-coref, separated by tabs"
                faults(line, message, hint, kind=WRONG_COLUMNS)
            linked = [parse_flag(flag, line, faults) for flag in flags]
            is_linked = dict(zip("AB", linked, strict=True))
            mentions = [m for entity in documents.get(name, ()) for m in entity]
            partitions[name] = [
                [
                    (mention.start, mention.end)
                    for mention in mentions
                    if is_linked.get(mention.attributes.get("name", ""), True)
                ]
            ]
    return partitions


def _count_links(kind: str, run: Run, block: AlignedBlock) -> Iterator[_Example]:
    key, response = block.key.scored, block.response.scored
    alignment = block.table.mentions.alignment
    attributes = block.key.read_attributes(())
    answer_of = np.full(len(key.entity), -1)
    answer_of[alignment.key] = response.entity[alignment.response]
    is_matched = np.zeros(len(response.entity), bool)
    is_matched[alignment.response] = True
    with_others = {*response.entity[~is_matched].tolist()} if kind == "winobias" else {}
    mentions_of = defaultdict[int, list[int]](list)
    for mention, row in enumerate(key.document.tolist()):
        mentions_of[row].append(mention)
    for row, number in enumerate(block.key.numbers):
        mentions = mentions_of[row]
        pronouns = [m for m in mentions if "gender" in attributes[m]]
        candidates = [m for m in mentions if "gender" not in attributes[m]]
        genders = {attributes[m]["gender"] for m in pronouns}
        name = run.key.ids[number or 0]
        if len(genders) != 1 or len(candidates) != TARGETED[kind]:
            message = f"example {quoted(name)} has pronouns of {len(genders)} genders "
            message += f"and {len(candidates)} candidates, expected 1 gender and "
            message += f"{TARGETED[kind]}"
            hint = "mark a pronoun and its candidates, and keep singletons of the key"
            code, place = INVALID_ANNOTATION.code, run.key.format_place(number or 0)
            raise FormatError(message, code=code, place=place, hint=hint)
        is_missing = block.response.numbers[row] is None
        counts = Counter(pronouns=len(pronouns))
        for pronoun in pronouns:
            answer = answer_of[pronoun]
            expected = key.entity[candidates] == key.entity[pronoun]
            linked = (answer_of[candidates] == answer) & (answer >= 0)
            is_right = (linked == expected) & (not is_missing)
            has_other = answer in with_others
            for right, positive in zip(is_right, linked, strict=True):
                counts[("t" if right else "f") + ("p" if positive else "n")] += 1
            counts["fp"] += has_other
            counts["correct"] += bool(is_right.all()) and not has_other
        yield _Example(name, genders.pop(), [counts[count] for count in _COUNTS])


def _compute_numbers(
    examples: Sequence[_Example], samples: int, seed: int
) -> tuple[dict[str, dict[str, int]], list[TargetedNumber]]:
    """Compute the counts and statistics of groups, and compare groups.

    If every sentence of WinoBias has both versions, these are a unit of resampling.
    """
    matches = [_VERSION.search(example.id.rpartition("/")[0]) for example in examples]
    versions = [match[0] if match else "" for match in matches]
    genders = [example.gender for example in examples]
    members = {"overall": [True] * len(examples)}
    for name in dict.fromkeys(GENDERS.values()):
        members[name] = [gender == name for gender in genders]
    for name in _VERSIONS if {*_VERSIONS} <= {*versions} else ():
        members[name] = [version == name for version in versions]
    stems = [_VERSION.sub("", example.id, count=1) for example in examples]
    pairs = [(stem, version) for stem in {*stems} for version in _VERSIONS]
    is_paired = sorted(zip(stems, versions, strict=True)) == sorted(pairs)
    names = stems if is_paired else [example.id for example in examples]
    units, unit = np.unique(names, return_inverse=True)
    counts = np.array([example.counts for example in examples], float)
    table = np.zeros((len(_COUNTS), len(members), len(units)))
    for number, flags in enumerate(members.values()):
        np.add.at(table[:, number].T, unit, counts * np.array(flags)[:, None])
    blocks = draw_units(units.tolist(), seed=seed, samples=samples)
    draws = np.concatenate([np.tensordot(table, block, 1) for block in blocks], axis=2)
    end = expand_tail(_TAIL, units=len(units)) if len(units) > 1 else math.nan
    # The last column is the observed number.
    scores = _score(np.concatenate([draws, table.sum(axis=2, keepdims=True)], axis=2))
    by_name = {
        (group, statistic): scores[column, row]
        for row, group in enumerate(members)
        for column, statistic in enumerate(STATISTICS)
    }
    parts = [by_name[name, "f1"] for name in ("feminine", "masculine")]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(np.minimum(*parts) > 0, parts[0] / parts[1], math.nan)
    by_name["feminine/masculine", "f1"] = ratio
    p_values: dict[tuple[str, str], float] = {}
    for statistic in ("f1", "accuracy") if "pro" in members else ():
        pro, anti = (by_name[version, statistic] for version in _VERSIONS)
        by_name["pro-anti", statistic] = pro - anti
        if is_paired:
            p_values["pro-anti", statistic] = _test_difference(
                units.tolist(), table[:, -2:], statistic, samples, seed
            )
    numbers = []
    for key, values in by_name.items():
        observed = float(values[-1])
        value = observed if math.isfinite(observed) else None
        has_interval = math.isfinite(end) and np.isfinite(values).all()
        tails = [end, 1 - end] if has_interval else []
        low, high = np.quantile(values[:-1], tails).tolist() or (None, None)
        numbers.append(TargetedNumber(*key, value, low, high, p_values.get(key)))
    sums = table.sum(axis=2).astype(int).T.tolist()
    rows = [dict(zip(_COUNTS, row, strict=True)) for row in sums]
    return dict(zip(members, rows, strict=True)), numbers


def _score(counts: Floats) -> Floats:
    """Compute `STATISTICS`; those without a denominator are 0, as in GAP."""
    tp, fp, fn, _, correct, pronouns = counts
    parts = np.array([tp, tp, 2 * tp, correct])
    totals = np.array([tp + fn, tp + fp, 2 * tp + fp + fn, pronouns])
    scores: Floats = np.divide(
        parts, totals, out=np.zeros_like(parts), where=totals > 0
    )
    return scores


def _test_difference(
    units: Sequence[str], table: Floats, statistic: str, samples: int, seed: int
) -> float:
    """Test a difference by swapping the two versions of sentences."""
    pro, anti = table[:, 0], table[:, 1]
    differs = (pro != anti).any(axis=0)
    names = [name for name, flag in zip(units, differs, strict=True) if flag]
    is_exact = len(names) <= MAX_ENUMERATED
    swaps = toss_swaps(names, seed=seed, samples=samples)
    kept = np.concatenate(
        [enumerate_swaps(len(names))] if is_exact else [*swaps], axis=1
    )
    # The first column keeps all versions.
    kept = np.insert(kept, 0, 1, axis=1)
    moved = (pro - anti)[:, differs] @ (1 - kept)
    sums = [version.sum(axis=1)[:, None] for version in (pro, anti)]
    differences = _score(sums[0] - moved) - _score(sums[1] + moved)
    observed, *others = differences[STATISTICS.index(statistic)].tolist()
    count = count_extreme(np.array(others), observed, "two-sided")
    return count / len(others) if is_exact else (count + 1) / (len(others) + 1)


def build_page(results: Sequence[TargetedScores]) -> Iterator[Part]:
    """Build a table of groups, and one of comparisons, for each response."""
    names = label_paths([result.response for result in results])
    for name, result in zip(names, results, strict=True):
        groups = [
            [group.capitalize(), *(_format(result[group, key]) for key in STATISTICS)]
            for group in result.counts
        ]
        heads = ["", "Recall", "Precision", "F1", "Accuracy"]
        caption = name if len(results) > 1 else ""
        yield Table(make_columns(heads), make_rows(groups), caption)
        compared = [
            [f"{row.statistic.capitalize()} {row.group}", _format(row), _format_p(row)]
            for row in result.numbers
            if row.group not in result.counts
        ]
        yield Table(make_columns(["", "Value", "p"]), make_rows(compared))
    overall = results[0].counts["overall"]
    yield Note(f"{format_count(overall['pronouns'], 'pronoun')}, in percent")
    yield Note("[95% intervals]: expanded percentile, draws of examples")
    for signature in dict.fromkeys(result.signature for result in results):
        yield Note(signature, is_code=True)


def _format(row: TargetedNumber) -> str:
    scale = 1 if "/" in row.group else 100
    ends = [end for end in row[2:5] if end is not None]
    value, *interval = [f"{scale * end:.2f}" for end in ends] or ["-"]
    return f"{value} [{', '.join(interval)}]" if interval else value


def _format_p(row: TargetedNumber) -> str:
    return "-" if row.p is None else f"{row.p:.4f}"


def _render_csv(results: Sequence[TargetedScores]) -> str:
    records = [record for result in results for record in result.to_records()]
    return format_csv([[*records[0]], *([*row.values()] for row in records)])


def _render_json(results: Sequence[TargetedScores]) -> str:
    systems = [
        {
            **{"response": result.response, "counts": result.counts},
            "numbers": [row._asdict() for row in result.numbers],
        }
        for result in results
    ]
    fields = {"signature": results[0].signature, "key": results[0].key}
    return format_json({"corefkit": VERSION, **fields, "systems": systems})


TARGETED_WRITERS: Mapping[str, Callable[[Sequence[TargetedScores]], str]] = {
    "table": lambda results: render_terminal(build_page(results)),
    "json": _render_json,
    "csv": _render_csv,
    "markdown": lambda results: render_markdown(build_page(results)),
    "latex": lambda results: render_latex(build_page(results)),
}
