/**
 * The benchmark suite: `npm run bench`, after a build. Ratios are of runs that took turns; absolute times say little on a
 * shared machine. Options: --quick (small logs, held to baseline.json), --record (write baseline.json), --bytes N,
 * --pairs N, --only NAME,..., --folder DIR, --spark-jars DIR, --python FILE, --rapids-tools FILE, --memory (peak memory by size),
 * --report-tasks N (tasks of the database that report reads; 0: leave out), --twice (run it all again and compare)
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
    twice: { type: "boolean", default: false },
    bytes: { type: "string", default: "1e9" },
    pairs: { type: "string", default: "5" },
    only: { type: "string" },
    folder: { type: "string", default: join(tmpdir(), "sparklog-benchmarks") },
    "spark-jars": {
      type: "string",
      default: process.env.SPARK_HOME ? join(process.env.SPARK_HOME, "jars") : "",
    },
    python: { type: "string", default: "python3" },
    "rapids-tools": { type: "string" },
    "report-tasks": { type: "string", default: "1e6" },
  },
});

const BASELINE = join(import.meta.dirname, "baseline.json");
/** A quick case fails beyond this many times its recorded ratio: machines differ, mechanisms that break cost more. */
const TOLERANCE = 1.4;

const pairs = Number(flags.pairs);
mkdirSync(flags.folder, { recursive: true });
const shop = new Workshop(flags.folder);
let reportIsReady = false;
const peers = findPeers(
  join(flags.folder, "peers"),
  flags["spark-jars"] || null,
  flags.python,
  flags["rapids-tools"] ?? null,
);

if (flags.memory) await memoryCurve();
else if (flags.quick) await quick();
else await full();
shop.clean();

async function full(): Promise<void> {
  printMachine();
  const first = await table();
  if (flags.twice) {
    console.log("\nThe same again:\n");
    printAgreement(first, await table());
  }
  if (peers.missing.length > 0) console.log(`\nLeft out: ${peers.missing.join("; ")}.`);
}

/** Prints every case. @returns wall ratios by case */
async function table(): Promise<Map<string, Pairs>> {
  console.log(
    "| case | ours / peer | goal | wall ratio (min-max) | CPU ratio (min-max) | ours s | peer s | ours MiB |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  const measured = new Map<string, Pairs>();
  for (const one of await suite(shop, peers, Number(flags.bytes)))
    if (isWanted(one.name)) measured.set(one.name, measure(one));
  if (Number(flags["report-tasks"]) > 0 && isWanted("report"))
    measured.set("report", measure(await reportOfDatabase(Number(flags["report-tasks"]))));
  return measured;
}

function printAgreement(first: Map<string, Pairs>, second: Map<string, Pairs>): void {
  console.log("\n| case | wall: first, second | apart | CPU: first, second | apart |\n|---|---|---|---|---|");
  const cells = (a: number | undefined, b: number | undefined): string =>
    a === undefined || b === undefined
      ? " | "
      : `${a.toFixed(2)}, ${b.toFixed(2)} | ${(100 * (Math.max(a, b) / Math.min(a, b) - 1)).toFixed(0)} %`;
  for (const [name, { wall, cpu }] of first) {
    const again = second.get(name);
    console.log(
      `| ${name} | ${cells(wall.median, again?.wall.median)} | ${cells(cpu?.median, again?.cpu?.median)} |`,
    );
  }
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

/** One million tasks take about 4.8 GB of text; the second of two runs reads the same database. */
async function reportOfDatabase(tasks: number): Promise<Case> {
  const database = shop.path(`report-${tasks}.db`);
  if (!reportIsReady) run(shop.ingest(await shop.log("tasks", tasks * 4800), database));
  reportIsReady = true;
  return reportCase(shop, database);
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
  const cores = secondCore();
  console.log(
    `${new Date().toISOString().slice(0, 10)}; ${cpus()[0]?.model}, ${availableParallelism()} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB; ${tools.filter(Boolean).join("; ")}; load ${loadavg()[0]?.toFixed(1)} at the start, two busy processes take ${cores.toFixed(1)} times as long as one; ${pairs} pairs a case\n`,
  );
}

/** How much longer two busy processes take than one: 1 where the second core is free, 2 where there is none. */
function secondCore(): number {
  const spin = `"${process.execPath}" -e "for (let i = 0, x = 0; i < 1e9; i++) x = (x + i) | 0"`;
  const one = run(spin).wallSeconds;
  return run(`${spin} & ${spin}; wait`).wallSeconds / one;
}
