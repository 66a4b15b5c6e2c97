import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestInto } from "../../src/analyze-log.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";
import { executorLives } from "../../src/queries/executor-lives.ts";
import { resourceProfiles } from "../../src/queries/resource-profiles.ts";
import { sparkProperties } from "../../src/queries/spark-properties.ts";
import { stageFacts } from "../../src/queries/stage-facts.ts";
import type { LoadStageTasks, StageTasks } from "../../src/queries/stage-tasks.ts";
import { quantile } from "../../src/stats/quantile.ts";
import { type ReplaySlot, type ReplayStage, replayStages } from "../../src/stats/stage-replay.ts";
import { openForReading } from "../../src/store/open-store.ts";
import { stageTasksReader } from "../../src/store/read-stage-tasks.ts";
import { queryRunner } from "../../src/store/run-query.ts";

const MIN_MS = 2000;
const MIN_WAVES = 2;

export interface ReplayedStage {
  log: string;
  stage: string;
  tasks: number;
  slots: number;
  measuredMs: number;
  replayedMs: number;
  /** |replayed - measured| / measured. */
  error: number;
}

export interface ReplayError {
  stages: ReplayedStage[];
  median: number | null;
  p90: number | null;
}

/** Replays every stage of two seconds and two waves of all logs in a folder, and compares with how long it took. */
export async function replayError(folder: string): Promise<ReplayError> {
  const stages: ReplayedStage[] = [];
  for (const name of readdirSync(folder).sort()) {
    const { logs } = await findEventLogs(join(folder, name)).catch(() => ({ logs: [] }));
    for (const log of logs) stages.push(...(await replayLog(name, log)));
  }
  const errors = Float64Array.from(stages, (s) => s.error).sort();
  return { stages, median: quantile(errors, 0.5), p90: quantile(errors, 0.9) };
}

async function replayLog(name: string, log: Parameters<typeof ingestInto>[0]): Promise<ReplayedStage[]> {
  const folder = mkdtempSync(join(tmpdir(), "sparklog-replay-"));
  const path = join(folder, "log.db");
  try {
    await ingestInto(log, path, {});
    const db = openForReading(path);
    try {
      return replayDatabase(name, queryRunner(db, 1), stageTasksReader(db, 1).load);
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function replayDatabase(
  name: string,
  run: ReturnType<typeof queryRunner>,
  read: LoadStageTasks,
): ReplayedStage[] {
  const rows = run(stageFacts).filter((s) => s.submission_time_ms !== null);
  const tasks = rows.map((s) => read(Number(s.stage_id), Number(s.stage_attempt_id)));
  const replay: ReplayStage[] = rows.map((s, i) => ({
    submittedMs: Number(s.submission_time_ms),
    durationsMs: durations(tasks[i] ?? null),
  }));
  const cpus = Number(
    run(resourceProfiles).find((r) => r.kind === "task" && r.resource === "cpus")?.amount ??
      run(sparkProperties).find((p) => p.name === "spark.task.cpus")?.value ??
      1,
  );
  const slots: ReplaySlot[] = run(executorLives)
    .filter((e) => Number(e.completed_tasks) + Number(e.failed_tasks) > 0)
    .flatMap((e) =>
      Array.from({ length: Math.floor(Number(e.total_cores ?? 1) / cpus) }, () => ({
        fromMs: Number(e.added_time_ms ?? 0),
        untilMs: Number(e.removed_time_ms ?? Number.MAX_SAFE_INTEGER),
      })),
    );
  const replayed = replayStages(replay, slots);
  return rows.flatMap((s, i) => {
    const read = tasks[i];
    const wall = replayed[i];
    if (!read || wall === null || wall === undefined) return [];
    const launches = read.columns.launch_time_ms;
    const measuredMs = Math.max(...slotEnds(read)) - Math.min(...launches);
    const alive = slots.filter(
      (slot) => slot.fromMs < Math.max(...launches) && slot.untilMs > Math.min(...launches),
    ).length;
    if (s.status !== "complete" || measuredMs < MIN_MS || read.rows < MIN_WAVES * alive) return [];
    return [
      {
        log: name,
        stage: `${s.stage_id}.${s.stage_attempt_id}`,
        tasks: read.rows,
        slots: alive,
        measuredMs,
        replayedMs: wall,
        error: Math.abs(wall - measuredMs) / measuredMs,
      },
    ];
  });
}

/** Launch to the end of the work of every attempt, in the order of task ids: how long, never when. */
function durations(tasks: StageTasks | null): number[] {
  if (!tasks) return [];
  const { task_id: ids, launch_time_ms: launch } = tasks.columns;
  const ends = slotEnds(tasks);
  return Array.from({ length: tasks.rows }, (_, row) => row)
    .sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0))
    .map((row) => Math.max(0, (ends[row] ?? 0) - (launch[row] ?? 0)));
}

/** While the driver fetches a result its slot is free again. */
function slotEnds(tasks: StageTasks): Float64Array {
  const fetched = tasks.columns.getting_result_time_ms;
  return Float64Array.from(tasks.columns.finish_time_ms, (finish, row) =>
    (fetched[row] ?? 0) > 0 ? (fetched[row] ?? 0) : finish,
  );
}
