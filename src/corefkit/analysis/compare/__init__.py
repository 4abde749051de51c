"""Is the difference real: intervals, tests and ranks of systems on one key.

procedure       what is tested, and how: all options of a comparison
asked           what systems are compared by
systems         responses with names, scored now or stored before
naming          names of systems
comparable      what may be compared: one key, one way of scoring
counts          the metrics of results, and the counts of their documents
units           texts as units, strata
sample          counts of systems, unit by unit, and the measures made of them
measures        what is measured of a sample, and the columns that it takes
resampling      draws and swaps of units
tests           p-values: randomization, bootstrap, paired t
intervals       intervals of scores and differences
correction      p-values of many pairs
ranks           ranks and the letter display
comparing       from a sample to results: all metrics at once
judging         one metric: its systems, pairs and strata
remarks         why the results of a metric may not say what they should
whole           from systems to a comparison
cautions        why results may not say what they seem to say
comparison      what comes out
sorting         what its tables are sorted by
values          the same as plain values
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from corefkit.analysis.compare.asked import asked_for
from corefkit.analysis.compare.comparable import check_key
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.systems import Scoring, systems_of
from corefkit.analysis.compare.whole import compared_systems
from corefkit.settings.keywords import Keywords, names_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.analysis.compare.systems import Given
    from corefkit.formats.inputs import Input
    from corefkit.metrics.base import Metric


@names_settings
def compare(
    key: Input | None,
    responses: Mapping[str, Given] | Iterable[Given],
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    statistic: str = "f1",
    unit: str = "text",
    units: Mapping[str, str] | None = None,
    test: str = "randomization",
    samples: int = 10_000,
    seed: int = 0,
    alpha: float = 0.05,
    correction: str = "holm",
    interval: str = "expanded",
    baseline: str | None = None,
    alternative: str = "two-sided",
    strata: str | None = None,
    skip_broken: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
    **keywords: Unpack[Keywords],
) -> Comparison:
    """Compare systems: is one really better than another, and by how much.

    Args:
        key: as for `corefkit.score`; None if all responses are stored results.
        responses: a mapping of names to responses, or a list of them, which are then
            named by their files. Each is as for `corefkit.score`, or an `Evaluation`,
            or the path of a file with what `corefkit score --format json
            --per-document` printed.
        metrics: names or `Metric` values; the default set and the CoNLL mean if not
            given. `errors.divided` and so on count errors of a kind.
        statistic: what of a metric is compared: `f1`, `recall` or `precision`.
        unit: what is swapped and drawn: a `text` with all its parts, or a `document`.
        units: the text of documents whose ids do not tell, by their ids.
        test: which p-value decides: `randomization`, `bootstrap`, or `t`, a paired
            t-test on the scores of documents.
        samples: how many shuffles, and how many draws.
        seed: of everything that is drawn at random.
        alpha: the level of the tests; intervals cover the rest of it.
        correction: of the p-values of all pairs of one metric: `holm`, `hochberg`,
            `bonferroni` or `none`.
        interval: which interval is shown: `expanded`, `percentile`, `bca` or `t`.
        baseline: the name of a system that the others are compared with; all pairs
            are compared if not given.
        alternative: of a system to the baseline: `two-sided`, `greater` or `less`.
        strata: `genre`, or a regular expression that is searched in document ids, and
            whose first group is the stratum; units are drawn within strata.
        skip_broken: go on without responses that cannot be scored, and say why.
        format: the format of files; recognised if not given.
        progress: called now and then with the work done and the whole work: first of
            scoring, then of draws, then of shuffles.
        keywords: the settings, as for `corefkit.score`.

    >>> import corefkit
    >>> from corefkit.example import paths
    >>> key, careful, greedy = paths()
    >>> comparison = corefkit.compare(key, {"careful": careful, "greedy": greedy})
    >>> pair = comparison["lea"].pairs[0]
    >>> round(pair.difference, 4), pair.p, pair.is_exact
    (0.1282, 0.125, True)
    """
    procedure = Procedure(
        *(statistic, unit, test, samples, seed, alpha, correction, interval),
        *(baseline, alternative, strata),
    )
    asked = asked_for(metrics)
    scoring = Scoring(asked, format, progress, skip_broken, keywords)
    systems = systems_of(key, responses, scoring)
    if key is not None and not systems.fresh:
        check_key(key, systems.results, format)
    return compared_systems(
        systems, procedure, asked=asked, units=units, progress=progress
    )
