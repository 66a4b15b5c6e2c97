import type { Profile } from "./application.ts";

const BASE: Profile = {
  name: "tasks",
  about: "CPU queries with many tasks of 3 kB each, plans of some 100 kB and one of megabytes every 100 MB",
  executors: 8,
  cores: 16,
  taskTime: 400,
  tasks: [200, 1200],
  tables: [3, 7],
  photon: false,
  sqlUpdates: 2,
  wideEvery: 5,
  wideBranches: [150, 900],
  failing: 0,
  speculative: 0,
  losingExecutor: 0,
};

/** Kinds of logs, by what fills them. */
export const PROFILES: readonly Profile[] = [
  BASE,
  {
    ...BASE,
    name: "accumulators",
    about: "tasks with some 150 SQL metrics each, as Photon writes them",
    photon: true,
    sqlUpdates: 140,
    tables: [16, 24],
    tasks: [20, 120],
    wideEvery: 0,
  },
  {
    ...BASE,
    name: "plans",
    about: "plan events of 1 to 10 MB, few tasks",
    tasks: [10, 60],
    tables: [4, 12],
    wideEvery: 2,
    wideBranches: [200, 1800],
  },
  {
    ...BASE,
    name: "jobs",
    about: "many small jobs of few short tasks",
    tasks: [1, 8],
    tables: [1, 2],
    wideEvery: 0,
    taskTime: 30,
  },
  {
    ...BASE,
    name: "failures",
    about: "failed and killed tasks, lost executors, second stage attempts",
    failing: 0.05,
    speculative: 0.02,
    losingExecutor: 0.3,
  },
];

export function profileNamed(name: string): Profile {
  const profile = PROFILES.find((candidate) => candidate.name === name);
  if (!profile)
    throw new Error(
      `no profile ${name}; there are ${PROFILES.map((candidate) => candidate.name).join(", ")}`,
    );
  return profile;
}
