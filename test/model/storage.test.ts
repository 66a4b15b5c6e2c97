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

function block(
  log: LogBuilder,
  partition: number,
  level: object,
  size: number,
  executor = "1",
  rdd = 7,
): LogBuilder {
  return log.event("SparkListenerBlockUpdated", {
    "Block Updated Info": {
      "Block Manager ID": { "Executor ID": executor, Host: "node-1", Port: 1 },
      "Block ID": `rdd_${rdd}_${partition}`,
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

test("of thousands of cached RDDs each keeps what executors that went have left it", async () => {
  const count = 5000;
  const log = new LogBuilder().start().executor("2");
  const all = Array.from({ length: count }, (_, rdd) => rdd);
  for (const rdd of all) block(log, 0, memory, 10, "1", rdd);
  for (const rdd of all) block(log, 1, memory, 20, "2", rdd);
  log.executorRemoved("2", "worker lost", 5000).executor("2", 4, 6000);
  // The new life of the executor brings one block back.
  block(log, 1, memory, 30, "2", 3);
  const { rows } = await ingested(log.end());
  expect(
    rows(
      `SELECT COUNT(*) AS rdds, cached_partitions, max_cached_partitions, evicted_blocks, memory_size_bytes
       FROM rdd GROUP BY cached_partitions, max_cached_partitions, evicted_blocks, memory_size_bytes ORDER BY rdds`,
    ),
  ).toEqual([
    { rdds: 1, cached_partitions: 2, max_cached_partitions: 2, evicted_blocks: 1, memory_size_bytes: 40 },
    {
      rdds: count - 1,
      cached_partitions: 1,
      max_cached_partitions: 2,
      evicted_blocks: 1,
      memory_size_bytes: 10,
    },
  ]);
});

test("RDDs of a stage are listed once, with what was known of them last", async () => {
  const rdd = { "RDD ID": 7, Name: "rows", "Storage Level": gone, "Number of Partitions": 3 };
  const log = new LogBuilder()
    .start()
    .job(0, [0])
    .stageSubmitted(0, 1, 0, { "RDD Info": [rdd] });
  log.stageCompleted(0, 1, 0, 80_000, {
    "RDD Info": [{ ...rdd, Name: "table", "Storage Level": memory }],
  });
  const { rows } = await ingested(log.end());
  expect(rows("SELECT rdd_id FROM stage_rdd")).toEqual([{ rdd_id: 7 }]);
  expect(rows("SELECT name, storage_level FROM rdd")).toEqual([
    { name: "table", storage_level: "Memory Deserialized 1x Replicated" },
  ]);
});
