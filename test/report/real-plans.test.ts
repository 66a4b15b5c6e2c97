import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ingestInto } from "../../src/analyze-log.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";
import { preOrder, readPlan } from "../../src/plan/plan-tree.ts";
import { defineQuery, type RunQuery } from "../../src/queries/query.ts";
import { sqlExecutions } from "../../src/queries/sql-executions.ts";
import { sqlLedger } from "../../src/report/sql-ledger.ts";
import { openForReading } from "../../src/store/open-store.ts";
import { logIds, queryRunner } from "../../src/store/run-query.ts";

/** Logs of real applications that lie beside a checkout, where there are any. */
const LOGS = fileURLToPath(new URL("../../../shared/eventlogs/", import.meta.url));

async function withLog(name: string, use: (run: RunQuery) => void): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "sparklog-real-"));
  try {
    const database = join(scratch, "log.db");
    const [log] = (await findEventLogs(join(LOGS, name))).logs;
    if (!log) throw new Error(`${name} is no log`);
    await ingestInto(log, database, {});
    const db = openForReading(database);
    use(queryRunner(db, logIds(db)[0] ?? 0));
    db.close();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const planTrees = defineQuery<{ tree_json: string }>({
  name: "plan-trees",
  about: "Every version of the plan of execution 24.",
  columns: ["tree_json"],
  sql: `SELECT p.tree_json FROM sql_plan_version v JOIN sql_plan p ON p.log_id = v.log_id AND p.plan_id = v.plan_id
        WHERE v.log_id = $log_id AND v.execution_id = 24 ORDER BY v.version`,
});

describe.skipIf(!existsSync(LOGS))("real logs", () => {
  test("TPC-DS query 72 has five plan versions with 15, 16, 17, 17 and 17 exchanges in the raw tree", async () => {
    await withLog("nds_q72_dataproc_2_2.zstd", (run) => {
      const counts = run(planTrees).map(({ tree_json }) => {
        const root = readPlan(JSON.parse(tree_json));
        return (root ? preOrder(root) : []).filter(({ nodeName }) => nodeName.includes("Exchange")).length;
      });
      expect(counts).toEqual([15, 16, 17, 17, 17]);
      // Of the last 17: 7 shuffles, 8 broadcasts, 1 reuse and the broadcast it repeats.
      expect(run(sqlExecutions).find((row) => row.execution_id === 24)).toMatchObject({
        plan_versions: 5,
        final_plan: 1,
        shuffle_exchanges: 7,
        broadcast_exchanges: 8,
        reused_exchanges: 1,
        joins_json: '{"SortMergeJoin":2,"BroadcastHashJoin":8}',
      });
    });
  });

  test("all spill of the AQE log is the sorts' of stage 4, over 12 tasks, from volume and not from skew", async () => {
    await withLog("aqeshuffle_eventlog.zstd", (run) => {
      const spills = sqlLedger(run)?.spills.rows;
      expect(spills).toMatchObject([
        { stageId: 4, diskBytesSpilled: 118_948_980, spillingTasks: 12, tasks: 13, cause: "state-too-wide" },
      ]);
      expect(spills?.[0]?.operators.map(({ kind, tasks }) => [kind, tasks])).toEqual([
        ["Sort", 12],
        ["Sort", 12],
      ]);
      // What the two sorts report is exactly what the tasks spilled: 553,648,128 bytes in memory.
      expect(spills?.[0]?.operators.reduce((sum, { bytes }) => sum + Number(bytes), 0)).toBe(553_648_128);
    });
  });
});
