import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { scratchFolder } from "../helpers/ingested.ts";
import { LogBuilder } from "../helpers/log-builder.ts";

const BIN = new URL("../../bin/sparklog.js", import.meta.url).pathname;
const BUILT = new URL("../../dist/cli/main.js", import.meta.url).pathname;

beforeAll(() => {
  if (!existsSync(BUILT)) throw new Error("run npm run build first: the command is tested as built");
});

function sparklog(...args: string[]) {
  const run = spawnSync(process.execPath, [BIN, ...args], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  return { exit: run.status, out: run.stdout, err: run.stderr };
}

function logFile(folder = scratchFolder(), name = "app-20250101000000-0001"): string {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0);
  log.task({ run: 100 }).task({ run: 300 }).stageCompleted(0).jobEnd(0).end();
  writeFileSync(join(folder, name), log.text());
  return join(folder, name);
}

test("report prints the verdict first, the application and the data line", () => {
  const { exit, out, err } = sparklog("report", logFile());
  expect(exit).toBe(0);
  expect(err).toBe("");
  expect(out).toMatch(/^Verdict: /);
  expect(out).toContain("test job, app-20250101000000-0001");
  expect(out).toContain("nothing was lost");
});

test("report --format json prints one object with the promised keys and nothing else", () => {
  const report = JSON.parse(sparklog("report", logFile(), "--format", "json").out);
  expect(Object.keys(report)).toEqual(
    expect.arrayContaining(
      ["formatVersion", "log", "application", "totals", "jobs", "stages", "executors", "sql"].concat([
        "checks",
        "causes",
        "findings",
        "verdict",
      ]),
    ),
  );
  expect(report.stages[0]).toMatchObject({ stageId: 0, tasks: 2, runTimeMs: { p50: 300, max: 300 } });
});

test("report writes to a file, in Markdown and in HTML", () => {
  const folder = scratchFolder();
  const log = logFile(folder);
  for (const format of ["md", "html"]) {
    const target = join(folder, `report.${format}`);
    expect(sparklog("report", log, "--format", format, "-o", target)).toEqual({ exit: 0, out: "", err: "" });
    expect(readFileSync(target, "utf8")).toContain("test job");
  }
  expect(readFileSync(join(folder, "report.md"), "utf8")).toMatch(/^\**Verdict: /);
});

test("report keeps a database, and reports from it the same", () => {
  const folder = scratchFolder();
  const log = logFile(folder);
  const first = sparklog("report", log, "--json", "--db", join(folder, "a.db"));
  expect(sparklog("report", join(folder, "a.db"), "--json").out).toBe(first.out);
});

test("a path that does not exist, noise, an unknown option and an unknown format exit with 2 and a hint", () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "notes.txt"), "these are notes\n");
  const noise = join(folder, "noise");
  mkdirSync(noise);
  writeFileSync(join(noise, "notes.txt"), "these are notes\n");
  for (const args of [
    ["report", join(folder, "nowhere")],
    ["report", noise],
    ["report", logFile(folder), "--format", "pdf"],
    ["report", logFile(folder), "--frmat", "md"],
    ["report", logFile(folder), "--jobs", "x"],
    ["query", join(folder, "nowhere.db"), "stages"],
  ]) {
    const { exit, out, err } = sparklog(...args);
    expect([args, exit, out]).toEqual([args, 2, ""]);
    expect(err.trim().length).toBeGreaterThan(10);
    expect(err).not.toMatch(/^\s+at /m);
  }
});

test("ingest takes folders, one bad path never stops the rest", () => {
  const folder = scratchFolder();
  const week = join(folder, "week");
  mkdirSync(week);
  logFile(week, "app-1");
  logFile(week, "app-2");
  const { exit, out, err } = sparklog("ingest", join(folder, "nowhere"), week, "--db", join(folder, "w.db"));
  expect(exit).toBe(0);
  expect(out).toContain("2 logs read");
  expect(err).toContain("nowhere");
  const several = sparklog("report", join(folder, "w.db"));
  expect(several.exit).toBe(2);
  expect(several.err).toContain("--log N");
  expect(sparklog("report", join(folder, "w.db"), "--log", "2").exit).toBe(0);
});

test("query lists its questions, answers them, and SQL, as table, JSON and CSV", () => {
  const folder = scratchFolder();
  const db = join(folder, "a.db");
  sparklog("ingest", logFile(folder), "--db", db);
  expect(sparklog("query", "--list").out).toContain("stages");
  expect(sparklog("query", db, "stages").out).toContain("executor_run_time_ms");
  const json = JSON.parse(sparklog("query", db, "SELECT SUM(succeeded) AS n FROM stage", "-f", "json").out);
  expect(json).toEqual([{ n: 2 }]);
  expect(sparklog("query", db, "SELECT '=1+1' AS a, 'x,y' AS b", "-f", "csv").out).toBe(
    'a,b\r\n\'=1+1,"x,y"\r\n',
  );
  expect(sparklog("query", db, "DELETE FROM log").exit).toBe(2);
  expect(sparklog("query", db, "no-such-query").err).toContain("--list");
});

test("a query of many rows comes whole as JSON and CSV, and as a table says that it is cut", () => {
  const folder = scratchFolder();
  const db = join(folder, "a.db");
  sparklog("ingest", logFile(folder), "--db", db);
  const many =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001) SELECT i, 'a' AS b FROM n";
  const rows = Array.from({ length: 10_001 }, (_, at) => ({ i: at + 1, b: "a" }));
  expect(sparklog("query", db, many, "-f", "json").out).toBe(`${JSON.stringify(rows, null, 2)}\n`);
  expect(sparklog("query", db, many, "-f", "csv").out.trimEnd().split("\r\n")).toHaveLength(10_002);
  const table = sparklog("query", db, many);
  expect(table.out).toContain("10000");
  expect(table.out).not.toContain("10001");
  expect(table.err).toContain("the first 10000 rows");
  expect(sparklog("query", db, `${many} WHERE i < 1`, "-f", "json").out).toBe("[]\n");
});

test("stdin is read from -", () => {
  const run = spawnSync(process.execPath, [BIN, "report", "-", "--json"], {
    encoding: "utf8",
    input: readFileSync(logFile()),
  });
  expect(JSON.parse(run.stdout).application.name).toBe("test job");
});

test("a run that is killed leaves the database as it was", async () => {
  const folder = scratchFolder();
  const db = join(folder, "week.db");
  sparklog("ingest", logFile(folder), "--db", db);
  const before = readFileSync(db);
  const run = spawn(process.execPath, [BIN, "ingest", "-", "--db", db], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = new Promise((resolve) => run.on("exit", resolve));
  run.stdin.on("error", () => {});
  run.stdin.write(readFileSync(join(folder, "app-20250101000000-0001")));
  while (!readdirSync(folder).some((name) => name.startsWith(".sparklog-")))
    await new Promise((resolve) => setTimeout(resolve, 20));
  run.kill("SIGKILL");
  await ended;
  expect(readFileSync(db).equals(before)).toBe(true);
  expect(sparklog("report", db).exit).toBe(0);
});

test("a file without an event is refused with what it is instead of an empty report", () => {
  const folder = scratchFolder();
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  write("empty", "");
  write("notes.txt", "these are notes\nof two lines\n");
  write("damaged.zstd", Buffer.from("28b52ffd0458ffffffffffffffffffff", "hex"));
  const refusals: Record<string, RegExp> = {
    empty: /holds no event yet/,
    "notes.txt": /is no Spark event log/,
    "damaged.zstd": /nothing of it could be read/,
  };
  for (const [name, message] of Object.entries(refusals)) {
    const { exit, out, err } = sparklog("report", join(folder, name));
    expect([name, exit, out]).toEqual([name, 2, ""]);
    expect(err).toMatch(message);
  }
  expect(sparklog("ingest", folder, "--db", join(folder, "a.db")).exit).toBe(2);
  expect(existsSync(join(folder, "a.db"))).toBe(false);
});
