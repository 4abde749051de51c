"""The page of a walk-through: every link leads to what the reader shows."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qs

import pytest
from builders import letters, pairs
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_matching import corpus_pairs, document

import corefkit
from corefkit.analysis.explain import explain, explanation_page
from corefkit.analysis.explain.explanation_page import MAX_DOCUMENTS
from corefkit.analysis.explain.metric_steps import list_explained_metrics
from corefkit.example import paths
from corefkit.settings import SETTINGS

PRADHAN = letters("abc defg"), letters("ab cd fghi")
HOSTILE = "<script>alert(1)</script>&amp;\u2028\u202e\x1b[2J"


class Links(HTMLParser):
    """Collects links, their text, anchors, and the data of the reader."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.tags, self.data, self._open = (
            [],
            set(),
            [],
            "",
            "",
        )
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self._open = given.get("id") if tag == "script" else tag
        if "id" in given:
            assert given["id"] not in self.anchors
            self.anchors.add(given["id"])
        if tag == "a":
            self.links.append((given["href"], []))

    def handle_endtag(self, tag):
        if tag in ("a", "script"):
            self._open = ""

    def handle_data(self, data):
        if self._open == "reader-data":
            self.data += data
        elif self._open == "a":
            self.links[-1][1].append(data)


def html(*sides, **options):
    return explain(*sides, as_html=True, **options)


def spans_of(shown):
    """Decode spans as `web/src/data.ts` does."""
    first, spans, numbers = 0, [], shown.get("spans", [])
    for jump, length in zip(numbers[::2], numbers[1::2], strict=True):
        first += jump
        spans.append((first, first + length))
    return spans


def check_links(text):
    """Follow every link of a page; return the text of those into the reader."""
    found = Links(text)
    data = json.loads(found.data) if found.data else {"documents": []}
    documents = {shown["id"]: shown for shown in data["documents"]}
    followed = []
    for address, words in found.links:
        if not address.startswith("#d="):
            assert address.removeprefix("#") in found.anchors
            continue
        values = {name: one for name, (one,) in parse_qs(address[1:]).items()}
        shown = documents[values["d"]]
        key, response = shown.get("key", []), shown["responses"][0].get("entities", [])
        sides = {"k": key, "r": response}
        words = "".join(words)
        for name, numbers in sides.items():
            if name in values:
                assert int(values[name]) in numbers
        if "m" in values:
            first, last = map(int, values["m"].split("-"))
            assert (first, last) in spans_of(shown)
            assert last < sum(len(one.split(" ")) for one in _sentences(shown))
        if re.fullmatch(r"[KR]\d+", words) and not values.get("m"):
            side, number = words[0].lower(), words[1:]
            assert values[side] == number
        followed.append(words)
    return followed


def _sentences(shown):
    return [one if isinstance(one, str) else " ".join(one) for one in shown["text"]]


@pytest.mark.parametrize("metric", [*list_explained_metrics(), "conll"])
def test_every_term_is_a_link(metric):
    words = check_links(html(*PRADHAN, metric=metric))
    assert {"K1", "K2", "R1", "R2", "R3", "a", "e", "h"} <= {*words}


@pytest.mark.parametrize("metric", ["b_cubed_sys", "ceaf_m_rn"])
@settings(max_examples=15)
@given(pair=pairs())
def test_links_of_partitions_lead_somewhere(metric, pair):
    check_links(html(*pair, metric=metric))


@settings(max_examples=15)
@given(
    corpus=corpus_pairs(),
    choices=st.fixed_dictionaries(
        {
            name: st.sampled_from(list(SETTINGS[name].choices))
            for name in (
                "match",
                "zeros",
                "tokens",
                "singletons",
                "average",
                "undefined",
            )
        }
    ),
    metric=st.sampled_from(["lea", "blanc", "b_cubed_all", "conll"]),
)
def test_links_lead_somewhere_under_all_settings(corpus, choices, metric):
    check_links(html(*corpus, metric=metric, **choices))


@settings(max_examples=15)
@given(
    key=st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=5), max_size=4),
    response=st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=5), max_size=4),
)
def test_links_of_repeated_mentions_lead_somewhere(key, response):
    check_links(html(key, response, metric="muc", repeated="reference"))


def test_mentions_are_linked_to_their_words():
    key, careful, _ = paths()
    text = html(key, careful, metric="lea", document="lighthouse")
    data = json.loads(Links(text).data)
    (shown,) = data["documents"]
    words = " ".join(_sentences(shown)).split(" ")
    titles = re.findall(r'm=(\d+)-(\d+)" title="([^"]*)">m\d+<', text)
    assert titles
    for first, last, title in titles:
        quoted = " ".join(words[int(first) : int(last) + 1])
        start = unescape(title).split('"')[1].split(" …")[0]
        assert quoted.startswith(start)


def test_words_of_a_response_with_other_empty_nodes_are_the_right_ones():
    key = corefkit.Document(
        "d", (("_", "Ann", "left", "Bob"),), (corefkit.Entity("1", (span(1),)),), (0,)
    )
    response = corefkit.Document(
        "d", (("Ann", "left", "Bob"),), (corefkit.Entity("1", (span(0), span(2))),)
    )
    text = explain([key], [response], metric="muc")
    assert '"Bob" [3]  (spurious)' in text
    assert 'm=3-3" title="&quot;Bob&quot; [3]"' in html([key], [response], metric="muc")


def span(token):
    return corefkit.Mention(token, token)


def test_mentions_compared_by_characters_are_shown_in_words():
    sides = document("Ann 's aunt left", "0-2 3"), document("Ann's aunt left", "0 2")
    text = html(*sides, metric="muc", tokens="characters")
    check_links(text)
    (shown,) = json.loads(Links(text).data)["documents"]
    assert shown["text"] == ["Ann 's aunt left"]


def test_text_of_the_input_is_never_markup():
    words = (HOSTILE, "b", "c")
    sides = [
        [corefkit.Document(HOSTILE, (words,), (corefkit.Entity("1", spans),))]
        for spans in ((span(0), span(1)), (span(0), span(2)))
    ]
    for pair in (sides, ({HOSTILE: [[HOSTILE, "a"]]},) * 2):
        text = html(*pair, metric="conll")
        found = Links(text)
        assert found.tags.count("script") == 2
        assert not {"\u2028", "\u202e", "\x1b"} & {*text.replace(found.data, "")}


def test_many_documents_leave_most_out_and_say_so(monkeypatch):
    monkeypatch.setattr(explanation_page, "MAX_LISTED", 50)
    key = {f"d{number}": [["a", "b"], ["c"]] for number in range(70)}
    response = {name: [["a", "b"], ["c"]] for name in key}
    response |= {f"d{number}": [["a"], ["b"]] for number in range(10, 40)}
    text = html(key, response, metric="b_cubed")
    check_links(text)
    assert len(json.loads(Links(text).data)["documents"]) == MAX_DOCUMENTS
    assert text.count("<h2") < MAX_DOCUMENTS + 10
    assert "walks through the 20 documents that lose most" in text
    assert "50 others are not walked through" in text
    assert "The list leaves out 20 documents." in text
    # The first of those that lose as much, and none that lose nothing.
    walked = re.findall(r"Document ([^<]*)<", text)
    assert walked == [f"d{number}" for number in range(10, 30)]


def test_long_documents_fill_a_page_sooner():
    sizes = {"small": 3, "large": 1500, "larger": 1900}
    key = {id: [[f"{id} {n}" for n in range(size)]] for id, size in sizes.items()}
    response = {id: [[one] for one in entity] for id, (entity,) in key.items()}
    text = html(key, response, metric="muc")
    assert re.findall(r"Document ([^<]*)<", text) == ["larger"]
    assert "walks through the 1 document that loses most" in text
    check_links(text)


def test_one_document_is_walked_through_alone():
    key, careful, _ = paths()
    text = html(key, careful, metric="muc", document="lamps")
    assert re.findall(r"Document ([^<]*)<", text) == ["example/lamps"]
    assert 'id="together"' not in text


@pytest.mark.parametrize("metric", [*list_explained_metrics(), "conll"])
def test_page_says_what_the_metric_counts(metric):
    text = html(*PRADHAN, metric=metric)
    assert "Recall falls" in text
    assert "Precision falls" in text


def test_page_ends_in_the_scores_of_the_text():
    text = html(*PRADHAN, metric="lea")
    assert "LEA: recall 23.81%, precision 33.33%, F1 27.78%." in text
    assert "5/18 = 27.78%" in unescape(text).replace("\xa0", " ")


def test_undefined_ratio_is_no_low_one():
    text = html(letters("a b"), letters("ab"), metric="muc")
    assert "MUC: recall undefined, counted as 0, precision 0.00%, F1 0.00%.<" in text


def test_nothing_left_is_said():
    text = html({}, {}, metric="muc")
    assert "No document is left to score." in text


def test_same_input_gives_the_same_bytes():
    key, careful, _ = paths()
    assert html(key, careful, metric="lea") == html(key, careful, metric="lea")


@pytest.mark.parametrize("metric", ["mentions", "conll"])
def test_each_anchor_is_there_once(metric):
    text = corefkit.explain(*paths()[:2], metric=metric, as_html=True)
    body = text.partition("<body>")[2].partition("<script")[0]
    anchors = re.findall(r'\bid="([^"]*)"', body)
    assert len(anchors) == len(set(anchors))


def test_a_mention_of_nodes_that_the_key_lacks_does_not_end_before_it_begins():
    entity = corefkit.Entity("e", (corefkit.Mention(3, 4, head=3),))
    key = corefkit.Document("d", (("a",), ("_", "b")), (), (1,))
    sentences = ("_", "a", "_"), ("_", "_", "b")
    response = corefkit.Document("d", sentences, (entity,), (0, 2, 3, 4))
    report = corefkit.make_report([key], {"A": [response]}, samples=10)
    assert report.reader.documents[0].spans == [((1, 1),)]
    assert explain([key], [response], metric="lea", as_html=True)
