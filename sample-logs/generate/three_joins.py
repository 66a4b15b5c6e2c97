"""Nothing planted: a query of three joins on three keys, so six shuffles, of tables too large to broadcast."""

from pyspark.sql import functions as F
from sample import pause, run, session, warm_up

ROWS = 320_000
spark = session("order-lines")
warm_up(spark)


def table(key: str, value: str):
    return spark.range(0, ROWS, 1, 12).select(
        F.col("id").alias(key), F.md5(F.concat(F.lit(value), F.col("id"))).alias(value),
        pause(1, "id % 32 = 0").alias(f"{value}_read"),
    )


def shifted(column: str, by: int):
    return F.pmod(F.col(column) + by, F.lit(ROWS))


def slowly(df, key: str, name: str):
    return df.select("*", pause(1, f"{key} % 32 = 1").alias(name))


orders = table("order_id", "order_note")
lines = table("line_order_id", "line_note")
items = table("item_id", "title")
shops = table("shop_id", "city")

joined = slowly(orders.join(lines, F.col("order_id") == F.col("line_order_id")), "order_id", "a")
joined = joined.withColumn("wanted_item", shifted("order_id", 7))
joined = slowly(joined.join(items, F.col("wanted_item") == F.col("item_id")), "item_id", "b")
joined = joined.withColumn("wanted_shop", shifted("item_id", 11))
run(slowly(joined.join(shops, F.col("wanted_shop") == F.col("shop_id")), "shop_id", "c"))
spark.stop()
