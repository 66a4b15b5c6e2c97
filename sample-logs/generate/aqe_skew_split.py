"""Nothing left to find: the join has a hot key, and AQE splits its partition (its limits are lowered to this data)."""

from pyspark.sql import functions as F
from sample import pause, run, session, warm_up

spark = session("clicks-per-shop")
warm_up(spark)
clicks = spark.range(0, 1_200_000, 1, 16).select(
    F.when(F.col("id") % 2 == 0, F.lit(7)).otherwise(F.pmod(F.hash("id"), F.lit(60_000))).alias("shop_id"),
    F.col("id").alias("click_id"), F.sha1(F.col("id").cast("string")).alias("page"),
    pause(1, "id % 30 = 0").alias("wait"),
)
shops = spark.range(0, 60_000, 1, 4).select(
    F.col("id").cast("int").alias("shop_id"), F.md5(F.col("id").cast("string")).alias("city")
)
run(clicks.join(shops, "shop_id").select("*", pause(1, "click_id % 30 = 1").alias("saved")))
spark.stop()
