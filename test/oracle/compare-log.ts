import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestInto } from "../../src/analyze-log.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";
import { openForReading } from "../../src/store/open-store.ts";
import type { Answers } from "./answers.ts";
import { compareApplication, compareEnvironment } from "./compare-application.ts";
import { compareExecutors, compareStorage } from "./compare-executors.ts";
import { compareJobs, compareSql } from "./compare-jobs.ts";
import { comparePlans } from "./compare-plans.ts";
import { compareStages } from "./compare-stages.ts";
import { Comparer, type Difference, type Plain } from "./comparer.ts";
import { explain } from "./explained.ts";

/** Asks the database of one log. */
export type Rows = (sql: string, ...parameters: (string | number)[]) => Record<string, Plain>[];

export interface Comparison {
  /** Values that both sides have. */
  compared: number;
  /** Reasons of the explained differences, with how many each covers. */
  explained: Map<string, number>;
  /** What nobody explained. */
  differences: Difference[];
}

/** Reads a log into a database of its own and holds every value against the History Server's answers. */
export async function compareLog(path: string, answers: Answers): Promise<Comparison> {
  const scratch = mkdtempSync(join(tmpdir(), "sparklog-oracle-"));
  try {
    const database = join(scratch, "log.db");
    const [log] = (await findEventLogs(path)).logs;
    if (!log) throw new Error(`${path}: no event log found`);
    await ingestInto(log, database, {});
    const db = openForReading(database);
    try {
      return compare(
        (sql, ...parameters) => db.prepare<typeof parameters, Record<string, Plain>>(sql).all(...parameters),
        answers,
      );
    } finally {
      db.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function compare(rows: Rows, answers: Answers): Comparison {
  const comparer = new Comparer();
  compareApplication(comparer, rows, answers);
  compareEnvironment(comparer, rows, answers);
  compareJobs(comparer, rows, answers);
  compareStages(comparer, rows, answers);
  compareExecutors(comparer, rows, answers);
  compareStorage(comparer, rows, answers);
  compareSql(comparer, rows, answers);
  comparePlans(comparer, rows, answers);
  const explained = new Map<string, number>();
  const differences: Difference[] = [];
  for (const difference of comparer.differences) {
    const reason = explain(difference, rows);
    if (reason === undefined) differences.push(difference);
    else explained.set(reason, (explained.get(reason) ?? 0) + 1);
  }
  return { compared: comparer.compared, explained, differences };
}
