"""Nothing planted: a pandas function on whole Arrow batches is a small part of a run that native code dominates."""

import pandas as pd
from pyspark.sql import functions as F
from sample import cost, pause, run, session, warm_up

spark = session("convert-prices")
warm_up(spark)


@F.pandas_udf("double")
def to_euro(amount: pd.Series) -> pd.Series:
    return amount * 0.92


prices = spark.range(0, 40_000, 1, 20).select("id", (F.col("id") % 997).cast("double").alias("amount"))
euros = prices.select("id", to_euro("amount").alias("euro")).repartition(20, "id")
scored = euros.select("*", cost(F.col("euro"), 5_000).alias("score"), pause(1).alias("wait"))
run(scored.groupBy((F.col("id") % 100).alias("shop")).agg(F.sum("score"), F.max("wait")))
spark.stop()
