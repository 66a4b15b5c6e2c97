import { keep, maskOf, positionsTo, sortPositions, sumOf } from "../stats/positions.ts";
import { replay } from "../stats/replay.ts";
import type { Limits } from "./limits.ts";
import {
  medianOf,
  quantileOfTasks,
  type TaskSample,
  tasksWithInput,
  WORK,
  type Work,
} from "./task-sample.ts";

export type TailKind = "none" | "skew" | "slow-node" | "stragglers" | "warm-up";

/** How the run times of a stage's tasks stand to their median, and why the long ones are long. */
export interface Tail {
  kind: TailKind;
  /** Longest / median run time of successful tasks that had something to read; null without tasks or with median 0. */
  ratio: number | null;
  medianMs: number;
  longestMs: number;
  /** Run time of the longest outlier, an overtaken original included; the longest successful task without outliers. */
  worstMs: number;
  /** Positions in the sample above twice the median, the longest first. */
  outliers: Int32Array;
  /** Sum of run time - median over the outliers, ms. */
  excessMs: number;
  /** Tasks that read nothing, left out of the ratio. */
  emptyTasks: number;
  /** Part of the excess in tasks with at least twice the median's work, and which work shows it most. */
  dataShare: number | null;
  work: Work | null;
  /** Host with most of the excess. */
  host: string;
  hostShare: number;
  /** Wall clock a perfect fix would save, by replay, ms. */
  priceMs: number;
  /** The stage cannot end before its longest task: what of the price is bound to single tasks or executors, ms. */
  serialBoundMs: number;
}

/** What of the cluster a replay needs. */
export interface Cluster {
  /** Own time of the stage, ms. */
  ownMs: number;
  /** Tasks that could run at once, averaged over the stage. */
  slots: number;
  /** Which executors had nothing to run before the stage, null: none. Their first tasks load classes that others have loaded. */
  fresh: ((executorId: string) => boolean) | null;
  /** Tasks that one executor runs at once. */
  slotsOf: (executorId: string) => number;
}

export function measureTail(sample: TaskSample, cluster: Cluster, limits: Limits): Tail {
  const busy = tasksWithInput(sample);
  const successful = sample.overtaken.includes(1) ? keep(busy, (i) => sample.overtaken[i] !== 1) : busy;
  const medianMs = medianOf(sample.run, successful) ?? 0;
  const stage: Stage = { sample, busy, successful, medianMs, cluster, limits };
  const tail = measureOutliers(stage, longTasks(stage));
  const kind = tailKind(tail, stage);
  if (kind === "none" || kind === "stragglers") {
    const slow = tasksOfSlowHost(stage);
    if (slow.length > 0) return finish(stage, "slow-node", measureOutliers(stage, slow));
  }
  return finish(stage, kind, tail);
}

/** What the measurements of one stage share. */
interface Stage {
  sample: TaskSample;
  /** Tasks that had something to read. */
  busy: Int32Array;
  /** Of these, the ones that no copy overtook. */
  successful: Int32Array;
  medianMs: number;
  cluster: Cluster;
  limits: Limits;
}

type Measured = Omit<Tail, "kind" | "priceMs">;

function finish(stage: Stage, kind: TailKind, tail: Measured): Tail {
  return { ...tail, kind, priceMs: tailPrice(kind, tail, stage) };
}

function runOf({ sample }: Stage, task: number): number {
  return sample.run[task] ?? 0;
}

/** Tasks far above the median, the longest first. The noise of short tasks is left out. */
function longTasks(stage: Stage): Int32Array {
  const { limits, medianMs, busy } = stage;
  const far = limits.skewWatch * medianMs;
  const long = keep(busy, (i) => runOf(stage, i) > far && runOf(stage, i) >= medianMs + limits.outlierMs);
  return sortPositions(long, (i) => -runOf(stage, i));
}

function measureOutliers(stage: Stage, outliers: Int32Array): Measured {
  const { sample, successful, medianMs } = stage;
  const longestMs = successful.reduce((most, i) => Math.max(most, runOf(stage, i)), 0);
  const excessOf = (i: number): number => Math.max(0, runOf(stage, i) - medianMs);
  const excessMs = sumOf(outliers, excessOf);
  const data = shareWithMoreWork(stage, outliers, excessOf);
  const place = worstHost(sample, outliers, excessOf);
  return {
    ratio: medianMs > 0 ? longestMs / medianMs : null,
    medianMs,
    longestMs,
    worstMs: outliers[0] === undefined ? longestMs : runOf(stage, outliers[0]),
    outliers,
    excessMs,
    emptyTasks: sample.count - stage.busy.length,
    dataShare: sample.recorded ? data.share : null,
    work: data.work,
    host: place.host,
    hostShare: excessMs > 0 ? place.excess / excessMs : 0,
    serialBoundMs: serialBound(sample, outliers, excessOf, stage.cluster),
  };
}

function tailKind(tail: Measured, stage: Stage): TailKind {
  const { sample, limits } = stage;
  if (tail.outliers.length === 0 || tail.medianMs === 0) return "none";
  const moreWork = tail.dataShare ?? 0;
  if (moreWork >= limits.excessOfSkew) return "skew";
  if (isWarmUp(sample, tail, stage.cluster, limits) || isOfFresh(stage, tail)) return "warm-up";
  if (!sample.recorded) return (tail.ratio ?? 0) > limits.skewFail ? "skew" : "stragglers";
  return isSlowNode(sample, tail, stage.busy, limits) ? "slow-node" : "stragglers";
}

/**
 * Tasks of the host with most time above the median, the longest first; none where not nearly all of them run longer than
 * nearly all the others, or where they also had more to do.
 */
function tasksOfSlowHost(stage: Stage): Int32Array {
  const { sample, cluster, limits, medianMs } = stage;
  const busy = withoutFirstWave(stage.busy, sample, cluster);
  const excessOf = (i: number): number => Math.max(0, runOf(stage, i) - medianMs);
  const { host } = worstHost(sample, busy, excessOf);
  const here = keep(busy, (i) => sample.host(i) === host);
  if (here.length < limits.hostTasks || busy.length - here.length < limits.hostTasks)
    return new Int32Array(0);
  const elsewhere = keep(busy, (i) => sample.host(i) !== host);
  const ratios = WORK.map((name) => workRatio(sample.work(name), here, elsewhere));
  const fast = quantileOfTasks(sample.run, here, 1 - limits.slowHostTasks) ?? 0;
  const usual = (quantileOfTasks(sample.run, elsewhere, limits.slowHostTasks) ?? 0) * Math.max(1, ...ratios);
  const slow = keep(here, (i) => fast > usual && excessOf(i) > 0);
  return sortPositions(slow, (i) => -runOf(stage, i));
}

/** Tasks in launch order but the first ones of fresh executors. */
function withoutFirstWave(tasks: Int32Array, sample: TaskSample, cluster: Cluster): Int32Array {
  const { fresh } = cluster;
  if (!fresh) return tasks;
  const left = new Map<string, number>();
  const later = new Uint8Array(sample.count);
  for (const i of tasks) {
    const executor = sample.executor(i);
    const first = fresh(executor) ? (left.get(executor) ?? cluster.slotsOf(executor)) : 0;
    if (first > 0) left.set(executor, first - 1);
    else later[i] = 1;
  }
  return keep(tasks, (i) => later[i] === 1);
}

function workRatio(values: ArrayLike<number>, here: Int32Array, elsewhere: Int32Array): number {
  const usual = medianOf(values, elsewhere) ?? 0;
  return usual > 0 ? (medianOf(values, here) ?? 0) / usual : 1;
}

/** Largest part of the excess that lies in tasks with at least twice the median of one kind of work. */
function shareWithMoreWork(
  stage: Stage,
  outliers: Int32Array,
  excessOf: (i: number) => number,
): { share: number; work: Work | null } {
  const excess = sumOf(outliers, excessOf);
  const { sample, successful, limits } = stage;
  const withMore = new Uint8Array(sample.count);
  const shareOf = (holds: (i: number) => boolean): number =>
    excess > 0 ? sumOf(outliers, (i) => (holds(i) ? excessOf(i) : 0)) / excess : 0;
  const shares = WORK.map((work) => {
    const values = sample.work(work);
    const typical = medianOf(values, successful) ?? 0;
    const more = (i: number): boolean => typical > 0 && (values[i] ?? 0) >= limits.dataOfSkew * typical;
    for (const i of outliers) if (more(i)) withMore[i] = 1;
    return { work, share: shareOf(more) };
  });
  const any = shareOf((i) => withMore[i] === 1);
  const best = shares.sort((a, b) => b.share - a.share)[0]?.work ?? null;
  return { share: any, work: any > 0 ? best : null };
}

function worstHost(
  sample: TaskSample,
  outliers: Int32Array,
  excessOf: (i: number) => number,
): { host: string; excess: number } {
  const byHost = new Map<string, number>();
  for (const i of outliers) byHost.set(sample.host(i), (byHost.get(sample.host(i)) ?? 0) + excessOf(i));
  return [...byHost].reduce((worst, [host, excess]) => (excess > worst.excess ? { host, excess } : worst), {
    host: "",
    excess: 0,
  });
}

function isSlowNode(sample: TaskSample, tail: Measured, busy: Int32Array, limits: Limits): boolean {
  const here = keep(busy, (i) => sample.host(i) === tail.host);
  const elsewhere = keep(busy, (i) => sample.host(i) !== tail.host);
  const [slow, usual] = [medianOf(sample.run, here), medianOf(sample.run, elsewhere)];
  if (slow === null || usual === null || here.length < 2) return false;
  return tail.hostShare >= limits.excessOfHost && slow >= limits.slowHost * usual;
}

/** The first tasks of fresh executors load classes and compile code: slow once, and no fault of the stage. */
function isWarmUp(sample: TaskSample, tail: Measured, cluster: Cluster, limits: Limits): boolean {
  const wave = Math.max(1, Math.round(cluster.slots));
  if (sample.count < 2 * wave) return false;
  const inFirst = keep(tail.outliers, (i) => i < wave && sample.overtaken[i] !== 1);
  const excess = sumOf(inFirst, (i) => Math.max(0, (sample.run[i] ?? 0) - tail.medianMs));
  const slow = (medianOf(sample.run, positionsTo(wave)) ?? 0) > limits.skewWatch * tail.medianMs;
  return slow && excess >= limits.excessOfHost * tail.excessMs;
}

/** The same where the long tasks are the first ones of fresh executors. */
function isOfFresh({ sample, busy, cluster, limits }: Stage, tail: Measured): boolean {
  if (!cluster.fresh) return false;
  const later = maskOf(withoutFirstWave(busy, sample, cluster), sample.count);
  const ofFirst = keep(tail.outliers, (i) => later[i] !== 1 && sample.overtaken[i] !== 1);
  const excess = sumOf(ofFirst, (i) => Math.max(0, (sample.run[i] ?? 0) - tail.medianMs));
  return excess >= limits.excessOfHost * tail.excessMs;
}

function serialBound(
  sample: TaskSample,
  outliers: Int32Array,
  excessOf: (i: number) => number,
  cluster: Cluster,
): number {
  const byExecutor = new Map<string, number>();
  for (const i of outliers)
    byExecutor.set(sample.executor(i), (byExecutor.get(sample.executor(i)) ?? 0) + excessOf(i));
  const perSlot = [...byExecutor].map(([id, excess]) => excess / Math.max(1, cluster.slotsOf(id)));
  const single = outliers[0] === undefined ? 0 : excessOf(outliers[0]);
  return perSlot.reduce((most, value) => Math.max(most, value), single);
}

/** The stage replayed without its tail: a hot partition split into pieces, or slow tasks as fast as the median. */
function tailPrice(kind: TailKind, tail: Measured, { sample, cluster, limits }: Stage): number {
  if (kind === "none") return 0;
  const isOutlier = maskOf(tail.outliers, sample.count);
  const cap = limits.skewWatch * tail.medianMs;
  const better =
    kind === "skew"
      ? replay(sample.run, cluster.slots, (ms) => Math.min(ms, cap)) +
        sumBeyond(sample.run, cap) / Math.max(1, cluster.slots)
      : replay(sample.run, cluster.slots, (ms, i) => (isOutlier[i] === 1 ? Math.min(ms, tail.medianMs) : ms));
  return Math.max(0, Math.min(cluster.ownMs - better, tail.serialBoundMs));
}

function sumBeyond(values: ArrayLike<number>, cap: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += Math.max(0, (values[i] as number) - cap);
  return sum;
}
