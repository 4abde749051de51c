"""Weights of mentions by type, and of confusions between types.

Weights are written in one line, in the option `--weights` and in the signature:
sections are separated by `;`, and each has a name, a colon, and its weights:

    type:PER=1,ORG=0.5,other=0.1; mention_type:NAM=1,NOM=0.5,PRO=0.1

1.  `type` weighs entity types, `mention_type` kinds of mentions: NAM for names, NOM for
    other nouns, PRO for pronouns. A mention is worth the product of the two.
2.  `type_confusion` and `mention_type_confusion` are the share of its worth that a
    mention keeps if both sides have different types or kinds: `PER/ORG=0.5` for PER in
    the key and ORG in the response.
3.  `other` is the weight of all names that a section does not list; the default is 1.
    A section that is not given has no effect.
4.  A weight is 0 or more; the share that a confusion leaves is at most 1.
5.  `ace2005` names the weights of the evaluation of that year, `ace2005-original` those
    that its script calls the original ones.
"""

from __future__ import annotations

import math
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from corefkit.exceptions import SettingsError
from corefkit.strings import escape_signature

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OTHER = "other"
_ATTRIBUTES = ("type", "mention_type")
_SECTIONS = (*_ATTRIBUTES, *(f"{name}_confusion" for name in _ATTRIBUTES))
_NOTHING: Mapping[str, float] = MappingProxyType({})
_EXAMPLE = "type:PER=1,ORG=0.5; mention_type:NAM=1,NOM=0.5,PRO=0.1"


class Weights(NamedTuple):
    """Weights of mentions and of confusions: a field for each section."""

    type: Mapping[str, float] = _NOTHING
    mention_type: Mapping[str, float] = _NOTHING
    type_confusion: Mapping[str, float] = _NOTHING
    mention_type_confusion: Mapping[str, float] = _NOTHING
    # Whether ACE-value counts an entity as much as its best mention.
    by_level: bool = True

    @property
    def required_attributes(self) -> tuple[str, ...]:
        """The attributes that these weights depend on."""
        return tuple(
            name
            for name in _ATTRIBUTES
            if getattr(self, name) or getattr(self, f"{name}_confusion")
        )

    def compute_worth(self, attributes: Mapping[str, str]) -> float:
        """Return the worth of a mention with these attributes."""
        return math.prod(self.get_weight(name, attributes) for name in _ATTRIBUTES)

    def get_weight(self, name: str, attributes: Mapping[str, str]) -> float:
        """Return the weight of the entity type or of the kind of mention."""
        return _look_up(getattr(self, name), attributes.get(name, OTHER))

    def compute_share(
        self, key: Mapping[str, str], response: Mapping[str, str]
    ) -> float:
        """Return the share of its worth that a matched mention keeps."""
        return math.prod(self.get_share(name, key, response) for name in _ATTRIBUTES)

    def get_share(
        self, name: str, key: Mapping[str, str], response: Mapping[str, str]
    ) -> float:
        """Return the share that is left by the types, or kinds, of both sides."""
        if key.get(name) == response.get(name):
            return 1.0
        confusion = f"{key.get(name) or OTHER}/{response.get(name) or OTHER}"
        return _look_up(getattr(self, f"{name}_confusion"), confusion)


def _look_up(section: Mapping[str, float], name: str) -> float:
    return section.get(name, section.get(OTHER, 1.0))


PRESET_WEIGHTS: Mapping[str, Weights] = {
    # The default parameters of NIST's script of 2005.
    "ace2005": Weights(
        mention_type={"NAM": 1.0, "NOM": 0.5, "PRO": 0.1},
        type_confusion={OTHER: 0.5},
        mention_type_confusion={OTHER: 0.9},
    ),
    # Its parameters `original_entity_type_weights`, with entities worth all mentions.
    "ace2005-original": Weights(
        mention_type={"NAM": 1.0, "NOM": 0.2, "PRO": 0.04},
        type_confusion={OTHER: 0.5},
        mention_type_confusion={OTHER: 0.9},
        by_level=False,
    ),
}


SYNTAX = f"{', '.join(PRESET_WEIGHTS)}, or for example {_EXAMPLE!r}"


@lru_cache(maxsize=64)
def parse_weights(text: str) -> Weights:
    """Parse weights, or find them by name."""
    if text in PRESET_WEIGHTS:
        return PRESET_WEIGHTS[text]
    sections: dict[str, dict[str, float]] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, colon, listing = part.partition(":")
        if not colon:
            _reject(f"weights have {part!r}, expected `section:name=weight,...`")
        if name.strip() not in _SECTIONS:
            expected = f"expected one of {', '.join(_SECTIONS)}"
            _reject(f"weights have a section {name.strip()!r}, {expected}")
        section = sections.setdefault(name.strip(), {})
        for pair in listing.split(","):
            label, weight = _parse_weight(pair, confusion="confusion" in name)
            if section.setdefault(label, weight) != weight:
                _reject(f"weights have {label!r} twice")
    if not sections:
        _reject("weights are empty")
    types, kinds, *confusions = (sections.get(name, {}) for name in _SECTIONS)
    return Weights(types, kinds, confusions[0], confusions[1])


def _parse_weight(text: str, *, confusion: bool) -> tuple[str, float]:
    name, _, number = (part.strip() for part in text.partition("="))
    try:
        weight = float(number)
    except ValueError:
        weight = math.nan
    limit = 1.0 if confusion else math.inf
    if not name or not 0 <= weight <= limit or math.isinf(weight):
        limits = "from 0 to 1" if confusion else "0 or more"
        _reject(f"weights have {text.strip()!r}, expected `name=number`, {limits}")
    if confusion and name != OTHER and name.count("/") != 1:
        _reject(f"weights have a confusion {name!r}, expected `KEY/RESPONSE`")
    return name, weight


def _reject(message: str) -> NoReturn:
    hint = f"for example {_EXAMPLE!r}, or by name: {', '.join(PRESET_WEIGHTS)}"
    raise SettingsError(message, code="settings/invalid-weights", hint=hint)


def normalize_weights(text: str, *, write_name: Callable[[str], str] = str) -> str:
    """Format weights without blanks, with sorted names formatted by `write_name`."""
    if text in PRESET_WEIGHTS:
        return text
    weights = parse_weights(text)
    sections = []
    for name in _SECTIONS:
        section = sorted(getattr(weights, name).items())
        if section:
            pairs = (f"{write_name(label)}={weight:.12g}" for label, weight in section)
            sections.append(f"{name}:{','.join(pairs)}")
    return ";".join(sections)


def encode_weights(text: str) -> str:
    """Format weights for the signature, with special characters of names encoded."""
    return normalize_weights(text, write_name=escape_signature)
