import { describe, expect, test } from "vitest";
import { diagnose } from "../../src/findings/diagnose.ts";
import type { Facts, FailureFact, GapFact } from "../../src/findings/facts.ts";
import {
  factsOf,
  jobFact,
  MIB,
  MINUTE,
  SECOND,
  type StageLine,
  T0,
  type TaskFact,
  waves,
} from "./facts-builder.ts";

const usual: TaskFact = { run: 10 * SECOND, readBytes: 50 * MIB, readRecords: 100_000 };

function healthy(id: number, count = 40, launch = 0): StageLine {
  return { id, tasks: waves(count, usual).map((t) => ({ ...t, launch: (t.launch ?? 0) + launch })) };
}

function skewed(id: number, launch = 0, run = 100 * SECOND): StageLine {
  return {
    id,
    tasks: healthy(id, 40, launch).tasks.map((t, i) =>
      i === 39 ? { ...t, run, readBytes: 900 * MIB, readRecords: 3_000_000 } : t,
    ),
  };
}

const gap = (start: number, end: number): GapFact => ({
  start_time_ms: T0 + start,
  end_time_ms: T0 + end,
});
const causeOf = (facts: Facts) => diagnose(facts).verdict.cause;

describe("failure", () => {
  const failed = { status: "failed", failure: "Job aborted due to stage failure" };

  test("the last job that ended for a reason of its own failed", () => {
    const jobs = [jobFact(0, [1], 0, 10_000), jobFact(1, [1], 11_000, 20_000, failed)];
    expect(causeOf(factsOf([skewed(1)], { jobs }))).toBe("failure");
  });

  test("an early failure that a later job made good is no verdict", () => {
    const jobs = [jobFact(0, [1], 0, 10_000, failed), jobFact(1, [1], 11_000, 40_000)];
    expect(causeOf(factsOf([skewed(1)], { jobs }))).toBe("skew");
  });

  test("a job cancelled with its group is no reason of its own", () => {
    const jobs = [
      jobFact(0, [1], 0, 40_000),
      jobFact(1, [], 41_000, 42_000, {
        status: "failed",
        failure: "Job 1 cancelled part of cancelled job group reports",
      }),
    ];
    expect(causeOf(factsOf([healthy(1)], { jobs }))).toBe("healthy");
  });

  test("cancelled by the shutdown of a batch run: the job that failed first is named; in a shell it is the user's", () => {
    const jobs = [
      jobFact(0, [1], 0, 10_000, failed),
      jobFact(1, [1], 11_000, 40_000),
      jobFact(2, [], 41_000, 42_000, {
        status: "failed",
        failure: "Job 2 cancelled because SparkContext was shut down",
      }),
    ];
    const { verdict } = diagnose(factsOf([healthy(1)], { jobs }));
    expect(verdict.cause).toBe("failure");
    expect(verdict.title).toContain("Job 0 failed");
    const properties = [{ kind: "spark", name: "spark.repl.class.uri", value: "spark://x" }];
    expect(causeOf(factsOf([healthy(1)], { jobs, properties }))).toBe("healthy");
  });
});

describe("cannot say", () => {
  test("jobs ran, but no task ended", () => {
    const stage: StageLine = {
      id: 1,
      tasks: [],
      changes: {
        task_ends: 0,
        status: "active",
        own_time_ms: 0,
        first_task_launched_time_ms: null,
        last_task_finished_time_ms: null,
        submission_time_ms: T0,
        completion_time_ms: null,
        run_time_p50_ms: null,
      },
    };
    expect(causeOf(factsOf([stage], { end: MINUTE }))).toBe("cannot-say");
  });

  test("the log is cut", () => {
    const issues = [{ code: "truncated", severity: "data-loss", count: 1 }];
    expect(causeOf(factsOf([skewed(1)], { issues }))).toBe("cannot-say");
  });

  test("a complete stage lacks 6 % of its tasks; 5 % are judged", () => {
    const lacking = (ended: number): Facts =>
      factsOf([{ ...healthy(1, 100), changes: { number_of_tasks: 100, ended_indices: ended } }]);
    expect(causeOf(lacking(94))).toBe("cannot-say");
    expect(causeOf(lacking(95))).toBe("healthy");
  });

  test("a failed stage lacks tasks lawfully", () => {
    const stage: StageLine = {
      ...healthy(1, 100),
      changes: { number_of_tasks: 1000, ended_indices: 100, status: "failed" },
    };
    expect(causeOf(factsOf([stage]))).toBe("healthy");
  });

  test("nothing has two times", () => {
    const facts = factsOf([]);
    expect(causeOf({ ...facts, application: null, jobs: [] })).toBe("cannot-say");
  });
});

describe("idle time", () => {
  const twoJobs = (pause: number, changes: Partial<Facts> = {}) =>
    factsOf([healthy(1), healthy(2, 40, 40_000 + pause)], {
      jobs: [jobFact(0, [1], 0, 40_000), jobFact(1, [2], 40_000 + pause, 80_000 + pause)],
      idleGaps: [gap(40_000, 40_000 + pause)],
      ...changes,
    });

  test("a tenth of the wall clock between two jobs is the driver's, less is not", () => {
    const { verdict } = diagnose(twoJobs(10_000));
    expect(verdict.cause).toBe("driver-gap");
    expect(verdict.title).toContain("between job 0 and job 1");
    expect(causeOf(twoJobs(8000))).toBe("healthy");
  });

  test("in a shell the same pause is its user's", () => {
    const properties = [{ kind: "spark", name: "spark.repl.class.outputDir", value: "/tmp/x" }];
    const { verdict, wallClock } = diagnose(twoJobs(60_000, { properties }));
    expect(verdict.cause).toBe("healthy");
    expect(wallClock).toMatchObject({ interactive: true, waitingMs: 60_000, driverGapMs: 0 });
  });

  test("spark-submit sets spark.repl.local.jars, too: no shell", () => {
    const properties = [{ kind: "spark", name: "spark.repl.local.jars", value: "x.jar" }];
    expect(causeOf(twoJobs(60_000, { properties }))).toBe("driver-gap");
  });

  test("a submitted stage whose tasks come late waits for slots", () => {
    const facts = twoJobs(30_000);
    const stages = facts.stages.map((s) =>
      s.stage_id === 2 ? { ...s, submission_time_ms: T0 + 41_000 } : s,
    );
    const jobs = [jobFact(0, [1], 0, 40_000), jobFact(1, [2], 41_000, 110_000)];
    const { verdict, wallClock } = diagnose({ ...facts, stages, jobs });
    expect(verdict.cause).toBe("scheduling-wait");
    expect(wallClock).toMatchObject({ schedulingWaitMs: 29_000, driverGapMs: 1000 });
  });

  test("results of 100 MiB between a stage's last task and its end are collected by the driver", () => {
    const collecting = (bytes: number): Facts => {
      const facts = twoJobs(30_000);
      return {
        ...facts,
        stages: facts.stages.map((s) =>
          s.stage_id === 1 ? { ...s, result_size_bytes: bytes, completion_time_ms: T0 + 70_000 } : s,
        ),
      };
    };
    expect(causeOf(collecting(100 * MIB))).toBe("driver-collect");
    expect(causeOf(collecting(99 * MIB))).toBe("driver-gap");
  });

  test("a price in a stage above the idle time comes first", () => {
    const facts = factsOf([skewed(1), healthy(2, 40, 150_000)], {
      jobs: [jobFact(0, [1, 2], 0, 190_000)],
      idleGaps: [gap(130_000, 150_000)],
    });
    expect(causeOf(facts)).toBe("skew");
    const longer = factsOf([skewed(1), healthy(2, 40, 300_000)], {
      jobs: [jobFact(0, [1, 2], 0, 340_000)],
      idleGaps: [gap(130_000, 300_000)],
    });
    expect(causeOf(longer)).toBe("driver-gap");
  });

  test("one minute of start-up is what every cluster needs; two more are not", () => {
    const late = (startup: number): Facts => {
      const facts = factsOf([healthy(1, 400, startup)], {
        jobs: [jobFact(0, [1], startup, startup + 400_000)],
        idleGaps: [gap(0, startup)],
      });
      return facts;
    };
    expect(causeOf(late(60_000))).toBe("healthy");
    const { verdict, wallClock } = diagnose(late(180_000));
    expect(verdict.cause).toBe("driver-gap");
    expect(wallClock).toMatchObject({ startupMs: 60_000, driverGapMs: 120_000 });
  });

  test("waiting for the next trigger of a streaming query is by design", () => {
    const batch = (i: number): Facts["streamingBatches"][number] => ({
      run_id: "r",
      batch_id: i,
      trigger_time_ms: T0 + i * 100_000,
      batch_duration_ms: 41_000,
      input_rows: 10,
      input_rows_per_second: 1,
      processed_rows_per_second: 10,
      watermark_ms: null,
      max_event_time_ms: null,
      rows_total: null,
      rows_dropped_by_watermark: null,
      memory_used_bytes: null,
      state_store: null,
    });
    const facts = twoJobs(60_000, {
      streamingRuns: [
        { run_id: "r", name: "q", start_time_ms: T0, end_time_ms: null, terminated: 0, exception: null },
      ],
      streamingBatches: [batch(0), batch(1)],
    });
    const { verdict, wallClock } = diagnose(facts);
    expect(verdict.cause).toBe("healthy");
    expect(wallClock?.waitingMs).toBe(60_000);
  });
});

test("what a compacted log no longer tells is no idle time", () => {
  const facts = factsOf([healthy(1)], { end: 400_000, idleGaps: [gap(40_000, 400_000)] });
  expect(causeOf(facts)).toBe("driver-gap");
  const { verdict, wallClock } = diagnose({
    ...facts,
    issues: [{ code: "compacted", severity: "data-loss", count: 1 }],
  });
  expect(verdict.cause).toBe("cannot-say");
  expect(wallClock).toMatchObject({ unknownMs: 360_000, driverGapMs: 0 });
});

describe("stages", () => {
  test("the slowest stage of the longest job comes before a dearer one of another job, which is named", () => {
    const facts = factsOf([skewed(1, 0, 60 * SECOND), skewed(2, 100_000, 100 * SECOND)], {
      jobs: [jobFact(0, [1], 0, 200_000), jobFact(1, [2], 100_000, 230_000)],
    });
    const { verdict, checks } = diagnose(facts);
    expect(verdict).toMatchObject({ cause: "skew", stageId: 1 });
    expect(checks[0]?.explanation).toContain("stage 2 of another job is slower");
  });

  test("jobs of one root SQL execution are one job", () => {
    const root = { execution_id: 1, root_execution_id: 0 };
    const jobs = [
      jobFact(0, [1], 0, 40_000, root),
      jobFact(1, [2], 40_000, 80_000, root),
      jobFact(2, [3], 80_000, 130_000),
    ];
    expect(
      diagnose(factsOf([healthy(1), healthy(2, 40, 40_000), healthy(3, 50, 80_000)], { jobs })).checks[0]
        ?.stageId,
    ).toBe(1);
  });

  test("a healthy target lets another stage carry the verdict", () => {
    const jobs = [jobFact(0, [1], 0, 200_000), jobFact(1, [2], 200_000, 330_000)];
    const { verdict } = diagnose(factsOf([healthy(1, 200), skewed(2, 200_000)], { jobs }));
    expect(verdict).toMatchObject({ cause: "skew", stageId: 2 });
  });

  test("a fault spread thin over many stages is found by its sum", () => {
    const stages = Array.from(
      { length: 60 },
      (_, i): StageLine => ({
        id: i,
        tasks: [{ launch: i * 2000, run: 2000, executor: "1", inputBytes: MIB, inputRecords: 1 }],
      }),
    );
    const jobs = stages.map((s) => jobFact(s.id, [s.id], s.id * 2000, s.id * 2000 + 2000));
    const { verdict } = diagnose(factsOf(stages, { jobs }));
    expect(verdict.cause).toBe("under-parallelism");
    expect(verdict.because).toContain("no stage weighs enough alone");
  });

  test("findings are ordered by what they would save", () => {
    const jobs = [jobFact(0, [1, 2], 0, 230_000)];
    const { findings } = diagnose(
      factsOf([skewed(1, 0, 60 * SECOND), skewed(2, 100_000, 100 * SECOND)], { jobs }),
    );
    const prices = findings.map((f) => f.recoverableMs ?? 0);
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    expect(findings[0]?.stageId).toBe(2);
  });

  test("a changed limit changes the verdict", async () => {
    const { DEFAULT_LIMITS } = await import("../../src/findings/limits.ts");
    expect(
      diagnose(factsOf([skewed(1)]), { limits: { ...DEFAULT_LIMITS, skewWatch: 20 } }).verdict.cause,
    ).toBe("healthy");
  });
});

test("core-hours of attempts that lost against their other copy are told apart from work done again", () => {
  const killed = (message: string): FailureFact => ({
    stage_id: 1,
    stage_attempt_id: 0,
    reason: "TaskKilled",
    counted_as: "killed",
    class_name: null,
    message,
    host: "node-1",
    executor_id: "1",
    ends: 2,
    duration_sum_ms: 1_800_000,
  });
  const { coreHours } = diagnose(
    factsOf([skewed(1)], {
      failures: [killed("another attempt succeeded"), killed("Stage finished"), killed("Stage cancelled")],
    }),
  );
  expect(coreHours.speculation).toBe(1);
  expect(coreHours.redone).toBe(0);
});
