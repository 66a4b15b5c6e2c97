"""A window without PARTITION BY pulls every row into one task."""

from pyspark.sql import Window
from pyspark.sql import functions as F
from sample import cost, pause, run, session, warm_up

spark = session("rank-everyone")
warm_up(spark)
players = spark.range(0, 60_000, 1, 16).select("id", cost(F.col("id"), 200).alias("points"))
ranked = players.withColumn("rank", F.row_number().over(Window.orderBy("points", "id")))
run(ranked.select("id", "rank", cost(F.col("rank"), 3_000).alias("prize"), pause(10, "id % 3 = 0").alias("wait")))
spark.stop()
