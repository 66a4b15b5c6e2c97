import { defineQuery, type Int } from "./query.ts";

export interface StageQuantilesRow {
  stage_id: Int;
  stage_attempt_id: Int;
  metric: string;
  tasks: Int;
  min: Int;
  p05: Int;
  p25: Int;
  p50: Int;
  p75: Int;
  p95: Int;
  p99: Int;
  max: Int;
}

/** One row a stage attempt and metric: Spark's quantiles over its successful tasks. */
export const stageQuantiles = defineQuery<StageQuantilesRow>({
  name: "stage-quantiles",
  about: "One row a stage attempt and metric: Spark's quantiles over its successful tasks.",
  columns: [
    "stage_id",
    "stage_attempt_id",
    "metric",
    "tasks",
    "min",
    "p05",
    "p25",
    "p50",
    "p75",
    "p95",
    "p99",
    "max",
  ],
  sql: /* sql */ `
    SELECT stage_id, stage_attempt_id, metric, tasks, min, p05, p25, p50, p75, p95, p99, max
    FROM stage_quantile
    WHERE log_id = $log_id
    ORDER BY stage_id, stage_attempt_id, metric
  `,
});
