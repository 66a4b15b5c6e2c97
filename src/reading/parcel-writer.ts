import { createHash } from "node:crypto";
import type { IssueCode, IssuePlace, IssueSink } from "../issues.ts";
import { MIN_UPDATE_BYTES } from "../tasks/layout-matcher.ts";
import { StringTable } from "../tasks/string-table.ts";
import type { LineHandler } from "./line-handler.ts";
import type { LineCursor, Other, Parcel } from "./parcel.ts";
import { TaskLines } from "./task-lines.ts";

/** Lines that tell one log from another. */
const HASHED_LINES = 20;
/** Items from which a parcel goes off unfilled where the other side has nothing else to do. */
const FEW_ITEMS = 128;

/** Where parcels go. */
export interface ParcelSink {
  /** Takes a full parcel. @returns the one to go on with, cleared */
  send(parcel: Parcel): Parcel;
  /** Gives a line too long for a parcel as bytes that stay until the parcel that is sent next has been taken. */
  hold(buffer: Buffer, start: number, end: number): Uint8Array;
  /** True where all parcels sent before have been taken. */
  isIdle(): boolean;
}

/** What is known when all is read. */
export interface ReadingFacts {
  firstLinesHash: string;
  /** TaskEnd lines that the scanner left to the JSON parser. */
  taskEndFallbacks: number;
  /** Highest metrics of each executor, from the scanned TaskEnd lines. */
  peaks: [executor: string, metrics: Record<string, number>][];
}

/** Sorts lines and issues into parcels; task lines become rows on the way. */
export class ParcelWriter implements LineHandler, IssueSink {
  readonly #sink: ParcelSink;
  readonly #strings = new StringTable();
  readonly #tasks: TaskLines | null;
  readonly #hash = createHash("sha256");
  #parcel: Parcel;
  #hashed = 0;
  #textsSent = 0;

  /** @param scan false: every line goes on as a line */
  constructor(first: Parcel, sink: ParcelSink, scan: boolean) {
    this.#parcel = first;
    this.#sink = sink;
    this.#tasks = scan ? new TaskLines(this.#strings) : null;
  }

  line(buffer: Buffer, start: number, end: number, cursor: Readonly<LineCursor>): void {
    if (this.#hashed < HASHED_LINES) {
      this.#hashed++;
      this.#hash.update(buffer.subarray(start, end));
    }
    if (this.#parcel.full || (this.#parcel.items >= FEW_ITEMS && this.#sink.isIdle())) this.#seal();
    if (this.#tasks && TaskLines.concern(buffer, start) && this.#makeRoom(end - start)) {
      if (this.#tasks.read(buffer, start, end, this.#parcel)) return;
    }
    if (this.#parcel.addLine(buffer, start, end, cursor)) return;
    this.#seal();
    if (this.#parcel.addLine(buffer, start, end, cursor)) return;
    this.#addOther({
      kind: "long-line",
      bytes: this.#sink.hold(buffer, start, end),
      cursor: { ...cursor },
    });
    this.#seal();
  }

  hugeLine(event: unknown, droppedKeys: string[], bytes: number, cursor: Readonly<LineCursor>): void {
    if (this.#hashed < HASHED_LINES) this.#hashed++;
    this.#addOther({ kind: "huge-line", event, droppedKeys, bytes, cursor: { ...cursor } });
    this.#seal();
  }

  add(code: IssueCode, message: string, place?: IssuePlace, key?: string, count?: number): void {
    this.#addOther({ kind: "issue", issue: [code, message, place, key, count] });
  }

  /** Sends what is left. */
  finish(): ReadingFacts {
    this.#seal();
    return {
      firstLinesHash: this.#hash.digest("hex"),
      taskEndFallbacks: this.#tasks?.taskEndFallbacks ?? 0,
      peaks: this.#tasks?.peaks() ?? [],
    };
  }

  /** @returns false where a line of that length may hold more updates than any parcel takes */
  #makeRoom(lineBytes: number): boolean {
    const updates = Math.ceil(lineBytes / MIN_UPDATE_BYTES);
    if (this.#parcel.hasRoomFor(updates)) return true;
    this.#seal();
    return this.#parcel.hasRoomFor(updates);
  }

  #addOther(other: Other): void {
    if (this.#parcel.full) this.#seal();
    this.#parcel.addOther(other);
  }

  #seal(): void {
    if (this.#parcel.items === 0) return;
    const { texts } = this.#strings;
    this.#parcel.texts = texts.slice(this.#textsSent);
    this.#textsSent = texts.length;
    this.#parcel = this.#sink.send(this.#parcel);
  }
}
