import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyRemoval, REMOVAL_CLASSES } from "../../src/model/removal-class.ts";

const one = (reason: string) => {
  const { removalClass, exitCode } = classifyRemoval({ reasons: [reason] });
  return [removalClass, exitCode];
};

describe("one text", () => {
  test.each([
    ["Executor killed by driver.", "idle-or-driver", null],
    ["Executor decommission: spot instance interruption", "decommissioned", null],
    ["Executor decommission.", "decommissioned", null],
    ["Finished decommissioning", "decommissioned", null],
    ["Executor heartbeat timed out after 148564 ms", "heartbeat-timeout", null],
    [
      "Remote RPC client disassociated. Likely due to containers exceeding thresholds, or network issues.",
      "lost",
      null,
    ],
    ["Executor Process Lost", "lost", null],
    ["Slave lost", "lost", null],
    ["Container container_9 on host: node-03.example was preempted.", "preempted", null],
    [
      "Executor for container c1 exited because of a YARN event (e.g., pre-emption) and not because of an error in the running job.",
      "preempted",
      null,
    ],
    ["Executor for container c1 exited after Application shutdown.", "idle-or-driver", null],
    ["Container container_7 exited from explicit termination request.", "idle-or-driver", null],
    [
      "Container killed by YARN for exceeding physical memory limits. 12.1 GB of 12 GB physical memory used.",
      "out-of-memory",
      -104,
    ],
    [
      "Container killed by YARN for exceeding virtual memory limits. 12.1 GB of 12 GB virtual memory used.",
      "out-of-memory",
      -103,
    ],
    [
      "Container killed by YARN for exceeding memory limits.  5.5 GB of 5.5 GB physical memory used.",
      "out-of-memory",
      -104,
    ],
    [
      "Container from a bad node: container_4 on host: node-04.example. Exit status: 137.",
      "out-of-memory",
      137,
    ],
    [
      "Container from a bad node: container_4 on host: node-04.example. Exit status: 143. Diagnostics: killed",
      "lost",
      143,
    ],
    [
      "Container marked as failed: c on host: h. Exit status: -100. Diagnostics: Container released on a *lost* node",
      "lost",
      -100,
    ],
    ["Container marked as failed: c on host: h. Exit status: -102. Diagnostics: x", "preempted", -102],
    [
      "\nThe executor with id 3 exited with exit code 137(SIGKILL, possible container OOM).\n",
      "out-of-memory",
      137,
    ],
    [
      "\nThe executor with id 3 exited with exit code 1.\nThe API gave the following container statuses:\n\ttermination reason: OOMKilled",
      "out-of-memory",
      1,
    ],
    [
      "\nThe executor with id 3 exited with exit code 143.\nThe API gave the following brief reason: Preempting",
      "preempted",
      143,
    ],
    ["The executor with id 3 was deleted by a user or the framework.", "lost", null],
    ["Command exited with code 52", "out-of-memory", 52],
    ["Command exited with code 56", "heartbeat-timeout", 56],
    ["Command exited with code 0", "idle-or-driver", 0],
    ["Command exited with code 131", "lost", 131],
    ["worker lost: 10.0.0.7:35071 got disassociated", "lost", null],
    ["Runner thread for executor app-1/3 interrupted", "idle-or-driver", null],
    ["Executor finished with state FINISHED", "idle-or-driver", null],
    ["Executor finished with state LOST", "lost", null],
    ["Unknown executor exit code (139) (died from signal 11?)", "lost", 139],
    ["", "lost", null],
    ["something new", "lost", null],
  ])("%s", (reason, removalClass, exitCode) => {
    expect(one(reason)).toEqual([removalClass, exitCode]);
  });
});

test("a kill by the out-of-memory killer is likely, a JVM out-of-memory exit is certain", () => {
  expect(classifyRemoval({ reasons: ["Command exited with code 137"] }).detail).toMatch(/likely/);
  expect(classifyRemoval({ reasons: ["Command exited with code 52"] }).detail).toMatch(/certain/);
});

test("a lost connection is explained by the exit code that a later event brings", () => {
  expect(
    classifyRemoval({
      reasons: ["Remote RPC client disassociated. Likely ...", "Command exited with code 137"],
    }),
  ).toMatchObject({ removalClass: "out-of-memory", exitCode: 137 });
});

test("an executor killed by the driver stays so, whatever its pod did at the end", () => {
  expect(
    classifyRemoval({
      reasons: ["Executor killed by driver.", "The executor with id 3 exited with exit code 137."],
    }),
  ).toMatchObject({ removalClass: "idle-or-driver", exitCode: null });
});

test("a heartbeat timeout stays one when YARN then reports the release that the driver asked for", () => {
  expect(
    classifyRemoval({
      reasons: [
        "Executor heartbeat timed out after 141213 ms",
        "Container c exited from explicit termination request.",
      ],
    }),
  ).toMatchObject({ removalClass: "heartbeat-timeout", exitCode: null });
});

test("before Spark 3 a heartbeat timeout stands in the loss reason of the tasks only", () => {
  expect(
    classifyRemoval({
      reasons: ["Container c exited from explicit termination request."],
      lossReasons: ["Executor heartbeat timed out after 141213 ms"],
    }),
  ).toMatchObject({ removalClass: "heartbeat-timeout" });
});

test("SIGTERM after an OutOfMemoryError in a task is out of memory", () => {
  const reasons = ["Container from a bad node: c on host: h. Exit status: 143. Diagnostics: x"];
  expect(
    classifyRemoval({ reasons, taskErrors: ["java.lang.OutOfMemoryError: Java heap space"] }),
  ).toMatchObject({
    removalClass: "out-of-memory",
    exitCode: 143,
  });
});

test("a loss reason that names the memory limit beats a lost connection", () => {
  expect(
    classifyRemoval({
      reasons: ["Remote RPC client disassociated."],
      lossReasons: ["Container killed by YARN for exceeding physical memory limits. 12.1 GB of 12 GB used."],
    }),
  ).toMatchObject({ removalClass: "out-of-memory", exitCode: -104 });
});

test("any text has a class and a detail", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (reasons, lossReasons) => {
      const removal = classifyRemoval({ reasons, lossReasons });
      expect(REMOVAL_CLASSES).toContain(removal.removalClass);
      expect(removal.detail).not.toBe("");
    }),
  );
});
