/** The peer of a report: one query with sums and medians by stage over the tasks of a database. DATABASE */
import Database from "better-sqlite3";

const db = new Database(process.argv[2], { readonly: true });
const metrics = ["executor_run_time_ms", "executor_cpu_time_ns", "jvm_gc_time_ms", "input_bytes_read", "shuffle_bytes_written", "remote_bytes_read"];
const columns = metrics.map((name) => `SUM(${name}), MEDIAN(${name})`).join();
const rows = db.prepare(`SELECT stage_id, stage_attempt_id, COUNT(*), ${columns} FROM task_data GROUP BY 1, 2`).all();
console.log(rows.length);
