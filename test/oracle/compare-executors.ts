import type { Answer, Answers } from "./answers.ts";
import { EXECUTOR, EXECUTOR_SUM, RDD } from "./columns.ts";
import type { Rows } from "./compare-log.ts";
import { type Comparer, type Plain, timeOf } from "./comparer.ts";

export function compareExecutors(comparer: Comparer, rows: Rows, answers: Answers): void {
  for (const theirs of answers.allexecutors) {
    const id = String(theirs.id);
    const lives = rows("SELECT * FROM executor WHERE executor_id = ? ORDER BY life", id);
    const last = lives.at(-1);
    comparer.value("executor.id", id, last?.executor_id ?? null, theirs.id);
    if (last) compareExecutor(comparer, rows, id, lives, last, theirs);
  }
}

function compareExecutor(
  comparer: Comparer,
  rows: Rows,
  id: string,
  lives: Record<string, Plain>[],
  last: Record<string, Plain>,
  theirs: Answer,
): void {
  comparer.fields("executor", id, last, theirs, EXECUTOR);
  for (const [field, column] of Object.entries(EXECUTOR_SUM)) {
    const sum = lives.reduce((total, life) => total + Number(life[column] ?? 0), 0);
    comparer.value(`executor.${field}`, id, sum, theirs[field]);
  }
  comparer.value("executor.addTime", id, last.added_time_ms, timeOf(theirs.addTime));
  comparer.value("executor.removeTime", id, last.removed_time_ms, timeOf(theirs.removeTime));
  comparer.value("executor.isActive", id, last.removed_time_ms === null, theirs.isActive);
  comparer.value("executor.isExcluded", id, last.is_excluded === 1, theirs.isExcluded);
  if (last.port !== null)
    comparer.value("executor.hostPort", id, `${last.host}:${last.port}`, theirs.hostPort);
  const memory = (theirs.memoryMetrics ?? {}) as Answer;
  comparer.fields("executor.memoryMetrics", id, last, memory, {
    totalOnHeapStorageMemory: "max_onheap_memory_bytes",
    totalOffHeapStorageMemory: "max_offheap_memory_bytes",
  });
  const peaks = rows("SELECT metric, value FROM executor_peak WHERE executor_id = ?", id);
  const ours = new Map(peaks.map(({ metric, value }) => [metric, value as Plain]));
  for (const [metric, value] of Object.entries((theirs.peakMemoryMetrics ?? {}) as Answer))
    comparer.value(`executor.peakMemoryMetrics.${metric}`, id, ours.get(metric) ?? null, value);
}

export function compareStorage(comparer: Comparer, rows: Rows, answers: Answers): void {
  for (const theirs of answers.storage) {
    const [ours] = rows("SELECT * FROM rdd WHERE rdd_id = ?", Number(theirs.id));
    comparer.value("rdd.id", String(theirs.id), ours?.rdd_id ?? null, theirs.id);
    if (ours) comparer.fields("rdd", String(theirs.id), ours, theirs, RDD);
  }
}
