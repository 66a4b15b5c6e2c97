import { deserialize, serialize } from "node:v8";
import type { ScratchFile } from "../scratch-file.ts";
import { IdNumbers } from "./id-numbers.ts";

/** Values in memory at most, half of them asked for lately. */
const IN_MEMORY = 2000;
const LENGTH_BYTES = 4;
const HEAD_BYTES = LENGTH_BYTES + 1;
const AS_TEXT = 1;
const WRITE_BYTES = 1 << 20;
/** The place of what was deleted. */
const NOWHERE = -1;

/** How a value becomes plain data, or text, and back; by default it is plain data. */
export interface Packing<T> {
  pack(value: T): unknown;
  unpack(data: unknown): T;
}

/**
 * Values by id of which any number may be kept: what was not asked for lately waits in the scratch file, and an id
 * costs at most 32 bytes. A value from get() or set() may be changed until a thousand others were asked for.
 */
export class ParkedMap<T> {
  readonly #scratch: ScratchFile;
  readonly #packing: Packing<T> | null;
  readonly #half: number;
  /** Two generations: a value found in the older one moves to the newer, and what is left there when it is full goes. */
  #newer = new Map<number, T>();
  #older = new Map<number, T>();
  /** Where in the scratch file the others stand; of those in memory, where they stood before. */
  readonly #places = new IdNumbers();

  constructor(scratch: ScratchFile, packing: Packing<T> | null = null, inMemory: number = IN_MEMORY) {
    this.#scratch = scratch;
    this.#packing = packing;
    this.#half = Math.max(1, inMemory / 2);
  }

  get(id: number): T | undefined {
    const value = this.#newer.get(id);
    if (value !== undefined) return value;
    const found = this.#older.get(id) ?? this.#read(id);
    if (found !== undefined) this.set(id, found);
    return found;
  }

  set(id: number, value: T): void {
    this.#older.delete(id);
    this.#newer.set(id, value);
    if (this.#newer.size >= this.#half) this.#park();
  }

  delete(id: number): void {
    this.#newer.delete(id);
    this.#older.delete(id);
    if (this.#places.get(id) !== undefined) this.#places.set(id, NOWHERE);
  }

  /** Those in memory: all that is not packed yet. */
  *inMemory(): Iterable<T> {
    yield* this.#older.values();
    yield* this.#newer.values();
  }

  #park(): void {
    const writer = new PieceWriter();
    const places: [id: number, offset: number][] = [];
    // Many in one write: a write a value took as long as packing it.
    const write = (): void => {
      const start = this.#scratch.append(writer.bytes);
      for (const [id, offset] of places) this.#places.set(id, start + offset);
      writer.clear();
      places.length = 0;
    };
    for (const [id, value] of this.#older) {
      places.push([id, writer.add(this.#packing ? this.#packing.pack(value) : value)]);
      if (writer.bytes.length >= WRITE_BYTES) write();
    }
    write();
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  #read(id: number): T | undefined {
    const place = this.#places.get(id);
    if (place === undefined || place === NOWHERE) return undefined;
    const head = Buffer.alloc(HEAD_BYTES);
    this.#scratch.read(place, head);
    const data = Buffer.alloc(head.readUInt32LE());
    this.#scratch.read(place + HEAD_BYTES, data);
    const value: unknown = head[LENGTH_BYTES] === AS_TEXT ? data.toString() : deserialize(data);
    return this.#packing ? this.#packing.unpack(value) : (value as T);
  }
}

/** Memory that all maps pack into, one after the other: a buffer a value left holes of many times its size. */
let memory = Buffer.alloc(0);

/** Values one behind the other: length, kind and content. Text stands as it is: serializing takes five times as long. */
class PieceWriter {
  #used = 0;

  get bytes(): Uint8Array {
    return memory.subarray(0, this.#used);
  }

  clear(): void {
    this.#used = 0;
  }

  /** @returns where the value begins */
  add(value: unknown): number {
    const start = this.#used;
    const data = typeof value === "string" ? value : serialize(value);
    // UTF-8 needs three bytes at most for one of a string's code units.
    const room = start + HEAD_BYTES + (typeof data === "string" ? 3 * data.length : data.length);
    if (memory.length < room) this.#grow(room);
    const content = start + HEAD_BYTES;
    const length = typeof data === "string" ? memory.write(data, content) : data.copy(memory, content);
    memory.writeUInt32LE(length, start);
    memory[start + LENGTH_BYTES] = typeof data === "string" ? AS_TEXT : 0;
    this.#used = content + length;
    return start;
  }

  #grow(room: number): void {
    const larger = Buffer.alloc(Math.max(room, 2 * memory.length));
    memory.copy(larger, 0, 0, this.#used);
    memory = larger;
  }
}
