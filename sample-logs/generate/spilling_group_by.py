"""Every task of the aggregation holds more groups than its execution memory takes, and spills.

The heap is large enough for cheap garbage collection: spark.memory.fraction is what is small.
"""

from pyspark.sql import functions as F
from sample import run, session, warm_up

spark = session("visits-per-visitor")
warm_up(spark)


def count_visits(visitors: int, partitions: int) -> None:
    visits = spark.range(0, visitors, 1, partitions).select(
        F.concat(F.md5(F.col("id").cast("string")), F.sha1(F.col("id").cast("string"))).alias("visitor"),
        (F.col("id") % 86_400).alias("second"),
    )
    run(visits.groupBy("visitor").agg(F.min("second"), F.max("second"), F.count("*")))


count_visits(800_000, 8)  # a small day first, which compiles the code
count_visits(12_000_000, 24)
spark.stop()
