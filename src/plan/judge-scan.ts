type Whole = number | bigint;

/** What is judged of a scan: columns of sql_scan. */
export interface MeasuredScan {
  partition_filters: string | null;
  pushed_filters: string | null;
  data_filters: string | null;
  partitioned: Whole | null;
  files_read: Whole | null;
  bytes_read: Whole | null;
  metadata_time_ms: Whole | null;
}

export interface ScanJudgement {
  fault: "no-partition-filter" | "no-pushed-filter" | "small-files" | "slow-listing";
  /** Files read, mean bytes a file, or milliseconds of listing; null for filters. */
  value: number | null;
  limit: number | null;
}

/** Opening and planning a file costs about as much as reading this much of it. */
export const SMALL_FILE_BYTES = 3 * 1024 ** 2;
/** Fewer files than this are listed in no time, whatever their size. */
export const MIN_FILES = 100;
/** Listing shorter than this is not worth a word. */
export const SLOW_LISTING_MS = 1000;

export function judgeScan(scan: MeasuredScan): ScanJudgement[] {
  const found: ScanJudgement[] = [];
  const files = scan.files_read === null ? null : Number(scan.files_read);
  const mean = meanFileBytes(scan);
  const listing = scan.metadata_time_ms === null ? null : Number(scan.metadata_time_ms);
  if (Number(scan.partitioned) === 1 && isEmpty(scan.partition_filters)) {
    found.push({ fault: "no-partition-filter", value: files, limit: null });
  }
  if (isEmpty(scan.pushed_filters) && scan.data_filters !== null && !isEmpty(scan.data_filters)) {
    found.push({ fault: "no-pushed-filter", value: null, limit: null });
  }
  if (files !== null && files >= MIN_FILES && mean !== null && mean < SMALL_FILE_BYTES) {
    found.push({ fault: "small-files", value: mean, limit: SMALL_FILE_BYTES });
  }
  if (listing !== null && listing >= SLOW_LISTING_MS) {
    found.push({ fault: "slow-listing", value: listing, limit: SLOW_LISTING_MS });
  }
  return found;
}

export function meanFileBytes({ files_read, bytes_read }: MeasuredScan): number | null {
  if (files_read === null || bytes_read === null || Number(files_read) === 0) return null;
  return Number(bytes_read) / Number(files_read);
}

function isEmpty(filters: string | null): boolean {
  return filters === null || /^\[\s*\]$/.test(filters);
}
