"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from corefkit.exceptions import SettingsError
from corefkit.formats import FORMATS, READ_ONLY
from corefkit.settings import CHOICES, PRESETS
from corefkit.settings.weights import NAMED

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from corefkit.settings import Keywords

_SETTINGS_HELP = {
    "match": "when mentions are the same: with the same tokens; with the same head; "
    "the response inside the key mention and with its head; or with its minimum span",
    "singletons": "keep entities of one mention, or drop them: on both sides or on one",
    "repeated": "a mention that a side has twice: keep it in the first of its "
    "entities, refuse, or do as the reference scorer",
    "missing": "a key document that the response lacks: score it as empty, refuse, or "
    "skip it",
    "blanc_rule": "BLANC leaves out links of a kind that the key has none of, or that "
    "both sides have none of; with no link at all, `both` gives 1 for the same "
    "mentions, `links` 0",
    "average": "add the counts of all documents, or average their scores",
    "zeros": "match mentions of empty nodes by their position, or first by what they "
    "depend on, or drop them",
    "split": "leave split antecedents aside, or score them: in muc, b_cubed, ceaf_m, "
    "ceaf_e, blanc and lea; metrics that cannot are then refused",
    "scope": "compare entities inside documents, or, by their ids, across the "
    "documents of a topic or of the corpus",
    "tokens": "both sides must have the same tokens; or only the same characters, by "
    "which mentions are then compared",
}


def add_inputs(parser: argparse.ArgumentParser, *, several: bool) -> None:
    """Add KEY, RESPONSE and `--example` in their place."""
    parser.add_argument(
        "key", metavar="KEY", nargs="?", help="file or folder with the key"
    )
    if several:
        parser.add_argument(
            "responses",
            metavar="RESPONSE",
            nargs="*",
            help="file or folder with a response; several are set side by side",
        )
    else:
        parser.add_argument(
            "responses",
            metavar="RESPONSE",
            nargs="?",
            help="file or folder with the response",
        )
    parser.add_argument(
        "--example", action="store_true", help="use the bundled example corpus"
    )


def inputs(arguments: argparse.Namespace) -> tuple[str, list[str]]:
    """Give the key and the responses that a command line names."""
    given = arguments.responses or []
    responses = [given] if isinstance(given, str) else list(given)
    if arguments.example:
        if arguments.key is not None:
            message = "--example comes with its own key and responses"
            raise SettingsError(message, hint="leave out the files, or --example")
        from corefkit.example import paths

        key, *responses = map(str, paths())
        return key, responses
    named_once([*filter(None, (arguments.key, *responses))])
    if arguments.key is None or not responses:
        message = "a key and a response are needed"
        hint = "name two files, KEY and RESPONSE, or say --example"
        raise SettingsError(message, hint=hint)
    return arguments.key, responses


def named_once(files: Iterable[str]) -> None:
    """Refuse to read standard input twice: the second time there is nothing left.

    >>> named_once(["key.conll", "-"])
    """
    standard = [file for file in files if file == "-" or _is_piped(file)]
    if len(standard) > 1:
        message = "standard input was named twice, and can be read once"
        raise SettingsError(message, hint="name a file in place of one of the two")


def _is_piped(file: str) -> bool:
    """Say whether a file is standard input by its name, and cannot be opened anew."""
    return file in ("/dev/stdin", "/dev/fd/0") and not Path(file).is_file()


def add_settings_options(
    parser: argparse.ArgumentParser, *, weights: bool = False
) -> None:
    """Add an option for each setting, for the preset and for the format.

    Weights are for commands that have metrics that weigh mentions.
    """
    group = parser.add_argument_group("settings (each is named in the signature)")
    group.add_argument(
        "--preset", metavar="NAME", help=f"settings to start from: {', '.join(PRESETS)}"
    )
    for name, summary in _SETTINGS_HELP.items():
        group.add_argument(
            f"--{name.replace('_', '-')}",
            metavar="|".join(CHOICES[name]),
            choices=CHOICES[name],
            help=f"{summary} (default: {CHOICES[name][0]})",
        )
    if weights:
        group.add_argument(
            "--weights",
            metavar="WEIGHTS",
            help="what mentions are worth by type and kind, for the metrics that weigh "
            f"them: {', '.join(NAMED)}, or such as 'type:PER=1,ORG=0.5; "
            "mention_type:NAM=1,NOM=0.5,PRO=0.1' (default: ace2005)",
        )
    add_format_option(parser)


def add_format_option(parser: argparse.ArgumentParser) -> None:
    """Add `--from`."""
    parser.add_argument(
        "--from",
        dest="format",
        metavar="FORMAT",
        help="format of the files, if not recognised: "
        f"{', '.join((*FORMATS, *READ_ONLY))}",
    )


def add_metric_option(
    parser: argparse.ArgumentParser, *, default: str, what: str = "metric to compute"
) -> None:
    """Add `--metric`, which may be repeated."""
    parser.add_argument(
        "--metric",
        action="append",
        metavar="NAME",
        help=f"{what}; repeat it, or separate names by commas (default: {default})",
    )


def add_output_option(
    parser: argparse.ArgumentParser, writers: Iterable[str], *, more: str = ""
) -> None:
    """Add `--format`, which names one of the writers; the first is the default."""
    names = list(writers)
    parser.add_argument(
        "--format",
        dest="output",
        choices=names,
        default=names[0],
        metavar="|".join(names),
        help=f"how to print{more} (default: {names[0]})",
    )


def names_given(words: Sequence[str] | None, option: str) -> list[str] | None:
    """Give the names of an option that is repeated or has commas; None without it."""
    if words is None:
        return None
    names = [name for word in words for name in word.split(",") if name]
    if not names:
        message = f"{option} names nothing"
        raise SettingsError(message, hint=f"give one name or more: {option} NAME,NAME")
    return names


def settings_given(arguments: argparse.Namespace) -> Keywords:
    """Give the preset and settings of a command line; None where not given."""
    names = ("preset", *_SETTINGS_HELP, "weights")
    given = {name: getattr(arguments, name, None) for name in names}
    return cast("Keywords", given)
