"""Each row builds an array of two million small strings, so that two tasks nearly fill the heap with live objects.

Nothing is cached, nothing is shuffled, nothing spills.
"""

from pyspark.sql import functions as F
from sample import run, session

spark = session("expand-codes")
codes = F.transform(F.sequence(F.lit(1), F.lit(2_000_000)), lambda i: F.concat(F.lit("code-"), (i + F.col("id")).cast("string")))
run(spark.range(0, 64, 1, 32).select("id", F.array_max(codes).alias("last")))
spark.stop()
