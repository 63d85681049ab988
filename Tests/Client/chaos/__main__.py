"""Breaks a highly available cluster while people write and read; nothing acknowledged may be lost or doubled.

Usage, as root and in namespaces of its own (scripts/chaos): python -m chaos EXECUTABLE PATRONI [options]
"""

import argparse
import asyncio
import collections
import datetime
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import aiohttp
from cluster import Cluster

from storm.__main__ import Storm
from storm.api import Refused, ask, new_person

from . import audit, crowd
from .faults import FAULTS, until, whole
from .readers import readers
from .writers import PersistentWriter, Prober, gap

SETTINGS = {
    "WRITES_PER_MINUTE": "0", "SIGN_UPS_PER_MINUTE": "1000000", "PASSWORD_HASH_LOG_N": "10",
    "ANONYMOUS_ACCOUNTS_PER_HOUR": "0", "MAX_CONNECTIONS_PER_ADDRESS": "0",
}  # fmt: skip
POST = """mutation ($input: CreateThoughtInput!) { createThought(input: $input) { thought { id } } }"""
TALLY = pathlib.Path(__file__).parent / "tally.tsv"
# Each node's disk.
DISK = "3g"


class SmallDisks(Cluster):
    """Each node's data is on a file system in memory, of limited size."""

    def prepare(self):
        for node in self.nodes:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=0700", "tmpfs", str(node.data)], check=True)
            shutil.chown(node.data, "postgres", "postgres")


class Chaos(Storm):
    """A storm's people, conversations and lists, on a cluster that fails; writers do not give up."""

    def __init__(self, options, seed, directory):
        super().__init__(options.executable, 0, seed)
        self.pace, self.number = options.pace, options.people
        self.crowd_number, self.crowd_pace = options.crowd, options.crowd_pace
        # Of now: a long run may see others.
        self.newer, self.commit = options.newer, commit()
        self.cluster = SmallDisks(options.executable, directory, options.patroni, settings=SETTINGS)
        self.url = f"http://127.0.0.1:{self.cluster.port}/graphql"
        # What the storm's writers and readers choose from: they all go through the proxy.
        self.replicas = [self]
        # Nobody blocks anybody: each acknowledged write is to be found.
        self.has_blocks = False
        self.going = asyncio.Event()
        self.going.set()
        self.again, self.repeated, self.done = {}, 0, 0
        # When writes were acknowledged; by mutation how many.
        self.acknowledgements, self.mutations = [], collections.Counter()
        self.faults, self.rows, self.readers, self.writers, self.crowd = [], [], [], [], []

    def say(self, text):
        print(f"  {time.monotonic() - self.began:7.1f} s  {text}", flush=True)

    def fault(self, text):
        self.faults.append(text)
        self.say(f"FAULT: {text}")

    def acknowledged(self, mutation):
        self.done += 1
        self.mutations[mutation] += 1
        self.acknowledgements.append(time.monotonic())

    async def begin(self):
        self.began = time.monotonic()
        await asyncio.to_thread(self.cluster.start)
        self.say(f"the cluster is whole; the primary is {self.cluster.leader().name}")
        async with aiohttp.ClientSession() as session:
            self.people = [await new_person(session, self.url, f"person{number}") for number in range(self.number)]
            # Likes nothing but the probed thought, so that no ledger misses it.
            self.prober = await new_person(session, self.url, "prober")
            await self.converse(session, self.url)
            self.crowd = [crowd.QuickWriter(f"crowd{number}", self, random.Random(self.generator.random()))
                          for number in range(self.crowd_number)]  # fmt: skip
            for writer in self.crowd:
                await writer.prepare(session, self.url)
        self.writers = [PersistentWriter(person, self, random.Random(self.generator.random())) for person in self.people]
        async with aiohttp.ClientSession() as session:
            data = await ask(session, self.url, POST, self.people[0].token, input={"text": "discussed", "category": "FUNNY"})
        self.discussed = data["createThought"]["thought"]["id"]
        self.ids["thought"].append(self.discussed)
        self.readers = readers(self)
        self.probers = {
            "writes": Prober(self, f'mutation {{ likeThought(input: {{thoughtId: "{self.discussed}"}}) {{ clientMutationId }} }}',
                             self.prober),
            "reads": Prober(self, "{ viewer { user { id } } events(first: 5) { nodes { id name } } }", self.prober),
        }  # fmt: skip
        for worker in [*self.writers, *self.crowd, *self.readers, *self.probers.values()]:
            self.spawn(worker.run())
        self.spawn(self.renew_sessions())

    def everybody(self):
        return [*self.people, self.prober, *(writer.person for writer in self.crowd)]

    async def run(self, faults):
        for fault in faults:
            await until(self.cluster.is_served, "the servers serve")
            await whole(self.cluster)
            await self.written(20)
            before, faults_before, started = self.done, len(self.faults), time.monotonic()
            self.say(f"{fault.name}: {fault.says}")
            await fault.act(self, self.cluster)
            acted = time.monotonic()
            await self.written(20)
            await until(self.cluster.is_served, "the servers serve")
            await whole(self.cluster)
            ended = time.monotonic()
            writes = gap([*self.acknowledgements, *(at for at, _ in self.probers["writes"].answers)], started, ended)
            reads = gap([at for at, _ in self.probers["reads"].answers], started, ended)
            await self.judge_now()
            found = self.faults[faults_before:]
            slow = [took for at, took in self.probers["reads"].answers if at > started]
            self.rows.append((fault, writes, reads, ended - acted, self.done - before, len(found)))
            self.say(f"{fault.name}: writes away {writes:.1f} s, reads {reads:.1f} s (median {statistics.median(slow) * 1000:.0f} ms), "
                     f"whole {ended - acted:.1f} s later, {self.done - before} writes, {len(found)} faults")  # fmt: skip
            if self.failure:
                raise self.failure

    async def permission(self):
        """Waits until nothing is judged. An event may be cleared again before those that wait for it run on."""
        while not self.going.is_set():
            await self.going.wait()

    async def written(self, count):
        """So many writes have been acknowledged from now on, each writer having one."""
        begun, deadline = self.done, time.monotonic() + 600
        while self.done < begun + count:
            assert time.monotonic() < deadline, f"Nothing is written any more: {self.again}"
            await asyncio.sleep(0.05)

    async def judge_now(self):
        """While nobody writes: every acknowledged write against the primary, every kept list against the list."""
        self.going.clear()
        await self.answered()
        faults = await asyncio.to_thread(audit.losses, self.cluster, self.writers)
        faults += await asyncio.to_thread(crowd.losses, self.cluster, self.crowd)
        faults += await asyncio.to_thread(audit.doubles, self.cluster)
        faults += await self.lists()
        for fault in faults[:10]:
            self.fault(fault)
        self.faults += faults[10:]
        self.going.set()

    async def answered(self):
        """Nobody writes, and the outcome of every mutation is known."""
        await until(
            lambda: not any(writer.ledger.open for writer in self.writers) and not any(writer.open for writer in self.crowd),
            "each writer has its answer")  # fmt: skip

    async def lists(self):
        """As soon as they agree, or a minute after all of them could be read and did not. Whether a busy machine can read
        them at once decides nothing."""
        now = time.monotonic()
        agree_by, read_by, waiting = now + 60, now + 600, list(self.readers)
        async with aiohttp.ClientSession() as session:
            while True:
                faults, behind, is_away = [], [], False
                for reader in waiting:
                    try:
                        found = await reader.faults(session)
                    except (Refused, OSError, aiohttp.ClientError, TimeoutError, ValueError) as error:
                        found, is_away = [f"{reader.name}: {error!r}"], True
                    faults += found
                    if found:
                        behind.append(reader)
                waiting = behind
                if is_away:
                    agree_by = time.monotonic() + 60
                if not faults or time.monotonic() > min(agree_by, read_by):
                    return faults
                await asyncio.sleep(0.5)

    async def end(self):
        """The last judgement: also each standby, the counters, and whether the audit sees a loss at all."""
        await self.judge_now()
        self.going.clear()
        await self.answered()
        await whole(self.cluster)
        place = self.cluster.sql("select pg_current_wal_lsn()")
        for node in self.cluster.standbys():
            await until(lambda: self.cluster.sql(f"select pg_last_wal_replay_lsn() >= '{place}'", node=node) == "t",
                        f"{node.name} has all of it")  # fmt: skip
            lost = await asyncio.to_thread(audit.losses, self.cluster, self.writers, node)
            lost += await asyncio.to_thread(crowd.losses, self.cluster, self.crowd, node)
            for fault in lost:
                self.fault(f"{node.name}: {fault}")
        for fault in await asyncio.to_thread(audit.drift, self.cluster, self.executable):
            self.fault(fault)
        missed = await asyncio.to_thread(audit.sabotaged, self.cluster, self.writers)
        missed += await asyncio.to_thread(crowd.sabotaged, self.cluster, self.crowd)
        for what in missed:
            self.fault(f"the audit did not see a loss that was made: {what}")


def commit():
    answer = subprocess.run(["git", "-C", pathlib.Path(__file__).parent, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return answer.stdout.strip() or "none"


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/chaos", description=__doc__.partition("\n")[0])
    parser.add_argument("executable", help="a built tertulia")
    parser.add_argument("patroni", help="the folder of Patroni's modules")
    parser.add_argument("--faults", help="names parted by commas, in this order; all in a random order by default")
    parser.add_argument("--times", type=int, default=1, help="how often each of them")
    parser.add_argument("--short", action="store_true", help="only the faults that are over in seconds, each once")
    parser.add_argument("--newer", help="the next release's executable, for the fault upgrade")
    parser.add_argument("--people", type=int, default=16)
    parser.add_argument("--pace", type=float, default=20, help="acts a second of each person, at most")
    parser.add_argument("--crowd", type=int, default=4, help="quick writers beside them, who number their messages")
    parser.add_argument("--crowd-pace", type=float, default=20, help="messages a second of each quick writer, at most")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--tally", help="append a line to this file, tally.tsv beside this program by default",
                        nargs="?", const=str(TALLY))  # fmt: skip
    return parser.parse_args()


def chosen(options, generator):
    names = {fault.name: fault for fault in FAULTS}
    if options.faults:
        return [names[name] for name in options.faults.split(",")] * options.times
    faults = [fault for fault in FAULTS if (fault.is_short or not options.short) and (fault.name != "upgrade" or options.newer)]
    found = []
    for _ in range(1 if options.short else options.times):
        found += generator.sample(faults, len(faults))
    return found


def note(options, storm, seed):
    counts = collections.Counter(row[0].name for row in storm.rows)
    line = [datetime.date.today().isoformat(), storm.commit, str(seed), str(storm.done), str(len(storm.faults)),
            " ".join(f"{name}:{count}" for name, count in sorted(counts.items()))]  # fmt: skip
    with open(options.tally, "a") as file:
        file.write("\t".join(line) + "\n")


def table(rows):
    """For docs/operations.md: of each fault the shortest, middle and longest gap."""
    print("\n| fault | promised | times | writes away | reads away | lost, doubled or wrong |\n| --- | --- | --- | --- | --- | --- |")
    for fault in FAULTS:
        mine = [row for row in rows if row[0] is fault]
        if mine:
            writes, reads = (" / ".join(f"{value:.1f}" for value in (min(gaps), statistics.median(gaps), max(gaps)))
                             for gaps in ([row[1] for row in mine], [row[2] for row in mine]))  # fmt: skip
            print(f"| {fault.says} | {fault.promised} | {len(mine)} | {writes} s | {reads} s | {sum(row[5] for row in mine)} |")


def report(options, storm, seed):
    """What was done until the end, whatever that was."""
    table(storm.rows)
    events = sum(reader.events + len(reader.received[0].events) for reader in storm.readers)
    print(f"\n{storm.done} writes acknowledged, {storm.repeated} of them after more than one attempt "
          f"({sum(storm.again.values())} attempts were told to come back: {storm.again}), {sum(storm.refusals.values())} "
          f"refused for a reason; {len(storm.readers)} readers over {sum(r.connections for r in storm.readers)} connections "
          f"got {events} events and read {sum(r.rereads for r in storm.readers)} times anew; {len(storm.faults)} faults; seed {seed}")  # fmt: skip
    if options.tally and storm.done:
        note(options, storm, seed)


async def main(options):
    seed = options.seed if options.seed is not None else random.SystemRandom().getrandbits(63)
    print(f"Chaos, seed {seed}", flush=True)
    directory = tempfile.mkdtemp(prefix="tertulia-chaos-")
    storm = Chaos(options, seed, directory)
    try:
        await storm.begin()
        await storm.run(chosen(options, storm.generator))
        await storm.end()
    except asyncio.CancelledError:
        print("Interrupted", flush=True)
        raise
    except BaseException as error:
        storm.faults.append(repr(error))
        for log in sorted(pathlib.Path(directory).rglob("*.log")):
            if log.name != "etcd.log":
                print(f"== {log}", log.read_text(errors="replace")[-2000:], sep="\n")
        raise
    finally:
        report(options, storm, seed)
        for task in storm.tasks:
            task.cancel()
        await asyncio.gather(*storm.tasks, return_exceptions=True)
        # The namespaces end with this process, and everything in them.
        for node in storm.cluster.nodes:
            subprocess.run(["umount", "--lazy", str(node.data)], check=False)
        if not os.environ.get("TERTULIA_CHAOS_KEEP"):
            shutil.rmtree(directory, ignore_errors=True)
    return 1 if storm.faults else 0


sys.exit(asyncio.run(main(arguments())))
