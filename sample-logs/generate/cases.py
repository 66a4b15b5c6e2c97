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
    needs: tuple[str, ...] = ("data",)  # cases run before, whose files this one reads


def single(codec: str) -> dict[str, str]:
    """One file per application; codec "" is plain text."""
    conf = {"spark.eventLog.rolling.enabled": "false", "spark.eventLog.compress": str(codec != "").lower()}
    return {**conf, "spark.eventLog.compression.codec": codec} if codec else conf


# Sample data is small, so AQE would merge every shuffle into a few partitions; a case that is not
# about AQE keeps the partition count that it asks for.
FIXED = {"spark.sql.adaptive.coalescePartitions.enabled": "false"}
NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
ZSTD = single("zstd")

CASES: dict[str, Case] = {
    "data": Case("data.py", "3.5", {"spark.eventLog.enabled": "false"}),
    "healthy": Case("healthy.py", "3.5", {**ZSTD, **FIXED, "spark.sql.files.maxPartitionBytes": "1100k", "spark.sql.files.openCostInBytes": "400k"}),
    "hot-join-key": Case("hot_join_key.py", "3.5", {**ZSTD, **FIXED, **NO_BROADCAST, "spark.sql.shuffle.partitions": "32"}),
    "spilling-group-by": Case("spilling_group_by.py", "4", {**ZSTD, **FIXED, "spark.sql.shuffle.partitions": "32", "spark.memory.fraction": "0.08"}, memory="1500m"),
    "executor-killed": Case("executor_killed.py", "3.5", ZSTD, workers=4, cores=1, memory="600m"),
}
