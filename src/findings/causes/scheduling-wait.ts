import { idleCause } from "../idle-cause.ts";

export const schedulingWait = idleCause("scheduling-wait", {
  about:
    "A stage was submitted and its tasks waited: for executors to be granted, for a queue, for locality or behind other applications.",
  check:
    "Stages page: Submitted long before the first task's Launch Time; Executors page: when executors were added.",
  where: "a submitted stage had tasks to launch, or a launched task had not begun to work",
  title: "tasks waited for slots",
  advice: [
    {
      layer: "configuration",
      text: "Ask for executors earlier or keep a minimum: spark.dynamicAllocation.minExecutors and initialExecutors, cachedExecutorIdleTimeout, or a warm pool.",
    },
    {
      layer: "configuration",
      text: "Look at the queue of the cluster manager in that time: capacity, quota, preemption.",
    },
  ],
});
