"""A table is cached in memory only, about half of it fits, and each later query makes the rest again."""

from pyspark import StorageLevel
from pyspark.sql import functions as F
from sample import cost, pause, run, session, warm_up

spark = session("explore-events")
warm_up(spark)
every = int(spark.conf.get("spark.sample.waitEvery"))  # the fewer, the dearer a partition that is made again
events = spark.range(0, 960_000, 1, 24).select(
    "id", cost(F.col("id"), 30).alias("score"), pause(1, f"id % {every} = 0").alias("wait"),
    F.sha2(F.col("id").cast("string"), 256).alias("visitor"),
)
events.persist(StorageLevel.MEMORY_ONLY)
for bound in range(int(spark.conf.get("spark.sample.passes"))):  # the first one fills the cache
    per_visitor = events.where(F.col("score") > bound).groupBy(F.substring("visitor", 1, 20)).agg(F.max("wait"))
    run(per_visitor)
spark.stop()
