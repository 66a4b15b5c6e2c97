"""Three of the first four tasks hang where they run; speculative copies elsewhere save them, late."""

import time

from pyspark import TaskContext
from sample import DATA, session

spark = session("clean-notes")


def clean(lines):
    task = TaskContext.get()
    hangs = task.partitionId() in (0, 1, 2) and task.attemptNumber() == 0
    time.sleep(900 if hangs else 5.5)
    return (line.strip() for line in lines)


notes = spark.sparkContext.textFile(f"{DATA}/notes", 40)
notes.foreachPartition(lambda lines: sum(1 for _ in lines))  # starts the Python workers
notes.mapPartitions(clean).foreachPartition(lambda lines: sum(1 for _ in lines))
# The hung originals report their end while this step runs.
notes.foreachPartition(lambda lines: time.sleep(0.5))
spark.stop()
