import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

/** One JSON object of a REST answer. */
export type Answer = { [key: string]: AnswerValue };
export type AnswerValue = string | number | boolean | null | AnswerValue[] | Answer;

/** What a real History Server answered about one log, by REST path below `/api/v1/applications/<id>[/<attempt>]`. */
export interface Answers {
  /** Spark version of the History Server. */
  historyServerVersion: string;
  /** SHA-256 of the log's bytes; of a rolling directory: of its files' bytes in name order. */
  logSha256: string;
  application: Answer;
  jobs: Answer[];
  /** Stage attempts with `taskMetricsDistributions`; with `tasks` where there are at most TASK_LIST_LIMIT. */
  stages: Answer[];
  allexecutors: Answer[];
  storage: Answer[];
  sql: Answer[];
  environment: Answer;
}

/** Attempts with more tasks keep their summaries but no list of tasks, for the size of the kept answers. */
export const TASK_LIST_LIMIT = 1000;

/** SHA-256 in hex of a log file, or of the files of a rolling directory in name order. */
export function hashOfLog(path: string): string {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .map((name) => join(path, name))
    : [path];
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex");
}

export function packAnswers(answers: Answers, file: string): void {
  writeFileSync(file, gzipSync(JSON.stringify(answers), { level: 9 }));
}

export function unpackAnswers(file: string): Answers {
  return JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as Answers;
}
