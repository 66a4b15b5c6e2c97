import { STARTED_COLUMNS, TASK_COLUMN, TASK_COLUMNS, TASK_STATUS, type TaskColumn } from "./task-batch.ts";

/** What stands between two literals of a line, and what becomes of it. */
export const SLOT = {
  /** Integer of at most 15 digits -> task column `target`. */
  column: 0,
  /** Integer of at most 15 digits -> highest value of executor metric `target`. */
  peak: 1,
  /** Integer of any length, not kept. */
  skippedInteger: 2,
  /** true or false -> task column `target`. */
  boolean: 3,
  skippedBoolean: 4,
  /** Text between quotes, without escapes -> task column `target`: executor, host or locality. */
  text: 5,
  skippedText: 6,
  /** The list of Task Info's Accumulables, brackets included. */
  accumulables: 7,
} as const;

/**
 * The key layout of a line: literal 0, slot 0, literal 1, slot 1 ... literal n. Every line of a log that has
 * the same keys in the same order differs from the others in its slots only.
 */
export interface Layout {
  /** All literals, one after the other. */
  literals: Uint8Array;
  /** Literal i is literals[bounds[i]] .. literals[bounds[i + 1]]. */
  bounds: Int32Array;
  kinds: Uint8Array;
  targets: Int32Array;
  /** Kept task columns that no slot fills, by number. */
  absent: Int32Array;
}

/** Which lines a scanner reads, and what it makes of their keys. Paths are keys joined by "/". */
export interface TaskLine {
  /** Values that a scanned line must have, as JSON; part of the literals. */
  fixed: ReadonlyMap<string, string>;
  /** Path of an object that may hold nothing but fixed keys. */
  closed: string | null;
  /** Integers that are task columns. */
  columns: ReadonlyMap<string, TaskColumn>;
  /** Without one of these columns a line is left to the plain reading. */
  required: readonly TaskColumn[];
  /** Columns that a row needs. */
  kept: readonly TaskColumn[];
  /** What kept columns hold whose key is absent; the others are NULL then. */
  absent: Partial<Record<TaskColumn, number>>;
  status: number;
}

const INFO = "Task Info/";
const METRICS = "Task Metrics/";
const READ = `${METRICS}Shuffle Read Metrics/`;
const WRITE = `${METRICS}Shuffle Write Metrics/`;
const PEAKS = "Task Executor Metrics/";

const STARTED_PATHS: readonly [string, TaskColumn][] = [
  ["Stage ID", "stage_id"],
  ["Stage Attempt ID", "stage_attempt_id"],
  [`${INFO}Task ID`, "task_id"],
  [`${INFO}Index`, "task_index"],
  [`${INFO}Attempt`, "attempt_number"],
  [`${INFO}Partition ID`, "partition_id"],
  [`${INFO}Launch Time`, "launch_time_ms"],
];

const ENDED_PATHS: readonly [string, TaskColumn][] = [
  ...STARTED_PATHS,
  [`${INFO}Finish Time`, "finish_time_ms"],
  [`${INFO}Getting Result Time`, "getting_result_time_ms"],
  [`${METRICS}Executor Deserialize Time`, "executor_deserialize_time_ms"],
  [`${METRICS}Executor Deserialize CPU Time`, "executor_deserialize_cpu_time_ns"],
  [`${METRICS}Executor Run Time`, "executor_run_time_ms"],
  [`${METRICS}Executor CPU Time`, "executor_cpu_time_ns"],
  [`${METRICS}Peak Execution Memory`, "peak_execution_memory_bytes"],
  [`${METRICS}Result Size`, "result_size_bytes"],
  [`${METRICS}JVM GC Time`, "jvm_gc_time_ms"],
  [`${METRICS}Result Serialization Time`, "result_serialization_time_ms"],
  [`${METRICS}Memory Bytes Spilled`, "memory_bytes_spilled"],
  [`${METRICS}Disk Bytes Spilled`, "disk_bytes_spilled"],
  [`${READ}Remote Blocks Fetched`, "remote_blocks_fetched"],
  [`${READ}Local Blocks Fetched`, "local_blocks_fetched"],
  [`${READ}Fetch Wait Time`, "fetch_wait_time_ms"],
  [`${READ}Remote Bytes Read`, "remote_bytes_read"],
  [`${READ}Remote Bytes Read To Disk`, "remote_bytes_read_to_disk"],
  [`${READ}Local Bytes Read`, "local_bytes_read"],
  [`${READ}Total Records Read`, "shuffle_records_read"],
  [`${READ}Remote Requests Duration`, "remote_requests_duration_ms"],
  [`${WRITE}Shuffle Bytes Written`, "shuffle_bytes_written"],
  [`${WRITE}Shuffle Write Time`, "shuffle_write_time_ns"],
  [`${WRITE}Shuffle Records Written`, "shuffle_records_written"],
  [`${METRICS}Input Metrics/Bytes Read`, "input_bytes_read"],
  [`${METRICS}Input Metrics/Records Read`, "input_records_read"],
  [`${METRICS}Output Metrics/Bytes Written`, "output_bytes_written"],
  [`${METRICS}Output Metrics/Records Written`, "output_records_written"],
];

const TEXT_PATHS = new Map<string, TaskColumn>([
  [`${INFO}Executor ID`, "executor"],
  [`${INFO}Host`, "host"],
  [`${INFO}Locality`, "locality"],
]);

const SPECULATIVE = `${INFO}Speculative`;

/** Rare metrics that the plain reading stores elsewhere: a line is only scanned where they are 0. */
const ZERO_PATHS = [
  `${METRICS}Peak On Heap Execution Memory`,
  `${METRICS}Peak Off Heap Execution Memory`,
  `${READ}Push Based Shuffle/`,
  `${READ}Shuffle Push Read Metrics/`,
];

export const TASK_END_LINE: TaskLine = {
  fixed: new Map([
    ["Event", '"SparkListenerTaskEnd"'],
    ["Task End Reason/Reason", '"Success"'],
    [`${INFO}Failed`, "false"],
    [`${INFO}Killed`, "false"],
  ]),
  closed: "Task End Reason",
  columns: new Map(ENDED_PATHS),
  required: ["stage_id", "task_id", "launch_time_ms", "finish_time_ms", "executor"],
  kept: TASK_COLUMNS,
  absent: { stage_attempt_id: 0, getting_result_time_ms: 0, speculative: 0 },
  status: TASK_STATUS.success,
};

export const TASK_START_LINE: TaskLine = {
  fixed: new Map([["Event", '"SparkListenerTaskStart"']]),
  closed: null,
  columns: new Map(STARTED_PATHS),
  required: ["stage_id", "task_id", "launch_time_ms", "executor"],
  kept: STARTED_COLUMNS,
  absent: { stage_attempt_id: 0, speculative: 0 },
  status: TASK_STATUS.running,
};

const MAX_DEPTH = 6;
const MAX_SLOTS = 400;
/** So many bytes may be read past the last literal, by those who compare in vectors. */
const PADDING = 16;

/** Numbers the names of executor metrics. */
export type MetricNumber = (name: string) => number;

/** @returns the layout of a line, null for lines that are better read as JSON */
export function learnLayout(kind: TaskLine, line: Buffer, metricNumber: MetricNumber): Layout | null {
  return new Learner(kind, line, metricNumber).learn();
}

export function sameLayout(a: Layout, b: Layout): boolean {
  return (
    Buffer.compare(a.literals, b.literals) === 0 &&
    Buffer.compare(a.kinds, b.kinds) === 0 &&
    a.bounds.every((bound, index) => bound === b.bounds[index])
  );
}

class Learner {
  readonly #kind: TaskLine;
  readonly #line: Buffer;
  readonly #metricNumber: MetricNumber;
  readonly #literals: Buffer[] = [];
  readonly #kinds: number[] = [];
  readonly #targets: number[] = [];
  readonly #peaks: [slot: number, name: string][] = [];
  readonly #paths = new Set<string>();
  readonly #filled = new Set<TaskColumn>(["status"]);
  #literalFrom = 0;
  #at = 0;

  constructor(kind: TaskLine, line: Buffer, metricNumber: MetricNumber) {
    this.#kind = kind;
    this.#line = line;
    this.#metricNumber = metricNumber;
  }

  learn(): Layout | null {
    if (!this.#object("", 0) || this.#at !== this.#line.length) return null;
    this.#literals.push(this.#line.subarray(this.#literalFrom));
    const complete =
      this.#kind.required.every((column) => this.#filled.has(column)) &&
      [...this.#kind.fixed.keys()].every((path) => this.#paths.has(path) || path.startsWith(INFO));
    if (!complete || this.#kinds.length > MAX_SLOTS) return null;
    for (const [slot, name] of this.#peaks) this.#targets[slot] = this.#metricNumber(name);
    const bounds = [0];
    for (const literal of this.#literals) bounds.push((bounds.at(-1) ?? 0) + literal.length);
    return {
      literals: Buffer.concat([...this.#literals, Buffer.alloc(PADDING)]),
      bounds: Int32Array.from(bounds),
      kinds: Uint8Array.from(this.#kinds),
      targets: Int32Array.from(this.#targets),
      absent: Int32Array.from(
        this.#kind.kept.filter((column) => !this.#filled.has(column)).map((column) => TASK_COLUMN[column]),
      ),
    };
  }

  #object(path: string, depth: number): boolean {
    if (depth > MAX_DEPTH || !this.#take("{")) return false;
    if (this.#take("}")) return true;
    do {
      const key = this.#text();
      if (key === null || key.includes("/") || !this.#take(":")) return false;
      const own = path + key;
      // Of a repeated key, JSON keeps the last.
      if (this.#paths.has(own)) return false;
      this.#paths.add(own);
      if (!this.#value(own, depth)) return false;
    } while (this.#take(","));
    return this.#take("}");
  }

  #value(path: string, depth: number): boolean {
    const fixed = this.#kind.fixed.get(path);
    if (fixed !== undefined) return this.#take(fixed);
    if (this.#kind.closed !== null && path.startsWith(`${this.#kind.closed}/`)) return false;
    if (path === `${INFO}Accumulables`) return this.#list();
    const column = this.#kind.columns.get(path);
    if (column !== undefined) return this.#integer(SLOT.column, TASK_COLUMN[column], column);
    const text = TEXT_PATHS.get(path);
    if (text !== undefined) return this.#textSlot(SLOT.text, TASK_COLUMN[text], text);
    if (path === SPECULATIVE) return this.#boolean(SLOT.boolean, TASK_COLUMN.speculative, "speculative");
    if (path.startsWith(PEAKS)) return this.#peak(path.slice(PEAKS.length));
    if (ZERO_PATHS.some((zero) => path === zero || (zero.endsWith("/") && path.startsWith(zero))))
      return this.#take("0");
    return this.#other(path, depth);
  }

  /** A key that nothing is made of. */
  #other(path: string, depth: number): boolean {
    const first = this.#line[this.#at];
    if (first === 0x7b) return this.#object(`${path}/`, depth + 1);
    if (first === 0x5b) return this.#take("[]");
    if (first === 0x22) return this.#textSlot(SLOT.skippedText, 0);
    if (first === 0x74 || first === 0x66) return this.#boolean(SLOT.skippedBoolean, 0);
    return this.#integer(SLOT.skippedInteger, 0);
  }

  #textSlot(kind: number, target: number, column?: TaskColumn): boolean {
    const from = this.#at + 1;
    return this.#text() !== null && this.#slot(kind, target, from, this.#at - 1, column);
  }

  #boolean(kind: number, target: number, column?: TaskColumn): boolean {
    const from = this.#at;
    return (this.#take("true") || this.#take("false")) && this.#slot(kind, target, from, this.#at, column);
  }

  #integer(kind: number, target: number, column?: TaskColumn): boolean {
    const from = this.#at;
    const digits = /^-?\d+/.exec(this.#line.toString("latin1", from, from + 24))?.[0];
    if (digits === undefined) return false;
    this.#at += digits.length;
    return this.#slot(kind, target, from, this.#at, column);
  }

  /** Names are numbered once the whole line has been understood. */
  #peak(name: string): boolean {
    this.#peaks.push([this.#kinds.length, name]);
    return this.#integer(SLOT.peak, 0);
  }

  /** Accumulables: a list of flat objects. What is in them is checked line by line. */
  #list(): boolean {
    const from = this.#at;
    if (!this.#take("[")) return false;
    while (this.#line[this.#at] !== 0x5d) {
      const byte = this.#line[this.#at];
      if (byte === undefined || byte === 0x5b) return false;
      if (byte === 0x22) this.#at = this.#line.indexOf(0x22, this.#at + 1);
      if (this.#at < 0) return false;
      this.#at++;
    }
    this.#at++;
    return this.#slot(SLOT.accumulables, 0, from, this.#at);
  }

  #slot(kind: number, target: number, from: number, to: number, column?: TaskColumn): true {
    this.#literals.push(this.#line.subarray(this.#literalFrom, from));
    this.#kinds.push(kind);
    this.#targets.push(target);
    this.#literalFrom = to;
    if (column !== undefined) this.#filled.add(column);
    return true;
  }

  /** Steps over a string of printable ASCII without escapes. */
  #text(): string | null {
    if (this.#line[this.#at] !== 0x22) return null;
    const to = this.#line.indexOf(0x22, this.#at + 1);
    if (to < 0) return null;
    const text = this.#line.toString("latin1", this.#at + 1, to);
    if (!/^[ !#-[\]-~]*$/.test(text)) return null;
    this.#at = to + 1;
    return text;
  }

  #take(text: string): boolean {
    if (this.#line.toString("latin1", this.#at, this.#at + text.length) !== text) return false;
    this.#at += text.length;
    return true;
  }
}
