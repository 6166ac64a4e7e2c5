#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills every command that writes files, and looks at what is left.

killed.py FANSIM [--kills N] [--seed S] [--every] [--only NAME]: by SIGKILL at N calls of the system, drawn by the seed,
that write, name or remove something, or at every one (of calls of one kind at 40 of them). Then every file is what it
was or all that the command writes, of files that belong together all are the one or the other, and nothing else is
there but what the next run removes; and that run gives the bytes of one that was not killed."""
import argparse
import collections
import random
import re
import shutil
import signal
import sys
import tempfile
import pathlib

import commands

CALLS = ("write,pwrite64,sendfile,fallocate,ftruncate,rename,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat,mknodat,chmod,"
         "fchmod,flock,fdatasync,fsync")
MOST_OF_A_KIND = 40
LEFT = re.compile(r"\.\d+\.\d+\.tmp(/.*)?$")  # base/own_name.h
OF_SQLITE = re.compile(r"\.db-(wal|shm|journal)$")


def strace(*options):
    return ["strace", "-f", "-qq", "-e", f"trace={CALLS}", *options]


def calls_of(bench, log):
    """(name, n) of every call, of the thread that makes the most of its kind: strace counts so; of many of a kind some."""
    done = bench.run(bench.command.words, strace("-o", str(log)))
    assert done.returncode in (0, 1, 3), done.stderr
    counts = collections.Counter(re.findall(r"^(\d+) +(\w+)\(", log.read_text(), re.M))
    most = {}
    for (_, name), count in counts.items():
        most[name] = max(most.get(name, 0), count)
    return [(name, n) for name, count in sorted(most.items()) for n in sorted({1 + i * count // MOST_OF_A_KIND
                                                                              for i in range(MOST_OF_A_KIND)})]


def check_left(bench, older, whole):
    """Checks what a killed run left."""
    there, command = bench.contents(), bench.command
    for folder, names_others in command.sets:
        members = [name for name in whole if name.startswith(folder + "/")]
        main = f"{folder}/{names_others}"
        if main in there:
            state = older if there[main] == older.get(main) else whole
            for name in members:
                assert there.get(name) == state.get(name), f"{name} is not of the {main} that is there"
    for name, content in there.items():
        if LEFT.search(name) or OF_SQLITE.search(name) or any(name.startswith(one) for one in command.kept):
            continue
        assert content in (older.get(name), whole.get(name)), f"{name} is half-written: {len(content)} bytes"
    for name in older:
        main = any(name == f"{folder}/{main}" for folder, main in command.sets)
        assert name in there or main, f"{name} is gone"


def check_resumed(bench, whole):
    bench.finish()
    there = bench.contents()
    for name, content in whole.items():
        if name.startswith(tuple(bench.command.kept)) and not name.endswith(".ckpt"):
            continue  # a store's bytes follow when it was written
        assert there.get(name) == content, f"{name} differs from that of a run that was not killed"
    left = [name for name in there if LEFT.search(name)] + sorted(bench.contents(bench.temporary))
    assert not left, f"left: {left}"


class Case:
    def __init__(self, fansim, command, scratch):
        self.fansim, self.command, self.scratch = fansim, command, scratch
        self.count = 0
        bench = self.bench()
        for words in command.before:
            bench.must(words)
        self.first = bench.contents()
        self.calls = calls_of(bench, scratch / "log")
        for words in command.after:
            bench.must(words)
        self.whole = bench.contents()

    def bench(self):
        folder = self.scratch / str(self.count)
        self.count += 1
        folder.mkdir()
        return commands.Bench(self.fansim, self.command, folder)

    def kill_at(self, call):
        """Returns false if the run had ended before."""
        bench = self.bench()
        bench.make_older(set(self.whole) - set(self.first))
        for name, content in self.first.items():
            (bench.at / name).parent.mkdir(parents=True, exist_ok=True)
            (bench.at / name).write_bytes(content)
        older = bench.contents()
        name, n = call
        done = bench.run(self.command.words, strace("-o", "/dev/null", "-e", f"inject={name}:signal=KILL:when={n}"))
        if done.returncode not in (-signal.SIGKILL, 128 + signal.SIGKILL):
            if done.returncode in (0, 1, 3):
                return False
            assert "ended by a signal" in done.stderr, done.stderr  # one of its children was killed
        check_left(bench, older, self.whole)
        check_resumed(bench, self.whole)
        shutil.rmtree(bench.at.parent)
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fansim")
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--only")
    arguments = parser.parse_args()
    if not shutil.which("strace"):
        print("skipped: no strace")
        return
    print(f"seed {arguments.seed}")
    draw = random.Random(arguments.seed)
    failures = kills = 0
    for command in commands.COMMANDS:
        if (arguments.only and command.name != arguments.only) or not command.can_run():
            continue
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="fansim_killed_"))
        case = Case(arguments.fansim, command, scratch)
        at = case.calls if arguments.every else draw.sample(case.calls, min(arguments.kills, len(case.calls)))
        killed = 0
        for call in at:
            try:
                killed += case.kill_at(call)
            except AssertionError as error:
                failures += 1
                print(f"FAILED: {command.name}, killed at {call[0]} {call[1]}: {error}")
        kills += killed
        print(f"{command.name}: {killed} kills at {len(at)} of {len(case.calls)} calls")
        shutil.rmtree(scratch)
    print(f"{kills} kills, {failures} failures")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
