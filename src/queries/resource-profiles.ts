import { defineQuery, type Int } from "./query.ts";

export interface ResourceProfilesRow {
  resource_profile_id: Int;
  kind: string;
  resource: string;
  amount: number | null;
}

/** One row a resource request of a profile, by profile. */
export const resourceProfiles = defineQuery<ResourceProfilesRow>({
  name: "resource-profiles",
  about: "One row a resource request of a profile, by profile.",
  columns: ["resource_profile_id", "kind", "resource", "amount"],
  sql: /* sql */ `
    SELECT
      resource_profile_id,
      kind,
      resource,
      amount
    FROM resource_profile
    WHERE log_id = $log_id
    ORDER BY resource_profile_id, kind, resource
  `,
});
