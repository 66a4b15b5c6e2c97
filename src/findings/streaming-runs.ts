import { median } from "../stats/quantile.ts";
import type { BatchFact, Facts } from "./facts.ts";
import { groupBy } from "./group-by.ts";
import type { Limits } from "./limits.ts";

/** How one run of a streaming query kept up with its input. */
export interface RunMeasure {
  name: string;
  batches: BatchFact[];
  busy: number;
  slowShare: number;
  inputRate: number | null;
  processRate: number | null;
  batchMs: number | null;
  everyMs: number | null;
  /** Median duration of the last third of the batches with rows / of the first third; null: too few. */
  growth: number | null;
}

export function measureRuns(
  facts: Pick<Facts, "streamingBatches" | "streamingRuns">,
  limits: Limits,
): RunMeasure[] {
  return [...groupBy(facts.streamingBatches, (batch) => batch.run_id)].map(([id, batches]) => {
    const busy = batches.filter(
      (b) =>
        (b.input_rows ?? 0) > 0 && b.input_rows_per_second !== null && b.processed_rows_per_second !== null,
    );
    const slow = busy.filter(
      (b) => (b.input_rows_per_second ?? 0) > limits.lagMargin * (b.processed_rows_per_second ?? 0),
    );
    const known = (values: (number | null)[]): number[] => values.filter((value) => value !== null);
    const starts = known(batches.map((b) => b.trigger_time_ms));
    return {
      name: facts.streamingRuns.find((run) => run.run_id === id)?.name ?? id,
      batches,
      busy: busy.length,
      slowShare: busy.length > 0 ? slow.length / busy.length : 0,
      inputRate: median(known(busy.map((b) => b.input_rows_per_second))),
      processRate: median(known(busy.map((b) => b.processed_rows_per_second))),
      batchMs: median(known(batches.map((b) => b.batch_duration_ms))),
      growth: growthOf(busy.map((b) => b.batch_duration_ms ?? 0)),
      everyMs: median(starts.slice(1).map((at, i) => at - (starts[i] ?? at))),
    };
  });
}

function growthOf(durations: readonly number[]): number | null {
  const third = Math.floor(durations.length / 3);
  const first = median(durations.slice(0, third));
  const last = median(durations.slice(durations.length - third));
  return first === null || last === null || first <= 0 ? null : last / first;
}

/**
 * Whether rows come faster than they are processed: over most of a run's micro-batches, or a little each time, so that
 * batches without a pause between them grow longer and longer.
 */
export function fallsBehind(run: RunMeasure, limits: Limits): boolean {
  if (run.busy < limits.lagMinBatches) return false;
  return run.slowShare >= limits.lagBatches || grows(run, limits);
}

export function grows(run: RunMeasure, limits: Limits): boolean {
  const withoutPause = (run.batchMs ?? 0) * limits.lagMargin >= (run.everyMs ?? Number.POSITIVE_INFINITY);
  return withoutPause && (run.growth ?? 0) >= limits.lagGrowth;
}
