/** Logs that are large in one way each: what `npm run bench:size` reads. */
import {
  blockManagerAdded,
  executorAdded,
  NO_EXECUTOR_METRICS,
  type StageText,
  SUCCESS,
  SUCCESS_FLAGS,
  stageInfo,
  type TaskText,
  taskEnd,
  taskStart,
  ZERO_METRICS,
} from "./events.ts";

/** 2025-01-01T00:00:00Z. */
const START = 1_735_689_600_000;
const FAILED_FLAGS = '"Failed":true,"Killed":false';
const SQL = "org.apache.spark.sql.execution.ui";
const STREAMING = "org.apache.spark.sql.streaming.StreamingQueryListener$";
const STORED =
  '"Storage Level":{"Use Disk":false,"Use Memory":true,"Use Off Heap":false,"Deserialized":true,"Replication":1}';

export interface LargeShape {
  name: string;
  /** What is many, and how many of it by default. */
  about: string;
  count: number;
  lines: (count: number) => Generator<string>;
}

export const LARGE_SHAPES: readonly LargeShape[] = [
  shape("tasks-in-one-stage", "tasks of one stage", 2e6, (n) => tasks(n, 1)),
  shape("tasks-in-100-stages", "tasks of 100 stages", 2e6, (n) => tasks(n, 100)),
  shape(
    "hard-tasks",
    "attempts of one stage out of launch order, half of them retried or copied, spilling, a fifth far above the median, on 10,000 executors",
    2e6,
    hardTasks,
  ),
  shape("failed-tasks", "failed attempts, an error text each", 1e6, failedTasks),
  shape("executions", "SQL executions of two stages", 50_000, executions),
  shape("jobs", "jobs of one stage", 100_000, (n) => jobs(n, 900)),
  shape("idle-gaps", "jobs with a second of nothing after each", 500_000, (n) => jobs(n, 2000)),
  shape("batches", "micro-batches of a streaming query with state", 100_000, batches),
  shape("executors", "lives of 10,000 executor ids", 100_000, executors),
  shape("event-names", "events of unknown names", 1e6, eventNames),
  shape("bad-lines", "lines that are no JSON", 1e6, badLines),
  shape("rdds", "cached RDDs of one job, with a block update each", 200_000, rdds),
  shape("accumulables", "accumulables of each of 20 attempts of one stage", 50_000, accumulables),
  shape("properties", "environment keys", 100_000, properties),
  shape("plan-nodes", "operators of one plan, two metrics each", 200_000, (n) => plans(n, 1, false)),
  shape("plan-depth", "operators of one plan, each below the one before", 5000, (n) => plans(n, 1, true)),
  shape("plan-updates", "plans of 110 operators that one execution had, one after the other", 5000, (n) =>
    plans(110, n, false),
  ),
  shape("long-line", "bytes of one line", 600e6, longLine),
];

function shape(name: string, about: string, count: number, lines: LargeShape["lines"]): LargeShape {
  return { name, about, count, lines };
}

function* application(body: Iterable<string>, executors = 50, properties = "{}"): Generator<string> {
  yield '{"Event":"SparkListenerLogStart","Spark Version":"3.5.3"}';
  yield `{"Event":"SparkListenerEnvironmentUpdate","JVM Information":{"Java Version":"17"},"Spark Properties":${properties},"System Properties":{}}`;
  yield `{"Event":"SparkListenerApplicationStart","App Name":"large","App ID":"app-1","Timestamp":${START},"User":"spark"}`;
  for (let id = 0; id < executors; id++) {
    yield executorAdded(executor(id, executors), START + 100);
    yield blockManagerAdded(executor(id, executors), START + 110);
  }
  yield* body;
  yield `{"Event":"SparkListenerApplicationEnd","Timestamp":${START + 4_000_000_000}}`;
}

function executor(id: number, executors: number) {
  return { id: String(id), host: `host-${id % Math.max(1, Math.round(executors / 5))}`, cores: 4 };
}

/** Numbers that look random and are the same each time: 0 .. 1. */
function noise(n: number): number {
  let x = Math.imul(n + 1, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
  return ((x ^ (x >>> 13)) >>> 0) / 2 ** 32;
}

function jobStart(
  id: number,
  stages: readonly StageText[],
  at: number,
  execution: number | null,
  extra = "",
): string {
  const properties = execution === null ? "{}" : `{"spark.sql.execution.id":"${execution}"}`;
  return `{"Event":"SparkListenerJobStart","Job ID":${id},"Submission Time":${at},"Stage Infos":[${stages.map((stage) => stageInfo(stage, extra)).join()}],"Stage IDs":[${stages.map((stage) => stage.stageId).join()}],"Properties":${properties}}`;
}

function jobEnd(id: number, at: number): string {
  return `{"Event":"SparkListenerJobEnd","Job ID":${id},"Completion Time":${at},"Job Result":{"Result":"JobSucceeded"}}`;
}

function stage(stageId: number, count: number, rdds: number[] = [stageId], attempt = 0): StageText {
  return { stageId, attempt, name: "count at Large.scala:1", tasks: count, rdds, parents: [] };
}

function submitted(text: StageText, at: number): string {
  return `{"Event":"SparkListenerStageSubmitted","Stage Info":${stageInfo(text, `,"Submission Time":${at},"Accumulables":[]`)},"Properties":{}}`;
}

function completed(text: StageText, from: number, to: number, values = ""): string {
  return `{"Event":"SparkListenerStageCompleted","Stage Info":${stageInfo(text, `,"Submission Time":${from},"Completion Time":${to},"Accumulables":[${values}]`)}}`;
}

function taskText(
  stageId: number,
  taskId: number,
  index: number,
  launch: number,
  finish: number,
  executors: number,
): TaskText {
  const attempt = { stageId, stageAttempt: 0, type: "ResultTask" as const, taskId, index, attempt: 0 };
  const place = { executor: executor(Math.floor(noise(taskId) * executors), executors), locality: "ANY" };
  return { ...attempt, ...place, launch, finish, speculative: false, gettingResult: 0 };
}

function* task(
  text: TaskText,
  run: number,
  spilled = 0,
  reason = SUCCESS,
  flags = SUCCESS_FLAGS,
): Generator<string> {
  const bytes = Math.round(1e6 * noise(text.taskId * 7));
  const metrics = {
    ...ZERO_METRICS,
    run,
    cpu: run * 9e5,
    gc: run >> 6,
    deserialize: 2,
    localBytes: bytes,
    recordsRead: bytes >> 5,
    shuffleBytes: bytes >> 1,
    shuffleRecords: bytes >> 6,
    memorySpilled: spilled,
    diskSpilled: spilled >> 2,
  };
  yield taskStart(text);
  yield taskEnd(text, reason, flags, "", NO_EXECUTOR_METRICS, metrics);
}

function tasks(count: number, stages: number): Generator<string> {
  const each = Math.ceil(count / stages);
  return application(
    (function* () {
      yield jobStart(
        0,
        Array.from({ length: stages }, (_, id) => stage(id, each)),
        START + 500,
        null,
      );
      for (let id = 0; id < stages; id++) {
        const from = START + 1000 + id * each * 2;
        yield submitted(stage(id, each), from);
        for (let n = 0; n < each; n++) {
          const run = 200 + Math.round(200 * noise(n));
          yield* task(taskText(id, id * each + n, n, from + 2 * n, from + 2 * n + run + 5, 50), run);
        }
        yield completed(stage(id, each), from, from + 2 * each + 1000);
      }
      yield jobEnd(0, START + 2000 + 2 * each * stages);
    })(),
  );
}

function hardTasks(count: number): Generator<string> {
  const executors = 10_000;
  const lost =
    '{"Reason":"ExceptionFailure","Class Name":"java.io.IOException","Description":"no space left","Stack Trace":[],"Full Stack Trace":"","Accumulator Updates":[]}';
  return application(
    (function* () {
      yield jobStart(0, [stage(0, count >> 1)], START + 500, null);
      yield submitted(stage(0, count >> 1), START + 1000);
      for (let n = 0; n < count; n++) {
        const kind = n & 3;
        const launch = START + 1000 + Math.round(noise(n * 3) * count);
        const run =
          noise(n * 5) < 0.2 ? 5000 + Math.round(9000 * noise(n)) : 200 + Math.round(200 * noise(n));
        const text = {
          ...taskText(0, n, n >> 1, launch, launch + run + 5, executors),
          attempt: n & 1,
          speculative: kind === 3,
        };
        const spilled = noise(n * 11) < 0.7 ? Math.round(1e8 * noise(n * 13)) : 0;
        if (kind === 0) yield* task(text, run, spilled, lost, FAILED_FLAGS);
        else if (kind === 2)
          yield* task(
            text,
            run,
            spilled,
            '{"Reason":"TaskKilled","Kill Reason":"another attempt succeeded","Accumulator Updates":[]}',
            '"Failed":false,"Killed":true',
          );
        else yield* task(text, run, spilled);
      }
      yield completed(stage(0, count >> 1), START + 1000, START + 20_000 + count);
      yield jobEnd(0, START + 20_100 + count);
    })(),
    executors,
  );
}

function failedTasks(count: number): Generator<string> {
  return application(
    (function* () {
      yield jobStart(0, [stage(0, count)], START + 500, null);
      yield submitted(stage(0, count), START + 1000);
      for (let n = 0; n < count; n++) {
        const text = `cannot read block ${Math.floor(noise(n) * 1e9).toString(36)} ${words(n)} of file part-${n}`;
        const reason = `{"Reason":"ExceptionFailure","Class Name":"java.io.IOException","Description":"${text}","Stack Trace":[],"Full Stack Trace":"java.io.IOException: ${text}\\n\\tat a.B.c(B.scala:1)","Accumulator Updates":[]}`;
        yield* task(taskText(0, n, n, START + 1000 + n, START + 1300 + n, 50), 290, 0, reason, FAILED_FLAGS);
      }
      for (let n = 0; n < 1000; n++)
        yield* task(taskText(0, count + n, n, START + 2000 + count, START + 2300 + count, 50), 290);
      yield completed(stage(0, count), START + 1000, START + 5000 + count);
      yield jobEnd(0, START + 6000 + count);
    })(),
  );
}

/** Letters only, so that no two texts are the same once their numbers are left out. */
function words(n: number): string {
  return [...n.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("");
}

/** A stage of one task, on its own. */
function* smallStage(id: number, at: number): Generator<string> {
  yield submitted(stage(id, 1), at);
  yield* task(taskText(id, id, 0, at + 10, at + 300, 50), 280);
  yield completed(stage(id, 1), at, at + 310);
}

function* jobs(count: number, everyMs: number): Generator<string> {
  yield* application(
    (function* () {
      for (let id = 0; id < count; id++) {
        const at = START + 1000 + id * everyMs;
        yield jobStart(id, [stage(id, 1)], at, null);
        yield* smallStage(id, at);
        yield jobEnd(id, at + 320);
      }
    })(),
  );
}

function executions(count: number): Generator<string> {
  return application(
    (function* () {
      for (let id = 0; id < count; id++) {
        const at = START + 1000 + id * 1000;
        yield executionStart(id, planTree(12, id * 100, false), at);
        yield jobStart(id, [stage(2 * id, 1), stage(2 * id + 1, 1)], at + 50, id);
        yield* smallStage(2 * id, at + 60);
        yield* smallStage(2 * id + 1, at + 400);
        yield jobEnd(id, at + 800);
        yield executionEnd(id, at + 810);
      }
    })(),
  );
}

function executionStart(id: number, tree: string, at: number): string {
  return `{"Event":"${SQL}.SparkListenerSQLExecutionStart","executionId":${id},"rootExecutionId":${id},"description":"select ${id} from a_table where day = '2025-01-01'","details":"","physicalPlanDescription":"== Physical Plan ==","sparkPlanInfo":${tree},"time":${at},"modifiedConfigs":{"spark.sql.shuffle.partitions":"${id % 100}"}}`;
}

function executionEnd(id: number, at: number): string {
  return `{"Event":"${SQL}.SparkListenerSQLExecutionEnd","executionId":${id},"time":${at},"errorMessage":""}`;
}

/** A plan of so many operators: a chain, or a root with all others below it. */
function planTree(nodes: number, firstMetric: number, chain: boolean): string {
  const open = (n: number): string => {
    const metrics = ["number of output rows", "spill size"].map(
      (name, at) =>
        `{"name":"${name}","accumulatorId":${firstMetric + 2 * n + at},"metricType":"${at === 0 ? "sum" : "size"}"}`,
    );
    return `{"nodeName":"${n % 5 === 1 ? "Exchange" : "Sort"}","simpleString":"${n % 5 === 1 ? `Exchange hashpartitioning(a#${n}, 200), ENSURE_REQUIREMENTS, [plan_id=${n}]` : `Sort [a#${n} ASC NULLS FIRST], true, 0`}","metadata":{},"metrics":[${metrics.join()}],"children":[`;
  };
  if (chain) return Array.from({ length: nodes }, (_, n) => open(n)).join("") + "]}".repeat(nodes);
  return `${open(0)}${Array.from({ length: nodes - 1 }, (_, n) => `${open(n + 1)}]}`).join()}]}`;
}

function plans(nodes: number, versions: number, chain: boolean): Generator<string> {
  return application(
    (function* () {
      yield executionStart(0, planTree(nodes, 0, chain), START + 1000);
      for (let n = 1; n < versions; n++)
        yield `{"Event":"${SQL}.SparkListenerSQLAdaptiveExecutionUpdate","executionId":0,"physicalPlanDescription":"== Physical Plan ==","sparkPlanInfo":${planTree(nodes, n * 300, chain)}}`;
      yield jobStart(0, [stage(0, 1)], START + 1050, 0);
      yield* smallStage(0, START + 2000);
      yield jobEnd(0, START + 3000);
      yield executionEnd(0, START + 3010);
    })(),
  );
}

function batches(count: number): Generator<string> {
  const run =
    '"id":"11111111-1111-1111-1111-111111111111","runId":"22222222-2222-2222-2222-222222222222","name":"q"';
  return application(
    (function* () {
      yield `{"Event":"${STREAMING}QueryStartedEvent",${run},"timestamp":"${iso(START + 500)}"}`;
      for (let id = 0; id < count; id++) {
        const at = START + 1000 + id * 1000;
        yield jobStart(id, [stage(id, 1)], at, null);
        yield* smallStage(id, at);
        yield jobEnd(id, at + 320);
        yield `{"Event":"${STREAMING}QueryProgressEvent","progress":{${run},"timestamp":"${iso(at)}","batchId":${id},"batchDuration":900,"durationMs":{"triggerExecution":900,"addBatch":800},"eventTime":{"watermark":"${iso(at - 60_000)}","max":"${iso(at)}"},"stateOperators":[{"operatorName":"stateStoreSave","numRowsTotal":${id},"numRowsUpdated":10,"numRowsRemoved":0,"commitTimeMs":20,"memoryUsedBytes":${1000 + id},"numRowsDroppedByWatermark":${id % 3},"customMetrics":{}}],"sources":[{"description":"rate","numInputRows":1000,"inputRowsPerSecond":1100,"processedRowsPerSecond":1050}],"sink":{"description":"noop","numOutputRows":10}}}`;
      }
    })(),
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function executors(count: number): Generator<string> {
  return application(
    (function* () {
      for (let n = 0; n < count; n++) {
        const at = START + 1000 + n * 100;
        yield executorAdded({ id: String(n % 10_000), host: `host-${n % 997}`, cores: 4 }, at);
        if (n % 10 === 0) {
          yield jobStart(n, [stage(n, 1)], at, null);
          yield submitted(stage(n, 1), at);
          yield* task(
            {
              ...taskText(n, n, 0, at + 10, at + 80, 50),
              executor: { id: String(n % 10_000), host: "host-1", cores: 4 },
            },
            60,
          );
          yield completed(stage(n, 1), at, at + 85);
          yield jobEnd(n, at + 86);
        }
        yield `{"Event":"SparkListenerExecutorRemoved","Timestamp":${at + 90},"Executor ID":"${n % 10_000}","Removed Reason":"Container from a bad node: container_${n} on host: host-${n % 997}. Exit status: 137."}`;
      }
    })(),
    0,
  );
}

function eventNames(count: number): Generator<string> {
  return application(
    (function* () {
      yield* jobs1();
      for (let n = 0; n < count; n++) yield `{"Event":"com.example.Listener${words(n)}","n":${n}}`;
    })(),
  );
}

function badLines(count: number): Generator<string> {
  return application(
    (function* () {
      yield* jobs1();
      for (let n = 0; n < count; n++) yield `{"Event":"SparkListenerTaskEnd","n":${n}`;
    })(),
  );
}

function* jobs1(): Generator<string> {
  yield jobStart(0, [stage(0, 1)], START + 1000, null);
  yield* smallStage(0, START + 1000);
  yield jobEnd(0, START + 2000);
}

function rdds(count: number): Generator<string> {
  const ids = Array.from({ length: count }, (_, id) => id);
  const text = stage(0, 1, ids);
  const cached = (line: string): string => line.replaceAll('"Use Memory":false', '"Use Memory":true');
  return application(
    (function* () {
      yield cached(jobStart(0, [text], START + 500, null));
      yield cached(submitted(text, START + 1000));
      yield* task(taskText(0, 0, 0, START + 1100, START + 9000, 50), 7000);
      for (const id of ids)
        yield `{"Event":"SparkListenerBlockUpdated","Block Updated Info":{"Block Manager ID":{"Executor ID":"1","Host":"host-1","Port":1},"Block ID":"rdd_${id}_0",${STORED},"Memory Size":1000,"Disk Size":0}}`;
      yield cached(completed(text, START + 1000, START + 9100));
      yield jobEnd(0, START + 9200);
    })(),
  );
}

function accumulables(count: number): Generator<string> {
  const attempts = 20;
  const value = (id: number, of: string): string =>
    `{"ID":${id},"Name":"metric ${id}",${of},"Internal":true,"Count Failed Values":true,"Metadata":"sql"}`;
  const list = (of: string): string => Array.from({ length: count }, (_, id) => value(id, of)).join();
  return application(
    (function* () {
      yield jobStart(0, [stage(0, 1)], START + 500, null);
      for (let attempt = 0; attempt < attempts; attempt++) {
        const at = START + 1000 + attempt * 1000;
        const own = { ...taskText(0, attempt, 0, at + 10, at + 800, 50), stageAttempt: attempt };
        yield submitted(stage(0, 1, [0], attempt), at);
        yield taskStart(own);
        yield taskEnd(own, SUCCESS, SUCCESS_FLAGS, list('"Update":"7","Value":"9"'), NO_EXECUTOR_METRICS, {
          ...ZERO_METRICS,
          run: 700,
        });
        yield completed(stage(0, 1, [0], attempt), at, at + 900, list('"Value":"9"'));
      }
      yield jobEnd(0, START + 1000 + attempts * 1000);
    })(),
  );
}

function properties(count: number): Generator<string> {
  const entries = Array.from(
    { length: count },
    (_, n) => `"spark.large.${words(n)}":"value ${n} of a setting"`,
  );
  return application(jobs1(), 50, `{${entries.join()}}`);
}

/** A line longer than a string may be, in pieces: a description of blanks. */
function* longLine(bytes: number): Generator<string> {
  const head = application(jobs1());
  for (const line of head) {
    if (line.includes("ApplicationEnd")) {
      const piece = " ".repeat(1 << 20);
      yield `{"Event":"${SQL}.SparkListenerSQLExecutionStart","executionId":0,"rootExecutionId":0,"description":"long","details":"",${NO_END}`;
      yield `"physicalPlanDescription":"${NO_END}`;
      for (let n = 0; n < bytes; n += piece.length) yield piece + NO_END;
      yield `","sparkPlanInfo":${planTree(5, 0, false)},"time":${START + 1000},"modifiedConfigs":{}}`;
      yield executionEnd(0, START + 2500);
    }
    yield line;
  }
}

/** Ends a piece of a line that goes on. */
export const NO_END = "\u0000";
