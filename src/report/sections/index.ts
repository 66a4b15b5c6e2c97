import { application } from "./application.ts";
import { checks } from "./checks.ts";
import { configuration } from "./configuration.ts";
import { dataTrust } from "./data-trust.ts";
import { exchanges } from "./exchanges.ts";
import { executors } from "./executors.ts";
import { findings } from "./findings.ts";
import { ruledOut } from "./ruled-out.ts";
import type { Section } from "./section.ts";
import { sql } from "./sql.ts";
import { stages } from "./stages.ts";
import { taskTimes } from "./task-times.ts";
import { verdict } from "./verdict.ts";
import { wallClock } from "./wall-clock.ts";

/** The parts of a printed report in reading order: stages, then executors, then SQL. */
export const SECTIONS: readonly Section[] = [
  verdict,
  application,
  dataTrust,
  checks,
  taskTimes,
  wallClock,
  findings,
  stages,
  executors,
  sql,
  exchanges,
  configuration,
  ruledOut,
];
