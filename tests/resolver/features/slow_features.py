"""The features once more: obvious versions, of a pair at a time, from profiles."""

from __future__ import annotations

from cistell.mentions.profiles import FEMININE, MASCULINE, UNKNOWN
from cistell.paper.features import FEATURES

EITHER = {MASCULINE, FEMININE, MASCULINE | FEMININE}


def slow_values(table, at, to):
    """Say what every feature says of the mentions `at` and `to`, the first earlier."""
    every = table.profiles
    one, two = every[at], every[to]
    pronouns = one.pronoun or two.pronoun
    return {
        "head_match": head_match(one, two),
        "string_match": yes(not pronouns and one.text == two.text),
        "substring_match": substring_match(one.contents, two.contents),
        "acronym": yes(stands_for(one, two) or stands_for(two, one)),
        "frequency_first": find_bin("frequency_first", frequency(one, every)),
        "frequency_second": find_bin("frequency_second", frequency(two, every)),
        "sentence_distance": find_bin(
            "sentence_distance", max(0, two.sentence - one.sentence)
        ),
        "mention_distance": find_bin("mention_distance", to - at),
        "word_distance": find_bin(
            "word_distance", max(0, two.mention.start - one.mention.end - 1)
        ),
        "mention_type_first": one.kind,
        "mention_type_second": two.kind,
        "pronoun_first": yes(one.pronoun),
        "pronoun_second": yes(two.pronoun),
        "pronoun_type_second": two.kind if two.pronoun else "none",
        "coordination": mark_both(one.coordinated, two.coordinated),
        "possessive_phrase": yes(two.possessive),
        "gender_match": gender(one, two),
        "gender_match_pronoun": gender(one, two) if pronouns else "no_pronoun",
        "gender_match_noun": gender(one, two)
        if not pronouns and {one.gender, two.gender} <= EITHER
        else "not_both_nouns",
        "gender_match_person": gender(one, two)
        if "person" in (one.supertype, two.supertype)
        else "no_person",
        "number_match": yes(one.number == two.number)
        if one.number and two.number
        else "unknown",
        "person_match": person_match(one, two),
        "zero_first": yes(one.kind == "zero_pronouns"),
        "zero_second": yes(two.kind == "zero_pronouns"),
        "nominal_predicate": yes(two.subject == one.head or one.subject == two.head),
        "apposition": yes(two.apposed == one.head or one.apposed == two.head),
        "relative_clause": yes(two.relative),
        "embedding": yes(two.mention.end <= one.mention.end),
        "function_first": one.function,
        "function_second": two.function,
        "quotation": mark_both(one.quoted, two.quoted),
        "entity_type_first": one.entity_type,
        "entity_type_match": entity_type_match(one.entity_type, two.entity_type),
        "is_a_match": is_a_match(one, two, table.wordnet),
        "supertype_match": yes(one.supertype == two.supertype)
        if one.supertype and two.supertype
        else "unknown",
    }


def yes(flag):
    return "yes" if flag else "no"


def mark_both(first, second):
    return {
        (False, False): "neither",
        (True, False): "first",
        (False, True): "second",
        (True, True): "both",
    }[first, second]


def find_bin(feature, number):
    """Find the value of a feature of numbers by what the values are called."""
    for name in FEATURES[feature].values:
        start, _, end = name.rstrip("+").partition("-")
        last = float("inf") if name.endswith("+") else int(end or start)
        if int(start) <= number <= last:
            return name
    raise ValueError(number)


def head_match(one, two):
    same = one.head_forms == two.head_forms
    if one.pronoun and two.pronoun:
        inflected = [(each.person, each.gender, each.number) for each in (one, two)]
        alike = one.person > 0 and inflected[0] == inflected[1]
        return "same_pronoun" if same or alike else "pronouns"
    if one.pronoun:
        return "first_pronoun"
    return "second_pronoun" if two.pronoun else yes(same)


def substring_match(one, two):
    if not one & two:
        return "none"
    if one == two:
        return "same"
    return "subset" if one < two or two < one else "some"


def stands_for(short, long):
    return bool(short.acronym) and short.acronym == long.initials


def frequency(profile, every):
    return sum(other.head_forms == profile.head_forms for other in every)


def gender(one, two):
    if UNKNOWN in (one.gender, two.gender):
        return "unknown"
    if one.gender == two.gender:
        return "yes"
    return "compatible" if one.gender & two.gender else "no"


def person_match(one, two):
    persons = {one.person, two.person}
    if persons == {0}:
        return "no_pronoun"
    if 0 in persons:
        return "third_and_noun" if 3 in persons else "first_or_second_and_noun"
    if 3 in persons:
        return "both_third" if persons == {3} else "third_and_other"
    kind = {(1,): "both_first", (2,): "both_second", (1, 2): "first_and_second"}
    speaker = "same" if one.speaker == two.speaker else "other"
    return f"{kind[tuple(sorted(persons))]}_{speaker}_speaker"


def entity_type_match(one, two):
    if one == two == "none":
        return "unknown"
    return "one_unknown" if "none" in (one, two) else yes(one == two)


def is_a_match(one, two, wordnet):
    if one.pronoun or two.pronoun:
        return "pronoun"
    senses = [
        {*wordnet.senses(mention.concept)} if wordnet and mention.concept else set()
        for mention in (one, two)
    ]
    if not all(senses):
        return "unknown"
    if one.concept == two.concept:
        return "same"
    if senses[0] & senses[1]:
        return "synonym"
    above = [{up for sense in row for up in wordnet.ancestors(sense)} for row in senses]
    if above[0] & senses[1]:
        return "first_is_second"
    return "second_is_first" if above[1] & senses[0] else "none"
