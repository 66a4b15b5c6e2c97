"""Each row builds an array of two million small strings, so that two tasks nearly fill the heap with live objects.

Nothing is cached, nothing is shuffled, nothing spills.
"""

from pyspark.sql import functions as F
from sample import run, session, warm_up

spark = session("expand-codes")
warm_up(spark)
codes = F.transform(F.sequence(F.lit(1), F.lit(1_800_000)), lambda i: F.concat(F.lit("code-"), (i + F.col("id")).cast("string")))
run(spark.range(0, 72, 1, 36).select("id", F.array_max(codes).alias("last")))
spark.stop()
