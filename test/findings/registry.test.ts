import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findingsDocument } from "../../docs/generate.ts";
import { APP_CAUSES, STAGE_CAUSES } from "../../src/findings/causes/index.ts";
import { explain, explainAll } from "../../src/findings/explain.ts";
import { CAUSES } from "../../src/findings/finding.ts";
import { changeLimits, DEFAULT_LIMITS, LIMITS } from "../../src/findings/limits.ts";
import { RULES } from "../../src/findings/rules/index.ts";

const filesIn = (folder: string): string[] =>
  readdirSync(new URL(`../../src/findings/${folder}/`, import.meta.url))
    .map((file) => file.replace(/\.ts$/, ""))
    .filter((name) => !["index", "rule"].includes(name))
    .sort();

test("every cause of a verdict has one file of its name", () => {
  const registered = [...STAGE_CAUSES, ...APP_CAUSES].map((cause) => cause.cause);
  expect([...registered].sort()).toEqual([...CAUSES].sort());
  expect(filesIn("causes")).toEqual([...CAUSES].sort());
});

test("every remark has one file of its name", () => {
  expect(RULES.map((rule) => rule.rule).sort()).toEqual(filesIn("rules"));
});

test("every rule explains itself: what it means, how to check it, its limits with their source", () => {
  for (const { rule, about, check, limits } of explainAll()) {
    expect(about.length, rule).toBeGreaterThan(40);
    expect(check, rule).toMatch(/page|plan/i);
    for (const limit of limits) expect(limit.source, limit.name).not.toBe("");
  }
  expect(explain("skew")).toContain("skewFail = 5x");
  expect(explain("no such rule")).toBeNull();
});

test("every limit is used by a rule's explanation or judges what counts at all", () => {
  const explained = new Set(explainAll().flatMap((e) => e.limits.map((limit) => limit.name)));
  const general = ["priceOfStage", "criticalShare", "missingTasks"];
  for (const name of Object.keys(LIMITS)) expect([...explained, ...general], name).toContain(name);
});

test("docs/findings.md is what the rules say today", () => {
  const document = readFileSync(new URL("../../docs/findings.md", import.meta.url), "utf8");
  expect(document).toBe(findingsDocument());
});

test("a configuration file changes a limit, and a misspelt one is refused by name", () => {
  expect(changeLimits({ skewFail: 10 })).toEqual({ ...DEFAULT_LIMITS, skewFail: 10 });
  expect(() => changeLimits({ skewFial: 10 })).toThrow(/unknown limit skewFial/);
  expect(() => changeLimits({ skewFail: "ten" })).toThrow(/skewFail must be a number/);
  expect(() => changeLimits([])).toThrow(/object/);
});
