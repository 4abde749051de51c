"""`corefkit serve`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corefkit.cli import arguments as options
from corefkit.cli.messages import EXIT_OK, print_info, print_warning
from corefkit.exceptions import CorefkitError
from corefkit.serve.jobs import Limits
from corefkit.serve.server import HOST, PORT, Server
from corefkit.strings import join_words

_DEFAULTS = Limits()
_MIB = 1 << 20
_DATABASE = "corefkit-runs.sqlite"

HELP = """\
Serve reports and leaderboards as a local web application: upload a key and responses in
a browser, and compare them with earlier runs.

Runs are stored in one SQLite file. Only this machine can reach the server, unless
--host specifies another address; then the URL contains a token that every request
requires.

It requires starlette, uvicorn and python-multipart: pip install 'corefkit[serve]'."""

EXAMPLES = (
    "corefkit serve",
    "corefkit serve --database shared-task.sqlite --port 8000",
    "corefkit serve --host 0.0.0.0 --file-limit 100",
)
COMMON_OPTIONS = ("--database", "--host", "--port", "--token")

_OPTIONS = f"""
--database FILE: SQLite file for the runs (default: {_DATABASE})
--host ADDRESS: address to listen on (default: {HOST}, this machine only); 0.0.0.0
  listens on all addresses of this machine
--port N: port to listen on; 0 selects a free port (default: {PORT})
--token: require a token on this machine too, for example if other people have accounts
--submit-only NAME: also print an address at which NAME can upload responses to the keys
  of this server, and sees only these; repeat it for more
--known-as NAME: another host name of the server, such as that of a proxy; repeat it for
  more
"""
_LIMITS = {
    "file": ("maximum megabytes of a file", _DEFAULTS.file_bytes // _MIB),
    "database": ("maximum megabytes of all runs", _DEFAULTS.database_bytes // _MIB),
    "response": ("maximum responses of a run", _DEFAULTS.responses),
    "time": ("maximum seconds to score a run", _DEFAULTS.seconds),
    "memory": ("maximum megabytes of memory to score a run", _DEFAULTS.memory // _MIB),
}
_PROCESSES_OPTION = """
--at-once N: maximum runs that are scored at the same time (default: half of the
  processors, at most 4)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    names: dict[str, Any] = {"action": "append", "default": []}
    options.add_options(
        parser,
        _OPTIONS,
        database={"type": Path, "default": Path(_DATABASE)},
        host={"default": HOST},
        port={"type": int, "default": PORT},
        submit_only=names,
        known_as=names,
    )
    group = parser.add_argument_group("limits")
    for name, (meaning, default) in _LIMITS.items():
        options.add_number_option(group, f"--{name}-limit", default, meaning)
    options.add_options(group, _PROCESSES_OPTION, at_once={"type": int})


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
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
