"""The few values that a server works with.

Upload    a file, by the hash of its bytes, under the name that people gave it
Asked     what to score: a key, responses, settings
Outcome   what the child process found out
Run       an outcome that is stored
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.serve.limits import Limits


_CODES = {
    400: "request/invalid",
    404: "request/not-found",
    408: "request/timeout",
    410: "request/expired-file",
    413: "request/too-large",
    500: "request/defect",
    503: "request/busy",
    507: "request/no-space",
}


class Refusal(CorefkitError):
    """A request that the server refuses, with the status code of the answer."""

    def __init__(self, status: int, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, code=_CODES[status], hint=hint)
        self.status = status


@dataclass(frozen=True, slots=True)
class Upload:
    """A file under the name that people gave it, which is never part of a path."""

    hash: str  # SHA-256 of its bytes, in hexadecimal digits
    name: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What to score."""

    key: Upload
    responses: tuple[Upload, ...]
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> tuple[Upload, ...]:
        """The key, then the responses."""
        return (self.key, *self.responses)

    @property
    def hashes(self) -> frozenset[str]:
        """The files, each once."""
        return frozenset(file.hash for file in self.files)


@dataclass(frozen=True, slots=True)
class Scores:
    """What a run says of one response: its scores, or why it was refused."""

    name: str
    corpus: str = ""  # what it was scored on, see `corpora`
    scores: str = ""  # as `corefkit score --format json` prints them
    reason: str = ""  # why it has none


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the child process found out."""

    corpus: str  # the key's, see `corpora`
    fingerprint: Mapping[str, object]
    signature: str
    systems: tuple[Scores, ...]
    scores: bytes  # of all responses and documents, as JSON
    report: bytes  # the page


@dataclass(frozen=True, slots=True)
class Run:
    """An outcome that is stored, without its page and the scores of documents."""

    number: int
    made: str  # when, in UTC
    version: str  # of corefkit
    asked: Asked
    corpus: str
    fingerprint: Mapping[str, object]
    signature: str
    systems: tuple[Scores, ...]


def asked_in(text: bytes, limits: Limits) -> Asked:
    """Read what a request asks for; refuse it in words if it is something else.

    >>> from corefkit.serve.limits import Limits
    >>> asked_in(b'{"key": 7}', Limits())
    Traceback (most recent call last):
    corefkit.serve.values.Refusal: 'responses' has no response, expected one or more
    """
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"the request is no JSON: {error}") from error
    if not isinstance(whole, dict) or not whole.keys() <= {*_FIELDS}:
        raise Refusal(400, f"expected an object with {', '.join(_FIELDS)}")
    responses = whole.get("responses")
    if not isinstance(responses, list) or not responses:
        raise Refusal(400, "'responses' has no response, expected one or more")
    if len(responses) > limits.responses:
        message = f"{len(responses)} responses, expected {limits.responses} at most"
        raise Refusal(413, message)
    found = tuple(_upload(one, "response", limits) for one in responses)
    names = [response.name for response in found]
    for name in names:
        if names.count(name) > 1:
            message = f"two responses are called {name!r}"
            raise Refusal(400, message, hint="give each a name of its own")
    key = _upload(whole.get("key"), "key", limits)
    return Asked(key, found, _settings(whole.get("settings", {})))


_FIELDS = ("key", "responses", "settings")


def is_hash(value: object) -> bool:
    """Say whether a value is a hash as the server writes it.

    >>> is_hash("0f" * 32), is_hash("../etc/passwd"), is_hash(7)
    (True, False, False)
    """
    signs = set("0123456789abcdef")
    return isinstance(value, str) and len(value) == 64 and set(value) <= signs


def _upload(value: object, what: str, limits: Limits) -> Upload:
    if not isinstance(value, dict) or value.keys() != {"file", "name"}:
        message = f"{what!r} is {json.dumps(value)[:80]}"
        raise Refusal(400, f"{message}, expected an object with 'file' and 'name'")
    name = value["name"]
    if not is_hash(value["file"]):
        message = f"the file of a {what} is {json.dumps(value['file'])[:80]}"
        raise Refusal(400, f"{message}, expected what sending the file answered")
    if not isinstance(name, str) or not name.strip():
        raise Refusal(400, f"a {what} has no name")
    if len(name) > limits.name_length:
        message = f"the name of a {what} has {len(name)} characters"
        raise Refusal(400, f"{message}, expected {limits.name_length} at most")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refusal(400, f"the name {name!r} is no text") from error
    return Upload(value["file"], name)


def _settings(value: object) -> dict[str, str]:
    """Read settings; unknown ones are refused where all are known, in the child."""
    if not isinstance(value, dict) or not all(
        isinstance(one, str) and len(one) <= 1000
        for pair in value.items()
        for one in pair
    ):
        raise Refusal(400, "'settings' has other than names and values")
    return dict(value)
