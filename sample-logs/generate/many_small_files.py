"""Thousands of files of a few hundred bytes, one task each: starting tasks costs more than reading."""

from pathlib import Path

from pyspark.sql import functions as F
from sample import DATA, run, session

FILES = 4_000
folder = Path(DATA, "small-files")
folder.mkdir(parents=True, exist_ok=True)
for n in range(FILES):
    rows = [f'{{"sensor": {n % 50}, "reading": {n * 7 % 1000 + i}}}' for i in range(6)]
    (folder / f"part-{n:05}.json").write_text("\n".join(rows) + "\n")

spark = session("read-sensors")
readings = spark.read.schema("sensor INT, reading INT").json(str(folder))
run(readings.groupBy("sensor").agg(F.avg("reading")))
spark.stop()
