import { defineQuery } from "./query.ts";

export interface SparkPropertiesRow {
  kind: string;
  name: string;
  value: string;
}

/** One row a Spark or JVM property of the application, by name. Class path, Hadoop and system properties stay out. */
export const sparkProperties = defineQuery<SparkPropertiesRow>({
  name: "spark-properties",
  about: "One row a Spark or JVM property, by name.",
  columns: ["kind", "name", "value"],
  sql: /* sql */ `
    SELECT
      kind,
      name,
      value
    FROM property
    WHERE log_id = $log_id
      AND kind IN ('spark', 'jvm')
    ORDER BY kind, name
  `,
});
