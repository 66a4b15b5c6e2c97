import { TASK_COLUMNS, TaskBatch, type TaskColumn } from "../tasks/task-batch.ts";
import type { ExactValues } from "../tasks/task-columns.ts";
import type { Db } from "./open-store.ts";

export interface TaskRange {
  logId: number;
  stageId: number;
  stageAttemptId: number;
  firstRowid: number;
  lastRowid: number;
}

/**
 * Reads the ended tasks of one stage attempt back from the table, in one pass over its range of rows.
 * @param take is handed the tasks in their order; the batch is reused after return. Exact values above 2^53 are asked for
 *   by column
 */
export function loadStageTasks(db: Db, range: TaskRange, take: (batch: TaskBatch) => void): ExactValues {
  const from = `FROM task_data WHERE log_id = ? AND stage_id = ? AND stage_attempt_id = ? AND status <> 0 AND rowid BETWEEN ? AND ?`;
  const key = [range.logId, range.stageId, range.stageAttemptId, range.firstRowid, range.lastRowid];
  const rounded = new Set<TaskColumn>();
  const batch = new TaskBatch();
  const all = db.prepare(`SELECT ${TASK_COLUMNS.join(", ")} ${from} ORDER BY rowid`).raw();
  let rows = 0;
  for (const values of all.iterate(...key) as IterableIterator<unknown[]>) {
    for (const [at, name] of TASK_COLUMNS.entries()) {
      const value = values[at];
      const number = typeof value === "number" ? value : Number.NaN;
      if (number > Number.MAX_SAFE_INTEGER) rounded.add(name);
      batch.column(name)[batch.rows] = number;
    }
    batch.endRow();
    rows++;
    if (batch.full) {
      take(batch);
      batch.clear();
    }
  }
  if (batch.rows > 0) take(batch);
  return {
    isRounded: (name) => rounded.has(name),
    exact(name) {
      const column = TASK_COLUMNS[TASK_COLUMNS.indexOf(name)];
      const values = db.prepare(`SELECT IFNULL(${column}, 0) ${from} ORDER BY rowid`).pluck().safeIntegers();
      const exact = new BigInt64Array(rows);
      let row = 0;
      for (const value of values.iterate(...key)) exact[row++] = value as bigint;
      return exact;
    },
  };
}
