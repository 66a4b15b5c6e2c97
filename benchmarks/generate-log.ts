/**
 * Writes a big event log: node --import tsx benchmarks/generate-log.ts --profile tasks --bytes 1e9 --seed 1 --codec zstd OUT
 */
import { parseArgs } from "node:util";
import { CODECS } from "./generate/encode.ts";
import { writeLog } from "./generate/log.ts";
import { PROFILES } from "./generate/profiles.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    profile: { type: "string", default: "tasks" },
    bytes: { type: "string", default: "100e6" },
    seed: { type: "string", default: "1" },
    codec: { type: "string", default: "none" },
  },
});
const codec = CODECS.find((name) => name === values.codec);
const out = positionals[0];
if (!out || !codec || !(Number(values.bytes) > 0)) {
  const profiles = PROFILES.map((profile) => `  ${profile.name}: ${profile.about}`).join("\n");
  console.error(
    `usage: generate-log.ts [--profile P] [--bytes N] [--seed N] [--codec ${CODECS.join("|")}] OUT\n${profiles}`,
  );
  process.exit(2);
}
const options = { profile: values.profile, bytes: Number(values.bytes), seed: Number(values.seed) };
const written = await writeLog(out, options, codec);
console.log(`${out}: ${written} bytes of text`);
