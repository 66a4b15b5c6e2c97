import { describe, expect, test } from "vitest";
import { diagnose } from "../../src/findings/diagnose.ts";
import {
  executorFact,
  factsOf,
  GIB,
  jobFact,
  MIB,
  MINUTE,
  plan,
  SECOND,
  T0,
  type TaskFact,
} from "./facts-builder.ts";

const HOUR = 60 * MINUTE;

/** The ranking job: a scan of 380 GB that shuffles 205 GB, then a window whose task 812 holds 35 times the usual rows. */
function rankingJob() {
  const scan: TaskFact[] = Array.from({ length: 2800 }, (_, i) => ({
    launch: Math.floor(i / 400) * 63_000,
    run: 63 * SECOND,
    executor: String((i % 100) + 1),
    inputBytes: (380 * GIB) / 2800,
    inputRecords: 1_477_142,
    writtenBytes: (205 * GIB) / 2800,
    writtenRecords: 1_477_142,
  }));
  const start = 445 * SECOND;
  const window: TaskFact[] = Array.from({ length: 1000 }, (_, i) => {
    const wave = Math.floor(i / 400) * 210 * SECOND;
    const usual: TaskFact = {
      launch: start + wave,
      run: 210 * SECOND,
      executor: String((i % 100) + 1),
      readBytes: 205 * MIB,
      readRecords: 4_000_000,
      outputBytes: 1.6 * MIB,
      gc: 6 * SECOND,
    };
    return i === 812
      ? {
          ...usual,
          executor: "41",
          run: 2 * HOUR,
          readBytes: 7 * GIB,
          readRecords: 140_000_000,
          gc: 38 * MINUTE,
          memorySpilled: 29 * GIB,
          diskSpilled: 6.4 * GIB,
        }
      : usual;
  });
  const facts = factsOf(
    [
      { id: 3, tasks: scan, changes: { own_time_ms: 444 * SECOND } },
      { id: 4, tasks: window, changes: { parent_ids: [3], own_time_ms: 7600 * SECOND } },
    ],
    {
      end: 2.3 * HOUR,
      executors: Array.from({ length: 100 }, (_, i) =>
        executorFact(
          String(i + 1),
          4,
          i === 40
            ? { total_gc_time_ms: 41 * MINUTE, total_duration_ms: 4.07 * HOUR }
            : { total_gc_time_ms: MINUTE, total_duration_ms: 2 * HOUR },
        ),
      ),
    },
  );
  return diagnose(facts);
}

describe("the ranking job: one title with 35 times the usual rows", () => {
  const { checks, verdict, findings, causes, wallClock } = rankingJob();
  const check = (name: string) => checks.find((c) => c.check === name);

  test("check 1 picks the window stage", () => {
    expect(check("slow-stage")).toMatchObject({ status: "pass", stageId: 4, limit: null });
    expect(check("slow-stage")?.value).toBeCloseTo(0.918, 2);
  });

  test("check 2: as many rows are written as read, 0.54 of the bytes: honest", () => {
    expect(check("shuffle-volume")).toMatchObject({ status: "pass", stageId: 3, value: 1 });
    expect(check("shuffle-volume")?.explanation).toContain("0.54x");
  });

  test("check 3: 2.0 h against 3.5 min is 34 times, fails", () => {
    expect(check("skew")).toMatchObject({ status: "fail", stageId: 4 });
    expect(check("skew")?.value).toBeCloseTo(34.3, 1);
  });

  test("check 4 fails on executor 41 only", () => {
    expect(check("gc")).toMatchObject({ status: "fail", executors: ["41"] });
  });

  test("check 5 fails in one task", () => {
    expect(check("spill")).toMatchObject({ status: "fail", value: 1 });
  });

  test("the verdict is skew, and GC and spill are its consequences", () => {
    expect(verdict).toMatchObject({ cause: "skew", stageId: 4, confidence: "high", severity: "critical" });
    expect(verdict.consequences.join("\n")).toMatch(
      /GC on executor 41: its task 812 spent 38.0 min of 2.00 h in it \(32 %\)/,
    );
    expect(verdict.consequences.join("\n")).toMatch(
      /spill of 29.0 GiB memory and 6.4 GiB disk in task 812 alone/,
    );
  });

  test("more memory, more executors and more partitions are rejected, with reasons", () => {
    const rejected = findings[0]?.rejectedAdvice.map((r) => r.advice);
    expect(rejected).toEqual(["more executor memory", "more executors", "more shuffle partitions"]);
    expect(JSON.stringify(findings[0]?.advice)).not.toContain("spark.executor.memory");
  });

  test("the price is bounded by what the long task exceeds the others", () => {
    expect(findings[0]?.recoverableMs).toBeGreaterThan(1.7 * HOUR);
    expect(findings[0]?.recoverableMs).toBeLessThanOrEqual(2 * HOUR - 210 * SECOND);
    expect(findings[0]?.evidence.join("\n")).toContain("not below 2.00 h while that task stays whole");
  });

  test("partitions of 205 MiB, just over the target, are no cause", () => {
    expect(causes.find((c) => c.cause === "too-few-partitions")?.status).toBe("out");
  });

  test("the minutes that no stage explains are in the split of the wall clock", () => {
    const parts = wallClock
      ? wallClock.startupMs +
        wallClock.tasksMs +
        wallClock.driverGapMs +
        wallClock.schedulingWaitMs +
        wallClock.driverCollectMs +
        wallClock.pausesMs +
        wallClock.waitingMs
      : 0;
    expect(parts).toBeCloseTo(wallClock?.totalMs ?? 0, 3);
    expect(wallClock?.totalMs).toBeCloseTo(2.3 * HOUR, 3);
  });
});

test("explode before groupBy: 3.2 times the rows are written, so shuffle volume comes before the skew of 6", () => {
  const tasks = Array.from(
    { length: 200 },
    (_, i): TaskFact => ({
      launch: Math.floor(i / 10) * 100 * SECOND,
      run: i === 0 ? 600 * SECOND : 100 * SECOND,
      inputBytes: 256 * MIB,
      inputRecords: i === 0 ? 60_000_000 : 10_000_000,
      writtenBytes: 819 * MIB,
      writtenRecords: i === 0 ? 192_000_000 : 32_000_000,
    }),
  );
  const { verdict, findings } = diagnose(
    factsOf([{ id: 0, tasks }], {
      ...plan(0, ["Generate", "Generate explode(tags#6), [id#1L], false, [tag#7]"]),
      jobs: [jobFact(0, [0], 0, 2000 * SECOND, { execution_id: 0 })],
    }),
  );
  expect(verdict.cause).toBe("shuffle-volume");
  expect(findings[0]?.evidence.join()).toContain("Generate explode");
});

function sizing(gib: number, partitions: number, cores: number, memorySpilled = 0) {
  const tasks = Array.from(
    { length: partitions },
    (_, i): TaskFact => ({
      launch: Math.floor(i / cores) * MINUTE,
      run: MINUTE,
      readBytes: Math.floor((gib * GIB) / partitions),
      readRecords: 1000,
      executor: String((i % cores) + 1),
      memorySpilled,
    }),
  );
  return factsOf([{ id: 1, tasks }], {
    executors: Array.from({ length: cores }, (_, i) => executorFact(String(i + 1), 1)),
    ...plan(0, ["Exchange", `Exchange hashpartitioning(k#1, ${partitions}), ENSURE_REQUIREMENTS`]),
    jobs: [jobFact(0, [1], 0, MINUTE, { execution_id: 0 })],
    properties: [{ kind: "spark", name: "spark.sql.adaptive.enabled", value: "false" }],
  });
}

test("40 GB of shuffle on 200 cores: 320 partitions by size, 400 to 600 by cores, 600 advised", () => {
  const { verdict, findings } = diagnose(sizing(40, 200, 200));
  expect(verdict).toMatchObject({ cause: "too-few-partitions", severity: "info" });
  expect(findings[0]).toMatchObject({ recommendedPartitions: 600, recoverableMs: 0, severity: "info" });
  expect(findings[0]?.evidence[0]).toContain(
    "200 partitions of 204.8 MiB on average, 1.0 waves on 200 slots",
  );
  expect(findings[0]?.evidence[0]).toContain("205 to 320, by cores (2 to 3 a core) 400 to 600");
  expect(findings[0]?.advice.join()).toContain("Set spark.sql.shuffle.partitions to 600");
});

test("10 TB over 200 partitions is 51.2 GiB each", () => {
  expect(diagnose(sizing(10 * 1024, 200, 200, GIB)).findings[0]?.title).toContain("51.2 GiB a partition");
});

test("300 cores with 50 partitions leave 250 idle", () => {
  const { verdict, findings } = diagnose(sizing(5, 50, 300));
  expect(verdict.cause).toBe("under-parallelism");
  expect(findings[0]?.evidence[0]).toContain("50 tasks for 300 slots, 250 of them idle");
  expect(findings[0]?.rejectedAdvice.map((r) => r.advice)).toContain("more executors");
});

test("two shuffles of one run get two different partition counts", () => {
  const reads = (gib: number, id: number, start: number) => ({
    id,
    tasks: Array.from(
      { length: 100 },
      (_, i): TaskFact => ({
        launch: start + Math.floor(i / 100) * MINUTE,
        run: MINUTE,
        executor: String(i + 1),
        readBytes: Math.floor((gib * GIB) / 100),
        readRecords: 1000,
      }),
    ),
  });
  const { findings } = diagnose(
    factsOf([reads(40, 1, 0), reads(16, 2, MINUTE)], {
      executors: Array.from({ length: 100 }, (_, i) => executorFact(String(i + 1), 1)),
    }),
  );
  const counts = findings
    .filter((f) => f.recommendedPartitions !== null)
    .map((f) => [f.stageId, f.recommendedPartitions]);
  expect(counts).toEqual(
    expect.arrayContaining([
      [1, 320],
      [2, 300],
    ]),
  );
});

test("feature join: 3 of 400 tasks ten times as long with big reads and spill of their own: a skewed key, not sizing", () => {
  const tasks = Array.from({ length: 400 }, (_, i): TaskFact => {
    const hot = i % 150 === 7;
    return {
      launch: Math.floor(i / 100) * 4000,
      run: hot ? 60 * SECOND : 4 * SECOND,
      readBytes: (hot ? 900 : 60) * MIB,
      readRecords: hot ? 9_000_000 : 600_000,
      gc: hot ? 1200 : 80,
      memorySpilled: hot ? 3 * GIB : 0,
      diskSpilled: hot ? GIB : 0,
    };
  });
  const { verdict, findings } = diagnose(
    factsOf([{ id: 2, tasks }], {
      ...plan(
        0,
        ["SortMergeJoin", "SortMergeJoin [id#1], [id#9], Inner"],
        ["Exchange", "Exchange hashpartitioning(id#1, 400), ENSURE_REQUIREMENTS"],
      ),
      jobs: [jobFact(0, [2], 0, 200 * SECOND, { execution_id: 0 })],
      executors: Array.from({ length: 10 }, (_, i) => executorFact(String(i + 1), 10)),
    }),
  );
  expect(verdict.cause).toBe("skew");
  const advice = findings[0]?.advice.join("\n") ?? "";
  expect(advice).toMatch(/salt the key of id#1/);
  expect(advice).toMatch(/Broadcast the other side/);
  expect(advice).toMatch(/adaptive execution split the join/);
  expect(advice).not.toMatch(/executor.memory/);
});

test("199 fast tasks and one of 20 minutes: its input beside the median comes first, configuration last", () => {
  const tasks = Array.from(
    { length: 200 },
    (_, i): TaskFact => ({
      launch: Math.floor(i / 10) * 2000,
      run: i === 5 ? 20 * MINUTE : 2 * SECOND,
      readBytes: (i === 5 ? 8000 : 10) * MIB,
      readRecords: i === 5 ? 80_000_000 : 100_000,
    }),
  );
  const { findings } = diagnose(factsOf([{ id: 1, tasks }]));
  expect(findings[0]?.evidence[1]).toContain(
    "bytes read 7.8 GiB (median 10.0 MiB), records read 80,000,000 (median 100,000)",
  );
});

test("most tasks 0.2 s and one of 120 s: ratio 600, and the job's time is that task", () => {
  const tasks = Array.from(
    { length: 200 },
    (_, i): TaskFact => ({
      launch: 0,
      run: i === 0 ? 120 * SECOND : 200,
      readBytes: i === 0 ? 600 * MIB : MIB,
      readRecords: 10,
    }),
  );
  const { checks, verdict, findings } = diagnose(factsOf([{ id: 1, tasks }]));
  expect(checks[2]).toMatchObject({ value: 600, status: "fail" });
  expect(verdict.cause).toBe("skew");
  expect(findings[0]?.evidence.join("\n")).toContain("not below 2.0 min");
});

test("4 of 100 tasks at three times the median with the usual data are stragglers", () => {
  const tasks = Array.from(
    { length: 100 },
    (_, i): TaskFact => ({
      launch: Math.floor(i / 10) * 20_000,
      run: i >= 96 ? 60 * SECOND : 20 * SECOND,
      readBytes: 50 * MIB,
      readRecords: 1000,
      gc: i >= 96 ? 15 * SECOND : 300,
    }),
  );
  const { verdict, checks, findings } = diagnose(factsOf([{ id: 1, tasks }]));
  expect(checks[2]).toMatchObject({ value: 3, status: "watch" });
  expect(verdict.cause).toBe("stragglers");
  expect(findings[0]?.evidence.join()).toContain("25 % of their time in garbage collection");
});

test("40 % of a memory-only dataset cached: the rest is computed again on each access", () => {
  const rdd = {
    rdd_id: 5,
    name: "features",
    storage_level: "Memory Deserialized 1x Replicated",
    use_disk: 0,
    use_memory: 1,
    number_of_partitions: 100,
    unpersisted: 0,
    cached_partitions: 40,
    max_cached_partitions: 40,
    evicted_blocks: 0,
    memory_size_bytes: GIB,
    disk_size_bytes: 0,
    stages: 3,
    own_time_ms: 100_000,
  };
  const tasks = Array.from(
    { length: 100 },
    (_, i): TaskFact => ({ launch: Math.floor(i / 10) * 10_000, run: 10 * SECOND }),
  );
  const { verdict, findings } = diagnose(factsOf([{ id: 1, tasks }], { rdds: [rdd] }));
  expect(verdict.cause).toBe("cache-incomplete");
  expect(findings[0]?.evidence[0]).toMatch(
    /40 of 100 partitions cached at most \(40 %\).*computed again on each access/,
  );
  const onDisk = diagnose(
    factsOf([{ id: 1, tasks }], {
      rdds: [{ ...rdd, use_disk: 1, storage_level: "Disk Memory Deserialized 1x Replicated" }],
    }),
  );
  expect(onDisk.findings[0]?.evidence[0]).toContain("read from disk");
});

test("executors lost and replaced in a run that succeeded are still listed", () => {
  const tasks = Array.from(
    { length: 100 },
    (_, i): TaskFact => ({
      launch: Math.floor(i / 10) * 10_000,
      run: 10 * SECOND,
      readBytes: MIB,
      readRecords: 10,
    }),
  );
  const lost = [1, 2, 3].map((i) =>
    executorFact(String(20 + i), 1, {
      removed_time_ms: T0 + i * 1000,
      removal_class: "out-of-memory",
      exit_code: 137,
    }),
  );
  const alive = Array.from({ length: 10 }, (_, i) =>
    executorFact(String(i + 1), 1, { added_time_ms: T0 + 5000 }),
  );
  const { findings } = diagnose(factsOf([{ id: 1, tasks }], { executors: [...lost, ...alive] }));
  expect(findings.find((f) => f.rule === "executors-lost")).toMatchObject({
    severity: "info",
    title: "3 executors were lost, 3 replaced later",
  });
});

test.each([
  [
    "Task not serializable: java.io.NotSerializableException: com.example.Client",
    "serialization",
    /mapPartitions/,
  ],
  [
    "_pickle.PicklingError: Could not serialize object: TypeError: cannot pickle '_thread.lock' object",
    "serialization",
    /connection must not be broadcast/,
  ],
  ["Unable to find encoder for type stored in a Dataset", "encoder", /no closure problem/],
  ["java.lang.OutOfMemoryError: Java heap space", "out-of-memory", /before raising memory/],
])("a job that failed with %s", (text, kind, advice) => {
  const tasks = Array.from({ length: 20 }, (): TaskFact => ({ run: 5 * SECOND }));
  const { verdict, findings } = diagnose(
    factsOf([{ id: 1, tasks }], { jobs: [jobFact(0, [1], 0, 5000, { status: "failed", failure: text })] }),
  );
  expect(verdict).toMatchObject({ cause: "failure", severity: "critical" });
  expect(verdict.title).toContain(`(${kind})`);
  expect(findings[0]?.advice.join("\n")).toMatch(advice);
});

test("adaptive execution left a hot partition whole because it is below 256 MiB", () => {
  const tasks = Array.from(
    { length: 200 },
    (_, i): TaskFact => ({
      launch: Math.floor(i / 10) * 2000,
      run: i === 5 ? 5 * MINUTE : 2 * SECOND,
      readBytes: (i === 5 ? 200 : 2) * MIB,
      readRecords: i === 5 ? 8_000_000 : 80_000,
    }),
  );
  const { findings } = diagnose(
    factsOf([{ id: 1, tasks }], {
      ...plan(0, ["SortMergeJoin", "SortMergeJoin [id#1], [id#9], LeftOuter"]),
      jobs: [jobFact(0, [1], 0, 300_000, { execution_id: 0 })],
    }),
  );
  expect(findings[0]?.evidence.join("\n")).toContain(
    "the hot task reads 200.0 MiB, and only partitions above 256.0 MiB and 5x the median count as skewed",
  );
});
