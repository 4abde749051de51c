"""Words and subwords of a text, with the characters that they cover.

A word is a run of letters and digits or a single punctuation mark, as BERT splits text
before it looks up its vocabulary. No character is lost: combining marks and control
characters belong to the word before them, although the vocabulary does not see them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from corefkit import Document

PAD, UNKNOWN, START, STOP, MASK = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"
# Longer words are encoded as unknown, as in BERT.
MAX_WORD_LENGTH = 100

# One letter for the class of each character, and words as patterns of these letters.
_SPACE, _NEWLINE, _LETTER, _SINGLE, _MARK = " ", "n", "w", "p", "m"
_WORD = re.compile(f"{_LETTER}[{_LETTER}{_MARK}]*|{_SINGLE}{_MARK}*|{_MARK}+")
_CJK = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]")

# The shape of a word: its letter case, then the space before it.
CASES = ("lower", "capitalized", "upper", "mixed", "digits", "other")
SPACES = ("none", "blank", "newline", "paragraph")
SHAPES = len(CASES) * len(SPACES)

_PARAGRAPH = SPACES.index("paragraph")
_CLOSING = frozenset("\"'\N{RIGHT SINGLE QUOTATION MARK}”»)]}")
_SENTENCE_ENDS = frozenset(".!?…")
# A full stop after these does not end a sentence, nor does one after an initial.
_ABBREVIATIONS = {
    *("capt", "col", "dr", "e", "fig", "g", "gen", "gov", "hon", "jr", "lt", "mr"),
    *("mrs", "ms", "no", "prof", "rep", "rev", "sen", "sr", "st", "vs"),
}


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """A tokenized text.

    Attributes:
        text: the characters.
        starts: the first character of each word.
        ends: the character after each word.
        words: the words, normalized as the vocabulary requires.
        shapes: letter case of each word and the space before it.
        paragraphs: the index of the paragraph of each word.
        sentences: the index of the sentence of each word.
        pieces: the index of each subword in the vocabulary.
        bounds: the first subword of each word, and the number of subwords.
    """

    text: str
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    words: tuple[str, ...]
    shapes: NDArray[np.int64]
    paragraphs: NDArray[np.int64]
    sentences: NDArray[np.int64]
    pieces: NDArray[np.int64]
    bounds: NDArray[np.int64]

    def __len__(self) -> int:
        """Count the words."""
        return len(self.words)

    def cut(self, start: int, end: int) -> TokenizedText:
        """Return a slice of the words; the text stays the same."""
        words, pieces = slice(start, end), slice(self.bounds[start], self.bounds[end])
        return TokenizedText(
            self.text,
            self.starts[words],
            self.ends[words],
            self.words[words],
            self.shapes[words],
            self.paragraphs[words],
            self.sentences[words],
            self.pieces[pieces],
            self.bounds[start : end + 1] - self.bounds[start],
        )


@dataclass
class Tokenizer:
    """Splits text into words, and words into the subwords of a BERT vocabulary.

    Args:
        vocabulary: the subwords, in the order of their indices.
        lowercase: whether the vocabulary is lower case, without accents.

    >>> tokenizer = Tokenizer(["[UNK]", "ann", "sle", "##pt", "."])
    >>> text = tokenizer.tokenize("Ann slept.")
    >>> text.words, text.pieces.tolist(), text.bounds.tolist()
    (('ann', 'slept', '.'), [1, 2, 3, 4], [0, 1, 3, 4])
    """

    vocabulary: Sequence[str]
    lowercase: bool = True
    _numbers: dict[str, int] = field(init=False, repr=False)
    _cache: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Index the vocabulary."""
        self._numbers = {piece: i for i, piece in enumerate(self.vocabulary)}

    def get_number(self, piece: str) -> int:
        """Return the index of a subword, by default that of unknown subwords."""
        return self._numbers.get(piece, self._numbers.get(UNKNOWN, 0))

    def tokenize(self, text: str) -> TokenizedText:
        """Split a text into words and subwords."""
        classes = text.translate({ord(c): _classify(c) for c in set(text)})
        spans = [match.span() for match in _WORD.finditer(classes)]
        surfaces = [text[start:end] for start, end in spans]
        words = [self._normalize(surface) for surface in surfaces]
        spaces = [
            _measure_space(classes[previous_end:start])
            for previous_end, (start, _) in zip(
                (0, *(end for _, end in spans)), spans, strict=False
            )
        ]
        numbers = [self._split_word(word) for word in words]
        array = np.array(spans, np.int64).reshape(-1, 2)
        cases = np.array([_classify_case(surface) for surface in surfaces], np.int64)
        gaps = np.array(spaces, np.int64)
        return TokenizedText(
            text,
            array[:, 0],
            array[:, 1],
            tuple(words),
            cases * len(SPACES) + gaps,
            np.cumsum(gaps == _PARAGRAPH),
            np.cumsum(np.array(find_sentence_starts(surfaces, spaces), np.int64)),
            np.array([number for row in numbers for number in row], np.int64),
            np.cumsum([0, *map(len, numbers)]),
        )

    def _normalize(self, word: str) -> str:
        if word.isascii():
            return word.lower() if self.lowercase else word
        visible = "".join(
            c for c in word if unicodedata.category(c) not in ("Cc", "Cf")
        )
        if not self.lowercase:
            return unicodedata.normalize("NFC", visible)
        marked = unicodedata.normalize("NFD", visible.lower())
        return "".join(c for c in marked if unicodedata.category(c) != "Mn")

    def _split_word(self, word: str) -> tuple[int, ...]:
        """Encode a word greedily as its longest subwords; at least one is returned."""
        if (numbers := self._cache.get(word)) is not None:
            return numbers
        pieces: list[int] = []
        start = 0
        while start < len(word) <= MAX_WORD_LENGTH:
            prefix = "##" if start else ""
            end = len(word)
            while end > start and prefix + word[start:end] not in self._numbers:
                end -= 1
            if end == start:
                break
            pieces.append(self._numbers[prefix + word[start:end]])
            start = end
        if start < len(word) or not word:
            pieces = [self.get_number(UNKNOWN)]
        if len(self._cache) > 100_000:
            self._cache.clear()
        self._cache[word] = numbers = tuple(pieces)
        return numbers


class Window(NamedTuple):
    """Words that the encoder processes together, and the ones that it represents."""

    start: int
    end: int
    first: int
    last: int


def cut_windows(bounds: NDArray[np.int64], *, size: int, margin: int) -> list[Window]:
    """Split words into overlapping windows.

    Args:
        bounds: the first subword of each word, and the number of subwords.
        size: the maximum number of subwords of a window; a longer word is a window.
        margin: the number of subwords at both ends that only provide context.

    Returns:
        Windows of about the same size, whose represented words follow one another.

    >>> cut_windows(np.arange(11), size=8, margin=2)[0]
    Window(start=0, end=5, first=0, last=3)
    """
    count, total = len(bounds) - 1, int(bounds[-1])
    if count <= 0:
        return []
    number = 1 if total <= size else -(-total // (size - 2 * margin))
    edges = np.searchsorted(bounds, np.linspace(0, total, number + 1).round())
    edges[0], edges[-1] = 0, count
    windows = []
    for first, last in pairwise(np.unique(edges).tolist()):
        start = int(np.searchsorted(bounds, bounds[first] - margin))
        end = int(np.searchsorted(bounds, bounds[last] + margin, side="right")) - 1
        windows.append(Window(min(start, first), max(end, last), first, last))
    return windows


def write_text(document: Document) -> tuple[str, list[tuple[int, int]]]:
    r"""Return the text of a document, and the characters that each token covers.

    MISC specifies the space after tokens, and the comment `newpar` starts a paragraph.
    Empty nodes contain no character. The fallback without MISC omits blanks around
    punctuation and before clitics.

    >>> from corefkit import Document
    >>> layers = {"misc": ("SpaceAfter=No", "_", "SpaceAfter=No", "_")}
    >>> comments = (), ("newpar",)
    >>> sentences = ("Go", "!"), ("Run", "!")
    >>> write_text(Document("d", sentences, (), layers=layers, comments=comments))
    ('Go!\n\nRun!', [(0, 2), (2, 3), (5, 8), (8, 9)])
    """
    misc, ranges = document.layers.get("misc"), document.layers.get("mwt")
    gaps = [True] * len(document.tokens) if misc else find_gaps(document.tokens)
    empty = set(document.empty)
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    length, token, space = 0, 0, ""
    comments = document.comments or ((),) * len(document.sentences)
    for sentence, lines in zip(document.sentences, comments, strict=True):
        stop = token + len(sentence)
        if parts and any(re.match(r"newpar\b", line) for line in lines):
            space = "\n\n"
        for form in sentence:
            if token in empty:
                spans.append((length, length))
            elif len(spans) == token:
                forms, surface, note = [form], form, misc[token] if misc else ""
                if ranges and ranges[token]:
                    columns = ranges[token].split("\t")
                    first, _, last = columns[0].partition("-")
                    forms = list(
                        document.tokens[token : token + int(last) - int(first) + 1]
                    )
                    surface, note = columns[1], columns[-1]
                parts += (space, surface)
                spans += _place_forms(forms, surface, length + len(space))
                length += len(space) + len(surface)
                has_gap = gaps[token] and "SpaceAfter=No" not in note.split("|")
                space = " " if has_gap else ""
            token += 1
        assert token == stop
    return "".join(parts), spans


def find_gaps(tokens: Sequence[str]) -> list[bool]:
    """Return whether a blank follows each token by default.

    >>> find_gaps(["(", "Go", ",", "don", "'s", ")"])
    [False, False, True, False, False, True]
    """
    gaps = []
    is_open = False
    for token, after in zip(tokens, [*tokens[1:], ""], strict=False):
        is_closing = _IS_CLOSING.fullmatch(after) or (after == '"' and is_open)
        if token == '"':
            is_open = not is_open
        is_opening = token in _OPENING or (token == '"' and is_open)
        gaps.append(not is_closing and not is_opening)
    return gaps


_QUOTE = "\N{RIGHT SINGLE QUOTATION MARK}"
_OPENING = frozenset("([{“$\N{LEFT SINGLE QUOTATION MARK}")
_CLITIC = f"['{_QUOTE}](?:s|m|d|ll|re|ve)|n['{_QUOTE}]t"
_IS_CLOSING = re.compile(rf"[.,;:!?%)\]}}”{_QUOTE}]|\.\.\.|{_CLITIC}", re.IGNORECASE)


def _place_forms(
    forms: Sequence[str], surface: str, start: int
) -> Iterator[tuple[int, int]]:
    """Yield the characters of each word of a token; the entire token as a fallback."""
    if "".join(forms) != surface:
        yield from ((start, start + len(surface)) for _ in forms)
        return
    for form in forms:
        yield start, start + len(form)
        start += len(form)


def list_sentences(text: TokenizedText) -> list[tuple[int, int]]:
    """Return start and end of each sentence, as indices of words."""
    edges = np.flatnonzero(np.diff(text.sentences, prepend=-1, append=-1)).tolist()
    return list(pairwise(edges))


def find_sentence_starts(surfaces: Sequence[str], spaces: Sequence[int]) -> list[bool]:
    """Find the words that begin sentences, all but the first of the text."""
    starts = []
    ended = False
    for i, (word, space) in enumerate(zip(surfaces, spaces, strict=True)):
        if i and space == _PARAGRAPH:
            starts.append(True)
            ended = False
        else:
            starts.append(bool(ended and space and not word[0].islower()))
            ended = ended and not starts[-1] and (not space or word in _CLOSING)
        if word in _SENTENCE_ENDS:
            previous = surfaces[i - 1].lower() if i and not space else ""
            is_initial = len(previous) == 1 and previous.isalpha() and previous != "i"
            ended = word != "." or not (is_initial or previous in _ABBREVIATIONS)
    return starts


def _classify(character: str) -> str:
    category = unicodedata.category(character)
    if character in "\n\u2028\u2029\x0b\x0c":
        return _NEWLINE
    if character.isspace() or category == "Zs":
        return _SPACE
    if category in ("Mn", "Mc", "Me", "Cc", "Cf"):
        return _MARK
    is_symbol = category == "Sk" or (category[0] == "S" and character.isascii())
    if category[0] == "P" or is_symbol or _CJK.match(character):
        return _SINGLE
    return _LETTER


def _classify_case(word: str) -> int:
    if word.islower():
        name = "lower"
    elif word.isupper():
        name = "upper" if len(word) > 1 else "capitalized"
    elif word[:1].isupper():
        name = "capitalized" if word[1:].islower() else "mixed"
    elif word.isdigit():
        name = "digits"
    else:
        name = "mixed" if word.isalnum() else "other"
    return CASES.index(name)


def _measure_space(space: str) -> int:
    if space.count(_NEWLINE) > 1:
        name = "paragraph"
    elif _NEWLINE in space:
        name = "newline"
    else:
        name = "blank" if space else "none"
    return SPACES.index(name)
