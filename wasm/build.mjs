/** Compiles wasm/*.ts (AssemblyScript) and embeds the modules, as text, where src imports them. Run by `npm run wasm`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const OPTIONS = ["-O3", "--enable", "simd", "--runtime", "stub", "--noAssert", "--use", "abort=", "--initialMemory", "1"];

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The text of src/tasks/layout-matcher-wasm.ts. */
export async function compileLayoutMatcher() {
  let module = null;
  const { error, stderr } = await asc.main(["layout-matcher.ts", "--outFile", "layout-matcher.wasm", ...OPTIONS], {
    readFile: (name) => (name === "layout-matcher.ts" ? readFileSync(file("layout-matcher.ts"), "utf8") : null),
    writeFile: (_name, contents) => {
      module = contents;
    },
    listFiles: () => [],
  });
  if (error || module === null) throw new Error(stderr.toString(), { cause: error });
  return `/** wasm/layout-matcher.ts, compiled by npm run wasm. */\nexport const LAYOUT_MATCHER_WASM =\n  "${Buffer.from(module).toString("base64")}";\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(file("../src/tasks/layout-matcher-wasm.ts"), await compileLayoutMatcher());
}
