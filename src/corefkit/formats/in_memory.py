"""Keys and responses in memory: partitions, lists of documents, and mappings.

A value is interpreted by its shape. `docs/python.md` has a table of shapes; precisely:

1.  A mention is any hashable value. A list of two numbers is a span and is read as a
    tuple; no other list is a mention. Mappings, sets, arrays, iterators and other
    iterables that are hashed by identity are never mentions, nor is NaN.
2.  Negative numbers in a list, tuple or frozenset of numbers raise FormatError:
    padding would match on both sides. Spans that end before they start do, too.
3.  An entity is an iterable of mentions; a string is an entity of letters. A mapping to
    None only, as `dict.fromkeys` makes, is an ordered set, and can be an entity.
4.  A partition is an iterable of entities: one document, with the id `document`. An
    iterable of partitions is a list of documents, numbered from 0, and paired by
    position with a list of the same length on the other side.
5.  A mapping is a corpus: document ids to documents. A mapping inside it, or inside a
    list, is a document: entity ids to mentions. A string there is not an entity,
    because it could be a label. Objects of JSON lines and rows of data sets are
    recognised by their names.
6.  The values two levels down decide if a list is a partition, because they are
    mentions, or a list of partitions, because they cannot be mentions. One side decides
    for all; FormatError is raised if sides disagree, or if all are undecided. Lists of
    numbers two levels down are spans. If one of them does not have two numbers, they
    could also be clusters of token numbers, and FormatError is raised.
7.  If mentions are declared, as `spans` or `tokens`, depth alone decides, and each
    mention must be a span or an integer.

Arrays and tensors are converted by `tolist`. Iterators are read once.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from itertools import chain, count, islice
from numbers import Real
from operator import index
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np

from corefkit.arrays.building import build_columns, encode_ids
from corefkit.arrays.columns import Columns, join_columns
from corefkit.exceptions import (
    CorefkitError,
    FormatError,
    PairingError,
    SettingsError,
    quoted,
    reject_response,
)
from corefkit.formats.source import Source, iter_document_words
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from corefkit.arrays.columns import Ints
    from corefkit.formats import Input
    from corefkit.formats.source import Word
    from corefkit.formats.tables import TableSource

# The id of a partition without one.
UNNAMED = "document"

Entities: TypeAlias = Sequence[Sequence[Hashable]] | Mapping[str, Sequence[Hashable]]

RIGHT_SHAPES = (
    "a partition is [[mention, ...], ...], a corpus {document: partition, ...}, and a "
    "mention (first, last), a string or a number"
)
_PADDING_HINT = "remove the padding of arrays and tensors"
_REVERSED_HINT = (
    "a span is (first token, last token); clusters of single tokens are declared with "
    "mentions='tokens'"
)
_BLOCK_DOCUMENTS = 256  # converted to columns at a time
_EXCERPT_LENGTH = 80
TOKEN_LIMIT = 1 << 40  # no document has that many tokens
# Fields of which every record of JSON has one, in any dialect.
_JSON_NAMES = frozenset(
    {
        *("doc_key", "clusters", "predicted_clusters", "clusters_token_offsets"),
        *("span_clusters", "mention_clusters", "corefs", "relations", "annotations"),
        *("completions", "tokens_number"),
    }
)

# Types that can be iterated over repeatedly, and contain only their items.
_LISTS = frozenset({str, list, tuple, set, frozenset})
# Types of values that are always mentions.
_ATOMS = frozenset({str, int, bool, Mention})
# Types of the first item of a list that is not a list of numbers.
_NO_NUMBERS = frozenset({str, list, tuple, Mention})


class MemoryCorpus(NamedTuple):
    """A key or response in memory.

    The items of a list are read by `settle_lists` once the depths of all sides are
    known, because different depths are the first error to report.
    """

    role: str  # `key` or `response`, for error messages
    documents: Mapping[str, Document | Entities]  # those without words as entities
    has_spans: bool = False  # whether a mention is known to be a span of tokens
    depth: int | None = None  # 1: entities, 2: partitions; None: not a list, undecided
    is_named: bool = True  # whether the user gave the ids
    items: Sequence[object] | None = None  # of a list that has not been read
    is_ordered: bool = True
    declared: str | None = None  # how mentions are declared: `spans` or `tokens`


def read_value(value: object, role: str, declared: str | None = None) -> MemoryCorpus:
    """Read a key or response that is neither a path nor a table."""
    if type(value) is list and declared is None:
        plain = _read_plain(value)
        if plain is not None and type(value[0]) is not tuple:
            entities, types = plain
            documents = {UNNAMED: entities}
            return MemoryCorpus(role, documents, Mention in types, 1, is_named=False)
        if _are_partitions(value):
            return MemoryCorpus(role, {}, depth=2, is_named=False, items=value)
    if isinstance(value, MemoryCorpus):
        return value
    rows = _read_rows(value, role)
    if rows is not None:
        return MemoryCorpus(role, _index_documents(rows, role), bool(rows))
    document = _convert_document(value, UNNAMED, role)
    if document is not None:
        is_named = document.id != UNNAMED or _has_id(value, role)
        return MemoryCorpus(role, {document.id: document}, True, is_named=is_named)
    if isinstance(value, Mapping):
        return _read_mapping(value, role, declared)
    return _read_list(value, role, declared)


def _read_mapping(
    value: Mapping[object, object], role: str, declared: str | None
) -> MemoryCorpus:
    documents: dict[str, Document | Entities] = {}
    types: set[type] = set()
    for name, item in _name_by_string(value, "documents", role).items():
        document = _convert_document(item, name, role)
        if document is not None:
            types.add(Mention)
            documents[name] = document
            continue
        place = f"{role}, document {quoted(name)}"
        entities = documents[name] = _read_partition(item, place, declared, types)
        if declared is None:
            _check_entities(entities, place, types)
    return MemoryCorpus(role, documents, Mention in types)


def _read_list(value: object, role: str, declared: str | None) -> MemoryCorpus:
    items = _to_list(value, role)
    documents = [
        _convert_document(item, str(number), role) for number, item in enumerate(items)
    ]
    if any(document is not None for document in documents):
        by_id = _index_documents(documents, role)
        positions = list(map(str, range(len(items))))
        have_ids = {_has_id(item, role) for item in items}
        if len(have_ids) > 1:
            message = "some documents have ids, and others have none"
            raise _make_error(message, role, "input/wrong-shape", None)
        is_named = have_ids == {True} or [*by_id] != positions
        return MemoryCorpus(role, by_id, has_spans=True, is_named=is_named)
    items = _to_lists(items, role)
    return MemoryCorpus(
        role,
        {},
        depth=_find_depth(items, role, declared),
        is_named=False,
        items=items,
        is_ordered=not isinstance(value, Set),
        declared=declared,
    )


def _index_documents(
    documents: Sequence[Document | None], role: str
) -> dict[str, Document]:
    by_id: dict[str, Document] = {}
    for document in documents:
        if document is None:
            message = "some items are documents, and others are not"
            raise _make_error(message, role)
        if by_id.setdefault(document.id, document) is not document:
            message = f"two documents have the id {quoted(document.id)}"
            raise _make_error(message, role, "input/duplicate-name", None)
    return by_id


def _find_depth(items: Sequence[object], role: str, declared: str | None) -> int | None:
    """Return 1 if items are entities, 2 if documents, None if undecided."""
    lists = [item for item in items if not isinstance(item, Mapping)]
    values = list(chain.from_iterable(cast("list[list[object]]", lists)))
    if declared is None and any(map(_is_number_list, values)):
        _check_pairs(values, role)
    heights = [_find_height(value, declared) for value in values]
    if len(lists) == len(items) and 1 not in heights:
        return 1 if 0 in heights else None
    for value, height in zip(values, heights, strict=True):
        if height == 0 and not (declared is None and _is_number_list(value)):
            message = f"found the mention {excerpt(value)} among entities"
            raise _make_error(message, role)
    return 2


def _check_pairs(values: Sequence[object], role: str) -> None:
    """Raise FormatError if lists of numbers can be spans or clusters of tokens."""
    for value in values:
        is_pair = _is_number_list(value) and len(cast("list[object]", value)) == 2
        if isinstance(value, list) and not is_pair:
            message = (
                f"found {excerpt(value)} among lists of numbers, which can be spans of "
                "one document, or clusters of token numbers in a list of documents"
            )
            hint = (
                "declare mentions='tokens' or mentions='spans' in `score` or "
                "`Evaluator`, or name the documents: {id: [[mention, ...], ...], ...}"
            )
            raise _make_error(message, role, "input/ambiguous-shape", hint)


def _read_items(corpus: MemoryCorpus, depth: int) -> MemoryCorpus:
    role, items, declared = corpus.role, corpus.items or (), corpus.declared
    documents: dict[str, Document | Entities]
    types: set[type] = set()
    if depth == 1:
        entities = _read_partition(items, role, declared, types)
        if (
            declared is None
            and items
            and all(isinstance(item, tuple) for item in items)
        ):
            _check_entities(entities, role, types)
        documents = {UNNAMED: entities}
    elif corpus.is_ordered:
        documents = {
            str(number): _read_partition(
                item, f"{role}, document {number}", declared, types
            )
            for number, item in enumerate(items)
        }
        if declared is None and _has_numbers(types):
            _check_numbers(documents, role)
    else:
        message = "found a set of documents, which has no order to pair them by"
        raise _make_error(message, role, "input/unordered")
    return MemoryCorpus(role, documents, Mention in types, depth, is_named=False)


def _read_partition(
    value: object, place: str, declared: str | None, types: set[type]
) -> Entities:
    """Read entities of one document; add the types of mentions to `types`."""
    if isinstance(value, str):
        raise _make_label_error(value, place)
    if not isinstance(value, Mapping):
        items = value if type(value) is list else _to_list(value, place)
        return _read_entities(items, place, declared, types)
    by_name = _name_by_string(value, "entities", place)
    for entity in by_name.values():
        if isinstance(entity, str):
            raise _make_label_error(entity, place)
    entities = _read_entities(list(by_name.values()), place, declared, types)
    return dict(zip(by_name, entities, strict=True))


def _read_entities(
    items: Sequence[object], place: str, declared: str | None, types: set[type]
) -> Sequence[Sequence[Hashable]]:
    plain = None if declared else _read_plain(items)
    if plain is not None:
        types |= plain[1]
        return plain[0]
    lists = _to_lists(_to_list(items, place), place)
    for item in lists:
        if isinstance(item, Mapping):
            message = f"found the mapping {excerpt(item)}, expected mentions"
            raise _make_error(message, place)
    read = _read_mention if declared is None else _DECLARED[declared]
    entities: list[list[Hashable]] = []
    for number, mentions in enumerate(cast("list[Sequence[object]]", lists)):
        here = f"{place}, entity {number}"
        entities.append([read(mention, here) for mention in mentions])
    types.update(map(type, chain.from_iterable(entities)))
    return entities


def _has_numbers(types: set[type]) -> bool:
    return any(issubclass(kind, Real) for kind in types - {bool})


def _check_entities(entities: Entities, place: str, types: set[type]) -> None:
    """Raise FormatError if entities look like spans: pairs of numbers only."""
    pairs = list_entities(entities)
    if not _has_numbers(types) or set(map(len, pairs)) != {2}:
        return
    numbers = cast("list[tuple[float, float]]", pairs)
    if (
        any(first == last for first, last in pairs)
        and all(map(_is_number, chain.from_iterable(pairs)))
        and all(first <= last for first, last in numbers)
    ):
        message = f"found the spans {excerpt(pairs)}, expected entities"
        raise _make_error(message, place)


def _check_numbers(documents: Mapping[str, Document | Entities], role: str) -> None:
    """Raise FormatError if some items are nested deeper than others."""
    by_document = [
        list(chain.from_iterable(list_entities(document)))
        for document in documents.values()
    ]
    numbers = [list(filter(_is_number, mentions)) for mentions in by_document]
    total = sum(map(len, numbers))
    if any(len(set(row)) < len(row) for row in numbers):
        message = "some mentions are numbers that are repeated in a document"
    elif 0 < total < sum(map(len, by_document)):
        example = excerpt(next(chain.from_iterable(numbers)))
        message = f"some mentions are numbers, such as {example}, others are not"
    else:
        return
    message = f"{message}: check that all documents are nested to the same depth"
    raise _make_error(message, role)


def settle_lists(
    sides: Mapping[int, MemoryCorpus],
    depth: int | None = None,
    refusals: dict[int, CorefkitError] | None = None,
) -> dict[int, MemoryCorpus]:
    """Read the items of lists; undecided ones as the other sides are.

    The first side with a known depth decides. Several empty lists alone raise
    FormatError: they can be one document without mentions, or several.
    """
    roles: dict[int, str] = {}  # of a side of each depth
    corpora: dict[int, MemoryCorpus] = {}
    unread: dict[int, Sequence[object]] = {}
    for number, side in sides.items():
        if side.depth is not None:
            roles[side.depth] = side.role
            depth = depth or side.depth
        if side.items is None:
            corpora[number] = side
        else:
            unread[number] = side.items
    if 1 in roles and 2 in roles:
        for number, side in sides.items():
            if side.depth not in (None, depth):
                expected = f"a list of them as in {roles[2]}"
                message = f"found one document, expected {expected}"
                reject_response(refusals, number, _make_error(message, roles[1]))
                corpora.pop(number, None)
                unread.pop(number, None)
    # Next to documents with ids, a list without mentions is empty.
    is_clear = depth is not None or (
        corpora != {} and not any(map(any, unread.values()))
    )
    for number, items in unread.items():
        try:
            if not is_clear and (any(items) or len(items) > 1):
                message = "found a list that can be one document, or several"
                hint = "name the documents: {'document': [[mention, ...], ...], ...}"
                code, place = "input/ambiguous-shape", sides[number].role
                raise _make_error(message, place, code, hint)
            corpora[number] = _read_items(sides[number], depth or 1)
        except FormatError as error:
            reject_response(refusals, number, error)
    return corpora


def read_batch(value: object, role: str) -> MemoryCorpus:
    """Read a list of documents, or a mapping of their ids, in one step of training.

    A list of empty lists is a list of documents here, and None is not a mention.
    """
    side = read_value(value, role)
    if side.depth == 1:
        message = "found one document, expected a list of them"
        hint = "a batch of one is [[[mention, ...], ...]]"
        raise _make_error(message, role, hint=hint)
    corpus = settle_lists({0: side}, 2)[0]
    for name, document in corpus.documents.items():
        entities = () if isinstance(document, Document) else list_entities(document)
        if any(None in mentions for mentions in entities):
            message = "found None, expected a mention"
            place = f"{role}, document {name}"
            raise _make_error(message, place, "input/no-mention", None)
    return corpus


def list_entities(document: Document | Entities) -> Sequence[Sequence[Hashable]]:
    """List the entities of a document, ignoring their ids."""
    if type(document) is list:
        return document
    if isinstance(document, Mapping):
        return list(document.values())
    return [*cast("Iterable[Sequence[Hashable]]", document)]


def iter_entities(
    document: Document | Entities,
) -> Iterator[tuple[str, Sequence[Hashable]]]:
    """Iterate over the entities of a document, by id or else by number."""
    if isinstance(document, Document):
        return ((entity.id, entity.mentions) for entity in document)
    if isinstance(document, Mapping):
        return iter(document.items())
    return ((str(number), entity) for number, entity in enumerate(document))


# Values: mentions, entities, or something else.


def _find_height(value: object, declared: str | None = None) -> int | None:
    """Return 0 if a value must be a mention, 1 if it cannot be one, else None."""
    if isinstance(value, str | Mention) or not _is_iterable(value):
        return 0
    if declared is not None:
        is_flat = declared == "spans" and isinstance(value, list | tuple) and value
        nested = not is_flat or any(map(_is_iterable, cast("Sequence[object]", value)))
        return 1 if nested else 0
    if _is_number_list(value):
        return 0
    if isinstance(value, Entity | Mapping) or not _is_hashed_by_content(value):
        return 1
    if isinstance(value, frozenset | range):
        return None
    parts = cast("Iterable[object]", value)
    nested = all(_is_iterable(part) and not isinstance(part, str) for part in parts)
    return None if nested else 0


def _read_plain(
    items: Sequence[Any],
) -> tuple[Sequence[Sequence[Hashable]], set[type]] | None:
    """Read entities whose types alone show that they are valid; None for others.

    Training loops pass nothing else, so types are examined in sets, not one by one.
    Entities are tuples, because the garbage collector tracks lists of spans, but not
    tuples of them. The types of their mentions are returned too.
    """
    if not set(map(type, items)) <= _LISTS:
        return None
    mentions: list[Any] = list(chain.from_iterable(items))
    types = set(map(type, mentions))
    are_tuples = types == {tuple}
    if (are_tuples or types == {list}) and not (are_tuples and _are_spans(mentions)):
        spans = _convert_spans(mentions)
        if spans is not None:
            remaining = iter(spans)
            return [tuple(islice(remaining, len(entity))) for entity in items], {tuple}
        if not are_tuples or not _are_valid_tuples(mentions):
            return None
    elif not are_tuples and not (types and types <= _ATOMS):
        return None
    return list(map(tuple, items)), types


def _are_spans(mentions: Iterable[Sequence[Any]]) -> bool:
    try:
        for start, end in mentions:
            if not (type(start) is type(end) is int and 0 <= start <= end):
                return False
    except ValueError:  # not two values
        return False
    return True


def _convert_spans(mentions: Sequence[Sequence[Any]]) -> list[tuple[int, int]] | None:
    """Convert lists of integers, or tuples of numpy's; None for other mentions."""
    try:
        spans = [(index(start), index(end)) for start, end in mentions]
    except (TypeError, ValueError):  # not two values, or not integers
        return None
    types = set(map(type, chain.from_iterable(mentions)))
    are_integers = all([kind is int or issubclass(kind, np.integer) for kind in types])
    return spans if are_integers and _are_spans(spans) else None


def _are_valid_tuples(mentions: Sequence[tuple[Any, ...]]) -> bool:
    """Return whether mentions are tuples of strings and valid numbers."""
    types = set(map(type, chain.from_iterable(mentions)))
    if not all(mentions) or not types <= _ATOMS:
        return False
    return int not in types or not any(map(_find_position_fault, mentions))


def _are_partitions(items: Sequence[object]) -> bool:
    """Return whether types alone show that items are lists of entities."""
    if set(map(type, items)) != {list}:
        return False
    entities = list(chain.from_iterable(cast("Sequence[list[object]]", items)))
    if set(map(type, entities)) != {list}:
        return False
    firsts = [entity[0] for entity in cast("list[list[object]]", entities) if entity]
    return set(map(type, firsts)) <= _NO_NUMBERS


def _find_position_fault(mention: object) -> str | None:
    """Return the error code of a mention with invalid positions, or None.

    Nested tuples and sets, such as parts of a discontinuous mention, are checked too.
    """
    if not isinstance(mention, tuple | list | frozenset):
        return None
    if not all(map(_is_number, mention)):
        return next(filter(None, map(_find_position_fault, mention)), None)
    if any(number < 0 for number in mention):
        return "input/padding-span"
    if isinstance(mention, tuple | list) and len(mention) == 2:
        return "input/reversed-span" if mention[0] > mention[1] else None
    return None


def _is_number(value: object) -> bool:
    kind = type(value)
    if kind is int or kind is float:
        return True
    return kind not in _NO_NUMBERS and kind is not bool and isinstance(value, Real)


def _is_number_list(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_number, value))


def _is_integer(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _is_iterable(value: object) -> bool:
    try:
        iter(cast("Iterable[object]", value))
    except TypeError:
        return False
    return True


def is_builtin(value: object) -> bool:
    """Return whether the type of a value is built in, and not one of a library."""
    return type(value).__module__ == "builtins"


def _is_mapping(value: object) -> bool:
    """Return whether a value maps names to something, unlike `dict.fromkeys`."""
    if not isinstance(value, Mapping):
        return False
    return any(item is not None for item in value.values())


def _is_hashed_by_content(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return type(value).__hash__ is not object.__hash__


def _is_equal_to_itself(value: object) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_is_equal_to_itself, value))
    return bool(value == value)


def _read_mention(value: object, place: str) -> Hashable:
    height = _find_height(value)
    if isinstance(value, list) and height == 0 and len(value) == 2:
        value = tuple(value)
    _check_positions(value, place)
    fault = ""
    try:
        hash(value)
        if height != 1 and _is_equal_to_itself(value):
            return value
    except (TypeError, ValueError):
        fault = ", which cannot be hashed"
    kind = type(value).__name__
    message = f"found {excerpt(value)} of type {kind}{fault}, expected a mention"
    raise _make_error(message, place, "input/not-a-mention")


def _read_declared_span(value: object, place: str) -> Hashable:
    if isinstance(value, Mention):
        return value
    is_pair = isinstance(value, list | tuple) and len(value) == 2
    if not is_pair or not all(map(_is_integer, cast("Sequence[object]", value))):
        message = f"found {excerpt(value)}, expected a span"
        hint = "with mentions='spans', a mention is (first token, last token)"
        raise _make_error(message, place, "input/not-a-span", hint)
    _check_positions(value, place)
    first, last = map(index, cast("Sequence[Any]", value))
    return first, last


def _read_declared_token(value: object, place: str) -> Hashable:
    if not _is_integer(value):
        message = f"found {excerpt(value)}, expected the number of a token"
        hint = "with mentions='tokens', a mention is an integer"
        raise _make_error(message, place, "input/not-a-token", hint)
    token = index(cast("Any", value))
    if token < 0:
        message = f"found the token {excerpt(value)}, expected 0 or more"
        raise _make_error(message, place, "input/padding-token", _PADDING_HINT)
    return token


_DECLARED = {"spans": _read_declared_span, "tokens": _read_declared_token}


def check_declaration(declared: object) -> None:
    """Raise SettingsError unless mentions are declared as spans, tokens or not."""
    if declared is not None and declared not in _DECLARED:
        message = f"mentions is {declared!r}, expected 'spans' or 'tokens'"
        raise SettingsError(message, code="settings/unknown-mentions")


def _check_positions(mention: object, place: str) -> None:
    code = _find_position_fault(mention)
    if code is not None:
        message = f"found the span {excerpt(mention)}, expected 0 <= first <= last"
        hint = _PADDING_HINT if code == "input/padding-span" else _REVERSED_HINT
        raise _make_error(message, place, code, hint)


def excerpt(value: object) -> str:
    """Format a value for a message, cut if it is long."""
    text = repr(value)
    return text if len(text) <= _EXCERPT_LENGTH else f"{text[:_EXCERPT_LENGTH]}..."


def _make_error(
    message: str,
    place: str,
    code: str = "input/wrong-shape",
    hint: str | None = RIGHT_SHAPES,
) -> FormatError:
    return FormatError(message, code=code, place=place, hint=hint)


def _make_label_error(value: object, place: str) -> FormatError:
    message = f"found {excerpt(value)}, expected entities, each with its mentions"
    hint = (
        "put labels, one for each mention, into a data frame with the columns "
        f"document, mention and entity; {RIGHT_SHAPES}"
    )
    return _make_error(message, place, hint=hint)


def _name_by_string(
    value: Mapping[object, object], what: str, place: str
) -> dict[str, object]:
    """Convert the names in a mapping to strings; duplicates raise FormatError."""
    by_name = {str(name): item for name, item in value.items()}
    if len(by_name) < len(value):
        message = f"two {what} have the same name: {excerpt(list(value))}"
        hint = "names are compared as strings"
        raise _make_error(message, place, "input/duplicate-name", hint)
    return by_name


def _to_list(value: object, place: str) -> list[object]:
    """List the items of an iterable; arrays, and arrays in it, become lists too."""
    if not is_builtin(value):
        from corefkit.formats.frames import wrap_frame

        if wrap_frame(value, place) is not None:
            message = "found a table, expected entities or mentions"
            hint = "pass one table of all documents, with a column of their ids"
            raise _make_error(message, place, hint=hint)
        if hasattr(value, "tolist"):
            value = value.tolist()
    if isinstance(value, bytes | bytearray | memoryview) or not _is_iterable(value):
        raise _make_label_error(value, place)
    items = list(cast("Iterable[object]", value))
    return list(map(_convert_arrays, items)) if _have_arrays(items) else items


def _to_lists(items: Sequence[object], place: str) -> list[object]:
    """List the items of each item; strings and mappings are not converted."""
    return [
        item
        if isinstance(item, str)
        or _is_mapping(item)
        or (type(item) in _LISTS and not _have_arrays([*cast("list[object]", item)]))
        else _to_list(item, place)
        for item in items
    ]


def _have_arrays(items: Sequence[object]) -> bool:
    """Return whether items are arrays, or lists or tuples that contain arrays."""
    nested = (item for item in items if isinstance(item, list | tuple))
    types = {*map(type, items), *map(type, chain.from_iterable(nested))}
    return any(hasattr(kind, "tolist") for kind in types)


def _convert_arrays(value: object) -> object:
    """Convert arrays to lists and numbers: tensors are hashed by identity."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list):
        return list(map(_convert_arrays, value))
    return tuple(map(_convert_arrays, value)) if isinstance(value, tuple) else value


def _read_rows(value: object, role: str) -> list[Document] | None:
    """Read the rows of a data set; None if the value is something else."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    is_row = isinstance(first, Mapping) and "sentences" in first
    if not is_row and type(value).__module__.partition(".")[0] != "datasets":
        return None
    from corefkit.formats.libraries import read_rows

    return read_rows(value, role)


def _convert_document(value: object, name: str, role: str) -> Document | None:
    """Read a value that is a document by itself; None if it is not."""
    if isinstance(value, Document):
        return value
    if isinstance(value, Mapping):
        if _JSON_NAMES.isdisjoint(value):
            return None
        from corefkit.formats.jsonl import convert_object, is_record

        return convert_object(value, role, name) if is_record(value) else None
    if is_builtin(value):
        return None
    from corefkit.formats.libraries import convert_document

    return convert_document(value, name, role)


def _has_id(value: object, role: str) -> bool:
    if isinstance(value, Mapping):
        from corefkit.formats.jsonl import has_id

        return has_id(value, role)
    return isinstance(value, Document)


# Sources of documents and partitions.


class MentionNames(Sequence[Any]):
    """Mentions that are names, numbered in the order in which they are first seen.

    The sides of a run share the numbers, and may be read by a thread each. As a
    sequence these are the names by number, listed on the first lookup.
    """

    def __init__(self) -> None:
        self.sources: list[Source] = []  # tables that share the numbers
        self._numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
        self._names: list[Hashable] = []
        self._lock = Lock()

    def number(self, mentions: Iterable[Hashable]) -> Ints:
        with self._lock:
            return np.array(list(map(self._numbers.__getitem__, mentions)), np.int64)

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, number: Any) -> Any:
        if len(self._names) < len(self._numbers):
            self._names = list(self._numbers)
        return self._names[number]

    def __reduce__(self) -> tuple[type[list[Hashable]], tuple[list[Hashable]]]:
        """Pickle as a list: no more names are numbered elsewhere."""
        return list, (list(self._numbers),)


class MemorySource(Source):
    """Documents of one side whose mentions are spans.

    With `reference`, FormatError is raised if the reference scorer reads them
    differently.
    """

    def __init__(
        self,
        name: str,
        documents: Mapping[str, Document | Entities],
        *,
        reference: bool = False,
        is_named: bool = True,
    ) -> None:
        self.name = name
        self.ids = list(documents)
        self.sizes = [1] * len(self.ids)
        self._documents = list(documents.values())
        types = set(map(type, self._documents))
        self.has_entity_ids = all(
            issubclass(kind, Document | Mapping) for kind in types
        )
        self.may_have_words = any(issubclass(kind, Document) for kind in types)
        self.lacks_ids = self.may_have_words and not is_named
        if not reference:
            return
        origins = list(map(self._find_origin, range(len(self.ids))))
        self.verbatim = set(origins) <= {"conll"}
        if "strict" in origins:
            message = "the reference scorer reads the file of this document differently"
            place = self.format_place(origins.index("strict"))
            hint = "pass the file to this preset, not the documents read from it"
            raise _make_error(message, place, "input/file-required", hint)

    def format_place(self, number: int) -> str:
        return f"{self.name}, document {self.ids[number]!r}"

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        blocks = [
            numbers[first : first + _BLOCK_DOCUMENTS]
            for first in range(0, len(numbers) or 1, _BLOCK_DOCUMENTS)
        ]
        return join_columns(
            [
                build_columns(list(map(self.read_document, block)), ids)
                for block in blocks
            ]
        )

    def read_document(self, number: int) -> Document:
        document = self._documents[number]
        if isinstance(document, Document):
            return document
        entities = [
            Entity(name, tuple(self._convert_mentions(mentions)))
            for name, mentions in iter_entities(document)
            if mentions
        ]
        return Document(self.ids[number], (), tuple(entities))

    def _convert_mentions(self, mentions: Iterable[Hashable]) -> Iterator[Mention]:
        return map(self._to_mention, mentions)

    def _to_mention(self, mention: Hashable) -> Mention:
        if isinstance(mention, Mention):
            return mention
        is_pair = isinstance(mention, tuple) and len(mention) == 2
        if is_pair and all(map(_is_integer, cast("tuple[Any, Any]", mention))):
            start, end = map(index, cast("tuple[Any, Any]", mention))
            if 0 <= start <= end < TOKEN_LIMIT:
                return Mention(start, end)
        message = f"mention {excerpt(mention)} is not a span of tokens"
        hint = (
            "next to a file, documents or `Mention` values, and in a file to be "
            "written, a mention is (first token, last token)"
        )
        raise _make_error(message, self.name, "input/not-a-span", hint)

    def iter_comments(self) -> Iterator[str]:
        for lines in self.read_document(0).comments[:1] if self.ids else ():
            yield from lines

    def is_running_text(self, number: int) -> bool:
        return self._find_origin(number) == "running"

    def _find_origin(self, number: int) -> str:
        document = self._documents[number]
        return document.origin if isinstance(document, Document) else ""

    def iter_words(self, number: int) -> Iterator[Word]:
        place = self.format_place(number)
        return iter_document_words(self.read_document(number), lambda _: place)


class PartitionSource(MemorySource):
    """Documents of one side with mentions compared by name; sides share `names`."""

    def __init__(
        self, name: str, documents: Mapping[str, Entities], names: MentionNames
    ) -> None:
        super().__init__(name, documents)
        self._names = names

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        documents = [self._documents[number] for number in numbers]
        by_document = [list(filter(len, list_entities(each))) for each in documents]
        counts = np.array(list(map(len, by_document)), np.int64)
        entities = list(chain.from_iterable(by_document))
        size = np.array(list(map(len, entities)), np.int64)
        positions = self._names.number(chain.from_iterable(entities))
        code = None
        if ids is not None:
            by_id = chain.from_iterable(map(iter_entities, documents))
            code = encode_ids((name for name, mentions in by_id if mentions), ids)
        return Columns(
            entity=np.arange(len(size)).repeat(size),
            start=positions,
            end=positions,
            entity_document=np.arange(len(counts)).repeat(counts),
            token_count=np.full(len(numbers), -1, np.int64),
            text_hash=np.zeros(len(numbers), np.uint64),
            names=self._names,
            code=code,
        )

    def _convert_mentions(self, mentions: Iterable[Hashable]) -> Iterator[Mention]:
        positions = self._names.number(mentions).tolist()
        return (Mention(position, position) for position in positions)


def make_partition_sources(
    key: Mapping[str, object], response: Mapping[str, object]
) -> tuple[PartitionSource, PartitionSource]:
    """Make sources of partitions by document id, comparing mentions by name."""
    names = MentionNames()

    def make(role: str, side: Mapping[str, object]) -> PartitionSource:
        documents = {
            name: _read_partition(value, role, None, set())
            for name, value in side.items()
        }
        return PartitionSource(role, documents, names)

    return make("key", key), make("response", response)


# Keys and responses opened together, which decide on each other's shapes.


def open_values(
    values: Mapping[int, object],
    open_files: Callable[[], dict[int, Source]] | None,
    *,
    declared: str | None,
    reference: bool,
    refusals: dict[int, CorefkitError] | None,
) -> dict[int, Source]:
    """Open keys and responses in memory, and others with `open_files`, by number."""
    sources: dict[int, Source] = {}
    sides: dict[int, MemoryCorpus] = {}
    for number, value in values.items():
        try:
            side = _read_side(value, "response" if number else "key", declared)
        except (CorefkitError, OSError) as error:
            reject_response(refusals, number, error)
            continue
        if isinstance(side, Source):
            sources[number] = side
        else:
            sides[number] = side
    corpora = settle_lists(sides, refusals=refusals)
    if open_files is not None:
        sources |= open_files()
    sources = _make_sources(corpora, sources, reference, refusals)
    lists = {number for number, corpus in corpora.items() if corpus.depth == 2}
    for number in [*sources][1:] if lists else ():
        clash = _compare_positions(sources[0], sources[number], lists, number)
        if clash is not None:
            reject_response(refusals, number, clash)
            del sources[number]
    return sources


def _read_side(
    value: object, role: str, declared: str | None = None
) -> MemoryCorpus | TableSource:
    if not isinstance(value, MemoryCorpus) and not is_builtin(value):
        from corefkit.formats.libraries import open_table

        table = open_table(value, role)
        if table is not None:
            return table
    return read_value(value, role, declared)


def _make_sources(
    corpora: dict[int, MemoryCorpus],
    sources: dict[int, Source],
    reference: bool,
    refusals: dict[int, CorefkitError] | None,
) -> dict[int, Source]:
    """Add the sources of values to those of files and tables, sorted by number.

    Mentions are names, unless some side has spans: files, documents or `Mention`.
    """
    with_spans = [*sources, *(n for n, side in corpora.items() if side.has_spans)]
    if with_spans and refusals is not None and 0 not in with_spans:
        key = MemorySource("key", corpora[0].documents, reference=reference)
        try:
            key.read_columns(range(len(key.ids)))
        except FormatError as error:
            # The mentions of the key are names, and these responses have none.
            for number in with_spans:
                reject_response(refusals, number, error)
                (sources if number in sources else corpora).pop(number)
            with_spans = []
    names = None if with_spans else MentionNames()
    for number, corpus in corpora.items():
        role, documents = corpus.role, corpus.documents
        if names is not None:
            partitions = cast("Mapping[str, Entities]", documents)
            sources[number] = PartitionSource(role, partitions, names)
            continue
        try:
            sources[number] = MemorySource(
                role, documents, reference=reference, is_named=corpus.is_named
            )
        except FormatError as error:
            reject_response(refusals, number, error)
    return dict(sorted(sources.items()))


def _compare_positions(
    key: Source, response: Source, lists: Set[int], number: int
) -> PairingError | None:
    """Return an error if one of `lists` cannot be paired with the other side."""
    if lists.isdisjoint({0, number}) or list(key.ids) == list(response.ids):
        return None
    source, other = (response, key) if number in lists else (key, response)
    expected = f"{len(other.ids)}" if lists >= {0, number} else "ids"
    message = (
        f"found a list of {len(source.ids)} documents without ids, expected "
        f"{expected} as in {other.name}"
    )
    hint = "lists pair by position; {id: partition, ...} pairs by id"
    return PairingError(
        message, code="pairing/unnamed-documents", place=source.name, hint=hint
    )


def iter_documents(value: object) -> Iterator[Document]:
    """Iterate over the documents in memory, read as a key whose mentions are spans.

    Of an iterable of documents only one is in memory at a time; ids may be repeated.
    """
    if isinstance(value, Iterator | list | tuple):
        items = iter(value)
        first = list(islice(items, 1))
        if all(isinstance(item, Document) for item in first):
            for document in chain(first, items):
                if not isinstance(document, Document):
                    message = "some items are documents, and others are not"
                    raise _make_error(message, "documents", hint=None)
                yield document
            return
        value = [*first, *items]
    side = _read_side(value, "documents")
    source = (
        side
        if isinstance(side, Source)
        else MemorySource("documents", settle_lists({0: side})[0].documents)
    )
    for number in range(len(source.ids)):
        yield source.read_document(number)


def list_responses(responses: object) -> list[Input]:
    """List the responses of an iterable; a single response raises FormatError."""
    is_single = isinstance(responses, str | bytes | os.PathLike | Document | Mapping)
    if is_single or not _is_iterable(responses):
        message = f"found {excerpt(responses)}, expected a list of responses"
        raise _make_error(message, "responses", hint="pass a single one as [response]")
    return list(cast("Iterable[Input]", responses))
