import { type Codec, type Decoded, isTrouble, type Trouble } from "./codec.ts";
import { type ForeignFormat, foreignFormat } from "./foreign.ts";
import { HEAD_BYTES, pickCodec } from "./index.ts";

/** A shipper may pack what Spark packed already; more than this is a bomb. */
const MAX_LAYERS = 3;

export interface Unpacked {
  /** The codecs found, outermost first; plain text is not among them. */
  codecs: Codec[];
  /** What the text turns out to be, if it is no text but a format that is not read. */
  foreign: ForeignFormat | undefined;
  text: AsyncIterable<Decoded>;
}

/** Undoes whatever the first bytes say a stream is packed with. */
export async function unpack(stored: AsyncIterable<Decoded>): Promise<Unpacked> {
  const codecs: Codec[] = [];
  let { head, rest: text } = await peek(stored);
  for (
    let codec = pickCodec(head);
    codec.name !== "none" && codecs.length < MAX_LAYERS;
    codec = pickCodec(head)
  ) {
    codecs.push(codec);
    ({ head, rest: text } = await peek(decodeLayer(codec, text)));
  }
  return { codecs, foreign: foreignFormat(head), text };
}

/** Decodes what may itself hold the troubles of an outer layer; they are passed on in their place. */
async function* decodeLayer(codec: Codec, packed: AsyncIterable<Decoded>): AsyncGenerator<Decoded> {
  const troubles: Trouble[] = [];
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const item of packed) {
      if (isTrouble(item)) troubles.push(item);
      else yield item;
    }
  }
  for await (const item of codec.decode(bytes())) {
    yield* troubles.splice(0);
    yield item;
  }
  yield* troubles.splice(0);
}

/** The first bytes of a stream, and the stream with them still in it. What fails, fails behind them. */
async function peek(
  stream: AsyncIterable<Decoded>,
): Promise<{ head: Uint8Array; rest: AsyncIterable<Decoded> }> {
  const iterator = stream[Symbol.asyncIterator]();
  const seen: Decoded[] = [];
  let head: Uint8Array = new Uint8Array(0);
  let failure: { error: unknown } | undefined;
  try {
    while (head.length < HEAD_BYTES) {
      const next = await iterator.next();
      if (next.done) break;
      if (isTrouble(next.value)) seen.push(next.value);
      else if (head.length === 0 && next.value.length >= HEAD_BYTES) head = next.value;
      else head = Buffer.concat([head, next.value]); // a copy: the maker of the chunk goes on with its memory
    }
  } catch (error) {
    failure = { error };
  }
  if (head.length > 0) seen.push(head);
  return { head, rest: resume(seen, failure, iterator) };
}

async function* resume(
  seen: Decoded[],
  failure: { error: unknown } | undefined,
  iterator: AsyncIterator<Decoded>,
): AsyncGenerator<Decoded> {
  try {
    yield* seen;
    if (failure) throw failure.error;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
