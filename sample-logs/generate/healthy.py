"""Nothing planted: an even scan, an even shuffle, an even aggregation, in several waves.

Half of each task waits (as for a look-up service), so that a busy machine does not make stragglers.
"""

from pyspark.sql import functions as F
from sample import DATA, cost, pause, run, session, warm_up

spark = session("daily-revenue")
warm_up(spark)
sales = spark.read.parquet(f"{DATA}/sales").select(
    "*", cost(F.col("amount"), 600).alias("check"), pause(1, "sale_id % 16 = 0").alias("looked_up")
)
by_item = sales.repartition(20, "item_id").select(
    "*", cost(F.col("check"), 600).alias("weight"), pause(1, "sale_id % 16 = 1").alias("priced")
)
run(by_item.groupBy("item_id").agg(F.sum("amount"), F.max("weight"), F.max("note"), F.max("priced")))
spark.stop()
