import { defineStageCause } from "../finding.ts";
import {
  cacheEvidence,
  gcTime,
  gcTitle,
  isByCache,
  memoryAdvice,
  rejectedForGc,
  spillReading,
} from "../gc.ts";

export const gcPressure = defineStageCause({
  cause: "gc-pressure",
  about:
    "Tasks spend a tenth or more of their time in garbage collection: the heap is short for the objects that the tasks hold.",
  check:
    "Executors page: GC Time against Task Time (red above 10 %); Stages page: GC Time in Summary Metrics.",
  limits: ["gcShare"],

  judge(view, app) {
    const judged = gcTime(view, app);
    const cache = judged.passed === true ? cacheEvidence(view, app) : [];
    if (judged.passed === true && isByCache(view, cache)) {
      return {
        ...judged,
        passed: false,
        priceMs: 0,
        evidence: [...judged.evidence, "nothing spills and data is cached: gc-pressure-cache"],
      };
    }
    return {
      ...judged,
      evidence: [...judged.evidence, ...(judged.passed === true ? [spillReading(view)] : [])],
    };
  },

  remedy: (view, app) => ({
    title: gcTitle(view),
    advice: [
      {
        layer: "layout",
        text: `Make the tasks of ${view.label} smaller (more partitions), so that each holds fewer objects at a time.`,
      },
      {
        layer: "layout",
        text: "Hold fewer objects: built-in functions and Datasets of columns instead of row objects, collections and user functions.",
      },
      ...memoryAdvice(app, "Only then heap, or fewer tasks an executor."),
    ],
    rejected: rejectedForGc(),
  }),
});
