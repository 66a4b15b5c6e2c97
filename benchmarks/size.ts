/**
 * Peak memory over logs that are large in one way each: `npm run bench:size`, after a build. Prints a table of the peak
 * resident set of each process, in MB (10^6 bytes), and fails above the limit. Options: --only NAME,..., --scale F (of the
 * counts), --formats text,json,html,md, --folder DIR (databases are kept there and read again), --limit MB
 */
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LARGE_SHAPES, type LargeShape, NO_END } from "./generate/large.ts";
import { run } from "./measure.ts";

const { values: flags } = parseArgs({
  options: {
    only: { type: "string" },
    scale: { type: "string", default: "1" },
    formats: { type: "string", default: "text,json,html" },
    folder: { type: "string" },
    limit: { type: "string", default: "300" },
  },
});
const formats = flags.formats.split(",");
const only = flags.only?.split(",");
const shapes = LARGE_SHAPES.filter(({ name }) => only?.includes(name) ?? true);
const folder = flags.folder ?? join(tmpdir(), "sparklog-size");
const sparklog = `${process.execPath} ${join(import.meta.dirname, "../bin/sparklog.js")}`;
mkdirSync(folder, { recursive: true });

console.log(`| many | count | log MB | ingest | ${formats.join(" | ")} |`);
console.log(`|---|---|---|---|${formats.map(() => "---|").join("")}`);
let most = 0;
for (const shape of shapes) {
  const count = Math.max(1, Math.round(shape.count * Number(flags.scale)));
  const { logMb, ingestMb, db } = ingest(shape, count);
  const reports = formats.map((format) => peak(`report -q --format ${format} ${db}`));
  most = Math.max(most, ingestMb ?? 0, ...reports);
  const cells = [logMb ?? "", ingestMb ?? "", ...reports].map((mb) =>
    typeof mb === "string" ? mb : Math.round(mb),
  );
  console.log(`| ${shape.about} | ${count.toLocaleString("en")} | ${cells.join(" | ")} |`);
  if (!flags.folder) rmSync(db);
}
if (most >= Number(flags.limit)) {
  console.error(`${Math.round(most)} MB is above the limit of ${flags.limit} MB`);
  process.exitCode = 1;
}

/** The log of a shape in a database; null sizes where the database is there from before. */
function ingest(
  shape: LargeShape,
  count: number,
): { logMb: number | null; ingestMb: number | null; db: string } {
  const db = join(folder, `${shape.name}-${count}.db`);
  if (existsSync(db)) return { logMb: null, ingestMb: null, db };
  const log = join(folder, `${shape.name}.log`);
  write(log, shape.lines(count));
  try {
    return { logMb: statSync(log).size / 1e6, ingestMb: peak(`ingest -q ${log} --db ${db}`), db };
  } finally {
    rmSync(log);
  }
}

function peak(command: string): number {
  const { peakMiB } = run(`${sparklog} ${command} >/dev/null`);
  if (peakMiB === null) throw new Error("GNU time (/usr/bin/time) is needed");
  return (peakMiB * 1024 ** 2) / 1e6;
}

function write(path: string, lines: Iterable<string>): void {
  const file = openSync(path, "w");
  let text = "";
  for (const line of lines) {
    text += line.endsWith(NO_END) ? line.slice(0, -NO_END.length) : `${line}\n`;
    if (text.length < 1 << 20) continue;
    writeSync(file, text);
    text = "";
  }
  writeSync(file, text);
  closeSync(file);
}
