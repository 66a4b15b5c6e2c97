export { type AnalyzeOptions, analyzeLog } from "./analyze-log.ts";
export { EXIT, UserError } from "./errors.ts";
export type { Format } from "./report/render/index.ts";
export { render } from "./report/render/index.ts";
export type { Report } from "./report/report.ts";
