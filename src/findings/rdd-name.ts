const LENGTH = 60;

/** "RDD 5 (features)": a cached DataFrame is called by its whole plan, so only the beginning of its first line counts. */
export function rddName(rdd: { rdd_id: number; name: string | null }): string {
  const line = (rdd.name ?? "").trim().split(/\r?\n/, 1)[0] ?? "";
  const short = line.length > LENGTH ? `${line.slice(0, LENGTH)}...` : line;
  return short === "" ? `RDD ${rdd.rdd_id}` : `RDD ${rdd.rdd_id} (${short})`;
}
