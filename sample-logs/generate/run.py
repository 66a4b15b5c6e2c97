"""Makes sample logs with a real Spark: python run.py --spark35 VENV --spark4 VENV [--out DIR] NAME...

Everything happens under /tmp/spark-sample with neutral names, so that no log names the machine that made it.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from cases import CASES, Case

HERE = Path(__file__).resolve().parent
BASE = Path("/tmp/spark-sample")
PORT = 7077
USER = "analyst"


def link(target: Path, name: str) -> Path:
    path = BASE / name
    path.unlink(missing_ok=True)
    path.symlink_to(target)
    return path


def spark_home(venv: Path, label: str) -> Path:
    """A neutral path for the Spark inside a venv; class path and command lines in the log show this one."""
    [home] = venv.resolve().glob("lib/python3*/site-packages/pyspark")
    return link(home, f"spark-{label}")


def environment(venv: Path, label: str) -> dict[str, str]:
    home = spark_home(venv, label)
    env = {k: os.environ[k] for k in ("PATH", "JAVA_HOME", "LANG") if k in os.environ}
    return {
        **env,
        "SPARK_HOME": str(home),
        "SPARK_USER": USER,
        "HADOOP_USER_NAME": USER,
        "USER": USER,
        "HOME": str(BASE / "home"),
        "SPARK_LOCAL_HOSTNAME": "localhost",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(BASE / "local"),
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": str(link(venv.absolute(), f"venv-{label}") / "bin/python"),
        "PYTHONPATH": "",
        # The JVM takes these three from the machine unless told; the log holds every system property.
        "JAVA_TOOL_OPTIONS": f"-Duser.name={USER} -Duser.home=/home/{USER} -Dos.version=6.1",
    }


class Cluster:
    """A standalone master with its workers, started for one case and ended after it."""

    def __init__(self, case: Case, env: dict[str, str]) -> None:
        self.case, self.env, self.daemons = case, env, []

    def start(self, *args: str) -> None:
        log = open(BASE / "work" / f"daemon-{len(self.daemons)}.log", "w")
        command = [f"{self.env['SPARK_HOME']}/bin/spark-class", *args]
        self.daemons.append(subprocess.Popen(command, env=self.env, cwd=BASE / "programs", stdout=log, stderr=log))

    def __enter__(self) -> "Cluster":
        self.start("org.apache.spark.deploy.master.Master", "--host", "localhost", "--port", str(PORT), "--webui-port", "0")
        time.sleep(4)
        for n in range(self.case.workers):
            host = f"127.0.0.{n + 2}" if self.case.hosts else "localhost"
            self.start(
                "org.apache.spark.deploy.worker.Worker", "--host", host, "--cores", str(self.case.cores),
                "--memory", "8g", "--webui-port", "0", "--work-dir", str(BASE / "work"), f"spark://localhost:{PORT}",
            )
        time.sleep(5)
        return self

    def __exit__(self, *_: object) -> None:
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            daemon.wait()


def submit(case: Case, env: dict[str, str]) -> int:
    conf = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{BASE}/events",
        "spark.driver.host": "localhost",
        "spark.ui.enabled": "false",
        "spark.executor.memory": case.memory,
        "spark.executor.cores": str(case.cores),
        # No task before every executor is there.
        "spark.cores.max": str(case.workers * case.cores),
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.driver.memory": case.driver_memory,
        "spark.sql.warehouse.dir": f"{BASE}/warehouse",
        **case.conf,
    }
    command = [f"{env['SPARK_HOME']}/bin/spark-submit", "--master", f"spark://localhost:{PORT}"]
    for key, value in conf.items():
        command += ["--conf", f"{key}={value}"]
    with open(BASE / "work" / "driver.log", "w") as log:
        return subprocess.run([*command, case.program], env=env, cwd=BASE / "programs", stdout=log, stderr=log).returncode


def compact(case: Case, env: dict[str, str]) -> None:
    """Lets a History Server compact the log, as it does for rolling logs when it is told to retain few parts."""
    options = {
        "spark.history.fs.logDirectory": f"file://{BASE}/events",
        "spark.history.fs.eventLog.rolling.maxFilesToRetain": case.retain,
        "spark.history.ui.port": 0,
    }
    history = {"SPARK_HISTORY_OPTS": " ".join(f"-D{key}={value}" for key, value in options.items())}
    server = subprocess.Popen(
        [f"{env['SPARK_HOME']}/bin/spark-class", "org.apache.spark.deploy.history.HistoryServer"],
        env={**env, **history}, cwd=BASE / "programs", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    limit = time.time() + 120
    while time.time() < limit and not list((BASE / "events").glob("*/*.compact")):
        time.sleep(1)
    time.sleep(3)  # it deletes the merged parts after writing their compaction
    server.terminate()
    server.wait()


def fresh_folders() -> None:
    for name in ("events", "work", "local", "warehouse", "checkpoint", "programs"):
        shutil.rmtree(BASE / name, ignore_errors=True)
    for name in ("events", "work", "local", "programs", "data", "home"):
        (BASE / name).mkdir(parents=True, exist_ok=True)
    for program in HERE.glob("*.py"):
        shutil.copy(program, BASE / "programs")


def keep(name: str, out: Path) -> Path:
    """Moves the one log of the run to its place, under the name of the case."""
    [log] = (BASE / "events").iterdir()
    if log.is_dir():
        target = out / f"eventlog_v2_{name}"
    else:
        target = out / (name + log.suffix)
    if target.is_dir():
        shutil.rmtree(target)
    shutil.copytree(log, target, ignore=shutil.ignore_patterns(".*")) if log.is_dir() else shutil.copy(log, target)
    for file in [target] if target.is_file() else target.iterdir():
        file.chmod(0o644)
    return target


def make(name: str, venvs: dict[str, Path], out: Path) -> None:
    case = CASES[name]
    fresh_folders()
    env = environment(venvs[case.spark], case.spark)
    began = time.time()
    with Cluster(case, env):
        code = submit(case, env)
    if case.retain:
        compact(case, env)
    if case.conf.get("spark.eventLog.enabled") == "false":
        print(f"{name}: exit {code}, {time.time() - began:.0f} s, no log", flush=True)
        return
    target = keep(name, out)
    size = sum(f.stat().st_size for f in ([target] if target.is_file() else target.iterdir()))
    print(f"{name}: exit {code}, {time.time() - began:.0f} s, {target.name}, {size} bytes", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spark35", type=Path, help="venv with pyspark 3.5.*")
    parser.add_argument("--spark4", type=Path, help="venv with pyspark 4.*")
    parser.add_argument("--out", type=Path, default=HERE.parent)
    parser.add_argument("names", nargs="+", choices=[*CASES, "all"], metavar="NAME")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that a stopped run ends its cluster too
    names = list(CASES) if "all" in args.names else args.names
    for name in names:
        make(name, {"3.5": args.spark35, "4": args.spark4}, args.out.resolve())


if __name__ == "__main__":
    sys.exit(main())
