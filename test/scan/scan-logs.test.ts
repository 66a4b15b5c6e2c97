import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scanLogs } from "../../src/scan/scan-logs.ts";
import { scratchFolder } from "../helpers/ingested.ts";
import { LogBuilder } from "../helpers/log-builder.ts";

function jobLog(): LogBuilder {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0).task().task();
  return log.stageCompleted(0).jobEnd(0);
}

test("every log of a folder gets a row with what became of it, and one bad log stops nothing", async () => {
  const folder = scratchFolder();
  const inner = join(folder, "team a", "weekly");
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(folder, "application_1735689600000_0001"), jobLog().end().text());
  writeFileSync(join(inner, "application_1735689600000_0002.inprogress"), jobLog().text());
  writeFileSync(join(folder, "application_1735689600000_0003"), "");
  writeFileSync(
    join(folder, "application_1735689600000_0004.zstd"),
    Buffer.from("28b52ffd0458ffffffffffff", "hex"),
  );
  copyFileSync(
    join(folder, "application_1735689600000_0001"),
    join(folder, "application_1735689600000_0005"),
  );
  writeFileSync(join(folder, "notes.txt"), "these are notes\n");
  const { logs, ignored } = await scanLogs([folder]);
  expect(logs.map(({ path, status }) => [path.slice(folder.length + 1), status])).toEqual([
    ["application_1735689600000_0001", "ok"],
    ["application_1735689600000_0003", "skipped-empty"],
    ["application_1735689600000_0004.zstd", "failed"],
    ["application_1735689600000_0005", "duplicate"],
    ["team a/weekly/application_1735689600000_0002.inprogress", "ok-incomplete"],
  ]);
  expect(ignored).toBe(1);
  expect(logs[0]).toMatchObject({
    applicationName: "test job",
    durationMs: 100_000,
    verdict: { cause: "driver-gap" },
  });
  for (const row of logs.slice(1)) expect(row.reason).not.toBeNull();
});
