import type { App } from "./app.ts";
import { redoneWork } from "./causes/retry-churn.ts";

/** What the executors offered and what tasks used, in core-hours. */
export interface CoreHours {
  /** null: the log has no times of executors. */
  allocated: number | null;
  used: number;
  /** Failed attempts and stages computed again, part of used. */
  redone: number;
  /** Attempts killed because the other copy of their task won, part of used. */
  speculation: number;
  usedShare: number | null;
}

export function measureCoreHours(app: App): CoreHours {
  const { wall } = app;
  const used =
    [...app.facts.stages, ...app.facts.leftOut.durations].reduce(
      (sum, s) => sum + (s.duration_sum_ms ?? 0) * app.taskCpus(s.resource_profile_id),
      0,
    ) / 3_600_000;
  const allocated = wall
    ? app.facts.executors
        .filter((e) => e.executor_id !== "driver" || e.completed_tasks > 0)
        .reduce((sum, e) => {
          const from = Math.max(wall.startMs, e.added_time_ms ?? wall.startMs);
          const to = Math.min(wall.endMs, e.removed_time_ms ?? wall.endMs);
          return sum + (e.total_cores ?? 0) * Math.max(0, to - from);
        }, 0) / 3_600_000
    : 0;
  return {
    allocated: allocated > 0 ? allocated : null,
    used,
    redone: redoneWork(app).coreHours,
    speculation: (app.failures.lostRacesMs * app.taskCpus(null)) / 3_600_000,
    usedShare: allocated > 0 ? Math.min(1, used / allocated) : null,
  };
}
