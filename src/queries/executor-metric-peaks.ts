import { defineQuery, type Int } from "./query.ts";

export interface ExecutorMetricPeaksRow {
  metric: string;
  value: Int;
  /** The executor with the highest value, the driver apart. */
  executor_id: string;
}

/** One row an executor metric: its highest value over all executors but the driver. Metrics that are 0 everywhere were not recorded. */
export const executorMetricPeaks = defineQuery<ExecutorMetricPeaksRow>({
  name: "executor-metric-peaks",
  about: "One row an executor metric: its highest value over all executors.",
  columns: ["metric", "value", "executor_id"],
  sql: /* sql */ `
    SELECT metric, MAX(value) AS value, executor_id
    FROM executor_peak
    WHERE log_id = $log_id
      AND executor_id <> 'driver'
      AND value > 0
    GROUP BY metric
    ORDER BY metric
  `,
});
