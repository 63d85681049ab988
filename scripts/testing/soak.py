"""The run of scripts/soak: whatever is random, kills processes or measures. Where one part fails, the others still run.

Usage: python -m testing.soak ROOT SCRATCH [MINUTES [SEED]]
"""

import math
import os
import pathlib
import random
import sys
import time

from . import steps
from .checkout import Checkout
from .records import Records
from .steps import say

MINUTES = 10
# About as many as two cores do. The write storm is told a number of mutations, not a time.
MUTATIONS_A_MINUTE = 9_000
# Above the run's minutes: the longest of the other parts makes a release build.
MOST_SECONDS = 3_600
# Tokens are valid for 15 minutes, and neither storm nor visibility renews its own; both wait up to 5 minutes for what is missing.
LONGEST = 500


def rounds(program, seconds, seed, logs):
    """A long run is several, each with a seed of its own and a recording beside its log."""
    count = max(1, math.ceil(seconds / LONGEST))
    return [
        (f"{program}-{number}", [program, int(seconds / count), seed + number, logs / f"{program}-{number}.json.gz"])
        for number in range(count)
    ]  # fmt: skip


def parts(minutes, seed, logs):
    """The names and commands of all parts. Storm, visibility and write storm share the minutes; the others take their own time."""
    return [
        *rounds("storm", minutes * 60 * 0.4, seed, logs),
        *rounds("visibility", minutes * 60 * 0.4, seed, logs),
        ("write-storm", ["write-storm", int(minutes * 0.2 * MUTATIONS_A_MINUTE), seed]),
        ("orders", ["orders", 5, seed]),
        ("failover", ["failover"]),
        ("sessions", ["sessions"]),
        ("attacks", ["attacks", "pace", "memory", "descriptors"]),
        ("chaos", ["chaos", "--short", "--seed", seed]),
        ("instructions", ["instructions"]),
    ]


def main(root, scratch, minutes=MINUTES, seed=None):
    minutes, seed = float(minutes), int(seed or random.SystemRandom().getrandbits(31))
    say(f"A soak run of {minutes:g} minutes, seed {seed}")
    began = time.monotonic()
    checkout = Checkout(root)
    tree, failed, logs = checkout.tree, [], scratch / "soak-logs"
    for recording in logs.glob("*.json.gz"):
        recording.unlink()
    for name, (program, *arguments) in parts(minutes, seed, logs):
        ended = steps.run([root / "scripts" / program, *arguments], logs / f"{name}.log", MOST_SECONDS + minutes * 60)
        steps.tell(name, ended, ended.code == 0, (steps.tail(ended.log, 1) or [""])[0][:160] if ended.code == 0 else "")
        if ended.code != 0:
            failed.append(name)
    verdict = f"failed: {' '.join(failed)}" if failed else "green"
    # What was committed meanwhile was not run.
    Records().add_soak(checkout.commit, tree if tree == checkout.tree else None, seed, f"{minutes:g}", verdict)
    say(f"{verdict} in {time.monotonic() - began:.0f} seconds, seed {seed}")
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ["TERTULIA_SCRATCH"] = sys.argv[2]
    # It found this package, and is not for the programs that the run starts.
    os.environ.pop("PYTHONPATH", None)
    steps.adopt()
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:]))
