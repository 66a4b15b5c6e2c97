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

export const gcPressureCache = defineStageCause({
  cause: "gc-pressure-cache",
  about:
    "Tasks spend a tenth or more of their time in garbage collection although nothing spills, and data is cached: the cached blocks fill the heap.",
  check: "Executors page: GC Time and Storage Memory; Storage page: size in memory and fraction cached.",
  limits: ["gcShare", "cacheShare"],

  judge(view, app) {
    const judged = gcTime(view, app);
    if (judged.passed !== true) return judged;
    const cache = cacheEvidence(view, app);
    return isByCache(view, cache)
      ? {
          ...judged,
          evidence: [
            ...judged.evidence,
            "nothing spills: something else than sort or aggregation buffers fills the heap",
            ...cache,
          ],
        }
      : {
          ...judged,
          passed: false,
          priceMs: 0,
          evidence: [
            ...judged.evidence,
            spillReading(view),
            cache.length > 0
              ? "data is cached, but the stage spills as well"
              : "no sign of cached data in the log",
          ],
        };
  },

  remedy: (view, app) => ({
    title: `${gcTitle(view)}; nothing spills, cached data fills the heap`,
    advice: [
      {
        layer: "reuse",
        text: "Unpersist what is not read again, and cache only what is read more than once.",
      },
      {
        layer: "reuse",
        text: "Store the rest smaller: MEMORY_AND_DISK_SER or columnar (DataFrame cache), only the columns that are used.",
      },
      ...memoryAdvice(app, "Only then heap."),
    ],
    rejected: [
      ...rejectedForGc(),
      { advice: "caching more", why: "the cached blocks are what fills the heap" },
    ],
  }),
});
