"""The shuffle files vanish twice while the second stage reads them, so the first stage runs three times."""

import threading
import time
from pathlib import Path

from pyspark.sql import functions as F
from sample import BASE, cost, pause, run, session, warm_up

MAP_STAGE, REDUCE_STAGE = 1, 2

spark = session("sessions-per-user")
warm_up(spark)


def lose_shuffle_files() -> None:
    tracker = spark.sparkContext.statusTracker()
    for attempt in (0, 1):
        while True:
            stage = tracker.getStageInfo(REDUCE_STAGE)
            if stage and stage.currentAttemptId == attempt and stage.numActiveTasks:
                break
            time.sleep(0.1)
        for file in Path(BASE, "local").rglob("shuffle_*.data"):
            file.unlink(missing_ok=True)


threading.Thread(target=lose_shuffle_files, daemon=True).start()
visits = spark.range(0, 4_800, 1, 24).select("id", cost(F.col("id"), 8_000).alias("length"), pause(60).alias("wait"))
per_user = visits.groupBy((F.col("id") % 960).alias("user")).agg(F.sum("length").alias("total"), F.max("wait"))
run(per_user.select("*", pause(8).alias("scored")))
spark.stop()
