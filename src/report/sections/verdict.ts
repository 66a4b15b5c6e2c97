import type { Block, Tone } from "../blocks.ts";
import { defineSection } from "./section.ts";

const TONE: Record<string, Tone> = { healthy: "good", "cannot-say": "warn" };

export const verdict = defineSection({
  id: "verdict",
  title: "",
  build({ verdict }) {
    const tone = TONE[verdict.cause] ?? (verdict.severity === "info" ? "warn" : "bad");
    const confidence = verdict.cause in TONE ? "" : ` (${verdict.confidence} confidence)`;
    const blocks: Block[] = [{ kind: "text", tone, text: `Verdict: ${verdict.title}${confidence}` }];
    if (verdict.consequences.length > 0) {
      blocks.push(
        { kind: "text", text: "What follows from it:" },
        { kind: "list", items: verdict.consequences },
      );
    }
    return blocks;
  },
});
