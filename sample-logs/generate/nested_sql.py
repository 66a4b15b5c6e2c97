"""Nothing planted: statements that run others inside themselves (create table as select, insert, cache)."""

from sample import run, session, warm_up

spark = session("build-tables")
warm_up(spark)
spark.sql("CREATE DATABASE IF NOT EXISTS shop")
spark.sql(
    "CREATE TABLE shop.orders USING parquet AS SELECT /*+ REPARTITION(16) */ id, id % 100 AS shop, "
    "CASE WHEN id % 8 = 0 THEN java_method('java.lang.Thread', 'sleep', 1L) END AS wait FROM range(0, 600000, 1, 16)"
)
spark.sql(
    "INSERT INTO shop.orders SELECT id + 600000, shop, "
    "CASE WHEN id % 8 = 1 THEN java_method('java.lang.Thread', 'sleep', 1L) END FROM shop.orders DISTRIBUTE BY shop"
)
spark.sql("CACHE TABLE per_shop AS SELECT shop, count(*) AS orders FROM shop.orders GROUP BY shop")
run(spark.sql("SELECT * FROM per_shop WHERE orders > (SELECT avg(orders) FROM per_shop)"))
spark.stop()
