import { StringDecoder } from "node:string_decoder";
import { jsonParser, type Token } from "stream-json/core/parser.js";
import { BoundedObject } from "./bounded-object.ts";

/** Text given to the tokenizer at once: bounds the tokens in memory. */
const SLICE_BYTES = 64 * 1024;
/** A longer string is left out: plan texts are, names and messages are not. */
const MAX_STRING_CHARS = 64 * 1024;
const OPEN_BRACE = 0x7b;
/** The deepest plans have a few thousand levels; hostile lines have millions. */
const MAX_DEPTH = 20_000;

export interface HugeEvent {
  /** The event without its oversized values; undefined if the line is no whole JSON object. */
  event: Record<string, unknown> | undefined;
  /** Paths of what was left out, such as `sparkPlanInfo` or `Task Info.Accumulables`. */
  droppedKeys: string[];
}

/**
 * Reads one line of any length in bounded memory: strings are never packed into one piece, and what grows too large
 * is left out. Plan descriptions of 600 MB are real, and V8 has no string that long.
 */
export class HugeLine {
  readonly #decoder = new StringDecoder("utf8");
  readonly #tokenize = jsonParser({ packValues: false, streamValues: true });
  readonly #object = new BoundedObject();
  #text = "";
  #tooLong = false;
  #failed = false;
  #begun = false;

  push(bytes: Buffer): void {
    const padding = this.#begun ? 0 : bytes.indexOf(OPEN_BRACE); // byte order mark, white space, NULs
    this.#begun = true;
    for (let at = Math.max(0, padding); at < bytes.length && !this.#failed; at += SLICE_BYTES) {
      this.#parse(this.#decoder.write(bytes.subarray(at, at + SLICE_BYTES)));
    }
  }

  finish(): HugeEvent {
    if (!this.#failed) this.#parse(this.#decoder.end());
    const event = this.#failed ? undefined : this.#object.whole();
    return { event, droppedKeys: this.#object.droppedKeys() };
  }

  #parse(text: string): void {
    try {
      const tokens = this.#tokenize(text);
      if (typeof tokens === "symbol") return;
      for (const token of tokens.values) this.#take(token);
      if (this.#object.depth > MAX_DEPTH) this.#failed = true;
    } catch {
      this.#failed = true; // not JSON: the rest of the line is only passed over
    }
  }

  #take(token: Token): void {
    switch (token.name) {
      case "stringChunk":
      case "numberChunk":
        this.#append(token.value);
        break;
      case "startKey":
      case "startString":
      case "startNumber":
        this.#text = "";
        this.#tooLong = false;
        break;
      case "endKey":
        this.#object.key(this.#tooLong ? undefined : ownCopy(this.#text));
        break;
      case "endString":
        if (this.#tooLong) this.#object.drop();
        else this.#object.add(ownCopy(this.#text), this.#text.length);
        break;
      case "endNumber":
        this.#object.add(Number(this.#text), 0);
        break;
      case "trueValue":
      case "falseValue":
      case "nullValue":
        this.#object.add(token.value, 0);
        break;
      default:
        this.#openOrClose(token.name);
    }
  }

  #openOrClose(name: Token["name"]): void {
    if (name === "startObject") this.#object.open({});
    else if (name === "startArray") this.#object.open([]);
    else if (name === "endObject" || name === "endArray") this.#object.close();
  }

  #append(chunk: string): void {
    if (this.#tooLong) return;
    if (this.#text.length + chunk.length <= MAX_STRING_CHARS) this.#text += chunk;
    else this.#tooLong = true;
  }
}

/**
 * A slice would keep all the text that it was cut from in memory. A concatenation that is cut again is a flat string of
 * its own; buffers for millions of names would leave as many holes in the memory.
 */
function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}
