"""The sample logs: which program makes each, on which Spark and cluster, with which settings."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    program: str
    spark: str  # "3.5" or "4"
    conf: dict[str, str] = field(default_factory=dict)
    workers: int = 2
    cores: int = 2  # of each worker, all in one executor
    memory: str = "1g"  # of each executor
    driver_memory: str = "1g"
    retain: int = 0  # the History Server compacts all but so many parts of the rolling log
    hosts: bool = False  # each worker on a loopback address of its own, so on a host of its own


def single(codec: str) -> dict[str, str]:
    """One file per application; codec "" is plain text."""
    conf = {"spark.eventLog.rolling.enabled": "false", "spark.eventLog.compress": str(codec != "").lower()}
    return {**conf, "spark.eventLog.compression.codec": codec} if codec else conf


# Sample data is small, so AQE would merge every shuffle into a few partitions; a case that is not
# about AQE keeps the partition count that it asks for.
FIXED = {"spark.sql.adaptive.coalescePartitions.enabled": "false"}
NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
ZSTD = single("zstd")
SMALL_CACHE = {"spark.memory.fraction": "0.15", "spark.sql.shuffle.partitions": "12"}
BLOCKS = {"spark.eventLog.logBlockUpdates.enabled": "true"}

CASES: dict[str, Case] = {
    "data": Case("data.py", "3.5", {"spark.eventLog.enabled": "false"}),
    "healthy": Case("healthy.py", "3.5", {**ZSTD, **FIXED, "spark.sql.files.maxPartitionBytes": "1100k", "spark.sql.files.openCostInBytes": "400k"}),
    "hot-join-key": Case("hot_join_key.py", "3.5", {**ZSTD, **FIXED, **NO_BROADCAST, "spark.sql.shuffle.partitions": "32"}),
    "spilling-group-by": Case("spilling_group_by.py", "4", {**ZSTD, **FIXED, "spark.sql.shuffle.partitions": "32", "spark.memory.fraction": "0.08"}, memory="1500m"),
    "executor-killed": Case("executor_killed.py", "3.5", ZSTD, workers=4, cores=1, memory="600m"),
    "executor-exit": Case("executor_exit.py", "3.5", {**ZSTD, **FIXED, "spark.sql.shuffle.partitions": "8"}, memory="600m"),
    "fetch-failure": Case("fetch_failure.py", "3.5", {**single("lz4"), "spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "24"}, hosts=True),
    "dynamic-allocation": Case("dynamic_allocation.py", "4", {
        **ZSTD, "spark.dynamicAllocation.enabled": "true", "spark.dynamicAllocation.shuffleTracking.enabled": "true",
        "spark.dynamicAllocation.minExecutors": "1", "spark.dynamicAllocation.initialExecutors": "4", "spark.dynamicAllocation.executorIdleTimeout": "3s",
        "spark.scheduler.minRegisteredResourcesRatio": "0",
    }, workers=4, cores=1),
    "failing-job": Case("failing_job.py", "4", {**single(""), **FIXED}),
    "speculation": Case("speculation.py", "3.5", {**ZSTD, "spark.speculation": "true"}, workers=4, cores=1, hosts=True),
    "python-udf": Case("python_udf.py", "3.5", ZSTD),
    "pandas-udf": Case("pandas_udf.py", "4", {**FIXED, "spark.sql.shuffle.partitions": "20"}),
    "window-without-partition": Case("window_without_partition.py", "4", single("lzf")),
    "three-joins": Case("three_joins.py", "3.5", {**ZSTD, **FIXED, **NO_BROADCAST, "spark.sql.shuffle.partitions": "12"}),
    "aqe-broadcast": Case("aqe_broadcast.py", "3.5", {**single("lz4"), **FIXED, "spark.sql.shuffle.partitions": "16"}),
    "aqe-coalesce": Case("aqe_coalesce.py", "3.5", single("snappy"), workers=1),
    "aqe-skew-split": Case("aqe_skew_split.py", "3.5", {
        **single("lzf"), **NO_BROADCAST, "spark.sql.shuffle.partitions": "12", "spark.sql.adaptive.advisoryPartitionSizeInBytes": "4m",
        "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "6m", "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "3",
    }, workers=1),
    "nested-sql": Case("nested_sql.py", "4", {"spark.sql.shuffle.partitions": "8"}, workers=1),
    "cache-partial": Case("cache_partial.py", "4", {**ZSTD, **FIXED, **SMALL_CACHE, **BLOCKS, "spark.sample.passes": "7", "spark.sample.waitEvery": "15"}, memory="480m", cores=1),
    "cache-partial-unseen": Case("cache_partial.py", "3.5", {**ZSTD, **FIXED, **SMALL_CACHE, "spark.sample.passes": "3", "spark.sample.waitEvery": "40"}, memory="480m", cores=1),
    "gc-heavy": Case("gc_heavy.py", "3.5", {**single("snappy"), "spark.executor.extraJavaOptions": "-XX:+UseParallelGC"}, memory="560m", workers=1),
    "many-small-files": Case("many_small_files.py", "4", {
        **ZSTD, **FIXED, "spark.sql.shuffle.partitions": "8", "spark.sql.files.maxPartitionBytes": "64k",
        "spark.sql.files.openCostInBytes": "64k", "spark.eventLog.includeTaskMetricsAccumulators": "false",
    }),
    "five-partitions": Case("five_partitions.py", "3.5", {
        **ZSTD, **FIXED, "spark.sql.shuffle.partitions": "5", "spark.shuffle.compress": "false", "spark.memory.fraction": "0.1",
        "spark.io.compression.codec": "zstd", "spark.io.compression.zstd.level": "19", "spark.sql.optimizer.windowGroupLimitThreshold": "-1",
    }, workers=3),
    "many-partitions": Case("many_partitions.py", "4", {
        **ZSTD, **FIXED, "spark.sql.shuffle.partitions": "5000", "spark.eventLog.includeTaskMetricsAccumulators": "false",
    }),
    "large-collect": Case("large_collect.py", "3.5", {**ZSTD, "spark.resultGetter.threads": "1", "spark.driver.extraJavaOptions": "-XX:+UseSerialGC"}, driver_memory="500m"),
    "streaming-late": Case("streaming_late.py", "4", {**FIXED, "spark.sql.shuffle.partitions": "4"}, workers=1),
    "compacted": Case("many_jobs.py", "4", {**FIXED, "spark.sql.shuffle.partitions": "4", "spark.eventLog.rolling.maxFileSize": "2m"}, retain=1, workers=1),
}
