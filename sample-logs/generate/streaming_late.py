"""A streaming count per window whose watermark of one minute drops most rows of the late files."""

import json
import shutil
import time
from datetime import datetime, timedelta
from pathlib import Path

from pyspark.sql import functions as F
from sample import BASE, DATA, pause, session, warm_up

BATCHES = 8
folder = Path(DATA, "late-events")
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
noon = datetime(2026, 1, 1, 12)

spark = session("count-per-minute")
warm_up(spark)


def write(batch: int) -> None:
    """One file for one micro-batch. From the third on, two rows of three are half an hour late."""
    now = noon + timedelta(minutes=5 * batch)
    rows = []
    for i in range(4_000):
        late = batch >= 2 and i % 3 != 0
        at = now - timedelta(minutes=30 + i % 10) if late else now + timedelta(seconds=i % 60)
        rows.append(json.dumps({"at": at.isoformat(), "device": i % 200}))
    hidden = folder / f".batch-{batch:02}.json"
    hidden.write_text("\n".join(rows))
    hidden.rename(folder / f"batch-{batch:02}.json")


write(0)
events = spark.readStream.schema("at TIMESTAMP, device INT").option("maxFilesPerTrigger", 1).json(str(folder))
slow = events.repartition(8).select("at", "device", pause(1, "device % 4 = 0").alias("wait"))
counts = slow.withWatermark("at", "1 minute").groupBy(F.window("at", "1 minute"), "device").agg(F.count("*"), F.max("wait"))
query = (
    counts.writeStream.queryName("per_minute").outputMode("append").format("noop")
    .option("checkpointLocation", f"{BASE}/checkpoint").trigger(processingTime="10 seconds").start()
)
for batch in range(1, BATCHES):
    time.sleep(10)
    write(batch)
while query.lastProgress is None or query.lastProgress["batchId"] < BATCHES - 1:
    time.sleep(1)
time.sleep(4)
query.stop()
spark.stop()
