/** Builds event logs line by line for tests: Spark's own key names, small defaults, times relative to START. */

/** 2025-01-01T00:00:00Z. */
export const START = 1_735_689_600_000;

export type Fields = Record<string, unknown>;

export interface TaskOptions {
  stage?: number;
  attempt?: number;
  index?: number;
  launch?: number;
  /** Finish - launch. */
  duration?: number;
  run?: number;
  executor?: string;
  host?: string;
  reason?: Fields;
  metrics?: Fields | null;
  shuffleRead?: Fields;
  shuffleWrite?: Fields;
  input?: Fields;
  output?: Fields;
  info?: Fields;
  accumulables?: Fields[];
}

export class LogBuilder {
  readonly lines: string[] = [];
  #taskId = 0;

  event(Event: string, fields: Fields = {}): this {
    this.lines.push(JSON.stringify({ Event, ...fields }));
    return this;
  }

  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  /** LogStart, ApplicationStart and one executor of 4 cores. */
  start(properties: Record<string, string> = {}): this {
    this.event("SparkListenerLogStart", { "Spark Version": "3.5.3" });
    this.event("SparkListenerEnvironmentUpdate", {
      "JVM Information": { "Java Version": "17" },
      "Spark Properties": { "spark.master": "spark://host:7077", ...properties },
      "System Properties": {},
    });
    this.event("SparkListenerApplicationStart", {
      "App Name": "test job",
      "App ID": "app-20250101000000-0001",
      Timestamp: START,
      User: "spark",
    });
    return this.executor("1");
  }

  executor(id: string, cores = 4, at = 0, host = "node-1"): this {
    return this.event("SparkListenerExecutorAdded", {
      Timestamp: START + at,
      "Executor ID": id,
      "Executor Info": { Host: host, "Total Cores": cores, "Log Urls": {}, "Resource Profile Id": 0 },
    });
  }

  executorRemoved(id: string, reason: string, at: number): this {
    return this.event("SparkListenerExecutorRemoved", {
      Timestamp: START + at,
      "Executor ID": id,
      "Removed Reason": reason,
    });
  }

  job(id: number, stages: number[], fields: Fields = {}, tasks = 2): this {
    return this.event("SparkListenerJobStart", {
      "Job ID": id,
      "Submission Time": START + 1000,
      "Stage Infos": stages.map((stage) => stageInfo(stage, 0, tasks)),
      "Stage IDs": stages,
      Properties: {},
      ...fields,
    });
  }

  jobEnd(id: number, at = 90_000, result: Fields = { Result: "JobSucceeded" }): this {
    return this.event("SparkListenerJobEnd", {
      "Job ID": id,
      "Completion Time": START + at,
      "Job Result": result,
    });
  }

  stageSubmitted(id: number, tasks = 2, attempt = 0, fields: Fields = {}): this {
    return this.event("SparkListenerStageSubmitted", {
      "Stage Info": { ...stageInfo(id, attempt, tasks), "Submission Time": START + 1000, ...fields },
      Properties: {},
    });
  }

  stageCompleted(id: number, tasks = 2, attempt = 0, at = 80_000, fields: Fields = {}): this {
    return this.event("SparkListenerStageCompleted", {
      "Stage Info": {
        ...stageInfo(id, attempt, tasks),
        "Submission Time": START + 1000,
        "Completion Time": START + at,
        ...fields,
      },
    });
  }

  /** A TaskStart and its TaskEnd. */
  task(options: TaskOptions = {}): this {
    return this.taskStart(options).taskEnd(options, this.#taskId - 1);
  }

  taskStart(options: TaskOptions = {}): this {
    const id = this.#taskId++;
    const { stage = 0, attempt = 0 } = options;
    return this.event("SparkListenerTaskStart", {
      "Stage ID": stage,
      "Stage Attempt ID": attempt,
      "Task Info": taskInfo(id, { ...options, duration: 0 }),
    });
  }

  taskEnd(options: TaskOptions = {}, id = this.#taskId++): this {
    const { stage = 0, attempt = 0, reason = { Reason: "Success" } } = options;
    return this.event("SparkListenerTaskEnd", {
      "Stage ID": stage,
      "Stage Attempt ID": attempt,
      "Task Type": "ShuffleMapTask",
      "Task End Reason": reason,
      "Task Info": { ...taskInfo(id, options), Accumulables: options.accumulables ?? [] },
      "Task Executor Metrics": { JVMHeapMemory: 1000 },
      ...(options.metrics === null ? {} : { "Task Metrics": taskMetrics(options) }),
    });
  }

  end(at = 100_000): this {
    return this.event("SparkListenerApplicationEnd", { Timestamp: START + at });
  }

  text(): string {
    return `${this.lines.join("\n")}\n`;
  }
}

export function stageInfo(id: number, attempt: number, tasks: number): Fields {
  return {
    "Stage ID": id,
    "Stage Attempt ID": attempt,
    "Stage Name": `count at job.py:${id}`,
    "Number of Tasks": tasks,
    "RDD Info": [],
    "Parent IDs": [],
    Details: "",
    Accumulables: [],
    "Resource Profile Id": 0,
  };
}

function taskInfo(id: number, options: TaskOptions): Fields {
  const launch = START + (options.launch ?? 2000);
  const duration = options.duration ?? options.run ?? 1000;
  return {
    "Task ID": id,
    Index: options.index ?? id,
    Attempt: 0,
    "Partition ID": options.index ?? id,
    "Launch Time": launch,
    "Executor ID": options.executor ?? "1",
    Host: options.host ?? "node-1",
    Locality: "PROCESS_LOCAL",
    Speculative: false,
    "Getting Result Time": 0,
    "Finish Time": duration === 0 ? 0 : launch + duration,
    Failed: false,
    Killed: false,
    ...options.info,
  };
}

function taskMetrics(options: TaskOptions): Fields {
  return {
    "Executor Deserialize Time": 1,
    "Executor Deserialize CPU Time": 1_000_000,
    "Executor Run Time": options.run ?? 1000,
    "Executor CPU Time": 900_000_000,
    "Peak Execution Memory": 0,
    "Result Size": 1500,
    "JVM GC Time": 10,
    "Result Serialization Time": 0,
    "Memory Bytes Spilled": 0,
    "Disk Bytes Spilled": 0,
    "Shuffle Read Metrics": {
      "Remote Blocks Fetched": 0,
      "Local Blocks Fetched": 0,
      "Fetch Wait Time": 0,
      "Remote Bytes Read": 0,
      "Remote Bytes Read To Disk": 0,
      "Local Bytes Read": 0,
      "Total Records Read": 0,
      ...options.shuffleRead,
    },
    "Shuffle Write Metrics": {
      "Shuffle Bytes Written": 0,
      "Shuffle Write Time": 0,
      "Shuffle Records Written": 0,
      ...options.shuffleWrite,
    },
    "Input Metrics": { "Bytes Read": 0, "Records Read": 0, ...options.input },
    "Output Metrics": { "Bytes Written": 0, "Records Written": 0, ...options.output },
    "Updated Blocks": [],
    ...options.metrics,
  };
}
