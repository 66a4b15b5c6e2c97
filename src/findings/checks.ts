import { formatBytes } from "../format/bytes.ts";
import { formatCount, formatRatio, formatShare } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { ratio } from "../stats/quantile.ts";
import type { App } from "./app.ts";
import type { StageView } from "./stage-view.ts";
import { worstVolume } from "./volume.ts";

export type CheckStatus = "pass" | "watch" | "fail" | "unknown";

/** One of the five checks, in the shape of the JSON report. */
export interface Check {
  check: "slow-stage" | "shuffle-volume" | "skew" | "gc" | "spill";
  status: CheckStatus;
  value: number | null;
  limit: number | null;
  stageId: number | null;
  stageAttemptId: number | null;
  /** Page and column where a reader would look. */
  where: string;
  explanation: string;
  /** gc only: executors over the limit. */
  executors?: string[];
}

/** The five checks in their order; 2, 3 and 5 look at the stage that the first one picks. */
export function runChecks(app: App): Check[] {
  const view = app.target ? app.view(app.target.stage) : null;
  return [slowStage(app, view), volume(app, view), skew(app, view), gc(app, view), spill(view)];
}

function at(view: StageView | null): Pick<Check, "stageId" | "stageAttemptId"> {
  return { stageId: view?.fact.stage_id ?? null, stageAttemptId: view?.fact.stage_attempt_id ?? null };
}

function unknown(
  check: Check["check"],
  where: string,
  limit: number | null,
  why: string,
  view: StageView | null,
): Check {
  return {
    check,
    status: "unknown",
    value: null,
    limit,
    ...at(view),
    where,
    explanation: `cannot say: ${why}`,
  };
}

function slowStage(app: App, view: StageView | null): Check {
  const where = "Jobs page > the longest job > its stages, Duration";
  if (!view || !app.target)
    return unknown("slow-stage", where, null, "no stage ran a task in this log", view);
  const { jobMs, jobIds, slowerElsewhere } = app.target;
  const share = jobMs > 0 ? Math.min(1, view.ownMs / jobMs) : null;
  const job =
    jobIds.length === 1
      ? `job ${jobIds[0]}`
      : `jobs ${jobIds[0] ?? "?"} to ${jobIds.at(-1) ?? "?"} of SQL execution ${app.target.rootExecutionId ?? "?"}`;
  const other = slowerElsewhere
    ? `; stage ${slowerElsewhere.stage_id} of another job is slower (${formatDuration(slowerElsewhere.own_time_ms)})`
    : "";
  return {
    check: "slow-stage",
    status: "pass",
    value: share,
    limit: null,
    ...at(view),
    where,
    explanation: `${view.label} (${view.fact.name ?? "no name"}) takes ${formatDuration(view.ownMs)} of the ${formatDuration(jobMs)} of ${job}, ${formatShare(share)}${other}`,
  };
}

function volume(app: App, view: StageView | null): Check {
  const where = "Stages page: Shuffle Write against Input and Shuffle Read";
  const limit = app.limits.rowsFail;
  if (!view) return unknown("shuffle-volume", where, limit, "no stage ran a task in this log", view);
  const worst = worstVolume(view, app);
  if (!worst) {
    return {
      check: "shuffle-volume",
      status: "pass",
      value: null,
      limit,
      ...at(view),
      where,
      explanation: `${view.label} writes no shuffle, and no writer of what it reads is in the log`,
    };
  }
  if (worst.ratio === null) return unknown("shuffle-volume", where, limit, worst.text, view);
  return {
    check: "shuffle-volume",
    status: worst.status,
    value: worst.ratio,
    limit: worst.unit === "bytes" ? app.limits.bytesFail : limit,
    stageId: worst.stage.stage_id,
    stageAttemptId: worst.stage.stage_attempt_id,
    where,
    explanation: worst.text,
  };
}

function skew(app: App, view: StageView | null): Check {
  const where = "Stages page > the stage > Summary Metrics, Duration: Max against Median";
  const limit = app.limits.skewWatch;
  if (!view?.tail)
    return unknown("skew", where, limit, "no successful task of the stage is in the log", view);
  const { ratio: value, medianMs, longestMs, emptyTasks } = view.tail;
  if (value === null) return unknown("skew", where, limit, "the median task took no measurable time", view);
  const status = value > app.limits.skewFail ? "fail" : value >= limit ? "watch" : "pass";
  const left =
    emptyTasks > 0
      ? `; ${formatCount(emptyTasks)} of ${formatCount(view.sample?.count ?? 0)} tasks read nothing and are left out`
      : "";
  return {
    check: "skew",
    status,
    value,
    limit,
    ...at(view),
    where,
    explanation: `longest task ${formatDuration(longestMs)}, median ${formatDuration(medianMs)}: ${formatRatio(value)}x (below ${limit} passes, above ${app.limits.skewFail} fails)${left}`,
  };
}

function gc(app: App, view: StageView | null): Check {
  const where = "Executors page: GC Time against Task Time";
  const limit = app.limits.gcShare;
  const shares = app.facts.executors
    .map((e) => ({
      id: e.executor_id,
      share: ratio(e.total_gc_time_ms, e.total_duration_ms),
      taskMs: e.total_duration_ms,
    }))
    .flatMap(({ id, share, taskMs }) => (share === null ? [] : [{ id, share, taskMs }]))
    .sort((a, b) => b.share - a.share);
  const worst = shares[0];
  if (!worst)
    return { ...unknown("gc", where, limit, "no executor recorded task time", view), executors: [] };
  const red = [...new Set(shares.filter((s) => s.share >= limit).map((s) => s.id))];
  return {
    check: "gc",
    status: red.length > 0 ? "fail" : "pass",
    value: worst.share,
    limit,
    stageId: null,
    stageAttemptId: null,
    where,
    explanation: `executor ${worst.id} spends ${formatShare(worst.share)} of ${formatDuration(worst.taskMs)} task time in GC; ${red.length} of ${shares.length} executors are at or above ${formatShare(limit)}${readWithSpill(red.length > 0, view)}`,
    executors: red,
  };
}

/** GC and spill together say what the heap is short for. */
function readWithSpill(red: boolean, view: StageView | null): string {
  const spills = (view?.fact.memory_bytes_spilled ?? 0) > 0;
  if (red && spills) return "; the stage spills as well: its tasks hold more than their execution memory";
  if (red)
    return "; the stage spills nothing: something else than sort or aggregation buffers fills the heap, usually cached data";
  return spills ? "; the heap is not short, so the spill is of sort or aggregation buffers alone" : "";
}

function spill(view: StageView | null): Check {
  const where = "Stages page > the stage: Spill (Memory), Spill (Disk)";
  if (!view) return unknown("spill", where, 0, "no stage ran a task in this log", view);
  const memory = view.fact.memory_bytes_spilled;
  const disk = view.fact.disk_bytes_spilled;
  if (memory === null && disk === null) return unknown("spill", where, 0, "spill is not recorded", view);
  const spilled = (memory ?? 0) > 0 || (disk ?? 0) > 0;
  return {
    check: "spill",
    status: spilled ? "fail" : "pass",
    value: view.fact.spilling_tasks,
    limit: 0,
    ...at(view),
    where,
    explanation: spilled
      ? `${formatCount(view.fact.spilling_tasks)} of ${formatCount(view.fact.task_ends)} tasks spilled ${formatBytes(memory)} of memory (deserialized), ${formatBytes(disk)} to disk (serialized)`
      : `no task of ${view.label} spilled`,
  };
}
