"""Three of four executors die by kill -9 early in the only stage and are not replaced."""

from pyspark.sql import functions as F
from sample import after, cost, kill_executor, pause, run, session, warm_up

spark = session("score-customers")
warm_up(spark)
app_id = spark.sparkContext.applicationId


def lose_three() -> None:
    for executor_id in ("0", "1", "2"):
        kill_executor(app_id, executor_id, with_worker=True)


customers = spark.range(0, 4_800, 1, 120)
after(6, lose_three)
run(customers.select("id", cost(F.col("id"), 60_000).alias("score"), pause(36).alias("wait")))
spark.stop()
