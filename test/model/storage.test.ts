import { expect, test } from "vitest";
import { ingested } from "../helpers/ingested.ts";
import { LogBuilder } from "../helpers/log-builder.ts";

const memory = { "Use Disk": false, "Use Memory": true, Deserialized: true, Replication: 1 };
const gone = { "Use Disk": false, "Use Memory": false, Deserialized: false, Replication: 1 };

function cachedRdd(): LogBuilder {
  const rdd = { "RDD ID": 7, Name: "table", "Storage Level": memory, "Number of Partitions": 3 };
  return new LogBuilder()
    .start()
    .job(0, [0])
    .stageSubmitted(0, 2, 0, { "RDD Info": [rdd] });
}

function block(log: LogBuilder, partition: number, level: object, size: number, executor = "1"): LogBuilder {
  return log.event("SparkListenerBlockUpdated", {
    "Block Updated Info": {
      "Block Manager ID": { "Executor ID": executor, Host: "node-1", Port: 1 },
      "Block ID": `rdd_7_${partition}`,
      "Storage Level": level,
      "Memory Size": size,
      "Disk Size": 0,
    },
  });
}

test("without block updates the cached part of a persisted RDD is unknown, not 0", async () => {
  const { rows } = await ingested(cachedRdd().end());
  expect(rows("SELECT storage_level, number_of_partitions, cached_partitions FROM rdd")).toEqual([
    { storage_level: "Memory Deserialized 1x Replicated", number_of_partitions: 3, cached_partitions: null },
  ]);
});

test("block updates tell how much was cached at most, and what was evicted", async () => {
  const log = cachedRdd();
  block(log, 0, memory, 100);
  block(log, 1, memory, 50);
  block(log, 0, gone, 0);
  const { rows } = await ingested(log.end());
  expect(
    rows("SELECT cached_partitions, max_cached_partitions, evicted_blocks, memory_size_bytes FROM rdd"),
  ).toEqual([{ cached_partitions: 1, max_cached_partitions: 2, evicted_blocks: 1, memory_size_bytes: 50 }]);
});

test("an executor takes its blocks with it", async () => {
  const log = cachedRdd().executor("2");
  block(log, 0, memory, 100);
  block(log, 1, memory, 50, "2");
  const { rows } = await ingested(log.executorRemoved("2", "worker lost", 5000).end());
  expect(rows("SELECT cached_partitions FROM rdd")).toEqual([{ cached_partitions: 1 }]);
});

test("after unpersist the numbers of its life stand", async () => {
  const log = cachedRdd();
  block(log, 0, memory, 100);
  const { rows } = await ingested(log.event("SparkListenerUnpersistRDD", { "RDD ID": 7 }).end());
  expect(rows("SELECT unpersisted, cached_partitions, evicted_blocks FROM rdd")).toEqual([
    { unpersisted: 1, cached_partitions: 1, evicted_blocks: 0 },
  ]);
});
