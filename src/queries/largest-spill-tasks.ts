import { defineQuery } from "./query.ts";
import { type SpillTasksRow, spillTasks } from "./spill-tasks.ts";

/** The same for the 200 stage attempts that spilled most to disk: a report lists these, and reads no other's tasks. */
export const largestSpillTasks = defineQuery<SpillTasksRow>({
  ...spillTasks,
  name: "largest-spill-tasks",
  about: "The three tasks that spilled most, of the 200 stage attempts that spilled most.",
  sql: spillTasks.sql.replace(
    "AND s.spilling_tasks > 0",
    `AND (s.stage_id, s.stage_attempt_id) IN (
            SELECT stage_id, stage_attempt_id
            FROM stage
            WHERE log_id = $log_id AND spilling_tasks > 0
            ORDER BY disk_bytes_spilled DESC, stage_id, stage_attempt_id
            LIMIT 200
          )
          AND s.spilling_tasks > 0`,
  ),
});
