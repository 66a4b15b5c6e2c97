"""One order near the end of the second stage is refused; its task fails four times and the job with it."""

from pyspark.sql import functions as F
from sample import cost, pause, run, session, warm_up

spark = session("check-orders")
warm_up(spark)
orders = spark.range(0, 4_000, 1, 20).select("id", cost(F.col("id"), 4_000).alias("price"), pause(10).alias("wait"))
checked = orders.repartition(20, "id").select(
    "id", pause(10).alias("wait"),
    F.expr("CASE WHEN id = 3999 THEN raise_error('order 3999 has no customer') END").alias("refused"),
)
run(checked)
