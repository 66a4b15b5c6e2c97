"""A join done by hand: every row of the customers and, day after day, of the orders is brought to the driver.

Its heap holds them only just and one thread unpacks them, which takes far longer than the tasks need to make and pack them.
"""

import gc

from pyspark.sql import functions as F
from sample import session

spark = session("join-in-driver")


def collect(rows: int, tasks: int):
    """Rows as Java objects, as collect() of an RDD in Scala brings them."""
    table = spark.range(0, rows, 1, tasks).select("id", F.md5(F.col("id").cast("string")).alias("note"))
    return table._jdf.toJavaRDD().collect()


customers = collect(2_600_000, 20)
for day in range(44):
    orders = collect(120_000, 4)
    print(customers.size(), orders.size())
    del orders
    gc.collect()  # the JVM keeps the rows for as long as Python holds their list
spark.stop()
