"""`corefkit serve`."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cli.arguments import add_number_option
from corefkit.cli.messages import EXIT_OK, print_info, print_warning
from corefkit.exceptions import CorefkitError
from corefkit.serve.jobs import Limits
from corefkit.serve.server import HOST, PORT, Server
from corefkit.strings import join_words

if TYPE_CHECKING:
    import argparse

_DEFAULTS = Limits()
_MIB = 1 << 20
_DATABASE = "corefkit-runs.sqlite"

HELP = """\
Serve the report as a local web application: upload a key and responses in a browser,
get the report, compare with earlier runs, see the leaderboard of a key.

Runs are kept in one SQLite file. Only this machine reaches the server unless --host
names another address; then the URL contains a token that every request requires.

It requires starlette, uvicorn and python-multipart: pip install 'corefkit[serve]'."""

EXAMPLES = (
    "corefkit serve",
    "corefkit serve --database shared-task.sqlite --port 8000",
    "corefkit serve --host 0.0.0.0 --file-limit 100",
)
COMMON_OPTIONS = ("--database", "--host", "--port", "--token")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--database",
        type=Path,
        default=Path(_DATABASE),
        metavar="FILE",
        help=f"SQLite file that keeps the runs (default: {_DATABASE})",
    )
    parser.add_argument(
        "--host",
        default=HOST,
        metavar="ADDRESS",
        help=f"address to listen at (default: {HOST}, this machine alone); "
        "0.0.0.0 listens at all addresses of this machine",
    )
    add_number_option(
        parser, "--port", PORT, "port to listen at; 0 takes one that is free"
    )
    parser.add_argument(
        "--token",
        action="store_true",
        help="require a token even if only this machine reaches the server, because "
        "other people have accounts on it",
    )
    parser.add_argument(
        "--submit-only",
        action="append",
        default=[],
        metavar="NAME",
        help="also print an address for NAME, where responses can be uploaded for the "
        "keys of this server and only NAME's runs are visible; repeat it for more",
    )
    parser.add_argument(
        "--known-as",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name by which browsers reach it, such as a proxy's; "
        "repeat it for more",
    )
    _add_limit_options(parser)


def _add_limit_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits")
    rows = {
        "--file-limit": (_DEFAULTS.file_bytes // _MIB, "megabytes of a file"),
        "--database-limit": (_DEFAULTS.database_bytes // _MIB, "megabytes of all runs"),
        "--response-limit": (_DEFAULTS.responses, "responses of a run"),
        "--time-limit": (_DEFAULTS.seconds, "seconds that scoring a run can take"),
        "--memory-limit": (
            _DEFAULTS.memory // _MIB,
            "megabytes of memory that it can use",
        ),
    }
    for option, (default, meaning) in rows.items():
        add_number_option(group, option, default, meaning)
    group.add_argument(
        "--at-once",
        type=int,
        metavar="N",
        help="runs that are scored at the same time (default: half of the processors, "
        "at most 4)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until somebody stops it."""
    packages = {"starlette": "starlette", "uvicorn": "uvicorn"}
    packages["python_multipart"] = "python-multipart"
    missing = [name for module, name in packages.items() if find_spec(module) is None]
    if missing:
        message = f"the server requires {join_words(missing)}"
        raise CorefkitError(
            message,
            code="environment/missing-package",
            hint="pip install 'corefkit[serve]'",
        )
    size = arguments.file_limit * _MIB
    at_once = arguments.at_once
    limits = replace(
        _DEFAULTS,
        file_bytes=size,
        database_bytes=arguments.database_limit * _MIB,
        run_bytes=max(_DEFAULTS.run_bytes, 4 * size),
        responses=arguments.response_limit,
        seconds=arguments.time_limit,
        memory=arguments.memory_limit * _MIB,
        at_once=_DEFAULTS.at_once if at_once is None else at_once,
    )
    server = Server(
        arguments.database,
        host=arguments.host,
        port=arguments.port,
        known_as=tuple(arguments.known_as),
        with_token=arguments.token,
        submitters=tuple(dict.fromkeys(arguments.submit_only)),
        limits=limits,
    )

    def report_start(addresses: dict[str, str]) -> None:
        for holder, address in addresses.items():
            print(f"{holder}: {address}" if holder else f"corefkit serves {address}")
        sys.stdout.flush()
        print_info(f"runs are kept in {arguments.database}; Ctrl-C stops the server")
        if server.tokens:
            print_warning("everyone with the first address can see and remove all runs")

    try:
        server.run(report_start)
    except KeyboardInterrupt:  # the usual way to stop it
        if sys.stderr is not None and sys.stderr.isatty():
            print_info("stopped")
    return EXIT_OK
