import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { QUANTILES } from "../../src/stats/quantiles.ts";
import { type Answer, type Answers, type AnswerValue, hashOfLog, TASK_LIST_LIMIT } from "./answers.ts";

const LISTING_LIMIT_MS = 300_000;
const ALL = 1_000_000;

/** Options that keep the server from forgetting what a bigger log holds. */
const KEEP_EVERYTHING = [
  "spark.ui.retainedJobs",
  "spark.ui.retainedStages",
  "spark.ui.retainedTasks",
  "spark.ui.retainedDeadExecutors",
  "spark.sql.ui.retainedExecutions",
].map((key) => `-D${key}=${ALL}`);

/**
 * Starts the History Server of a Spark on an empty folder, copies the logs in one after the other, asks everything
 * about each, and stops the server.
 * @param sparkHome a Spark distribution, or the `pyspark` folder inside a Python environment
 * @param use called with each log's answers, in the order of the logs
 * @throws Error where the server does not come up or does not list a log
 */
export async function askHistoryServer(
  logs: string[],
  sparkHome: string,
  use: (log: string, answers: Answers) => Promise<void>,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "sparklog-oracle-"));
  const folder = join(scratch, "logs");
  mkdirSync(folder);
  const port = await freePort();
  const server = start(sparkHome, folder, scratch, port);
  const seen = new Set<AnswerValue | undefined>();
  try {
    for (const log of logs) {
      cpSync(log, join(folder, basename(log)), { recursive: true });
      const api = `http://127.0.0.1:${port}/api/v1`;
      const application = await whenListed(api, server, seen);
      seen.add(application.id);
      await use(log, await ask(api, application, hashOfLog(log)));
    }
  } finally {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    if (server.exitCode === null && server.kill()) await ended;
    rmSync(scratch, { recursive: true, force: true });
  }
}

function start(sparkHome: string, folder: string, scratch: string, port: number): ChildProcess {
  const options = [
    `-Dspark.history.fs.logDirectory=file://${folder}`,
    `-Dspark.history.ui.port=${port}`,
    "-Dspark.history.fs.update.interval=2s",
    "-Duser.timezone=UTC",
    ...KEEP_EVERYTHING,
  ];
  return spawn(join(sparkHome, "bin", "spark-class"), ["org.apache.spark.deploy.history.HistoryServer"], {
    cwd: scratch,
    stdio: "ignore",
    env: {
      ...process.env,
      SPARK_HOME: sparkHome,
      SPARK_LOCAL_IP: "127.0.0.1",
      SPARK_DAEMON_MEMORY: "2g",
      SPARK_HISTORY_OPTS: options.join(" "),
    },
  });
}

async function ask(api: string, application: Answer, logSha256: string): Promise<Answers> {
  const [attempt] = application.attempts as Answer[];
  const attemptId = attempt?.attemptId ? `/${attempt.attemptId}` : "";
  const base = `${api}/applications/${application.id}${attemptId}`;
  const { spark } = (await get(`${api}/version`)) as { spark: string };
  const list = async (path: string) => (await get(`${base}/${path}`)) as Answer[];
  // Where and when the copy was read says nothing about the log.
  for (const key of ["lastUpdated", "lastUpdatedEpoch", "logSourceName", "logSourceFullPath"])
    for (const each of application.attempts as Answer[]) delete each[key];
  const storage: Answer[] = [];
  for (const rdd of await list("storage/rdd"))
    storage.push((await get(`${base}/storage/rdd/${rdd.id}`)) as Answer);
  return {
    historyServerVersion: spark,
    logSha256,
    application,
    jobs: await list("jobs"),
    stages: await askStages(base),
    allexecutors: await list("allexecutors"),
    storage,
    sql: await list(`sql?details=true&planDescription=false&offset=0&length=${ALL}`),
    environment: (await get(`${base}/environment`)) as Answer,
  };
}

async function askStages(base: string): Promise<Answer[]> {
  const quantiles = Object.values(QUANTILES).join(",");
  const stages: Answer[] = [];
  for (const stage of (await get(`${base}/stages`)) as Answer[]) {
    const details = Number(stage.numTasks) <= TASK_LIST_LIMIT && stage.status !== "SKIPPED";
    const path = `${base}/stages/${stage.stageId}/${stage.attemptId}`;
    const answer = await get(`${path}?details=${details}&withSummaries=true&quantiles=${quantiles}`);
    stages.push(answer as Answer);
  }
  return stages;
}

/** Waits until the server lists an application that it did not list before. */
async function whenListed(
  api: string,
  server: ChildProcess,
  seen: ReadonlySet<AnswerValue | undefined>,
): Promise<Answer> {
  const limit = Date.now() + LISTING_LIMIT_MS;
  while (Date.now() < limit) {
    if (server.exitCode !== null) throw new Error(`the History Server ended with code ${server.exitCode}`);
    const applications = (await get(`${api}/applications`).catch(() => [])) as Answer[];
    const fresh = applications.find((application) => !seen.has(application.id));
    if (fresh) return fresh;
    await sleep(500);
  }
  throw new Error(`the History Server lists no new application after ${LISTING_LIMIT_MS / 1000} s`);
}

async function get(url: string): Promise<AnswerValue> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as AnswerValue;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === "object"
          ? resolve(address.port)
          : reject(new Error("no port is free")),
      );
    });
  });
}
