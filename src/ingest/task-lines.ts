import type { LogModel } from "../model/log-model.ts";
import { TASK_END_LINE, TASK_START_LINE } from "../tasks/task-line-layout.ts";
import { TaskLineScanner } from "../tasks/task-line-scanner.ts";
import { fastestMatcher } from "../tasks/wasm-matcher.ts";

/** {"Event":"SparkListenerTask, which TaskStart, TaskEnd and TaskGettingResult lines begin with, goes on here. */
const NAME_AT = 27;
const E = 0x45;
const S = 0x53;
const T_AT = 23;
const T = 0x54;

/** The hot path: gives TaskStart and TaskEnd lines, nine lines of ten, to their scanners instead of the JSON parser. */
export class TaskLines {
  readonly #model: LogModel;
  readonly #starts: TaskLineScanner;
  readonly #ends: TaskLineScanner;

  constructor(model: LogModel) {
    this.#model = model;
    const matcher = fastestMatcher();
    this.#starts = new TaskLineScanner(TASK_START_LINE, model.strings, matcher);
    this.#ends = new TaskLineScanner(TASK_END_LINE, model.strings, matcher);
  }

  get taskEndFallbacks(): number {
    return this.#ends.fallbacks;
  }

  /** @returns false where the line is left to the JSON parser */
  read(buffer: Buffer, start: number, end: number): boolean {
    // The two bytes only choose the scanner, which compares the whole name.
    if (buffer[start + T_AT] !== T) return false;
    const model = this.#model;
    if (buffer[start + NAME_AT] === E) {
      if (!this.#ends.read(buffer, start, end, model.batch)) return false;
      model.taskEnded();
      return true;
    }
    if (buffer[start + NAME_AT] !== S || !this.#starts.read(buffer, start, end, model.startBatch))
      return false;
    model.taskStarted();
    return true;
  }

  /** Hands on what the scanners gathered beside rows: the executors' metric peaks. */
  finish(): void {
    for (const [executor, metrics] of this.#ends.peaks.entries())
      this.#model.executors.peaks(this.#model.strings.text(executor) ?? null, metrics);
  }
}
