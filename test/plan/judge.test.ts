import { expect, test } from "vitest";
import { attributeSpill, type SpillMeasure } from "../../src/plan/attribute-spill.ts";
import { broadcastThreshold } from "../../src/plan/broadcast-threshold.ts";
import { readByteSize } from "../../src/plan/byte-size.ts";
import { judgeJoin, type MeasuredJoin } from "../../src/plan/judge-join.ts";
import { placementCosts } from "../../src/plan/judge-placement.ts";
import { judgeScan, type MeasuredScan } from "../../src/plan/judge-scan.ts";

const MIB = 1024 ** 2;
const TEN_MIB = { bytes: 10 * MIB, source: "default" } as const;

test.each([
  ["10MB", 10 * MIB],
  ["10m", 10 * MIB],
  ["10485760", 10 * MIB],
  ["10485760b", 10 * MIB],
  ["1g", 1024 * MIB],
  ["-1", -1],
  ["ten", null],
  ["", null],
])("a size setting of %s is %s bytes", (text, bytes) => {
  expect(readByteSize(text)).toBe(bytes);
});

test("a session's broadcast threshold goes before the application's, -1 switches it off, 10 MiB is the default", () => {
  const name = "spark.sql.autoBroadcastJoinThreshold";
  const set = (value: string) => new Map([[name, value]]);
  expect(broadcastThreshold(set("20m"), set("30m"))).toEqual({ bytes: 20 * MIB, source: "session" });
  expect(broadcastThreshold(new Map(), set("-1"))).toEqual({ bytes: null, source: "application" });
  expect(broadcastThreshold(new Map(), new Map())).toEqual(TEN_MIB);
});

function join(part: Partial<MeasuredJoin>): MeasuredJoin {
  return {
    kind: "SortMergeJoin",
    join_type: "Inner",
    build_side: null,
    left_bytes: null,
    left_rows: null,
    right_bytes: null,
    right_rows: null,
    output_rows: null,
    ...part,
  };
}

const faults = (part: Partial<MeasuredJoin>) =>
  judgeJoin(join(part), TEN_MIB).map(({ fault, side }) => [fault, side]);

test("a sort-merge join with a side of 10 MiB could have been broadcast, one byte more not", () => {
  expect(faults({ left_bytes: 900 * MIB, right_bytes: 10 * MIB })).toEqual([
    ["small-side-not-broadcast", "right"],
  ]);
  expect(faults({ left_bytes: 900 * MIB, right_bytes: 10 * MIB + 1 })).toEqual([]);
});

test("the side whose rows must all appear cannot be broadcast", () => {
  expect(faults({ join_type: "LeftOuter", left_bytes: 1, right_bytes: 900 * MIB })).toEqual([]);
  expect(faults({ join_type: "FullOuter", left_bytes: 1, right_bytes: 1 })).toEqual([]);
  expect(faults({ join_type: "RightOuter", left_bytes: 1, right_bytes: 900 * MIB })).toEqual([
    ["small-side-not-broadcast", "left"],
  ]);
});

test("with broadcasting switched off no side is too large to sort", () => {
  expect(judgeJoin(join({ right_bytes: 1 }), { bytes: null, source: "session" })).toEqual([]);
});

test("a broadcast of 64 MiB is let pass, one byte more is too large", () => {
  const built = { kind: "BroadcastHashJoin", build_side: "right" };
  expect(faults({ ...built, right_bytes: 64 * MIB })).toEqual([]);
  expect(faults({ ...built, right_bytes: 64 * MIB + 1 })).toEqual([["broadcast-too-large", "right"]]);
});

test("joins without keys are named, and joins that double their rows", () => {
  expect(faults({ kind: "CartesianProduct" })).toEqual([["cartesian", null]]);
  expect(faults({ kind: "BroadcastNestedLoopJoin" })).toEqual([["nested-loop", null]]);
  expect(faults({ left_rows: 100, right_rows: 10, output_rows: 200 })).toEqual([["row-expansion", null]]);
  expect(faults({ left_rows: 100, right_rows: 10, output_rows: 199 })).toEqual([]);
});

function scan(part: Partial<MeasuredScan>): MeasuredScan {
  return {
    partition_filters: null,
    pushed_filters: null,
    data_filters: null,
    partitioned: null,
    files_read: null,
    bytes_read: null,
    metadata_time_ms: null,
    ...part,
  };
}

test.each<[string, Partial<MeasuredScan>, string[]]>([
  ["a partitioned table read whole", { partitioned: 1, partition_filters: "[]" }, ["no-partition-filter"]],
  ["a partitioned table with a filter", { partitioned: 1, partition_filters: "[isnotnull(d#1)]" }, []],
  ["a table without partitions", { partitioned: 0, partition_filters: "[]" }, []],
  [
    "filters that were not pushed down",
    { pushed_filters: "[]", data_filters: "[(f(a#1) = 2)]" },
    ["no-pushed-filter"],
  ],
  ["no filter at all", { pushed_filters: "[]", data_filters: "[]" }, []],
  ["100 files of 2 MiB", { files_read: 100, bytes_read: 200 * MIB }, ["small-files"]],
  ["99 files of 2 MiB", { files_read: 99, bytes_read: 198 * MIB }, []],
  ["100 files of 3 MiB", { files_read: 100, bytes_read: 300 * MIB }, []],
  ["listing for a second", { metadata_time_ms: 1000 }, ["slow-listing"]],
])("%s: %j", (_, part, expected) => {
  expect(judgeScan(scan(part)).map(({ fault }) => fault)).toEqual(expected);
});

function spill(part: Partial<SpillMeasure>): SpillMeasure {
  return {
    execution_id: 0,
    stage_id: 4,
    stage_attempt_id: 0,
    node_id: 9,
    kind: "Sort",
    simple_string: "Sort [a#1 ASC]",
    operator_spill_bytes: 300,
    operator_spilling_tasks: 12,
    operator_max_spill_bytes: 30,
    hot_task_id: 17,
    memory_bytes_spilled: 400,
    disk_bytes_spilled: 100,
    spilling_tasks: 12,
    tasks: 13,
    mean_bytes_read: 8 * MIB,
    median_bytes_read: 8 * MIB,
    max_bytes_read: 8 * MIB,
    ...part,
  };
}

const cause = (part: Partial<SpillMeasure>) => attributeSpill([spill(part)])[0]?.cause;

test("spill is shared out among the operators that reported it", () => {
  const [stage] = attributeSpill([spill({}), spill({ node_id: 17, operator_spill_bytes: 100 })]);
  expect(stage).toMatchObject({ diskBytesSpilled: 100, spillingTasks: 12 });
  expect(stage?.operators.map(({ nodeId, share }) => [nodeId, share])).toEqual([
    [9, 0.75],
    [17, 0.25],
  ]);
});

test("spill of nearly all tasks is volume, of one large task it is skew", () => {
  expect(cause({})).toBe("state-too-wide");
  expect(cause({ mean_bytes_read: 129 * MIB })).toBe("too-few-partitions");
  expect(cause({ spilling_tasks: 1, max_bytes_read: 80 * MIB })).toBe("key-skew");
  expect(cause({ spilling_tasks: 1, max_bytes_read: 9 * MIB })).toBe("state-too-wide");
});

test("spill that no operator reports has no operator", () => {
  const none = { node_id: null, kind: null, operator_spill_bytes: null };
  expect(attributeSpill([spill(none)])[0]?.operators).toEqual([]);
});

test.each([
  ["filter-above-join", 1_000_000, 500_000, true],
  ["filter-above-join", 1_000_000, 500_001, false],
  ["filter-above-exchange", 999_999, 1, false],
  ["generate", 500_000, 1_000_000, true],
  ["generate", 500_001, 1_000_000, false],
  ["expand", 10, 1000, false],
  ["python-boundary", 1, 1, true],
  ["window-without-partition", null, null, true],
  ["generate", null, 9_000_000, false],
])("a %s of %s rows in and %s out is named: %s", (kind, rows_in, rows_out, expected) => {
  expect(placementCosts({ kind, rows_in, rows_out })).toBe(expected);
});
