import fc from "fast-check";
import { expect, test } from "vitest";
import { failureClass, normaliseFailure } from "../../src/findings/failure-class.ts";
import { rddName } from "../../src/findings/rdd-name.ts";
import { parseBytes } from "../../src/findings/settings.ts";

test.each([
  ["FetchFailed", "", "fetch"],
  ["", "org.apache.spark.shuffle.FetchFailedException: Failed to connect to node-1/10.0.0.1:7337", "fetch"],
  ["ExceptionFailure", "java.lang.OutOfMemoryError: GC overhead limit exceeded", "out-of-memory"],
  ["ExecutorLostFailure", "Container killed by YARN for exceeding physical memory limits", "out-of-memory"],
  ["ExecutorLostFailure", "Executor heartbeat timed out after 141213 ms", "timeout"],
  ["ExecutorLostFailure", "worker lost", "executor-lost"],
  ["ExceptionFailure", "java.io.NotSerializableException: com.example.Client", "serialization"],
  ["", "Could not serialize object: TypeError: cannot pickle 'SSLContext' object", "serialization"],
  ["", "Unable to find encoder for type Event", "encoder"],
  ["TaskCommitDenied", "", "commit-denied"],
  ["TaskKilled", "another attempt succeeded", "killed"],
  ["Resubmitted", "", "output-lost"],
  ["ExceptionFailure", "java.lang.ArithmeticException: / by zero", "error"],
])("a task that ended with %s %s", (reason, text, kind) => {
  expect(failureClass(reason, text)).toBe(kind);
});

test("failures that differ in ids, hosts, paths and numbers only are one", () => {
  const a = "Failed to open hdfs://nn-1:8020/data/part-00017.parquet at node-1.example:7337, attempt 3";
  const b =
    "Failed to open hdfs://nn-2:8020/data/part-00923.parquet at node-12.example:7337, attempt 12\n\tat java.base";
  expect(normaliseFailure(a)).toBe(normaliseFailure(b));
  expect(normaliseFailure(a)).not.toMatch(/\d/);
});

test("any text has a first line of bounded length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const line = normaliseFailure(text);
      expect(line.length).toBeLessThanOrEqual(240);
      expect(line).not.toContain("\n");
    }),
  );
});

test("sizes as Spark writes them", () => {
  expect(["128m", "10485760", "1.5g", "64MB", "-1", "10 GiB", "auto", "", null].map(parseBytes)).toEqual([
    134_217_728,
    10_485_760,
    1_610_612_736,
    67_108_864,
    -1,
    10_737_418_240,
    null,
    null,
    null,
  ]);
});

test("a cached plan is named by the beginning of its first line", () => {
  expect(rddName({ rdd_id: 9, name: `Project [${"a".repeat(100)}]\n+- Range` })).toBe(
    `RDD 9 (Project [${"a".repeat(51)}...)`,
  );
  expect(rddName({ rdd_id: 9, name: null })).toBe("RDD 9");
});
