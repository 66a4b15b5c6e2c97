import { type LoadStageTasks, STAGE_TASK_COLUMNS, type StageTaskColumn } from "../queries/stage-tasks.ts";
import type { Db } from "./open-store.ts";

/**
 * Reads the ended tasks of single stage attempts as columns, for the few stages the diagnosis looks into: one pass
 * over the range of rows the stage knows its tasks to lie in.
 */
export function stageTasksLoader(db: Db, logId: number): LoadStageTasks {
  const range = db.prepare<
    [number, number, number],
    { first: number | null; last: number | null; ends: number }
  >(
    `SELECT first_task_rowid AS first, last_task_rowid AS last, task_ends AS ends
     FROM stage WHERE log_id = ? AND stage_id = ? AND stage_attempt_id = ?`,
  );
  const tasks = db
    .prepare<number[], (number | null)[]>(
      `SELECT ${STAGE_TASK_COLUMNS.join(", ")} FROM task_data
       WHERE rowid BETWEEN ? AND ? AND log_id = ? AND stage_id = ? AND stage_attempt_id = ? AND status <> 0
       ORDER BY rowid`,
    )
    .raw(true);
  const texts = db
    .prepare<[number], string>("SELECT text FROM log_string WHERE log_id = ? ORDER BY string_id")
    .pluck()
    .all(logId);
  return (stageId, stageAttemptId) => {
    const found = range.get(logId, stageId, stageAttemptId);
    if (!found || found.first === null || found.last === null) return null;
    const columns = STAGE_TASK_COLUMNS.map(() => new Float64Array(found.ends).fill(Number.NaN));
    let rows = 0;
    for (const values of tasks.iterate(found.first, found.last, logId, stageId, stageAttemptId)) {
      // A resubmitted task's second end is counted, but is no row: there are never more rows than ends.
      for (let at = 0; at < columns.length; at++) {
        const value = values[at];
        const column = columns[at];
        if (column && typeof value === "number") column[rows] = value;
      }
      rows++;
    }
    if (rows === 0) return null;
    const named = STAGE_TASK_COLUMNS.map((name, at) => [name, columns[at]?.subarray(0, rows)]);
    return { rows, columns: Object.fromEntries(named) as Record<StageTaskColumn, Float64Array>, texts };
  };
}
