/** Entry of the command: small, so that the reading thread starts while Node still loads the rest. */
import { startThread } from "../reading/reader-worker.ts";
import { readsALargeLog } from "./large-log.ts";

const thread = readsALargeLog(process.argv.slice(2)) ? startThread() : null;
const { run } = await import("./program.ts");
await run(thread);
