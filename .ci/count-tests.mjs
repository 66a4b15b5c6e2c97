// Prints "N passed, N failed" from vitest's JSON report; a run without a report, or with another step failed, is a failure.
import { existsSync, readFileSync } from "node:fs";

const otherSteps = Number(process.argv[2] ?? 0);
const file = new URL("../.vitest/results.json", import.meta.url);
const results = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { numPassedTests: 0, numFailedTests: 1 };
const failed = results.numFailedTests === 0 && otherSteps !== 0 ? 1 : results.numFailedTests;
console.log(`${results.numPassedTests} passed, ${failed} failed`);
