"""A small shuffle into 5,000 partitions, where 200 would be plenty: the tasks are mostly overhead."""

from pyspark.sql import functions as F
from sample import run, session, warm_up

spark = session("count-words")
warm_up(spark)
words = spark.range(0, 400_000, 1, 8).select((F.col("id") % 100_000).alias("word"))
run(words.groupBy("word").count())
spark.stop()
