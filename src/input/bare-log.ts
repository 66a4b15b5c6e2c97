import type { EventLog, Layout } from "./event-log.ts";

/** What every log has before its parts and names are looked at. */
export function bareLog(path: string, layout: Layout): EventLog {
  return {
    path,
    layout,
    parts: [],
    inProgress: null,
    applicationId: null,
    attemptId: null,
    sparkVersion: null,
    issues: [],
  };
}
