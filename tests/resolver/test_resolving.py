from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resolver.fakes import ByCode
from resolver.lexica import context, table_of
from resolver.random_documents import documents
from resolver.trees import every_mention, parsed
from shared_files import DATA

import corefkit
from cistell.mentions.lexicon import load_lexicon
from cistell.mentions.profiles import (
    FEMININE,
    MASCULINE,
    NEUTER,
    PERSON,
    PLURAL,
    SINGULAR,
    UNKNOWN,
    Context,
)
from cistell.paper.features import choose_features
from cistell.paper.memory import Decisions
from cistell.paper.models import (
    LINKINGS,
    MODELS,
    Basket,
    fill_baskets,
)
from cistell.paper.pairs import BATCH
from cistell.paper.system import get_linking, resolve_by_baseline, resolve_pairs
from corefkit.model import Bridge, Document, Entity, Mention

FEATURES = choose_features("en")
STORY = parsed(
    "[ Ann/PROPN/2/nsubj/Number=Sing ]a:person bought/VERB/0/root "
    "[ the/4 mill/NOUN/2/obj/Number=Sing ]m",
    "[ She/2 ]a sold/VERB/0/root [ [ her/4 ]a mill/NOUN/2/obj/Number=Sing ]m",
)


def by_heads(features=FEATURES):
    return ByCode(features, "head_match", "yes", "same_pronoun")


def resolved(*texts, linkings=LINKINGS, classifier=None, language="en", **options):
    features = choose_features(language)
    return [
        *resolve_pairs(
            texts,
            linkings,
            classifier or by_heads(features),
            features=features,
            context=context(language, **options),
        )
    ]


def spans(document):
    return [[(one.start, one.end) for one in entity] for entity in document]


def test_mentions_with_the_same_head_become_an_entity():
    (found,) = resolved(STORY)
    # "She" and "her" are forms of one pronoun.
    assert spans(found["weak"].document) == [
        [(0, 0)],
        [(2, 3), (6, 7)],
        [(4, 4), (6, 6)],
    ]
    assert found["weak"].links == 2
    assert [one.id for one in found["weak"].document] == ["e1", "e2", "e3"]


def test_entities_are_not_looked_at():
    alone = [Entity(str(at), (one,)) for at, one in enumerate(every_mention(STORY))]
    (plain,), (apart,) = resolved(STORY), resolved(replace(STORY, entities=(*alone,)))
    for name in LINKINGS:
        assert spans(plain[name].document) == spans(apart[name].document)


@settings(max_examples=30)
@given(st.lists(documents(most=4), max_size=3))
def test_entities_partition_the_mentions(texts):
    for document, found in zip(texts, resolved(*texts), strict=True):
        mentions = every_mention(document)
        for one in found.values():
            assert sorted(m for entity in one.document for m in entity) == sorted(
                mentions
            )
            assert one.links == len(mentions) - len(one.document)
            assert one.document.sentences == document.sentences
            firsts = [entity.mentions[0] for entity in one.document]
            order = [mentions.index(first) for first in firsts]
            assert order == sorted(order)


@settings(max_examples=30)
@given(
    documents(most=4),
    st.sampled_from(["all_singletons", "head_match", "head_match_pron"]),
)
def test_baselines_partition_the_mentions(document, name):
    (found,) = resolve_by_baseline([document], name, context())
    mentions = sorted(m for entity in found.document for m in entity)
    assert mentions == sorted(every_mention(document))
    assert found.links == len(mentions) - len(found.document)


def test_models_give_the_same_together_and_alone():
    (together,) = resolved(STORY)
    for name, linking in LINKINGS.items():
        (alone,) = resolved(STORY, linkings={name: linking})
        assert alone[name] == together[name]


def test_documents_are_resolved_apart_and_in_order():
    other = replace(STORY, id="other")
    found = resolved(STORY, other, STORY)
    assert [one["weak"].document.id for one in found] == ["d", "other", "d"]
    assert len({str(spans(one["weak"].document)) for one in found}) == 1


def test_document_without_mentions_stays_so():
    found = resolved(parsed("so/ADV/0//A=B"), STORY, Document("empty", (), ()))
    assert [len(one["strong"].document) for one in found] == [0, 3, 0]


def test_single_mention_is_an_entity():
    (found,) = resolved(parsed("[ Ann/PROPN/0//A=B ]a:person"))
    assert spans(found["best"].document) == [[(0, 0)]]


def test_repeated_mention_is_resolved_once():
    (ann, *_), *_ = (entity.mentions for entity in STORY)
    twice = (*STORY.entities, Entity("again", (ann, ann)))
    (found,) = resolved(replace(STORY, entities=twice))
    assert spans(found["weak"].document) == spans(resolved(STORY)[0]["weak"].document)


def test_mention_has_the_type_of_its_basket():
    text = parsed(
        "[ Zork/PROPN/0//Number=Sing ]z:place",
        "[ Zork/PROPN/0//Number=Sing ]z",
        "[ the/2 mill/NOUN/0/root ]m:person",
    )
    (found,) = resolved(text)
    types = [
        [mention.attributes.get("type") for mention in entity]
        for entity in found["weak"].document
    ]
    # The type of a noun is not shown, and not taken over from what was annotated.
    assert types == [["place", "place"], [None]]


def test_mention_keeps_its_tokens_and_head_and_no_more():
    gapped = Mention.of([0, 2], head=2, minimum=(2, 2), attributes={"other": "x"})
    bridge = Bridge(gapped, "m")
    text = replace(STORY, entities=(Entity("g", (gapped,)),), bridges=(bridge,))
    (found,) = resolved(text)
    ((mention,),) = (entity.mentions for entity in found["weak"].document)
    assert (mention, mention.head) == (gapped, 2)
    assert (mention.minimum, mention.attributes) == (None, {})
    assert found["weak"].document.bridges == ()


def test_baskets_carry_what_their_mentions_tell():
    (found,) = resolved(STORY)
    _, mill, she = found["weak"].baskets
    assert (list(mill.heads), mill.genders) == (["mill"], NEUTER)
    assert (she.heads, she.genders, list(she.numbers)) == ({}, FEMININE, [SINGULAR])


def test_document_without_tree_is_refused():
    text = Document("bare", (("Ann", "slept"),), (Entity("a", (Mention(0, 0),)),))
    for found in (
        lambda: resolved(STORY, text),
        lambda: [*resolve_by_baseline([text], "head_match", context())],
    ):
        with pytest.raises(corefkit.FormatError, match="'bare': has no tags") as error:
            found()
        assert "--parser" in error.value.hint


def test_models_are_the_seven_of_the_paper():
    baselines = ["all_singletons", "head_match", "head_match_pron"]
    assert [*MODELS] == [*baselines, "strong", "super_strong", "best", "weak"]


def test_linking_models_have_names():
    assert get_linking("weak") is LINKINGS["weak"]
    with pytest.raises(
        corefkit.SettingsError, match="unknown linking model 'week'"
    ) as error:
        get_linking("week")
    assert "weak" in error.value.hint


def test_documents_are_read_as_they_are_resolved():
    read = []

    def texts():
        for number in range(4):
            read.append(number)
            yield replace(STORY, id=str(number))

    next(resolve_by_baseline(texts(), "head_match", context()))
    assert read == [0]


class Cheap:
    """Decide without looking much, and remember how much was asked at once."""

    def __init__(self):
        self.most = 0

    def decide(self, rows):
        self.most = max(self.most, len(rows))
        positive = rows[:, 0] == 1
        return Decisions(positive, np.full(len(rows), 0.01), positive.astype(float))


@pytest.mark.slow
def test_five_thousand_mentions():
    lines = [
        f"[ Ann{number % 50}/PROPN/2/nsubj/Number=Sing ]a saw/VERB/0/root "
        f"[ the/4 mill{number % 300}/NOUN/2/obj/Number=Sing ]m"
        for number in range(2_500)
    ]
    classifier = Cheap()
    tracemalloc.start()
    (found,) = resolved(parsed(*lines), classifier=classifier)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    for name in LINKINGS:
        assert len(found[name].document) == 350
        assert found[name].links == 5_000 - 350
    assert classifier.most < 2 * BATCH
    # All 12.5 million pairs at once would be 360 MB of codes, and as much for each
    # column as numbers of eight bytes; what is kept of a document is its matrices.
    assert peak < 300e6


def real(language):
    lexicon = load_lexicon(language)
    return Context(lexicon, "all")


def head_pairs(language):
    features = choose_features(language)
    return {
        "classifier": by_heads(features),
        "features": features,
        "context": real(language),
    }


@pytest.mark.skipif(
    not DATA.exists(), reason="the corpora beside the project are not here"
)
class TestCorpora:
    def test_ancora_mentions_that_are_alone_are_not_joined(self):
        path = DATA / "formats/corefud/es_ancora-one-sentence.conllu"
        texts = [*corefkit.read(path)]
        (found,) = resolve_pairs(texts, LINKINGS, **head_pairs("es"))
        assert [len(entity) for entity in found["weak"].document] == [1, 1, 1]
        types = [
            entity.mentions[0].attributes["type"] for entity in found["weak"].document
        ]
        assert types == ["organization", "organization", "time"]
        (single,) = resolve_by_baseline(texts, "head_match_pron", real("es"))
        assert single.links == 0

    def test_democrat_in_conllu(self):
        path = DATA / "formats/corefud/fr-democrat-dev-sample.conllu"
        texts = [text for text in corefkit.read(path) if len(text.tokens) > 1]
        (found,) = resolve_by_baseline(texts, "head_match_pron", real("fr"))
        text = found.document
        entities = [[text.text(one) for one in entity] for entity in text]
        (owner,) = (entity for entity in entities if "ses" in entity)
        # The closest that is one: what "ses" owns are many, the owner need not be.
        assert owner == ["le Territoire de Belfort", "ses"]

    @pytest.mark.slow
    def test_democrat_in_its_own_columns(self):
        path = DATA / "democrat-fr/dem1921_sg.dev.conll"
        every = corefkit.read(path, format="democrat")
        texts = [text for text in every if len(text.tokens) < 800][:6]
        responses = [*resolve_pairs(texts, LINKINGS, **head_pairs("fr"))]
        assert len(responses) == len(texts)
        for text, found in zip(texts, responses, strict=True):
            for one in found.values():
                mentions = {mention for entity in one.document for mention in entity}
                assert mentions == {mention for entity in text for mention in entity}
        scores = [
            corefkit.score(texts, [one[name].document for one in responses])
            for name in ("weak", "strong")
        ]
        assert {score["mentions"].f1 for score in scores} == {1.0}
        # Heads are worth something: a third of the links are found by them.
        assert scores[0]["muc"].f1 > 0.3


ZORK = "[ Zork/PROPN/0/root ]"
MILLER = "[ the/2 miller/NOUN/0//Number=Sing ]"
SHE = "[ she/2 ] slept/VERB/0/root"
HE = "[ he/2 ] slept/VERB/0/root"
IT = "[ it/2 ] slept/VERB/0/root"


def basket_of(*lines, **options):
    found = Basket()
    for profile in table_of(parsed(*lines), **options).profiles:
        found.grow(profile)
    return found


def test_empty_basket_knows_nothing():
    assert (Basket().names, Basket().heads, Basket().numbers) == ({}, {}, {})
    assert (Basket().type, Basket().genders) == (None, UNKNOWN)


def test_basket_gathers_what_its_mentions_tell():
    lines = (
        "[ Zork/PROPN/0//A=B ]z:person",
        MILLER,
        "[ Mrs/NOUN/2/nmod:desc Zork/PROPN/0/root ]z:person",
        "[ a/3 old/ADJ/3/amod woman/NOUN/0//Number=Sing ]",
        SHE,
    )
    basket = basket_of(*lines)
    assert list(basket.names) == ["zork", "mrs zork"]
    assert list(basket.heads) == ["miller", "woman"]
    assert (basket.type, basket.genders) == ("person", FEMININE)
    assert basket.numbers == {SINGULAR: 3}


def test_attributes_grow_with_each_mention():
    profiles = table_of(parsed(f"{ZORK} so/ADV/1/x/A=B", MILLER, SHE)).profiles
    basket = Basket()
    known = []
    for profile in profiles:
        basket.grow(profile)
        known.append((basket.genders, len(basket.mentions)))
    assert known == [(UNKNOWN, 1), (PERSON, 2), (FEMININE, 3)]


@pytest.mark.parametrize(
    ("lines", "gender"),
    [
        ((SHE, HE), FEMININE),
        ((HE, SHE, SHE), MASCULINE),
        ((MILLER, IT, SHE), FEMININE),
        ((IT, MILLER), NEUTER),
    ],
)
def test_gender_that_contradicts_all_before_is_not_believed(lines, gender):
    assert basket_of(*lines).genders == gender


def test_numbers_are_counted_and_the_type_is_that_seen_most_often():
    they = "[ they/2 ] slept/VERB/0/root"
    assert basket_of(they, SHE, SHE).numbers == {PLURAL: 1, SINGULAR: 2}
    name = "[ Zork/PROPN/0//A=B ]z:{}"
    types = [name.format(one) for one in ("place", "person", "person")]
    assert basket_of(*types).type == "person"
    assert basket_of(*types[:2]).type == "place"


def test_coordination_is_one_head():
    lines = ("[ mills/NOUN/0//A=B and/3 boats/NOUN/1/conj ]",)
    assert list(basket_of(*lines).heads) == ["mills boats"]


def test_mentions_are_put_into_baskets_by_number():
    profiles = table_of(parsed(SHE, MILLER, HE)).profiles
    one, other = fill_baskets(profiles, [7, 2, 7])
    assert [mention.start for mention in one.mentions] == [0, 4]
    assert [mention.start for mention in other.mentions] == [2]
    assert fill_baskets([], []) == []


@given(documents())
def test_gender_of_a_basket_is_never_impossible(document):
    basket = Basket()
    for profile in table_of(document).profiles:
        basket.grow(profile)
        assert 0 < basket.genders <= UNKNOWN
    assert len(basket.mentions) == len(table_of(document))
