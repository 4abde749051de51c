"""Readers: from raw text, or from documents, to what the resolver can work with.

UDPipe's tokenizer finds the words of a text. A network then finds tags and trees, and
tells which words head mentions (`Evidence`). Without a network, UDPipe finds tags and
trees too, and there is no evidence.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple, cast

from cistell.evidence import Reading
from cistell.network import Network
from corefkit.corpus import read_declaration, set_declaration
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cistell.parsing import Parser
    from corefkit.model import Document

_UDPIPE, _NETWORK = "udpipe", "network/"
_NOTHING = {"_", ""}


class RawText(NamedTuple):
    """A text to read, with the id that its document gets."""

    id: str
    text: str


class Reader:
    """Finds words, tags and trees, and evidence of mentions.

    Args:
        udpipe: the bytes of a model of UDPipe: a tokenizer and, without a network, a
            tagger and a parser; None if there is none.
        network: what finds tags, trees and evidence, or None.
        parser: a parser that the user names; it finds words, tags and trees, and the
            network tells evidence only.
    """

    def __init__(
        self,
        udpipe: bytes | None = None,
        network: Network | None = None,
        *,
        parser: Parser | None = None,
    ) -> None:
        self._udpipe = udpipe
        self._network = network
        self._named = parser

    @classmethod
    def load(cls, files: Mapping[str, bytes]) -> Reader:
        """Read what `files` returned."""
        of_network = {
            name.removeprefix(_NETWORK): body
            for name, body in files.items()
            if name.startswith(_NETWORK)
        }
        return cls(files.get(_UDPIPE), Network.load(of_network) if of_network else None)

    def files(self) -> dict[str, bytes]:
        """Return what a model file stores; the same reader makes the same bytes."""
        files = {} if self._network is None else self._network.files()
        own = {f"{_NETWORK}{name}": body for name, body in files.items()}
        return own if self._udpipe is None else {_UDPIPE: self._udpipe, **own}

    def with_parser(self, parser: Parser) -> Reader:
        """Return the same reader with another parser, which a user names."""
        return Reader(self._udpipe, self._network, parser=parser)

    @property
    def reads_texts(self) -> bool:
        """Whether it can read raw text."""
        return self._named is not None or self._udpipe is not None

    @property
    def parses(self) -> bool:
        """Whether it can find tags and trees."""
        return self.reads_texts or self._network is not None

    @cached_property
    def _parser(self) -> Parser:
        if self._named is not None:
            return self._named
        if self._udpipe is None:
            message = "there is no tokenizer here to read raw text with"
            raise CorefkitError(
                message, code="model/missing-part", hint=HOW_TO_READ_TEXT
            )
        from cistell.parsing import Parser

        return Parser.of_bytes(self._udpipe)

    def read(self, items: Iterable[Document | RawText]) -> Iterator[Reading]:
        """Read documents and raw texts, in batches."""
        for raw, group in groupby(items, lambda item: isinstance(item, RawText)):
            if raw:
                yield from self.read_texts(cast("Iterator[RawText]", group))
            else:
                yield from self.read_documents(cast("Iterator[Document]", group))

    def read_texts(self, texts: Iterable[RawText]) -> Iterator[Reading]:
        """Read raw texts, in batches."""
        network, parser = self._network, self._parser
        if network is not None and self._named is None:
            yield from network.read(
                _by(parser.tokenize(raw.text, id=raw.id), "network") for raw in texts
            )
            return
        parsed = (
            _by(parser.parse_text(raw.text, id=raw.id), parser.name) for raw in texts
        )
        yield from self._with_evidence(parsed)

    def read_documents(self, documents: Iterable[Document]) -> Iterator[Reading]:
        """Read documents; tags and trees are found for those that have none.

        With a parser that the user names, they are found anew for all.
        """
        for parsed, group in groupby(documents, has_trees):
            if self._named is not None:
                found = (self._named.parse_document(document) for document in group)
                name = self._named.name
                yield from self._with_evidence(_by(one, name) for one in found)
            elif parsed or not self.parses:
                yield from self._with_evidence(group)
            else:
                yield from self.read_anew(group)

    def read_anew(self, documents: Iterable[Document]) -> Iterator[Reading]:
        """Read documents without a look at the tags and trees that they have."""
        if self._network is not None:
            return self._network.read(_by(one, "network") for one in documents)
        parsed = map(self._parser.parse_document, documents)
        return (Reading(_by(one, self._parser.name)) for one in parsed)

    def sentence_starts(self, text: str) -> list[int]:
        """Find where sentences begin, in characters of a text without its blanks."""
        from cistell.parsing.accuracy import surface

        document = self._parser.tokenize(text, id="text")
        sizes = (sum(token.size for token in row) for row in surface(document))
        return list(accumulate(sizes, initial=0))

    def _with_evidence(self, documents: Iterable[Document]) -> Iterator[Reading]:
        if self._network is None:
            return map(Reading, documents)
        return self._network.read(documents, trees=False)


# What to do about raw text that a model cannot read.
HOW_TO_READ_TEXT = (
    "name a parser of UDPipe with --parser, or a model that has one: `corefkit train "
    "--from-scratch FOLDER` makes it"
)


def has_trees(document: Document) -> bool:
    """Tell whether a document has tags and trees; one without words needs none."""
    heads = document.layers.get("head", ())
    return not document.words or not {*heads} <= _NOTHING


def _by(document: Document, name: str) -> Document:
    """Let a document declare what found its tags and trees."""
    return set_declaration(
        document, read_declaration(document)._replace(preprocessing=name)
    )
