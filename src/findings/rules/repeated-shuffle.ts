import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/count.ts";
import type { App } from "../app.ts";
import type { StageFact } from "../facts.ts";
import { defineRule } from "./rule.ts";

const MIN_BATCHES = 5;
const MIN_BYTES = 1024 ** 2;
/** Spread of the bytes, of their mean, up to which they are the same bytes again. */
const SAME = 0.02;
/** Spread of the batches' rows from which what the query read did change. */
const VARIES = 0.2;

export const repeatedShuffle = defineRule({
  rule: "repeated-shuffle",
  about:
    "Every micro-batch of a streaming query shuffles the same bytes although its rows vary: a static table is joined without a broadcast and moved again each time.",
  check:
    "Stages page: the same Shuffle Write in the same stage of every batch; SQL page: an Exchange above a scan of a static table.",
  limits: [],

  evaluate(app) {
    return [...stagesByPlace(app).values()].flatMap((stages) => {
      const bytes = stages.map(({ stage }) => stage.shuffle_bytes_written ?? 0);
      const rows = stages.map(({ rows }) => rows);
      if (
        stages.length < MIN_BATCHES ||
        mean(bytes) < MIN_BYTES ||
        spread(bytes) > SAME ||
        spread(rows) < VARIES
      )
        return [];
      const last = stages.at(-1)?.stage;
      return [
        {
          title: `Every micro-batch shuffles the same ${formatBytes(mean(bytes))} again`,
          ...(last ? { stageId: last.stage_id, stageAttemptId: last.stage_attempt_id } : {}),
          evidence: [
            `${formatCount(stages.length)} batches wrote ${formatBytes(mean(bytes))} of shuffle in stage ${stages
              .map(({ stage }) => stage.stage_id)
              .slice(0, 5)
              .join(
                ", ",
              )} ..., while their rows went from ${formatCount(Math.min(...rows))} to ${formatCount(Math.max(...rows))} [Stages page, Shuffle Write]`,
          ],
          advice: [
            {
              layer: "optimizer" as const,
              text: `Broadcast the static side of the join: as shuffled it has ${formatBytes(mean(bytes))} (measured, not guessed; it must stay that small).`,
            },
          ],
        },
      ];
    });
  },
});

/** Stages at the same place of the jobs of one streaming query, batch by batch, with the rows of their batch. */
function stagesByPlace(app: App): Map<string, { stage: StageFact; rows: number }[]> {
  const rowsOf = new Map(app.facts.streamingBatches.map((b) => [b.batch_id, b.input_rows ?? 0]));
  const places = new Map<string, { stage: StageFact; rows: number }[]>();
  for (const job of app.facts.jobs) {
    const rows = job.streaming_batch_id === null ? undefined : rowsOf.get(job.streaming_batch_id);
    if (job.streaming_query_id === null || rows === undefined) continue;
    for (const [place, id] of [...job.stage_ids].sort((a, b) => a - b).entries()) {
      const stage = app.index.stagesById.get(id)?.find((s) => s.status === "complete");
      if (!stage || (stage.shuffle_records_read ?? 0) > 0) continue;
      const key = `${job.streaming_query_id} ${job.stage_ids.length} ${place}`;
      places.set(key, [...(places.get(key) ?? []), { stage, rows }]);
    }
  }
  return places;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function spread(values: readonly number[]): number {
  const average = mean(values);
  return average > 0 ? (Math.max(...values) - Math.min(...values)) / average : 0;
}
