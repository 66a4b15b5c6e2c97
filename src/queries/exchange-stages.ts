import { defineQuery, type Int } from "./query.ts";

export interface ExchangeStagesRow {
  execution_id: Int;
  node_id: Int;
  stage_id: Int;
  stage_attempt_id: Int;
  /** write: the stage fills this exchange; read: it reads it. */
  side: string;
}

/** One row an exchange and stage that writes or reads it, told by the metrics that the tasks of the stage reported. */
export const exchangeStages = defineQuery<ExchangeStagesRow>({
  name: "exchange-stages",
  about: "One row an exchange and stage that writes or reads it.",
  columns: ["execution_id", "node_id", "stage_id", "stage_attempt_id", "side"],
  sql: /* sql */ `
    SELECT DISTINCT
      x.execution_id,
      n.node_id,
      m.stage_id,
      m.stage_attempt_id,
      CASE WHEN pm.name LIKE 'shuffle %' THEN 'write' ELSE 'read' END AS side
    FROM sql_execution AS x
    JOIN sql_plan_node AS n ON n.log_id = x.log_id AND n.plan_id = x.plan_id
    JOIN sql_plan_metric AS pm ON pm.log_id = n.log_id AND pm.plan_id = n.plan_id AND pm.node_id = n.node_id
    JOIN stage_sql_metric AS m ON m.log_id = pm.log_id AND m.accumulator_id = pm.accumulator_id
    WHERE x.log_id = $log_id
      AND n.kind = 'Exchange'
      AND pm.name IN ('shuffle records written', 'shuffle bytes written', 'records read', 'local bytes read', 'remote bytes read')
      AND m.total > 0
    ORDER BY x.execution_id, n.node_id, m.stage_id, m.stage_attempt_id, side
  `,
});
