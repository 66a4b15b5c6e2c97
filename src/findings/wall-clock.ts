import { type Interval, intersect, Spans, subtract, total, union } from "../stats/intervals.ts";
import type { BatchFact, Facts, StageFact } from "./facts.ts";
import type { Limits } from "./limits.ts";
import { fallsBehind, measureRuns } from "./streaming-runs.ts";

export const IDLE_CAUSES = ["driver-collect", "scheduling-wait", "driver-gap"] as const;
export type IdleCause = (typeof IDLE_CAUSES)[number];

/** Shortest stretch without a working task that counts as idle, ms. */
const IDLE_MS = 1000;
/** 2000-01-01 and 2100-01-01. */
const SANE_FROM_MS = 946_684_800_000;
const SANE_TO_MS = 4_102_444_800_000;

/** Where the wall clock of the application went. The parts add up to totalMs. */
export interface WallClock {
  startMs: number;
  endMs: number;
  totalMs: number;
  /** A shell, notebook or server: between its jobs it waits for its user. */
  interactive: boolean;
  /** The wall clock that is judged: without start-up, waiting for a user or for the next micro-batch. */
  window: Spans;
  windowMs: number;
  parts: {
    /** Application start to first task, as far as every cluster needs it. */
    startupMs: number;
    /** At least one task worked. */
    tasksMs: number;
    driverCollectMs: number;
    schedulingWaitMs: number;
    driverGapMs: number;
    /** Pauses below one second between tasks. */
    pausesMs: number;
    /** No job ran: a shell waited for its user, a streaming query for its next trigger or within one that kept up. */
    waitingMs: number;
    /** No task ended, and the log does not tell why: it was compacted, or tasks that began have no end in it. */
    unknownMs: number;
  };
  idle: Record<IdleCause, Spans>;
  /** Micro-batches of streaming queries that keep up with their input: nothing would end sooner there. */
  keepsUp: Spans;
}

const REPL_KEYS = ["spark.repl.class.uri", "spark.repl.class.outputDir"];
const INTERACTIVE_NAMES =
  /^(PySparkShell|Spark shell|SparkSQL::|Thrift JDBC\/ODBC Server|livy-session-|Apache Livy)/i;

/** True for shells, notebooks and servers. spark.repl.local.jars says nothing: spark-submit sets it, too. */
export function isInteractive(facts: Pick<Facts, "application" | "properties">): boolean {
  const properties = new Map(
    facts.properties.filter((p) => p.kind === "spark").map((p) => [p.name, p.value]),
  );
  const cluster = properties.get("spark.databricks.clusterUsageTags.clusterName");
  return (
    REPL_KEYS.some((key) => properties.has(key)) ||
    (cluster !== undefined && !cluster.startsWith("job-")) ||
    INTERACTIVE_NAMES.test(facts.application?.name ?? "")
  );
}

/** null: the log holds no two moments between which anything could be measured. */
export function measureWallClock(facts: Facts, limits: Limits): WallClock | null {
  const launches = [
    ...facts.stages.map((s) => s.first_task_launched_time_ms),
    facts.leftOut.firstLaunchMs,
  ].filter((ms) => ms !== null);
  const firstLaunch = launches.length > 0 ? Math.min(...minmax(launches)) : null;
  const limitsOfLog = logLimits(facts, firstLaunch);
  if (!limitsOfLog) return null;
  const { startMs, endMs } = limitsOfLog;
  const sliced = facts.application?.start_time_ms == null;
  const startup = sliced || firstLaunch === null ? 0 : Math.max(0, firstLaunch - startMs);
  const startupMs = Math.min(startup, limits.startupMs);
  const base = Spans.from([{ startMs: startMs + startupMs, endMs }]);
  const interactive = isInteractive(facts);
  const wide = judgedWindow(facts, base, interactive, firstLaunch ?? startMs, endMs);
  const gaps = union(spansOf(facts.idleGaps, (g) => [g.start_time_ms, g.end_time_ms]));
  const untold = facts.issues.some((issue) => issue.code === "compacted") ? gaps : [];
  const unknown = union(unfinishedTasks(facts.stages, endMs), untold);
  const idleAll = subtract(intersect(gaps, wide), unknown).ofAtLeast(IDLE_MS);
  const idle = classify(facts, idleAll, limits, startMs, firstLaunch, endMs);
  const keepsUp = batchesThatKeepUp(facts, limits);
  const byDesign = intersect(idle["driver-gap"], keepsUp);
  idle["driver-gap"] = subtract(idle["driver-gap"], byDesign);
  const unknownIdle = intersect(intersect(gaps, wide), unknown);
  const window = subtract(wide, union(byDesign, unknownIdle));
  const totalMs = endMs - startMs;
  const windowMs = total(window);
  const unknownMs = total(unknownIdle);
  const waitingMs = total(subtract(base, window)) - unknownMs;
  const ownMs = facts.stages.reduce((sum, stage) => sum + (stage.own_time_ms ?? 0), facts.leftOut.ownTimeMs);
  const idleMs = IDLE_CAUSES.reduce((sum, cause) => sum + total(idle[cause]), 0);
  const restMs = totalMs - startupMs - waitingMs - unknownMs - idleMs;
  const tasksMs = Math.max(0, Math.min(Math.round(ownMs), restMs));
  return {
    startMs,
    endMs,
    totalMs,
    interactive,
    window,
    windowMs,
    parts: {
      startupMs,
      tasksMs,
      driverCollectMs: total(idle["driver-collect"]),
      schedulingWaitMs: total(idle["scheduling-wait"]),
      driverGapMs: total(idle["driver-gap"]),
      pausesMs: Math.max(0, restMs - tasksMs),
      waitingMs,
      unknownMs,
    },
    idle,
    keepsUp,
  };
}

function minmax(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

/** Start and end of the application, clipped to what the log can have seen. */
function logLimits(facts: Facts, firstLaunch: number | null): Interval | null {
  const app = facts.application;
  const start = sane(app?.start_time_ms) ?? sane(app?.first_time_ms) ?? firstLaunch;
  const end = sane(app?.end_time_ms) ?? sane(app?.last_time_ms);
  if (start === null || end === null || end <= start) return null;
  const startMs = firstLaunch !== null && firstLaunch < start ? firstLaunch : start;
  return { startMs, endMs: end };
}

/** A time of a clock that was set; null for others and for none. */
function sane(timeMs: number | null | undefined): number | null {
  return timeMs != null && timeMs >= SANE_FROM_MS && timeMs <= SANE_TO_MS ? timeMs : null;
}

/** The part of the base in which the application itself could have gone faster. */
function judgedWindow(
  facts: Facts,
  base: Spans,
  interactive: boolean,
  firstLaunchMs: number,
  endMs: number,
): Spans {
  const streams = union(
    spansOf(facts.streamingRuns, (run) => [run.start_time_ms ?? firstLaunchMs, run.end_time_ms ?? endMs]),
  );
  if (!interactive && streams.length === 0) return union(base);
  const active = activeTimes(facts, endMs);
  const afterLaunch = Spans.from([{ startMs: firstLaunchMs, endMs }]);
  const judged = interactive ? intersect(active, afterLaunch) : union(subtract(base, streams), active);
  return intersect(judged, union(base));
}

/**
 * Micro-batches of queries that keep up with their input. Planning, offsets, write-ahead log and commit come with every
 * trigger: while the query waits for rows anyway, their time is nobody's loss.
 */
function batchesThatKeepUp(facts: Facts, limits: Limits): Spans {
  const runs = measureRuns(facts, limits).filter((run) => !fallsBehind(run, limits));
  return union(...runs.map((run) => batchSpans(run.batches)));
}

function batchSpans(batches: Iterable<BatchFact>): Iterable<Interval> {
  return spansOf(batches, (b) => [b.trigger_time_ms, plus(b.trigger_time_ms, b.batch_duration_ms)]);
}

/** Times in which a job, an SQL execution or a micro-batch ran. */
function activeTimes(facts: Facts, endMs: number): Spans {
  return union(
    batchSpans(facts.streamingBatches),
    spansOf(facts.jobs, (job) => [job.submission_time_ms, job.completion_time_ms ?? endMs]),
    spansOf(facts.executions, (x) => [x.start_time_ms, x.end_time_ms]),
    facts.leftOut.active,
  );
}

function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** Stretches whose start and end are known. */
function* spansOf<Row>(
  rows: Iterable<Row>,
  timesOf: (row: Row) => [startMs: number | null, endMs: number | null],
): Generator<Interval> {
  for (const row of rows) {
    const [startMs, endMs] = timesOf(row);
    if (startMs !== null && endMs !== null && endMs > startMs) yield { startMs, endMs };
  }
}

/** Tasks that began and have no end in the log were working to an unknown moment: such time is not idle. */
function unfinishedTasks(stages: readonly StageFact[], endMs: number): Spans {
  const unfinished = stages.filter(
    (stage) => stage.status === "active" && stage.task_starts > stage.task_ends,
  );
  return union(
    spansOf(unfinished, (s) => [s.last_task_finished_time_ms ?? s.submission_time_ms ?? endMs, endMs]),
  );
}

/** Each idle moment goes to the first class that fits. */
function classify(
  facts: Facts,
  idle: Spans,
  limits: Limits,
  startMs: number,
  firstLaunch: number | null,
  endMs: number,
): Record<IdleCause, Spans> {
  const large = facts.stages.filter(
    (s) => (s.result_size_bytes ?? 0) >= limits.collectBytes && s.last_task_finished_time_ms !== null,
  );
  const collecting = union(
    spansOf(facts.resultFetches, (f) => [f.first_fetch_ms, f.last_fetch_ms]),
    spansOf(large, (s) => [s.last_task_finished_time_ms, s.completion_time_ms ?? endMs]),
    facts.leftOut.collecting,
  );
  const collect = intersect(idle, collecting);
  const rest = subtract(idle, collect);
  const wait = intersect(rest, waitingForSlots(facts, startMs, firstLaunch, endMs));
  return { "driver-collect": collect, "scheduling-wait": wait, "driver-gap": subtract(rest, wait) };
}

/**
 * Between its submission and its last task's end a stage whose tasks do not work waits for slots; before the first
 * executor has registered, everything does.
 */
function waitingForSlots(facts: Facts, startMs: number, firstLaunch: number | null, endMs: number): Spans {
  let firstExecutor = Number.POSITIVE_INFINITY;
  for (const { added_time_ms } of facts.executors)
    if (added_time_ms !== null) firstExecutor = Math.min(firstExecutor, added_time_ms);
  const registered = Number.isFinite(firstExecutor) ? firstExecutor : startMs;
  return union(
    spansOf(facts.stages, (stage) => [
      stage.submission_time_ms,
      stage.last_task_finished_time_ms ?? stage.completion_time_ms ?? endMs,
    ]),
    spansOf([startMs], (from) => [from, Math.min(registered, firstLaunch ?? registered)]),
    facts.leftOut.waiting,
  );
}
