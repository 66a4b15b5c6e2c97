"""Nothing planted: AQE sees how few items pass the filter and turns the sort-merge join into a broadcast join."""

from pyspark.sql import functions as F
from sample import pause, run, session, warm_up

spark = session("sales-of-few-items")
warm_up(spark)
items = spark.range(0, 2_000_000, 1, 8).select(
    F.col("id").alias("item_id"), F.md5(F.col("id").cast("string")).alias("title")
)
few = items.where(F.pmod(F.hash("title"), F.lit(1000)) == 3)
sales = spark.range(0, 2_000_000, 1, 16).select(
    F.col("id").alias("item_id"), F.sha1(F.col("id").cast("string")).alias("note"),
    pause(1, "id % 100 = 0").alias("wait"),
)
run(sales.join(few, "item_id"))
spark.stop()
