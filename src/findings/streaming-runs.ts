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
      everyMs: median(starts.slice(1).map((at, i) => at - (starts[i] ?? at))),
    };
  });
}

/** Whether rows come faster than they are processed over most of a run's micro-batches. */
export function fallsBehind(run: RunMeasure, limits: Limits): boolean {
  return run.busy >= limits.lagMinBatches && run.slowShare >= limits.lagBatches;
}
