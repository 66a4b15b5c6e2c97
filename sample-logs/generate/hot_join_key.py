"""Four of five clicks carry the item 7, so one task of the join gets four fifths of the work.

AQE is on but does not split it: the partition is far below skewedPartitionThresholdInBytes.
"""

from pyspark.sql import functions as F
from sample import cost, run, session, warm_up

spark = session("clicks-per-item")
warm_up(spark)
clicks = spark.range(0, 500_000, 1, 16).select(
    F.when(F.col("id") % 5 < 4, F.lit(7)).otherwise(F.pmod(F.hash("id"), F.lit(50_000))).alias("item_id"),
    F.col("id").alias("click_id"),
)
items = spark.range(0, 50_000, 1, 8).select(
    F.col("id").cast("int").alias("item_id"), F.md5(F.col("id").cast("string")).alias("title")
)
joined = clicks.join(items, "item_id").withColumn("score", cost(F.col("click_id"), 2000))
run(joined.select("item_id", "title", "score"))
spark.stop()
