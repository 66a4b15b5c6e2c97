import { idleCause } from "../idle-cause.ts";

export const driverCollect = idleCause("driver-collect", {
  about:
    "The executors had finished and the driver was still fetching and unpacking their results: collect, toPandas, or a broadcast that is built in the driver.",
  check:
    "Stages page > the stage > Show Additional Metrics > Getting Result Time, Result Size; Jobs page: a job that goes on after its last task.",
  where: "results of finished tasks were being fetched",
  title: "the driver collected results",
  advice: [
    {
      layer: "layout",
      text: "Do not collect large results: write them out, aggregate or limit before collect() or toPandas().",
    },
    { layer: "optimizer", text: "If a broadcast is built this way, join it by shuffle or make it smaller." },
    {
      layer: "configuration",
      text: "For toPandas use Arrow (spark.sql.execution.arrow.pyspark.enabled=true).",
    },
  ],
});
