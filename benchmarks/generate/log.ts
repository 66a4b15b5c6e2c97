import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { Application, type Profile } from "./application.ts";
import { type CodecName, encoderFor } from "./encode.ts";
import { profileNamed } from "./profiles.ts";

export interface LogOptions {
  profile: string;
  /** At least so many bytes of text: the log ends with the query that reaches them. */
  bytes: number;
  seed: number;
}

const CHUNK_BYTES = 1 << 20;
/** Below this, stages get fewer tasks, so that a small log holds several queries as well. */
const FULL_SIZE = 400e6;

/** The text of a log in chunks of about 1 MiB that end with a line. The same options give the same bytes. */
export function* generateLog(options: LogOptions): Generator<Buffer> {
  const profile = scaled(profileNamed(options.profile), options.bytes);
  let lines: string[] = [];
  let pending = 0;
  let total = 0;
  const full: Buffer[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const chunk = Buffer.from(`${lines.join("\n")}\n`, "latin1");
    total += chunk.length;
    full.push(chunk);
    lines = [];
    pending = 0;
  };
  const application = new Application(profile, options.seed, (line) => {
    lines.push(line);
    pending += line.length;
    if (pending >= CHUNK_BYTES) flush();
  });
  application.start();
  while (total + pending < options.bytes) {
    application.query();
    yield* full.splice(0);
  }
  application.end();
  flush();
  yield* full;
}

function scaled(profile: Profile, bytes: number): Profile {
  const factor = Math.min(1, bytes / FULL_SIZE);
  const [low, high] = profile.tasks;
  return {
    ...profile,
    tasks: [Math.max(1, Math.round(low * factor)), Math.max(8, Math.round(high * factor))],
  };
}

/** Writes a log file. Returns the bytes of its text. */
export async function writeLog(path: string, options: LogOptions, codec: CodecName): Promise<number> {
  const encoder = await encoderFor(codec);
  const file = createWriteStream(path);
  const write = async (bytes: Buffer): Promise<void> => {
    if (bytes.length > 0 && !file.write(bytes)) await once(file, "drain");
  };
  let total = 0;
  await write(encoder.begin());
  for (const chunk of generateLog(options)) {
    total += chunk.length;
    await write(encoder.chunk(chunk));
  }
  await write(encoder.end());
  file.end();
  await once(file, "finish");
  return total;
}
