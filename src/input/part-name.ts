/** What file names of event logs say. Names only: contents decide what a file is. */

/** `events_<n>_<appId>[_<attempt>][.<codec>][.compact]`, a data file of a rolling log (Spark 3.0+). */
export interface RollingName {
  index: number;
  compacted: boolean;
  /** The History Server was still writing this .compact file: the originals count. */
  unfinished: boolean;
  /** `<appId>[_<attempt>]`, the same for all files of one log. */
  log: string;
}

/** `appstatus_<appId>[_<attempt>][.inprogress]`, the empty marker beside them. */
export interface StatusName {
  log: string;
  inProgress: boolean;
}

/** A part of a Databricks log: `eventlog-YYYY-MM-DD--HH-MM[.gz]` are the hours before, `eventlog` is the newest. */
export interface DatabricksName {
  /** Sorts in reading order. */
  order: string;
}

export interface ApplicationName {
  applicationId: string | null;
  attemptId: string | null;
}

const CODEC_SUFFIX = /\.(?:lz4|lzf|snappy|zstd|zst|gz|gzip|zip|bz2|xz|7z)$/;
const ROLLING = /^events_(\d{1,15})_(.+)$/;
const STATUS = /^appstatus_(.+?)(\.inprogress)?$/;
const DATABRICKS = /^eventlog(?:-(\d{4}-\d\d-\d\d--\d\d-\d\d))?$/;
/** Ids as YARN, standalone masters, local mode, Kubernetes and Spark's own default make them. */
const APPLICATION =
  /^(application_\d+_\d+|app-\d{14}-\d+|local-\d+|spark-[0-9a-f]{32}|spark-application-\d+)(?:_(\w+))?$/;

export function rollingName(name: string): RollingName | undefined {
  const unfinished = name.endsWith(".inprogress");
  const settled = name.replace(/\.inprogress$/, "");
  const compacted = settled.endsWith(".compact");
  const match = ROLLING.exec(settled.replace(/\.compact$/, ""));
  if (!match?.[1] || !match[2]) return undefined;
  const log = withoutCodec(match[2]);
  return { index: Number(match[1]), compacted, unfinished: unfinished && compacted, log };
}

export function statusName(name: string): StatusName | undefined {
  const match = STATUS.exec(name);
  return match?.[1] ? { log: match[1], inProgress: match[2] !== undefined } : undefined;
}

export function databricksName(name: string): DatabricksName | undefined {
  const match = DATABRICKS.exec(withoutCodec(name));
  return match ? { order: match[1] ?? "newest" } : undefined;
}

/** The application id and attempt in a name such as `application_17_0001_1.zstd.inprogress`. */
export function applicationName(name: string): ApplicationName {
  const bare = withoutCodec(name.replace(/\.inprogress$/, "")).replace(/^eventlog_v2_/, "");
  const match = APPLICATION.exec(bare);
  return { applicationId: match?.[1] ?? null, attemptId: match?.[2] ?? null };
}

/** True if a file of this name is an event log even where its content does not show it: empty or damaged. */
export function namedLikeLog(name: string): boolean {
  return applicationName(name).applicationId !== null || rollingName(name) !== undefined;
}

function withoutCodec(name: string): string {
  return name.replace(CODEC_SUFFIX, "");
}
