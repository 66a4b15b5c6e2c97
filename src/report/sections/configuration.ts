import { defineSection } from "./section.ts";

const SOURCES = {
  explicit: "set by the application",
  session: "set for the session",
  default: "Spark's default",
  unknown: "not in the event log",
};

/** Settings that decide how a run behaves, each with where its value comes from. */
export const configuration = defineSection({
  id: "configuration",
  title: "Settings",
  build({ configuration }) {
    const rows = configuration.map(({ name, value, source }) => [name, value ?? "-", SOURCES[source]]);
    return rows.length === 0
      ? []
      : [
          {
            kind: "table",
            headings: ["Setting", "Value", "Source"],
            align: ["left", "left", "left"],
            shrink: 1,
            rows,
          },
        ];
  },
});
