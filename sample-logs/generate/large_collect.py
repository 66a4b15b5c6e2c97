"""Every row is brought to the driver, which takes far longer to fetch and unpack them than the tasks to make them."""

from pyspark.sql import functions as F
from sample import session, warm_up

spark = session("export-everything")
warm_up(spark)
rows = spark.range(0, 4_000_000, 1, 8).select("id", F.md5(F.col("id").cast("string")).alias("note"))
everything = rows._jdf.toJavaRDD().collect()
print(everything.size())
spark.stop()
