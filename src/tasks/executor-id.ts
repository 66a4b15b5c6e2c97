import { text } from "../json.ts";

/** An executor's id as text; the driver's was "<driver>" before Spark 1.4. */
export function executorId(value: unknown): string | null {
  const id = text(value) ?? (typeof value === "number" ? String(value) : null);
  return id === "<driver>" ? "driver" : id;
}
