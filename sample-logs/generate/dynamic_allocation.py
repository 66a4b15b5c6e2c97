"""Nothing planted: between two reports the idle executors are given back, and asked for again."""

import time

from pyspark.sql import functions as F
from sample import cost, pause, run, session, warm_up

spark = session("two-reports")
warm_up(spark)
for report in (1, 2):
    rows = spark.range(0, 4_800, 1, 24)
    run(rows.select("id", cost(F.col("id"), 500).alias("value"), pause(20).alias("wait")))
    if report == 1:
        time.sleep(4)
spark.stop()
