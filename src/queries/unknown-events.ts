import { defineQuery, type Int } from "./query.ts";

export interface UnknownEventsRow {
  event: string;
  lines: Int;
}

/** One row an event name that sparklog does not know. */
export const unknownEvents = defineQuery<UnknownEventsRow>({
  name: "unknown-events",
  about: "One row an event name that sparklog does not know.",
  columns: ["event", "lines"],
  sql: /* sql */ `
    SELECT event, lines
    FROM unknown_event
    WHERE log_id = $log_id
    ORDER BY lines DESC, event
  `,
});
