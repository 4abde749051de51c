"""The passes of the sieve: each looks for the antecedent of a mention by one rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.mentions.profiles import NEUTER, PLURAL
from cistell.sieve.scene import NOBODY, keep_letters
from corefkit.syntax.dependencies import parse_features

if TYPE_CHECKING:
    from collections.abc import Callable

    from cistell.mentions.profiles import Profile
    from cistell.sieve.scene import Scene

_STEPS = 100
_SUBJECTS_AND_OBJECTS = {"nsubj", "obj", "iobj"}
_ARGUMENTS = {"nsubj", "obj", "iobj", "obl"}


def is_inside(scene: Scene, mention: int, other: int) -> bool:
    """Return whether a mention contains one of another's entity, or lies inside it.

    Then they are not coreferent ("i within i"): "her" in "her dog" is not the dog.
    """
    entity = scene.entities[other]
    return any(scene.entities[at] is entity for at in scene.nested[mention])


def is_inside_phrase(scene: Scene, mention: int, other: int) -> bool:
    """Do as `is_inside`, but allow a relative clause to mention its noun.

    "workers who like their jobs": "their" are the workers.
    """
    entity = scene.entities[other]
    return any(
        scene.entities[at] is entity and not _is_in_clause_of(scene, mention, at)
        for at in scene.nested[mention]
    )


def _is_in_clause_of(scene: Scene, mention: int, around: int) -> bool:
    syntax = scene.syntax
    at, head = scene.profiles[mention].head, scene.profiles[around].head
    for _ in range(_STEPS):
        if at < 0 or at == head:
            return False
        if syntax.parents[at] == head:
            return syntax.kinds[at] == "acl"
        at = syntax.parents[at]
    return False


def agree(scene: Scene, mention: int, other: int) -> bool:
    """Return whether the entities of two mentions agree in gender and number.

    Gender also separates persons from things: neuter is not animate.
    """
    entity, other_entity = scene.entities[mention], scene.entities[other]
    return bool(entity.gender & other_entity.gender) and bool(
        entity.numbers & other_entity.numbers
    )


def do_owners_clash(
    scene: Scene, mention: int, other: int, *, same_words: bool = False
) -> bool:
    """Return whether the two mentions have different owners, or only one has one.

    With the same words ("his hat" and "his hat"), only "my" and "your" of different
    people clash.
    """
    owner, other_owner = (scene.clues[at].owner for at in (mention, other))
    if owner < 0 or (other_owner < 0 and same_words):
        return False
    owners = [scene.by_token.get(token, ()) for token in (owner, other_owner)]
    if other_owner < 0 or not all(owners):
        return other_owner < 0
    first_owner, second_owner = (mentions[0] for mentions in owners)
    if scene.entities[first_owner] is scene.entities[second_owner]:
        return False
    return not same_words or scene.profiles[first_owner].person in (1, 2)


def are_of_one_verb(scene: Scene, mention: int, other: int) -> bool:
    """Return whether two are arguments of one verb, which a reflexive pronoun may be.

    "Ann saw her": she saw another person.
    """
    syntax, profile = scene.syntax, scene.profiles[mention]
    head, other_head = profile.head, scene.profiles[other].head
    return (
        profile.kind not in ("possessive_pronouns", "reflexive_pronouns")
        and syntax.parents[head] == syntax.parents[other_head] >= 0
        and syntax.kinds[other_head] in _SUBJECTS_AND_OBJECTS
        and syntax.kinds[head] in _ARGUMENTS
    )


# Kinds of mentions whose determiner matters: "no mill" is not "the mill".
_DETERMINED = ("indefinite_nps", "others")
# Kinds that many different things share: "one of them", "water".
_COMMON = ("bare_nps", "numerals", "others")


def match_exact_string(scene: Scene, mention: int) -> int:
    """Find a mention with the same words; determiners and a final 's do not count.

    They do count if one of the two is indefinite: "a week" is not "this week".
    """
    profiles, clues = scene.profiles, scene.clues
    clue = clues[mention]
    if profiles[mention].pronoun:
        return NOBODY
    for candidate in scene.near(scene.by_text[clue.text], mention):
        if clues[candidate].full_text != clue.full_text and (
            profiles[mention].kind in _DETERMINED
            or profiles[candidate].kind in _DETERMINED
        ):
            continue
        if not is_inside(scene, mention, candidate) and not do_owners_clash(
            scene, mention, candidate, same_words=True
        ):
            return candidate
    return NOBODY


def match_relaxed_string(scene: Scene, mention: int) -> int:
    """Find a mention with the same words up to the head, and more words after it.

    "the mill" is "the mill that burned".
    """
    profile, clue = scene.profiles[mention], scene.clues[mention]
    if profile.pronoun or profile.kind in _COMMON or clue.after:
        return NOBODY
    for candidate in scene.near(scene.by_opening[clue.opening], mention):
        if not is_inside(scene, mention, candidate) and not do_owners_clash(
            scene, mention, candidate
        ):
            return candidate
    return NOBODY


_PLACES = ("place", "none")


def match_construct(scene: Scene, mention: int) -> int:
    """Find the mention of an apposition, a predicate or a relative pronoun."""
    profile = scene.profiles[mention]
    if profile.kind == "relative_pronouns":
        return _find_headed(scene, mention, _find_modified(scene, profile.head))
    if profile.kind == "clauses":
        return NOBODY
    subject = profile.subject
    if subject >= 0 and _is_relative(scene.syntax.features[subject]):
        subject = _find_modified(scene, subject)  # "the mill, which is a ruin"
    for token in (profile.apposed, subject):
        antecedent = _find_headed(scene, mention, token)
        if antecedent != NOBODY and not (
            token == profile.apposed and _is_address(scene, mention, antecedent)
        ):
            return antecedent
    return NOBODY


def _find_headed(scene: Scene, mention: int, token: int) -> int:
    """Find a mention with a head; it must not be inside the one that is resolved."""
    profiles = scene.profiles
    for candidate in scene.by_token.get(token, ()):
        if (
            candidate != mention
            and profiles[candidate].coordinated == profiles[mention].coordinated
            and not _contains(profiles[mention], profiles[candidate])
        ):
            return candidate
    return NOBODY


def _is_relative(features: str) -> bool:
    return "Rel" in parse_features(features)["PronType"]


def _contains(profile: Profile, other: Profile) -> bool:
    span, inner = profile.mention, other.mention
    return span.start <= inner.start and inner.end <= span.end


def _is_address(scene: Scene, mention: int, other: int) -> bool:
    """Return whether a name is a place inside the other one: "Lahore, Pakistan"."""
    return all(
        scene.clues[at].name and scene.profiles[at].entity_type in _PLACES
        for at in (mention, other)
    )


def _find_modified(scene: Scene, token: int) -> int:
    """Find the noun that the relative clause around a token modifies; or -1."""
    syntax = scene.syntax
    for _ in range(_STEPS):
        if token < 0:
            break
        if syntax.kinds[token] == "acl":
            return syntax.parents[token]
        token = syntax.parents[token]
    return -1


def match_acronym(scene: Scene, mention: int) -> int:
    """Find the long form of an acronym, or the acronym of a mention."""
    profile = scene.profiles[mention]
    for key, index in (
        (profile.initials, scene.by_acronym),
        (profile.acronym, scene.by_initials),
    ):
        candidates = scene.near(index.get(key, ()), mention) if key else ()
        if candidates:
            return candidates[0]
    return NOBODY


# Kinds whose heads many different things share: "water", "one of them".
_COMMON_HEADS = ("bare_nps", "numerals", "others", "clauses")


def make_strict_head(*, words: bool, modifiers: bool) -> Callable[[Scene, int], int]:
    """Make a pass that finds a mention with the same head.

    With `words`, the entity found must have all words of the one that is resolved; with
    `modifiers`, the mention found all modifiers of the one that is resolved.
    """

    def find(scene: Scene, mention: int) -> int:
        profile, clue = scene.profiles[mention], scene.clues[mention]
        if profile.pronoun or profile.kind in _COMMON_HEADS:
            return NOBODY
        entity_words = scene.entities[mention].words
        for candidate in scene.near(scene.by_head[clue.head], mention):
            if words and not entity_words <= scene.entities[candidate].words:
                continue
            if modifiers and not clue.modifiers <= scene.clues[candidate].modifiers:
                continue
            if clue.name and not agree(scene, mention, candidate):
                continue  # "Mr. Brown" and "Mrs. Brown"
            if not is_inside(scene, mention, candidate) and not do_owners_clash(
                scene, mention, candidate
            ):
                return candidate
        return NOBODY

    return find


def match_proper_head(scene: Scene, mention: int) -> int:
    """Find a name with the same last word, of which the other is a part.

    "Ms. Brown" is "Ann Brown", and "Ann Brown", if that is a flat name, may follow
    "Brown". Another name, place or number among the modifiers distinguishes two: "the
    University of Rome" is not "the University".
    """
    clue = scene.clues[mention]
    if not clue.name:
        return NOBODY
    for antecedent in scene.near(scene.by_head[clue.head], mention):
        antecedent_clue = scene.clues[antecedent]
        if (
            not antecedent_clue.name
            or (clue.premodifiers | clue.other_names) - antecedent_clue.words
        ):
            continue
        if not (
            {*clue.name} <= {*antecedent_clue.name}
            or (clue.flat and len(antecedent_clue.name) == 1)
        ):
            continue
        if not is_inside(scene, mention, antecedent) and agree(
            scene, mention, antecedent
        ):
            return antecedent
    return NOBODY


def match_relaxed_head(scene: Scene, mention: int) -> int:
    """Find a name that has all words of a mention's name: "Ann" is "Ann Brown"."""
    clue, entity_words = scene.clues[mention], scene.entities[mention].words
    if not clue.name:
        return NOBODY
    for candidate in scene.near(scene.by_word.get(clue.head, ()), mention):
        if not {*clue.name} <= {*scene.clues[candidate].name}:
            continue
        if not entity_words <= scene.entities[candidate].words:
            continue
        if not is_inside(scene, mention, candidate) and agree(
            scene, mention, candidate
        ):
            return candidate
    return NOBODY


_ENGLISH_TIMES = """
afternoon april august autumn century day decade december evening february friday hour
january july june march may midnight minute moment monday month morning night noon
november october saturday season second september spring summer sunday thursday time
today tomorrow tonight tuesday wednesday week weekend winter year yesterday
"""
_RESOLVED = (
    *("personal_pronouns", "possessive_pronouns", "reflexive_pronouns"),
    "zero_pronouns",
)
# Kinds that pronouns do not refer to.
_NOT_REFERRED_TO = (
    *("relative_pronouns", "other_pronouns", "clauses", "numerals", "others"),
)
# Nouns that no pronoun refers to, also if WordNet is missing.
_TIMES = frozenset(_ENGLISH_TIMES.split())
_SENTENCES = 3  # how many sentences before its own a pronoun looks at


def match_speaker(scene: Scene, mention: int) -> int:
    """Find the same pronoun of the same voice; or who "I" is, or "you".

    "I" is the speaker of a quotation, or a name that is that of the document's speaker.
    "You" is the other one, if a document names two.
    """
    profile = scene.profiles[mention]
    if profile.kind not in _RESOLVED or profile.person not in (1, 2):
        return NOBODY
    voice = scene.voices.of[mention]
    row = scene.by_voice[voice, profile.person, profile.number == PLURAL]
    if row[0] != mention:
        return row[0]
    if profile.number == PLURAL:
        return NOBODY
    if profile.person == 1:
        name = keep_letters(scene.voices.names.get(voice, ""))
        namesake = scene.by_letters.get(name, [NOBODY])[0] if name else NOBODY
        return scene.voices.mentions.get(voice, namesake)
    listeners = [at for at in scene.voices.names if at != voice]
    if len(listeners) != 1 or voice not in scene.voices.names:
        return NOBODY
    return next(iter(scene.by_voice.get((listeners[0], 1, False), ())), NOBODY)


def match_pronoun(scene: Scene, mention: int) -> int:
    """Find the first mention, in the papers' order, that a pronoun agrees with.

    "She" looks first among those that are known to be persons, and only if there is
    none among what may be one.
    """
    profile = scene.profiles[mention]
    if (
        profile.kind not in _RESOLVED
        or profile.person in (1, 2)
        or scene.syntax.kinds[profile.head] == "expl"
    ):
        return NOBODY
    candidates = [
        candidate
        for sentence in range(profile.sentence, profile.sentence - _SENTENCES - 1, -1)
        for candidate in scene.list_candidates(mention, sentence)
        if _may_be(scene, mention, candidate)
    ]
    if not profile.gender & NEUTER:
        persons = (at for at in candidates if not scene.entities[at].gender & NEUTER)
        return next(persons, candidates[0] if candidates else NOBODY)
    return candidates[0] if candidates else NOBODY


def _may_be(scene: Scene, mention: int, other: int) -> bool:
    """Return whether a pronoun may refer to a mention."""
    entity, candidate = scene.entities[other], scene.profiles[other]
    if candidate.kind in _NOT_REFERRED_TO or entity is scene.entities[mention]:
        return False
    if candidate.supertype == "time" or scene.clues[other].head in _TIMES:
        return False
    # "She" is not the speaker, and an entity of "I" and "you" alone is unknown.
    if entity.speaks and (
        not entity.nominal or scene.voices.of[mention] in entity.speaks
    ):
        return False
    return (
        agree(scene, mention, other)
        and not are_of_one_verb(scene, mention, other)
        and not is_inside_phrase(scene, mention, other)
    )
