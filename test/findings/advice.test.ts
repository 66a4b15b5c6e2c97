import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diagnose } from "../../src/findings/diagnose.ts";
import type { Facts } from "../../src/findings/facts.ts";
import { executorFact, factsOf, jobFact, MIB, MINUTE, plan, type TaskFact } from "./facts-builder.ts";

const usual: TaskFact = { run: 10_000, readBytes: 50 * MIB, readRecords: 100_000 };
const join = plan(
  0,
  ["SortMergeJoin", "SortMergeJoin [k#1], [k#9], Inner"],
  ["Exchange", "Exchange hashpartitioning(k#1, 40), ENSURE_REQUIREMENTS"],
);

function skewedJoin(changes: Partial<Facts> = {}): Facts {
  const tasks = Array.from(
    { length: 40 },
    (_, i): TaskFact => ({
      ...usual,
      launch: Math.floor(i / 10) * 10_000,
      ...(i === 39 ? { run: 200_000, readBytes: 900 * MIB, readRecords: 3e6 } : {}),
    }),
  );
  return factsOf([{ id: 1, tasks }], {
    ...join,
    jobs: [jobFact(0, [1], 0, MINUTE, { execution_id: 0 })],
    ...changes,
  });
}

function withApplication(facts: Facts, changes: Partial<NonNullable<Facts["application"]>>): Facts {
  return { ...facts, application: facts.application && { ...facts.application, ...changes } };
}

test("Spark 2.4 gets no advice about adaptive execution", () => {
  const advice = JSON.stringify(diagnose(withApplication(skewedJoin(), { spark_version: "2.4.8" })).findings);
  expect(advice).not.toMatch(/adaptive/);
  expect(JSON.stringify(diagnose(skewedJoin()).findings)).toMatch(/adaptive/);
});

test("a Photon stage gets no advice about shuffle partitions", () => {
  const tasks = Array.from(
    { length: 40 },
    (_, i): TaskFact => ({
      ...usual,
      launch: Math.floor(i / 10) * 10_000,
      readBytes: 900 * MIB,
      memorySpilled: 1e9,
    }),
  );
  const photon = {
    ...join,
    executions: join.executions.map((x) => ({ ...x, engine: "photon" })),
    jobs: [jobFact(0, [1], 0, MINUTE, { execution_id: 0 })],
  };
  const { verdict, findings } = diagnose(factsOf([{ id: 1, tasks }], photon));
  expect(verdict.cause).toBe("too-few-partitions");
  expect(findings[0]?.advice.join()).not.toContain("spark.sql.shuffle.partitions");
});

test("with adaptive execution merging partitions, raising shuffle.partitions alone is not the advice", () => {
  const tasks = Array.from(
    { length: 40 },
    (_, i): TaskFact => ({
      ...usual,
      launch: Math.floor(i / 10) * 10_000,
      readBytes: 900 * MIB,
      memorySpilled: 1e9,
    }),
  );
  const { findings } = diagnose(
    factsOf([{ id: 1, tasks }], { ...join, jobs: [jobFact(0, [1], 0, MINUTE, { execution_id: 0 })] }),
  );
  expect(findings[0]?.advice.join()).toMatch(/advisoryPartitionSizeInBytes.*initialPartitionNum/);
});

test("an RDD stage is told about its own parallelism, not about SQL settings", () => {
  const tasks = Array.from(
    { length: 40 },
    (_, i): TaskFact => ({
      ...usual,
      launch: Math.floor(i / 10) * 10_000,
      readBytes: 900 * MIB,
      memorySpilled: 1e9,
    }),
  );
  const { findings } = diagnose(factsOf([{ id: 1, tasks }]));
  expect(findings[0]?.advice.join()).toMatch(/spark.default.parallelism/);
  expect(findings[0]?.advice.join()).not.toMatch(/spark\.sql\./);
});

test("advice comes in the order layout, reuse, optimizer, configuration", () => {
  const { findings } = diagnose(skewedJoin());
  const advice = findings[0]?.advice ?? [];
  expect(advice.findIndex((a) => a.includes("hot value"))).toBe(0);
  expect(advice.at(-1)).toContain("adaptive execution split the join");
});

test("a setting names where its value comes from", () => {
  const sessionSettings = [{ execution_id: 0, name: "spark.sql.adaptive.enabled", value: "false" }];
  const properties = [{ kind: "spark", name: "spark.sql.shuffle.partitions", value: "40" }];
  const { configuration } = diagnose(skewedJoin({ sessionSettings, properties }));
  const of = (name: string) => configuration.find((s) => s.name === name);
  expect(of("spark.sql.adaptive.enabled")).toMatchObject({ value: "false", source: "session" });
  expect(of("spark.sql.shuffle.partitions")).toMatchObject({ value: "40", source: "explicit" });
  expect(of("spark.sql.autoBroadcastJoinThreshold")).toMatchObject({ value: "10m", source: "default" });
  expect(of("spark.executor.cores")).toMatchObject({ value: null, source: "unknown" });
  const databricks = diagnose(withApplication(skewedJoin(), { vendor: "databricks" })).configuration;
  expect(databricks.find((s) => s.name === "spark.sql.adaptive.enabled")?.source).toBe("unknown");
});

describe("advice and rejected advice of every finding fit", () => {
  const PAIRS: [rejected: RegExp, advised: RegExp][] = [
    [/^more executor memory/, /(raise|increase).*executor\.memory(?!Overhead)/i],
    [/^more executors/, /add executors|more executors/i],
    [/^more shuffle partitions/, /Set spark\.sql\.shuffle\.partitions/],
    [/^salting/, /\bsalt/i],
    [/^caching/, /^Cache\b/],
  ];
  const sample = [
    skewedJoin(),
    factsOf([{ id: 1, tasks: Array.from({ length: 40 }, (): TaskFact => ({ ...usual, gc: 4000 })) }]),
    factsOf([{ id: 1, tasks: [{ ...usual, run: 100_000 }] }]),
    factsOf([{ id: 1, tasks: Array.from({ length: 40 }, (): TaskFact => ({ ...usual, fetchWait: 5000 })) }]),
    factsOf([
      {
        id: 1,
        tasks: Array.from(
          { length: 40 },
          (): TaskFact => ({ run: 10_000, cpu: 1000, inputBytes: 100 * MIB, inputRecords: 10 }),
        ),
      },
    ]),
  ];

  test.each(sample.map((facts, i) => [i, facts] as const))("application %i", (_, facts) => {
    const { findings } = diagnose(facts);
    const causes = findings.filter((f) => f.cause !== null && f.severity !== "info");
    expect(causes.length).toBeGreaterThan(0);
    for (const finding of causes) {
      expect(finding.rejectedAdvice.length, finding.rule).toBeGreaterThan(0);
      for (const { advice, why } of finding.rejectedAdvice) {
        expect(why.length).toBeGreaterThan(10);
        for (const [rejected, advised] of PAIRS)
          if (rejected.test(advice)) expect(finding.advice.join("\n")).not.toMatch(advised);
      }
    }
  });
});

const anyTask = fc.record({
  launch: fc.integer({ min: 0, max: 100_000 }),
  run: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200_000 })),
  status: fc.constantFrom("success", "failed", "killed") as fc.Arbitrary<"success" | "failed" | "killed">,
  speculative: fc.boolean(),
  index: fc.integer({ min: 0, max: 5 }),
  gc: fc.integer({ min: 0, max: 10_000 }),
  readBytes: fc.integer({ min: 0, max: 1e9 }),
  readRecords: fc.integer({ min: 0, max: 1e6 }),
  writtenRecords: fc.integer({ min: 0, max: 1e6 }),
  inputBytes: fc.integer({ min: 0, max: 1e9 }),
  memorySpilled: fc.constantFrom(0, 0, 1e9),
});

test("whatever the facts: no NaN, no Infinity, no negative time, and the parts of the wall clock add up", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyTask, { minLength: 1, maxLength: 30 }), { minLength: 0, maxLength: 4 }),
      fc.integer({ min: 0, max: 4 }),
      (stages, cores) => {
        const facts = factsOf(
          stages.map((tasks, id) => ({ id, tasks })),
          { executors: Array.from({ length: 5 }, (_, i) => executorFact(String(i + 1), cores)) },
        );
        const diagnosis = diagnose(facts);
        const text = JSON.stringify(diagnosis, (_, value) =>
          typeof value === "number" && !Number.isFinite(value) ? "NOT A NUMBER" : value,
        );
        expect(text).not.toMatch(/NOT A NUMBER|\bNaN\b|\bInfinity\b|undefined/);
        for (const finding of diagnosis.findings)
          expect(finding.recoverableMs ?? 0).toBeGreaterThanOrEqual(0);
        if (diagnosis.wallClock) {
          const { totalMs, judgedMs: _judged, interactive: _shell, ...parts } = diagnosis.wallClock;
          expect(Object.values(parts).reduce((a, b) => a + b, 0)).toBeCloseTo(totalMs, 6);
          for (const part of Object.values(parts)) expect(part).toBeGreaterThanOrEqual(0);
        }
      },
    ),
    { numRuns: 150 },
  );
});
