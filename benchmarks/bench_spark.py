"""What Spark costs beside the core: processor time, memory, bytes of shuffle.

    python benchmarks/bench_spark.py [--mentions N ...] [--scope NAME ...] [--data DIR]

Each score runs in a process of its own, on tables of `tables.py`; Spark runs on this
machine, with as many tasks at a time as it has processors. Processor time is that of
all its processes: this one, Java, and the workers. Scores must agree.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tables import tables

SAME = 1e-12
SCOPES = {"document": False, "corpus": True}


def main() -> None:
    """Run what the arguments ask for, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mentions", type=int, nargs="+", default=[10**6, 10**7])
    parser.add_argument("--scope", nargs="+", default=list(SCOPES), choices=SCOPES)
    parser.add_argument("--memory", default="2GB", help="of Java")
    parser.add_argument("--data", type=Path, help="where tables are kept")
    parser.add_argument("--run", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        print(json.dumps(_measured(*arguments.run, arguments.memory)))
        return
    with tempfile.TemporaryDirectory() as folder:
        data = arguments.data or Path(folder)
        data.mkdir(parents=True, exist_ok=True)
        for scope in arguments.scope:
            for mentions in arguments.mentions:
                _compare(data, scope, mentions, arguments.memory)


def _compare(data: Path, scope: str, mentions: int, memory: str) -> None:
    paths = tables(data, mentions, across=SCOPES[scope])
    command = [sys.executable, __file__, "--memory", memory, "--run", scope]
    core, spark = (
        json.loads(
            subprocess.run(
                [*command, engine, *paths], check=True, stdout=subprocess.PIPE
            ).stdout
        )
        for engine in ("core", "spark")
    )
    for name, value in core["scores"].items():
        assert abs(value - spark["scores"][name]) <= SAME * value, (core, spark)
    ratio = spark["processor"] / core["processor"]
    print(f"{scope} {mentions:,}: {ratio:.2f} times the core's processor time")
    for name, found in (("core", core), ("spark", spark)):
        rest = {key: value for key, value in found.items() if key != "scores"}
        print(f"  {name}: {json.dumps(rest)}", flush=True)


def _measured(
    scope: str, engine: str, key: str, response: str, memory: str
) -> dict[str, object]:
    import corefkit

    begin = time.perf_counter()
    extra: dict[str, object] = {}
    if engine == "core":
        result = corefkit.score(key, response, scope=scope)
    else:
        with tempfile.TemporaryDirectory() as log:
            session = _session(log, memory)
            extra["start"] = round(processor_time(), 1)
            result = corefkit.score(key, response, scope=scope, engine="spark")
            used = processor_time()
            session.stop()
            extra["shuffle"] = _shuffled(Path(log))
    total = processor_time() if engine == "core" else used
    return {
        "processor": round(total, 1),
        "wall": round(time.perf_counter() - begin, 1),
        "memory": _peak(),
        "scores": {name: result[name].f1 for name in result},
        **extra,
    }


def _session(log: str, memory: str) -> object:
    from corefkit.engines.spark import LOCAL, parse_megabytes

    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    options = {
        **LOCAL,
        "spark.driver.memory": f"{parse_megabytes(memory)}m",
        "spark.log.level": "OFF",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": Path(log).as_uri(),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _shuffled(log: Path) -> int:
    """Add up the bytes of shuffle that tasks wrote, from the events of a session."""
    total = 0
    for path in log.rglob("*"):
        if not path.is_file():
            continue
        for line in path.read_text("utf-8").splitlines():
            if '"SparkListenerTaskEnd"' in line:
                metrics = json.loads(line).get("Task Metrics") or {}
                written = metrics.get("Shuffle Write Metrics", {})
                total += written.get("Shuffle Bytes Written", 0)
    return total


def _peak() -> int:
    """Return the most memory that this process has had, in megabytes.

    What `resource` says begins with the memory of the process that started this one.
    """
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    (found,) = (line.split()[1] for line in lines if line.startswith("VmHWM"))
    return int(found) >> 10


def processor_time() -> float:
    """Return the seconds that this process and all below it have used."""
    children: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
            used[int(entry.name)] = sum(map(int, fields[11:15]))
    total, waiting = 0, [os.getpid()]
    while waiting:
        process = waiting.pop()
        total += used.get(process, 0)
        waiting += children.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
