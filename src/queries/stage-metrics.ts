import { defineQuery, type Int } from "./query.ts";

export interface StageMetricsRow {
  stage_id: Int;
  stage_attempt_id: Int;
  /** [[metric, min, p05, p25, p50, p75, p95, p99, max], ...] by metric. */
  metrics_json: string;
  /** 1: one of its integers is beyond 2^53, so that JSON.parse would round it. */
  beyond: Int;
}

/** One row a stage attempt with the quantiles of all its metrics: 30 rows of stage-quantiles in one. */
export const stageMetrics = defineQuery<StageMetricsRow>({
  name: "stage-metrics",
  about: "One row a stage attempt with the quantiles of all its metrics as JSON.",
  columns: ["stage_id", "stage_attempt_id", "metrics_json", "beyond"],
  sql: /* sql */ `
    SELECT
      stage_id,
      stage_attempt_id,
      json_group_array(json_array(metric, min, p05, p25, p50, p75, p95, p99, max)) AS metrics_json,
      MAX(max) > 9007199254740991 OR MIN(min) < -9007199254740991 AS beyond
    FROM stage_quantile
    WHERE log_id = $log_id
    GROUP BY stage_id, stage_attempt_id
    ORDER BY stage_id, stage_attempt_id
  `,
});
