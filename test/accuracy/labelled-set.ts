import type { Cause } from "../../src/findings/finding.ts";
import { type AppSpec, copyOf } from "./application.ts";
import { healthyApplication } from "./base.ts";
import { runApplication } from "./cluster.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { LOOK_ALIKES } from "./look-alikes.ts";
import { Random } from "./random.ts";

/**
 * What a fault cost, measured by running without it, as a part of the run: it counts from `must` on, and is too small up to
 * `may`. Between the two it may be told or not.
 */
const COST = { may: 0.04, must: 0.1 };
/** Idle time is a fault of the run only from a tenth of it on. */
const IDLE_COST = { may: 0.08, must: 0.12 };
const COST_MS = { may: 2400, must: 3600 };
const IDLE: ReadonlySet<Cause> = new Set(["driver-gap", "scheduling-wait", "driver-collect"]);

/** Magnitudes are drawn between a sixth of their limit and six times it, as often above as below. */
const SPAN = 6;
/** So close to its limit a magnitude counts as near it. */
const NEAR = 1.5;

export interface PlantedFault {
  cause: Cause;
  /** Part of the run's wall clock that is there because of the fault. */
  share: number;
  label: "counts" | "borderline" | "too small";
  /** Its magnitude lies within a factor of 1.5 of the limit. */
  near: boolean;
}

export interface LabelledApplication {
  app: AppSpec;
  planted: PlantedFault[];
}

/**
 * Draws the set: each cause until so many of its faults count, one in five with a second fault in another job, and half
 * as many healthy runs as faulty ones.
 */
export function* labelledSet(seed: number, positives: number): Generator<LabelledApplication> {
  const random = new Random(seed);
  const counting = new Map<Cause, number>();
  const wanted = (): Fault[] => FAULTS.filter((f) => (counting.get(f.cause) ?? 0) < positives);
  let faulty = 0;
  let id = seed * 100_000;
  for (let faults = wanted(); faults.length > 0; faults = wanted()) {
    for (const fault of faults) {
      const second = fault.byNature === undefined && random.chance(0.2) ? secondFault(fault, random) : null;
      const labelled = plantFaults(second ? [fault, second] : [fault], ++id);
      for (const { cause, label } of labelled.planted)
        if (label === "counts") counting.set(cause, (counting.get(cause) ?? 0) + 1);
      yield labelled;
      faulty++;
      if (faulty % 2 === 0) yield healthy(++id);
    }
  }
}

/** Faults that live beside each other: in another job, or in the driver. */
const COMPANIONS: readonly Cause[] = ["driver-gap", "gc-pressure", "skew", "retry-churn"];

function secondFault(first: Fault, random: Random): Fault | null {
  const cause = random.pick(COMPANIONS);
  const blocked =
    cause === first.cause ||
    [
      "executor-loss",
      "slow-node",
      "gc-pressure-cache",
      "scheduling-wait",
      "streaming-lag",
      "late-data-dropped",
    ].includes(first.cause);
  return blocked ? null : (FAULTS.find((f) => f.cause === cause) ?? null);
}

function healthy(id: number): LabelledApplication {
  const random = new Random(id);
  const app = healthyApplication(random, id);
  random.pick(LOOK_ALIKES)(app, random);
  return { app, planted: [] };
}

function plantFaults(faults: readonly Fault[], id: number): LabelledApplication {
  const over = faults.map((_, i) => new Random(id + 29 * i + 3).magnitude(1 / SPAN, SPAN));
  const build = (planted: readonly Fault[]): AppSpec => {
    const base = healthyApplication(new Random(id), id, faults.length);
    for (const [i, fault] of faults.entries()) {
      base.focus = i;
      fault.prepare?.(base, new Random(id + 7 * i + 1), over[i] ?? 1);
    }
    const app = copyOf(base);
    for (const fault of planted) {
      app.focus = faults.indexOf(fault);
      fault.plant(app, new Random(id + 13 * app.focus + 5), over[app.focus] ?? 1);
    }
    return app;
  };
  const app = build(faults);
  const wall = runApplication(app).endMs;
  const planted = faults.map((fault, i): PlantedFault => {
    const cost = wall - runApplication(build(faults.filter((f) => f !== fault))).endMs;
    const magnitude = over[i] ?? 1;
    return {
      cause: fault.cause,
      share: Math.max(0, cost) / wall,
      label: fault.byNature ? (fault.byNature(app) ? "counts" : "too small") : labelOf(fault, cost, wall),
      near: fault.limit !== null && magnitude >= 1 / NEAR && magnitude <= NEAR,
    };
  });
  return { app, planted };
}

function labelOf(fault: Fault, costMs: number, wallMs: number): PlantedFault["label"] {
  const { may, must } = IDLE.has(fault.cause) ? IDLE_COST : COST;
  const share = costMs / wallMs;
  if (share >= must && costMs >= COST_MS.must) return "counts";
  return share < may || costMs < COST_MS.may ? "too small" : "borderline";
}
