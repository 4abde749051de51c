"""The studies on small corpora, and how claims are judged."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from resolver.stories import stories, write_study_corpora

import corefkit
from cistell.cli import main
from cistell.learners import ThresholdClassifier, learn_tree
from cistell.paper.memory import Column, Instances, learn_ib1
from cistell.studies.claims import (
    FAILS,
    HOLDS,
    NOISE,
    Difference,
    JudgedClaim,
    judge_contradiction,
    judge_differences,
    judge_links,
    present_claims,
)
from cistell.studies.study import (
    STUDIES,
    get_writer,
    run_study,
)
from cistell.studies.system_mentions import annotate, match_mentions
from cistell.studies.systems import (
    FOUR,
    SEVEN,
    CachedParser,
    StudyOptions,
    StudySetting,
    Trainer,
    Variant,
)
from cistell.trees import TreeParser
from corefkit import CorefkitError, Mention
from corefkit.analysis.compare.comparison import Interval
from corefkit.tables.model import (
    Bullets,
    Heading,
    Page,
    Table,
    make_columns,
    make_rows,
)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_study_corpora(tmp_path_factory.mktemp("data"))


@pytest.fixture
def options(data):
    notes = []
    return StudyOptions(data=data, wordnet="none", note=notes.append), notes


@pytest.mark.parametrize("name", ["language", "taggers", "sweep"])
def test_study_judges_claims_on_a_page(name, options):
    page = run_study(name, options[0])
    headings = [part.text for part in page.parts if isinstance(part, Heading)]
    assert headings[0] == "Which claims of the paper hold"
    lists = [part.items for part in page.parts if isinstance(part, Bullets)]
    verdicts = {item.word for item in lists[0]}
    assert verdicts
    assert verdicts <= {HOLDS, NOISE, FAILS, "mixed"}
    if name == "language":
        (skipped,) = (note for note in options[1] if "Democrat" in note)
        assert skipped.startswith("skipped: Democrat (French).")


def test_limitations_are_reported_once_and_on_the_page(options):
    page = run_study("language", options[0])
    (limitations,) = (part for part in page.intro if isinstance(part, Bullets))
    listed = [item.text for item in limitations.items]
    assert listed == options[1]
    assert any("Democrat" in text for text in listed)
    assert len(listed) == len({*listed})


@pytest.mark.parametrize("name", STUDIES)
def test_missing_folder_of_data_is_an_error(name, tmp_path):
    with pytest.raises(CorefkitError) as caught:
        run_study(name, StudyOptions(data=tmp_path / "nothing"))
    assert caught.value.code == "model/no-corpus"


@pytest.mark.parametrize("name", STUDIES)
def test_missing_scikit_learn_stops_or_limits_a_study(name, options, monkeypatch):
    find = importlib.util.find_spec
    hidden = lambda module: None if module == "sklearn" else find(module)  # noqa: E731
    monkeypatch.setattr("cistell.studies.study.find_spec", hidden)
    if name in ("language", "scheme"):
        texts = str(run_study(name, options[0]).parts)
        assert "BEST, logistic" not in texts
        assert any("scikit-learn" in note for note in options[1])
    else:
        with pytest.raises(CorefkitError) as caught:
            run_study(name, options[0])
        needs = "settings/missing-value", "environment/missing-package"
        assert caught.value.code == needs[name != "preprocessing"]


class CountingParser(TreeParser):
    """Finds the same tree for every sentence."""

    def __init__(self):
        self.sentences = []

    def iter_sentences(self, text):
        raise NotImplementedError(text)

    def parse_words(self, words):
        self.sentences.append(tuple(words))
        return [[str(i + 1), word, "_", "X"] for i, word in enumerate(words)]


def test_equal_sentences_are_parsed_once():
    parser = CountingParser()
    cached = CachedParser(parser)
    (document,) = stories(1)
    first = cached.parse_document(document)
    assert cached.parse_document(document) == first
    assert sorted(parser.sentences) == sorted({*document.sentences})


def test_study_without_any_corpus_names_all_that_are_missing(tmp_path):
    with pytest.raises(CorefkitError) as caught:
        run_study("language", StudyOptions(data=tmp_path))
    assert caught.value.code == "model/no-corpus"
    for file in ("en_gum-ud", "dem1921_sg", "es_ancora-ud"):
        assert file in caught.value.hint


def test_preprocessing_requires_a_parser(options):
    with pytest.raises(CorefkitError) as caught:
        run_study("preprocessing", options[0])
    assert caught.value.code == "settings/missing-value"


@pytest.mark.parametrize("name", ["languages", ""])
def test_unknown_study_is_an_error(name, options):
    with pytest.raises(CorefkitError) as caught:
        run_study(name, options[0])
    assert caught.value.code == "settings/unknown-value"


def test_studies_are_those_of_the_three_papers():
    assert [*STUDIES] == ["language", "scheme", "preprocessing", "taggers", "sweep"]
    for study in STUDIES.values():
        titles = [setting.title for setting in study.settings]
        assert len(titles) == len({*titles})


@pytest.mark.parametrize("suffix", [".html", ".md", ".tex"])
def test_page_is_written_in_the_format_of_its_suffix(suffix, tmp_path):
    table = Table(make_columns(["Model", "MUC"]), make_rows([("WEAK", "55.5")]))
    page = Page("Study", (), (Heading(2, "Scores", "scores"), table), "command")
    assert "WEAK" in get_writer(tmp_path / f"page{suffix}")(page)


def test_command_writes_page_and_responses(data, tmp_path, capsys):
    page, responses = tmp_path / "page.html", tmp_path / "responses"
    words = ["study", "scheme", "--data", str(data), "-o", str(page)]
    words += ["--wordnet", "none", "--responses", str(responses)]
    assert main(words) == 0
    assert "WEAK" in page.read_text("utf-8")
    assert "Which claims of the paper hold" in capsys.readouterr().out
    assert len([*responses.iterdir()]) == 3
    for folder in responses.iterdir():
        files = {path.stem: path for path in folder.iterdir()}
        for name, response in files.items():
            scores = corefkit.score(files["key"], response, metrics="b_cubed,ceaf_m")
            # Mentions are given, so that CEAFm has one number.
            ceaf = scores["ceaf_m"]
            assert ceaf.recall == pytest.approx(ceaf.precision), name
            assert name != "all-singletons" or scores["b_cubed"].precision == 1


def test_folder_of_the_page_is_made(data, tmp_path, capsys):
    page = tmp_path / "pages" / "sweep.md"
    words = ["study", "sweep", "--data", str(data), "-o", str(page)]
    assert main([*words, "--wordnet", "none"]) == 0
    assert "| 0.98 |" in page.read_text("utf-8")
    assert "0.98" not in capsys.readouterr().out


def test_unsupported_page_is_rejected_before_the_study_runs(data, tmp_path, capsys):
    words = ["study", "scheme", "--data", str(data), "-o", str(tmp_path / "page.pdf")]
    assert main(words) == 2
    assert ".html" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("low", "high", "verdict"), [(0.1, 2, HOLDS), (-1, 2, NOISE), (-3, -1, FAILS)]
)
def test_difference_is_judged_by_its_interval(low, high, verdict):
    assert Difference((low + high) / 2, low, high).verdict == verdict


def test_least_certain_difference_decides():
    sure, unsure = Difference(5, 4, 6), Difference(1, -1, 3)
    wrong = Difference(-2, -3, -1)
    judge = lambda **rows: judge_differences("c", "", rows).verdict  # noqa: E731
    assert judge(a=sure) == HOLDS
    assert judge(a=sure, b=unsure) == NOISE
    assert judge(a=sure, b=unsure, c=wrong) == FAILS


def test_independent_scores_have_the_widest_interval():
    gap = Difference(60, 55, 65) - Difference(50, 48, 53)
    assert gap == (10, 2, 17)


def test_settings_of_a_claim_are_one_item():
    rows = [JudgedClaim("c", "", v, ("1",), v) for v in (HOLDS, FAILS)]
    *_, bullets = present_claims(rows)
    (item,) = bullets.items
    assert item.word == "mixed"


def make_run(scores, links=None, significant=True):
    """Make the results of a setting with these scores, by metric and system."""
    metrics = {}
    for metric in ("muc", "b_cubed", "ceaf_m", "lea"):
        values = {name: scores.get((metric, name), 0.5) for name in SEVEN}
        pairs = [
            SimpleNamespace(
                a=a,
                b=b,
                difference=values[a] - values[b],
                intervals={
                    "percentile": Interval(
                        values[a] - values[b] - 0.01, values[a] - values[b] + 0.01
                    )
                },
                is_significant=significant and values[a] != values[b],
            )
            for i, a in enumerate(SEVEN)
            for b in SEVEN[i + 1 :]
        ]
        metrics[metric] = SimpleNamespace(pairs=pairs)
    links = links or {}
    return SimpleNamespace(
        setting=StudySetting("s", "gum"),
        comparison=metrics,
        seven=metrics,
        count_links=lambda name: links.get(name, 0),
    )


@pytest.mark.parametrize(("significant", "verdict"), [(True, HOLDS), (False, NOISE)])
def test_contradiction_requires_significant_swaps(significant, verdict):
    scores = {("muc", "WEAK"): 0.7, ("b_cubed", "WEAK"): 0.3}
    assert (
        judge_contradiction(make_run(scores, significant=significant)).verdict
        == verdict
    )


def test_metrics_that_agree_do_not_contradict():
    scores = {(metric, "WEAK"): 0.7 for metric in ("muc", "b_cubed", "ceaf_m")}
    assert judge_contradiction(make_run(scores)).verdict == FAILS


@pytest.mark.parametrize(
    ("links", "verdict"), [((9, 8, 7), HOLDS), ((9, 7, 8), FAILS), ((6, 8, 7), FAILS)]
)
def test_links_are_ordered(links, verdict):
    run = make_run({}, dict(zip(("WEAK", "STRONG", "BEST"), links, strict=True)))
    assert judge_links(run).verdict == verdict


def test_variant_trains_on_a_share_of_the_texts(data):
    documents = list(corefkit.read(data / "gum-train.conllu"))
    parts = [replace(d, id=f"{d.id}/1") for d in documents]
    options = StudyOptions(data=data, wordnet="none")
    trainer = Trainer(parts, options.load_lexicon("en"), options)
    pairs = []

    def learn(instances):
        pairs.append(len(instances.positive))
        return learn_ib1(instances)

    model = trainer.train(learn=learn)
    trainer.train(Variant("half", train_share=0.5), learn=learn)
    assert 0.2 * pairs[0] < pairs[1] < 0.8 * pairs[0]
    fewer = trainer.train(Variant("", without=("strings",)))
    assert len(fewer.columns) < len(model.columns)


INSTANCES = Instances(
    (Column("same", ("no", "yes")), Column("far", ("no", "yes"))),
    np.array([[1, 0], [0, 1]] * 20, np.uint8),
    np.array([True, False] * 20),
)


def test_decision_tree_learns_the_feature_that_decides():
    classifier = learn_tree(INSTANCES)
    decisions = classifier.decide(INSTANCES.rows[:2])
    assert decisions.positive.tolist() == [True, False]
    assert sum(classifier.weights.values()) == pytest.approx(1)


def test_threshold_decides_by_probability():
    tree = learn_tree(INSTANCES)
    for threshold, positive in ((0.0, [True, True]), (1.1, [False, False])):
        decisions = ThresholdClassifier(tree, threshold).decide(INSTANCES.rows[:2])
        assert decisions.positive.tolist() == positive


def test_found_mentions_are_twins_or_twinless():
    (document,) = stories(1)
    gold = [m for entity in document for m in entity]
    extra = Mention(len(document.tokens) - 1, len(document.tokens) - 1)
    found = match_mentions([document], lambda _: [*gold[1:], extra])
    assert (found.twins[0], found.twinless[0]) == (gold[1:], [extra])
    assert len(found.select(0.0)[0]) == len(gold) - 1
    annotated = annotate(document, found.select(1.0)[0])
    assert sum(map(len, annotated.entities)) == len(gold)
    assert any(len(entity) == 1 for entity in annotated)


def test_seven_models_include_the_four():
    assert {*FOUR} < {*SEVEN}
