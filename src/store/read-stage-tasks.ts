import {
  type LoadStageTasks,
  STAGE_TASK_COLUMNS,
  type StageTaskColumn,
  type StageTasks,
} from "../queries/stage-tasks.ts";
import { ScratchFile } from "../scratch-file.ts";
import type { Db } from "./open-store.ts";
import { SpilledColumns } from "./spilled-columns.ts";

/** Bytes of columns of one stage that are held; a larger one waits in a temporary file. */
const HELD_BYTES = 32 * 1024 ** 2;
/** Rows gathered before they go to the file. */
const PIECE_ROWS = 1 << 14;

interface Range {
  first: number;
  last: number;
  ends: number;
}

type Key = [first: number, last: number, logId: number, stageId: number, stageAttemptId: number];
type Values = readonly (number | null)[];

/** Reads the ended tasks of single stage attempts for the diagnosis. close() when the report is made. */
export interface StageTasksReader {
  load: LoadStageTasks;
  close(): void;
}

/**
 * One pass over a stage's range of rows reads all columns: into memory where they fit, else into a temporary file, from
 * which a column comes back when it is asked for.
 */
export function stageTasksReader(db: Db, logId: number, heldBytes: number = HELD_BYTES): StageTasksReader {
  const range = db.prepare<[number, number, number], Range>(
    `SELECT first_task_rowid AS first, last_task_rowid AS last, task_ends AS ends FROM stage
     WHERE log_id = ? AND stage_id = ? AND stage_attempt_id = ? AND first_task_rowid IS NOT NULL`,
  );
  const texts = db
    .prepare<[number], string>("SELECT text FROM log_string WHERE log_id = ? ORDER BY string_id")
    .pluck()
    .all(logId);
  const eachTask = taskReader(db);
  const file = new ScratchFile();
  const inFile = new Map<string, SpilledColumns>();
  return {
    load(stageId, stageAttemptId) {
      const found = range.get(logId, stageId, stageAttemptId);
      if (!found) return null;
      const key: Key = [found.first, found.last, logId, stageId, stageAttemptId];
      // A resubmitted task's second end is counted, but is no row: there are never more rows than ends.
      if (found.ends * 8 * STAGE_TASK_COLUMNS.length <= heldBytes)
        return heldTasks(eachTask, key, found.ends, texts);
      const id = `${stageId}.${stageAttemptId}`;
      const spilled = inFile.get(id) ?? spill(eachTask, key, new SpilledColumns(file));
      inFile.set(id, spilled);
      return spilledTasks(spilled, texts);
    },
    close: () => file.close(),
  };
}

type EachTask = (key: Key, take: (values: Values) => void) => void;

const GATHER = "sparklog_gather";

/**
 * Has SQLite call an aggregate function of ours with each row instead of handing rows out: a quarter of the time of
 * better-sqlite3's iterate(), which makes an array and two objects a row.
 */
function taskReader(db: Db): EachTask {
  let taking: (values: Values) => void = () => undefined;
  db.aggregate(GATHER, {
    varargs: true,
    start: 0,
    step: (_: number, ...values: (number | null)[]) => {
      taking(values);
    },
  });
  const statement = db.prepare<Key, number>(
    `SELECT ${GATHER}(${STAGE_TASK_COLUMNS.map(expressionOf).join(", ")}) FROM task_data
     WHERE rowid BETWEEN ? AND ? AND log_id = ? AND stage_id = ? AND stage_attempt_id = ? AND status <> 0`,
  );
  return (key, take) => {
    taking = take;
    statement.get(...key);
  };
}

function expressionOf(name: StageTaskColumn): string {
  return name === "elapsed_ms" ? "MAX(0, finish_time_ms - launch_time_ms)" : name;
}

function heldTasks(eachTask: EachTask, key: Key, ends: number, texts: readonly string[]): StageTasks | null {
  const columns = STAGE_TASK_COLUMNS.map(() => new Float64Array(ends));
  let rows = 0;
  eachTask(key, (values) => setRow(columns, rows++, values));
  if (rows === 0) return null;
  const named = STAGE_TASK_COLUMNS.map((name, at) => [name, columns[at]?.subarray(0, rows)]);
  return { rows, columns: Object.fromEntries(named) as StageTasks["columns"], texts };
}

function spill(eachTask: EachTask, key: Key, spilled: SpilledColumns): SpilledColumns {
  const piece = STAGE_TASK_COLUMNS.map(() => new Float64Array(PIECE_ROWS));
  let rows = 0;
  eachTask(key, (values) => {
    setRow(piece, rows++, values);
    if (rows < PIECE_ROWS) return;
    spilled.append(piece, rows);
    rows = 0;
  });
  spilled.append(piece, rows);
  return spilled;
}

function spilledTasks(spilled: SpilledColumns, texts: readonly string[]): StageTasks | null {
  if (spilled.rows === 0) return null;
  const columns = {} as StageTasks["columns"];
  for (const [at, name] of STAGE_TASK_COLUMNS.entries())
    Object.defineProperty(columns, name, { enumerable: true, get: () => spilled.read(at) });
  return { rows: spilled.rows, columns, texts };
}

function setRow(columns: readonly Float64Array[], row: number, values: Values): void {
  for (let at = 0; at < columns.length; at++) {
    const column = columns[at];
    if (column) column[row] = values[at] ?? Number.NaN;
  }
}
