import { type PlanGraph, planGraph } from "../plan/plan-graph.ts";
import { readPlan } from "../plan/plan-tree.ts";
import type { ScratchFile } from "../scratch-file.ts";

/** Characters of plan text held in memory; older texts go to the scratch file. */
const CHARACTERS_IN_MEMORY = 16 * 1024 ** 2;
/** Drawn plans held in memory, so that a short execution's plan is not read twice. */
const PLANS_IN_MEMORY = 32;

interface Held {
  graph: PlanGraph | null;
  /** The text, or where it stands in the scratch file. */
  text: string | { position: number; bytes: number };
}

/** The newest plan of each running execution, kept until it is known to be the last one. */
export class HeldPlans {
  readonly #scratch: ScratchFile;
  readonly #plans = new Map<number, Held>();
  #characters = 0;

  constructor(scratch: ScratchFile) {
    this.#scratch = scratch;
  }

  /** Takes the place of the execution's plan before. Without a graph it is read and drawn when it is taken. */
  hold(executionId: number, text: string, graph: PlanGraph | null): void {
    this.drop(executionId);
    this.#plans.set(executionId, { text, graph });
    this.#characters += text.length;
    if (this.#characters > CHARACTERS_IN_MEMORY || this.#plans.size > PLANS_IN_MEMORY)
      this.#makeRoom(executionId);
  }

  /** Gives the execution's plan, drawn, and forgets it. */
  take(executionId: number): PlanGraph | null {
    const held = this.#plans.get(executionId);
    if (!held) return null;
    this.drop(executionId);
    if (held.graph) return held.graph;
    const root = readPlan(JSON.parse(this.#textOf(held)));
    return root && planGraph(root);
  }

  drop(executionId: number): void {
    const held = this.#plans.get(executionId);
    if (typeof held?.text === "string") this.#characters -= held.text.length;
    this.#plans.delete(executionId);
  }

  #textOf({ text }: Held): string {
    if (typeof text === "string") return text;
    const bytes = new Uint8Array(text.bytes);
    this.#scratch.read(text.position, bytes);
    return new TextDecoder().decode(bytes);
  }

  /** Oldest first, the newest never. */
  #makeRoom(newest: number): void {
    let graphs = this.#plans.size - PLANS_IN_MEMORY;
    for (const [executionId, held] of this.#plans) {
      const isFull = this.#characters > CHARACTERS_IN_MEMORY;
      if (executionId === newest || (!isFull && graphs <= 0)) return;
      graphs--;
      held.graph = null;
      if (isFull && typeof held.text === "string") {
        this.#characters -= held.text.length;
        const bytes = new TextEncoder().encode(held.text);
        held.text = { position: this.#scratch.append(bytes), bytes: bytes.length };
      }
    }
  }
}
