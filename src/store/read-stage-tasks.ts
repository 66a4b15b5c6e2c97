import { type LoadStageTasks, STAGE_TASK_COLUMNS, type StageTaskColumn } from "../queries/stage-tasks.ts";
import type { Db } from "./open-store.ts";

/** Reads the ended tasks of one stage attempt for the diagnosis: one pass over the stage's range of rows. */
export function stageTasksReader(db: Db, logId: number): LoadStageTasks {
  const range = db.prepare<[number, number, number], { first: number; last: number; rows: number }>(
    `SELECT first_task_rowid AS first, last_task_rowid AS last, task_ends AS rows FROM stage
     WHERE log_id = ? AND stage_id = ? AND stage_attempt_id = ? AND first_task_rowid IS NOT NULL`,
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
    if (!found) return null;
    const columns = STAGE_TASK_COLUMNS.map(() => new Float64Array(Number(found.rows)));
    let rows = 0;
    for (const values of tasks.iterate(found.first, found.last, logId, stageId, stageAttemptId)) {
      if (rows >= found.rows) break;
      fillRow(columns, rows++, values);
    }
    if (rows === 0) return null;
    const named = STAGE_TASK_COLUMNS.map((name, at) => [
      name,
      (columns[at] ?? new Float64Array(0)).subarray(0, rows),
    ]);
    return { rows, columns: Object.fromEntries(named) as Record<StageTaskColumn, Float64Array>, texts };
  };
}

function fillRow(columns: readonly Float64Array[], row: number, values: readonly (number | null)[]): void {
  for (let at = 0; at < columns.length; at++) (columns[at] as Float64Array)[row] = values[at] ?? Number.NaN;
}
