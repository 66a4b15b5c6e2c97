/**
 * The benchmark suite: `npm run bench`, after a build. Ratios are of runs that took turns; absolute times say little on a
 * shared machine. Options: --quick (small logs, held to baseline.json), --record (write baseline.json), --bytes N,
 * --pairs N, --only NAME,..., --folder DIR, --spark-jars DIR, --python FILE, --memory (peak memory by size),
 * --report-tasks N (tasks of the database that report reads; 0: leave out)
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Case, quickSuite, reportCase, suite, Workshop } from "./cases.ts";
import { median, type Pairs, run, runPairs } from "./measure.ts";
import { findPeers, versionOf } from "./peers.ts";

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    memory: { type: "boolean", default: false },
    bytes: { type: "string", default: "1e9" },
    pairs: { type: "string", default: "5" },
    only: { type: "string" },
    folder: { type: "string", default: join(tmpdir(), "sparklog-benchmarks") },
    "spark-jars": {
      type: "string",
      default: process.env.SPARK_HOME ? join(process.env.SPARK_HOME, "jars") : "",
    },
    python: { type: "string", default: "python3" },
    "report-tasks": { type: "string", default: "1e6" },
  },
});

const BASELINE = join(import.meta.dirname, "baseline.json");
/** A quick case fails beyond this many times its recorded ratio: machines differ, mechanisms that break cost more. */
const TOLERANCE = 1.4;

const pairs = Number(flags.pairs);
mkdirSync(flags.folder, { recursive: true });
const shop = new Workshop(flags.folder);
const peers = findPeers(join(flags.folder, "peers"), flags["spark-jars"] || null, flags.python);

if (flags.memory) await memoryCurve();
else if (flags.quick) await quick();
else await full();
shop.clean();

async function full(): Promise<void> {
  printMachine();
  const bytes = Number(flags.bytes);
  console.log(
    "| case | ours / peer | goal | wall ratio (min-max) | CPU ratio (min-max) | ours s | peer s | ours MiB |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  for (const one of await suite(shop, peers, bytes)) if (isWanted(one.name)) measure(one);
  if (Number(flags["report-tasks"]) > 0 && isWanted("report"))
    await reportOfDatabase(Number(flags["report-tasks"]));
  if (peers.missing.length > 0) console.log(`\nLeft out: ${peers.missing.join("; ")}.`);
}

function isWanted(name: string): boolean {
  return flags.only === undefined || flags.only.split(",").includes(name);
}

function measure(one: Case): Pairs {
  const measured = runPairs(one.ours, one.peer, pairs);
  const { wall, cpu, ours, peer } = measured;
  const range = (spread: typeof cpu): string =>
    spread ? `${spread.median.toFixed(2)} (${spread.min.toFixed(2)}-${spread.max.toFixed(2)})` : "";
  const seconds = (list: typeof ours): string =>
    (median(list.map(({ wallSeconds }) => wallSeconds)) ?? 0).toFixed(2);
  const memory = Math.max(...ours.map(({ peakMiB }) => peakMiB ?? 0)).toFixed(0);
  const goal = one.goal === null ? "" : `${one.goal}${wall.median <= one.goal ? " met" : ""}`;
  console.log(
    `| ${one.name} | ${one.about} | ${goal} | ${range(wall)} | ${range(cpu)} | ${seconds(ours)} | ${seconds(peer)} | ${memory} |`,
  );
  return measured;
}

/** One million tasks take about 4.8 GB of text. */
async function reportOfDatabase(tasks: number): Promise<void> {
  const database = shop.path(`report-${tasks}.db`);
  const log = await shop.log("tasks", tasks * 4800);
  run(shop.ingest(log, database));
  measure(reportCase(shop, database));
}

async function quick(): Promise<void> {
  const recorded = JSON.parse(readFileSync(BASELINE, "utf8")) as Record<string, number>;
  let failed = false;
  for (const one of await quickSuite(shop, peers)) {
    const { wall } = runPairs(one.ours, one.peer, pairs);
    const limit = TOLERANCE * (recorded[one.name] ?? Number.POSITIVE_INFINITY);
    const isSlower = wall.median > limit;
    failed ||= isSlower && !flags.record;
    console.log(
      `${one.name}: ${wall.median.toFixed(2)} (${wall.min.toFixed(2)}-${wall.max.toFixed(2)}), recorded ${recorded[one.name] ?? "never"}${isSlower ? `, above ${limit.toFixed(2)}` : ""}`,
    );
    recorded[one.name] = Number(wall.median.toFixed(2));
  }
  if (flags.record) writeFileSync(BASELINE, `${JSON.stringify(recorded, null, 2)}\n`);
  if (failed) process.exitCode = 1;
}

/** Peak memory and size of the database by size of the log. */
async function memoryCurve(): Promise<void> {
  printMachine();
  console.log("| GB of text | peak MiB | wall s | CPU s | database MB |\n|---|---|---|---|---|");
  for (const gigabytes of [0.1, 1, 3, 10]) {
    const log = await shop.log("tasks", gigabytes * 1e9);
    const one = run(shop.ingest(log));
    console.log(
      `| ${gigabytes} | ${one.peakMiB?.toFixed(0)} | ${one.wallSeconds.toFixed(1)} | ${one.cpuSeconds?.toFixed(1)} | ${(shop.sizeOf("ours.db") / 1e6).toFixed(0)} |`,
    );
  }
}

function printMachine(): void {
  const tools = [
    `Node ${process.version}`,
    versionOf("zstd", "--version"),
    versionOf("g++", "--version"),
    versionOf("java", "--version"),
  ];
  console.log(
    `${new Date().toISOString().slice(0, 10)}; ${cpus()[0]?.model}, ${availableParallelism()} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB; ${tools.filter(Boolean).join("; ")}; load ${loadavg()[0]?.toFixed(1)} at the start; ${pairs} pairs a case\n`,
  );
}
