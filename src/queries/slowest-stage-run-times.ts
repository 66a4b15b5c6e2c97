import { defineQuery } from "./query.ts";
import { BY_COST } from "./slowest-stages.ts";
import { type StageQuantilesRow, stageQuantiles } from "./stage-quantiles.ts";

/** Quantiles of the run times of the tasks of the 10 slowest stage attempts. */
export const slowestStageRunTimes = defineQuery<StageQuantilesRow>({
  ...stageQuantiles,
  name: "slowest-stage-run-times",
  about: "Quantiles of the run times of the tasks of the 10 slowest stage attempts.",
  sql: stageQuantiles.sql.replace(
    "ORDER BY",
    `AND metric = 'executor_run_time_ms'
      AND (stage_id, stage_attempt_id) IN (
        SELECT stage_id, stage_attempt_id
        FROM stage
        WHERE log_id = $log_id AND status NOT IN ('skipped', 'pending')
        ORDER BY ${BY_COST}
      )
    ORDER BY`,
  ),
});
