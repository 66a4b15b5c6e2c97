"""What the sample programs share: a session, a per-row cost, and the means to hurt an executor."""

import os
import signal
import threading
import time

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

BASE = "/tmp/spark-sample"
DATA = f"{BASE}/data"


def session(name: str) -> SparkSession:
    """The session of one sample run; every setting comes from cases.py through spark-submit.

    A local session without a log goes first, in the same JVM: loading classes and compiling plans for the first time
    would otherwise be a large part of so short a run on a busy machine.
    """
    first = SparkSession.builder.master("local[2]").config("spark.eventLog.enabled", "false").getOrCreate()
    rows = first.range(0, 100, 1, 4).select("id", F.md5(F.col("id").cast("string")).alias("text"), pause(1, "id = 1").alias("wait"))
    joined = rows.hint("merge").join(rows.groupBy("text").agg(F.max("id").alias("most"), F.max("wait")), "text")
    run(joined.withColumn("cost", cost(F.col("most"), 10)))
    first.stop()
    spark = SparkSession.builder.appName(name).getOrCreate()
    spark.sparkContext.setLogLevel("WARN")
    return spark


def warm_up(spark: SparkSession) -> None:
    """A short query first, so that class loading and JIT compilation do not make the first wave slow."""
    run(spark.range(0, 320, 1, 16).select(cost(F.col("id"), 20_000).alias("x"), pause(1).alias("y")))


def cost(seed, steps: int):
    """A column that burns about `steps` x 50 ns of CPU per row, in the JVM, without any UDF."""
    return F.aggregate(
        F.sequence(F.lit(1), F.lit(steps)),
        seed.cast("long"),
        lambda acc, i: (acc * 31 + i) % 1000003,
    )


def pause(milliseconds: int, when: str = "true"):
    """A column that sleeps in the executor's JVM for each row for which `when` holds."""
    return F.expr(
        f"CASE WHEN {when} THEN java_method('java.lang.Thread', 'sleep', {milliseconds}L) END"
    )


def on_executor(*ids: int) -> str:
    """SQL for "this row is handled by one of these executors": each works in a folder named by its id."""
    folder = "java_method('java.lang.System', 'getProperty', 'user.dir')"
    return "(" + " OR ".join(f"{folder} LIKE '%/{i}'" for i in ids) + ")"


def run(df: DataFrame) -> None:
    """Runs a query to its end and throws its rows away in the executors."""
    df.write.format("noop").mode("overwrite").save()


def executors(app_id: str) -> dict[str, int]:
    """Process ids of this application's live executors, by executor id."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as f:
                args = f.read().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        if "--executor-id" in args and app_id in args and args[0].endswith("java"):
            found[args[args.index("--executor-id") + 1]] = int(entry)
    return found


def parent(pid: int) -> int:
    with open(f"/proc/{pid}/stat") as f:
        return int(f.read().rsplit(")", 1)[1].split()[1])


def kill_executor(app_id: str, executor_id: str, with_worker: bool) -> None:
    """kill -9 of one executor; `with_worker` takes its worker too, so that no other one is started there."""
    pid = executors(app_id)[executor_id]
    worker = parent(pid)
    os.kill(pid, signal.SIGKILL)
    if with_worker:
        time.sleep(0.5)  # long enough for the worker to report the exit code
        replacements = [p for p in executors(app_id).values() if parent(p) == worker]
        for victim in [worker, *replacements]:
            os.kill(victim, signal.SIGKILL)


def after(seconds: float, action) -> threading.Timer:
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()
    return timer
