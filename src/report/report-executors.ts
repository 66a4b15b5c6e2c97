import { ABNORMAL_REMOVALS } from "../model/removal-class.ts";
import type { ApplicationSummaryRow } from "../queries/application.ts";
import type { ExecutorsRow } from "../queries/executors.ts";
import type { LogSummaryRow } from "../queries/log.ts";
import type { Int } from "../queries/query.ts";
import { coreUse } from "../stats/cores.ts";
import type { ReportApplication, ReportExecutor } from "./report.ts";

/** Lives worth a row: the driver only where it ran tasks (local mode). */
export function isWorker(row: ExecutorsRow): boolean {
  return (
    row.executor_id !== "driver" ||
    Number(row.completed_tasks) + Number(row.failed_tasks) + Number(row.killed_tasks) > 0
  );
}

export function* reportExecutors(rows: Iterable<ExecutorsRow>): Generator<ReportExecutor> {
  for (const row of rows) if (isWorker(row)) yield reportExecutor(row);
}

function reportExecutor(row: ExecutorsRow): ReportExecutor {
  return {
    executorId: row.executor_id,
    host: row.host,
    cores: row.total_cores,
    addedMs: row.added_time_ms,
    removedMs: row.removed_time_ms,
    removedReason: row.removed_reason,
    exitCode: row.exit_code,
    removalDetail: row.removal_detail,
    removalClass: row.removal_class,
    lost: isLost(row),
    completedTasks: Number(row.completed_tasks),
    failedTasks: Number(row.failed_tasks),
    killedTasks: Number(row.killed_tasks),
    totalDurationMs: row.total_duration_ms,
    totalGcTimeMs: row.total_gc_time_ms,
  };
}

/** Lost: removed abnormally, and not because the application was over. */
function isLost(row: ExecutorsRow): boolean {
  return row.is_shutdown !== 1 && ABNORMAL_REMOVALS.has(row.removal_class ?? "");
}

export function executorTotals(rows: Iterable<ExecutorsRow>) {
  const totals = { executorsAdded: 0, executorsRemoved: 0, executorsLost: 0 };
  for (const row of rows) {
    if (!isWorker(row)) continue;
    if (row.added_time_ms !== null) totals.executorsAdded++;
    if (Number(row.removal_events) > 0) totals.executorsRemoved++;
    if (isLost(row)) totals.executorsLost++;
  }
  return totals;
}

/** In local mode without ExecutorAdded the master's text tells the cores: local[4]. */
function localCores(master: string | null): number | null {
  const match = /^local\[(\d+)/.exec(master ?? "");
  return match ? Number(match[1]) : null;
}

/** null for a life that was never added: it had no cores that anybody knows of. */
function coresOf(row: ExecutorsRow, master: string | null): Int | null {
  if (row.added_time_ms === null && row.removed_time_ms !== null) return null;
  return row.total_cores ?? (row.executor_id === "driver" ? localCores(master) : null);
}

/** Cores of the lives that ran or could run tasks. Removal at shutdown leaves them in place until the end. */
export function applicationCores(
  rows: Iterable<ExecutorsRow>,
  log: LogSummaryRow,
  application: Pick<ApplicationSummaryRow, "master" | "end_time_ms">,
): Pick<ReportApplication, "cores" | "coreHours"> {
  const { master } = application;
  const first = Number(log.first_time_ms ?? 0);
  // Events of other clocks (streaming listeners, copied lines) may lie far behind the application's end.
  const last = Number(application.end_time_ms ?? log.last_time_ms ?? 0);
  const lives: { cores: number; startMs: number; endMs: number | null }[] = [];
  for (const row of rows) {
    const cores = coresOf(row, master);
    if (cores === null || !isWorker(row)) continue;
    const stayed = row.removed_time_ms === null || row.is_shutdown === 1;
    const endMs = stayed ? null : Math.min(last, Number(row.removed_time_ms));
    lives.push({ cores: Number(cores), startMs: Number(row.added_time_ms ?? first), endMs });
  }
  if (lives.length === 0) return { cores: { peak: null, atEnd: null }, coreHours: null };
  const use = coreUse(lives, last);
  return { cores: { peak: use.peak, atEnd: use.atEnd }, coreHours: Math.round(use.coreHours * 1e6) / 1e6 };
}
