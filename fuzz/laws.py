"""What must hold of every input, however broken it is."""

from __future__ import annotations

import re
import time
import traceback
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cases import STEM
from compared import blocks, comparable, faults, is_scored, spans

import corefkit.formats
from corefkit.arrays.building import build_columns
from corefkit.exceptions import CorefkitError, FormatError
from corefkit.formats import FORMATS, open_source
from corefkit.formats.files import ByteFile
from corefkit.formats.output import count_contents, remove_unsupported, write
from corefkit.formats.problems import ERROR, KINDS, has_errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.formats.problems import Problem
    from corefkit.model import Document

SECONDS = 5  # that any one step may take for a file of less than 100 KB
_TWO_SIDED = b'"predicted_clusters"'  # such a file is not its own response


class BrokenLawError(Exception):
    """A law does not hold: which, what was found, and a short name for the latter."""

    def __init__(self, law: str, found: str, kind: str) -> None:
        super().__init__(f"{law}\n\n{kind}\n\n{found}")
        self.law, self.found, self.kind = law, found, kind

    @property
    def name(self) -> str:
        """What findings of the same kind share."""
        return f"{self.law}: {self.kind}"


class Outcome(NamedTuple):
    """What came of an input.

    Attributes:
        features: what is told of it and found in it, to know a new kind of input by.
        sound: whether it was read.
        broken: the first law that does not hold, if there is one.
    """

    features: frozenset[str]
    sound: bool
    broken: BrokenLawError | None


def examine(path: Path, name: str | None, work: Path) -> Outcome:
    """Read a file in every way there is, and check that all laws hold.

    Args:
        path: the file.
        name: its format; None where it is to be recognised.
        work: an empty folder to write to.
    """
    features: set[str] = set()
    sound, found = False, None
    try:
        sound = _examine(path, name, work, features)
    except BrokenLawError as broken:
        found = broken
    return Outcome(frozenset(features), sound, found)


def _examine(path: Path, name: str | None, work: Path, features: set[str]) -> bool:
    documents, refusal = _documents(path, name)
    if refusal is not None:
        features.add(f"refused: {_shape(refusal.message)} at {_raised_at(refusal)}")
    found = _problems(path, name)
    features.update(f"problem: {_shape(problem.message)}" for problem in found)
    if documents is None:
        if not has_errors(found):
            law = "what reading refuses, `validate` lists as an error"
            raise BrokenLawError(law, str(refusal), _shape(str(refusal)))
        return False
    for document in documents:
        features.update(
            f"has: {what}" for what, times in count_contents(document).items() if times
        )
        _check_sound(document)
    _check_columns(path, name, documents)
    scored = _check_score(path, name, documents)
    _check_problems_are_refused(found, scored=scored)
    _check_round_trip(name, documents, work)
    return True


def examine_written(document: Document, name: str, work: Path) -> BrokenLawError | None:
    """Write a document to an empty folder, and check that it can be read there."""
    law = "what is written can be read"
    target = work / f"{STEM}{FORMATS[name].suffixes[0]}"
    if _is_ambiguous(
        [remove_unsupported(document, FORMATS[name].writer.carries)], name
    ):
        return None
    try:
        with _only(law):
            write([document], target, format=name)
            (again,) = corefkit.read(target, format=name)
        wanted = spans(remove_unsupported(document, FORMATS[name].writer.carries))
        found = spans(again)
        if again.sentences and len(again.words) != len(document.words):
            # Running text is cut into tokens anew.
            wanted, found = [len(one) for one in wanted], [len(one) for one in found]
        if sorted(wanted) != sorted(found):
            raise BrokenLawError(law, f"{wanted}\n{found}", "mentions")
    except BrokenLawError as broken:
        found_in = f"{broken.found}\n\n{document!r}"
        return BrokenLawError(broken.law, found_in, broken.kind)
    return None


def _is_ambiguous(documents: Sequence[Document], name: str) -> bool:
    """Return whether documents look like another format's, as SemEval's like CoNLL's.

    They do where no token is there to tell.
    """
    tokens = any(document.tokens or document.entities for document in documents)
    return name == "semeval" and not tokens


@contextmanager
def _only(law: str, *allowed: type[Exception]) -> Iterator[None]:
    """Let some errors through; others break the law, and so does a slow step."""
    begun = time.process_time()
    try:
        yield
    except (BrokenLawError, *allowed):
        raise
    except Exception as error:
        kind = f"{type(error).__name__} at {_raised_at(error)}"
        if isinstance(error, CorefkitError):
            kind = _shape(error.message)
        raise BrokenLawError(law, traceback.format_exc(), kind) from error
    took = time.process_time() - begun
    if took > SECONDS:
        law, found = "no step takes long", f"{law}: took {took:.1f} s"
        raise BrokenLawError(law, found, found.partition(":")[0])


def _raised_at(error: BaseException) -> str:
    """Return the line of corefkit in which an error came up."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if "corefkit" in frame.filename]
    last = (inside or frames)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


def _shape(message: str) -> str:
    """Take from a message what differs from input to input: all but its first words.

    >>> _shape("entity 7xy closes here") == _shape("entity 'a b' closes here")
    True
    """
    bare = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "", message)
    found = [word for word in re.findall("[a-z]{3,}", bare) if word in _vocabulary()]
    return " ".join(found[:8])


@cache
def _vocabulary() -> frozenset[str]:
    """Return the words that messages are made of: those of the readers' sources."""
    folder = Path(corefkit.formats.__file__).parent
    sources = (path.read_text("utf-8") for path in folder.glob("*.py"))
    return frozenset(word for text in sources for word in re.findall("[a-z]+", text))


def _documents(
    path: Path, name: str | None
) -> tuple[list[Document] | None, FormatError | None]:
    try:
        with _only("reading gives documents or FormatError", FormatError):
            return list(corefkit.read(path, format=name)), None
    except FormatError as error:
        return None, error


def _problems(path: Path, name: str | None) -> list[Problem]:
    with _only("`validate` raises nothing"):
        found = corefkit.validate(path, format=name)
    for problem in found:
        _check_one_line(problem.message, problem)
        _check_one_line(problem.hint or "", problem)
        if problem.line is not None and problem.line < 1:
            law = "lines count from 1"
            raise BrokenLawError(law, str(problem), "line")
        kind = KINDS.get(problem.kind)
        if kind is None or kind.severity != problem.severity:
            law = "a problem has a known kind, and the severity of that"
            raise BrokenLawError(law, repr(problem), "kind")
    return found


def _check_one_line(text: str, problem: Problem) -> None:
    if text.splitlines() != [text] * bool(text) or not text.isprintable():
        law = "a message is one line that can be printed"
        raise BrokenLawError(law, repr(problem), _shape(text))


def _check_problems_are_refused(found: Sequence[Problem], *, scored: bool) -> None:
    errors = [problem for problem in found if problem.severity == ERROR]
    if errors and scored:
        law = "what `validate` lists as an error, reading or scoring refuses"
        raise BrokenLawError(law, str(errors[0]), _shape(errors[0].message))


def _check_sound(document: Document) -> None:
    for law, found in faults(document):
        raise BrokenLawError(law, found, "document")


def _check_columns(path: Path, name: str | None, documents: Sequence[Document]) -> None:
    law = "columns and words are those of the documents"
    with closing(open_source(path, format=name)) as source:
        with _only(law):
            columns = source.read_columns(range(len(documents)))
            made = build_columns(documents)
            for number, document in enumerate(documents):
                source.format_place(number)
                words = tuple(word.text for word in source.iter_words(number))
                if (
                    document.sentences
                    and columns.names is None
                    and words != document.words
                ):
                    raise BrokenLawError(law, f"{words}\n{document.words}", "words")
        if columns.names is not None:
            return  # mentions that are names have no tokens
        # CoNLL's words are hashed as they stand in the file, if need be as bytes.
        if _is_text(path) and columns.text_hash.tolist() != made.text_hash.tolist():
            found = f"{columns.text_hash}\n{made.text_hash}"
            raise BrokenLawError(law, found, "text hash")
        if blocks(columns) != blocks(made):
            found = f"{blocks(columns)}\n{blocks(made)}"
            raise BrokenLawError(law, found, "partition")


def _check_score(path: Path, name: str | None, documents: Sequence[Document]) -> bool:
    """Score a file against itself; return whether that was possible."""
    law = "scored against itself a file is perfect, or refused"
    try:
        with _only(law, CorefkitError):
            result = corefkit.score(path, path, metrics="mentions", format=name)
    except CorefkitError:
        return False
    with ByteFile(path) as file:
        if _TWO_SIDED in file.read(0, file.size):
            return True
    if any(map(is_scored, documents)) and result["mentions"].f1 != 1:
        raise BrokenLawError(law, str(result), "score")
    return True


def _check_round_trip(
    name: str | None, documents: Sequence[Document], work: Path
) -> None:
    law = "written and read again, documents are the same"
    if name is None or _is_ambiguous(documents, name):
        return
    target = work / f"{STEM}{FORMATS[name].suffixes[0]}"
    with _only(law):
        write(documents, target, format=name)
        again = list(corefkit.read(target, format=name))
    if len(again) != len(documents):
        found = f"{len(documents)} documents, then {len(again)}"
        raise BrokenLawError(law, found, "documents")
    carries = FORMATS[name].writer.carries
    for before, after in zip(documents, again, strict=True):
        wanted = comparable(remove_unsupported(before, carries), name)
        found_again = comparable(after, name)
        for part, value in wanted.items():
            if found_again[part] != value:
                found = f"{part}:\n{value}\n{found_again[part]}"
                raise BrokenLawError(law, found, part)


def _is_text(path: Path) -> bool:
    try:
        with ByteFile(path) as file:
            file.read(0, file.size).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
