"""`corefkit serve`."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cli import DONE, inform, options, tell
from corefkit.exceptions import CorefkitError
from corefkit.serve.limits import Limits
from corefkit.serve.running import HOST, PORT, Server

if TYPE_CHECKING:
    import argparse

_DEFAULTS = Limits()
_MIB = 1 << 20
_DATABASE = "corefkit-runs.sqlite"

HELP = """\
Open the report page as a local application: drop a key and responses in a browser,
get the report, compare with earlier runs, see the leaderboard of a key.

Runs are kept in one SQLite file. Only this machine reaches the server unless --host
says otherwise; then the address has a token, without which nobody gets in.

It needs starlette and uvicorn: pip install 'corefkit[serve]'."""


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
    options.add_number(
        parser, "--port", PORT, "port to listen at; 0 takes one that is free"
    )
    parser.add_argument(
        "--token",
        action="store_true",
        help="put a token into the address although only this machine reaches it, if "
        "other people have accounts there",
    )
    parser.add_argument(
        "--known-as",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name by which browsers reach it, such as a proxy's; "
        "repeat it for more",
    )
    _add_limits(parser)


def _add_limits(parser: argparse.ArgumentParser) -> None:
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
    for option, (default, what) in rows.items():
        options.add_number(group, option, default, what)
    group.add_argument(
        "--at-once",
        type=int,
        metavar="N",
        help="runs that are scored at the same time (default: half of the processors, "
        "at most 4)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until somebody stops it."""
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        message = f"the server needs {' and '.join(missing)}"
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
        waiting_bytes=max(_DEFAULTS.waiting_bytes, 16 * size),
        request_bytes=_DEFAULTS.request_bytes + 2048 * max(0, arguments.response_limit),
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
        limits=limits,
    )

    def started(address: str) -> None:
        print(f"corefkit serves {address}", flush=True)
        inform(f"runs are kept in {arguments.database}; Ctrl-C stops the server")
        if server.token:
            tell("whoever has the address can see and remove all runs")

    try:
        server.run(started)
    except KeyboardInterrupt:  # the usual way to stop it
        if sys.stderr is not None and sys.stderr.isatty():
            inform("stopped")
    return DONE
