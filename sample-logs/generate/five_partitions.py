"""A shuffle of some 700 MB into 5 partitions: each is over 128 MiB, and its sort spills, in every task."""

from pyspark.sql import Window
from pyspark.sql import functions as F
from sample import pause, run, session, warm_up

spark = session("latest-page-per-visitor")
warm_up(spark)
pages = spark.range(0, 1_000_000, 1, 16).select(
    (F.col("id") % 200_000).alias("visitor"), "id", F.repeat(F.md5(F.col("id").cast("string")), 22).alias("page")
)
latest = pages.withColumn("nth", F.row_number().over(Window.partitionBy("visitor").orderBy(F.desc("id"))))
run(latest.where("nth = 1").select("*", pause(1, "id % 4 = 0").alias("saved")))
spark.stop()
