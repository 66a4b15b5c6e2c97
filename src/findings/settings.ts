import type { Facts } from "./facts.ts";

/** Where a setting's value comes from. unknown: not in the log, and a vendor may have changed Spark's default. */
export type SettingSource = "explicit" | "session" | "default" | "unknown";

export interface Setting {
  name: string;
  value: string | null;
  source: SettingSource;
}

type Version = readonly [major: number, minor: number];

/** Spark's defaults: the value from each version on, newest first. null: the setting does not exist before. */
const DEFAULTS: Record<string, readonly (readonly [Version, string | null])[]> = {
  "spark.sql.shuffle.partitions": [[[0, 0], "200"]],
  "spark.sql.adaptive.enabled": [
    [[3, 2], "true"],
    [[3, 0], "false"],
  ],
  "spark.sql.adaptive.coalescePartitions.enabled": [[[3, 0], "true"]],
  "spark.sql.adaptive.coalescePartitions.parallelismFirst": [[[3, 2], "true"]],
  "spark.sql.adaptive.advisoryPartitionSizeInBytes": [[[3, 0], "64m"]],
  "spark.sql.adaptive.skewJoin.enabled": [[[3, 0], "true"]],
  "spark.sql.adaptive.skewJoin.skewedPartitionFactor": [[[3, 0], "5"]],
  "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": [[[3, 0], "256m"]],
  "spark.sql.autoBroadcastJoinThreshold": [[[0, 0], "10m"]],
  "spark.sql.files.maxPartitionBytes": [[[2, 0], "128m"]],
  "spark.memory.fraction": [[[1, 6], "0.6"]],
  "spark.memory.storageFraction": [[[1, 6], "0.5"]],
  "spark.executor.memory": [[[0, 0], "1g"]],
  "spark.executor.memoryOverheadFactor": [[[3, 3], "0.1"]],
  "spark.task.cpus": [[[0, 0], "1"]],
  "spark.speculation": [[[0, 0], "false"]],
  "spark.locality.wait": [[[0, 0], "3s"]],
  "spark.dynamicAllocation.enabled": [[[0, 0], "false"]],
  "spark.shuffle.service.enabled": [[[0, 0], "false"]],
  "spark.eventLog.logBlockUpdates.enabled": [[[2, 3], "false"]],
  "spark.sql.execution.arrow.pyspark.enabled": [[[3, 0], "false"]],
};

/** The effective configuration of an application, each value with its source. */
export class Settings {
  readonly version: Version | null;
  readonly #explicit: ReadonlyMap<string, string>;
  readonly #session = new Map<number, Map<string, string>>();
  readonly #vendor: boolean;
  readonly #otherNames: readonly string[];

  constructor(facts: Pick<Facts, "application" | "properties" | "sessionSettings" | "leftOut">) {
    this.#otherNames = facts.leftOut.settingNames;
    this.version = parseVersion(facts.application?.spark_version ?? null);
    this.#vendor = facts.application?.vendor === "databricks";
    this.#explicit = new Map(
      facts.properties.filter((p) => p.kind === "spark").map((p) => [p.name, p.value]),
    );
    for (const { execution_id, name, value } of facts.sessionSettings) {
      const known = this.#session.get(execution_id) ?? new Map<string, string>();
      this.#session.set(execution_id, known.set(name, value));
    }
  }

  /** @param executionId SQL execution whose session settings count, if known */
  get(name: string, executionId: number | null = null): Setting {
    const session = executionId === null ? undefined : this.#session.get(executionId)?.get(name);
    if (session !== undefined) return { name, value: session, source: "session" };
    const explicit = this.#explicit.get(name);
    if (explicit !== undefined) return { name, value: explicit, source: "explicit" };
    const value = this.#default(name);
    return { name, value, source: value === null || this.#vendor ? "unknown" : "default" };
  }

  /** The value as a number of bytes, or null: "128m", "10485760", "64MB". -1 stays -1. */
  bytes(name: string, executionId: number | null = null): number | null {
    return parseBytes(this.get(name, executionId).value);
  }

  number(name: string, executionId: number | null = null): number | null {
    const value = this.get(name, executionId).value;
    const parsed = value === null || value.trim() === "" ? Number.NaN : Number(value);
    return Number.isFinite(parsed) ? parsed : null;
  }

  isTrue(name: string, executionId: number | null = null): boolean {
    return this.get(name, executionId).value?.trim().toLowerCase() === "true";
  }

  /** Spark's version is known and at least this one. */
  atLeast(major: number, minor: number): boolean {
    return this.version !== null && compareVersions(this.version, [major, minor]) >= 0;
  }

  /** Names of every setting that some execution changed for its session. */
  sessionNames(): string[] {
    const read = [...this.#session.values()].flatMap((names) => [...names.keys()]);
    return [...new Set([...read, ...this.#otherNames])].sort();
  }

  #default(name: string): string | null {
    const version = this.version;
    if (version === null) return null;
    return DEFAULTS[name]?.find(([since]) => compareVersions(version, since) >= 0)?.[1] ?? null;
  }
}

/** "name = value (source)" for evidence and advice. */
export function describeSetting({ name, value, source }: Setting): string {
  const words = {
    explicit: "set by the application",
    session: "set for the session",
    default: "Spark's default",
    unknown: "not in the event log",
  };
  return value === null ? `${name} is ${words[source]}` : `${name} = ${value} (${words[source]})`;
}

function parseVersion(text: string | null): Version | null {
  const match = /^(\d+)\.(\d+)/.exec(text ?? "");
  return match ? [Number(match[1]), Number(match[2])] : null;
}

function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1];
}

const POWER: Record<string, number> = { "": 0, b: 0, k: 1, m: 2, g: 3, t: 4, p: 5 };

/** Spark's size texts; a bare number is bytes here. null: no size. */
export function parseBytes(text: string | null): number | null {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*([bkmgtp]?)i?b?\s*$/i.exec(text ?? "");
  if (!match) return null;
  const bytes = Number(match[1]) * 1024 ** (POWER[(match[2] ?? "").toLowerCase()] ?? 0);
  return Number.isFinite(bytes) ? bytes : null;
}
