import type { Finding } from "../../findings/diagnose.ts";
import { formatDuration } from "../../format/duration.ts";
import type { Block, Tone } from "../blocks.ts";
import { defineSection } from "./section.ts";

const TONES: Record<Finding["severity"], Tone> = { critical: "bad", warning: "warn", info: "muted" };

export const findings = defineSection({
  id: "findings",
  title: "Findings",
  build({ findings }) {
    return findings.flatMap((finding): Block[] => {
      const worth =
        finding.recoverableMs === null ? "" : `, worth about ${formatDuration(finding.recoverableMs)}`;
      return [
        {
          kind: "text",
          tone: TONES[finding.severity],
          text: `${finding.title} [${finding.rule}, ${finding.severity}${worth}]`,
        },
        {
          kind: "list",
          items: [
            ...finding.evidence,
            ...finding.advice.map((advice) => `Do: ${advice}`),
            ...finding.rejectedAdvice.map(({ advice, why }) => `Would not help: ${advice} (${why})`),
          ],
        },
      ];
    });
  },
});
