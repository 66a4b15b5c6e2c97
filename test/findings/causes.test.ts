import { describe, expect, test } from "vitest";
import { diagnose } from "../../src/findings/diagnose.ts";
import type { Facts } from "../../src/findings/facts.ts";
import {
  executorFact,
  factsOf,
  jobFact,
  MIB,
  MINUTE,
  plan,
  SECOND,
  type StageLine,
  T0,
  type TaskFact,
  waves,
} from "./facts-builder.ts";

type Changes = Parameters<typeof factsOf>[1];

/** Ruling of one cause for an application of these stages. */
function ruling(cause: string, stages: StageLine[], changes: Changes = {}) {
  const found = diagnose(factsOf(stages, changes)).causes.find((c) => c.cause === cause);
  if (!found) throw new Error(`no ruling of ${cause}`);
  return found;
}

const usual: TaskFact = { run: 10 * SECOND, readBytes: 50 * MIB, readRecords: 100_000 };

/** 40 tasks in four waves on ten slots; the chosen ones are changed. */
function fourWaves(changed: Record<number, Partial<TaskFact>>, task: TaskFact = usual): StageLine {
  return { id: 1, tasks: waves(40, task).map((t, i) => ({ ...t, ...changed[i] })) };
}

describe("skew, slow node, stragglers", () => {
  const longTask = (data: number) =>
    fourWaves({ 35: { run: 100 * SECOND, readBytes: 50 * MIB * data, readRecords: 100_000 * data } });

  test("a task with twice the data and ten times the time is skew; with 1.9 times the data a straggler", () => {
    expect(ruling("skew", [longTask(2)]).status).toBe("in");
    expect(ruling("skew", [longTask(1.9)]).status).toBe("out");
    expect(ruling("stragglers", [longTask(1.9)]).status).toBe("in");
  });

  test("a hot key whose rows are multiplied by a join shows in what its task writes", () => {
    expect(
      ruling("skew", [
        fourWaves(
          { 35: { run: 100 * SECOND, writtenRecords: 1e7 }, 3: { writtenRecords: 1e5 } },
          { ...usual, writtenRecords: 1e5 },
        ),
      ]).status,
    ).toBe("in");
  });

  test("a ratio of ten in a stage of a fifth of a second is no headline", () => {
    const tiny = {
      id: 1,
      tasks: waves(40, { run: 20, readBytes: MIB, readRecords: 10 }).map((t, i) =>
        i === 7 ? { ...t, run: 200, readBytes: 20 * MIB } : t,
      ),
    };
    const rest = { id: 2, tasks: waves(100, { ...usual, launch: 1000 }) };
    expect(ruling("skew", [tiny, rest]).status).toBe("out");
  });

  test("the tasks of one host at three times the others' pace with the usual data: slow node", () => {
    const slow = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => i)
        .filter((i) => i % 10 === 4)
        .map((i) => [i, { run: 40 * SECOND }]),
    );
    const slowNode = ruling("slow-node", [fourWaves(slow)]);
    expect(slowNode.status).toBe("in");
    expect(slowNode.evidence[0]).toContain("100 % of the excess over the median lies on host node-5");
  });

  test("all tasks of one host at 1.6 times the others' time: slow node; with as many times their data it is not", () => {
    const onNode5 = (task: Partial<TaskFact>) =>
      Object.fromEntries([4, 14, 24, 34].map((i) => [i, { run: 16 * SECOND, ...task }]));
    expect(ruling("slow-node", [fourWaves(onNode5({}))]).status).toBe("in");
    expect(
      ruling("slow-node", [fourWaves(onNode5({ readBytes: 80 * MIB, readRecords: 160_000 }))]).status,
    ).toBe("out");
  });

  test("one slow task alone does not make its host slow", () => {
    expect(ruling("slow-node", [fourWaves({ 35: { run: 100 * SECOND } })]).status).toBe("out");
  });

  test("without bytes or records a ratio above five is skew, below it a straggler", () => {
    const bare = (run: number) => fourWaves({ 35: { run } }, { run: 10 * SECOND });
    expect(ruling("skew", [bare(80 * SECOND)]).status).toBe("in");
    expect(ruling("stragglers", [bare(45 * SECOND)]).status).toBe("in");
  });

  test("a first wave twice as long as the rest is warm-up, no finding", () => {
    const cold = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i, { run: 30 * SECOND }]));
    const { verdict, causes } = diagnose(factsOf([fourWaves(cold)]));
    expect(verdict.cause).toBe("healthy");
    expect(causes.find((c) => c.cause === "stragglers")?.evidence[0]).toContain("warm-up");
  });

  test("the first tasks of executors that joined a running application are warm-up", () => {
    const slow = [10, 11, 12, 20, 21, 22].map((i) => [i, { run: 30 * SECOND, executor: `late-${i}` }]);
    const executors = [
      ...Array.from({ length: 10 }, (_, i) => executorFact(String(i + 1), 1)),
      ...[10, 11, 12, 20, 21, 22].map((i) => executorFact(`late-${i}`, 1, { added_time_ms: T0 + 9000 })),
    ];
    const facts = [fourWaves(Object.fromEntries(slow))];
    expect(ruling("stragglers", facts).status).toBe("in");
    const later = ruling("stragglers", facts, { executors });
    expect(later.status).toBe("out");
    expect(later.evidence.join()).toContain("warm-up");
  });

  test("an original killed because its copy won counts with its time until the kill", () => {
    const stage = fourWaves({});
    stage.tasks.push(
      { index: 5, status: "killed", run: 0, duration: 150 * SECOND, executor: "9" },
      {
        index: 5,
        speculative: true,
        run: 10 * SECOND,
        launch: 140 * SECOND,
        readBytes: 50 * MIB,
        readRecords: 100_000,
      },
    );
    stage.tasks.splice(5, 1);
    const stragglers = ruling("stragglers", [stage]);
    expect(stragglers.status).toBe("in");
    expect(stragglers.evidence.join()).toContain(
      "1 original attempts were killed because their speculative copy won",
    );
  });

  test("skew in a scan is answered by the file, not by salting", () => {
    const tasks = waves(40, { run: 10 * SECOND, inputBytes: 128 * MIB, inputRecords: 1e6 }).map((t, i) =>
      i === 39 ? { ...t, run: 400 * SECOND, inputBytes: 5000 * MIB, inputRecords: 4e7 } : t,
    );
    const { findings } = diagnose(factsOf([{ id: 1, tasks }]));
    expect(findings[0]?.title).toContain("Input skew");
    expect(findings[0]?.advice.join()).not.toMatch(/salt|shuffle\.partitions|skewJoin/);
    expect(findings[0]?.rejectedAdvice.map((r) => r.advice)).toContain("salting or AQE skew handling");
  });

  test("without any task that ended well nobody can say", () => {
    const failed = {
      id: 1,
      tasks: waves(5, { run: 10 * SECOND, status: "failed" }),
      changes: { status: "failed" },
    };
    expect(ruling("skew", [failed]).status).toBe("unknown");
  });
});

describe("shuffle volume", () => {
  const writes = (rows: number, changes: Partial<TaskFact> = {}) => ({
    id: 1,
    tasks: waves(40, {
      run: 10 * SECOND,
      inputBytes: 100 * MIB,
      inputRecords: 1000,
      writtenBytes: 50 * MIB,
      writtenRecords: 1000 * rows,
      ...changes,
    }),
  });

  test("2.0 rows written for each read fail, 1.9 are watched", () => {
    expect(ruling("shuffle-volume", [writes(2)]).status).toBe("in");
    expect(ruling("shuffle-volume", [writes(1.9)]).status).toBe("out");
    expect(diagnose(factsOf([writes(1.9)])).checks[1]?.status).toBe("watch");
  });

  test("three times the bytes with as many rows is encoding and passes", () => {
    const check = diagnose(factsOf([writes(1, { writtenBytes: 300 * MIB })])).checks[1];
    expect(check?.status).toBe("pass");
    expect(check?.explanation).toContain("by encoding, not by rows");
  });

  test("cached input, a GPU and a Python RDD count batches, not rows: unknown", () => {
    const rdds = (changes: Partial<Facts["stageRdds"][number]>) => [
      { stage_id: 1, stage_attempt_id: 0, rdd_names: "", persisted: 0, scans_cache: 0, ...changes },
    ];
    expect(ruling("shuffle-volume", [writes(9)], { stageRdds: rdds({ scans_cache: 1 }) }).status).toBe(
      "unknown",
    );
    expect(
      ruling("shuffle-volume", [writes(9)], { stageRdds: rdds({ rdd_names: "PairwiseRDD reduceByKey" }) })
        .status,
    ).toBe("unknown");
    const gpu = factsOf([writes(9)]);
    const application = gpu.application && { ...gpu.application, engine: "rapids" };
    expect(diagnose({ ...gpu, application }).checks[1]?.status).toBe("unknown");
  });

  test("bytes decide only where rows are not recorded", () => {
    const bytes = writes(0, { writtenRecords: 0, inputRecords: 0, writtenBytes: 260 * MIB });
    expect(ruling("shuffle-volume", [bytes])).toMatchObject({ status: "in" });
    expect(diagnose(factsOf([bytes])).checks[1]).toMatchObject({ limit: 2.5 });
  });
});

describe("parallelism and partitions", () => {
  const fewTasks = (count: number) => ({
    id: 1,
    tasks: Array.from(
      { length: count },
      (_, i): TaskFact => ({ run: 60 * SECOND, executor: String(i + 1), inputBytes: MIB, inputRecords: 1 }),
    ),
  });

  test("7 tasks on 10 slots are too few, 8 are not", () => {
    expect(ruling("under-parallelism", [fewTasks(7)]).status).toBe("in");
    expect(ruling("under-parallelism", [fewTasks(8)]).status).toBe("out");
  });

  test("one task is single-partition only with its cause in the plan", () => {
    const jobs = [jobFact(0, [1], 0, MINUTE, { execution_id: 0 })];
    const window = ruling("single-partition", [fewTasks(1)], {
      ...plan(0, ["Exchange", "Exchange SinglePartition, ENSURE_REQUIREMENTS"]),
      jobs,
    });
    expect(window.status).toBe("in");
    expect(
      ruling("single-partition", [fewTasks(1)], {
        ...plan(0, ["Exchange", "Exchange hashpartitioning(k#1, 1)"]),
        jobs,
      }).status,
    ).toBe("out");
    expect(ruling("under-parallelism", [fewTasks(1)]).status).toBe("in");
  });

  test("1,000 tasks of 100 ms with little to read are too many, 999 or 101 ms are not", () => {
    const many = (count: number, run: number) => ({
      id: 1,
      tasks: waves(count, { run, duration: run + 100, readBytes: 1000, readRecords: 10 }),
    });
    const long = { id: 2, tasks: waves(20, { ...usual, launch: 20_000 }) };
    expect(ruling("too-many-small-tasks", [many(1000, 100), long]).status).toBe("in");
    expect(ruling("too-many-small-tasks", [many(999, 100), long]).status).toBe("out");
    expect(ruling("too-many-small-tasks", [many(1000, 101), long]).status).toBe("out");
  });

  test("500 tasks of 200 ms are fine", () => {
    expect(
      diagnose(factsOf([{ id: 1, tasks: waves(500, { run: 200, readBytes: 100_000, readRecords: 10 }) }]))
        .verdict.cause,
    ).toBe("healthy");
  });
});

describe("memory", () => {
  const spilling = (tasks: number, bytes: number, run = 10 * SECOND) => ({
    id: 1,
    tasks: waves(40, { ...usual, readBytes: bytes }).map((t, i) =>
      i < tasks ? { ...t, run, memorySpilled: 1e9, diskSpilled: 1e8 } : t,
    ),
  });

  test("spill in a fifth of the run time is a cause, below it is not", () => {
    expect(ruling("spill", [spilling(5, 50 * MIB, 20 * SECOND)]).status).toBe("in");
    expect(ruling("spill", [spilling(4, 50 * MIB, 20 * SECOND)]).status).toBe("out");
    expect(ruling("spill", [spilling(40, 50 * MIB)]).status).toBe("in");
  });

  test("spill that makes tasks no slower than the others is none", () => {
    expect(ruling("spill", [spilling(10, 50 * MIB, 15 * SECOND)]).status).toBe("in");
    expect(ruling("spill", [spilling(10, 50 * MIB)]).status).toBe("out");
    const half = spilling(10, 50 * MIB, 15 * SECOND);
    const more = half.tasks.map((t, i) => (i < 10 ? { ...t, readBytes: 75 * MIB, readRecords: 150_000 } : t));
    expect(ruling("spill", [{ ...half, tasks: more }]).status).toBe("out");
  });

  test("uniform spill over 128 MiB a task is too few partitions, at 128 MiB it is spill", () => {
    expect(ruling("too-few-partitions", [spilling(40, 129 * MIB)]).status).toBe("in");
    expect(ruling("spill", [spilling(40, 129 * MIB)]).status).toBe("out");
    expect(ruling("too-few-partitions", [spilling(40, 128 * MIB)]).status).toBe("out");
    expect(ruling("spill", [spilling(40, 128 * MIB)]).status).toBe("in");
  });

  test("a tenth of the task time in GC is pressure, 9 % is not", () => {
    const gc = (share: number) => fourWaves({}, { ...usual, gc: 10 * SECOND * share });
    expect(ruling("gc-pressure", [gc(0.1)]).status).toBe("in");
    expect(ruling("gc-pressure", [gc(0.09)]).status).toBe("out");
  });

  test("GC without spill and with cached data is the cache's", () => {
    const rdd = {
      rdd_id: 5,
      name: "features",
      storage_level: "Memory Deserialized 1x Replicated",
      use_disk: 0,
      use_memory: 1,
      number_of_partitions: 40,
      unpersisted: 0,
      cached_partitions: null,
      max_cached_partitions: null,
      evicted_blocks: null,
      memory_size_bytes: null,
      disk_size_bytes: null,
      stages: 1,
      own_time_ms: 100,
    };
    const stage = fourWaves({}, { ...usual, gc: 3 * SECOND });
    const cached = ruling("gc-pressure-cache", [stage], { rdds: [rdd] });
    expect(cached.status).toBe("in");
    expect(cached.evidence.join()).toContain("how much of it is cached is not in the event log");
    expect(ruling("gc-pressure", [stage], { rdds: [rdd] }).status).toBe("out");
    const spills = fourWaves({}, { ...usual, gc: 3 * SECOND, memorySpilled: 1 });
    expect(ruling("gc-pressure", [spills], { rdds: [rdd] }).status).toBe("in");
  });

  test("memory advice comes with the memory model of the run", () => {
    const properties = [{ kind: "spark", name: "spark.executor.memory", value: "8g" }];
    const { findings } = diagnose(factsOf([spilling(40, 500 * MIB)], { properties }));
    expect(findings[0]?.advice.at(-1)).toMatch(
      /heap 8.0 GiB \(spark.executor.memory = 8g \(set by the application\)\) - 300 MiB reserved, x 0.6 = 4.6 GiB/,
    );
  });
});

describe("transport", () => {
  test("a fifth of the run time in fetch wait is a cause, 19 % is not", () => {
    const wait = (share: number) => fourWaves({}, { ...usual, fetchWait: 10 * SECOND * share });
    expect(ruling("shuffle-fetch-wait", [wait(0.2)]).status).toBe("in");
    expect(ruling("shuffle-fetch-wait", [wait(0.19)]).status).toBe("out");
  });

  test("an external shuffle service is named as not provable", () => {
    const properties = [
      {
        kind: "spark",
        name: "spark.shuffle.manager",
        value: "org.apache.spark.shuffle.celeborn.SparkShuffleManager",
      },
    ];
    expect(
      ruling("shuffle-fetch-wait", [fourWaves({}, { ...usual, fetchWait: 5000 })], {
        properties,
      }).evidence.join(),
    ).toContain("Celeborn is configured: whether it was slow is not in the event log");
  });

  test("a scan with 49 % CPU waits for storage, with 50 % it does not", () => {
    const scan = (cpu: number) => ({
      id: 1,
      tasks: waves(40, {
        run: 10 * SECOND,
        cpu: 10 * SECOND * cpu,
        inputBytes: 100 * MIB,
        inputRecords: 1000,
      }),
    });
    expect(ruling("scan-overhead", [scan(0.49)]).status).toBe("in");
    expect(ruling("scan-overhead", [scan(0.5)]).status).toBe("out");
  });

  test("a tenth of the task time in deserialization is a cause", () => {
    expect(ruling("serialization", [fourWaves({}, { ...usual, deserialize: 1200 })]).status).toBe("in");
    expect(ruling("serialization", [fourWaves({}, { ...usual, deserialize: 1000 })]).status).toBe("out");
  });

  test("a Python function that the JVM waits for", () => {
    const jobs = [jobFact(0, [1], 0, MINUTE, { execution_id: 0 })];
    const python = { ...plan(0, ["BatchEvalPython", "BatchEvalPython [f(v#2)]"]), jobs };
    const cpu = (share: number) => fourWaves({}, { ...usual, cpu: 10 * SECOND * share });
    expect(ruling("python-transport", [cpu(0.2)], python).status).toBe("in");
    expect(ruling("python-transport", [cpu(0.6)], python).status).toBe("out");
    expect(ruling("python-transport", [cpu(0.2)]).status).toBe("out");
  });

  test("a Python function costs what the JVM waits beyond its other stages", () => {
    const jobs = [jobFact(0, [1], 0, MINUTE, { execution_id: 0 }), jobFact(1, [2], MINUTE, 2 * MINUTE)];
    const python = { ...plan(0, ["BatchEvalPython", "BatchEvalPython [f(v#2)]"]), jobs };
    const stages = (cpu: number) => [
      fourWaves({}, { ...usual, cpu: 10 * SECOND * cpu }),
      {
        id: 2,
        tasks: waves(40, { ...usual, cpu: 8 * SECOND }).map((t) => ({
          ...t,
          launch: 40_000 + (t.launch ?? 0),
        })),
      },
    ];
    expect(ruling("python-transport", stages(0.6), python).status).toBe("in");
    expect(ruling("python-transport", stages(0.75), python).status).toBe("out");
  });

  test("a join whose small side has 20 rows although broadcast is switched off", () => {
    const side = (id: number, bytes: number, rows: number): StageLine => ({
      id,
      tasks: waves(10, {
        run: SECOND,
        inputBytes: bytes,
        inputRecords: rows,
        writtenBytes: bytes,
        writtenRecords: rows,
      }),
      changes: { own_time_ms: 1000 },
    });
    const join: StageLine = { ...fourWaves({}), id: 2, changes: { parent_ids: [0, 1] } };
    const sql = {
      ...plan(0, ["SortMergeJoin", "SortMergeJoin [k#1], [k#9], Inner"]),
      jobs: [jobFact(0, [0, 1, 2], 0, MINUTE, { execution_id: 0 })],
    };
    const off = {
      ...sql,
      properties: [{ kind: "spark", name: "spark.sql.autoBroadcastJoinThreshold", value: "-1" }],
    };
    const found = ruling("join-strategy", [side(0, 60 * MIB, 2e6), side(1, 100, 2), join], off);
    expect(found.status).toBe("in");
    expect(found.evidence.join()).toMatch(/stage 1 brings 20 rows.*broadcast is switched off/);
    expect(ruling("join-strategy", [side(0, 60 * MIB, 2e6), side(1, 20 * MIB, 1e6), join], off).status).toBe(
      "out",
    );
    expect(ruling("join-strategy", [side(0, 60 * MIB, 2e6), side(1, 100, 2), join], sql).status).toBe("out");
  });
});

describe("work done again and executors lost", () => {
  const failures = (ends: number, ms: number): Facts["failures"] => [
    {
      stage_id: 1,
      stage_attempt_id: 0,
      reason: "ExceptionFailure",
      counted_as: "failed",
      class_name: "java.io.IOException",
      message: "Connection reset by peer",
      host: "node-4",
      executor_id: "4",
      ends,
      duration_sum_ms: ms,
    },
  ];

  test("failed attempts worth a twentieth of the run are churn, less is not", () => {
    expect(ruling("retry-churn", [fourWaves({})], { failures: failures(10, 31 * SECOND) }).status).toBe("in");
    expect(ruling("retry-churn", [fourWaves({})], { failures: failures(10, 20 * SECOND) }).status).toBe(
      "out",
    );
  });

  test("a retry late in the stage costs its own time, one in a slot that would be idle costs nothing", () => {
    const retried = (index: number, launch: number): StageLine => {
      const stage = fourWaves({});
      const tasks = stage.tasks.slice(0, 35);
      tasks.push({ ...usual, index, status: "failed", run: 9 * SECOND, launch: launch - 9 * SECOND });
      return {
        ...stage,
        tasks: tasks.map((t, i) => ({ index: i, ...t, ...(i === index ? { launch } : {}) })),
      };
    };
    const judge = (stage: StageLine) => ruling("retry-churn", [stage], { failures: failures(1, 9 * SECOND) });
    expect(judge(retried(34, 39 * SECOND)).recoverableMs).toBe(9 * SECOND);
    expect(judge(retried(3, 9 * SECOND)).status).toBe("out");
  });

  test("a stage computed again after it was complete costs its own time", () => {
    const again: StageLine = { ...fourWaves({}), changes: { stage_attempt_id: 1 } };
    const found = ruling("retry-churn", [fourWaves({}), again]);
    expect(found.recoverableMs).toBe(40 * SECOND);
    expect(found.evidence.join()).toContain("stage 1 ran again as attempt 1");
  });

  test("half of the executors lost and not replaced", () => {
    const executors = Array.from({ length: 20 }, (_, i) =>
      executorFact(
        String(i + 1),
        1,
        i < 10
          ? { removed_time_ms: T0 + 1000, removal_class: "lost", added_time_ms: T0 - 1 }
          : { added_time_ms: T0 - 1 },
      ),
    );
    const found = ruling("executor-loss", [fourWaves({})], { executors });
    expect(found.status).toBe("in");
    expect(found.recoverableMs).toBeGreaterThan(15 * SECOND);
    const idle = executors.map((e) => ({ ...e, removal_class: e.removal_class && "idle-or-driver" }));
    expect(ruling("executor-loss", [fourWaves({})], { executors: idle }).status).toBe("out");
  });
});

describe("streaming", () => {
  const batches = (count: number, input: number, process: number, dropped = 0): Facts["streamingBatches"] =>
    Array.from({ length: count }, (_, i) => ({
      run_id: "r",
      batch_id: i,
      trigger_time_ms: T0 + i * 10_000,
      batch_duration_ms: 9000,
      input_rows: 1000,
      input_rows_per_second: input,
      processed_rows_per_second: process,
      watermark_ms: T0,
      max_event_time_ms: T0 + 5000,
      rows_total: 10,
      rows_dropped_by_watermark: dropped,
      memory_used_bytes: 100,
      state_store: "rocksdb",
    }));

  test("rows that come faster than they are processed over most batches", () => {
    expect(ruling("streaming-lag", [fourWaves({})], { streamingBatches: batches(10, 110, 100) }).status).toBe(
      "in",
    );
    expect(ruling("streaming-lag", [fourWaves({})], { streamingBatches: batches(10, 104, 100) }).status).toBe(
      "out",
    );
    expect(ruling("streaming-lag", [fourWaves({})], { streamingBatches: batches(9, 110, 100) }).status).toBe(
      "unknown",
    );
  });

  test("batches without a pause that grow by half fall behind, those with a pause do not", () => {
    const growing = (everyMs: number) =>
      batches(12, 103, 100).map((batch, i) => ({
        ...batch,
        trigger_time_ms: T0 + i * everyMs,
        batch_duration_ms: 9000 + i * 700,
      }));
    const judge = (everyMs: number) =>
      ruling("streaming-lag", [fourWaves({})], { streamingBatches: growing(everyMs) });
    expect(judge(13_000).status).toBe("in");
    expect(judge(13_000).evidence.join()).toContain("the last third of them took 1.54 times as long");
    expect(judge(20_000).status).toBe("out");
  });

  test("rows dropped by the watermark are lost data", () => {
    expect(
      ruling("late-data-dropped", [fourWaves({})], { streamingBatches: batches(3, 50, 100, 7) }).evidence[0],
    ).toContain("21 rows of 3,000 read were dropped");
    expect(
      ruling("late-data-dropped", [fourWaves({})], { streamingBatches: batches(3, 50, 100) }).status,
    ).toBe("out");
  });
});

test("cached partitions that the log does not count are unknown, not zero", () => {
  const rdd = {
    rdd_id: 5,
    name: "features",
    storage_level: "Memory Deserialized 1x Replicated",
    use_disk: 0,
    use_memory: 1,
    number_of_partitions: 40,
    unpersisted: 0,
    cached_partitions: null,
    max_cached_partitions: null,
    evicted_blocks: null,
    memory_size_bytes: null,
    disk_size_bytes: null,
    stages: 3,
    own_time_ms: 1e6,
  };
  expect(ruling("cache-incomplete", [fourWaves({})], { rdds: [rdd] }).status).toBe("unknown");
});
