"""Nothing planted: AQE merges the default 200 shuffle partitions into the few that the data needs."""

from pyspark.sql import functions as F
from sample import pause, run, session, warm_up

spark = session("visits-per-day")
warm_up(spark)
visits = spark.range(0, 1_600_000, 1, 16).select(
    (F.col("id") % 400_000).alias("visitor"), F.md5(F.col("id").cast("string")).alias("page"),
    pause(1, "id % 40 = 0").alias("wait"),
)
per_visitor = visits.groupBy("visitor").agg(F.max("page").alias("last"), F.max("wait").alias("wait"))
run(per_visitor.select("*", pause(1, "visitor % 15 = 0").alias("saved")))
spark.stop()
