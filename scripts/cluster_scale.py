#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a search by very many tasks costs beside searching: size of stores, the folder's files, --status, merging.

cluster_scale.py FANSIM SHARDS_BENCH [--tasks N] [--finds N] [--points N] [--in DIR] [--slurm]: a real search of FAQ-CNN's grid by
one task, whose plan is then given N tasks; shards_bench plays the others by the program's own code, each with the front
of the real one and 100,000 points evaluated. The stores are real ones, their rows repeated under other keys. What is
measured is this machine's file system, by one process; docs/cluster.md says what that stands for. With --slurm, an array
of N tasks that do nothing goes through a controller of Slurm with two nodes of 8 processors, all on this machine."""
import argparse
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def space_of(name, folder, method):
    """Writes a shipped space with another method, such that every point is feasible."""
    text = (ROOT / "configs/spaces" / f"{name}.yaml").read_text()
    lines = [line for line in text.splitlines() if not line.startswith(("constraints:", "search:"))]
    text = "\n".join(lines).replace("config: ../", f"config: {ROOT}/configs/")
    file = folder / f"{name}.yaml"
    file.write_text(f"{text}\nconstraints: []\nsearch: {{method: {method}}}\n")
    return str(file)


def timed(what, *command, lines=0):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, (command, done.returncode, done.stderr[-2000:])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what}: {time.monotonic() - begin:.2f} s, {cpu:.2f} s of CPU")
    print("".join(f"  {line}\n" for line in done.stdout.splitlines()[:lines]), end="", flush=True)


def queue(tasks, folder):
    """Returns what the controller needs for an array of that many tasks."""
    sys.path.insert(0, str(ROOT / "tests/cluster"))
    import loopback
    loopback.CONFIG = loopback.CONFIG.replace("CPUs=1", "CPUs=8") + f"MaxArraySize={tasks + 1}\nMaxJobCount={2 * tasks}\n"
    place = tempfile.mkdtemp(prefix="queue")
    cluster = loopback.Cluster(place)
    try:
        script = folder / "nothing.sh"
        script.write_text("#!/bin/sh\n")
        begin = time.monotonic()
        loopback.said("sbatch", "--parsable", f"--array=1-{tasks}", "--output=/dev/null", "--chdir", str(folder), str(script))
        print(f"sbatch: {time.monotonic() - begin:.2f} s")
        slowest = 0
        while True:
            asked = time.monotonic()
            left = loopback.said("squeue", "-h", "-r").count("\n")
            slowest = max(slowest, time.monotonic() - asked)
            if left == 0:
                break
            time.sleep(5)
        fields = pathlib.Path(f"/proc/{cluster.daemons[1].pid}/stat").read_text().rpartition(")")[2].split()
        cpu, memory = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(fields[21]) * 4096 / 1e6
        print(f"all ended after {time.monotonic() - begin:.0f} s; slurmctld: {cpu:.1f} s of CPU, {memory:.0f} MB; squeue -r: "
              f"{slowest:.2f} s at most")
    finally:
        cluster.stop()
        shutil.rmtree(place, ignore_errors=True)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster ends with this process
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fansim"), parser.add_argument("bench")
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--finds", type=int, default=2_000)
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--in", dest="at", default=None)
    parser.add_argument("--slurm", action="store_true")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fansim_scale_", dir=arguments.at))
    fansim, bench, shared = arguments.fansim, arguments.bench, folder / "shared"
    try:
        if arguments.slurm:
            return queue(arguments.tasks, folder)
        grid = space_of("faq_alexnet_grid", folder, "exhaustive")
        timed("one task, all of the grid", fansim, "explore", grid, "alexnet", "--jobs", "1", "--shard", "1/1", "--dir",
              shared)
        plan = json.loads((shared / "plan.json").read_text())
        plan["tasks"] = arguments.tasks
        (shared / "plan.json").write_text(json.dumps(plan))
        timed(f"{arguments.tasks} tasks", bench, "tasks", shared, arguments.finds, lines=9)
        timed("--status", fansim, "explore", "--status", shared, lines=1)
        timed("merge", fansim, "explore", "merge", shared, "--csv", folder / "f.csv", "--json", folder / "f.json")
        counts = json.loads((folder / "f.json").read_text())["counts"]
        files = [path for path in shared.rglob("*") if path.is_file() and path.suffix == ".json"]
        print(f"  {counts['evaluated']:,} points evaluated; {len(files):,} files of {sum(f.stat().st_size for f in files) / 1e6:.0f}"
              f" MB, {len(list((shared / 'front').iterdir())):,} of them in front/")
        for name, method, points in (("faq_alexnet_grid", "nsga2, population: 200", arguments.points),
                                     ("uestc_stream", "exhaustive", arguments.points // 10)):
            store = folder / f"{name}.db"
            timed(f"search of {name}", fansim, "explore", space_of(name, folder, method), "alexnet", "--jobs", "1",
                  "--resume", store)
            timed("its store, grown", bench, "store", store, points, lines=1)
            store.unlink()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
