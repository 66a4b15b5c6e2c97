import { expect, test } from "vitest";
import { diagnose } from "../../src/findings/diagnose.ts";
import type { Facts, FailureFact } from "../../src/findings/facts.ts";
import {
  factsOf,
  GIB,
  jobFact,
  MIB,
  MINUTE,
  plan,
  SECOND,
  T0,
  type TaskFact,
  waves,
} from "./facts-builder.ts";

const usual: TaskFact = { run: 10 * SECOND, readBytes: 50 * MIB, readRecords: 100_000 };
const remark = (facts: Facts, rule: string) => diagnose(facts).findings.find((f) => f.rule === rule);

test("a stage that reads a tenth of what was shuffled for it threw the rest away", () => {
  const stages = (read: number) =>
    factsOf([
      {
        id: 1,
        tasks: waves(20, {
          run: SECOND,
          inputBytes: MIB,
          inputRecords: 10,
          writtenBytes: 100 * MIB,
          writtenRecords: 10,
        }),
      },
      { id: 2, tasks: waves(20, { ...usual, launch: 4000, readBytes: read }), changes: { parent_ids: [1] } },
    ]);
  expect(remark(stages(10 * MIB), "discarded-rows")?.title).toBe(
    "Stage 2 reads only 10 % of what was shuffled for it",
  );
  expect(remark(stages(11 * MIB), "discarded-rows")).toBeUndefined();
});

test("a filter above a join that keeps a tenth of its rows", () => {
  const operator = (node: number, kind: string, total: number): Facts["stageOperators"][number] => ({
    stage_id: 1,
    stage_attempt_id: 0,
    execution_id: 0,
    node_id: node,
    kind,
    simple_string: kind,
    metric: "number of output rows",
    metric_type: "sum",
    tasks: 1,
    total,
    max: null,
    max_task_id: null,
  });
  const facts = (kept: number) =>
    factsOf([{ id: 1, tasks: waves(20, usual) }], {
      ...plan(
        0,
        ["Filter", "Filter (a#1 > 3)"],
        ["Project", "Project [a#1]"],
        ["SortMergeJoin", "SortMergeJoin [k#1], [k#2], Inner"],
      ),
      jobs: [jobFact(0, [1], 0, MINUTE, { execution_id: 0 })],
      stageOperators: [operator(0, "Filter", kept), operator(2, "SortMergeJoin", 2_000_000)],
    });
  expect(remark(facts(200_000), "late-filter")?.evidence[0]).toContain(
    "SortMergeJoin makes 2,000,000 rows, Filter leaves 200,000",
  );
  expect(remark(facts(200_001), "late-filter")).toBeUndefined();
});

test("a micro-batch that shuffles the same bytes whatever its rows", () => {
  const batches = Array.from({ length: 5 }, (_, i): Facts["streamingBatches"][number] => ({
    run_id: "r",
    batch_id: i,
    trigger_time_ms: T0 + i * 10_000,
    batch_duration_ms: 2000,
    input_rows: 1000 + i * 500,
    input_rows_per_second: 1,
    processed_rows_per_second: 10,
    watermark_ms: null,
    max_event_time_ms: null,
    rows_total: null,
    rows_dropped_by_watermark: null,
    memory_used_bytes: null,
    state_store: null,
  }));
  const facts = (bytes: (i: number) => number) =>
    factsOf(
      batches.map((_, i) => ({
        id: i,
        tasks: waves(10, {
          run: 200,
          launch: i * 10_000,
          inputBytes: MIB,
          inputRecords: 10,
          writtenBytes: bytes(i),
          writtenRecords: 10,
        }),
      })),
      {
        streamingBatches: batches,
        jobs: batches.map((_, i) =>
          jobFact(i, [i], i * 10_000, i * 10_000 + 2000, { streaming_query_id: "q", streaming_batch_id: i }),
        ),
      },
    );
  expect(
    remark(
      facts(() => 5 * MIB),
      "repeated-shuffle",
    )?.title,
  ).toBe("Every micro-batch shuffles the same 50.0 MiB again");
  expect(
    remark(
      facts((i) => (5 + i) * MIB),
      "repeated-shuffle",
    ),
  ).toBeUndefined();
});

test("failures are grouped by class and first line, whatever their ids and hosts", () => {
  const failure = (message: string, host: string): FailureFact => ({
    stage_id: 1,
    stage_attempt_id: 0,
    reason: "ExceptionFailure",
    counted_as: "failed",
    class_name: "java.io.IOException",
    message,
    host,
    executor_id: "1",
    ends: 2,
    duration_sum_ms: 4000,
  });
  const facts = factsOf([{ id: 1, tasks: waves(20, usual) }], {
    failures: [
      failure("Connection from node-1:7337 closed, block 17", "a"),
      failure("Connection from node-22:7337 closed, block 9", "b"),
    ],
  });
  const found = remark(facts, "failed-tasks");
  expect(found?.evidence).toHaveLength(1);
  expect(found?.evidence[0]).toMatch(
    /^4 x error, 8.0 s: java.io.IOException: Connection from .* closed, block N \(50 % on a\)/,
  );
});

test("most tasks of a scan far from their data, some near it", () => {
  const facts = factsOf([
    { id: 1, tasks: waves(20, { run: 5 * SECOND, inputBytes: MIB, inputRecords: 10 }) },
  ]);
  const locality = facts.tasks.get("1.0")?.columns.locality;
  locality?.fill(4, 0, 10);
  expect(remark(facts, "far-reads")?.title).toBe("50 % of the tasks of stage 1 read far from their data");
  locality?.fill(4);
  expect(remark(facts, "far-reads")).toBeUndefined();
});

test("dynamic allocation with an impossible range and without a shuffle service", () => {
  const set = (name: string, value: string) => ({
    kind: "spark",
    name: `spark.dynamicAllocation.${name}`,
    value,
  });
  const facts = factsOf([{ id: 1, tasks: waves(20, usual) }], {
    properties: [set("enabled", "true"), set("minExecutors", "20"), set("maxExecutors", "10")],
  });
  const application = facts.application && { ...facts.application, spark_version: "2.4.8" };
  expect(remark({ ...facts, application }, "configuration")?.evidence.join()).toMatch(
    /without anything that keeps shuffle blocks.*minExecutors = 20 is above maxExecutors = 10/,
  );
  expect(remark(factsOf([{ id: 1, tasks: waves(20, usual) }]), "configuration")).toBeUndefined();
});

test("tasks that used a tenth of the cores' time", () => {
  const facts = factsOf([{ id: 1, tasks: waves(20, { ...usual, run: 60 * SECOND }) }], { end: 60 * MINUTE });
  expect(remark(facts, "idle-cores")?.title).toMatch(
    /Tasks used 3.3 % of the core time: 0.3 of 10.0 core-hours/,
  );
});

test("state that doubles while the query runs", () => {
  const batches = (last: number) =>
    Array.from({ length: 12 }, (_, i): Facts["streamingBatches"][number] => ({
      run_id: "r",
      batch_id: i,
      trigger_time_ms: T0 + i * 10_000,
      batch_duration_ms: 2000,
      input_rows: 10,
      input_rows_per_second: 1,
      processed_rows_per_second: 10,
      watermark_ms: null,
      max_event_time_ms: null,
      rows_total: i === 11 ? last : 1000,
      rows_dropped_by_watermark: 0,
      memory_used_bytes: GIB,
      state_store: "hdfs-backed",
    }));
  const facts = (last: number) =>
    factsOf([{ id: 1, tasks: waves(20, usual) }], { streamingBatches: batches(last) });
  expect(remark(facts(2000), "streaming-state")?.evidence.join()).toContain("the query has no watermark");
  expect(remark(facts(1999), "streaming-state")).toBeUndefined();
});
