/** Compiles wasm/*.ts (AssemblyScript) and embeds the modules, as text, where src imports them. Run by `npm run wasm`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const OPTIONS = ["-O3", "--enable", "simd", "--runtime", "stub", "--noAssert", "--use", "abort=", "--initialMemory", "1"];

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Each source with the file that embeds it. */
export const MODULES = {
  "layout-matcher": "src/tasks/layout-matcher-wasm.ts",
  "block-decoders": "src/codecs/block-decoders-wasm.ts",
};

/** The text of the file that embeds a module. */
export async function compileModule(name) {
  let module = null;
  const { error, stderr } = await asc.main([`${name}.ts`, "--outFile", `${name}.wasm`, ...OPTIONS], {
    readFile: (path) => (path === `${name}.ts` ? readFileSync(file(path), "utf8") : null),
    writeFile: (_name, contents) => {
      module = contents;
    },
    listFiles: () => [],
  });
  if (error || module === null) throw new Error(stderr.toString(), { cause: error });
  const constant = `${name.replaceAll("-", "_").toUpperCase()}_WASM`;
  return `/** wasm/${name}.ts, compiled by npm run wasm. */\nexport const ${constant} =\n  "${Buffer.from(module).toString("base64")}";\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, target] of Object.entries(MODULES)) writeFileSync(file(`../${target}`), await compileModule(name));
}
