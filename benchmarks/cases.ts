import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CodecName } from "./generate/encode.ts";
import { writeLog } from "./generate/log.ts";
import type { Peers } from "./peers.ts";

/** Two commands that do comparable work, and what is aimed at. */
export interface Case {
  name: string;
  /** What ours and the peer do, in words. */
  about: string;
  ours: string;
  peer: string;
  /** Largest ratio ours / peer that meets the goal; null: none was set. */
  goal: number | null;
}

const BIN = join(import.meta.dirname, "../bin/sparklog.js");

/** Files of a benchmark run: logs are kept between runs, databases are not. */
export class Workshop {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A generated log; made where it is not there yet. */
  async log(profile: string, bytes: number, codec: CodecName = "none"): Promise<string> {
    const path = join(this.#folder, `${profile}-${bytes / 1e6}M.${codec}`);
    if (!existsSync(path)) await writeLog(path, { profile, bytes, seed: 1 }, codec);
    return path;
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  /** A command that reads a log into a new database. */
  ingest(log: string, database = this.path("ours.db")): string {
    return `rm -f "${database}"; "${process.execPath}" "${BIN}" ingest --quiet "${log}" --db "${database}"`;
  }

  report(log: string): string {
    return `"${process.execPath}" "${BIN}" report "${log}"`;
  }

  sizeOf(name: string): number {
    return statSync(this.path(name)).size;
  }

  clean(): void {
    for (const name of ["ours.db", "simdjson.db", "duckdb.db"]) rmSync(this.path(name), { force: true });
    rmSync(this.path("rapids-tools"), { recursive: true, force: true });
  }
}

/** The suite, for logs of that many bytes of text. */
export async function suite(shop: Workshop, peers: Peers, bytes: number): Promise<Case[]> {
  const tasks = await shop.log("tasks", bytes);
  const cases: Case[] = [
    {
      name: "plain",
      about: "ingest of a log of tasks / JSON.parse of each line",
      ours: shop.ingest(tasks),
      peer: peers.jsonParse(tasks),
      goal: 0.55,
    },
  ];
  if (peers.zstd) {
    const packed = await shop.log("tasks", bytes, "zstd");
    cases.push(
      {
        name: "zstd",
        about: "ingest of the log, zstd / zstd -dc | JSON.parse",
        ours: shop.ingest(packed),
        peer: `zstd -dc "${packed}" | ${peers.jsonParse("-")}`,
        goal: 0.6,
      },
      {
        name: "zstd-wc",
        about: "ingest of the log, zstd / zstd -dc | wc -l on one core",
        ours: shop.ingest(packed),
        // On one core: from core to core the pages of the pipe cost 0.4 to 1.2 s of system time, as it comes. On one the
        // two take a tenth longer than in the best case on two.
        peer: onOneCore(`zstd -dc "${packed}" | wc -l`),
        goal: null,
      },
    );
  }
  for (const [profile, goal] of [
    ["accumulators", 0.55],
    ["plans", null],
    ["jobs", null],
    ["failures", null],
  ] as const) {
    const log = await shop.log(profile, bytes);
    cases.push({
      name: profile,
      about: `ingest of a log of ${profile} / JSON.parse of each line`,
      ours: shop.ingest(log),
      peer: peers.jsonParse(log),
      goal,
    });
  }
  if (peers.simdjson)
    cases.push({
      name: "simdjson",
      about: "ingest / C++ simdjson + sqlite3, tasks only",
      ours: shop.ingest(tasks),
      peer: peers.simdjson(tasks, shop.path("simdjson.db")),
      goal: 1,
    });
  if (peers.jackson)
    cases.push({
      name: "jackson",
      about: "ingest / Jackson readTree of each line",
      ours: shop.ingest(tasks),
      peer: peers.jackson(tasks),
      goal: null,
    });
  if (peers.duckdb)
    cases.push({
      name: "duckdb",
      about: "ingest / DuckDB read_json into a table, 12 columns of tasks only",
      ours: shop.ingest(tasks),
      peer: peers.duckdb(tasks, shop.path("duckdb.db")),
      goal: null,
    });
  if (peers.historyServer)
    cases.push({
      name: "history-server",
      about: "ingest / the History Server's replay into its store in memory",
      ours: shop.ingest(tasks),
      peer: peers.historyServer(tasks),
      goal: 1 / 8,
    });
  if (peers.rapidsTools)
    cases.push({
      name: "rapids-tools",
      about: "report of a log of tasks, whole process / profiling by spark-rapids-tools",
      ours: shop.report(tasks),
      peer: peers.rapidsTools(tasks, shop.path("rapids-tools")),
      goal: null,
    });
  return [...cases, ...(await wholeProcesses(shop, peers))];
}

function onOneCore(command: string): string {
  return existsSync("/usr/bin/taskset") ? `taskset -c 0 sh -c '${command}'` : command;
}

/** Start to printed report, of a small log and of a database. */
async function wholeProcesses(shop: Workshop, peers: Peers): Promise<Case[]> {
  const small = await shop.log("tasks", 48e6);
  return [
    {
      name: "small",
      about: "report of a 48 MB log, whole process / JSON.parse of each line",
      ours: shop.report(small),
      peer: peers.jsonParse(small),
      goal: 1.5,
    },
  ];
}

/** A report of a database / one query over its tasks. */
export function reportCase(shop: Workshop, database: string): Case {
  const aggregate = join(import.meta.dirname, "peers/aggregate.mjs");
  return {
    name: "report",
    about: "report of a database / one query with sums and medians by stage",
    ours: shop.report(database),
    peer: `"${process.execPath}" "${aggregate}" "${database}"`,
    goal: 3,
  };
}

/** Small logs, for every change: two kinds, plain. */
export async function quickSuite(shop: Workshop, peers: Peers): Promise<Case[]> {
  const cases: Case[] = [];
  for (const profile of ["tasks", "accumulators"]) {
    const log = await shop.log(profile, 60e6);
    cases.push({
      name: `quick-${profile}`,
      about: `ingest of 60 MB of ${profile} / JSON.parse of each line`,
      ours: shop.ingest(log),
      peer: peers.jsonParse(log),
      goal: null,
    });
  }
  return cases;
}
