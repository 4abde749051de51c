"""Reports: all parts have the same systems, and say what their own functions say."""

from __future__ import annotations

import re

import pytest
from corpora import key_documents, response_documents

import corefkit
from corefkit import evaluation
from corefkit.analysis import errors
from corefkit.example import paths
from corefkit.exceptions import FormatError
from corefkit.report import assembly

KEY, CAREFUL, GREEDY = paths()
BOTH = {"careful": CAREFUL, "greedy": GREEDY}


@pytest.fixture(scope="module")
def report():
    return corefkit.make_report(KEY, BOTH, samples=100)


def test_parts_are_those_of_their_own_functions(report):
    assert report.comparison.to_dict() == (
        corefkit.compare(KEY, BOTH, samples=100).to_dict()
    )
    assert report.analysis.to_dict() == corefkit.errors(KEY, BOTH).to_dict()
    for name, result in zip(BOTH, report.evaluations, strict=True):
        scored = corefkit.score(KEY, BOTH[name])
        assert dict(result.scores) == dict(scored.scores)


def test_responses_are_read_once_for_scores_and_errors(monkeypatch):
    reads = []
    for module in (evaluation, errors):
        original = module.iter_aligned_blocks

        def count(runs, original=original, **keywords):
            reads.append(len(runs))
            return original(runs, **keywords)

        monkeypatch.setattr(module, "iter_aligned_blocks", count)
    corefkit.make_report(KEY, BOTH, samples=10)
    assert reads == [2]


@pytest.mark.parametrize("repeated", ["first", "reference"])
def test_errors_of_repeated_mentions_are_those_of_errors(repeated):
    key, response = [[(0, 0), (1, 1)], [(1, 1), (2, 2)]], [[(0, 0), (1, 1), (2, 2)]]
    responses = {"A": response}
    report = corefkit.make_report(key, responses, samples=10, repeated=repeated)
    analysis = corefkit.errors(key, responses, repeated=repeated)
    assert report.analysis.to_dict() == analysis.to_dict()
    scores = corefkit.score(key, response, repeated=repeated).scores
    assert dict(report.evaluations[0].scores) == dict(scores)


def test_parts_have_the_same_systems(report):
    assert report.systems == ("careful", "greedy") == report.comparison.systems
    assert [one.response for one in report.evaluations] == [*BOTH]
    assert [one.response for one in report.analysis.systems] == [*BOTH]
    assert report.reader.systems == report.systems
    assert repr(report).startswith("<Report on careful, greedy: corefkit:")


def test_a_page_is_saved_whole(report, tmp_path):
    report.save(tmp_path / "x.html")
    assert (tmp_path / "x.html").read_text("utf-8") == report.to_html()
    with pytest.raises(corefkit.CorefkitError, match="cannot be written"):
        report.save(tmp_path / "no" / "x.html")


def test_what_can_be_read_once_is_held():
    key, response = key_documents(1), response_documents(key_documents(1), 1)
    once = corefkit.make_report(iter(key), {"A": iter(response)}, samples=10)
    again = corefkit.make_report(key, {"A": response}, samples=10)
    assert once.reader == again.reader


def test_broken_responses_are_left_out_everywhere():
    responses = {"none": "nowhere.conll", **BOTH}
    report = corefkit.make_report(KEY, responses, samples=10, skip_broken=True)
    assert report.systems == report.comparison.systems == ("careful", "greedy")
    assert report.reader.systems == ("careful", "greedy")
    assert list(report.refused) == ["none"]
    page = report.to_html()
    assert "nowhere.conll" in page
    assert "<p>2 systems, 1 more rejected, 4 documents" in page
    with pytest.raises(FormatError, match="cannot be read"):
        corefkit.make_report(KEY, responses)


def test_responses_that_cannot_be_analysed_are_left_out_everywhere(monkeypatch):
    add = errors._ErrorCollector.add

    def broken(self, block):
        if self.run.response.name.endswith("careful.conll"):
            message = "cannot be analysed"
            raise FormatError(
                message, code="format/malformed", place=self.run.response.name
            )
        return add(self, block)

    monkeypatch.setattr(errors._ErrorCollector, "add", broken)
    report = corefkit.make_report(KEY, BOTH, samples=10, skip_broken=True)
    assert report.systems == report.comparison.systems == ("greedy",)
    assert len(report.evaluations) == len(report.analysis.systems) == 1
    assert report.reader.systems == ("greedy",)
    assert "cannot be analysed" in report.refused["careful"]
    with pytest.raises(FormatError, match="cannot be analysed"):
        corefkit.make_report(KEY, CAREFUL, samples=10, skip_broken=True)


def test_metrics_that_need_more_than_entities_have_no_costs():
    key = key_documents(1)
    responses = {"A": response_documents(key, 1)}
    report = corefkit.make_report(key, responses, metrics="zeros,lea", samples=10)
    assert [*report.analysis.systems[0].ladder["response"]] == ["lea"]
    assert any("the cost of errors is unknown" in note for note in report.notes)
    alone = corefkit.make_report(key, responses, metrics="zeros", samples=10)
    assert "conll" in alone.analysis.systems[0].ladder["response"]
    assert [*alone.evaluations[0]] == ["zeros"]


def test_texts_beyond_the_limit_are_omitted_unless_full(monkeypatch):
    monkeypatch.setattr(assembly, "MAX_PAGE_MENTIONS", 100)
    key, careful, _ = paths()
    report = corefkit.make_report(key, {"careful": careful})
    omitted = [document.is_omitted for document in report.reader.documents]
    assert omitted[0] is False
    assert omitted[-1] is True
    last = report.reader.documents[-1]
    assert (last.sentences, last.spans) == ((), ())
    assert last.responses[0].scores[-1] is not None
    assert any("--full" in note for note in report.notes)
    full = corefkit.make_report(key, {"careful": careful}, full=True)
    assert not any(document.is_omitted for document in full.reader.documents)
    page, full_page = report.to_html(), full.to_html()
    points = re.compile('<a href="#d=[^"]*" aria-label')
    assert len(points.findall(page)) == omitted.count(False)
    assert len(points.findall(full_page)) == len(omitted)
    assert "texts are omitted have none" in page
    assert "texts are omitted have none" not in full_page
    assert len(report.to_html()) < len(full.to_html())
