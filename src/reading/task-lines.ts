import type { StringTable } from "../tasks/string-table.ts";
import { TASK_END_LINE, TASK_START_LINE } from "../tasks/task-line-layout.ts";
import { TaskLineScanner } from "../tasks/task-line-scanner.ts";
import { fastestMatcher } from "../tasks/wasm-matcher.ts";
import { ITEM, type Parcel } from "./parcel.ts";

/** {"Event":"SparkListenerTask, which TaskStart, TaskEnd and TaskGettingResult lines begin with, goes on here. */
const NAME_AT = 27;
const E = 0x45;
const S = 0x53;
const T_AT = 23;
const T = 0x54;

/** The hot path: gives TaskStart and TaskEnd lines, nine lines of ten, to their scanners instead of the JSON parser. */
export class TaskLines {
  readonly #strings: StringTable;
  readonly #starts: TaskLineScanner;
  readonly #ends: TaskLineScanner;

  constructor(strings: StringTable) {
    this.#strings = strings;
    const matcher = fastestMatcher();
    this.#starts = new TaskLineScanner(TASK_START_LINE, strings, matcher);
    this.#ends = new TaskLineScanner(TASK_END_LINE, strings, matcher);
  }

  /** TaskEnd lines that the scanner left to the JSON parser. */
  get taskEndFallbacks(): number {
    return this.#ends.fallbacks;
  }

  /** True if the line is to be read; false where it is left to the JSON parser. The two bytes only choose the scanner. */
  static concern(buffer: Buffer, start: number): boolean {
    return buffer[start + T_AT] === T && (buffer[start + NAME_AT] === E || buffer[start + NAME_AT] === S);
  }

  /** Adds the task of a line to a parcel. @returns false where the line is left to the JSON parser */
  read(buffer: Buffer, start: number, end: number, parcel: Parcel): boolean {
    const isEnd = buffer[start + NAME_AT] === E;
    const read = isEnd
      ? this.#ends.read(buffer, start, end, parcel.ends)
      : this.#starts.read(buffer, start, end, parcel.starts);
    if (read) parcel.add(isEnd ? ITEM.end : ITEM.start);
    return read;
  }

  /** What the scanners gathered beside rows: each executor's metric peaks. */
  peaks(): [executor: string, metrics: Record<string, number>][] {
    return [...this.#ends.peaks.entries()].flatMap(([executor, metrics]) => {
      const text = this.#strings.text(executor);
      return text === undefined ? [] : [[text, metrics]];
    });
  }
}
