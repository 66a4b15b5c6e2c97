import type { Db } from "./open-store.ts";

/** What the stages of a log lack. */
export interface StageLosses {
  /** Stages with tasks that neither completed nor failed. */
  running: number;
  /** Complete stages with fewer successful tasks than they have, and how many these lack together. */
  incomplete: number;
  missingTasks: number;
  /** Stages that report more run time than the tasks read add up to. */
  short: number;
}

/** Counts over the written stages of a log. */
export function stageLosses(db: Db, logId: number): StageLosses {
  const counts = db
    .prepare<[number], Record<keyof Omit<StageLosses, "short">, number | null>>(
      /* sql */ `
        SELECT
          SUM(status = 'active' AND task_starts > 0) AS running,
          SUM(status = 'complete' AND number_of_tasks > succeeded) AS incomplete,
          SUM(CASE WHEN status = 'complete' THEN MAX(0, number_of_tasks - succeeded) END) AS missingTasks
        FROM stage
        WHERE log_id = ?
      `,
    )
    .get(logId);
  const short = db
    .prepare<[number], number>(
      /* sql */ `
        SELECT COUNT(*)
        FROM stage_reported AS r
        JOIN stage AS s USING (log_id, stage_id, stage_attempt_id)
        WHERE r.log_id = ? AND r.totals_json ->> 'executor_run_time_ms' > IFNULL(s.executor_run_time_ms, 0)
      `,
    )
    .pluck()
    .get(logId);
  return {
    running: counts?.running ?? 0,
    incomplete: counts?.incomplete ?? 0,
    missingTasks: counts?.missingTasks ?? 0,
    short: short ?? 0,
  };
}
