"""Heads, types and pronouns that real files tell, beside those of other programs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from descriptions import described
from known_errors import FOLDER, case_facts, case_files, known
from shared_files import DATA

import corefkit
from corefkit.analysis.errors.error_analysis import KINDS, TYPES
from corefkit.analysis.errors.kinds import find_errors_by_kind, find_span_errors

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the known answers are not beside the project"
)


def test_cases_have_the_known_heads_and_types():
    table, description, sources, _ = described(
        *case_files(), singletons="drop-response"
    )
    cases = [known("cases.json")["documents"][name] for name in case_facts()]
    wanted = {
        (row, *mention["span"]): (mention["head"], mention["type"])
        for row, case in enumerate(cases)
        for mention in case["mentions"]
    }
    types = ["nominal" if name == "clause" else name for name in TYPES]
    for row in range(len(table)):
        place = int(table.document[row]), int(table.start[row]), int(table.end[row])
        head, type = int(description.head[row]), types[description.type[row]]
        assert (head, type) == wanted[place]
    assert sources == (
        "types: parts of speech of the key",
        "heads: the parse column of the key, by the rules of Collins",
        "trimming: articles and endings of English, and punctuation",
    )


def test_cases_have_the_known_kinds_of_errors_by_their_files_alone():
    table, description, *_ = described(*case_files())
    table = replace(table, is_pronoun=description.type == TYPES.index("pronoun"))
    kinds = find_errors_by_kind(table, find_span_errors(table, description))
    found = [dict(zip(KINDS, row, strict=True)) for row in kinds.counts.tolist()]
    cases = known("cases.json")["documents"]
    assert found == [cases[name]["counts"] for name in case_facts()]


@pytest.mark.skipif(not DATA.is_dir(), reason="the corpora are not beside the project")
@pytest.mark.slow
def test_types_agree_with_the_berkeley_analyser_on_ontogum():
    path = DATA / "ontogum" / "conll2012" / "ontogum-dev.v4_gold_conll"
    known_mentions = {
        (name, *mention[:2]): mention[2:4]
        for name, document in known("ontogum-dev.json")["systems"]["careful"][
            "documents"
        ].items()
        for mention in document["mentions"]
        if mention[:2] in [span for entity in document["key"] for span in entity]
    }
    names = {name for name, *_ in known_mentions}
    key = [
        document
        for document in corefkit.read(path)
        if re.sub(r"[()]|;.*", "", document.id) in names
    ]
    table, description, *_ = described(key, key)
    ids = [re.sub(r"[()]|;.*", "", document.id) for document in key]
    same = {"heads": 0, "types": 0, "pronouns": 0}
    for row in range(len(table)):
        place = ids[table.document[row]], int(table.start[row]), int(table.end[row])
        if place not in known_mentions:
            continue
        head, type = known_mentions.pop(place)
        found = TYPES[description.type[row]].replace("clause", "nominal")
        same["heads"] += head == description.head[row]
        same["types"] += type == found
        same["pronouns"] += (type == "pronoun") == (found == "pronoun")
    assert not known_mentions
    assert same == {"heads": 998, "types": 1024, "pronouns": 1048}
