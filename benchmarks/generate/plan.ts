import type { Random } from "./random.ts";

/** A node as sparkPlanInfo writes it. */
export interface PlanNode {
  nodeName: string;
  simpleString: string;
  children: PlanNode[];
  metadata: Record<string, string>;
  metrics: PlanMetric[];
}

export interface PlanMetric {
  name: string;
  accumulatorId: number;
  metricType: string;
}

/** The part of a plan that one stage runs: which metrics its tasks update. */
export interface PlanStage {
  kind: "scan" | "shuffle" | "result";
  metrics: PlanMetric[];
  parents: number[];
}

export interface Plan {
  /** As SQLExecutionStart carries it. */
  initial: PlanNode;
  /** As SQLAdaptiveExecutionUpdate carries it while stages are still to run, and at the end. */
  current: PlanNode;
  final: PlanNode;
  stages: PlanStage[];
}

const SHUFFLE_WRITE = [
  "data size:size",
  "number of partitions:sum",
  "shuffle records written:sum",
  "shuffle bytes written:size",
  "shuffle write time:nsTiming",
];
const SHUFFLE_READ = [
  "records read:sum",
  "fetch wait time:timing",
  "remote blocks read:sum",
  "local blocks read:sum",
  "remote bytes read:size",
  "local bytes read:size",
  "remote bytes read to disk:size",
  "remote reqs duration:timing",
];
const SORT = ["sort time:timing", "peak memory:size", "spill size:size"];
const AGGREGATE = [
  "number of output rows:sum",
  "peak memory:size",
  "spill size:size",
  "time in aggregation build:timing",
  "avg hash probes per key:average",
];
const SCAN = [
  "number of files read:sum",
  "metadata time:timing",
  "size of files read:size",
  "number of output rows:sum",
  "scan time:timing",
];
const ROWS = ["number of output rows:sum"];

/** Names of Photon's own metrics: a Photon node carries dozens of them. */
const PHOTON = [
  "cumulative time",
  "exclusive time",
  "rows output",
  "batches output",
  "peak memory usage",
  "num bytes spilled to disk due to memory pressure",
  "num spills due to memory pressure",
  "num uncompressed bytes spilled",
  "time taken waiting on IO",
  "tasks total",
  "cache hits size",
  "cache misses size",
  "cloud storage request count",
  "cloud storage request duration",
  "cloud storage response size",
  "filesystem read data size",
  "filesystem read time",
  "row groups in files read",
  "row groups after filtering",
  "page level filtering rows skipped",
  ...Array.from({ length: 20 }, (_, index) => `time in stage ${index} of the operator`),
];

/** Makes plans whose accumulator ids are unique in the application. */
export class PlanMaker {
  readonly #random: Random;
  readonly #nextAccumulator: () => number;
  #column = 0;

  constructor(random: Random, nextAccumulator: () => number) {
    this.#random = random;
    this.#nextAccumulator = nextAccumulator;
  }

  /** Joins of `tables` tables, one shuffle each, an aggregate on top. */
  joins(tables: number, photon = false): Plan {
    const stages: PlanStage[] = [];
    let tree = this.#scanSide(stages, photon);
    let parent = 0;
    for (let table = 1; table < tables; table++) {
      const right = this.#scanSide(stages, photon);
      const own: PlanMetric[] = [];
      const keys = `[k#${this.#column++}L], [k#${this.#column++}L]`;
      const join = this.#node(
        "SortMergeJoin",
        `SortMergeJoin ${keys}, Inner`,
        [tree, right],
        [...ROWS, "spill size:size"],
        own,
        photon,
      );
      const project = this.#node("Project", `Project [${this.#columns(12)}]`, [join], [], own, photon);
      tree = this.#exchange(project, own, photon);
      stages.push({ kind: "shuffle", metrics: own, parents: [parent, stages.length - 1] });
      parent = stages.length - 1;
    }
    return this.#top(tree, stages, [parent]);
  }

  /** A union of `branches` scans: the shape of plans that grow to megabytes. */
  union(branches: number): Plan {
    const stages: PlanStage[] = [];
    const own: PlanMetric[] = [];
    const sides = Array.from({ length: branches }, () => {
      const metrics: PlanMetric[] = [];
      const side = this.#scan(metrics, false);
      own.push(...metrics.slice(0, 3));
      return this.#node("HashAggregate", this.#aggregateText(), [side], AGGREGATE, metrics, false);
    });
    const union = this.#node("Union", "Union", sides, [], own, false);
    const tree = this.#exchange(union, own, false);
    stages.push({ kind: "scan", metrics: own, parents: [] });
    return this.#top(tree, stages, [0]);
  }

  #top(tree: PlanNode, stages: PlanStage[], parents: number[]): Plan {
    const own: PlanMetric[] = [];
    const aggregate = this.#node("HashAggregate", this.#aggregateText(), [tree], AGGREGATE, own, false);
    stages.push({ kind: "result", metrics: own, parents });
    const adaptive = (final: boolean, child: PlanNode): PlanNode => ({
      nodeName: "AdaptiveSparkPlan",
      simpleString: `AdaptiveSparkPlan isFinalPlan=${final}`,
      children: [child],
      metadata: {},
      metrics: [],
    });
    const staged = withQueryStages(aggregate);
    return {
      initial: adaptive(false, aggregate),
      current: adaptive(false, staged),
      final: adaptive(true, staged),
      stages,
    };
  }

  #scanSide(stages: PlanStage[], photon: boolean): PlanNode {
    const own: PlanMetric[] = [];
    const exchange = this.#exchange(this.#scan(own, photon), own, photon);
    stages.push({ kind: "scan", metrics: own, parents: [] });
    return exchange;
  }

  #scan(own: PlanMetric[], photon: boolean): PlanNode {
    const columns = this.#columns(20);
    const table = this.#random.pick([
      "store_sales",
      "catalog_sales",
      "web_sales",
      "inventory",
      "item",
      "customer",
    ]);
    const filters = `IsNotNull(c${this.#random.int(0, 99)}), GreaterThan(c${this.#random.int(0, 99)},${this.#random.int(1, 5000)})`;
    const schema = Array.from({ length: 20 }, (_, index) => `c${index}:bigint`).join(",");
    const scan = this.#node(
      "Scan parquet ",
      `FileScan parquet [${columns}] Batched: true, Format: Parquet, Location: InMemoryFileIndex(1 paths)[gs://bucket/warehouse/${table}], PushedFilters: [${filters}]`,
      [],
      SCAN,
      own,
      photon,
    );
    scan.metadata = {
      Location: `InMemoryFileIndex(1 paths)[gs://bucket/warehouse/${table}]`,
      ReadSchema: `struct<${schema}>`,
      Format: "Parquet",
      Batched: "true",
      PartitionFilters: "[]",
      PushedFilters: `[${filters}]`,
      DataFilters: `[isnotnull(c1#${this.#column}L)]`,
    };
    const filter = this.#node(
      "Filter",
      `Filter (isnotnull(c1#${this.#column}L) AND (c2#${this.#column}L > 5))`,
      [scan],
      ROWS,
      own,
      photon,
    );
    return this.#node("Project", `Project [${columns}]`, [filter], [], own, photon);
  }

  #exchange(child: PlanNode, own: PlanMetric[], photon: boolean): PlanNode {
    const partitions = 200;
    const exchange = this.#node(
      "Exchange",
      `Exchange hashpartitioning(k#${this.#column++}L, ${partitions}), ENSURE_REQUIREMENTS, [plan_id=${this.#column++}]`,
      [child],
      [...SHUFFLE_WRITE, ...SHUFFLE_READ],
      own,
      photon,
    );
    return this.#node(
      "Sort",
      `Sort [k#${this.#column}L ASC NULLS FIRST], false, 0`,
      [exchange],
      SORT,
      [],
      photon,
    );
  }

  #node(
    name: string,
    text: string,
    children: PlanNode[],
    metrics: readonly string[],
    own: PlanMetric[],
    photon: boolean,
  ): PlanNode {
    const made = metrics.map((metric) => {
      const [label = "", type = "sum"] = metric.split(":");
      return { name: label, accumulatorId: this.#nextAccumulator(), metricType: type };
    });
    if (photon) {
      for (const label of PHOTON) {
        const metricType =
          label.includes("time") || label.includes("duration")
            ? "timing"
            : label.includes("size") || label.includes("bytes")
              ? "size"
              : "sum";
        made.push({ name: label, accumulatorId: this.#nextAccumulator(), metricType });
      }
    }
    own.push(...made);
    const engine = photon && name !== "Exchange" ? `Photon${name}` : name;
    return {
      nodeName: engine,
      simpleString: photon ? text.replace(name, engine) : text,
      children,
      metadata: {},
      metrics: made,
    };
  }

  #aggregateText(): string {
    return `HashAggregate(keys=[${this.#columns(4)}], functions=[sum(c${this.#column}#${this.#column}L), count(1)])`;
  }

  #columns(count: number): string {
    return Array.from({ length: count }, () => `ss_column_${this.#column % 30}#${this.#column++}`).join(",");
  }
}

/** The same tree as adaptive execution shows it: each exchange below a ShuffleQueryStage, code generation above it. */
function withQueryStages(node: PlanNode): PlanNode {
  const children = node.children.map(withQueryStages);
  if (node.nodeName !== "Exchange") return { ...node, children };
  return {
    nodeName: "ShuffleQueryStage",
    simpleString: "ShuffleQueryStage 0",
    children: [{ ...node, children }],
    metadata: {},
    metrics: [],
  };
}

/** physicalPlanDescription in Spark's formatted mode: a numbered tree, then a block for each operator. */
export function describePlan(plan: PlanNode): string {
  const tree: string[] = ["== Physical Plan =="];
  const blocks: string[] = [];
  let number = 0;
  const visit = (node: PlanNode, depth: number): void => {
    number++;
    tree.push(`${depth === 0 ? "" : `${"   ".repeat(depth - 1)}+- `}${node.nodeName.trim()} (${number})`);
    blocks.push(
      `(${number}) ${node.nodeName.trim()}\nOutput [20]: [${node.simpleString.slice(0, 300)}]\nArguments: ${node.simpleString}\n`,
    );
    for (const child of node.children) visit(child, depth + (node.children.length > 8 ? 0 : 1));
  };
  visit(plan, 0);
  return `${tree.join("\n")}\n\n\n${blocks.join("\n")}`;
}
