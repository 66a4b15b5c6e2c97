import type { StageTasks } from "../queries/stage-tasks.ts";
import { largeArray } from "../stats/large-array.ts";
import { type NumberColumn, narrowed } from "../stats/number-column.ts";
import { keep, positionsTo, sortPositions } from "../stats/positions.ts";

/** Task attempts of one stage in the order in which they were launched, for a replay. */
export interface Attempts {
  /** Launch to end, ms. */
  times: NumberColumn;
  /** Place of the attempt of the same task before it; -1: it is the first. */
  earlier: Int32Array;
  isFailed: (at: number) => boolean;
}

const FAILED = 2;

/** @param gone executors that were lost: what failed on them is left out */
export function attemptsOf(tasks: StageTasks, gone: ReadonlySet<string>): Attempts {
  const rows = inLaunchOrder(tasks, rowsThatStayed(tasks, gone));
  const { status } = tasks.columns;
  return {
    times: timesOf(tasks, rows),
    earlier: earlierOf(tasks, rows),
    isFailed: (at) => status[rows[at] as number] === FAILED,
  };
}

function rowsThatStayed({ columns, rows, texts }: StageTasks, gone: ReadonlySet<string>): Int32Array {
  const { status, executor } = columns;
  const went = Uint8Array.from(texts, (text) => Number(gone.has(text)));
  return keep(positionsTo(rows), (row) => status[row] !== FAILED || went[executor[row] as number] !== 1);
}

function inLaunchOrder({ columns }: StageTasks, rows: Int32Array): Int32Array {
  const { launch_time_ms: launch, task_id: id } = columns;
  return sortPositions(
    rows,
    (row) => launch[row] || 0,
    (row) => id[row] ?? 0,
  );
}

function timesOf({ columns }: StageTasks, rows: Int32Array): NumberColumn {
  const { elapsed_ms: elapsed } = columns;
  const times = largeArray(Float64Array, rows.length);
  for (let at = 0; at < rows.length; at++) times[at] = elapsed[rows[at] as number] || 0;
  return narrowed(times);
}

function earlierOf({ columns }: StageTasks, rows: Int32Array): Int32Array {
  const { task_index } = columns;
  const indexAt = (at: number): number => knownOr(-1, task_index[rows[at] as number]);
  const earlier = largeArray(Int32Array, rows.length).fill(-1);
  // By task and, within one, by place: neighbours of one task follow each other.
  const places = sortPositions(positionsTo(rows.length), indexAt);
  for (let i = 1; i < places.length; i++) {
    const [before, at] = [places[i - 1] as number, places[i] as number];
    if (indexAt(before) === indexAt(at)) earlier[at] = before;
  }
  return earlier;
}

function knownOr(other: number, value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? other : value;
}
