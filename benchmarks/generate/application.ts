import * as text from "./events.ts";
import {
  describePlan,
  type Plan,
  PlanMaker,
  type PlanMetric,
  type PlanNode,
  type PlanStage,
} from "./plan.ts";
import { Random } from "./random.ts";

/** What makes one kind of log unlike another. */
export interface Profile {
  name: string;
  about: string;
  executors: number;
  cores: number;
  /** Median task run time, ms. */
  taskTime: number;
  /** Tasks of a stage. */
  tasks: readonly [low: number, high: number];
  /** Tables joined by a query. */
  tables: readonly [low: number, high: number];
  photon: boolean;
  /** SQL metrics that a task updates. */
  sqlUpdates: number;
  /** Every so many queries, one is a union of this many branches (a plan of megabytes). */
  wideEvery: number;
  wideBranches: readonly [low: number, high: number];
  /** Share of task attempts that fail with an exception, that are killed copies, and of stages that lose an executor. */
  failing: number;
  speculative: number;
  losingExecutor: number;
}

interface RunningTask extends text.TaskText {
  metrics: text.TaskMetrics;
  outcome: "success" | "exception" | "killed" | "lost";
}

interface StageRun {
  stage: text.StageText;
  plan: PlanStage;
  type: text.TaskText["type"];
  /** Accumulators of this attempt: ids and running totals. */
  internalId: number;
  internalTotals: number[];
  sqlTotals: Map<PlanMetric, number>;
  /** Its own typical input size, bytes. */
  bytes: number;
}

/** Takes one event's text at a time, without line end. */
export type Emit = (line: string) => void;

/** One application that runs queries until told to stop: ids, times and totals fit together. */
export class Application {
  readonly #profile: Profile;
  readonly #random: Random;
  readonly #emit: Emit;
  readonly #plans: PlanMaker;
  readonly #executors: text.Executor[] = [];
  #clock = 1_751_493_912_198;
  #executorId = 1;
  #accumulator = 0;
  #stage = 0;
  #job = 0;
  #rdd = 0;
  #task = 0;
  #execution = 0;

  constructor(profile: Profile, seed: number, emit: Emit) {
    this.#profile = profile;
    this.#random = new Random(seed);
    this.#emit = emit;
    this.#plans = new PlanMaker(this.#random, () => this.#accumulator++);
  }

  start(): void {
    this.#emit('{"Event":"SparkListenerLogStart","Spark Version":"3.5.3"}');
    this.#emit(
      '{"Event":"SparkListenerResourceProfileAdded","Resource Profile Id":0,"Executor Resource Requests":{"cores":{"Resource Name":"cores","Amount":16,"Discovery Script":"","Vendor":""},"memory":{"Resource Name":"memory","Amount":40960,"Discovery Script":"","Vendor":""}},"Task Resource Requests":{"cpus":{"Resource Name":"cpus","Amount":1.0}}}',
    );
    const driver = { id: "driver", host: "driver.cluster.internal", cores: 0 };
    this.#emit(text.blockManagerAdded(driver, this.#clock + 900));
    const classpath = Array.from(
      { length: 600 },
      (_, jar) => `"/usr/lib/spark/jars/library-${jar}.jar":"System Classpath"`,
    );
    this.#emit(
      `{"Event":"SparkListenerEnvironmentUpdate","JVM Information":{"Java Home":"/usr/lib/jvm/java-11","Java Version":"11.0.20 (Eclipse Adoptium)","Scala Version":"version 2.12.18"},"Spark Properties":{"spark.app.name":"generated ${this.#profile.name}","spark.master":"yarn","spark.submit.deployMode":"client","spark.executor.cores":"${this.#profile.cores}","spark.executor.memory":"40g","spark.sql.shuffle.partitions":"200","spark.sql.adaptive.enabled":"true"},"Hadoop Properties":{"fs.defaultFS":"hdfs://cluster"},"System Properties":{"user.timezone":"Etc/UTC"},"Metrics Properties":{},"Classpath Entries":{${classpath.join()}}}`,
    );
    this.#emit(
      `{"Event":"SparkListenerApplicationStart","App Name":"generated ${this.#profile.name}","App ID":"application_1751493828576_0001","Timestamp":${this.#clock},"User":"spark"}`,
    );
    this.#clock += 12_000;
    for (let index = 0; index < this.#profile.executors; index++) this.#addExecutor();
    this.#clock += 3_000;
  }

  /** One SQL query: an execution with its plan versions, a job, its stages and their tasks. */
  query(): void {
    const profile = this.#profile;
    const id = this.#execution++;
    const wide = profile.wideEvery > 0 && id % profile.wideEvery === profile.wideEvery - 1;
    const plan = wide
      ? this.#plans.union(this.#random.int(...profile.wideBranches))
      : this.#plans.joins(this.#random.int(...profile.tables), profile.photon);
    const prefix = '{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQL';
    this.#emit(
      `${prefix}ExecutionStart","executionId":${id},"rootExecutionId":${id},"description":"query${id}","details":"org.apache.spark.sql.Dataset.collect(Dataset.scala:3585)","physicalPlanDescription":${JSON.stringify(describePlan(plan.initial))},"sparkPlanInfo":${JSON.stringify(plan.initial)},"time":${this.#clock},"modifiedConfigs":{"spark.sql.shuffle.partitions":"200"},"jobTags":[]}`,
    );
    this.#clock += this.#random.int(80, 900);
    this.#runJob(plan, id);
    this.#updatePlan(plan.final, id);
    this.#emit(`${prefix}ExecutionEnd","executionId":${id},"time":${this.#clock},"errorMessage":""}`);
    this.#clock += this.#random.int(50, 1500);
  }

  #updatePlan(plan: PlanNode, execution: number): void {
    this.#emit(
      `{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate","executionId":${execution},"physicalPlanDescription":${JSON.stringify(describePlan(plan))},"sparkPlanInfo":${JSON.stringify(plan)}}`,
    );
  }

  end(): void {
    this.#emit(`{"Event":"SparkListenerApplicationEnd","Timestamp":${this.#clock + 2_000}}`);
  }

  #addExecutor(): void {
    const number = this.#executorId++;
    const executor = {
      id: String(number),
      host: `worker-${number % Math.max(2, this.#profile.executors >> 1)}.cluster.internal`,
      cores: this.#profile.cores,
    };
    this.#executors.push(executor);
    this.#emit(text.executorAdded(executor, this.#clock + number * 40));
    this.#emit(text.blockManagerAdded(executor, this.#clock + number * 40 + 60));
  }

  #runJob(plan: Plan, execution: number): void {
    const job = this.#job++;
    const first = this.#stage;
    this.#stage += plan.stages.length;
    const stages = plan.stages.map((stage, index): text.StageText => {
      const rdds = [this.#rdd++, this.#rdd++, this.#rdd++].reverse();
      const tasks = this.#random.int(...this.#profile.tasks);
      return {
        stageId: first + index,
        attempt: 0,
        name: `collect at query.scala:${20 + index}`,
        tasks,
        rdds,
        parents: stage.parents.map((parent) => first + parent),
      };
    });
    const properties = `{"spark.sql.execution.id":"${execution}","spark.sql.execution.root.id":"${execution}","spark.job.description":"query${execution}","spark.rdd.scope.noOverride":"true"}`;
    this.#emit(
      `{"Event":"SparkListenerJobStart","Job ID":${job},"Submission Time":${this.#clock},"Stage Infos":[${stages.map((stage) => text.stageInfo(stage, ',"Accumulables":[]')).join()}],"Stage IDs":[${stages.map((stage) => stage.stageId).join()}],"Properties":${properties}}`,
    );
    const every = Math.ceil(plan.stages.length / 3);
    plan.stages.forEach((stage, index) => {
      const info = stages[index];
      if (info) this.#runStage(info, stage, properties);
      if (index % every === every - 1 && index < plan.stages.length - 1)
        this.#updatePlan(plan.current, execution);
    });
    this.#emit(
      `{"Event":"SparkListenerJobEnd","Job ID":${job},"Completion Time":${this.#clock},"Job Result":{"Result":"JobSucceeded"}}`,
    );
  }

  /** Runs a stage; one that loses an executor is followed by a second attempt for the lost part. */
  #runStage(stage: text.StageText, plan: PlanStage, properties: string): void {
    const submitted = this.#clock;
    const started = `,"Submission Time":${submitted},"Accumulables":[]`;
    this.#emit(
      `{"Event":"SparkListenerStageSubmitted","Stage Info":${text.stageInfo(stage, started)},"Properties":${properties}}`,
    );
    const run: StageRun = {
      stage,
      plan,
      type: plan.kind === "result" ? "ResultTask" : "ShuffleMapTask",
      internalId: this.#accumulator,
      internalTotals: text.INTERNAL_METRICS.map(() => 0),
      sqlTotals: new Map(),
      bytes: this.#random.tailed(32 * 1024 * 1024, 0.8),
    };
    this.#accumulator += text.INTERNAL_METRICS.length;
    this.#clock += 12;
    const lost = this.#random.chance(this.#profile.losingExecutor)
      ? this.#random.pick(this.#executors)
      : null;
    const missing = this.#runTasks(run, lost);
    const totals = text.INTERNAL_METRICS.map(([name], index) => ({
      id: run.internalId + index,
      name,
      value: run.internalTotals[index] ?? 0,
      sql: false,
    }));
    const sql = [...run.sqlTotals].map(([metric, value]) => ({
      id: metric.accumulatorId,
      name: metric.name,
      value,
      sql: true,
    }));
    const all = [...totals.filter((total) => total.value > 0), ...sql];
    const failure =
      missing > 0 ? `,"Failure Reason":"Fetch failure caused by lost executor ${lost?.id}"` : "";
    const done = `,"Submission Time":${submitted},"Completion Time":${this.#clock}${failure},"Accumulables":[${text.stageAccumulables(all)}]`;
    this.#emit(`{"Event":"SparkListenerStageCompleted","Stage Info":${text.stageInfo(stage, done)}}`);
    if (missing > 0)
      this.#runStage({ ...stage, attempt: stage.attempt + 1, tasks: missing }, plan, properties);
  }

  /** @returns how many tasks a second attempt has to run */
  #runTasks(run: StageRun, lost: text.Executor | null): number {
    const running: RunningTask[] = [];
    const free: text.Executor[] = [];
    for (let core = 0; core < this.#profile.cores; core++) free.push(...this.#executors);
    const todo: { index: number; attempt: number; speculative: boolean }[] = [];
    for (let index = run.stage.tasks - 1; index >= 0; index--)
      todo.push({ index, attempt: 0, speculative: false });
    const lossAt = lost ? Math.ceil(run.stage.tasks / 2) : -1;
    let ended = 0;
    while (todo.length > 0 || running.length > 0) {
      const next = todo.length > 0 ? free.pop() : undefined;
      const work = next ? todo.pop() : undefined;
      if (next && work) {
        const task = this.#launch(run, next, work);
        heapPush(running, task);
        this.#emit(text.taskStart(task));
        continue;
      }
      const task = heapPop(running);
      if (!task) break;
      this.#clock = Math.max(this.#clock, task.finish);
      this.#endTask(run, task);
      free.push(task.executor);
      if (task.outcome !== "success")
        todo.push({ index: task.index, attempt: task.attempt + 1, speculative: false });
      if (++ended === lossAt && lost) return this.#loseExecutor(run, running, todo.length, lost);
    }
    return 0;
  }

  /** Everything that still runs ends: on the lost executor as lost, elsewhere killed with the stage attempt. */
  #loseExecutor(run: StageRun, running: RunningTask[], waiting: number, lost: text.Executor): number {
    const missing = running.length + waiting;
    for (const task of running.sort((a, b) => a.taskId - b.taskId)) {
      task.outcome = task.executor === lost ? "lost" : "killed";
      task.finish = this.#clock;
      this.#endTask(run, task);
    }
    this.#emit(
      `{"Event":"SparkListenerExecutorRemoved","Timestamp":${this.#clock},"Executor ID":"${lost.id}","Removed Reason":"Container from a bad node: container_1_${lost.id} on host: ${lost.host}. Exit status: 143. Diagnostics: killed by external signal"}`,
    );
    this.#executors.splice(this.#executors.indexOf(lost), 1);
    this.#addExecutor();
    return missing;
  }

  #launch(
    run: StageRun,
    executor: text.Executor,
    work: { index: number; attempt: number; speculative: boolean },
  ): RunningTask {
    const profile = this.#profile;
    const metrics = this.#metrics(run);
    // A third attempt always succeeds, so no job ever fails for good.
    const draw = work.attempt < 2 ? this.#random.next() : 1;
    const outcome =
      draw < profile.failing
        ? "exception"
        : draw < profile.failing + profile.speculative
          ? "killed"
          : "success";
    const launch = this.#clock;
    const busy = metrics.deserialize + metrics.run + metrics.resultSerialization;
    const finish = launch + busy + this.#random.int(3, 20);
    return {
      stageId: run.stage.stageId,
      stageAttempt: run.stage.attempt,
      type: run.type,
      taskId: this.#task++,
      ...work,
      speculative: outcome === "killed",
      launch,
      finish,
      executor,
      locality:
        run.plan.kind === "scan"
          ? this.#random.pick(["NODE_LOCAL", "NODE_LOCAL", "RACK_LOCAL"])
          : this.#random.pick(["PROCESS_LOCAL", "PROCESS_LOCAL", "ANY"]),
      gettingResult: run.type === "ResultTask" && this.#random.chance(0.01) ? finish - 2 : 0,
      metrics,
      outcome,
    };
  }

  #metrics(run: StageRun): text.TaskMetrics {
    const random = this.#random;
    const time = random.tailed(this.#profile.taskTime);
    const bytes = Math.round((run.bytes * time) / this.#profile.taskTime);
    const scan = run.plan.kind === "scan";
    const writes = run.type === "ShuffleMapTask";
    const read = scan ? 0 : bytes;
    const spilled = random.chance(0.02) ? bytes * 3 : 0;
    return {
      ...text.ZERO_METRICS,
      deserialize: random.int(1, 30),
      deserializeCpu: random.int(500_000, 20_000_000),
      run: time,
      cpu: Math.round(time * 1e6 * (0.5 + random.next() * 0.45)),
      peakMemory: scan ? 0 : random.int(1, 64) * 262_144,
      resultSize: random.int(2_000, 4_000),
      gc: random.chance(0.2) ? Math.round(time * 0.08) : 0,
      resultSerialization: random.chance(0.1) ? 1 : 0,
      memorySpilled: spilled,
      diskSpilled: Math.floor(spilled / 8),
      remoteBlocks: scan ? 0 : random.int(50, 180),
      localBlocks: scan ? 0 : random.int(1, 40),
      fetchWait: scan ? 0 : Math.round(time * random.next() * 0.2),
      remoteBytes: Math.round(read * 0.85),
      localBytes: read - Math.round(read * 0.85),
      recordsRead: Math.floor(read / 64),
      remoteRequests: scan ? 0 : Math.round(time * random.next()),
      shuffleBytes: writes ? Math.floor(bytes / 2) : 0,
      shuffleTime: writes ? random.int(1_000_000, 90_000_000) : 0,
      shuffleRecords: writes ? Math.floor(bytes / 128) : 0,
      inputBytes: scan ? bytes : 0,
      inputRecords: scan ? Math.floor(bytes / 32) : 0,
    };
  }

  #endTask(run: StageRun, task: RunningTask): void {
    if (task.gettingResult > 0 && task.outcome === "success") this.#emit(text.taskGettingResult(task));
    else task.gettingResult = 0;
    if (task.outcome === "lost") {
      const reason = `{"Reason":"ExecutorLostFailure","Executor ID":"${task.executor.id}","Exit Caused By App":true,"Loss Reason":"Container from a bad node. Exit status: 143."}`;
      this.#emit(
        text.taskEnd(task, reason, '"Failed":true,"Killed":false', "", text.NO_EXECUTOR_METRICS, null),
      );
      return;
    }
    const accumulables = this.#accumulables(run, task.metrics);
    const heap = 1_000_000_000 + (task.taskId % 1000) * 1_000_000;
    const peaks = text.executorMetrics(
      heap,
      105_000_000 + task.taskId,
      task.metrics.peakMemory,
      335_547,
      task.taskId >> 8,
      task.taskId >> 5,
    );
    this.#emit(text.taskEnd(task, endReason(task), endFlags(task), accumulables, peaks, task.metrics));
  }

  #accumulables(run: StageRun, metrics: text.TaskMetrics): string {
    const parts: string[] = [];
    text.INTERNAL_METRICS.forEach(([name, key], index) => {
      const update = metrics[key];
      if (update === 0) return;
      const total = (run.internalTotals[index] ?? 0) + update;
      run.internalTotals[index] = total;
      parts.push(text.accumulable(run.internalId + index, name, update, total));
    });
    const declared = run.plan.metrics;
    const count = Math.min(this.#profile.sqlUpdates, declared.length);
    for (let index = 0; index < count; index++) {
      const metric = declared[index];
      if (!metric) break;
      const update =
        metric.metricType === "timing" ? this.#random.int(0, metrics.run) : this.#random.int(0, 2_000_000);
      const total = (run.sqlTotals.get(metric) ?? 0) + update;
      run.sqlTotals.set(metric, total);
      parts.push(text.sqlAccumulable(metric, update, total));
    }
    return parts.join();
  }
}

const STACK = Array.from({ length: 40 }, (_, frame) => ({
  "Declaring Class": `org.apache.spark.sql.execution.Operator${frame}`,
  "Method Name": "processNext",
  "File Name": `Operator${frame}.scala`,
  "Line Number": 100 + frame,
}));
const STACK_JSON = JSON.stringify(STACK);
const FULL_STACK = JSON.stringify(
  `java.lang.IllegalStateException: row group is corrupt\n${STACK.map((frame) => `\tat ${frame["Declaring Class"]}.processNext(${frame["File Name"]}:${frame["Line Number"]})`).join("\n")}\n`,
);

function endReason(task: RunningTask): string {
  if (task.outcome === "killed")
    return '{"Reason":"TaskKilled","Kill Reason":"another attempt succeeded","Accumulator Updates":[]}';
  if (task.outcome === "exception") {
    return `{"Reason":"ExceptionFailure","Class Name":"java.lang.IllegalStateException","Description":"row group is corrupt in part-${task.index}","Stack Trace":${STACK_JSON},"Full Stack Trace":${FULL_STACK},"Accumulator Updates":[]}`;
  }
  return text.SUCCESS;
}

function endFlags(task: RunningTask): string {
  if (task.outcome === "killed") return '"Failed":false,"Killed":true';
  return task.outcome === "exception" ? '"Failed":true,"Killed":false' : text.SUCCESS_FLAGS;
}

/** A binary heap by finish time. */
function heapPush(heap: RunningTask[], task: RunningTask): void {
  let at = heap.length;
  heap.push(task);
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up];
    if (!parent || parent.finish <= task.finish) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = task;
}

function heapPop(heap: RunningTask[]): RunningTask | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!first || !last || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let down = 2 * at + 1;
    const left = heap[down];
    const right = heap[down + 1];
    if (!left) break;
    if (right && right.finish < left.finish) down++;
    const child = heap[down];
    if (!child || child.finish >= last.finish) break;
    heap[at] = child;
    at = down;
  }
  heap[at] = last;
  return first;
}
