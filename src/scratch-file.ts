import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeAll } from "./write-all.ts";

/** A temporary file for values that do not fit the memory budget. Made at the first write, gone after close(). */
export class ScratchFile {
  #file: { descriptor: number; directory: string } | null = null;
  #end = 0;

  /** Appends bytes and returns where they stand. */
  append(bytes: Uint8Array): number {
    const file = this.#open();
    const position = this.#end;
    writeAll(file.descriptor, bytes, position);
    this.#end += bytes.length;
    return position;
  }

  /** Fills `into` from what stands at position. */
  read(position: number, into: Uint8Array): void {
    if (!this.#file) throw new Error("nothing was written");
    for (let done = 0; done < into.length; ) {
      const read = readSync(this.#file.descriptor, into, done, into.length - done, position + done);
      if (read === 0) throw new Error("scratch file ends early");
      done += read;
    }
  }

  close(): void {
    if (!this.#file) return;
    closeSync(this.#file.descriptor);
    rmSync(this.#file.directory, { recursive: true, force: true });
    this.#file = null;
  }

  #open(): { descriptor: number; directory: string } {
    if (this.#file) return this.#file;
    const directory = mkdtempSync(join(tmpdir(), "sparklog-"));
    this.#file = { descriptor: openSync(join(directory, "values"), "w+", 0o600), directory };
    return this.#file;
  }
}
