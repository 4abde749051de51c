"""The command `cistell`: resolve, train and study."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import corefkit
from cistell import __version__
from cistell.mentions.lexicon import LANGUAGES
from cistell.neural import NeuralResolver
from cistell.resolver import MENTIONS, SYSTEMS, RawText, load_resolver, resolve_all
from corefkit import CorefkitError, FormatError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit import Document

_STDIN = "-"
_SPACES = {r"\s": " ", r"\n": "\n", r"\r": "\r", r"\t": "\t"}

_RESOLVE = """Find the entities of texts and documents.

FILE is plain text (its name ends in .txt, or it is - for standard input), a folder of
texts, or an annotated document. The text is printed with its entities in brackets, or
written to OUT, in a format such as CoNLL-U."""

_TRAIN = """Train a model of the neural system on annotated documents.

FOLDER has files or folders with `train`, `dev` and `test` in their names. The encoder
is a folder with a BERT model in the layout of Hugging Face, or a name on its hub.
PyTorch is required, and a GPU is used if there is one."""

_STUDY = """Rerun the studies of three papers on open corpora.

STUDY is one of:

  language       Recasens and Hovy 2010: English, French and Spanish
  scheme         the same: three annotation schemes of the same texts
  preprocessing  the same: gold and automatic trees
  taggers        Cai and Strube 2010: two mention taggers, all variants of B3 and CEAF
  sweep          Luo 2005: from reluctant to eager linking

FOLDER has GUM, OntoGUM, Democrat or AnCora in the layout of their repositories. Data
and packages are checked first; settings whose corpora are missing are skipped."""


def main(argv: Sequence[str] | None = None) -> int:
    """Parse arguments, run the command and return its exit code."""
    parser = _make_parser()
    if not (sys.argv[1:] if argv is None else argv):
        parser.print_help(sys.stderr)
        return 2
    arguments = parser.parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except CorefkitError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, SettingsError) else 1
    except BrokenPipeError:
        # The reader has closed the output: not a failure.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(
            f"error: {error.filename or 'cistell'}: {error.strerror}", file=sys.stderr
        )
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def main_and_exit() -> None:
    """Run the command line of this process, then exit."""
    # More threads than one core change the last digits of matrix products.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cistell", description="Coreference resolution."
    )
    parser.add_argument("--version", action="version", version=f"cistell {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, add, about, summary in (
        ("resolve", _add_resolve, _RESOLVE, "find the entities of texts and documents"),
        ("train", _add_train, _TRAIN, "train a model on annotated documents"),
        (
            "study",
            _add_study,
            _STUDY,
            "rerun the studies of three papers on open corpora",
        ),
    ):
        command = commands.add_parser(
            name,
            help=summary,
            description=about,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        add(command)
    return parser


def _add_resolve(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run_resolve)
    parser.add_argument("files", metavar="FILE", nargs="*")
    parser.add_argument("-o", "--output", metavar="OUT", help="file to write")
    parser.add_argument(
        "--to", metavar="FORMAT", help="format of OUT (default: by name)"
    )
    parser.add_argument(
        "--html",
        metavar="PAGE",
        type=Path,
        help="file for a page that shows the entities in the text",
    )
    parser.add_argument(
        "--from", dest="format", metavar="FORMAT", help="format of FILE"
    )
    parser.add_argument(
        "--system", choices=SYSTEMS, default="neural", help="(default: neural)"
    )
    parser.add_argument("--model", help="model file (default: the bundled one)")
    parser.add_argument(
        "--card", action="store_true", help="print the card of the model and exit"
    )
    parser.add_argument(
        "--mentions",
        choices=MENTIONS,
        help="gold: the mentions of FILE; sm1: every noun phrase; sm2: those that a "
        "filter accepts (default: found by the neural system; gold for the others if a "
        "document of FILE has mentions)",
    )
    parser.add_argument(
        "--parser", help="udpipe:FILE, spacy:PIPELINE or stanza:LANGUAGE"
    )
    parser.add_argument(
        "--learn-from",
        metavar="FILE",
        action="append",
        default=[],
        help="annotated documents with trees, for the models of the paper and sm2",
    )
    _add_lexicon_options(parser)
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="processes (default: 1)"
    )


def _add_lexicon_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=tuple(LANGUAGES), default="en")
    parser.add_argument(
        "--lexicon", type=Path, metavar="FOLDER", help="folder of word lists"
    )
    parser.add_argument(
        "--wordnet",
        metavar="FOLDER",
        help="folder of WordNet's index.noun and data.noun, or none to disable it",
    )


def run_resolve(arguments: argparse.Namespace) -> int:
    """Implement `cistell resolve`."""
    resolver = load_resolver(
        arguments.system,
        model=arguments.model,
        language=arguments.language,
        parser=arguments.parser,
        learn_from=_read_documents(arguments.learn_from, arguments.format),
        lexicon=arguments.lexicon,
        wordnet=arguments.wordnet,
        note=_print_note,
    )
    if arguments.card:
        card = resolver.card if isinstance(resolver, NeuralResolver) else {}
        print(json.dumps(card, indent=2, ensure_ascii=False))
        return 0
    if not arguments.files:
        message = "no file to resolve"
        hint = "name a text or a document, or use - for standard input"
        raise SettingsError(message, code="settings/missing-value", hint=hint)
    inputs = [read_input(file, arguments.format) for file in arguments.files]
    documents: Iterable[Document] = chain.from_iterable(
        resolve_all(
            resolver,
            items,
            mentions=arguments.mentions,
            jobs=arguments.jobs,
            note=_print_note,
        )
        for items in inputs
    )
    if arguments.html is not None:
        documents = list(documents)
        title = ", ".join(arguments.files)
        page = corefkit.entities_html(documents, title=title, made_by="cistell resolve")
        arguments.html.write_text(page, "utf-8")
    if arguments.output is not None:
        corefkit.write(documents, arguments.output, format=arguments.to)
    if arguments.output is not None or arguments.html is not None:
        return 0
    for i, document in enumerate(documents):
        if i:
            print()
        print(format_document(document))
    return 0


def _read_documents(files: Iterable[str], format: str | None) -> Iterator[Document]:
    return chain.from_iterable(corefkit.read(file, format=format) for file in files)


def _print_note(line: str) -> None:
    print(f"note: {line}", file=sys.stderr)


def read_input(
    file: str, format: str | None = None
) -> Iterable[RawText] | Iterable[Document]:
    """Return the texts or documents at a path, or the text of standard input.

    A folder that contains only .txt files is read as raw texts.
    """
    if file == _STDIN:
        return [RawText("stdin", _decode_text(sys.stdin.buffer.read(), "stdin"))]
    path = Path(file)
    texts = [path] if path.suffix == ".txt" and not path.is_dir() else []
    if path.is_dir():
        files = [
            p for p in sorted(path.rglob("*")) if p.is_file() and _is_visible(p, path)
        ]
        texts = files if all(p.suffix == ".txt" for p in files) else []
    if format is not None or not texts:
        return corefkit.read(file, format=format)
    return (
        RawText(_make_id(text, path), _decode_text(text.read_bytes(), str(text)))
        for text in texts
    )


def _is_visible(path: Path, folder: Path) -> bool:
    return not any(part.startswith(".") for part in path.relative_to(folder).parts)


def _make_id(text: Path, root: Path) -> str:
    name = text.name if text == root else text.relative_to(root).as_posix()
    return name.removesuffix(".txt")


def _decode_text(body: bytes, place: str) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        message = f"the byte {body[error.start]:#x} is not UTF-8"
        hint = "save the file as UTF-8, as by `iconv -f latin1 -t utf-8`"
        place = f"{place}:{line}"
        code = "format/not-utf8"
        raise FormatError(message, code=code, place=place, hint=hint) from error


def format_document(document: Document) -> str:
    """Format a document with its entities in brackets, followed by a list of entities.

    Spaces and paragraphs of texts are preserved. Singletons have no index.
    """
    words = list(document.tokens)
    spaces = _list_spaces(document)
    opening_brackets: list[list[str]] = [[] for _ in words]
    closing_brackets = [0] * len(words)
    chains = [entity for entity in document if len(entity) > 1]
    rows = [(m, str(n)) for n, entity in enumerate(chains, 1) for m in entity]
    for mention, number in sorted(rows, key=lambda row: (row[0].start, -row[0].end)):
        opening_brackets[mention.start].append(f"[{number} ")
        closing_brackets[mention.end] += 1
    text = "".join(
        f"{space}{''.join(opening)}{word}{']' * closing}"
        for space, opening, word, closing in zip(
            spaces, opening_brackets, words, closing_brackets, strict=False
        )
    )
    lines = [text, ""]
    joined = [f"{space}{word}" for space, word in zip(spaces, words, strict=False)]
    for i, entity in enumerate(chains, 1):
        names = dict.fromkeys(
            " ".join("".join(joined[m.start : m.end + 1]).split()) for m in entity
        )
        lines.append(f"{i:>3}  {' | '.join(names)}")
    return "\n".join(lines)


def _list_spaces(document: Document) -> list[str]:
    """Return the space before each token, and after the last."""
    misc = document.layers.get("misc", ("_",) * len(document.tokens))
    paragraphs: set[int] = set()
    token = 0
    comments = document.comments or ((),) * len(document.sentences)
    for sentence, lines in zip(document.sentences, comments, strict=True):
        if any(line.startswith("newpar") for line in lines):
            paragraphs.add(token)
        token += len(sentence)
    spaces = [""]
    for i, cell in enumerate(misc):
        values = dict(item.partition("=")[::2] for item in cell.split("|"))
        if "SpacesBefore" in values:
            spaces[-1] += _unescape_space(values["SpacesBefore"])
        if "SpacesAfter" in values:
            spaces.append(_unescape_space(values["SpacesAfter"]))
        elif values.get("SpaceAfter") == "No":
            spaces.append("")
        else:
            spaces.append("\n\n" if i + 1 in paragraphs else " ")
    return spaces


def _unescape_space(space: str) -> str:
    for code, character in _SPACES.items():
        space = space.replace(code, character)
    return space


def _add_train(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run_train)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument(
        "--encoder",
        required=True,
        help="folder of a BERT encoder, or a name on the hub",
    )
    parser.add_argument("-o", "--output", metavar="MODEL", required=True)
    parser.add_argument(
        "--links",
        metavar="FILE",
        action="append",
        default=[],
        help="documents in which not all mentions are annotated; repeat it for more",
    )
    parser.add_argument("--language", choices=tuple(LANGUAGES), default="en")
    parser.add_argument("--epochs", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="file to continue from after an interruption",
    )
    parser.add_argument("--title", default="", help="title on the card of the model")


def run_train(arguments: argparse.Namespace) -> int:
    """Implement `cistell train`."""
    try:
        from cistell.neural.training import TrainingOptions, train
    except ImportError as error:
        message = "PyTorch, which trains models, is not installed"
        code = "environment/missing-package"
        hint = "pip install 'cistell[train]'"
        raise CorefkitError(message, code=code, hint=hint) from error
    options = TrainingOptions(seed=arguments.seed)
    if arguments.epochs is not None:
        options = replace(options, epochs=arguments.epochs)
    resolver, report = train(
        arguments.folder,
        encoder=arguments.encoder,
        links=arguments.links,
        language=arguments.language,
        options=options,
        checkpoint=arguments.checkpoint,
        title=arguments.title,
        progress=lambda line: print(line, file=sys.stderr),
    )
    resolver.save(arguments.output)
    for part in ("dev", "test"):
        for setting, score in report.get(part, {}).items():
            print(f"{part:>4}  {setting:<22} {score:6.2f}")
    return 0


def _add_study(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run_study)
    parser.add_argument("study", metavar="STUDY")
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="PAGE",
        help="page to write: .html, .md or .tex",
    )
    parser.add_argument(
        "--words",
        type=int,
        default=300,
        metavar="N",
        help="split documents into parts of N words, since length changes scores more "
        "than schemes do; 0 keeps them (default: 300)",
    )
    parser.add_argument(
        "--parser", default="", help="parser of automatic trees, as in udpipe:FILE"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument(
        "--responses",
        type=Path,
        metavar="FOLDER",
        help="also write keys and responses as CoNLL-U",
    )
    _add_lexicon_options(parser)


def run_study(arguments: argparse.Namespace) -> int:
    """Implement `cistell study`."""
    from cistell.studies.study import get_writer, render_summary
    from cistell.studies.study import run_study as run
    from cistell.studies.systems import StudyOptions

    default = arguments.data / "lexicon"
    render = get_writer(arguments.output)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    options = StudyOptions(
        data=arguments.data,
        words=arguments.words,
        seed=arguments.seed,
        parser=arguments.parser,
        lexicon=arguments.lexicon or (default if default.is_dir() else None),
        wordnet=arguments.wordnet,
        responses=arguments.responses,
        note=_print_note,
        progress=_print_note,
    )
    page = run(arguments.study, options)
    arguments.output.write_text(render(page), "utf-8")
    print(render_summary(page))
    return 0
