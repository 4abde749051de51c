"""The studies: what each runs, and its page.

language       Recasens and Hovy (2010), section 4: English and a Romance language
scheme         section 5: annotation schemes of the same texts
preprocessing  section 6: gold and automatic trees
taggers        Cai and Strube (2010), section 3: system mentions
sweep          Luo (2005), section 3.2: from reluctant to eager linking
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import corefkit
from cistell.studies.claims import (
    get_score,
    judge,
    list_findings,
    load_printed_scores,
    shorten_label,
)
from cistell.studies.corpora import (
    CORPORA,
    MissingCorpus,
    find_files,
    read_definitions,
)
from cistell.studies.linking_sweep import run_sweep
from cistell.studies.system_mentions import run_taggers
from cistell.studies.systems import METRICS, Setting, StudyOptions, Variant, run_setting
from corefkit.analysis.statistics import build_statistics_table, statistics_of
from corefkit.exceptions import CorefkitError, SettingsError, quoted
from corefkit.formats.output import replace_file
from corefkit.strings import suggest
from corefkit.tables.html import render_html_page
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown_page
from corefkit.tables.model import (
    Heading,
    Page,
    Paragraph,
    Range,
    Ranges,
    Table,
    make_columns,
    make_rows,
)
from corefkit.tables.terminal import render_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cistell.studies.claims import Finding
    from cistell.studies.systems import SettingRun
    from corefkit.tables.model import Part


class SettingStudy(NamedTuple):
    """A study that compares settings, as in `studies.toml`."""

    title: str
    about: str
    settings: tuple[Setting, ...]


def _read_studies() -> dict[str, SettingStudy]:
    studies = read_definitions("studies")
    variants = {name: Variant(**row) for name, row in studies.pop("variants").items()}

    def make_setting(row: dict[str, Any]) -> Setting:
        chosen = tuple(variants[name] for name in row.get("variants", ()))
        return Setting(**{**row, "variants": chosen})

    return {
        name: SettingStudy(
            row["title"], row["about"], tuple(map(make_setting, row["settings"]))
        )
        for name, row in studies.items()
    }


SETTING_STUDIES = _read_studies()
_OTHER_STUDIES: Mapping[str, Callable[[StudyOptions], Page]] = {
    "taggers": run_taggers,
    "sweep": run_sweep,
}
STUDIES = (*SETTING_STUDIES, *_OTHER_STUDIES)
# Packages that learners and parsers require.
_LEARNER, _PARSER = "sklearn", "ufal.udpipe"


def run_study(name: str, options: StudyOptions) -> Page:
    """Run a study, and return its page.

    Data and packages are checked first; settings without their corpora are skipped.
    """
    if name in _OTHER_STUDIES:
        _check_package(_LEARNER, "scikit-learn")
        find_files("gum", "train", options.data)
        return _OTHER_STUDIES[name](options)
    if name not in SETTING_STUDIES:
        message = f"there is no study {quoted(name)}"
        hint = suggest(name, STUDIES)
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    study = SETTING_STUDIES[name]
    settings = list(_select_settings(study.settings, options))
    if any(setting.is_parsed for setting in settings):
        options = replace(options, parser=_find_parser(options))
    runs = [run_setting(setting, options) for setting in settings]
    if options.responses is not None:
        for run in runs:
            write_responses(run, options.responses)
    findings = judge(runs)
    intro = (Paragraph(study.about), Paragraph(_describe_method(options)))
    return Page(
        f"{study.title}: a study rerun",
        intro,
        tuple(_iter_parts(runs, findings)),
        f"cistell study {name}",
    )


def _select_settings(
    settings: Iterable[Setting], options: StudyOptions
) -> Iterator[Setting]:
    """Yield the settings whose corpora and packages are available."""
    if not options.data.is_dir():
        message = "the folder of data does not exist"
        raise SettingsError(message, code="model/no-corpus", place=str(options.data))
    problems = []
    has_learner = find_spec(_LEARNER) is not None
    if not has_learner:
        options.note("logistic regression is skipped: scikit-learn is not installed")
    for setting in settings:
        names = [setting.corpus]
        if setting.scheme == "noun-phrases":
            names += ["constituents", "gum"]
        try:
            for name in names:
                for part in ("train", "test"):
                    find_files(name, part, options.data)
        except MissingCorpus as error:
            problems.append(error)
            options.note(f"{setting.title} is skipped: {error.message}; {error.hint}")
            continue
        if note := CORPORA[setting.corpus].note:
            options.note(note)
        yield replace(setting, has_modern=setting.has_modern and has_learner)
    if len(problems) == len(tuple(settings)):
        raise problems[0]


def _check_package(module: str, package: str) -> None:
    if find_spec(module) is None:
        message = f"the study requires {package}"
        hint = 'install it with pip install "cistell[study]"'
        raise CorefkitError(message, code="environment/missing-package", hint=hint)


def _find_parser(options: StudyOptions) -> str:
    """Return the parser; by default, models of UDPipe in the folder of data."""
    parser = options.parser
    if not parser:
        models = sorted(options.data.glob("udpipe/en*.udpipe"))
        if not models:
            message = "the study requires a parser for automatic trees"
            hint = "specify one with --parser, as in udpipe:FILE"
            raise SettingsError(message, code="settings/missing-value", hint=hint)
        parser = f"udpipe:{','.join(map(str, models))}"
    if parser.startswith("udpipe:"):
        _check_package("ufal.udpipe", _PARSER)
    return parser


def _describe_method(options: StudyOptions) -> str:
    size = (
        f"split into parts of {options.words} words" if options.words else "not split"
    )
    return (
        f"Mentions are given, as in the paper. Documents are {size}. Models without a "
        "learner's name use memory-based learning (IB1). Intervals contain 95 % of "
        "1,000 bootstrap samples of the test texts."
    )


_WRITERS: Mapping[str, Callable[[Page], str]] = {
    ".html": render_html_page,
    ".md": render_markdown_page,
    ".tex": lambda page: render_latex(page.parts),
}


def check_suffix(path: Path) -> None:
    """Check that the suffix of a page is that of a supported format."""
    if path.suffix not in _WRITERS:
        message = f"the page {quoted(path.name)} has no supported format"
        hint = f"use one of {', '.join(_WRITERS)}"
        raise SettingsError(message, code="settings/invalid-value", hint=hint)


def write_page(page: Page, path: Path) -> None:
    """Write a page; the suffix chooses the format: .html, .md or .tex."""
    check_suffix(path)
    with replace_file(path) as unfinished:
        unfinished.write_text(_WRITERS[path.suffix](page), "utf-8")


def render_summary(page: Page) -> str:
    """Render the first section of a page for a terminal."""
    parts: list[Part] = []
    for part in page.parts:
        if isinstance(part, Heading) and part.level == 2 and parts:
            break
        parts.append(part)
    return render_terminal(parts)


def _iter_parts(
    runs: Sequence[SettingRun], findings: Sequence[Finding]
) -> Iterator[Part]:
    yield Heading(2, "Which claims of the paper hold", "claims")
    yield Paragraph(
        "Each claim is a difference in points that should be above 0. It holds, or "
        "does not, if its 95 % interval is above, or below, 0; otherwise it is within "
        "noise. A claim is judged in the settings whose printed numbers show it."
    )
    yield list_findings(findings)
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
    printed = load_printed_scores(run.setting.paper) if run.setting.paper else {}
    heads = ["Model", *(shorten_label(metric) for metric in METRICS), "Links"]
    heads += [f"paper: {shorten_label(metric)}" for metric in METRICS[:3] if printed]
    rows, ranges = [], []
    for name in run.responses:
        scores = {metric: get_score(run, metric, name) for metric in METRICS}
        cells = [
            f"{score.value:.1f} ±{(score.high - score.low) / 2:.1f}"
            for score in scores.values()
        ]
        numbers = printed.get(name, {})
        cells += [f"{run.count_links(name):,}"]
        cells += [
            f"{numbers[metric]:.2f}" if metric in numbers else ""
            for metric in METRICS[:3]
            if printed
        ]
        rows.append((name, *cells))
        ranges.append(
            (
                name,
                tuple(
                    Range(series, scores[metric].value, *scores[metric][1:])
                    for series, metric in enumerate(METRICS[:3])
                ),
            )
        )
    labels = tuple(shorten_label(metric) for metric in METRICS[:3])
    yield Ranges("F1 with 95 % intervals", tuple(ranges), labels)
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
