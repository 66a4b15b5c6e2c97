import { TASK_COLUMNS, type TaskColumn } from "../tasks/task-batch.ts";
import type { TaskColumns } from "../tasks/task-columns.ts";
import type { Db } from "./open-store.ts";

/** Columns held at once of one stage: a stage of two million tasks takes 16 MB a column. */
const HELD_COLUMNS = 6;

export interface TaskRange {
  logId: number;
  stageId: number;
  stageAttemptId: number;
  firstRowid: number;
  lastRowid: number;
}

/**
 * Ended tasks of one stage attempt, column by column: each column is one pass over the stage's range of rows, so
 * that memory stays at a few columns whatever the stage's size.
 */
export function loadStageTasks(db: Db, range: TaskRange): TaskColumns {
  const where = `log_id = ? AND stage_id = ? AND stage_attempt_id = ? AND status <> 0 AND rowid BETWEEN ? AND ?`;
  const key = [range.logId, range.stageId, range.stageAttemptId, range.firstRowid, range.lastRowid];
  const rows = Number(
    db
      .prepare(`SELECT COUNT(*) FROM task_data WHERE ${where}`)
      .pluck()
      .get(...key),
  );
  const held = new Map<TaskColumn, Float64Array>();
  const rounded = new Map<TaskColumn, boolean>();
  const read = (name: TaskColumn) =>
    db.prepare(`SELECT ${checked(name)} FROM task_data WHERE ${where} ORDER BY rowid`).pluck();
  const column = (name: TaskColumn): Float64Array => {
    const known = held.get(name);
    if (known) return known;
    const values = new Float64Array(rows);
    let row = 0;
    let isRounded = false;
    for (const value of read(name).iterate(...key)) {
      const number = typeof value === "number" ? value : Number.NaN;
      if (number > Number.MAX_SAFE_INTEGER) isRounded = true;
      values[row++] = number;
    }
    rounded.set(name, isRounded);
    if (held.size >= HELD_COLUMNS) {
      const oldest = held.keys().next().value;
      if (oldest !== undefined) held.delete(oldest);
    }
    held.set(name, values);
    return values;
  };
  return {
    rows,
    column,
    isRounded(name) {
      if (!rounded.has(name)) column(name);
      return rounded.get(name) ?? false;
    },
    exact: (name) =>
      (
        read(name)
          .safeIntegers(true)
          .all(...key) as (bigint | null)[]
      ).map((value) => value ?? 0n),
  };
}

function checked(name: TaskColumn): TaskColumn {
  if (!TASK_COLUMNS.includes(name)) throw new Error(`no task column ${name}`);
  return name;
}
