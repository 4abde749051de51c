"""One response, or several by name: what a mapping is that `errors` is given.

1.  What is no mapping is one response, as for `corefkit.score`. Lists of files are
    refused: those of strings would be partitions.
2.  A mapping to paths has several responses, each by its name.
3.  An object of JSON lines, and a mapping with the id of a document of the key among
    its names, is one response: document ids to documents.
4.  Any other mapping has several responses by name, unless its values are partitions
    beside a key whose documents have ids: these are no responses to such a key, and
    might be documents under wrong ids, so they are refused.
5.  So is a mapping with a name of a document of the key, whose value has such names
    again: it might be one response, and it might be a system that is so called.

A single response that may be mistaken is named: `{"A": response}`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, cast

from corefkit.evaluation import Evaluation
from corefkit.exceptions import FormatError, quoted
from corefkit.formats.inputs import open_inputs
from corefkit.model import Document
from corefkit.report.stored import StoredScores
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from corefkit.formats.inputs import Input

# One of them makes a mapping an object of JSON lines.
_JSON_NAMES = frozenset({"doc_key", "clusters", "predicted_clusters"})
_SHAPES = (
    "one response is {document: partition, ...}, several are {name: response, ...}"
)


def named_responses(
    key: Input, response: object, *, format: str | None = None
) -> dict[str, Input] | None:
    """Return several responses by name; None where there is one.

    >>> named_responses(["abc"], ["ab"])
    >>> named_responses(["abc"], {"A": ["ab"], "B": ["bc"]})
    {'A': ['ab'], 'B': ['bc']}
    >>> named_responses({"d": ["abc"]}, {"d": ["ab"]})
    >>> named_responses({"d": ["abc"]}, {"A": {"d": ["ab"]}})
    {'A': {'d': ['ab']}}
    >>> named_responses({"d": ["abc"]}, {"A": ["ab"]})
    Traceback (most recent call last):
    corefkit.exceptions.FormatError: response: 'A' is no document of the key, and what \
stands there is no response to it
    <BLANKLINE>
    hint: one response is {document: partition, ...}, several are {name: response, ...}
    """
    _refuse_other(key, response)
    if not isinstance(response, Mapping) or not response:
        return None
    by_name = {str(name): value for name, value in response.items()}
    if len(by_name) < len(response):
        message = "two responses or documents have the same name"
        raise FormatError(message, place="response", hint=_SHAPES)
    responses = cast("dict[str, Input]", by_name)
    paths = [isinstance(value, str | os.PathLike) for value in by_name.values()]
    # Systems may be called as fields of JSON lines are, but only files among files.
    if not all(paths) and not _JSON_NAMES.isdisjoint(by_name):
        return None
    if any(paths):
        return responses
    ids = {canonical_id(name) for name in _ids(key, format)}
    documents = [name for name in by_name if canonical_id(name) in ids]
    for name in documents:
        if _has_documents(by_name[name], ids):
            message = f"{quoted(name)} is a document of the key, and has documents"
            raise FormatError(message, place="response", hint=_SHAPES)
    if documents:
        return None
    if _names_documents(key):
        for name, value in by_name.items():
            if _is_partition(value):
                message = (
                    f"{quoted(name)} is no document of the key, and what stands there "
                    "is no response to it"
                )
                raise FormatError(message, place="response", hint=_SHAPES)
    return responses


def _refuse_other(key: object, response: object) -> None:
    """Refuse scores, and lists of files, which would be taken for partitions."""
    values = [*response.values()] if isinstance(response, Mapping) else [response]
    if any(isinstance(one, Evaluation | StoredScores) for one in (key, *values)):
        message = "found scores, in which no errors can be found"
        raise FormatError(message, hint="give the key and the response themselves")
    if not isinstance(response, list | tuple) or not any(map(is_file, response)):
        return
    message = "found a list of files, expected one response, or several by name"
    hint = "{'ours': 'ours.conll', 'theirs': 'theirs.conll'}"
    raise FormatError(message, place="response", hint=hint)


def is_file(entity: object) -> bool:
    """Tell a file from the entity whose mentions are letters."""
    if not isinstance(entity, str):
        return isinstance(entity, os.PathLike)
    # Unlike `Path.is_file`, this takes strings that are too long for a file.
    return "." in entity and os.path.isfile(entity)  # noqa: PTH113


def _ids(key: Input, format: str | None) -> Sequence[str]:
    """Find the ids of the key's documents; none where only a response tells them."""
    try:
        with open_inputs(key, [], format=format, reference=False) as (source, _):
            return list(source.ids)
    except FormatError:
        if isinstance(key, str | os.PathLike):
            raise
        return []


def _names_documents(key: object) -> bool:
    """Say whether the documents of the key have ids of their own."""
    if not isinstance(key, list | tuple | Set | Iterator):
        return True
    return any(isinstance(part, Document | Mapping) for part in key)


def _has_documents(value: object, ids: set[str]) -> bool:
    if not isinstance(value, Mapping):
        return False
    return any(canonical_id(str(name)) in ids for name in value)


def _is_partition(value: object) -> bool:
    if not isinstance(value, list | tuple | Set) or not value:
        return False  # nothing is no document under a wrong id
    return not any(isinstance(part, Document | Mapping) for part in value)
