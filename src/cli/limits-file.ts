import { readFileSync } from "node:fs";
import { UserError } from "../errors.ts";
import { changeLimits, DEFAULT_LIMITS, type Limits } from "../findings/limits.ts";

/**
 * Limits of the diagnosis with the changes of a configuration file, JSON with one object under "limits".
 * @throws UserError where the file cannot be read or names a limit that does not exist
 */
export function readLimits(path: string | undefined): Limits {
  if (path === undefined) return DEFAULT_LIMITS;
  const hint = 'Give JSON such as {"limits": {"skewFail": 10}}; sparklog explain RULE names the limits.';
  try {
    const config: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof config !== "object" || config === null || !("limits" in config))
      throw new RangeError('no "limits" in it');
    return changeLimits(config.limits);
  } catch (error) {
    throw new UserError(`${path}: ${(error as Error).message}`, hint);
  }
}
