"""A row-at-a-time Python function takes nearly all of the run."""

from pyspark.sql import functions as F
from pyspark.sql.types import StringType
from sample import run, session, warm_up

spark = session("normalize-addresses")
warm_up(spark)


@F.udf(StringType())
def normalize(address):
    words = [w.capitalize() for w in address.replace("-", " ").split()]
    return " ".join(sorted(words))


addresses = spark.range(0, 4_800_000, 1, 24).select(
    "id", F.concat_ws("-", F.md5(F.col("id").cast("string")), F.col("id"), F.lit("north street")).alias("address")
)
run(addresses.select("id", normalize("address").alias("address")))
spark.stop()
