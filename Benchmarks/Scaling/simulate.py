"""Where one primary and its replicas end, on paper: simulate.py [--seed N] [--check FOLDER].

Prints the tables of docs/scaling.md: the parameters with their sources, the busiest minute by the number of users, the number
of users at which each wall is reached, today and with each way past it, and what standbys add. The minutes are simulated in
steps of 20 ms with random arrivals; the walls follow from mean loads. The same seed prints the same.
"""

import argparse
import dataclasses
import math
import pathlib
import random
import sys

SEED = 15
STEP = 0.02  # The pause of ChangeTail between two reads, in seconds.
MINUTE = 60
# From the twentieth second on, for twenty seconds, somebody famous has posted.
BURST = (20, 40)
# A resource counts as used up at this share: queues grow without bound soon after it.
FULL = 0.7


@dataclasses.dataclass(frozen=True)
class Parameter:
    says: str
    value: float
    unit: str
    # The file that has the figure and its words there; none for an assumption.
    source: str = ""
    quote: str = ""


MEASURED = {
    "delivery": Parameter(
        "server's CPU a live event and socket", 8.6, "µs", "README.md", "| CPU of the server a delivery | 8.6 µs |"),
    "broadcast": Parameter(
        "the same of a server that only broadcasts", 7.6, "µs", "README.md",
        "| CPU of the server a delivery | 8.6 µs | 7.6 µs |"),
    "socket": Parameter("memory a socket", 8.9, "KiB", "README.md", "| memory a socket | 8.9 KiB |"),
    "write": Parameter("PostgreSQL's CPU a write (a comment)", 587, "µs", "README.md", "| .132 + .587 |"),
    "write_server": Parameter("server's CPU a write", 132, "µs", "README.md", "| .132 + .587 |"),
    "read": Parameter("PostgreSQL's CPU a page of 20", 111, "µs", "README.md", "| .117 + .111 |"),
    "read_server": Parameter("server's CPU a page of 20", 117, "µs", "README.md", "| .117 + .111 |"),
    "merged": Parameter(
        "counter changes of one object", 4, "events/s", "docs/changes.md", "are merged to four a second an object"),
    "sockets_a_replica": Parameter(
        "sockets of a replica at most", 20_000, "", "README.md", "| `MAX_CONNECTIONS` | 20000 |"),
    "sessions": Parameter(
        "PostgreSQL's sessions a replica of four cores", 24, "", "docs/operations.md", "20 on two cores and 24 on four"),
    "wal": Parameter("WAL a comment", 2_695, "bytes", "docs/scaling.md", "addComment: 2,695 bytes of WAL"),
    "wal_full": Parameter("WAL a comment right after a checkpoint", 5_822, "bytes", "docs/scaling.md", "5,822 right after a checkpoint"),
    "days": Parameter("days that the log is kept", 7, "", "docs/changes.md", "the log, which is kept for 7 days"),
    "rows": Parameter("rows of the log a comment", 2, "", "docs/scaling.md", "5,822 right after a checkpoint, 2.00 rows of the log"),
    "row_disk": Parameter("disk a row of the log, index included", 231, "bytes", "docs/scaling.md", "a comment's row with its indexes: 231 bytes of disk"),
    "row_read": Parameter("PostgreSQL's CPU a row and tail", 4.4, "µs", "docs/scaling.md", "4.4 us of PostgreSQL's"),
    "row_network": Parameter("bytes from PostgreSQL a row and tail", 294, "bytes", "docs/scaling.md", "294 bytes from PostgreSQL"),
    "row_tail": Parameter(
        "tail's CPU a row", 3, "µs", "docs/scaling.md", "3.0 us of the server's CPU a row"),
    "check": Parameter(
        "PostgreSQL's CPU to check a standby's position before a page", 21, "µs", "docs/decisions/0034-read-replicas.md",
        "check takes 21 µs"),
    "position": Parameter(
        "PostgreSQL's CPU to read the position of a write, with standbys", 29, "µs", "docs/decisions/0034-read-replicas.md",
        "the position of a write 29 µs"),
    "patience": Parameter(
        "time that a read has on a standby", 500, "ms", "docs/decisions/0034-read-replicas.md", "A standby gets 500 ms"),
    "replay": Parameter("a standby's CPU to replay a comment, one process", 5, "µs", "docs/scaling.md", "5 us of CPU a comment"),
}  # fmt: skip
ASSUMED = {
    "online": Parameter("accounts that are online in the busiest minute, a socket each", 0.05, "share"),
    "on_feed": Parameter("sockets that follow the whole feed", 0.3, "share"),
    "writes": Parameter("writes of an account online", 0.5, "a minute"),
    "reads": Parameter("pages read by an account online", 4, "a minute"),
    "messages": Parameter("writes that are messages, which no feed shows", 0.2, "share"),
    "publications": Parameter("writes that publish a thought", 0.05, "share"),
    "burst": Parameter("writes while somebody famous posts, beside usual", 3, "times"),
    "famous": Parameter("writes of the burst that count on the one thought", 0.5, "share"),
    "hot": Parameter("updates of one counter, 16 clients, when the design was chosen", 1_300, "a second"),
    "replica_cores": Parameter("cores of a replica", 4, ""),
    "primary_cores": Parameter("cores of the primary", 16, ""),
    "standby_cores": Parameter("cores of a standby", 16, ""),
    "elsewhere": Parameter("pages of signed-out readers and of clients that send their position", 0.9, "share"),
    "transfer": Parameter("from a commit until a standby has its WAL", 5, "ms"),
    "disk": Parameter("WAL that the primary's disk takes", 200, "MB/s"),
    "checkpointed": Parameter("writes that are the first to their pages since a checkpoint", 0.5, "share"),
    "sessions_most": Parameter("sessions that the primary bears", 1_000, ""),
    "frames": Parameter("frames a second and socket of a tier that merges events", 2, ""),
    "sockets_a_relay": Parameter("sockets of a relay of that tier", 50_000, ""),
    "parts": Parameter("parts of a partitioned tail", 8, ""),
    "shards": Parameter("shards by subject", 8, ""),
    "crossing": Parameter("writes that a second shard takes part in", 0.15, "share"),
}  # fmt: skip
P = {name: parameter.value for name, parameter in (MEASURED | ASSUMED).items()}


@dataclasses.dataclass(frozen=True)
class Design:
    name: str
    # As many replicas as the live events need, not only as many as sockets and requests do.
    is_wide: bool = False
    has_tier: bool = False
    parts: int = 1
    shards: int = 1


TODAY = Design("today")
TIER = Design("a fan-out tier", has_tier=True)
PARTED = Design("and a partitioned tail", has_tier=True, parts=int(P["parts"]))
SHARDED = Design("and shards by subject", has_tier=True, parts=int(P["parts"]), shards=int(P["shards"]))
WIDE = Design("more replicas", is_wide=True)
DESIGNS = [TODAY, WIDE, TIER, PARTED, SHARDED]


class Load:
    """Mean loads of the busiest minute, and what they use up."""

    def __init__(self, users, design=TODAY):
        self.design = design
        self.sockets = users * P["online"]
        self.writes = self.sockets * P["writes"] / 60
        self.reads = self.sockets * P["reads"] / 60
        self.rows = self.writes * P["rows"]
        # All writes but messages change a thought that the feed has.
        self.events = self.writes * (1 - P["messages"])
        served = (self.writes * P["write_server"] + self.reads * P["read_server"]) / 1e6
        by_requests = served / (P["replica_cores"] * FULL)
        by_sockets = self.sockets / P["sockets_a_replica"]
        self.relays = max(2, math.ceil(self.sockets / P["sockets_a_relay"])) if design.has_tier else 0
        by_events = by_requests + self.sockets * P["on_feed"] * self.events * P["delivery"] / 1e6 / (P["replica_cores"] * FULL)
        needs = by_requests if design.has_tier else max(by_sockets, by_events if design.is_wide else by_requests)
        # Two at least, so that one may fail. A thousandth more, so that a replica is not just at its wall.
        self.replicas = max(2, math.ceil(needs * 1.001))
        self.served = served / self.replicas

    @property
    def frames(self):
        """Frames a second to one socket that follows the feed."""
        return min(self.events, P["frames"]) if self.design.has_tier else self.events

    @property
    def deliveries(self):
        """Frames a second that one process sends."""
        return self.sockets * P["on_feed"] * self.frames / (self.relays or self.replicas)

    @property
    def fan_out(self):
        """Of the busiest process that sends events, replica or relay."""
        if not self.design.has_tier:
            return (self.deliveries * P["delivery"] / 1e6 + self.served) / P["replica_cores"]
        # A relay is one subscriber, and takes each event in at what it costs to send one.
        relay = self.deliveries * P["broadcast"] + self.events * P["delivery"]
        replica = self.events * self.relays / self.replicas * P["delivery"]
        return max(relay / 1e6, replica / 1e6 + self.served) / P["replica_cores"]

    @property
    def tails(self):
        """Cores of one shard's primary that the tails of all replicas use."""
        return self.replicas * self.rows / self.design.shards / self.design.parts * P["row_read"] / 1e6

    @property
    def tail(self):
        """A tail is one loop: it waits for PostgreSQL, then takes the rows apart."""
        return self.rows / self.design.parts * (P["row_read"] + P["row_tail"]) / 1e6

    @property
    def shard_writes(self):
        across = 1 + P["crossing"] if self.design.shards > 1 else 1
        return self.writes * across / self.design.shards

    @property
    def primary(self):
        reads = self.reads * P["read"] / 1e6 / self.design.shards
        return (self.shard_writes * P["write"] / 1e6 + reads + self.tails) / P["primary_cores"]

    @property
    def wal(self):
        """Megabytes a second of one primary."""
        each = P["wal"] + P["checkpointed"] * (P["wal_full"] - P["wal"])
        return self.shard_writes * each / 1e6

    @property
    def walls(self):
        return {
            "fan-out of a replica or relay": self.fan_out,
            "one counter, while somebody famous posts": self.writes * P["burst"] * P["famous"] / P["hot"],
            "CPU of the primary": self.primary,
            "WAL of the primary": self.wal / P["disk"],
            "replay on a standby": self.shard_writes * P["replay"] / 1e6,
            "tail of a replica": self.tail,
            "sessions of the primary": self.replicas * P["sessions"] / P["sessions_most"] * FULL,
        }


def users_until(wall, design):
    """Users at which a wall's resource is used up."""
    low, high = 1_000, 10**10
    while high - low > low / 1_000:
        middle = (low + high) // 2
        if Load(middle, design).walls[wall] < FULL:
            low = middle
        else:
            high = middle
    return low


def measure(wall):
    """The load today at which a wall is reached, in what the wall counts."""
    load = Load(users_until(wall, TODAY))
    return {
        "fan-out of a replica or relay": f"{number(load.deliveries)} deliveries/s of a replica",
        "one counter, while somebody famous posts": f"{number(load.writes * P['burst'] * P['famous'])} updates/s of it",
        "CPU of the primary": f"{number(load.writes)} writes/s and {number(load.reads)} pages/s, of {load.replicas} replicas",
        "WAL of the primary": f"{number(load.wal)} MB/s, {number(load.writes)} writes/s",
        "replay on a standby": f"{number(load.writes)} writes/s",
        "tail of a replica": f"{number(load.rows)} rows/s",
        "sessions of the primary": f"{load.replicas} replicas",
    }[wall]


class Queue:
    """Work that waits for one resource, in seconds of it."""

    def __init__(self, width):
        self.width = width
        self.waits = 0.0

    def take(self, work):
        """Adds work and serves a step's; what a newcomer waits, its own service left out."""
        self.waits = max(0.0, self.waits + work - STEP * self.width)
        return self.waits / self.width


def poisson(chance, mean):
    """Knuth's way for few, the normal distribution for many."""
    if mean > 50:
        return max(0, round(chance.gauss(mean, math.sqrt(mean))))
    limit, product, count = math.exp(-mean), chance.random(), 0
    while product > limit:
        product *= chance.random()
        count += 1
    return count


def minute(load, seed):
    """Delays from a write's arrival until every follower of the feed has it, before the burst and since: (delay, writes)."""
    chance = random.Random(f"{seed} {load.sockets} {load.design.name}")
    primary, tail, fan_out = Queue(P["primary_cores"]), Queue(1), Queue(P["replica_cores"])
    hot = Queue(1)
    delays = {False: [], True: []}
    # The last of all followers has it when it was sent to all the others.
    followers = load.sockets * P["on_feed"] / load.replicas
    sending = followers * P["delivery"] / 1e6 / P["replica_cores"]
    # A read of the primary by others than writers is as constant as the sum of many is.
    others = (load.reads * P["read"] / 1e6 + load.tails) * STEP
    for step in range(int(MINUTE / STEP)):
        since, in_burst = step * STEP >= BURST[0], BURST[0] <= step * STEP < BURST[1]
        usual = poisson(chance, load.writes * STEP)
        famous = 0
        if in_burst:
            more = poisson(chance, load.writes * P["burst"] * STEP)
            famous = round(more * P["famous"])
            usual += more - famous
        writes = usual + famous
        at_hot = hot.take(famous / P["hot"])
        at_primary = primary.take(writes * P["write"] / 1e6 + others)
        at_tail = tail.take(writes * P["rows"] * (P["row_read"] + P["row_tail"]) / 1e6)
        events = usual * (1 - P["messages"]) + min(famous, P["merged"] * STEP)
        at_fan_out = sending + fan_out.take(events * followers * P["delivery"] / 1e6 + load.served * STEP)
        # The tail reads at the end of its pause, which a write meets somewhere.
        pause = chance.random() * STEP
        if usual:
            delays[since].append((at_primary + pause + at_tail + at_fan_out, usual))
        if famous:
            delays[since].append((at_hot + at_primary + pause + at_tail + at_fan_out, famous))
    return delays


class Standbys:
    """The primary and its standbys, each a machine."""

    def __init__(self, users, count):
        self.load = Load(users)
        self.count = count
        self.elsewhere = self.load.reads * (P["elsewhere"] if count else 0)

    def primary_work(self, writes, pages):
        return (writes * (P["write"] + (P["position"] if self.count else 0)) + pages * P["read"]) / 1e6

    def standby_work(self, writes, pages):
        return (writes * P["replay"] + pages * (P["read"] + P["check"])) / 1e6

    @property
    def machines(self):
        """The share of each machine's CPU that is used: the primary's, and each standby's."""
        primary = self.primary_work(self.load.writes, self.load.reads - self.elsewhere) + self.load.tails
        standby = self.standby_work(self.load.writes, self.elsewhere / self.count) if self.count else 0
        return {"primary": primary / P["primary_cores"], "standby": standby / P["standby_cores"]}

    @classmethod
    def full(cls, count):
        """With as many users as the first machine bears."""
        low, high = 1_000, 10**10
        while high - low > low / 1_000:
            middle = (low + high) // 2
            low, high = (middle, high) if max(cls(middle, count).machines.values()) < FULL else (low, middle)
        return cls(low, count)

    def minute(self, seed, away=0):
        """What pages wait, as (wait, pages); and how many of all pages ran a second time, on the primary. The first `away`
        standbys are away."""
        chance = random.Random(f"{seed} {self.load.sockets} {self.count} {away}")
        primary, standbys = Queue(P["primary_cores"]), [Queue(P["standby_cores"]) for _ in range(self.count - away)]
        replays = [Queue(1) for _ in standbys]
        waits, again, all_pages = [], 0, 0
        # Of an account that has just written, a page asks for the write. It is asked for soon after or not at all.
        own = self.load.writes * P["reads"] / 60
        for _ in range(int(MINUTE / STEP)):
            writes = poisson(chance, self.load.writes * STEP)
            here = poisson(chance, (self.load.reads - self.elsewhere) * STEP)
            there = [poisson(chance, self.elsewhere * STEP / len(standbys)) for _ in standbys] if standbys else []
            repeated = 0
            for standby, replay, pages in zip(standbys, replays, there):
                wait = standby.take(self.standby_work(writes, pages))
                lag = P["transfer"] / 1e3 + replay.take(writes * P["replay"] / 1e6) + wait
                # The queue takes no more than a read waits for.
                standby.waits = min(standby.waits, P["patience"] / 1e3 * standby.width)
                late = pages if wait > P["patience"] / 1e3 else min(pages, round(poisson(chance, own * lag * STEP) / len(standbys)))
                repeated += late
                if pages > late:
                    waits.append((wait, pages - late))
            wait = primary.take(self.primary_work(writes, here + repeated) + self.load.tails * STEP)
            if here:
                waits.append((wait, here))
            if repeated:
                waits.append((wait + (P["patience"] / 1e3 if repeated in there else 0), repeated))
            again += repeated
            all_pages += here + sum(there)
        return waits, again / max(1, all_pages)


def standbys(seed):
    for factor in (1, 10):
        P["reads"] = ASSUMED["reads"].value * factor
        alone = Standbys.full(0)
        for count in (0, 1, 2, 4, 8):
            full = Standbys.full(count)
            waits, _ = full.minute(seed)
            row = [f"{P['reads']:g}", str(count), people(full.load.sockets / P["online"]), f"{number(full.load.writes)}/s",
                   f"{number(full.load.reads)}/s", f"{full.load.reads / alone.load.reads:.1f}",
                   f"{full.machines['primary']:.0%}", f"{full.machines['standby']:.0%}" if count else "",
                   seconds(percentile(waits, 0.99))]  # fmt: skip
            if count > 1:
                waits, again = full.minute(seed, away=1)
                yield [*row, f"{seconds(percentile(waits, 0.99))}, {again:.0%}"]
            else:
                yield [*row, ""]
    P["reads"] = ASSUMED["reads"].value


def percentile(delays, share):
    total, seen = sum(count for _, count in delays), 0
    for delay, count in sorted(delays):
        seen += count
        if seen >= share * total:
            return delay
    return 0.0


def number(value):
    """Two digits are what such figures bear."""
    if value == 0 or value == round(value) < 100:
        return f"{value:.0f}"
    digits = 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, digits)
    return f"{rounded:,.0f}" if digits <= 0 else f"{rounded:.{digits}f}"


def people(value):
    if value > 1e9:
        return "beyond a billion"
    return f"{number(value / 1e6)} million" if value >= 1e6 else number(value)


def seconds(value):
    if value > 10:
        return "over 10 s"
    return f"{value * 1e3:.0f} ms" if value < 1 else f"{value:.1f} s"


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def value_of(parameter):
    value = f"{parameter.value:,g}" if parameter.value < 1e6 else f"{parameter.value:,.0f}"
    return f"{value} {parameter.unit}".strip()


def report(seed):
    yield from table(
        ("measured", "value", "from"),
        ((p.says, value_of(p), "`Benchmarks/Scaling/measure.py`, below" if p.source == "docs/scaling.md" else p.source)
         for p in MEASURED.values()))  # fmt: skip
    yield ""
    yield from table(("assumed", "value"), ((p.says, value_of(p)) for p in ASSUMED.values()))
    yield ""
    head = ("users", "sockets", "writes/s", "rows of the log/s", "replicas", "fan-out of a replica",
            "primary's CPU", "its WAL", "a tail", "log of %d days at most" % P["days"], "p99 until all have it", "and while somebody famous posts")  # fmt: skip
    rows = []
    for users in (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000):
        load = Load(users, WIDE)
        delays = minute(load, seed)
        rows.append((
            people(users), number(load.sockets), number(load.writes), number(load.rows), number(load.replicas),
            f"{number(load.deliveries)}/s, {load.fan_out:.1%}", f"{load.primary:.1%}", f"{number(load.wal)} MB/s", f"{load.tail:.1%}",
            f"{number(load.rows * 86_400 * P['days'] * P['row_disk'] / 1e9)} GB",
            *(seconds(percentile(delays[since], 0.99)) for since in (False, True))))  # fmt: skip
    yield from table(head, rows)
    yield ""
    yield from table(
        ("used up at this many users", "in its own measure", *(design.name for design in DESIGNS)),
        ((name, measure(name), *(people(users_until(name, design)) for design in DESIGNS)) for name in Load(1).walls))
    yield ""
    yield from table(
        ("pages a minute and account", "standbys", "users until a machine is full", "writes", "pages", "times as without",
         "primary's CPU", "a standby's", "p99 wait of a page", "with one standby away, and pages read twice"),
        standbys(seed))  # fmt: skip
    yield ""
    rows = []
    for name in ("online", "on_feed", "writes", "reads", "replica_cores", "primary_cores"):
        row = [ASSUMED[name].says]
        for factor in (0.5, 2):
            P[name] = ASSUMED[name].value * factor
            row += [people(users_until(wall, TODAY)) for wall in ("fan-out of a replica or relay", "CPU of the primary")]
        P[name] = ASSUMED[name].value
        rows.append(row)
    yield from table(("an assumption", "halved: fan-out", "halved: primary", "doubled: fan-out", "doubled: primary"), rows)


def stale(root):
    """Measured parameters whose source no longer says what it is quoted with."""
    for parameter in MEASURED.values():
        text = " ".join((root / parameter.source).read_text().split())
        if parameter.quote not in text:
            yield f"{parameter.source} does not say: {parameter.quote}"


def differences(root, seed):
    yield from stale(root)
    text = (root / "docs" / "scaling.md").read_text()
    for part in "\n".join(report(seed)).split("\n\n"):
        if part not in text:
            line = next((line for line in part.splitlines() if line not in text), part)
            yield f"docs/scaling.md does not have the table with: {line}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the random arrivals (default: {SEED})")
    parser.add_argument("--check", type=pathlib.Path, metavar="FOLDER", help="compare with the documentation of a checkout")
    arguments = parser.parse_args()
    if arguments.check:
        found = list(differences(arguments.check, arguments.seed))
        print("\n".join(found) or "docs/scaling.md is what the simulation prints.")
        sys.exit(1 if found else 0)
    print("\n".join(report(arguments.seed)))


if __name__ == "__main__":
    main()
