"""Checks a recorded storm anew: nothing is found in it as it was, and each sabotage is found.

Usage: python -m storm.recorded
"""

import pathlib
import random

from .check import check
from .recording import Recording
from .sabotage import unnoticed

SEEDS = 50


def main():
    recording = Recording.load(pathlib.Path(__file__).parent / "recorded.json.gz")
    rows = recording.rows
    for received in recording.received:
        faults = check(received, rows, recording.start)
        assert not faults, f"{received.subscription}: {faults}"
    for seed in range(SEEDS):
        missed = unnoticed(recording.feeds, rows, recording.start, random.Random(seed))
        assert not missed, f"not noticed with the seed {seed}: {', '.join(missed)}"
    naive = recording.faults_of_naive_tail()
    assert naive, "no fault is found in a tail without the bound of a snapshot"
    count = sum(len(received.events) for received in recording.received)
    print(f"{len(rows)} rows, {count} events of {len(recording.received)} subscriptions: nothing is found in them as they came.")
    print(f"Each sabotage is found at {SEEDS} places, and {len(naive)} faults of a tail without a snapshot's bound.")


if __name__ == "__main__":
    main()
