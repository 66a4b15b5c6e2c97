import { readdirSync } from "node:fs";
import { cruise } from "dependency-cruiser";
import { expect, test } from "vitest";
import config from "../.dependency-cruiser.mjs";

test("folders import only what docs/architecture.md allows", async () => {
  const { output } = await cruise(["src"], {
    ...config.options,
    ruleSet: { forbidden: config.forbidden as never },
    validate: true,
  });
  if (typeof output === "string") throw new Error(output);
  const { violations, totalCruised } = output.summary;
  expect(violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);

  // With a compiler it does not know dependency-cruiser reads no file, finds nothing wrong and passes.
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" });
  expect(totalCruised).toBeGreaterThanOrEqual(sources.filter((file) => file.endsWith(".ts")).length);
});
