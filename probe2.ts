import { compareLog } from "./test/oracle/compare-log.ts";
import { unpackAnswers } from "./test/oracle/answers.ts";
for (const f of process.argv.slice(2)) {
  const r = await compareLog("sample-logs/"+f, unpackAnswers("test/oracle/answers/"+f+".json.gz"));
  console.log(f, r.compared, r.differences.length, [...r.explained]);
  const kinds = new Map<string, any[]>();
  for (const d of r.differences) { const k=kinds.get(d.kind)??[]; k.push(d); kinds.set(d.kind,k); }
  for (const [k,v] of kinds) console.log("   ",k,v.length,JSON.stringify(v.slice(0,3)).slice(0,700));
}
