import { expect, test } from "vitest";
import { formatBytes } from "../../src/format/bytes.ts";
import { formatCount, formatRatio, formatShare } from "../../src/format/count.ts";
import { formatDuration } from "../../src/format/duration.ts";

test("40 GiB over 200 partitions is 204.8 MiB each", () => {
  expect(formatBytes((40 * 1024 ** 3) / 200)).toBe("204.8 MiB");
  expect(formatBytes(0)).toBe("0 B");
  expect(formatBytes(2n ** 63n - 1n)).toBe("8.0 EiB");
  expect(formatBytes(null)).toBe("unknown");
});

test("durations take the unit a reader would", () => {
  expect([350, 12_400, 210_000, 7_600_095, null].map(formatDuration)).toEqual([
    "350 ms",
    "12.4 s",
    "3.5 min",
    "2.11 h",
    "unknown",
  ]);
});

test("counts, ratios and shares", () => {
  expect([140_000_000, 999, 2n ** 63n - 1n].map(formatCount)).toEqual([
    "140,000,000",
    "999",
    "9,223,372,036,854,775,807",
  ]);
  expect([34.29, 0.5391, 1.01, null].map(formatRatio)).toEqual(["34", "0.54", "1.01", "unknown"]);
  expect([0.918, 0.0042, 0, 1].map(formatShare)).toEqual(["92 %", "0.4 %", "0 %", "100 %"]);
});
