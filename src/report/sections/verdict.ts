import type { Tone } from "../blocks.ts";
import { defineSection } from "./section.ts";

const TONE: Record<string, Tone> = { healthy: "good", "cannot-say": "warn" };

export const verdict = defineSection({
  id: "verdict",
  title: "",
  build({ verdict }) {
    const tone = TONE[verdict.cause] ?? "bad";
    const confidence = verdict.cause === "healthy" ? "" : ` (${verdict.confidence} confidence)`;
    return [{ kind: "text", tone, text: `Verdict: ${verdict.title}${confidence}` }];
  },
});
