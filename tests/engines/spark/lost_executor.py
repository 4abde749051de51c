"""Score on a cluster of two workers on this machine, one of which is killed.

    python lost_executor.py KEY RESPONSE FOLDER

What Spark writes goes to the folder. Printed is whether the numbers are the same in
every bit as without a loss, and how many executors were lost.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from engines.spark import failing
from engines.spark.failing import FailingSpark
from engines.spark.made import exactly, scored

from corefkit.engines.spark import Spark

JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
OPTIONS = {
    "spark.master": "local-cluster[2,1,512]",
    "spark.executor.memory": "512m",
    "spark.driver.memory": "600m",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "4",
}


def main(key, response, folder):
    """Score twice, and compare."""
    import pyspark
    from pyspark.sql import SparkSession

    home = Path(folder, "home")  # where workers of the cluster write
    home.mkdir()
    for part in ("bin", "jars", "python"):
        (home / part).symlink_to(Path(pyspark.__file__).parent / part)
    os.environ |= {"SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable}
    pyspark.cloudpickle.register_pickle_by_value(failing)
    builder = SparkSession.builder
    for name, value in {**OPTIONS, "spark.local.dir": folder}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    expected = exactly(scored(Spark(partitions=6), key, response))
    notes = Path(folder, "notes")
    notes.mkdir()
    ways = {"way": failing.kill_executor, "only": (3,), "folder": str(notes)}
    found = exactly(scored(FailingSpark(partitions=6, **ways), key, response))
    sys.stdout.write(f"{found == expected} {len(list(notes.iterdir()))}\n")
    session.stop()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
