"""The tables that the samples read. Made once, without an event log."""

from pyspark.sql import functions as F
from sample import DATA, session

spark = session("make-data")
sales = spark.range(0, 480_000, 1, 20).select(
    F.col("id").alias("sale_id"),
    F.pmod(F.hash("id"), F.lit(20_000)).alias("item_id"),
    (F.col("id") % 997).alias("amount"),
    F.md5(F.col("id").cast("string")).alias("note"),
)
sales.write.mode("overwrite").parquet(f"{DATA}/sales")
sales.select("note").repartition(40).write.mode("overwrite").text(f"{DATA}/notes")
spark.stop()
