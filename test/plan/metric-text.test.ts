import { expect, test } from "vitest";
import { foldMetric } from "../../src/model/fold-metric.ts";
import { formatDuration, formatSize, metricText } from "../../src/plan/metric-text.ts";

const at = { stageId: 4, stageAttemptId: 1, taskId: 22 };

function text(
  metricType: string,
  values: number[],
  { zeros = 0, large = [] as bigint[], maxTask = at as typeof at | null } = {},
) {
  const folded = foldMetric(metricType, [{ values: Float64Array.from(values), large, zeros }]);
  return metricText(metricType, folded, maxTask);
}

test("a size with several values shows total, least, middle and largest value, and where", () => {
  expect(text("size", [3072, 2048, 4096])).toBe(
    "total (min, med, max (stageId: taskId))\n9.0 KiB (2.0 KiB, 3.0 KiB, 4.0 KiB (stage 4.1: task 22))",
  );
});

test("task slots without an update count as zero and lower the least and the middle value", () => {
  expect(text("size", [3072, 2048, 4096], { zeros: 4 })).toContain("9.0 KiB (0.0 B, 0.0 B, 4.0 KiB");
});

test("a single value is shown alone, and -1 is no value", () => {
  expect(text("size", [767, -1, -1])).toBe("767.0 B");
  expect(text("timing", [-1])).toBe("0 ms");
});

test("a maximum from the driver is named so", () => {
  expect(text("timing", [5, 7], { maxTask: null })).toMatch(/7 ms \(driver\)\)$/);
});

test("counts are added and grouped by thousands", () => {
  expect(text("sum", [9_999_990, 10], { zeros: 3 })).toBe("10,000,000");
});

test("averages are stored ten times as large, have no total and leave zeros out", () => {
  expect(text("average", [16, 25, 10], { zeros: 9 })).toBe(
    "(min, med, max (stageId: taskId)):\n(1, 1.6, 2.5 (stage 4.1: task 22))",
  );
  expect(text("average", [], { zeros: 2 })).toBe("0");
  expect(text("average", [15])).toBe("1.5");
});

test("nanoseconds are cut to whole milliseconds", () => {
  expect(text("nsTiming", [1_999_999])).toBe("1 ms");
});

test("sums beyond 2^53 are exact and wrap around at 64 bits as in Java", () => {
  expect(text("sum", [1], { large: [2n ** 60n] })).toBe("1,152,921,504,606,846,977");
  expect(text("sum", [], { large: [2n ** 62n, 2n ** 62n] })).toBe("-9,223,372,036,854,775,808");
  expect(text("sum", [2 ** 53 - 1, 2 ** 53 - 1, 1])).toBe("18,014,398,509,481,983");
});

test("data source metrics need their class; the two of Spark are known", () => {
  expect(text("v2Custom_org.apache.iceberg.NumSplits", [1])).toBe("N/A");
  expect(text("v2Custom_org.apache.spark.sql.connector.metric.CustomSumMetric", [1000, 2000])).toBe("3000");
  expect(text("v2Custom_org.apache.spark.sql.connector.metric.CustomAvgMetric", [1, 2], { zeros: 1 })).toBe(
    "1.000",
  );
});

test("bytes change unit at two of the next unit", () => {
  expect([2047, 2048, 2047 * 1024, 2048 * 1024].map(formatSize)).toEqual([
    "2047.0 B",
    "2.0 KiB",
    "2047.0 KiB",
    "2.0 MiB",
  ]);
});

test("durations are divided as 32-bit floats: 1150 ms is 1.1 s, 1350 ms is 1.4 s", () => {
  expect([999, 1150, 1350, 60_000, 3_780_000].map(formatDuration)).toEqual([
    "999 ms",
    "1.1 s",
    "1.4 s",
    "1.0 m",
    "1.05 h",
  ]);
});
