import { defineQuery, type Int } from "./query.ts";

export interface SpillOperatorsRow {
  execution_id: Int | null;
  stage_id: Int;
  stage_attempt_id: Int;
  /** NULL: no operator of a plan reported the stage's spill. */
  node_id: Int | null;
  kind: string | null;
  simple_string: string | null;
  /** The operator's own "spill size": rows in memory, before serialization. */
  operator_spill_bytes: Int | null;
  operator_spilling_tasks: Int | null;
  operator_max_spill_bytes: Int | null;
  hot_task_id: Int | null;
  /** Of the whole stage attempt. */
  memory_bytes_spilled: Int | null;
  disk_bytes_spilled: Int | null;
  spilling_tasks: Int;
  tasks: Int;
  /** Per task: shuffle read, or input where the stage reads no shuffle. */
  mean_bytes_read: number | null;
  median_bytes_read: Int | null;
  max_bytes_read: Int | null;
}

/**
 * One row a stage attempt that spilled and operator in it that reported a spill. Stages whose spill no operator reports
 * (RDD code, the shuffle writer) have one row without an operator. Largest spill on disk first.
 */
export const spillOperators = defineQuery<SpillOperatorsRow>({
  name: "spill-operators",
  about: "One row a stage attempt that spilled and operator that did it, largest first.",
  columns: [
    "execution_id",
    "stage_id",
    "stage_attempt_id",
    "node_id",
    "kind",
    "simple_string",
    "operator_spill_bytes",
    "operator_spilling_tasks",
    "operator_max_spill_bytes",
    "hot_task_id",
    "memory_bytes_spilled",
    "disk_bytes_spilled",
    "spilling_tasks",
    "tasks",
    "mean_bytes_read",
    "median_bytes_read",
    "max_bytes_read",
  ],
  sql: /* sql */ `
    WITH
      -- Materialized, so that SQLite can index it by accumulator: plans declare far more metrics than stages report.
      -- CROSS JOIN keeps SQLite from going through all nodes of all plans for each of them.
      plan_spill AS MATERIALIZED (
        SELECT
          x.execution_id,
          n.plan_id,
          n.node_id,
          CAST(m.value ->> 0 AS INTEGER) AS accumulator_id
        FROM sql_execution AS x
        JOIN sql_plan_node AS n ON n.log_id = x.log_id AND n.plan_id = x.plan_id
        JOIN json_each(n.metrics_json) AS m
        WHERE x.log_id = $log_id
          -- Rows of sql_plan_metric; few of them are of spill, and the others need not be taken apart.
          AND INSTR(n.metrics_json, 'spill') > 0
          AND INSTR(m.value, 'spill') > 0
          AND (
            TRIM(m.value ->> 1) IN ('spill size', 'spill size total (min, med, max)')
            OR m.value ->> 1 LIKE 'num bytes spilled to disk due to memory pressure%'
          )
      ),
      operator_spill AS (
        SELECT
          p.execution_id,
          n.node_id,
          n.kind,
          n.simple_string,
          m.stage_id,
          m.stage_attempt_id,
          m.total,
          m.tasks,
          m.max,
          m.max_task_id
        FROM stage_sql_metric AS m
        CROSS JOIN plan_spill AS p ON p.accumulator_id = m.accumulator_id
        CROSS JOIN sql_plan_node AS n ON n.log_id = m.log_id AND n.plan_id = p.plan_id AND n.node_id = p.node_id
        WHERE m.log_id = $log_id
          AND m.total > 0
          AND n.in_reused = 0
        GROUP BY m.stage_id, m.stage_attempt_id, m.accumulator_id
      )
    SELECT
      o.execution_id,
      s.stage_id,
      s.stage_attempt_id,
      o.node_id,
      o.kind,
      o.simple_string,
      o.total AS operator_spill_bytes,
      o.tasks AS operator_spilling_tasks,
      o.max AS operator_max_spill_bytes,
      o.max_task_id AS hot_task_id,
      s.memory_bytes_spilled,
      s.disk_bytes_spilled,
      s.spilling_tasks,
      s.tasks,
      CASE WHEN s.shuffle_bytes_read > 0 THEN s.shuffle_bytes_read ELSE s.input_bytes_read END * 1.0 / s.tasks AS mean_bytes_read,
      -- Which read of a task tells its share of the data: shuffle if the stage reads one, else input.
      CASE
        WHEN s.shuffle_bytes_read > 0 THEN d.quantiles_json ->> '$.shuffle_bytes_read[4]'
        ELSE d.quantiles_json ->> '$.input_bytes_read[4]'
      END AS median_bytes_read,
      CASE
        WHEN s.shuffle_bytes_read > 0 THEN d.quantiles_json ->> '$.shuffle_bytes_read[8]'
        ELSE d.quantiles_json ->> '$.input_bytes_read[8]'
      END AS max_bytes_read
    FROM stage AS s
    LEFT JOIN operator_spill AS o ON o.stage_id = s.stage_id AND o.stage_attempt_id = s.stage_attempt_id
    LEFT JOIN stage_distribution AS d
      ON d.log_id = s.log_id
      AND d.stage_id = s.stage_id
      AND d.stage_attempt_id = s.stage_attempt_id
    WHERE s.log_id = $log_id
      AND s.spilling_tasks > 0
    ORDER BY s.disk_bytes_spilled DESC, s.stage_id, s.stage_attempt_id, o.total DESC, o.node_id
  `,
});
