import { defineQuery, type Int } from "./query.ts";

export interface StageSpansRow {
  submission_time_ms: Int;
  last_task_finished_time_ms: Int | null;
  completion_time_ms: Int | null;
  result_size_bytes: Int | null;
}

/** One row a stage attempt that was submitted, in order of submission. */
export const stageSpans = defineQuery<StageSpansRow>({
  name: "stage-spans",
  about: "One row a stage attempt that was submitted, in order of submission.",
  columns: ["submission_time_ms", "last_task_finished_time_ms", "completion_time_ms", "result_size_bytes"],
  sql: /* sql */ `
    SELECT submission_time_ms, last_task_finished_time_ms, completion_time_ms, result_size_bytes
    FROM stage
    WHERE log_id = $log_id
      AND status NOT IN ('skipped', 'pending')
      AND submission_time_ms IS NOT NULL
    ORDER BY submission_time_ms, stage_id, stage_attempt_id
  `,
});
