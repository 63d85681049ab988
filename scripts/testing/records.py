"""What earlier runs on this machine found, a line each, in files below XDG_CACHE_HOME/tertulia: `green`, `flaky` and `soak`.

They stand outside of SwiftPM's directory, which every clone has for itself.
"""

import datetime
import os
import pathlib

# A name that is flaky twice in so many runs counts as failed.
RUNS = 10


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%MZ")


class Records:
    def __init__(self):
        cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        self.folder = pathlib.Path(cache) / "tertulia"

    def _lines(self, name):
        try:
            return [line.split("\t") for line in (self.folder / name).read_text().splitlines() if line]
        except (OSError, ValueError):
            return []

    def _append(self, name, *values):
        """A machine whose cache cannot be written has no records."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / name).open("a") as file:
                file.write("\t".join(str(value) for value in values) + "\n")
        except OSError as error:
            print(f"not recorded: {error}", flush=True)

    def flaky_lately(self):
        """The names that were flaky in the runs before this one, as far as they count."""
        return {name for line in self._lines("flaky")[-(RUNS - 1) :] for name in line[2:]}

    def add_flaky(self, commit, names):
        """A line a run, also of one without a flaky name."""
        self._append("flaky", now(), commit, *names)

    def add_green(self, tree, seconds, flaky, versions):
        self._append("green", tree, now(), f"{seconds:.0f}", flaky, versions)

    def add_soak(self, commit, tree, seed, minutes, verdict):
        self._append("soak", now(), commit, tree or "-", seed, minutes, verdict)

    def has_soaked(self, tree, minutes):
        """Whether a soak run of this tree, as long as that, was green."""
        return any(
            line[2] == tree and line[5] == "green" and float(line[4]) >= minutes
            for line in self._lines("soak")
            if len(line) == 6
        )
