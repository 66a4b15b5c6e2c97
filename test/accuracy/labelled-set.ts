import type { Cause } from "../../src/findings/finding.ts";
import { type AppSpec, copyOf } from "./application.ts";
import { healthyApplication } from "./base.ts";
import { runApplication } from "./cluster.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { LOOK_ALIKES } from "./look-alikes.ts";
import { Random } from "./random.ts";

/** A fault counts when it made the run this much longer, measured by running it without the fault. */
const COUNTS_SHARE = 0.05;
const COUNTS_MS = 3000;
/** Idle time is a fault of the run only from here on. */
const IDLE_SHARE = 0.1;
const IDLE: ReadonlySet<Cause> = new Set(["driver-gap", "scheduling-wait", "driver-collect"]);

export interface PlantedFault {
  cause: Cause;
  /** Part of the run's wall clock that is there because of the fault. */
  share: number;
  counts: boolean;
}

export interface LabelledApplication {
  app: AppSpec;
  planted: PlantedFault[];
}

/** Draws the set: of every cause so many single faults, mixtures of two, and half as many healthy runs as faulty ones. */
export function* labelledSet(seed: number, perCause: number): Generator<LabelledApplication> {
  const random = new Random(seed);
  let faulty = 0;
  let id = seed * 100_000;
  for (let round = 0; round < perCause; round++) {
    for (const fault of FAULTS) {
      const second = fault.byNature === undefined && random.chance(0.2) ? secondFault(fault, random) : null;
      yield plantFaults(second ? [fault, second] : [fault], ++id);
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
  const build = (planted: readonly Fault[]): AppSpec => {
    const base = healthyApplication(new Random(id), id, faults.length);
    for (const [i, fault] of faults.entries()) {
      base.focus = i;
      fault.prepare?.(base, new Random(id + 7 * i + 1));
    }
    const app = copyOf(base);
    for (const fault of planted) {
      app.focus = faults.indexOf(fault);
      fault.plant(app, new Random(id + 13 * app.focus + 5));
    }
    return app;
  };
  const app = build(faults);
  const wall = runApplication(app).endMs;
  const planted = faults.map((fault): PlantedFault => {
    const without = runApplication(build(faults.filter((f) => f !== fault))).endMs;
    const share = Math.max(0, wall - without) / wall;
    const least = IDLE.has(fault.cause) ? IDLE_SHARE : COUNTS_SHARE;
    const counts = fault.byNature ? fault.byNature(app) : share >= least && wall - without >= COUNTS_MS;
    return { cause: fault.cause, share, counts };
  });
  return { app, planted };
}
