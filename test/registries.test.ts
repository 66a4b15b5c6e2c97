import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_HANDLERS } from "../src/events/index.ts";
import { QUERIES } from "../src/queries/index.ts";
import { SECTIONS } from "../src/report/sections/index.ts";

/** Files of a registry's folder that are no members. */
const NOT_MEMBERS: Record<string, string[]> = {
  events: ["event", "json", "index"],
  "report/sections": ["section", "index"],
};

test.each(Object.entries(NOT_MEMBERS))("every file of src/%s is listed in its index", (folder, others) => {
  const root = new URL(`../src/${folder}/`, import.meta.url);
  const index = readFileSync(new URL("index.ts", root), "utf8");
  const members = readdirSync(root)
    .map((file) => file.replace(/\.ts$/, ""))
    .filter((name) => !others.includes(name));
  expect(members.filter((name) => !index.includes(`"./${name}.ts"`))).toEqual([]);
});

test("no event name has two handlers, no two queries or sections share a name", () => {
  for (const names of [
    EVENT_HANDLERS.flatMap((handler) => handler.events),
    QUERIES.map((query) => query.name),
    SECTIONS.map((section) => section.id),
  ])
    expect(names.length).toBe(new Set(names).size);
});
