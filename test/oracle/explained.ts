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
    reason:
      "the server's driver row has the application's duration and the peak of TotalGCTime, not its tasks' sums",
    recognises: ({ where }) => /^executor\.total(Duration|GCTime) driver$/.test(where),
  },
  {
    reason:
      "an end without Task Metrics has metrics of 0 on the server, so its whole duration is scheduler delay",
    recognises: ({ kind, ours }) => kind === "task.schedulerDelay" && ours === null,
  },
  {
    reason: "logs before Spark 3.3 hold no Partition ID; the server shows -1",
    recognises: ({ kind, ours, theirs }) => kind === "task.partitionId" && ours === null && theirs === -1,
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

/** The three columns whose index holds every task, successful or not, and what it holds of each. */
const OVER_ALL_TASKS = {
  "quantile.duration": "duration_ms",
  "quantile.schedulerDelay": "IFNULL(scheduler_delay_ms, duration_ms)",
  "quantile.gettingResultTime": "getting_result_duration_ms",
} as const;

/**
 * True where the server's number is what its own rule gives: element min(floor(q * n), n - 1) of the values of all tasks,
 * with n the number of the successful ones.
 */
function isQuantileOverMoreTasks({ kind, where, theirs }: Difference, rows: Rows): boolean {
  const value = OVER_ALL_TASKS[kind as keyof typeof OVER_ALL_TASKS];
  const [, stage, attempt, name] = /(\d+)\.(\d+) (\w+)$/.exec(where) ?? [];
  if (value === undefined || stage === undefined || attempt === undefined) return false;
  const tasks = rows(
    `SELECT ${value} AS value, status = 'success' AS successful FROM task
     WHERE stage_id = ? AND stage_attempt_id = ? AND finish_time_ms IS NOT NULL ORDER BY 1`,
    stage,
    attempt,
  );
  const successful = tasks.filter((task) => task.successful === 1).length;
  if (successful === tasks.length) return false;
  const values = tasks.slice(0, successful).map((task) => Number(task.value));
  return theirs === quantile(values, QUANTILES[name as keyof typeof QUANTILES]);
}
