import { FIRST_TIME_MS, LAST_TIME_MS } from "../json.ts";
import type { LayoutMatcher, LineValues } from "./layout-matcher.ts";
import type { StringTable } from "./string-table.ts";
import { TASK_COLUMN, TASK_COLUMNS, type TaskBatch } from "./task-batch.ts";
import { LOCALITIES } from "./task-end.ts";
import { type Layout, learnLayout, SLOT, sameLayout, type TaskLine } from "./task-line-layout.ts";
import { TaskPeaks } from "./task-peaks.ts";

const MAX_LAYOUTS = 8;
/** Lines from which a layout is sought in vain before only every LEARN_EVERY-th such line is looked at. */
const PATIENCE = 64;
const LEARN_EVERY = 32;

const { executor: EXECUTOR, host: HOST, locality: LOCALITY } = TASK_COLUMN;

/** A learned layout and what the scanner needs to make a row of its slots. */
interface Known {
  layout: Layout;
  /** Slots that are columns, and the columns. */
  columnSlots: Int32Array;
  columns: Int32Array;
  peakSlots: Int32Array;
  peaks: Int32Array;
  launchSlot: number;
  /** NO_SLOT, here and below, where the layout lacks the key. */
  finishSlot: number;
  gettingResultSlot: number;
  executorSlot: number;
  hostSlot: number;
  localitySlot: number;
}

const NO_SLOT = -1;

/**
 * Reads TaskEnd (or TaskStart) lines as bytes. The first line of each key layout is taken apart once; lines of the same layout are
 * then compared with its literals, and only what stands between them is read. A line that surprises in any way is
 * left to the JSON parser: what is appended here is what the plain reading would append.
 */
export class TaskLineScanner {
  /** Lines left to the JSON parser. */
  fallbacks = 0;
  readonly peaks = new TaskPeaks();
  readonly #line: TaskLine;
  readonly #strings: StringTable;
  /** By column: what a row holds where the layout lacks the key. */
  readonly #absent: Float64Array;
  readonly #matcher: LayoutMatcher;
  /** Most recently used first. */
  readonly #known: Known[] = [];
  readonly #executors: TextIds;
  readonly #hosts: TextIds;
  readonly #localities = new TextIds((text) => LOCALITIES.indexOf(text));
  #unlearned = 0;

  constructor(line: TaskLine, strings: StringTable, matcher: LayoutMatcher) {
    this.#line = line;
    this.#strings = strings;
    this.#absent = Float64Array.from(TASK_COLUMNS, (name) => line.absent[name] ?? Number.NaN);
    this.#matcher = matcher;
    // "<driver>" is the driver's name before Spark 1.4; the plain reading renames it.
    this.#executors = new TextIds((text) => (text === "<driver>" ? NO_SLOT : this.#strings.id(text)));
    this.#hosts = new TextIds((text) => this.#strings.id(text));
  }

  /** @returns false where nothing was appended: the line is to be parsed as JSON */
  read(buffer: Buffer, start: number, end: number, batch: TaskBatch): boolean {
    for (let index = 0; index < this.#known.length; index++) {
      const known = this.#known[index] as Known;
      if (!this.#matcher.match(known.layout, buffer, start, end)) continue;
      if (index > 0) this.#known.unshift(...this.#known.splice(index, 1));
      if (this.#append(known, buffer, batch)) return true;
      break;
    }
    if (this.#learn(buffer, start, end)) return this.read(buffer, start, end, batch);
    this.fallbacks++;
    return false;
  }

  /** @returns true if a layout was learned that the line now matches */
  #learn(buffer: Buffer, start: number, end: number): boolean {
    this.#unlearned++;
    if (this.#unlearned > PATIENCE && this.#unlearned % LEARN_EVERY !== 0) return false;
    const layout = learnLayout(this.#line, buffer.subarray(start, end), this.peaks.number);
    if (!layout || this.#known.some((known) => sameLayout(known.layout, layout))) return false;
    if (!this.#matcher.match(layout, buffer, start, end)) return false;
    this.#known.unshift(knownOf(layout));
    if (this.#known.length > MAX_LAYOUTS) this.#known.pop();
    return true;
  }

  #append(known: Known, buffer: Buffer, batch: TaskBatch): boolean {
    const { values } = this.#matcher;
    if (!saneTimes(known, values)) return false;
    const locality = this.#textId(this.#localities, known.localitySlot, buffer);
    if (locality === NO_SLOT && known.localitySlot !== NO_SLOT) return false;
    const executor = this.#textId(this.#executors, known.executorSlot, buffer);
    if (executor === NO_SLOT) return false;
    const row = batch.rows;
    const { columns } = batch;
    for (const column of known.layout.absent)
      (columns[column] as Float64Array)[row] = this.#absent[column] as number;
    const { columnSlots, columns: targets } = known;
    for (let index = 0; index < columnSlots.length; index++) {
      (columns[targets[index] as number] as Float64Array)[row] = values.numbers[
        columnSlots[index] as number
      ] as number;
    }
    (columns[EXECUTOR] as Float64Array)[row] = executor;
    if (known.hostSlot !== NO_SLOT) {
      (columns[HOST] as Float64Array)[row] = this.#textId(this.#hosts, known.hostSlot, buffer);
    }
    if (locality !== NO_SLOT) (columns[LOCALITY] as Float64Array)[row] = locality;
    (columns[TASK_COLUMN.status] as Float64Array)[row] = this.#line.status;
    batch.addUpdates(values.updateIds, values.updateValues, values.updates);
    batch.endRow();
    this.#raisePeaks(known, values, executor);
    return true;
  }

  #textId(ids: TextIds, slot: number, buffer: Buffer): number {
    if (slot === NO_SLOT) return NO_SLOT;
    const { values } = this.#matcher;
    return ids.id(
      buffer,
      values.offset + (values.textFrom[slot] as number),
      values.offset + (values.textTo[slot] as number),
    );
  }

  #raisePeaks(known: Known, values: LineValues, executor: number): void {
    const { peakSlots, peaks } = known;
    const row = this.peaks.row(executor);
    for (let index = 0; index < peakSlots.length; index++) {
      const value = values.numbers[peakSlots[index] as number] as number;
      const metric = peaks[index] as number;
      if (value > (row[metric] as number)) row[metric] = value;
    }
  }
}

function knownOf(layout: Layout): Known {
  const slots = [...layout.kinds.keys()];
  const of = (...kinds: number[]): Int32Array =>
    Int32Array.from(slots.filter((slot) => kinds.includes(layout.kinds[slot] ?? NO_SLOT)));
  const targets = (list: Int32Array): Int32Array => list.map((slot) => layout.targets[slot] ?? 0);
  const columnSlots = of(SLOT.column, SLOT.boolean);
  const peakSlots = of(SLOT.peak);
  const textSlots = of(SLOT.text);
  const slotOf = (list: Int32Array, column: number): number =>
    list.find((slot) => layout.targets[slot] === column) ?? NO_SLOT;
  return {
    layout,
    columnSlots,
    columns: targets(columnSlots),
    peakSlots,
    peaks: targets(peakSlots),
    launchSlot: slotOf(columnSlots, TASK_COLUMN.launch_time_ms),
    finishSlot: slotOf(columnSlots, TASK_COLUMN.finish_time_ms),
    gettingResultSlot: slotOf(columnSlots, TASK_COLUMN.getting_result_time_ms),
    executorSlot: slotOf(textSlots, EXECUTOR),
    hostSlot: slotOf(textSlots, HOST),
    localitySlot: slotOf(textSlots, LOCALITY),
  };
}

/** The plain reading sets times aside that cannot be; such lines are left to it. */
function saneTimes(known: Known, values: LineValues): boolean {
  const launch = values.numbers[known.launchSlot] as number;
  const finish = known.finishSlot === NO_SLOT ? launch : (values.numbers[known.finishSlot] as number);
  const fetch = known.gettingResultSlot === NO_SLOT ? 0 : (values.numbers[known.gettingResultSlot] as number);
  const inOrder = launch >= FIRST_TIME_MS && launch <= finish && finish <= LAST_TIME_MS;
  return inOrder && (fetch === 0 || (fetch >= FIRST_TIME_MS && fetch <= LAST_TIME_MS));
}

const CACHE_SIZE = 1024;
/** Longer texts are not remembered. */
const CACHED_BYTES = 256;

/** Numbers texts by their bytes, without making a string of a text that was seen shortly before. */
class TextIds {
  readonly #number: (text: string) => number;
  readonly #texts: (Uint8Array | undefined)[] = new Array(CACHE_SIZE);
  readonly #ids = new Int32Array(CACHE_SIZE);

  /** @param number makes a number of a text; asked anew where the cache has forgotten it */
  constructor(number: (text: string) => number) {
    this.#number = number;
  }

  id(buffer: Buffer, from: number, to: number): number {
    let hash = to - from;
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (buffer[at] as number)) | 0;
    const place = (hash ^ (hash >>> 15)) & (CACHE_SIZE - 1);
    const text = this.#texts[place];
    if (text && text.length === to - from && sameBytes(text, buffer, from)) return this.#ids[place] as number;
    const id = this.#number(buffer.toString("latin1", from, to));
    if (to - from > CACHED_BYTES) return id;
    this.#texts[place] = Uint8Array.from(buffer.subarray(from, to));
    this.#ids[place] = id;
    return id;
  }
}

function sameBytes(text: Uint8Array, buffer: Uint8Array, from: number): boolean {
  for (let index = 0; index < text.length; index++) if (text[index] !== buffer[from + index]) return false;
  return true;
}
