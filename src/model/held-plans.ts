import { type PlanGraph, planGraph } from "../plan/plan-graph.ts";
import { type PlanNode, readPlan } from "../plan/plan-tree.ts";
import type { ScratchFile } from "../scratch-file.ts";

/** Characters of plan text held in memory; older texts go to the scratch file. */
const CHARACTERS_IN_MEMORY = 16 * 1024 ** 2;
/** Read or drawn plans held in memory, so that a short execution's plan is not read twice. */
const PLANS_IN_MEMORY = 32;
/** Characters of a plan's text up to which it is held read: the objects take several times as much. */
const READ_CHARACTERS = 4 * 1024 ** 2;

interface Held {
  graph: PlanGraph | null;
  root: PlanNode | null;
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

  /** Takes the place of the execution's plan before. */
  hold(executionId: number, text: string, root: PlanNode, graph: PlanGraph | null): void {
    this.drop(executionId);
    this.#plans.set(executionId, { text, graph, root: text.length <= READ_CHARACTERS ? root : null });
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
    const root = held.root ?? readPlan(JSON.parse(this.#textOf(held)));
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
      held.root = null;
      if (isFull && typeof held.text === "string") {
        this.#characters -= held.text.length;
        const bytes = new TextEncoder().encode(held.text);
        held.text = { position: this.#scratch.append(bytes), bytes: bytes.length };
      }
    }
  }
}
