"""Entity types: one inventory for the types of all corpora, and what types mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.model import Mention

# Entity types as corpora call them, in the words of GUM.
ENTITY_TYPES = (
    "none",
    "person",
    "organization",
    "place",
    "object",
    "event",
    "time",
    "abstract",
    "substance",
    "animal",
    "plant",
    "other",
)
_TYPES: Mapping[str, str] = {
    **{name: name for name in ENTITY_TYPES},
    **dict.fromkeys(("per", "pers", "individual"), "person"),
    **dict.fromkeys(("org", "organisation", "group", "norp"), "organization"),
    **dict.fromkeys(("loc", "gpe", "fac", "location", "facility", "geo"), "place"),
    **dict.fromkeys(("product", "work_of_art", "weapon", "vehicle", "veh"), "object"),
    **dict.fromkeys(("wea", "building", "art"), "object"),
    **dict.fromkeys(("date", "duration"), "time"),
    **dict.fromkeys(("language", "law", "number", "money", "percent"), "abstract"),
}
# The supertype of a name of a type, as WordNet's lexicographer files call it.
TYPE_SUPERTYPES: Mapping[str, str] = {
    "person": "person",
    "organization": "group",
    "place": "location",
    "object": "artifact",
    "event": "event",
    "time": "time",
    "substance": "substance",
    "animal": "animal",
    "plant": "plant",
}


def entity_type(mention: Mention) -> str:
    """Return the type of a mention's entity; `none` if the corpus tells none.

    >>> from corefkit.model import Mention
    >>> entity_type(Mention(0, 0, attributes={"type": "PER"}))
    'person'
    """
    name = mention.attributes.get("type", "").lower()
    return _TYPES.get(name, "other") if name else "none"
