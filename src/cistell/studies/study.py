"""The studies: their runs and pages.

language       Recasens and Hovy (2010), section 4: English and a Romance language
scheme         section 5: annotation schemes of the same texts
preprocessing  section 6: gold and automatic trees
taggers        Cai and Strube (2010), section 3: system mentions
sweep          Luo (2005), section 3.2: from reluctant to eager linking
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import corefkit
from cistell.studies.claims import (
    chart_scores,
    get_scores,
    judge,
    label_metric,
    load_printed_scores,
    present_claims,
)
from cistell.studies.corpora import find_files, read_definitions
from cistell.studies.linking_sweep import run_sweep
from cistell.studies.system_mentions import run_taggers
from cistell.studies.systems import (
    METRICS,
    CachedParser,
    StudyOptions,
    StudySetting,
    Variant,
    run_setting,
)
from cistell.trees import load_parser
from corefkit.analysis.statistics import build_statistics_table, statistics_of
from corefkit.exceptions import CorefkitError, SettingsError, quoted
from corefkit.strings import suggest
from corefkit.tables.html import render_html_page
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown_page
from corefkit.tables.model import (
    Bullet,
    Bullets,
    Heading,
    Page,
    Paragraph,
    Table,
    make_columns,
    make_rows,
)
from corefkit.tables.terminal import render_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cistell.studies.systems import SettingRun
    from corefkit.tables.model import Part


class Study(NamedTuple):
    """A study and its settings, as in `studies.toml`."""

    title: str
    about: str
    settings: tuple[StudySetting, ...]


def _read_studies() -> dict[str, Study]:
    studies = read_definitions("studies")
    variants = {name: Variant(**row) for name, row in studies.pop("variants").items()}

    def make_setting(row: dict[str, Any]) -> StudySetting:
        chosen = tuple(variants[name] for name in row.get("variants", ()))
        return StudySetting(**{**row, "variants": chosen})

    return {
        name: Study(**{**row, "settings": tuple(map(make_setting, row["settings"]))})
        for name, row in studies.items()
    }


STUDIES = _read_studies()
# Studies with one setting, which do more than compare systems.
_SINGLE: Mapping[str, Callable[[StudySetting, StudyOptions], Iterator[Part]]] = {
    "taggers": run_taggers,
    "sweep": run_sweep,
}


def run_study(name: str, options: StudyOptions) -> Page:
    """Run a study, and return its page.

    Data and packages are checked first; settings without their corpora are skipped.
    """
    if name not in STUDIES:
        message = f"there is no study {quoted(name)}"
        hint = suggest(name, STUDIES)
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    study = STUDIES[name]
    limits: list[str] = []
    options = replace(options, note=partial(_note_once, limits, options.note))
    has_learner = find_spec("sklearn") is not None
    if name in _SINGLE and not has_learner:
        message = "the study requires scikit-learn"
        hint = 'install it with pip install "cistell[study]"'
        raise CorefkitError(message, code="environment/missing-package", hint=hint)
    settings = _select_settings(study.settings, options)
    if name in _SINGLE:
        parts = tuple(_SINGLE[name](settings[0], options))
    else:
        if not has_learner:
            options.note("no logistic regression: scikit-learn is not installed")
            settings = [replace(setting, has_modern=False) for setting in settings]
        parts = tuple(_run_settings(settings, options))
    intro: list[Part] = [Paragraph(study.about)]
    if limits:
        intro.append(Bullets(tuple(map(Bullet, limits)), "Limitations of this run"))
    title = f"{study.title}: a study rerun"
    return Page(title, tuple(intro), parts, f"cistell study {name}")


def _note_once(limits: list[str], note: Callable[[str], None], limit: str) -> None:
    if limit not in limits:
        limits.append(limit)
        note(limit)


def _select_settings(
    settings: Iterable[StudySetting], options: StudyOptions
) -> list[StudySetting]:
    """Return the settings whose corpora are in the folder of data."""
    if not options.data.is_dir():
        message = "the folder of data does not exist"
        raise SettingsError(message, code="model/no-corpus", place=str(options.data))
    selected = []
    missing: dict[str, list[str]] = {}
    for setting in settings:
        names = [setting.corpus]
        if setting.scheme == "noun-phrases":
            names += ["constituents", "gum"]
        try:
            for name, part in product(names, ("test", "train")):
                find_files(name, part, options.data)
        except CorefkitError as error:
            text = f"{error.message}: {error.hint}"
            missing.setdefault(text, []).append(setting.title)
        else:
            selected.append(setting)
    if not selected:
        message, hint = "no corpus of the study is complete", "\n".join(missing)
        place = str(options.data)
        raise CorefkitError(message, code="model/no-corpus", place=place, hint=hint)
    for text, titles in missing.items():
        options.note(f"skipped: {', '.join(titles)}. {text}")
    for setting in selected:
        (path, *_) = find_files(setting.corpus, "train", options.data)
        if ".dev." in path.name:
            options.note(f"{path.name}, the development part, is used for training")
    return selected


def _load_parser(options: StudyOptions) -> CachedParser:
    """Load the parser; by default, models of UDPipe in the folder of data."""
    models = ",".join(map(str, sorted(options.data.glob("udpipe/en*.udpipe"))))
    if not options.parser and not models:
        message = "the study requires a parser for automatic trees"
        hint = "specify one with --parser, as in udpipe:FILE"
        raise SettingsError(message, code="settings/missing-value", hint=hint)
    return CachedParser(load_parser(options.parser or f"udpipe:{models}"))


_WRITERS: Mapping[str, Callable[[Page], str]] = {
    ".html": render_html_page,
    ".md": render_markdown_page,
    ".tex": lambda page: render_latex(page.parts),
}


def get_writer(path: Path) -> Callable[[Page], str]:
    """Return the writer of a page, by the suffix of its path."""
    if path.suffix not in _WRITERS:
        message = f"the page {quoted(path.name)} has no supported format"
        hint = f"use one of {', '.join(_WRITERS)}"
        raise SettingsError(message, code="settings/invalid-value", hint=hint)
    return _WRITERS[path.suffix]


def render_summary(page: Page) -> str:
    """Render the first section of a page for a terminal."""
    sections = [n for n, part in enumerate(page.parts) if isinstance(part, Heading)]
    return render_terminal(page.parts[: sections[1]])


def _run_settings(
    settings: Sequence[StudySetting], options: StudyOptions
) -> Iterator[Part]:
    parser = _load_parser(options) if any(s.is_parsed for s in settings) else None
    runs = [run_setting(setting, options, parser) for setting in settings]
    if options.responses is not None:
        for run in runs:
            write_responses(run, options.responses)
    size = f"in parts of {options.words} words" if options.words else "not split"
    yield from present_claims(judge(runs))
    yield Paragraph(
        "A claim of the paper is judged in the settings whose printed numbers show it. "
        f"Mentions are given, as in the paper, and documents are {size}. Models use "
        "memory-based learning (IB1) unless they are called logistic. SUPER STRONG < "
        "0.09 has the threshold of the paper. BEST without check links to the best "
        "antecedent, even if the rest of its entity disagrees."
    )
    for run in runs:
        yield Heading(2, run.setting.title, _make_file_name(run.setting.title))
        yield from _iter_setting_parts(run)
    yield Heading(2, "Corpora", "corpora")
    yield Paragraph("Test parts.")
    yield build_statistics_table(
        [(run.setting.title, statistics_of(run.key)) for run in runs]
    )


def _iter_setting_parts(run: SettingRun) -> Iterator[Part]:
    changes = ", ".join(f"{n:,} {why}" for why, n in sorted(run.changes.items()))
    yield Paragraph(
        "The threshold of SUPER STRONG, chosen on held-out training texts, is "
        f"{run.threshold:.3g}. Test mentions: {changes or 'unchanged'}. The best "
        f"features by gain ratio: {', '.join(run.features[:10])}."
    )
    printed = load_printed_scores(run.setting.paper)
    scores = [get_scores(run.comparison, metric) for metric in METRICS]
    of_paper = METRICS[:3] if printed else ()
    heads = ["Model", *map(label_metric, METRICS), "Links"]
    heads += [f"paper: {label_metric(metric)}" for metric in of_paper]
    rows = []
    for name in run.responses:
        cells = [
            f"{score.value:.1f} ±{(score.high - score.low) / 2:.1f}"
            for score in (column[name] for column in scores)
        ]
        numbers = printed.get(name, {})
        papers = (f"{numbers[m]:.2f}" if m in numbers else "" for m in of_paper)
        rows.append((name, *cells, f"{run.count_links(name):,}", *papers))
    yield chart_scores("F1 with 95 % intervals", run.comparison, METRICS[:3])
    yield Table(make_columns(heads), make_rows(rows), first="sentences")


def write_responses(run: SettingRun, folder: Path) -> None:
    """Write the key and all responses of a setting as CoNLL-U, for `corefkit score`."""
    target = folder / _make_file_name(run.setting.title)
    target.mkdir(parents=True, exist_ok=True)
    for name, documents in {"key": run.key, **run.responses}.items():
        path = target / f"{_make_file_name(name)}.conllu"
        corefkit.write(documents, path, format="conllu")


def _make_file_name(title: str) -> str:
    return re.sub(r"\W+", "-", title.lower()).strip("-")
