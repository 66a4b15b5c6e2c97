import { defineQuery, type Int } from "./query.ts";

export interface PersistedRddsRow {
  rdd_id: Int;
  name: string | null;
  storage_level: string | null;
  use_disk: Int;
  use_memory: Int;
  number_of_partitions: Int | null;
  unpersisted: Int;
  cached_partitions: Int | null;
  max_cached_partitions: Int | null;
  evicted_blocks: Int | null;
  memory_size_bytes: Int | null;
  disk_size_bytes: Int | null;
  /** Stage attempts that list it. */
  stages: Int;
  /** Own time of those stages. */
  own_time_ms: number | null;
}

/** One row an RDD with a storage level, with the stages that list it. cached_partitions is NULL without block updates in the log. */
export const persistedRdds = defineQuery<PersistedRddsRow>({
  name: "persisted-rdds",
  about: "One row a persisted RDD, by id.",
  columns: [
    "rdd_id",
    "name",
    "storage_level",
    "use_disk",
    "use_memory",
    "number_of_partitions",
    "unpersisted",
    "cached_partitions",
    "max_cached_partitions",
    "evicted_blocks",
    "memory_size_bytes",
    "disk_size_bytes",
    "stages",
    "own_time_ms",
  ],
  sql: /* sql */ `
    SELECT
      r.rdd_id,
      r.name,
      r.storage_level,
      r.use_disk,
      r.use_memory,
      r.number_of_partitions,
      r.unpersisted,
      r.cached_partitions,
      r.max_cached_partitions,
      r.evicted_blocks,
      r.memory_size_bytes,
      r.disk_size_bytes,
      COUNT(s.stage_id) AS stages,
      TOTAL(s.own_time_ms) AS own_time_ms
    FROM rdd AS r
    LEFT JOIN stage_rdd AS sr ON sr.log_id = r.log_id AND sr.rdd_id = r.rdd_id
    LEFT JOIN stage AS s
      ON s.log_id = sr.log_id
      AND s.stage_id = sr.stage_id
      AND s.stage_attempt_id = sr.stage_attempt_id
      AND s.status NOT IN ('skipped', 'pending')
    WHERE r.log_id = $log_id
      AND r.storage_level IS NOT NULL
    GROUP BY r.rdd_id
    ORDER BY r.rdd_id
  `,
});
