"""Checks a recorded storm anew: nothing is found in it as it was, and each sabotage is found. It prints the faults of events,
where a recording has some. (A recording has no lists, and no errors of subscriptions.)

Usage: python -m storm.recorded [RECORDING]
"""

import pathlib
import random
import sys

from .check import check, disorder
from .recording import Recording, brief
from .sabotage import unnoticed

SEEDS = 50


def main(path=pathlib.Path(__file__).parent / "recorded.json.gz"):
    recording = Recording.load(path)
    rows = recording.rows
    faults = disorder(rows) + [
        f"{received.viewer}, {received.subscription}: {fault}"
        for received in recording.received for fault in check(received, rows, recording.start)]  # fmt: skip
    if faults:
        sys.exit("\n".join(brief(fault) for fault in faults))
    assert disorder(rows[::-1]), "rows in the wrong order are not noticed"
    for seed in range(SEEDS):
        missed = unnoticed(recording.feeds, rows, recording.start, random.Random(seed))
        assert not missed, f"not noticed with the seed {seed}: {', '.join(missed)}"
    naive = recording.faults_of_naive_tail()
    assert naive, "no fault is found in a tail without the bound of a snapshot"
    count = sum(len(received.events) for received in recording.received)
    print(f"{len(rows)} rows, {count} events of {len(recording.received)} subscriptions: nothing is found in them as they came.")
    print(f"Each sabotage is found at {SEEDS} places, and {len(naive)} faults of a tail without a snapshot's bound.")


if __name__ == "__main__":
    main(*sys.argv[1:])
