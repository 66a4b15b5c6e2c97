import { type Db, measure } from "./open-store.ts";

/** Tables of a database, as schema.sql makes them. */
function tableNames(db: Db, schema: string): string[] {
  return db
    .prepare<[], string>(
      `SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
    )
    .pluck()
    .all();
}

/**
 * Adds the log of a scratch database (log_id 1) to a target under a new log_id, in one journaled transaction: a
 * killed run leaves the target as it was.
 * @returns the log's id in the target
 */
export function joinDatabase(target: Db, scratchPath: string): number {
  target.prepare("ATTACH DATABASE ? AS scratch").run(scratchPath);
  try {
    const logId = target.transaction(() => copyLog(target))();
    measure(target);
    return logId;
  } finally {
    target.exec("DETACH DATABASE scratch");
  }
}

function copyLog(target: Db): number {
  const next = (sql: string) => Number(target.prepare(sql).pluck().get());
  const logId = next("SELECT IFNULL(MAX(log_id), 0) + 1 FROM main.log");
  // Stages know the range of rows their tasks lie in: it moves with the rows.
  const moved = next("SELECT IFNULL(MAX(rowid), 0) FROM main.task_data");
  for (const table of tableNames(target, "scratch")) {
    const columns = (target.pragma(`scratch.table_info(${table})`) as { name: string }[]).map(
      ({ name }) => name,
    );
    const values = columns.map((name) => {
      if (name === "log_id") return String(logId);
      return table === "stage" && name.endsWith("_task_rowid") ? `${name} + ${moved}` : name;
    });
    const order = table === "task_data" ? " ORDER BY rowid" : "";
    target.exec(
      `INSERT INTO main.${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM scratch.${table}${order}`,
    );
  }
  return logId;
}
