import { type Layout, SLOT } from "./task-line-layout.ts";

/** What the slots of the last matching line hold. Arrays are reused by the next line. */
export interface LineValues {
  /** By slot: integers and booleans (0, 1). */
  numbers: Float64Array;
  /** By slot: where a text begins and ends, counted from `offset` of the buffer. */
  textFrom: Int32Array;
  textTo: Int32Array;
  offset: number;
  /** SQL accumulator updates of the line. */
  updates: number;
  updateIds: Float64Array;
  updateValues: Float64Array;
}

/** Compares lines with layouts. */
export interface LayoutMatcher {
  readonly values: LineValues;
  /** True if buffer[start..end) has that layout and each slot holds a value that scanning understands. */
  match(layout: Layout, buffer: Uint8Array, start: number, end: number): boolean;
}

/** No SQL accumulable is shorter than its keys: {"ID":1,"Update":2,"Internal":true, and so on. */
export const MIN_UPDATE_BYTES = 64;
const MAX_DIGITS = 15;
const QUOTE = 0x22;
const MINUS = 0x2d;
const BACKSLASH = 0x5c;
const NO = -1;

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const TRUE = bytes("true");
const FALSE = bytes("false");
const ID = bytes('{"ID":');
const NAME = bytes(',"Name":');
const UPDATE = bytes(',"Update":');
const VALUE = bytes(',"Value":');
const INTERNAL = bytes(',"Internal":');
const COUNT_FAILED = bytes(',"Count Failed Values":');
const METADATA = bytes(',"Metadata":"sql"');

/** The matcher in plain code. Every method that reads something takes its place and returns the next, NO if it is not there. */
export class PlainMatcher implements LayoutMatcher {
  readonly values: LineValues = {
    numbers: new Float64Array(512),
    textFrom: new Int32Array(512),
    textTo: new Int32Array(512),
    offset: 0,
    updates: 0,
    updateIds: new Float64Array(512),
    updateValues: new Float64Array(512),
  };
  #buffer: Uint8Array = TRUE;
  /** The integer read last; NaN for one that is too long to be exact. */
  #number = 0;

  match(layout: Layout, buffer: Uint8Array, start: number, end: number): boolean {
    this.#buffer = buffer;
    this.values.updates = 0;
    const { literals, bounds, kinds } = layout;
    let at = start;
    for (let slot = 0; slot < kinds.length; slot++) {
      at = this.#literal(literals, bounds[slot] as number, bounds[slot + 1] as number, at);
      if (at === NO) return false;
      at = this.#slot(kinds[slot] as number, slot, at);
      if (at === NO) return false;
    }
    at = this.#literal(literals, bounds[kinds.length] as number, bounds[kinds.length + 1] as number, at);
    return at === end;
  }

  #slot(kind: number, slot: number, at: number): number {
    switch (kind) {
      case SLOT.column:
      case SLOT.peak: {
        const next = this.#integer(at);
        this.values.numbers[slot] = this.#number;
        return this.#number >= 0 && this.#buffer[at] !== MINUS ? next : NO;
      }
      case SLOT.skippedInteger:
        return this.#integer(at);
      case SLOT.boolean:
      case SLOT.skippedBoolean:
        this.values.numbers[slot] = this.#buffer[at] === TRUE[0] ? 1 : 0;
        return this.#boolean(at);
      case SLOT.text: {
        const next = this.#ascii(at);
        this.values.textFrom[slot] = at;
        this.values.textTo[slot] = next;
        return next;
      }
      case SLOT.skippedText:
        return this.#text(at);
      default:
        return this.#accumulables(at);
    }
  }

  #literal(literals: Uint8Array, from: number, to: number, place: number): number {
    const buffer = this.#buffer;
    let at = place;
    for (let index = from; index < to; index++) if (literals[index] !== buffer[at++]) return NO;
    return at;
  }

  /** A JSON integer. */
  #integer(place: number): number {
    const buffer = this.#buffer;
    const negative = buffer[place] === MINUS;
    const from = negative ? place + 1 : place;
    let at = from;
    let value = 0;
    let digit = (buffer[at] as number) - 48;
    while (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digit = (buffer[++at] as number) - 48;
    }
    // "" and "007" are no integers; -0 is none of ours.
    if (at === from || (buffer[from] === 48 && (at > from + 1 || negative))) return NO;
    this.#number = at - from > MAX_DIGITS ? Number.NaN : negative ? -value : value;
    return at;
  }

  #boolean(at: number): number {
    return this.#buffer[at] === TRUE[0] ? this.#literal(TRUE, 0, 4, at) : this.#literal(FALSE, 0, 5, at);
  }

  /** Text up to its closing quote. Escapes and control characters are left to the JSON parser. */
  #text(place: number): number {
    const buffer = this.#buffer;
    for (let at = place; ; at++) {
      const byte = buffer[at] as number;
      if (byte === QUOTE) return at;
      if (!(byte >= 0x20) || byte === BACKSLASH) return NO;
    }
  }

  #ascii(place: number): number {
    const end = this.#text(place);
    for (let at = place; at < end; at++) if ((this.#buffer[at] as number) >= 0x80) return NO;
    return end;
  }

  /** "..." or an integer; its value is not kept. */
  #scalar(at: number): number {
    if (this.#buffer[at] !== QUOTE) return this.#integer(at);
    const end = this.#text(at + 1);
    return end === NO ? NO : end + 1;
  }

  #accumulables(place: number): number {
    const buffer = this.#buffer;
    if (buffer[place] !== 0x5b) return NO;
    if (buffer[place + 1] === 0x5d) return place + 2;
    let at = place;
    do {
      at = this.#accumulable(at + 1);
      if (at === NO) return NO;
    } while (buffer[at] === 0x2c);
    return buffer[at] === 0x5d ? at + 1 : NO;
  }

  /** One accumulable, its keys in the one order that Spark writes. */
  #accumulable(place: number): number {
    let at = this.#literal(ID, 0, ID.length, place);
    if (at === NO) return NO;
    at = this.#integer(at);
    if (at === NO || !(this.#number >= 0)) return NO;
    const id = this.#number;
    at = this.#optional(NAME, at);
    if (at === NO) return NO;
    const update = this.#literal(UPDATE, 0, UPDATE.length, at);
    if (update !== NO) at = this.#scalar(update);
    if (at === NO) return NO;
    at = this.#optional(VALUE, at);
    if (at === NO) return NO;
    at = this.#flags(at);
    if (at === NO) return NO;
    const sql = this.#literal(METADATA, 0, METADATA.length, at);
    if (sql !== NO) at = sql;
    if (sql !== NO && update !== NO && !this.#keepUpdate(id, update)) return NO;
    return this.#buffer[at] === 0x7d ? at + 1 : NO;
  }

  /** A key that may be missing, with its value. */
  #optional(key: Uint8Array, place: number): number {
    const at = this.#literal(key, 0, key.length, place);
    return at === NO ? place : this.#scalar(at);
  }

  #flags(place: number): number {
    let at = this.#literal(INTERNAL, 0, INTERNAL.length, place);
    if (at === NO) return NO;
    at = this.#boolean(at);
    if (at === NO) return NO;
    at = this.#literal(COUNT_FAILED, 0, COUNT_FAILED.length, at);
    return at === NO ? NO : this.#boolean(at);
  }

  /** The update of an SQL metric: an integer, as a number or as text. */
  #keepUpdate(id: number, place: number): boolean {
    const quoted = this.#buffer[place] === QUOTE;
    const from = quoted ? place + 1 : place;
    const end = this.#integer(from);
    if (end === NO || Number.isNaN(this.#number) || (quoted && this.#buffer[end] !== QUOTE)) return false;
    const { values } = this;
    if (values.updates === values.updateIds.length) growUpdates(values);
    values.updateIds[values.updates] = id;
    values.updateValues[values.updates] = this.#number;
    values.updates++;
    return true;
  }
}

function growUpdates(values: LineValues): void {
  for (const key of ["updateIds", "updateValues"] as const) {
    const larger = new Float64Array(values[key].length * 2);
    larger.set(values[key]);
    values[key] = larger;
  }
}
