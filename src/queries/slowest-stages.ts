import { defineQuery } from "./query.ts";
import { type StagesRow, stages } from "./stages.ts";

/** Slowest first, by own time: the duration of a stage that waited behind others misleads. */
export const BY_COST =
  "COALESCE(own_time_ms, MAX(0, completion_time_ms - first_task_launched_time_ms), 0) DESC, stage_id, stage_attempt_id LIMIT 10";

/** The 10 stage attempts with most own time, slowest first: a printed report lists these. */
export const slowestStages = defineQuery<StagesRow>({
  ...stages,
  name: "slowest-stages",
  about: "The 10 stage attempts with most own time, slowest first.",
  sql: stages.sql.replace(
    "ORDER BY stage_id, stage_attempt_id",
    `AND status NOT IN ('skipped', 'pending') ORDER BY ${BY_COST}`,
  ),
});
