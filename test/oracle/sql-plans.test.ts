import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ingestInto } from "../../src/analyze-log.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";
import { openForReading } from "../../src/store/open-store.ts";
import { type Answer, type Answers, unpackAnswers } from "./answers.ts";
import type { Rows } from "./compare-log.ts";
import { comparePlans } from "./compare-plans.ts";
import { Comparer, type Plain } from "./comparer.ts";

const ANSWERS = fileURLToPath(new URL("answers/", import.meta.url));
const LOGS = fileURLToPath(new URL("../../sample-logs/", import.meta.url));
const kept = readdirSync(ANSWERS).filter((file) => existsSync(join(LOGS, logOf(file))));

function logOf(answersFile: string): string {
  return answersFile.replace(/\.json\.gz$/, "");
}

async function withDatabase(log: string, use: (rows: Rows) => void): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "sparklog-plans-"));
  try {
    const database = join(scratch, "log.db");
    const [found] = (await findEventLogs(join(LOGS, log))).logs;
    if (!found) throw new Error(`${log} is gone`);
    await ingestInto(found, database, {});
    const db = openForReading(database);
    use((sql, ...parameters) => db.prepare<typeof parameters, Record<string, Plain>>(sql).all(...parameters));
    db.close();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What the answers hold: every node, its name, codegen stage, metrics with name and text, and the edges. */
function valuesIn(answers: Answers): { values: number; metrics: number } {
  let values = 0;
  let metrics = 0;
  for (const { nodes } of answers.sql) {
    values += 2;
    for (const node of nodes as Answer[]) {
      const list = node.metrics as Answer[];
      metrics += list.length;
      values += 2 + (node.wholeStageCodegenId === undefined ? 0 : 1) + 2 * list.length;
    }
  }
  return { values, metrics };
}

test("there are kept answers about SQL plans", () => {
  const metrics = kept.map((file) => valuesIn(unpackAnswers(join(ANSWERS, file))).metrics);
  expect(metrics.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
});

test.each(kept)("every plan node and metric text of %s is the History Server's", async (file) => {
  const answers = unpackAnswers(join(ANSWERS, file));
  await withDatabase(logOf(file), (rows) => {
    const comparer = new Comparer();
    comparePlans(comparer, rows, answers);
    expect(comparer.differences).toEqual([]);
    expect(comparer.compared).toBe(valuesIn(answers).values);
  });
});
