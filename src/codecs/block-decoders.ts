import { BLOCK_DECODERS_WASM } from "./block-decoders-wasm.ts";

const PAGE_BYTES = 65_536;
/** The module's own data lies before. */
const INPUT_AT = PAGE_BYTES;
/** The module copies 16 bytes at a time: as much behind a range may be read or overwritten. */
const MARGIN = 32;
/** Four of Spark's blocks; larger ones make room when they come. */
const FIRST_BYTES = 128 * 1024;

type Decoder = (input: number, inputEnd: number, output: number, outputEnd: number) => number;

interface Exports {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  lz4: Decoder;
  snappy: Decoder;
  lzf: Decoder;
  xxhash32(start: number, end: number, seed: number): number;
}

let exports: Exports | undefined;
let memory = new Uint8Array(0);
let inputBytes = 0;
let outputBytes = 0;

/**
 * Decodes one raw block, input[start..end), which must give exactly `bytes` bytes; undefined where it is damaged.
 * Who calls has made sure that so many can come of it. What is given is overwritten by the next call.
 */
export function decodeBlock(
  format: "lz4" | "snappy" | "lzf",
  input: Uint8Array,
  start: number,
  end: number,
  bytes: number,
): Uint8Array | undefined {
  const decoders = makeRoom(end - start, bytes);
  memory.set(input.subarray(start, end), INPUT_AT);
  const output = INPUT_AT + inputBytes + MARGIN;
  const whole = decoders[format](INPUT_AT, INPUT_AT + end - start, output, output + bytes);
  return whole ? memory.subarray(output, output + bytes) : undefined;
}

/** xxHash32, as an unsigned 32-bit number. What decodeBlock() gave is not copied for it. */
export function xxhash32(bytes: Uint8Array, seed: number): number {
  if (exports && bytes.buffer === memory.buffer) {
    return exports.xxhash32(bytes.byteOffset, bytes.byteOffset + bytes.length, seed) >>> 0;
  }
  const decoders = makeRoom(bytes.length, 0);
  memory.set(bytes, INPUT_AT);
  return decoders.xxhash32(INPUT_AT, INPUT_AT + bytes.length, seed) >>> 0;
}

function makeRoom(input: number, output: number): Exports {
  if (exports && input <= inputBytes && output <= outputBytes) return exports;
  exports ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(BLOCK_DECODERS_WASM, "base64")))
    .exports as unknown as Exports;
  inputBytes = Math.max(FIRST_BYTES, inputBytes, input);
  outputBytes = Math.max(FIRST_BYTES, outputBytes, output);
  const wanted = INPUT_AT + inputBytes + outputBytes + 2 * MARGIN;
  const pages = Math.ceil((wanted - exports.memory.buffer.byteLength) / PAGE_BYTES);
  if (pages > 0) exports.memory.grow(pages);
  memory = new Uint8Array(exports.memory.buffer);
  return exports;
}
