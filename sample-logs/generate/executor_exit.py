"""A document in the last map task takes 45 seconds and is too big for the heap: the first two executors that meet it
exit (52).

All map output is lost with them, so their replacements, which get past that row, run the whole stage again.
"""

from pyspark.sql import functions as F
from sample import cost, on_executor, pause, run, session, warm_up

spark = session("parse-documents")
warm_up(spark)
documents = spark.range(0, 8_000, 1, 40)
meets_it = f"id = 7990 AND {on_executor(0, 1)}"
too_big = F.expr(f"CASE WHEN {meets_it} THEN length(repeat(cast(id AS string), 500000000)) END")
wait = F.coalesce(pause(45_000, meets_it), pause(12))
parsed = documents.select("id", cost(F.col("id"), 8_000).alias("words"), wait.alias("wait"), too_big.alias("size"))
run(parsed.groupBy((F.col("id") % 1000).alias("bucket")).agg(F.sum("words"), F.max("size"), F.max("wait")))
spark.stop()
