"""Each task keeps millions of small objects alive in a heap that they nearly fill; nothing is cached, nothing spills."""

from pyspark.sql import functions as F
from sample import run, session, warm_up

spark = session("collect-baskets")
warm_up(spark)
sales = spark.range(0, 24_000_000, 1, 8).select(F.col("id"), (F.col("id") % 60).alias("basket"))
baskets = sales.groupBy("basket").agg(F.collect_list(F.struct("id", "basket")).alias("items"))
run(baskets.select("basket", F.size("items")))
spark.stop()
