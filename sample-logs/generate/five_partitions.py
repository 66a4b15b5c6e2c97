"""Twice a shuffle of some 700 MB into 5 partitions: each is over 128 MiB, and its sort spills, in every task.

What is spilled is compressed at a high level, which makes spilling dear, as a slow disk would.
"""

from pyspark.sql import Window
from pyspark.sql import functions as F
from sample import pause, run, session, warm_up

spark = session("latest-page-per-visitor")
warm_up(spark)
nth = F.row_number().over(Window.partitionBy("visitor").orderBy(F.desc("id")))
for day in range(2):
    pages = spark.range(day * 1_000_000, (day + 1) * 1_000_000, 1, 16).select(
        (F.col("id") % 200_000).alias("visitor"), "id", F.repeat(F.md5(F.col("id").cast("string")), 22).alias("page")
    )
    run(pages.withColumn("nth", nth).where("nth = 1").select("*", pause(1, "id % 4 = 0").alias("saved")))
spark.stop()
