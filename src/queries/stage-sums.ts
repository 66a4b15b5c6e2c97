import { defineQuery, type Int } from "./query.ts";

export interface StageSumsRow {
  resource_profile_id: Int | null;
  stages: Int;
  own_time_ms: number;
  duration_sum_ms: number;
  first_task_launched_time_ms: Int | null;
}

/** One row a resource profile: how many stage attempts ran with it, and their sums. */
export const stageSums = defineQuery<StageSumsRow>({
  name: "stage-sums",
  about: "One row a resource profile: how many stage attempts ran with it, and their sums.",
  columns: ["resource_profile_id", "stages", "own_time_ms", "duration_sum_ms", "first_task_launched_time_ms"],
  sql: /* sql */ `
    SELECT
      resource_profile_id,
      COUNT(*) AS stages,
      TOTAL(own_time_ms) AS own_time_ms,
      TOTAL(duration_sum_ms) AS duration_sum_ms,
      MIN(first_task_launched_time_ms) AS first_task_launched_time_ms
    FROM stage
    WHERE log_id = $log_id
      AND status NOT IN ('skipped', 'pending')
    GROUP BY resource_profile_id
    ORDER BY resource_profile_id
  `,
});
