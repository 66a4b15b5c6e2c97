import { setFlagsFromString } from "node:v8";

/**
 * Has V8 collect garbage whenever the heap has grown by half while something is done. By its own rule it lets the heap
 * grow to two to four times of what was once alive: a report of 100,000 stages took 513 MB instead of 228, and no less time.
 */
export function withSmallHeap<T>(act: () => T): T {
  setFlagsFromString("--heap-growing-percent=50");
  try {
    return act();
  } finally {
    setFlagsFromString("--heap-growing-percent=0");
  }
}
