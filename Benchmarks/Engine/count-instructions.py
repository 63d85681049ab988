#!/usr/bin/env python3
"""Counts the instructions of each kind of work of the engine, and compares them with instructions.json.

    count-instructions.py EXECUTABLE            fails where a count differs by more than 5 %
    count-instructions.py EXECUTABLE --record   writes the counts anew

A count is exact where times are not: callgrind runs the work N and M times, and the difference over M - N is what one
run costs, without what the process does once. The seed of Swift's hash tables is fixed for it.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

TABLE = pathlib.Path(__file__).parent / "instructions.json"
TOLERANCE = 0.05


def instructions(executable, name, times):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", executable, "repeat", name, "--times", str(times)]
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def instructions_a_run(executable, name):
    # What malloc does differs from run to run, so cheap work is done more often.
    few = instructions(executable, name, 4)
    rough = max(1, (instructions(executable, name, 8) - few) // 4)
    more = min(400, max(16, 200_000_000 // rough))
    return (instructions(executable, name, 4 + more) - few) // more


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable")
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    names = subprocess.run([arguments.executable, "repeat"], capture_output=True, text=True, check=True).stdout.splitlines()
    recorded = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    counts, failures = {}, []
    for name in names:
        count = counts[name] = instructions_a_run(arguments.executable, name)
        known = recorded.get(name)
        change = f"{count / known - 1:+.2%}" if known else "new"
        print(f"{name:24}{count:12,}  {change}", flush=True)
        if not known or abs(count / known - 1) > TOLERANCE:
            failures.append(name)
    if arguments.record:
        TABLE.write_text(json.dumps(counts, indent=2) + "\n")
        return
    failures += sorted(set(recorded) - set(names))
    if failures:
        sys.exit(f"more than {TOLERANCE:.0%} from {TABLE.name}: {', '.join(failures)}; if that is meant, --record")


main()
