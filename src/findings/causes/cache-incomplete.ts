import { formatCount, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import type { App } from "../app.ts";
import type { RddFact } from "../facts.ts";
import { type AppJudgement, defineAppCause } from "../finding.ts";
import { rddName } from "../rdd-name.ts";

export const cacheIncomplete = defineAppCause({
  cause: "cache-incomplete",
  about:
    "Less than all of a cached dataset fits: the missing part is computed again on each access (memory-only levels) or read from disk.",
  check: "Storage page: Fraction Cached below 100 %, and the Storage Level.",
  limits: ["cachedFraction"],

  judge(app): AppJudgement {
    const persisted = app.facts.rdds.filter((rdd) => rdd.use_memory === 1);
    if (persisted.length === 0)
      return {
        passed: false,
        priceMs: null,
        evidence: ["no RDD of the log has a storage level: nothing is cached"],
      };
    const known = persisted.filter((rdd) => rdd.max_cached_partitions !== null);
    if (known.length === 0) {
      return {
        passed: null,
        priceMs: null,
        evidence: [
          `cannot say: ${formatCount(persisted.length)} persisted RDDs, but block updates are not in the log (spark.eventLog.logBlockUpdates.enabled); 0 cached partitions in RDD Info means nothing`,
        ],
      };
    }
    const partial = incomplete(app);
    return {
      passed: partial.length > 0,
      priceMs: null,
      evidence: (partial.length > 0 ? partial : known).slice(0, 3).map(describeRdd),
      confidence: "medium",
    };
  },

  remedy(app) {
    const [worst] = incomplete(app);
    return {
      title: worst
        ? `Only ${formatShare(fraction(worst))} of ${rddName(worst)} was ever cached (${worst.storage_level})`
        : "A cached dataset is incomplete",
      advice: [
        {
          layer: "reuse",
          text: "Unpersist what is not read again, so that this one fits; cache fewer columns.",
        },
        {
          layer: "reuse",
          text: "Use a level with disk (MEMORY_AND_DISK) where computing is dearer than reading, or a serialized one.",
        },
        { layer: "configuration", text: "Only then more memory for storage (more executors or heap)." },
      ],
      rejected: [{ advice: "caching more data", why: "what is cached already does not fit" }],
    };
  },
});

/** Persisted RDDs of which a part never fitted although several long stages read them, the least complete first. */
function incomplete(app: App): RddFact[] {
  return app.facts.rdds
    .filter((rdd) => {
      const share = fraction(rdd);
      return (
        rdd.use_memory === 1 &&
        share !== null &&
        share < app.limits.cachedFraction &&
        rdd.stages > 1 &&
        (rdd.own_time_ms ?? 0) >= app.limits.priceMs
      );
    })
    .sort((a, b) => (fraction(a) ?? 1) - (fraction(b) ?? 1));
}

function fraction(rdd: RddFact): number | null {
  const { max_cached_partitions: cached, number_of_partitions: all } = rdd;
  return cached === null || all === null || all <= 0 ? null : cached / all;
}

function describeRdd(rdd: RddFact): string {
  const cached = rdd.max_cached_partitions ?? 0;
  const missing =
    rdd.use_disk === 1 ? "the rest is read from disk" : "the rest is computed again on each access";
  const state =
    cached === 0
      ? "never materialised"
      : `${formatCount(cached)} of ${formatCount(rdd.number_of_partitions)} partitions cached at most (${formatShare(fraction(rdd))})`;
  const evicted = (rdd.evicted_blocks ?? 0) > 0 ? `, ${formatCount(rdd.evicted_blocks)} blocks evicted` : "";
  return `${rddName(rdd)} (${rdd.storage_level}): ${state}${evicted}; ${missing}; ${formatCount(rdd.stages)} stages of ${formatDuration(rdd.own_time_ms)} list it [Storage page]`;
}
