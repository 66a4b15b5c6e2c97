import type { LoadStageTasks, StageTasks } from "../queries/stage-tasks.ts";
import { stageKey, type TaskSource } from "./facts.ts";

/** Tasks of all held stages together; one larger stage is held alone. */
const HELD_ROWS = 20_000;

/** Tasks of the stages worth a look, read when they are asked for; those asked for last are kept while they fit. */
export class StageTaskCache implements TaskSource {
  readonly #stages: ReadonlyMap<string, { stage_id: number; stage_attempt_id: number }>;
  readonly #load: LoadStageTasks;
  readonly #heldRows: number;
  readonly #held = new Map<string, StageTasks>();
  #rows = 0;

  constructor(
    stages: readonly { stage_id: number; stage_attempt_id: number }[],
    load: LoadStageTasks,
    heldRows: number = HELD_ROWS,
  ) {
    this.#stages = new Map(stages.map((stage) => [stageKey(stage), stage]));
    this.#load = load;
    this.#heldRows = heldRows;
  }

  has(key: string): boolean {
    return this.#stages.has(key);
  }

  get(key: string): StageTasks | undefined {
    const known = this.#held.get(key);
    if (known) {
      this.#held.delete(key);
      this.#held.set(key, known);
      return known;
    }
    const stage = this.#stages.get(key);
    const read = stage && this.#load(stage.stage_id, stage.stage_attempt_id);
    if (!read) return undefined;
    for (const [oldest, { rows }] of this.#held) {
      if (this.#rows + read.rows <= this.#heldRows) break;
      this.#held.delete(oldest);
      this.#rows -= rows;
    }
    this.#held.set(key, read);
    this.#rows += read.rows;
    return read;
  }
}
