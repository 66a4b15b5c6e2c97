import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const BUILD = "../../wasm/build.mjs";
const { MODULES, compileModule } = (await import(BUILD)) as {
  MODULES: Record<string, string>;
  compileModule(name: string): Promise<string>;
};

test.each(Object.entries(MODULES))(
  "the embedded %s module is what its source compiles to",
  { timeout: 60_000 },
  async (name, target) => {
    const committed = readFileSync(join(import.meta.dirname, "../..", target), "utf8");
    expect(committed).toBe(await compileModule(name));
  },
);
