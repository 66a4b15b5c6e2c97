/**
 * Why an executor went. Spark writes free text made by the driver or the cluster manager, without a field for the
 * kind of loss or the exit code; this file reads both out of it.
 */

export const REMOVAL_CLASSES = [
  "idle-or-driver",
  "decommissioned",
  "preempted",
  "out-of-memory",
  "heartbeat-timeout",
  "lost",
] as const;

export type RemovalClass = (typeof REMOVAL_CLASSES)[number];

/** Losses that are nobody's plan: the application or its node broke. */
export const ABNORMAL_REMOVALS: ReadonlySet<string> = new Set(["out-of-memory", "heartbeat-timeout", "lost"]);

/** What the log says about the end of one life of an executor. */
export interface RemovalTexts {
  /** Removed Reason of every ExecutorRemoved of this life, in log order. */
  reasons: readonly string[];
  /** Loss Reason of the ExecutorLostFailure ends of tasks that ran in this life. */
  lossReasons?: readonly string[];
  /** Exception classes or messages of tasks that failed in this life. */
  taskErrors?: readonly string[];
}

export interface Removal {
  removalClass: RemovalClass;
  /** Exit code in the text; implied by YARN's memory texts; null: the text has none. */
  exitCode: number | null;
  /** What the class rests on, and how sure it is. */
  detail: string;
}

/** Classes by exit code: of the executor process (>= 0) and of YARN containers (< 0). */
const EXIT_CODES = new Map<number, readonly [RemovalClass, string]>([
  [0, ["idle-or-driver", "normal exit"]],
  [1, ["lost", "general failure: start-up, class path or the connection to the driver"]],
  [50, ["lost", "uncaught exception in the executor"]],
  [51, ["lost", "uncaught exception in the executor, and logging it failed, too"]],
  [52, ["out-of-memory", "certain: an OutOfMemoryError reached the executor's uncaught-exception handler"]],
  [53, ["lost", "no local directory could be made: spark.local.dir is bad or full"]],
  [54, ["lost", "external block store could not start"]],
  [55, ["lost", "external block store could not make a directory"]],
  [
    56,
    [
      "heartbeat-timeout",
      "the executor gave up after spark.executor.heartbeat.maxFailures failed heartbeats",
    ],
  ],
  [57, ["lost", "killed by the task reaper"]],
  [58, ["lost", "its block manager could not register again"]],
  [126, ["lost", "the command could not be executed"]],
  [127, ["lost", "the command was not found"]],
  [134, ["lost", "SIGABRT: the JVM or native code crashed"]],
  [
    137,
    [
      "out-of-memory",
      "likely: SIGKILL, as the out-of-memory killer of kernel or container sends it; kill -9 looks the same",
    ],
  ],
  [139, ["lost", "SIGSEGV: the JVM or native code crashed"]],
  [143, ["lost", "SIGTERM: it was asked to stop"]],
  [255, ["lost", "exit code unknown to the cluster manager"]],
  [-1, ["lost", "the cluster manager had no exit status"]],
  [-100, ["lost", "container released, usually a lost or reclaimed node"]],
  [-101, ["lost", "disks of the node failed"]],
  [-102, ["preempted", "preempted by YARN"]],
  [-103, ["out-of-memory", "certain: over the container's virtual memory limit"]],
  [-104, ["out-of-memory", "certain: over the container's physical memory limit"]],
  [-105, ["idle-or-driver", "released by the application master"]],
  [-106, ["lost", "killed by the resource manager"]],
  [-107, ["idle-or-driver", "killed after the application had completed"]],
  [-108, ["preempted", "made room for another container"]],
  [-1000, ["lost", "YARN has no valid exit status"]],
]);

interface TextRule {
  pattern: RegExp;
  removalClass: RemovalClass;
  detail: string;
  exitCode?: number;
  /** The text says that contact was lost, not why: a later text or a task's loss reason may know more. */
  vague?: true;
}

/** In order, the first match counts; a text without a match goes by its exit code. */
const TEXTS: readonly TextRule[] = [
  {
    pattern: /^Executor killed by driver\./,
    removalClass: "idle-or-driver",
    detail: "killed by the driver: idle, excluded or on request",
  },
  {
    pattern: /^(Executor decommission|Finished decommissioning)/,
    removalClass: "decommissioned",
    detail: "decommissioned",
  },
  {
    pattern: /heartbeat timed out/i,
    removalClass: "heartbeat-timeout",
    detail: "no heartbeat reached the driver in time: long GC pauses, an overloaded node or a lost network",
    vague: true,
  },
  {
    pattern: /Remote RPC client disassociated/,
    removalClass: "lost",
    detail: "connection lost, cause not in the event log",
    vague: true,
  },
  {
    pattern: /^(Executor Process Lost|Slave lost)/,
    removalClass: "lost",
    detail: "process lost, cause not in the event log",
    vague: true,
  },
  {
    pattern:
      /^(Stale executor after cluster manager re-registered|AM is not yet registered|Pending loss reason)/,
    removalClass: "lost",
    detail: "lost, cause not in the event log",
    vague: true,
  },
  {
    pattern: /^(Unable to create executor due to|Received LaunchTask command but executor was null)/,
    removalClass: "lost",
    detail: "the executor could not start its work",
  },
  { pattern: /was preempted/, removalClass: "preempted", detail: "preempted by YARN" },
  {
    pattern: /exited because of a YARN event \(e\.g\., pre-?emption\)/,
    removalClass: "preempted",
    detail: "weak: YARN names preemption as an example; the process ended with 0",
  },
  {
    pattern: /exited after Application shutdown/,
    removalClass: "idle-or-driver",
    detail: "ended with the application",
  },
  {
    pattern: /exited from explicit termination request/,
    removalClass: "idle-or-driver",
    detail: "released by the application master on the driver's request",
    vague: true,
  },
  {
    pattern: /exceeding virtual memory limits/,
    removalClass: "out-of-memory",
    detail: "certain: over the container's virtual memory limit",
    exitCode: -103,
  },
  {
    pattern: /killed by YARN for exceeding (physical )?memory limits/,
    removalClass: "out-of-memory",
    detail: "certain: over the container's memory limit",
    exitCode: -104,
  },
  {
    pattern: /OOMKilled/,
    removalClass: "out-of-memory",
    detail: "certain: the container was killed at its memory limit",
  },
  { pattern: /brief reason: Preempt(ing|ed)/, removalClass: "preempted", detail: "pod preempted" },
  {
    pattern: /brief reason: (Evicted|NodeLost|NodeShutdown|Terminated)/,
    removalClass: "lost",
    detail: "pod evicted or node gone",
  },
  {
    pattern: /was deleted by a user or the framework/,
    removalClass: "lost",
    detail: "pod deleted by someone else: drain, spot node or preemption",
  },
  {
    pattern: /was not found in the cluster at the polling time/,
    removalClass: "lost",
    detail: "pod vanished",
  },
  { pattern: /^worker lost/, removalClass: "lost", detail: "worker lost" },
  {
    pattern: /^Runner thread for executor .* interrupted/,
    removalClass: "idle-or-driver",
    detail: "the master told the worker to stop it",
  },
  {
    pattern: /^(Worker shutting down|Error running executor)/,
    removalClass: "lost",
    detail: "worker stopped or could not run it",
  },
  {
    pattern: /^Executor finished with state (FINISHED|KILLED)/,
    removalClass: "idle-or-driver",
    detail: "ended on request",
  },
  { pattern: /^(Executor finished with state|Lost executor)/, removalClass: "lost", detail: "lost" },
];

const EXIT_CODE_TEXTS = [
  /Exit status: (-?\d{1,6})/,
  /exited with exit code (-?\d{1,6})/,
  /Command exited with code (-?\d{1,6})/,
  /Unknown executor exit code \((-?\d{1,6})\)/,
];

interface Reading extends Removal {
  vague: boolean;
}

/** Reads one text; empty text is the standalone worker's way to say nothing. */
function readText(text: string, outOfMemory: boolean): Reading {
  const trimmed = text.trim();
  const exitCode = findExitCode(trimmed);
  const rule = TEXTS.find((candidate) => candidate.pattern.test(trimmed));
  if (rule) {
    const { removalClass, detail, vague = false } = rule;
    return { removalClass, exitCode: exitCode ?? rule.exitCode ?? null, detail, vague };
  }
  return exitCode === null
    ? {
        removalClass: "lost",
        exitCode,
        detail: trimmed ? "reason not known to sparklog" : "no reason given",
        vague: true,
      }
    : {
        ...byExitCode(exitCode, outOfMemory || trimmed.includes("OutOfMemoryError")),
        exitCode,
        vague: false,
      };
}

function findExitCode(text: string): number | null {
  for (const pattern of EXIT_CODE_TEXTS) {
    const digits = pattern.exec(text)?.[1];
    if (digits !== undefined) return Number(digits);
  }
  return null;
}

function byExitCode(code: number, outOfMemory: boolean): Pick<Removal, "removalClass" | "detail"> {
  if (code === 143 && outOfMemory) {
    return {
      removalClass: "out-of-memory",
      detail:
        "exit code 143: SIGTERM after an OutOfMemoryError (YARN starts executors with kill on OutOfMemoryError)",
    };
  }
  const [removalClass, meaning] = EXIT_CODES.get(code) ?? [
    "lost",
    code > 128 ? `signal ${code - 128}` : "not a code of Spark or YARN",
  ];
  return { removalClass, detail: `exit code ${code}: ${meaning}` };
}

/**
 * Class of one removal. The first text of the life decides; where it only says that contact was lost, a task's loss
 * reason or a later text that knows the cause decides. Before Spark 3 a heartbeat timeout stands in the loss reasons
 * only, so they are read even where the removal looks planned.
 */
export function classifyRemoval(texts: RemovalTexts): Removal {
  const outOfMemory = (texts.taskErrors ?? []).some((error) => error.includes("OutOfMemoryError"));
  const read = (text: string): Reading => readText(text, outOfMemory);
  const [first = read(""), ...later] = texts.reasons.map(read);
  const losses = (texts.lossReasons ?? []).map(read);
  const known = first.vague ? [...losses, ...later].find((other) => knowsMore(other, first)) : undefined;
  const heartbeat = losses.find((loss) => loss.removalClass === "heartbeat-timeout");
  const chosen =
    known ?? (first.vague && first.removalClass !== "heartbeat-timeout" ? heartbeat : undefined) ?? first;
  return { removalClass: chosen.removalClass, exitCode: chosen.exitCode, detail: chosen.detail };
}

/** A cause named by a text or an exit code beats lost contact; a process that ended well on request explains nothing. */
function knowsMore(other: Reading, first: Reading): boolean {
  if (other.vague || other.removalClass === "idle-or-driver") return false;
  return other.removalClass !== first.removalClass || other.exitCode !== null;
}
