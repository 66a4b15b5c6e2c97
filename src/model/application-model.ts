import { array, type Json, object, real, smallInt, text, textEntries, time } from "../json.ts";
import type { ApplicationRow } from "../store/rows.ts";
import type { ModelContext } from "./context.ts";

/** The application itself: its start and end, version, environment, resource profiles, side processes. */
export class ApplicationModel {
  readonly #context: ModelContext;
  #row: ApplicationRow = {
    application_id: null,
    attempt_id: null,
    name: null,
    spark_version: null,
    user: null,
    master: null,
    deploy_mode: null,
    start_time_ms: null,
    end_time_ms: null,
    exit_code: null,
    starts: 0,
    engine: null,
    vendor: null,
  };
  /** Properties of the last environment, by kind and name; later events replace earlier ones. */
  readonly #properties = new Map<string, Map<string, string>>();

  constructor(context: ModelContext) {
    this.#context = context;
  }

  get endTime(): number | null {
    return typeof this.#row.end_time_ms === "number" ? this.#row.end_time_ms : null;
  }

  get startTime(): number | null {
    return typeof this.#row.start_time_ms === "number" ? this.#row.start_time_ms : null;
  }

  get sparkVersion(): string | null {
    return this.#row.spark_version;
  }

  get hasStart(): boolean {
    return this.#row.starts > 0;
  }

  sparkProperty(name: string): string | null {
    return this.#properties.get("spark")?.get(name) ?? null;
  }

  logStart(version: string | null): void {
    if (version) this.#row.spark_version = version;
  }

  vendor(name: string): void {
    this.#row.vendor ??= name;
  }

  engine(name: string): void {
    this.#row.engine = name;
  }

  /** A second start in one file (joined pieces of one context) keeps the first start time. */
  start(json: Json): void {
    const row = this.#row;
    row.starts = Number(row.starts) + 1;
    row.application_id = text(json["App ID"]) ?? row.application_id;
    row.attempt_id = text(json["App Attempt ID"]) ?? row.attempt_id;
    row.name = text(json["App Name"]) ?? row.name;
    row.user = text(json.User) ?? row.user;
    row.start_time_ms ??= this.#context.clock.see(time(json.Timestamp));
  }

  end(json: Json): void {
    this.#row.end_time_ms = this.#context.clock.see(time(json.Timestamp)) ?? this.#row.end_time_ms;
    this.#row.exit_code = smallInt(json.ExitCode) ?? this.#row.exit_code;
  }

  environment(json: Json): void {
    const kinds: [string, unknown][] = [
      ["jvm", json["JVM Information"]],
      ["spark", json["Spark Properties"]],
      ["hadoop", json["Hadoop Properties"]],
      ["system", json["System Properties"]],
      ["metrics", json["Metrics Properties"]],
      ["classpath", json["Classpath Entries"]],
    ];
    for (const [kind, value] of kinds) {
      const entries = pairs(value);
      if (entries.length > 0) this.#properties.set(kind, new Map(entries));
    }
    this.#row.master = this.sparkProperty("spark.master") ?? this.#row.master;
    this.#row.deploy_mode = this.sparkProperty("spark.submit.deployMode") ?? this.#row.deploy_mode;
    if (this.sparkProperty("spark.databricks.clusterUsageTags.clusterId")) this.vendor("databricks");
    this.#row.spark_version ??= databricksVersion(
      this.sparkProperty("spark.databricks.clusterUsageTags.sparkVersion"),
    );
  }

  resourceProfile(json: Json): void {
    const id = smallInt(json["Resource Profile Id"]);
    if (id === null) return;
    for (const [kind, key] of [
      ["executor", "Executor Resource Requests"],
      ["task", "Task Resource Requests"],
    ] as const) {
      for (const [name, request] of Object.entries(object(json[key])))
        this.#context.rows.insert("resource_profile", {
          resource_profile_id: id,
          kind,
          resource: name,
          amount: real(object(request).Amount),
        });
    }
  }

  process(json: Json): void {
    const id = text(json.processId);
    if (id === null) return;
    const info = object(json.info);
    this.#context.rows.insert("process", {
      process_id: id,
      time_ms: this.#context.clock.see(time(json.time)),
      host_port: text(info.hostPort),
      cores: smallInt(info.cores),
    });
  }

  /** Writes the application and its properties. Names from the path stand in for an absent start event. */
  finish(fallback: {
    applicationId: string | null;
    attemptId: string | null;
    sparkVersion: string | null;
  }): void {
    const row = this.#row;
    row.application_id ??= fallback.applicationId;
    row.attempt_id ??= fallback.attemptId;
    row.spark_version ??= fallback.sparkVersion;
    row.vendor ??= vendorOf(row.spark_version, (name) => this.sparkProperty(name));
    this.#context.rows.insert("application", row);
    for (const [kind, properties] of this.#properties)
      for (const [name, value] of properties) this.#context.rows.insert("property", { kind, name, value });
  }
}

/** Properties are a map in every version; old builds wrote arrays of pairs. */
function pairs(value: unknown): [string, string][] {
  if (!Array.isArray(value)) return textEntries(value);
  return array(value).flatMap((pair): [string, string][] => {
    const [name, item] = array(pair);
    return typeof name === "string" && typeof item === "string" ? [[name, item]] : [];
  });
}

/** "11.3.x-scala2.12" -> "Databricks 11.3.x": the tag names the runtime, not Spark's own version. */
function databricksVersion(tag: string | null): string | null {
  return tag ? `Databricks ${tag.split("-")[0]}` : null;
}

function vendorOf(version: string | null, property: (name: string) => string | null): string | null {
  if (version?.includes("amzn")) return "emr";
  const dataproc =
    property("spark.dataproc.engine") ?? property("spark.dataproc.sql.joinConditionReorder.enabled");
  return dataproc === null ? null : "dataproc";
}
