import type { IssueLog } from "../issues.ts";
import type { RowSink } from "../store/rows.ts";

/** What every model of a log shares: where rows and issues go, and the range of event times seen. */
export interface ModelContext {
  rows: RowSink;
  issues: IssueLog;
  clock: LogClock;
}

/** Smallest and largest time of the events: stands in for "now" and for a missing start or end. */
export class LogClock {
  first: number | null = null;
  last: number | null = null;

  /** Notes a time (epoch ms; null is passed over) and returns it. */
  see(time: number | null): number | null {
    if (time === null) return null;
    if (this.first === null || time < this.first) this.first = time;
    if (this.last === null || time > this.last) this.last = time;
    return time;
  }
}
