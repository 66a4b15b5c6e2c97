import { quantile } from "../../src/stats/quantile.ts";
import { QUANTILES } from "../../src/stats/quantiles.ts";
import type { Rows } from "./compare-log.ts";
import type { Difference } from "./comparer.ts";

/** One kind of difference that has a reason. A difference that no entry recognises fails the test. */
interface Explanation {
  /** One line for the reader of the comparison. */
  reason: string;
  recognises(difference: Difference, rows: Rows): boolean;
}

const EXPLANATIONS: Explanation[] = [
  {
    reason: "the server masks values whose name or text looks secret; the database keeps what the log holds",
    recognises: ({ theirs }) => theirs === "*********(redacted)",
  },
  {
    reason: "the server shows the application's duration as the driver's task time; no task ran there",
    recognises: ({ where, ours }) => where === "executor.totalDuration driver" && ours === 0,
  },
  {
    reason: "a task that ended without metrics has its whole duration for a scheduler delay; ours is unknown",
    recognises: ({ kind, ours }) => kind === "task.schedulerDelay" && ours === null,
  },
  {
    reason:
      "quantiles of duration, scheduler delay and getting-result time: the server's walk takes unsuccessful tasks too",
    recognises: isQuantileOverMoreTasks,
  },
];

/** The reason of a difference, or undefined. */
export function explain(difference: Difference, rows: Rows): string | undefined {
  return EXPLANATIONS.find((explanation) => explanation.recognises(difference, rows))?.reason;
}

/** The three columns whose index holds unsuccessful tasks too, and which of them. */
const WIDER = {
  "quantile.duration": { column: "duration_ms", population: "finish_time_ms IS NOT NULL" },
  "quantile.schedulerDelay": { column: "scheduler_delay_ms", population: "executor_run_time_ms IS NOT NULL" },
  "quantile.gettingResultTime": {
    column: "getting_result_duration_ms",
    population: "executor_run_time_ms IS NOT NULL",
  },
} as const;

/**
 * True where the server's number is what its own rule gives: element min(floor(q * n), n - 1) of the values of the wider
 * population, with n the number of successful tasks.
 */
function isQuantileOverMoreTasks({ kind, where, theirs }: Difference, rows: Rows): boolean {
  const rule = WIDER[kind as keyof typeof WIDER];
  const [, stage, attempt, name] = /(\d+)\.(\d+) (\w+)$/.exec(where) ?? [];
  if (!rule || stage === undefined || attempt === undefined) return false;
  const tasks = rows(
    `SELECT ${rule.column} AS value, status = 'success' AND executor_run_time_ms IS NOT NULL AS successful FROM task
     WHERE stage_id = ? AND stage_attempt_id = ? AND ${rule.population} ORDER BY ${rule.column}`,
    stage,
    attempt,
  );
  const successful = tasks.filter((task) => task.successful === 1).length;
  if (successful === tasks.length) return false;
  const values = tasks.slice(0, successful).map((task) => Number(task.value));
  return theirs === quantile(values, QUANTILES[name as keyof typeof QUANTILES]);
}
