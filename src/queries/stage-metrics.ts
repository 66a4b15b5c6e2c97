import { defineQuery, type Int } from "./query.ts";

export interface StageMetricsRow {
  stage_id: Int;
  stage_attempt_id: Int;
  /** {metric: [tasks, min, p05, p25, p50, p75, p95, p99, max], ...} by metric. */
  quantiles_json: string;
}

/** One row a stage attempt with the quantiles of all its metrics: 30 rows of stage-quantiles in one. */
export const stageMetrics = defineQuery<StageMetricsRow>({
  name: "stage-metrics",
  about: "One row a stage attempt with the quantiles of all its metrics as JSON.",
  columns: ["stage_id", "stage_attempt_id", "quantiles_json"],
  sql: /* sql */ `
    SELECT stage_id, stage_attempt_id, quantiles_json
    FROM stage_distribution
    WHERE log_id = $log_id
    ORDER BY stage_id, stage_attempt_id
  `,
});
