import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeLog } from "../../src/analyze-log.ts";
import { type Answers, hashOfLog, unpackAnswers } from "./answers.ts";
import { compareLog } from "./compare-log.ts";

const LOGS = fileURLToPath(new URL("../../sample-logs/", import.meta.url));
const ANSWERS = fileURLToPath(new URL("answers/", import.meta.url));
const NOT_LOGS = new Set(["README.md", "expected.json", "generate"]);

/** One entry of expected.json. */
interface Expected {
  verdict: string;
  /** Issue codes that belong to the log; by default none. */
  issues?: string[];
}

const expected = JSON.parse(readFileSync(join(LOGS, "expected.json"), "utf8")) as Record<string, Expected>;
const logs = readdirSync(LOGS).filter((name) => !NOT_LOGS.has(name));

function answersOf(log: string): Answers {
  return unpackAnswers(join(ANSWERS, `${log}.json.gz`));
}

describe("every number that the History Server and the database both have is the same, but for explained ones", () => {
  let compared = 0;
  const explained = new Map<string, number>();

  test.for(logs)("%s", async (log) => {
    const result = await compareLog(join(LOGS, log), answersOf(log));
    expect(result.differences).toEqual([]);
    expect(result.compared).toBeGreaterThan(1000);
    compared += result.compared;
    for (const [reason, count] of result.explained)
      explained.set(reason, (explained.get(reason) ?? 0) + count);
  });

  afterAll(() => {
    console.log(`${compared} values compared over ${logs.length} logs; explained differences:`);
    for (const [reason, count] of explained) console.log(`  ${count}: ${reason}`);
  });
});

test("the kept answers are about the logs as they are", () => {
  for (const log of logs) expect([log, answersOf(log).logSha256]).toEqual([log, hashOfLog(join(LOGS, log))]);
});

test("every sample log has an expected verdict, and every expectation a log", () => {
  expect(Object.keys(expected).sort()).toEqual(logs.toSorted());
});

test.for(logs)("%s is read without an issue that does not belong to it", async (log) => {
  const report = await analyzeLog(join(LOGS, log));
  expect(report.log.issues.map(({ code }) => code)).toEqual(expected[log]?.issues ?? []);
});
