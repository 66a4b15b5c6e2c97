import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLine } from "../../src/ingest/parse-line.ts";
import { parsePlanLine } from "../../src/ingest/plan-line.ts";
import type { Json } from "../../src/json.ts";
import { LoggedPlan } from "../../src/model/logged-plan.ts";

const UI = "org.apache.spark.sql.execution.ui.SparkListenerSQL";
const PLAN =
  '{"nodeName":"Scan \\u00fc","simpleString":"a#1, \\"sparkPlanInfo\\":{ \\\\","children":[],"metadata":{"Format":"x"},' +
  '"metrics":[{"name":"rows","accumulatorId":9007199254740993,"metricType":"sum"}]}';
const UPDATE = `{"Event":"${UI}AdaptiveExecutionUpdate","executionId":3,"physicalPlanDescription":"== é ==\\n","sparkPlanInfo":${PLAN}}`;
const START =
  `{"Event":"${UI}ExecutionStart","executionId":9007199254740993,"description":"q","physicalPlanDescription":"p \\\\",` +
  `"sparkPlanInfo":${PLAN},"time":1700000000000,"modifiedConfigs":{"k":"},\\"time\\":"},"jobTags":[]}`;

function read(line: string | Buffer): Json | null {
  const bytes = Buffer.concat([Buffer.from("xx"), Buffer.from(line), Buffer.from("}}")]);
  return parsePlanLine(bytes, 2, bytes.length - 2);
}

/** The event as parseLine reads it: the plan's integers may be rounded. */
function plain(event: Json | null): unknown {
  const plan = event?.sparkPlanInfo;
  const all = plan instanceof LoggedPlan ? { ...event, sparkPlanInfo: plan.sparkPlanInfo } : event;
  return JSON.stringify(all, (_key, value) => (typeof value === "bigint" ? Number(value) : value));
}

function planOf(event: Json | null): LoggedPlan {
  if (event?.sparkPlanInfo instanceof LoggedPlan) return event.sparkPlanInfo;
  throw new Error("the plan was not cut out");
}

test("a plan event is read as JSON, with the plan's text as logged", () => {
  for (const line of [UPDATE, START]) {
    const event = read(line);
    expect(plain(event)).toBe(plain(parseLine(line)));
    expect(planOf(event).text).toBe(PLAN);
    expect(Buffer.from(planOf(event).bytes ?? []).toString()).toBe(PLAN);
  }
  expect(read(START)?.executionId).toBe(9007199254740993n);
});

test("a plan that is no UTF-8 has no bytes to store: what replaces the others is in its text", () => {
  const line = Buffer.from(UPDATE);
  line[line.indexOf("Scan") + 1] = 0xff;
  const plan = planOf(read(line));
  expect(plan.text).toContain("S\ufffdan");
  expect(plan.bytes).toBeNull();
});

test("plans are told apart by their text and their description", () => {
  const hash = (line: string) => planOf(read(line)).hash;
  expect(hash(UPDATE)).toBe(hash(UPDATE.replace('"executionId":3', '"executionId":4')));
  expect(hash(UPDATE)).not.toBe(hash(UPDATE.replace("==\\n", "==\\r")));
  expect(hash(UPDATE)).not.toBe(hash(UPDATE.replace("rows", "Rows")));
});

test("a line that Spark does not write is left to the JSON parser", () => {
  for (const line of [
    UPDATE.replace(
      '"executionId":3',
      '"x":{"y":1,"physicalPlanDescription":"a","sparkPlanInfo":{},"time":0}',
    ),
    UPDATE.replace(/}$/, ',"sparkPlanInfo":{}}'),
    UPDATE.replace(/}$/, ',"physicalPlanDescription":"b"}'),
    UPDATE.replace('"sparkPlanInfo":{', '"sparkPlanInfo": {'),
    UPDATE.replace(PLAN, "null"),
    UPDATE.replace('"physicalPlanDescription":"== é ==\\n",', ""),
    START.replace(',"time":1700000000000', ""),
    UPDATE.slice(0, -1),
    '{"Event":"SparkListenerJobEnd","Job ID":0}',
    "{",
  ])
    expect(read(line), line).toBeNull();
});

test("a changed byte never changes what is read", () => {
  for (const line of [UPDATE, START].map((text) => Buffer.from(text))) {
    fc.assert(
      fc.property(
        fc.nat(line.length - 1),
        fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('{}[]",:\\0 '))),
        (at, byte) => {
          const changed = Buffer.from(line);
          changed[at] = byte;
          const event = read(changed);
          if (event) expect(plain(event)).toBe(plain(parseLine(changed.toString())));
        },
      ),
      { seed: 1, numRuns: 3000 },
    );
  }
});
