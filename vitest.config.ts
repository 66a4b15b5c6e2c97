import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/helpers/keep-databases.ts"],
    testTimeout: 120_000,
    maxWorkers: 2,
    reporters: process.env.CI ? ["default", ["json", { outputFile: ".vitest/results.json" }]] : ["default"],
  },
});
