import type { AppSpec, BatchSpec, CachedRdd, ExecutorSpec, PlanNode, StageSpec } from "./application.ts";
import type { AppRun, Attempt, JobRun, StageRun } from "./cluster.ts";

const T0 = 1_735_689_600_000;
const STARTUP_MS = 4000;

/** Event-log lines of a run, ordered as a driver writes them. */
export function eventLines(app: AppSpec, run: AppRun): string[] {
  const timed: [number, object][] = [];
  const add = (ms: number, event: object): void => {
    timed.push([ms, event]);
  };
  for (const executor of app.executors) addExecutor(add, executor, run.endMs);
  for (const job of run.jobs) addJob(add, app, job);
  addBatches(add, app.batches);
  const endMs = Math.max(run.endMs, ...app.batches.map((b) => b.triggerMs + b.durationMs + 10));
  timed.sort((a, b) => a[0] - b[0]);
  return [
    ...head(app),
    ...timed.map(([, event]) => event),
    { Event: "SparkListenerApplicationEnd", Timestamp: time(endMs + 30) },
  ].map((event) => JSON.stringify(event));
}

function time(ms: number): number {
  return T0 + STARTUP_MS + Math.round(ms);
}

function head(app: AppSpec): object[] {
  const properties = {
    "spark.app.name": app.name,
    "spark.master": "yarn",
    "spark.executor.memory": "8g",
    ...app.properties,
  };
  return [
    { Event: "SparkListenerLogStart", "Spark Version": app.version },
    {
      Event: "SparkListenerEnvironmentUpdate",
      "JVM Information": { "Java Version": "17" },
      "Spark Properties": properties,
      "Hadoop Properties": {},
      "System Properties": {},
      "Classpath Entries": {},
    },
    {
      Event: "SparkListenerApplicationStart",
      "App Name": app.name,
      "App ID": `application_${app.seed}`,
      Timestamp: T0,
      User: "user",
    },
  ];
}

type Add = (ms: number, event: object) => void;

function addExecutor(add: Add, executor: ExecutorSpec, endMs: number): void {
  const added = executor.addedMs === 0 ? -2000 : executor.addedMs;
  add(added, {
    Event: "SparkListenerExecutorAdded",
    Timestamp: time(added),
    "Executor ID": executor.id,
    "Executor Info": {
      Host: executor.host,
      "Total Cores": executor.cores,
      "Log Urls": {},
      Attributes: {},
      Resources: {},
      "Resource Profile Id": 0,
    },
  });
  if (executor.removedMs !== null && executor.removedMs < endMs) {
    add(executor.removedMs + 0.5, {
      Event: "SparkListenerExecutorRemoved",
      Timestamp: time(executor.removedMs),
      "Executor ID": executor.id,
      "Removed Reason": executor.reason,
    });
  }
}

function addJob(add: Add, app: AppSpec, { job, jobId, submittedMs, completedMs, stages }: JobRun): void {
  const properties: Record<string, string> = {};
  if (job.plan) {
    properties["spark.sql.execution.id"] = String(jobId);
    add(submittedMs - 0.2, {
      Event: "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",
      executionId: jobId,
      rootExecutionId: jobId,
      description: `query ${jobId}`,
      details: "",
      physicalPlanDescription: "== Physical Plan ==",
      sparkPlanInfo: planInfo(job.plan),
      time: time(submittedMs),
      modifiedConfigs: {},
    });
  }
  const infos = stages.map((run) => stageInfo(run.stage));
  add(submittedMs - 0.1, {
    Event: "SparkListenerJobStart",
    "Job ID": jobId,
    "Submission Time": time(submittedMs),
    "Stage Infos": infos,
    "Stage IDs": stages.map((s) => s.stage.id),
    Properties: properties,
  });
  for (const run of stages) addStage(add, app, run);
  const result =
    job.failure === null
      ? { Result: "JobSucceeded" }
      : { Result: "JobFailed", Exception: { Message: job.failure, "Stack Trace": [] } };
  add(completedMs + 0.3, {
    Event: "SparkListenerJobEnd",
    "Job ID": jobId,
    "Completion Time": time(completedMs),
    "Job Result": result,
  });
  if (job.plan)
    add(completedMs + 0.4, {
      Event: "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd",
      executionId: jobId,
      time: time(completedMs),
      errorMessage: job.failure ?? "",
    });
}

function planInfo(node: PlanNode): object {
  return {
    nodeName: node.name,
    simpleString: node.text,
    children: node.children.map(planInfo),
    metadata: {},
    metrics: node.metrics ?? [],
  };
}

function stageInfo(stage: StageSpec, times: object = {}): object {
  const cached = stage.cached;
  const rdd = (id: number, name: string, scope: string, level: object): object => ({
    "RDD ID": id,
    Name: name,
    Scope: JSON.stringify({ id: String(id), name: scope }),
    "Parent IDs": [],
    "Storage Level": level,
    Barrier: false,
    "Number of Partitions": stage.tasks.length,
    "Number of Cached Partitions": 0,
    "Memory Size": 0,
    "Disk Size": 0,
  });
  const none = { "Use Disk": false, "Use Memory": false, Deserialized: false, Replication: 1 };
  const rdds = [rdd(1000 + stage.id, stage.rddName, "WholeStageCodegen (1)", none)];
  if (cached)
    rdds.push({
      ...rdd(cached.id, cached.name, "InMemoryTableScan", storageLevel(cached)),
      "Number of Partitions": cached.partitions,
    });
  return {
    "Stage ID": stage.id,
    "Stage Attempt ID": 0,
    "Stage Name": stage.name,
    "Number of Tasks": stage.tasks.length,
    "RDD Info": rdds,
    "Parent IDs": stage.parents,
    Details: "",
    Accumulables: [],
    "Resource Profile Id": 0,
    ...times,
  };
}

function storageLevel(cached: CachedRdd): object {
  return { "Use Disk": cached.useDisk, "Use Memory": true, Deserialized: true, Replication: 1 };
}

function addStage(add: Add, app: AppSpec, { stage, submittedMs, completedMs, attempts }: StageRun): void {
  add(submittedMs, {
    Event: "SparkListenerStageSubmitted",
    "Stage Info": stageInfo(stage, { "Submission Time": time(submittedMs) }),
    Properties: {},
  });
  if (stage.cached?.logsBlocks) addBlocks(add, submittedMs + 0.01, stage.cached, app.executors);
  for (const attempt of attempts) {
    add(attempt.launchMs + 0.05, {
      Event: "SparkListenerTaskStart",
      "Stage ID": stage.id,
      "Stage Attempt ID": 0,
      "Task Info": taskInfo(attempt, false),
    });
    add(attempt.finishMs + 0.1, taskEnd(stage, attempt));
  }
  add(completedMs + 0.2, {
    Event: "SparkListenerStageCompleted",
    "Stage Info": stageInfo(stage, {
      "Submission Time": time(submittedMs),
      "Completion Time": time(completedMs),
    }),
  });
}

function addBlocks(add: Add, ms: number, cached: CachedRdd, executors: ExecutorSpec[]): void {
  for (let i = 0; i < cached.cachedPartitions; i++) {
    const executor = executors[i % executors.length];
    if (!executor) continue;
    add(ms, {
      Event: "SparkListenerBlockUpdated",
      "Block Updated Info": {
        "Block Manager ID": { "Executor ID": executor.id, Host: executor.host, Port: 7079 },
        "Block ID": `rdd_${cached.id}_${i}`,
        "Storage Level": storageLevel(cached),
        "Memory Size": 64_000_000,
        "Disk Size": 0,
      },
    });
  }
}

function taskInfo(a: Attempt, ended: boolean): object {
  const fetched = ended && a.finishMs > a.workedUntilMs;
  return {
    "Task ID": a.taskId,
    Index: a.index,
    Attempt: a.attempt,
    "Partition ID": a.index,
    "Launch Time": time(a.launchMs),
    "Executor ID": a.executor.id,
    Host: a.executor.host,
    Locality: "NODE_LOCAL",
    Speculative: false,
    "Getting Result Time": fetched ? time(a.workedUntilMs) : 0,
    "Finish Time": ended ? time(a.finishMs) : 0,
    Failed: ended && a.status !== "success",
    Killed: false,
    Accumulables: Object.entries(a.spec.metrics).map(([id, update]) => ({
      ID: Number(id),
      Name: "metric",
      Update: String(update),
      Value: String(update),
      Internal: false,
      "Count Failed Values": true,
      Metadata: "sql",
    })),
  };
}

function taskEnd(stage: StageSpec, a: Attempt): object {
  const event = {
    Event: "SparkListenerTaskEnd",
    "Stage ID": stage.id,
    "Stage Attempt ID": 0,
    "Task Type": "ShuffleMapTask",
    "Task End Reason": endReason(a),
    "Task Info": taskInfo(a, true),
  };
  return a.status === "lost" ? event : { ...event, "Task Metrics": metrics(a) };
}

function endReason(a: Attempt): object {
  if (a.status === "success") return { Reason: "Success" };
  if (a.status === "lost")
    return {
      Reason: "ExecutorLostFailure",
      "Executor ID": a.executor.id,
      "Exit Caused By App": true,
      "Loss Reason": a.executor.reason,
    };
  return {
    Reason: "ExceptionFailure",
    "Class Name": "java.io.IOException",
    Description: "Connection reset by peer",
    "Stack Trace": [],
    "Full Stack Trace": "java.io.IOException: Connection reset by peer",
    "Accumulator Updates": [],
  };
}

function metrics(a: Attempt): object {
  const { spec } = a;
  const ok = a.status === "success";
  const whole = (value: number): number => Math.round(ok ? value : 0);
  const stretch = spec.runMs > 0 ? a.runMs / spec.runMs : 1;
  return {
    "Executor Deserialize Time": Math.round(spec.deserializeMs),
    "Executor Deserialize CPU Time": Math.round(spec.deserializeMs * 500_000),
    "Executor Run Time": a.runMs,
    "Executor CPU Time": Math.round(spec.cpuMs * 1e6 * Math.min(1, stretch)),
    "Peak Execution Memory": 0,
    "Result Size": whole(spec.resultBytes),
    "JVM GC Time": Math.round(spec.gcMs * stretch),
    "Result Serialization Time": Math.round(spec.serializeMs),
    "Memory Bytes Spilled": whole(spec.spillMemory),
    "Disk Bytes Spilled": whole(spec.spillDisk),
    "Shuffle Read Metrics": {
      "Remote Blocks Fetched": spec.shuffleBytes > 0 ? 10 : 0,
      "Local Blocks Fetched": spec.shuffleBytes > 0 ? 2 : 0,
      "Fetch Wait Time": Math.round(spec.fetchWaitMs),
      "Remote Bytes Read": whole(spec.shuffleBytes * 0.8),
      "Remote Bytes Read To Disk": 0,
      "Local Bytes Read": whole(spec.shuffleBytes * 0.2),
      "Total Records Read": whole(spec.shuffleRecords),
    },
    "Shuffle Write Metrics": {
      "Shuffle Bytes Written": whole(spec.writtenBytes),
      "Shuffle Write Time": 1_000_000,
      "Shuffle Records Written": whole(spec.writtenRecords),
    },
    "Input Metrics": { "Bytes Read": whole(spec.inputBytes), "Records Read": whole(spec.inputRecords) },
    "Output Metrics": {
      "Bytes Written": whole(spec.outputBytes),
      "Records Written": spec.outputBytes > 0 ? whole(spec.outputBytes / 100) : 0,
    },
    "Updated Blocks": [],
  };
}

const QUERY = "5c0b8f0e-0000-4000-8000-000000000001";
const RUN = "9d1e0000-0000-4000-8000-0000000000a1";
const LISTENER = "org.apache.spark.sql.streaming.StreamingQueryListener$";

function addBatches(add: Add, batches: BatchSpec[]): void {
  const [first] = batches;
  if (!first) return;
  const iso = (ms: number): string => new Date(time(ms)).toISOString();
  add(first.triggerMs - 1, {
    Event: `${LISTENER}QueryStartedEvent`,
    id: QUERY,
    runId: RUN,
    name: "orders",
    timestamp: iso(first.triggerMs - 1),
  });
  batches.forEach((batch, batchId) => {
    const progress = {
      id: QUERY,
      runId: RUN,
      name: "orders",
      timestamp: iso(batch.triggerMs),
      batchId,
      batchDuration: Math.round(batch.durationMs),
      durationMs: {
        triggerExecution: Math.round(batch.durationMs),
        addBatch: Math.round(batch.durationMs * 0.9),
      },
      eventTime: {
        watermark: iso(batch.triggerMs - 600_000),
        max: iso(batch.triggerMs),
        min: iso(batch.triggerMs - 60_000),
        avg: iso(batch.triggerMs - 30_000),
      },
      stateOperators: [
        {
          operatorName: "stateStoreSave",
          numRowsTotal: 2000,
          numRowsUpdated: 60,
          allUpdatesTimeMs: 9,
          numRowsRemoved: 3,
          allRemovalsTimeMs: 5,
          commitTimeMs: 70,
          memoryUsedBytes: 1_000_000,
          numRowsDroppedByWatermark: Math.round(batch.dropped),
          numShufflePartitions: 8,
          numStateStoreInstances: 8,
          customMetrics: {},
        },
      ],
      sources: [
        {
          description: "KafkaV2[Subscribe[orders]]",
          startOffset: null,
          endOffset: null,
          latestOffset: null,
          numInputRows: Math.round(batch.rows),
          inputRowsPerSecond: batch.inputRate,
          processedRowsPerSecond: batch.processRate,
          metrics: {},
        },
      ],
      sink: { description: "ForeachBatchSink", numOutputRows: -1, metrics: {} },
      observedMetrics: {},
    };
    add(batch.triggerMs + batch.durationMs + 1, { Event: `${LISTENER}QueryProgressEvent`, progress });
  });
}
