import { defineQuery, type Int } from "./query.ts";

export interface FailureGroupsRow {
  stage_id: Int;
  stage_attempt_id: Int;
  reason: string;
  counted_as: string;
  class_name: string | null;
  message: string | null;
  host: string | null;
  executor_id: string | null;
  ends: Int;
  /** Wall clock of these attempts, also of those without metrics. */
  duration_sum_ms: Int | null;
}

/** One row a stage attempt, executor and text of failure, most frequent first. */
export const failureGroups = defineQuery<FailureGroupsRow>({
  name: "failure-groups",
  about: "One row a stage attempt, executor and text of failure, most frequent first.",
  columns: [
    "stage_id",
    "stage_attempt_id",
    "reason",
    "counted_as",
    "class_name",
    "message",
    "host",
    "executor_id",
    "ends",
    "duration_sum_ms",
  ],
  sql: /* sql */ `
    SELECT
      stage_id,
      stage_attempt_id,
      reason,
      counted_as,
      class_name,
      message,
      host,
      executor_id,
      COUNT(*) AS ends,
      SUM(MIN(duration_ms, 1000000000000)) AS duration_sum_ms
    FROM task_failure
    WHERE log_id = $log_id
    GROUP BY stage_id, stage_attempt_id, reason, counted_as, class_name, message, host, executor_id
    ORDER BY ends DESC, stage_id, stage_attempt_id, host, executor_id, message
  `,
});
