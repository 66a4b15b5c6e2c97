import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { isObject, type Json } from "../json.ts";
import { LoggedPlan } from "../model/logged-plan.ts";
import { parseLine } from "./parse-line.ts";

/** What SQLExecutionStart and SQLAdaptiveExecutionUpdate lines begin with, and nothing else of size. */
const BEGINNING = Buffer.from('{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQL');
const DESCRIPTION = Buffer.from(',"physicalPlanDescription":"');
const PLAN = Buffer.from('","sparkPlanInfo":{');
const BEHIND_PLAN = Buffer.from('},"time":');
/** What stands behind the plan is looked for in so many bytes at the end of the line. */
const TAIL_BYTES = 64 * 1024;
/** Stand where the two large values were cut out; no event holds such strings. */
const DESCRIPTION_MARK = "\u0000physicalPlanDescription";
const PLAN_MARK = "\u0000sparkPlanInfo";

/**
 * A line that holds a plan as an object whose sparkPlanInfo is a LoggedPlan: the plan's text is taken from the line
 * instead of being written anew, and neither text is searched for long integers.
 * @returns null where the line does not look as Spark writes it; parseLine reads it then
 */
export function parsePlanLine(buffer: Buffer, start: number, end: number): Json | null {
  if (buffer.compare(BEGINNING, 0, BEGINNING.length, start, Math.min(end, start + BEGINNING.length)) !== 0)
    return null;
  const line = buffer.subarray(start, end);
  const description = line.indexOf(DESCRIPTION);
  const plan = description < 0 ? -1 : line.indexOf(PLAN, description);
  if (plan < 0) return null;
  const descriptionStart = description + DESCRIPTION.length - 1;
  const planStart = plan + PLAN.length - 1;
  const tail = Math.max(planStart, line.length - TAIL_BYTES);
  const behind = line.subarray(tail).lastIndexOf(BEHIND_PLAN);
  const planEnd = behind < 0 ? line.length - 1 : tail + behind + 1;
  try {
    const physicalPlanDescription: unknown = JSON.parse(line.toString("utf8", descriptionStart, plan + 1));
    const text = line.toString("utf8", planStart, planEnd);
    const sparkPlanInfo: unknown = JSON.parse(text);
    const rest = parseLine(
      line.toString("utf8", 0, descriptionStart) +
        JSON.stringify(DESCRIPTION_MARK) +
        line.toString("utf8", plan + 1, planStart) +
        JSON.stringify(PLAN_MARK) +
        line.toString("utf8", planEnd),
    );
    // Each part is JSON by itself, and both marks came out where the values belong: so is the line.
    if (rest?.physicalPlanDescription !== DESCRIPTION_MARK || rest.sparkPlanInfo !== PLAN_MARK) return null;
    if (typeof physicalPlanDescription !== "string" || !isObject(sparkPlanInfo)) return null;
    const hash = createHash("sha256").update(line.subarray(descriptionStart, planEnd)).digest("base64");
    const bytes = line.subarray(planStart, planEnd);
    const logged = new LoggedPlan(sparkPlanInfo, text, hash, isUtf8(bytes) ? bytes : null);
    return { ...rest, physicalPlanDescription, sparkPlanInfo: logged };
  } catch {
    return null;
  }
}
