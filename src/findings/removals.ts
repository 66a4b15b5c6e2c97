import type { ExecutorFact, Facts } from "./facts.ts";

/** Removal classes that nobody planned. */
export const ABNORMAL: ReadonlySet<string> = new Set(["out-of-memory", "heartbeat-timeout", "lost"]);

/** Executors lost while the application still had work, in order. */
export function lostExecutors(
  facts: Pick<Facts, "executors">,
  endMs: number,
  marginMs: number,
): ExecutorFact[] {
  return facts.executors
    .filter(
      (e) =>
        ABNORMAL.has(e.removal_class ?? "") &&
        e.is_shutdown === 0 &&
        hasWorked(e) &&
        (e.removed_time_ms ?? endMs) < endMs - marginMs,
    )
    .sort((a, b) => (a.removed_time_ms ?? 0) - (b.removed_time_ms ?? 0));
}

/** Spark 3.3 and later also posts removals of executors that never registered: no cores were lost with them. */
function hasWorked(e: ExecutorFact): boolean {
  return e.added_time_ms !== null || e.completed_tasks + e.failed_tasks + e.killed_tasks > 0;
}

/** "executor 5 on node-2 (heartbeat-timeout): no heartbeat reached ..." */
export function describeLoss(e: ExecutorFact): string {
  const code = e.exit_code === null ? "" : `, exit code ${e.exit_code}`;
  return `executor ${e.executor_id} on ${e.host ?? "an unknown host"} (${e.removal_class ?? "unknown"}${code})${e.removal_detail ? `: ${e.removal_detail}` : ""}`;
}
