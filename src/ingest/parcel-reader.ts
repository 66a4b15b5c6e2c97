import type { IssueSink } from "../issues.ts";
import type { LogModel } from "../model/log-model.ts";
import type { LineHandler } from "../reading/line-handler.ts";
import { ITEM, type LineCursor, type Other, type Parcel } from "../reading/parcel.ts";
import { TASK_COLUMN, type TaskBatch } from "../tasks/task-batch.ts";

const { executor: EXECUTOR, host: HOST } = TASK_COLUMN;

/** Takes parcels apart in the order in which their items were read: tasks to the model, lines to their handler. */
export class ParcelReader {
  readonly #model: LogModel;
  readonly #lines: LineHandler;
  readonly #issues: IssueSink;
  readonly #cursor: LineCursor = { part: 0, line: 0, byteOffset: 0, terminated: true };
  /** Texts by the reader's number, and their numbers here once a task has had them. */
  readonly #texts: string[] = [];
  readonly #ids: number[] = [];
  /** Ended rows of the parcel that the model has not taken yet: from #taken up to #ended. */
  #taken = 0;
  #ended = 0;

  constructor(model: LogModel, lines: LineHandler, issues: IssueSink) {
    this.#model = model;
    this.#lines = lines;
    this.#issues = issues;
  }

  read(parcel: Parcel): void {
    this.#texts.push(...parcel.texts);
    this.#taken = 0;
    this.#ended = 0;
    let started = 0;
    let line = 0;
    let other = 0;
    for (let item = 0; item < parcel.items; item++) {
      switch (parcel.kind(item)) {
        case ITEM.end:
          this.#end(parcel.ends);
          break;
        case ITEM.start:
          this.#number(parcel.starts, started);
          this.#model.taskStarted(parcel.starts, started++);
          break;
        case ITEM.line:
          this.#append(parcel.ends);
          parcel.readCursor(line, this.#cursor);
          this.#lines.line(parcel.text, parcel.textEnd(line - 1), parcel.textEnd(line++), this.#cursor);
          break;
        default:
          this.#append(parcel.ends);
          this.#other(parcel.others[other++] as Other);
      }
    }
    this.#append(parcel.ends);
  }

  #end(ends: TaskBatch): void {
    const row = this.#ended++;
    this.#number(ends, row);
    if (this.#model.taskEnded(ends, row)) return;
    this.#ended = row;
    this.#append(ends);
    this.#model.taskEndedAgain(ends, row);
    this.#taken = row + 1;
    this.#ended = row + 1;
  }

  #append(ends: TaskBatch): void {
    if (this.#ended > this.#taken) this.#model.appendEnded(ends, this.#taken, this.#ended);
    this.#taken = this.#ended;
  }

  #other(other: Other): void {
    if (other.kind === "issue") this.#issues.add(...other.issue);
    else if (other.kind === "huge-line")
      this.#lines.hugeLine(other.event, other.droppedKeys, other.bytes, other.cursor);
    else {
      const { buffer, byteOffset, length } = other.bytes;
      this.#lines.line(Buffer.from(buffer, byteOffset, length), 0, length, other.cursor);
    }
  }

  /** Puts the model's numbers of executor and host in the place of the reader's. */
  #number(batch: TaskBatch, row: number): void {
    const executors = batch.columns[EXECUTOR] as Float64Array;
    executors[row] = this.#idOf(executors[row] as number);
    const hosts = batch.columns[HOST] as Float64Array;
    hosts[row] = this.#idOf(hosts[row] as number);
  }

  /** NaN, for none, stays. */
  #idOf(id: number): number {
    return Number.isNaN(id) ? id : (this.#ids[id] ?? this.#newId(id));
  }

  #newId(id: number): number {
    const own = this.#model.strings.id(this.#texts[id] ?? "unknown");
    this.#ids[id] = own;
    return own;
  }
}
