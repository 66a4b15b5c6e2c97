"""DuckDB: the tasks of a log as rows, counted and summed; a dozen typed columns. LOG DATABASE"""
import os
import sys

import duckdb

log, database = sys.argv[1:3]
if os.path.exists(database):
    os.remove(database)
connection = duckdb.connect(database)
connection.execute("SET threads = 1")
connection.execute(
    """
    CREATE TABLE task AS
    SELECT "Stage ID" AS stage_id, "Stage Attempt ID" AS stage_attempt_id, i."Task ID" AS task_id, i."Index" AS task_index,
      i."Launch Time" AS launch_time_ms, i."Finish Time" AS finish_time_ms, i."Executor ID" AS executor_id, i.Host AS host,
      m."Executor Run Time" AS executor_run_time_ms, m."Executor CPU Time" AS executor_cpu_time_ns,
      m."JVM GC Time" AS jvm_gc_time_ms, m."Input Metrics"."Bytes Read" AS input_bytes_read
    FROM (
      SELECT *, "Task Info" AS i, "Task Metrics" AS m
      FROM read_json(?, format = 'newline_delimited', maximum_object_size = 67108864, columns = {
        'Event': 'VARCHAR', 'Stage ID': 'BIGINT', 'Stage Attempt ID': 'BIGINT',
        'Task Info': 'STRUCT("Task ID" BIGINT, "Index" BIGINT, "Launch Time" BIGINT, "Finish Time" BIGINT, "Executor ID" VARCHAR, Host VARCHAR)',
        'Task Metrics': 'STRUCT("Executor Run Time" BIGINT, "Executor CPU Time" BIGINT, "JVM GC Time" BIGINT, "Input Metrics" STRUCT("Bytes Read" BIGINT))'
      })
      WHERE Event = 'SparkListenerTaskEnd'
    )
    """,
    [log],
)
print(connection.execute("SELECT COUNT(*), SUM(executor_run_time_ms) FROM task").fetchone())
