import type { Answer, Answers, AnswerValue } from "./answers.ts";
import type { Rows } from "./compare-log.ts";
import type { Comparer } from "./comparer.ts";

export function compareApplication(comparer: Comparer, rows: Rows, answers: Answers): void {
  const [ours] = rows("SELECT * FROM application");
  const [theirs] = answers.application.attempts as Answer[];
  if (!ours || !theirs) throw new Error("no application");
  const which = String(answers.application.id);
  const end = Number(ours.end_time_ms ?? -1);
  comparer.value("application.id", which, ours.application_id, answers.application.id);
  comparer.value("application.name", which, ours.name, answers.application.name);
  comparer.value("application.attemptId", which, ours.attempt_id, theirs.attemptId);
  comparer.value("application.startTimeEpoch", which, ours.start_time_ms, theirs.startTimeEpoch);
  comparer.value("application.endTimeEpoch", which, end, theirs.endTimeEpoch);
  comparer.value("application.completed", which, end >= 0, theirs.completed);
  if (end >= 0)
    comparer.value("application.duration", which, end - Number(ours.start_time_ms), theirs.duration);
  comparer.value("application.sparkUser", which, ours.user, theirs.sparkUser);
  comparer.value("application.appSparkVersion", which, ours.spark_version, theirs.appSparkVersion);
}

/** Lists of the environment page and kinds of `property`. */
const LISTS = {
  sparkProperties: "spark",
  hadoopProperties: "hadoop",
  systemProperties: "system",
  metricsProperties: "metrics",
  classpathEntries: "classpath",
} as const;

const RUNTIME = {
  javaVersion: "Java Version",
  javaHome: "Java Home",
  scalaVersion: "Scala Version",
} as const;

export function compareEnvironment(comparer: Comparer, rows: Rows, answers: Answers): void {
  for (const [list, kind] of Object.entries(LISTS)) compareProperties(comparer, rows, answers, list, kind);
  const jvm = propertiesOf(rows, "jvm");
  const runtime = answers.environment.runtime as Answer;
  for (const [field, name] of Object.entries(RUNTIME))
    comparer.value(`environment.${field}`, "", jvm.get(name) ?? null, runtime[field]);
  for (const profile of answers.environment.resourceProfiles as Answer[])
    compareProfile(comparer, rows, profile);
}

function compareProperties(
  comparer: Comparer,
  rows: Rows,
  answers: Answers,
  list: string,
  kind: string,
): void {
  const ours = propertiesOf(rows, kind);
  const theirs = answers.environment[list] as [string, AnswerValue][];
  comparer.value(`environment.${list}.count`, "", ours.size, theirs.length);
  for (const [name, value] of theirs)
    comparer.value(`environment.${list}`, name, ours.get(name) ?? null, value);
}

function propertiesOf(rows: Rows, kind: string): Map<string, string> {
  const found = rows("SELECT name, value FROM property WHERE kind = ?", kind);
  return new Map(found.map(({ name, value }) => [String(name), String(value)]));
}

function compareProfile(comparer: Comparer, rows: Rows, profile: Answer): void {
  const id = Number(profile.id);
  for (const [kind, list] of [
    ["executor", profile.executorResources],
    ["task", profile.taskResources],
  ] as const) {
    const found = rows("SELECT * FROM resource_profile WHERE resource_profile_id = ? AND kind = ?", id, kind);
    const ours = new Map(found.map(({ resource, amount }) => [resource, amount]));
    for (const [name, { amount }] of Object.entries(list as { [name: string]: Answer }))
      comparer.value(`environment.resourceProfile.${kind}`, `${id} ${name}`, ours.get(name) ?? null, amount);
  }
}
