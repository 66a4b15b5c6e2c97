/** Kinds of failure that ask for different answers. */
export type FailureClass =
  | "fetch"
  | "out-of-memory"
  | "serialization"
  | "encoder"
  | "timeout"
  | "commit-denied"
  | "killed"
  | "executor-lost"
  | "output-lost"
  | "error";

const TEXTS: readonly (readonly [FailureClass, RegExp])[] = [
  [
    "encoder",
    /Unable to find encoder|No encoder found|Unable to generate an encoder|UnsupportedOperationException: No Encoder/i,
  ],
  [
    "serialization",
    /Task not serializable|NotSerializableException|PicklingError|Could not serialize (object|broadcast)|cannot pickle|can't pickle|SparkContext from a broadcast variable/i,
  ],
  [
    "out-of-memory",
    /OutOfMemory|exceeding (physical |virtual )?memory limits|OOMKilled|Exit status: (137|-104|-103)\b|exit code (137|52)\b|Cannot allocate memory/i,
  ],
  ["fetch", /FetchFailed|MetadataFetchFailed|Failed to (connect to|get block)|ShuffleBlockFetcher/i],
  ["timeout", /TimeoutException|timed out|timeout/i],
];

/**
 * Class of a failed task attempt, or of a job by the text of its failure.
 * @param reason Reason of the task's end, or "" for a job
 * @param text class name, message and whatever else the event holds
 */
export function failureClass(reason: string, text: string): FailureClass {
  if (reason === "TaskKilled") return "killed";
  if (reason === "TaskCommitDenied") return "commit-denied";
  if (reason === "FetchFailed") return "fetch";
  if (reason === "Resubmitted") return "output-lost";
  const known = TEXTS.find(([, pattern]) => pattern.test(text))?.[0];
  return known ?? (reason === "ExecutorLostFailure" ? "executor-lost" : "error");
}

/** First line of a failure with numbers, ids, addresses and paths made alike, so that equal failures fall together. */
export function normaliseFailure(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? "";
  return line
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "<uuid>")
    .replace(/(?:[a-z][a-z0-9+.-]*:\/\/|\/)[^\s,;:()'"]*\/[^\s,;:()'"]+/gi, "<path>")
    .replace(/0x[0-9a-f]+|@[0-9a-f]{4,}/gi, "<id>")
    .replace(/\b[\w-]+(?:\.[\w-]+)+:\d+\b/g, "<host:port>")
    .replace(/\d+/g, "N")
    .slice(0, 240);
}

/** What to do about a class of failure, in order. */
export function failureAdvice(kind: FailureClass): string[] {
  return FAILURE_ADVICE[kind];
}

const FAILURE_ADVICE: Record<FailureClass, string[]> = {
  serialization: [
    "Build the object inside the function that runs on the executors, or once per partition with mapPartitions.",
    "Copy the one field that the closure needs to a local value, so that it does not capture its enclosing object (Scala: this; PySpark: self, SparkContext, a session or a lock).",
    "Broadcast a value that is only read and may be shared; a connection must not be broadcast: open it per partition.",
  ],
  encoder: [
    "Give the type an Encoder (import spark.implicits._, a case class at top level, Encoders.kryo for others): this is no closure problem.",
  ],
  "out-of-memory": [
    "Find what the tasks hold before raising memory: one hot partition, a collect, a broadcast, a wide aggregation state.",
    "Make the partitions smaller, then raise spark.executor.memory or, for kills by the container, spark.executor.memoryOverhead.",
  ],
  fetch: [
    "See which executors had died before (fetch failures follow a loss): the cause is the loss, not the reading task.",
    "Let shuffle blocks outlive their executors: external shuffle service, or decommissioning with block migration.",
  ],
  timeout: [
    "Look at what the tasks waited for at that time: long GC pauses, an overloaded node or service; raise the timeout only then.",
  ],
  "commit-denied": [
    "Another attempt of the same partition had committed: it follows from retries or speculation and loses no data.",
  ],
  killed: ["Killed attempts lost a race with a copy, or their job was cancelled: no failure of the program."],
  "output-lost": [
    "Tasks that had ended well ran again because the executor with their shuffle output was lost: see why it went; an external shuffle service keeps such output.",
  ],
  "executor-lost": ["See why the executor went (executors removed): its tasks failed with it."],
  error: [
    "Read the exception in the stage's failure text; if it names a host or a file every time, look there.",
  ],
};
