from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice

import pytest
from analysis.doctor import damages
from analysis.doctor.damages import DAMAGES, SEEN, UNDONE, imperfect
from shared_files import DATA, SHARED

import corefkit
from corefkit.analysis.doctor import CHECKS
from corefkit.example import paths
from corefkit.model import Document, Entity, Mention

KEY = tuple(corefkit.read(paths()[0]))
RESPONSE = tuple(imperfect(KEY))
SOUND = corefkit.score(KEY, RESPONSE).conll


def checks(examination):
    return [finding.check for finding in examination.findings]


def faults(examination):
    return [finding for finding in examination.findings if finding.is_fault]


class TestSound:
    @pytest.mark.parametrize("response", paths()[1:], ids=lambda path: path.name)
    def test_nothing_is_found_in_the_example(self, response):
        examination = corefkit.doctor(paths()[0], response)
        assert checks(examination) == []
        assert examination.scores.conll == corefkit.score(paths()[0], response).conll
        assert "Nothing found in" in str(examination)

    def test_nothing_is_found_in_an_imperfect_response(self):
        assert checks(corefkit.doctor(KEY, RESPONSE)) == []

    @pytest.mark.parametrize("number", range(60))
    def test_reference_cases_have_no_fault(self, number):
        key = SHARED / "conformance" / "reference" / f"{number:04}.key"
        if not key.exists():
            pytest.skip("the reference cases are not beside the project")
        response = key.with_suffix(".response")
        examination = corefkit.doctor(key, response)
        # Some of the cases have no mention on a side, or none of its links.
        assert {one.check for one in faults(examination)} <= {"empty", "links"}
        assert examination.scores.conll == corefkit.score(key, response).conll


class TestDamages:
    @pytest.mark.parametrize("name", UNDONE)
    def test_fault_is_found_and_its_fix_gives_the_score_back(self, name):
        damage, check = UNDONE[name]
        found = corefkit.doctor(KEY, damage(RESPONSE))
        assert checks(found) == [check]
        assert found.findings[0].after.conll == pytest.approx(SOUND, rel=1e-12)
        assert found.findings[0].mentions > 0
        before = found.findings[0].before
        assert before == found.scores
        assert before is None or before.conll < SOUND / 2

    @pytest.mark.parametrize("name", SEEN)
    def test_what_is_seen(self, name):
        damage, check = SEEN[name]
        examination = corefkit.doctor(KEY, damage(list(RESPONSE)))
        assert checks(examination)[0] == check
        assert all(finding.mentions > 0 for finding in examination.findings)

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            ("renamed", "exclusive ends"),
            ("renamed", "other tokens"),
            ("numbered", "lower case"),
            ("other tokens", "lower case"),
            ("renamed", "through the file"),
        ],
    )
    def test_two_faults_are_found_one_after_the_other(self, first, second):
        (one, check), (other, another) = DAMAGES[first], DAMAGES[second]
        examination = corefkit.doctor(KEY, other(one(RESPONSE)))
        assert sorted(checks(examination)) == sorted([check, another])
        last = examination.findings[-1]
        assert last.after.conll == pytest.approx(SOUND, rel=1e-12)

    def test_singletons_are_told_of_with_the_faults_mended(self):
        response = damages.moved(1, 1)(damages.without_singletons(RESPONSE))
        examination = corefkit.doctor(KEY, response)
        assert checks(examination) == ["offsets", "singletons"]
        bounds, singletons = examination.findings
        assert singletons.before == bounds.after
        dropped = corefkit.score(
            KEY, damages.without_singletons(RESPONSE), singletons="drop"
        )
        assert singletons.after.conll == dropped.conll

    @pytest.mark.parametrize(
        "name",
        ["other tokens", "a document missing", "no singletons", "copies"],
    )
    def test_option_of_a_fix_gives_the_score_after_it(self, name):
        response = DAMAGES[name][0](list(RESPONSE))
        finding = corefkit.doctor(KEY, response).findings[0]
        option, value = re.search(r"`--(\w+) (\w+)`", finding.fix).groups()
        scored = corefkit.score(KEY, response, **{option: value})
        assert scored.conll == finding.after.conll
        assert scored["mentions"].f1 == finding.after.mentions

    def test_every_check_finds_a_damage(self):
        of_files = {"broken", "column", "identical", "swapped", "zeros", "ids"}
        assert {check for _, check in DAMAGES.values()} | of_files == set(CHECKS)


class TestKinds:
    def test_zeros(self):
        words = (("he", "came", "_", "left", "and", "she", "saw", "him"),)
        mentions = Mention(0, 0), Mention(2, 2), Mention(7, 7)
        key = Document("d", words, (Entity("1", mentions),), empty=(2,))
        said = (tuple(word for word in words[0] if word != "_"),)
        spans = Mention(0, 0), Mention(6, 6)
        response = Document("d", said, (Entity("1", spans),))
        (finding,) = corefkit.doctor([key], [response]).findings
        assert (finding.check, finding.mentions) == ("zeros", 1)
        assert finding.after.conll == 1.0

    def test_ids_that_begin_anew(self):
        examination = corefkit.doctor(KEY, RESPONSE, scope="corpus")
        assert checks(examination) == ["ids"]
        assert examination.findings[0].after.conll == SOUND

    def test_ids_that_go_on(self):
        def document(number):
            spans = (Mention(0, 0), Mention(2, 2)), (Mention(4, 4), Mention(6, 6))
            names = f"e{number}", f"e{number + 1}"
            rows = zip(names, spans, strict=True)
            words = tuple(f"w{number}-{at}" for at in range(8))
            entities = tuple(Entity(name, row) for name, row in rows)
            return Document(f"d{number}", (words,), entities)

        key = [document(number) for number in range(6)]
        response = [*key[:-1], replace(key[-1], entities=key[-1].entities[:1])]
        assert checks(corefkit.doctor(key, response)) == ["ids"]


class TestWords:
    @pytest.mark.parametrize(
        ("damage", "kind"),
        [
            (damages.in_lower_case, "only in the case of letters"),
            (
                damages.with_brackets_spelled,
                "written differently than in the key, such",
            ),
        ],
    )
    def test_kind_of_spelling(self, damage, kind):
        (finding,) = corefkit.doctor(KEY, damage(RESPONSE)).findings
        assert kind in finding.text

    def test_forms_of_unicode_that_look_the_same(self):
        words = (("Zoé", "vit", "René", ",", "qui", "la", "salua"),)
        mentions = Mention(0, 0), Mention(2, 2), Mention(5, 5)
        key = Document("d", words, (Entity("1", mentions),))
        (finding,) = corefkit.doctor([key], damages.in_nfd([key])).findings[:1]
        assert "2 words" in finding.text
        assert "only in the form of Unicode" in finding.text
        assert finding.after.conll == 1.0

    def test_pieces_are_no_other_text(self):
        examination = corefkit.doctor(KEY, damages.of_pieces(RESPONSE))
        assert checks(examination) == ["pieces", "tokens"]
        assert examination.findings[1].after.conll == SOUND


class TestOffsets:
    def test_offsets_are_told_of_where_no_head_is_known(self):
        if not (DATA / "gum" / "gum-dev.conllu").exists():
            pytest.skip("the corpora are not beside the project")
        key = list(islice(corefkit.read(DATA / "gum" / "gum-dev.conllu"), 1))
        response = damages.moved(1, 1)(imperfect(key))
        examination = corefkit.doctor(key, response, match="head")
        assert examination.scores is None
        assert checks(examination)[0] == "offsets"

    def test_documents_that_count_in_other_ways_are_mended_apart(self):
        first, *rest = RESPONSE
        response = [*damages.moved(1, 1)([first]), *damages.moved(0, 1)(rest)]
        examination = corefkit.doctor(KEY, response)
        assert checks(examination) == ["offsets", "offsets"]
        many, few = examination.findings
        assert f"in {len(rest)} documents" in many.text
        assert "in 1 document" in few.text
        assert few.after.conll == SOUND

    @pytest.mark.parametrize(
        ("length", "unit"), [(1.4, "word pieces"), (5.0, "characters")]
    )
    def test_what_is_counted_by_how_far_mentions_reach(self, length, unit):
        def far(mention):
            return int(mention.start * length), int(mention.end * length + 1)

        response = [damages.bare(damages.with_spans(one, far)) for one in RESPONSE]
        finding = next(
            one
            for one in corefkit.doctor(KEY, response).findings
            if one.check == "beyond"
        )
        assert f"offsets are those of {unit}" in finding.fix
        beyond = sum(
            span.end >= len(key.words)
            for key, one in zip(KEY, response, strict=True)
            for row in one
            for span in row
        )
        assert finding.mentions == beyond > 0

    def test_empty_nodes_that_are_counted(self):
        words = tuple(f"w{at}" for at in range(60))
        spans = [Mention(at, at + at % 3) for at in range(1, 55, 4)]
        empty = tuple(range(3, 55, 8))
        spans = [one for one in spans if not {*one.tokens} & {*empty}]
        entities = tuple(
            Entity(str(at), tuple(spans[at::3])) for at in range(3) if spans[at::3]
        )
        key = Document("d", (words,), entities, empty=empty)
        response = Document("d", (), entities)
        (finding,) = faults(corefkit.doctor([key], [response]))
        assert "count empty nodes" in finding.text
        assert finding.after.conll == 1.0


class TestMentions:
    def test_words_at_the_bounds(self):
        def with_comma(one, words):
            follows = one.end + 1 < len(words) and words[one.end + 1] in ".,"
            return one.start, one.end + follows

        response = [
            damages.with_spans(one, lambda span, w=one.words: with_comma(span, w))
            for one in RESPONSE
        ]
        (finding,) = corefkit.doctor(KEY, response).findings
        assert finding.check == "boundaries"
        assert (
            "Most often it adds ',' at the end (11) or adds '.' at the end (7)"
            in finding.text
        )

    @pytest.mark.parametrize("repeated", ["first", "reference", "error"])
    def test_repeated_mentions_are_told_whatever_is_done_with_them(self, repeated):
        response = damages.with_copies(RESPONSE)
        examination = corefkit.doctor(KEY, response, repeated=repeated)
        assert checks(examination) == ["repeated"]
        assert (examination.scores is None) is (repeated == "error")
        (finding,) = examination.findings
        other = re.search(r"`--repeated (\w+)`", finding.fix)[1]
        assert (
            finding.after.conll == corefkit.score(KEY, response, repeated=other).conll
        )

    def test_option_that_settings_refuse_is_not_named(self):
        response = damages.with_copies(RESPONSE)
        (finding,) = corefkit.doctor(KEY, response, zeros="drop").findings
        assert finding.after is None
        assert "--repeated" not in finding.fix

    def test_copies_make_no_entity_of_two(self):
        twice = [
            replace(
                one,
                entities=tuple(
                    replace(row, mentions=row.mentions * 2) for row in one.entities
                ),
            )
            for one in RESPONSE
        ]
        assert checks(corefkit.doctor(KEY, twice)) == ["repeated"]

    def test_many_singletons_are_found(self):
        alone = tuple(Entity(f"x{at}", (Mention(at, at + 2),)) for at in range(80))
        first, *rest = KEY
        key = [replace(first, entities=(*first.entities, *alone)), *rest]
        found = checks(corefkit.doctor(key, damages.without_singletons(KEY)))
        assert found[0] == "singletons"


class TestNames:
    def test_number_behind_a_name_without_words(self):
        response = [
            replace(damages.bare(one), id=f"{one.id.strip('()')[:-11]}_7")
            for one in damages.moved(1, 1)(RESPONSE)
        ]
        assert checks(corefkit.doctor(KEY, response)) == ["names", "offsets"]

    def test_response_to_another_part_of_the_corpus(self):
        examination = corefkit.doctor(KEY[:2], KEY[2:])
        assert checks(examination) == ["names"]
        assert examination.scores is None
        assert "corefkit doctor" not in examination.refusal

    def test_mentions_do_not_name_documents_of_another_text(self):
        other = [
            replace(
                one,
                sentences=tuple(tuple(f"{w}x" for w in row) for row in one.sentences),
            )
            for one in damages.numbered(RESPONSE)
        ]
        assert checks(corefkit.doctor(KEY, other)) == ["names"]

    def test_order_of_documents_is_no_fault(self):
        assert checks(corefkit.doctor(KEY, RESPONSE[::-1])) == []


def write_lines(path, lines):
    path.write_text("\n".join([*lines, ""]), "utf-8")
    return path


@pytest.fixture
def lines(tmp_path):
    """The response as CoNLL lines, beside a key in a file."""
    corefkit.write(KEY, tmp_path / "key.conll")
    corefkit.write(RESPONSE, tmp_path / "response.conll")
    return (tmp_path / "response.conll").read_text("utf-8").splitlines()


class TestFiles:
    def test_brackets_that_do_not_close(self, tmp_path, lines):
        opens = next(
            at
            for at, line in enumerate(lines)
            if line.endswith(")") and "(" not in line.split()[-1]
        )
        lines[opens] = f"{lines[opens].rsplit(maxsplit=1)[0]}\t-"
        broken = write_lines(tmp_path / "broken.conll", lines)
        examination = corefkit.doctor(tmp_path / "key.conll", broken)
        assert examination.scores is None
        with pytest.raises(corefkit.FormatError) as refusal:
            corefkit.score(tmp_path / "key.conll", broken)
        assert examination.refusal == refusal.value.reason
        (finding,) = examination.findings
        assert finding.check == "broken"
        assert SOUND - 0.1 < finding.after.conll <= SOUND

    def test_file_that_is_cut_off(self, tmp_path, lines):
        cut = write_lines(tmp_path / "cut.conll", lines[: len(lines) * 2 // 3])
        examination = corefkit.doctor(tmp_path / "key.conll", cut)
        assert checks(examination) == ["broken", "text", "missing"]

    def test_key_that_is_broken(self, tmp_path, lines):
        broken = write_lines(tmp_path / "broken.conll", [*lines, "x"])
        examination = corefkit.doctor(broken, tmp_path / "response.conll")
        assert checks(examination)[0] == "broken"
        assert "outside any document" in examination.findings[0].text

    @pytest.mark.parametrize("preset", [None, "conll2012"])
    def test_other_column(self, tmp_path, lines, preset):
        moved = [
            line if line.startswith("#") or not line else f"{line}\t-" for line in lines
        ]
        other = write_lines(tmp_path / "other.conll", moved)
        examination = corefkit.doctor(tmp_path / "key.conll", other, preset=preset)
        (finding,) = examination.findings
        assert finding.check == "column"
        assert "column 12 of 13" in finding.text
        assert finding.after.conll == SOUND

    def test_names_in_the_last_column(self, tmp_path, lines):
        rows = [
            line
            if line.startswith("#") or not line
            else f"{line}\t{'(PER)' if '(' in line else '-'}"
            for line in lines
        ]
        other = write_lines(tmp_path / "other.conll", rows)
        examination = corefkit.doctor(tmp_path / "key.conll", other)
        assert "is not a number" in examination.refusal
        assert checks(examination) == ["column"]
        assert examination.findings[0].after.conll == SOUND

    def test_words_in_place_of_spans(self, tmp_path):
        record = {"doc_key": "d", "clusters": [["Ann", "she"]]}
        path = write_lines(tmp_path / "r.jsonl", [json.dumps(record)])
        key = [Document("d", (("Ann", "saw"),), (Entity("1", (Mention(0, 0),)),))]
        corefkit.write(key, tmp_path / "k.jsonl")
        (finding,) = corefkit.doctor(tmp_path / "k.jsonl", path).findings
        assert finding.check == "broken"
        assert "'Ann' in entity 0 is not a span" in finding.text
        assert finding.after is None

    def test_other_column_of_both_sides(self, tmp_path):
        lines = paths()[1].read_text("utf-8").splitlines()
        wide = [f"{line} -" if line and line[0] != "#" else line for line in lines]
        file = tmp_path / "wide.conll"
        file.write_text("\n".join(wide) + "\n", "utf-8")
        found = corefkit.doctor(file, file)
        assert checks(found) == ["column", "column", "identical"]
        assert found.findings[1].after.conll == 1

    def test_spans_beyond_the_text(self, tmp_path):
        corefkit.write(KEY, tmp_path / "key.jsonl")
        ends = len(KEY[0].tokens) - 1
        more = Entity("end", (Mention(ends, ends), Mention(ends - 2, ends)))
        whole = replace(RESPONSE[0], entities=(*RESPONSE[0].entities, more))
        records = [
            {
                "doc_key": one.id,
                "sentences": one.sentences,
                "clusters": [
                    [[span.start, span.end + 1] for span in row] for row in one
                ],
            }
            for one in (whole, *RESPONSE[1:])
        ]
        response = write_lines(tmp_path / "r.jsonl", map(json.dumps, records))
        examination = corefkit.doctor(tmp_path / "key.jsonl", response)
        assert "beyond the document's" in examination.refusal
        assert checks(examination) == ["offsets"]
        right = corefkit.score(KEY, [whole, *RESPONSE[1:]]).conll
        assert examination.findings[0].after.conll == right

    def test_same_file(self):
        examination = corefkit.doctor(paths()[0], paths()[0])
        assert checks(examination) == ["identical"]
        assert "the same file" in examination.findings[0].text

    @pytest.mark.usefixtures("lines")
    def test_swapped(self, tmp_path):
        (tmp_path / "key.conll").rename(tmp_path / "gold.conll")
        (tmp_path / "response.conll").rename(tmp_path / "pred.conll")
        examination = corefkit.doctor(tmp_path / "pred.conll", tmp_path / "gold.conll")
        assert checks(examination) == ["swapped"]
        again = corefkit.doctor(tmp_path / "gold.conll", tmp_path / "pred.conll")
        assert checks(again) == []

    def test_file_that_is_not_there_is_an_error(self):
        with pytest.raises(corefkit.FormatError, match="No such file"):
            corefkit.doctor(paths()[0], "nowhere.conll")

    def test_unknown_format_is_an_error(self, tmp_path):
        text = write_lines(tmp_path / "text.txt", ["Once upon a time"])
        with pytest.raises(corefkit.FormatError, match="in an unknown format"):
            corefkit.doctor(paths()[0], text)


class TestShown:
    def test_values(self):
        examination = corefkit.doctor(KEY, damages.moved(0, 1)(RESPONSE))
        values = json.loads(json.dumps(examination.to_dict()))
        assert values["refusal"] is None
        assert values["checks"] == list(CHECKS)
        (finding,) = values["findings"]
        assert finding["check"] == "offsets"
        assert finding["is_fault"] is True
        assert finding["before"] == values["scores"]
        assert finding["after"]["conll"] == SOUND

    def test_text_has_scores_and_fix(self):
        text = str(corefkit.doctor(KEY, damages.moved(0, 1)(RESPONSE)))
        assert f"-> {100 * SOUND:.2f}" in text
        assert "subtract 1 from the end of each mention" in text


def plain(documents):
    """Leave out what the damages do not handle: empty nodes, and mentions with gaps."""
    return [
        one
        for one in documents
        if not one.empty and not any(span.gaps for row in one for span in row)
    ]


CORPORA = {
    "gum/gum-dev.conllu": 6,
    "ontogum/ontogum-test.conllu": 6,
    "litbank/litbank-coref.conll.gz": 4,
    "democrat-fr/dem1921_sg.dev.conll": 3,
}


@pytest.mark.slow
@pytest.mark.parametrize("corpus", CORPORA)
class TestCorpora:
    @pytest.fixture
    def key(self, corpus):
        if not (DATA / corpus).exists():
            pytest.skip(f"{corpus} is not beside the project")
        return list(islice(plain(corefkit.read(DATA / corpus)), CORPORA[corpus]))

    def test_corpus_is_its_own_response(self, corpus, key):
        del key
        found = checks(corefkit.doctor(DATA / corpus, DATA / corpus))
        assert set(found) <= {"identical", "repeated"}
        assert "identical" in found

    @pytest.mark.parametrize("name", UNDONE)
    def test_damage_is_undone(self, corpus, key, name):
        del corpus
        damage, check = UNDONE[name]
        response = imperfect(key)
        sound = corefkit.score(key, response).conll
        examination = corefkit.doctor(key, damage(response))
        assert [finding.check for finding in faults(examination)] == [check]
        after = examination.findings[0].after.conll
        assert after == pytest.approx(sound, rel=1e-12)
