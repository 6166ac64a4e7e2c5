#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command that writes files where they cannot be written, and looks at what is said and left.

storage.py FANSIM [--rooms N]: on a file system of its own, read-only, without room, and with room for some of what is
written. Every command ends with 2 and names a file with the reason, or with what it ends with otherwise where there
was room enough; every file is what it was or all that the command writes; and once there is room, the same command goes
on to the bytes of one that never lacked it. It mounts, so it needs root; without, that is said."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import commands
import killed

REASONS = {"read-only": ("Read-only file system", "readonly database", "unable to open database file"),
           "full": ("No space left on device", "database or disk is full", "disk I/O error", "unable to open database file")}
SIZE = 16 << 20


def mount(folder, *options):
    return subprocess.run(["mount", *options, str(folder)], capture_output=True, text=True, check=False)


class Storage:
    """Mounts a file system of its own in a folder, which is gone at the end."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.folder.mkdir()
        done = mount(self.folder, "-t", "tmpfs", "-o", f"size={SIZE}", "none")
        if done.returncode:
            raise PermissionError(done.stderr.strip())
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", str(self.folder)], check=True)

    def make_read_only(self):
        assert mount(self.folder, "-o", "remount,ro").returncode == 0

    def leave(self, pages):
        """Makes room for that many pages of 4 KiB."""
        page = 4096
        facts = os.statvfs(self.folder)
        with open(self.folder / "filler", "wb") as filler:
            filler.write(bytes((facts.f_bavail - pages) * page))


def check_said(done, reasons, bench):
    text = done.stderr
    assert done.returncode == 2, f"ended with {done.returncode}, not 2: {text}"
    assert any(reason in text for reason in reasons), f"no reason in: {text}"
    assert "a fault of the program" not in text, text
    names = [name.split("/")[0] for name in bench.command.written()] + ["tmp", "front", "."]
    assert any(name in text for name in names), f"no file in: {text}"


def try_one(fansim, command, state, pages=0):
    """Runs the command where `state` holds; returns how it ended."""
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="fansim_storage_"))
    try:
        with Storage(scratch / "disk") as disk:
            bench = commands.Bench(fansim, command, disk.folder)
            for words in command.before:
                bench.must(words)
            first = bench.contents()
            bench.finish()
            whole = bench.contents()
            shutil.rmtree(bench.at)
            bench.at.mkdir()
            bench.make_older(set(whole) - set(first))
            for name, content in first.items():
                (bench.at / name).parent.mkdir(parents=True, exist_ok=True)
                (bench.at / name).write_bytes(content)
            older = bench.contents()
            if state == "read-only":
                disk.make_read_only()
            else:
                disk.leave(pages)
            done = bench.run(command.words)
            if state == "read-only" or done.returncode not in (0, 1, 3):
                check_said(done, REASONS[state], bench)
            killed.check_left(bench, older, whole)
            left = [name for name in bench.contents() if killed.LEFT.search(name)] + sorted(bench.contents(bench.temporary))
            assert not left, f"left: {left}"
            if state == "full":
                (disk.folder / "filler").unlink()
                killed.check_resumed(bench, whole)
            return done.returncode
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fansim")
    parser.add_argument("--rooms", type=int, default=2, help="how many sizes of free room, from none on")
    parser.add_argument("--only")
    arguments = parser.parse_args()
    failures = 0
    for command in commands.COMMANDS:
        if (arguments.only and command.name != arguments.only) or not command.can_run():
            continue
        ends = []
        for state, pages in [("read-only", 0)] + [("full", room * (room + 1) // 2) for room in range(arguments.rooms)]:
            try:
                ends.append(try_one(arguments.fansim, command, state, pages))
            except PermissionError as error:
                print(f"skipped: {error}")
                return
            except AssertionError as error:
                failures += 1
                print(f"FAILED: {command.name}, {state} but for {pages} pages: {error}")
        print(f"{command.name}: ended with {', '.join(map(str, ends))}")
    print(f"{failures} failures")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
