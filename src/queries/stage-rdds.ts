import { defineQuery, type Int } from "./query.ts";

export interface StageRddsRow {
  stage_id: Int;
  stage_attempt_id: Int;
  /** Names and operators of its RDDs, one a line. */
  rdd_names: string | null;
  /** 1: one of its RDDs has a storage level. */
  persisted: Int;
  /** 1: one of its RDDs was made by InMemoryTableScan. */
  scans_cache: Int;
}

/** One row a stage attempt that lists RDDs: what they are called and whether it may read cached data. */
export const stageRdds = defineQuery<StageRddsRow>({
  name: "stage-rdds",
  about: "One row a stage attempt that lists RDDs, by id.",
  columns: ["stage_id", "stage_attempt_id", "rdd_names", "persisted", "scans_cache"],
  sql: /* sql */ `
    SELECT
      sr.stage_id,
      sr.stage_attempt_id,
      GROUP_CONCAT(DISTINCT r.name || ' ' || IFNULL(r.scope, '')) AS rdd_names,
      MAX(r.storage_level IS NOT NULL) AS persisted,
      MAX(IFNULL(r.scope LIKE '%InMemoryTableScan%', 0) OR IFNULL(r.name LIKE 'In-memory table%', 0)) AS scans_cache
    FROM stage_rdd AS sr
    JOIN rdd AS r ON r.log_id = sr.log_id AND r.rdd_id = sr.rdd_id
    JOIN stage AS s
      ON s.log_id = sr.log_id
      AND s.stage_id = sr.stage_id
      AND s.stage_attempt_id = sr.stage_attempt_id
    WHERE sr.log_id = $log_id
      AND s.own_time_ms >= 0.01 * (SELECT TOTAL(own_time_ms) FROM stage WHERE log_id = $log_id)
    GROUP BY sr.stage_id, sr.stage_attempt_id
    ORDER BY sr.stage_id, sr.stage_attempt_id
  `,
});
