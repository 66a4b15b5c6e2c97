"""Nothing planted: the same small report for many days, so that a log of several parts has finished jobs to compact."""

from pyspark.sql import functions as F
from sample import pause, run, session, warm_up

spark = session("report-per-day")
warm_up(spark)
for day in range(24):
    rows = spark.range(0, 4_800, 1, 60).select("id", pause(1, "id % 8 = 0").alias("wait"))
    run(rows.groupBy((F.col("id") % 24).alias("hour")).agg(F.count("*"), F.max("wait")))
spark.stop()
