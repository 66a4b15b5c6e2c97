import { ZSTDDecoder } from "zstddec/stream";
import { MAX_BLOCK_BYTES } from "./zstd-frame.ts";

/** What the wasm build of zstd's decoder in the package zstddec exports. Pointers and sizes are 32 bits. */
interface ZstdExports {
  memory: { buffer: ArrayBuffer };
  malloc(bytes: number): number;
  free(pointer: number): void;
  ZSTD_createDCtx(): number;
  ZSTD_freeDCtx(context: number): void;
  ZSTD_decompressStream(context: number, output: number, input: number): number;
}

interface WasmModule {
  module: WebAssembly.Module;
}

/** zstd's errors are the top values of size_t (ZSTD_error_maxCode is 120). */
const FIRST_ERROR = 2 ** 32 - 120;
const OUTPUT_BYTES = 1024 * 1024;

/** Frame header and a block with its header and the frame's checksum. */
const INPUT_BYTES = MAX_BLOCK_BYTES + 64;
/** An engine that held a wide window is not kept for the next log. */
const KEEP_BYTES = 32 * 1024 * 1024;
const KEEP_ENGINES = 4;

const idle: ZstdEngine[] = [];
let compiled: Promise<WebAssembly.Module> | undefined;

/** An engine of one's own: no other stream's step can move its memory. Give it back with release(). */
export async function borrowEngine(): Promise<ZstdEngine> {
  const kept = idle.pop();
  if (kept) return kept;
  compiled ??= loadModule();
  const module = await compiled;
  const imports = { env: { emscripten_notify_memory_growth: () => undefined } };
  const instance = new WebAssembly.Instance(module, imports);
  return new ZstdEngine(instance.exports as unknown as ZstdExports);
}

/** The package keeps one instance for all its users and hides errors; its module serves as many as are wanted. */
async function loadModule(): Promise<WebAssembly.Module> {
  let loaded: WasmModule | undefined;
  class ModuleLoader extends ZSTDDecoder {
    override _init(result: WasmModule): void {
      loaded = result;
    }
  }
  await withoutFetch(() => new ModuleLoader().init());
  if (!loaded) throw new Error("zstddec gave no module");
  return loaded.module;
}

/**
 * The package takes its own module through fetch() where there is one. In Node that loads all of the HTTP client:
 * measured, 50 ms and 10 MB for what takes 2 ms without. It looks for it at once, so only its first step is shielded.
 */
function withoutFetch<T>(start: () => T): T {
  const fetch = Object.getOwnPropertyDescriptor(globalThis, "fetch");
  if (!fetch?.configurable) return start();
  Reflect.deleteProperty(globalThis, "fetch");
  try {
    return start();
  } finally {
    Object.defineProperty(globalThis, "fetch", fetch);
  }
}

/** What one block came to. */
export type StepResult = "frame-end" | "more" | { error: number };

/** One zstd decoding context with its input and output in wasm memory. */
export class ZstdEngine {
  readonly #exports: ZstdExports;
  #context: number;
  readonly #input: number;
  readonly #output: number;
  readonly #inputStruct: number;
  readonly #outputStruct: number;
  #heap: Uint8Array;
  #view: DataView;
  #inputEnd = 0;
  #outputEnd = 0;
  #broken = false;

  constructor(exports: ZstdExports) {
    this.#exports = exports;
    this.#context = exports.ZSTD_createDCtx();
    this.#input = exports.malloc(INPUT_BYTES);
    this.#output = exports.malloc(OUTPUT_BYTES);
    this.#inputStruct = exports.malloc(12);
    this.#outputStruct = exports.malloc(12);
    this.#heap = new Uint8Array(exports.memory.buffer);
    this.#view = new DataView(exports.memory.buffer);
  }

  /** Adds stored bytes to what the next step decodes. */
  feed(bytes: Uint8Array): void {
    if (this.#inputEnd + bytes.length > INPUT_BYTES) throw new RangeError("more than a block was fed");
    this.#heap.set(bytes, this.#input + this.#inputEnd);
    this.#inputEnd += bytes.length;
  }

  /** True if another block's output may not fit: take() first. */
  get full(): boolean {
    return this.#outputEnd + MAX_BLOCK_BYTES > OUTPUT_BYTES;
  }

  /** Decodes what was fed: whole blocks, so that an error costs its own block only. */
  step(): StepResult {
    const { ZSTD_decompressStream } = this.#exports;
    const size = this.#inputEnd;
    this.#inputEnd = 0;
    this.#writeStruct(this.#inputStruct, this.#input, size, 0);
    this.#writeStruct(this.#outputStruct, this.#output, OUTPUT_BYTES, this.#outputEnd);
    let left = 1;
    try {
      do {
        left = ZSTD_decompressStream(this.#context, this.#outputStruct, this.#inputStruct) >>> 0;
        if (this.#heap.byteLength === 0) this.#remap();
        if (left >= FIRST_ERROR) return { error: 2 ** 32 - left };
      } while (left !== 0 && this.#view.getUint32(this.#inputStruct + 8, true) < size);
    } catch {
      this.#broken = true; // a trap: zstd's own state is unknown
      return { error: 1 };
    }
    this.#outputEnd = this.#view.getUint32(this.#outputStruct + 8, true);
    return left === 0 ? "frame-end" : "more";
  }

  /** What was decoded since the last take(). A view: gone with the next step. */
  take(): Uint8Array {
    const bytes = this.#heap.subarray(this.#output, this.#output + this.#outputEnd);
    this.#outputEnd = 0;
    return bytes;
  }

  get pending(): number {
    return this.#outputEnd;
  }

  /** Forgets the frame being decoded. */
  reset(): void {
    this.#inputEnd = 0;
    if (this.#broken) return;
    this.#exports.ZSTD_freeDCtx(this.#context);
    this.#context = this.#exports.ZSTD_createDCtx();
    this.#remap();
  }

  release(): void {
    this.#outputEnd = 0;
    if (this.#broken || this.#heap.byteLength > KEEP_BYTES || idle.length >= KEEP_ENGINES) return;
    this.reset();
    idle.push(this);
  }

  get broken(): boolean {
    return this.#broken;
  }

  #writeStruct(at: number, pointer: number, size: number, position: number): void {
    this.#view.setUint32(at, pointer, true);
    this.#view.setUint32(at + 4, size, true);
    this.#view.setUint32(at + 8, position, true);
  }

  #remap(): void {
    this.#heap = new Uint8Array(this.#exports.memory.buffer);
    this.#view = new DataView(this.#exports.memory.buffer);
  }
}
