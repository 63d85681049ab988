"""Writers, replicas and readers that fail in turn; then every subscription is checked against the log.

Usage: python -m storm EXECUTABLE [SECONDS [SEED [RECORDING]]]
  RECORDING is a file for the log and for what the subscriptions received, which storm.recorded checks anew. Of a storm without
  a fault it has all feeds and one subscription of each other kind. A storm with faults is always saved, by default in the folder
  of temporary files.
"""

import asyncio
import collections
import random
import sys
import tempfile
import time

import aiohttp
from patience import DEADLINE, eventually_async, named

from .api import Refused, ask_until_available, position, sign_up
from .check import LOG, check, disorder, read
from .cluster import PostgreSQL, Replica
from .final import differences, feed, kept
from .readers import Reader
from .recording import Recording, brief
from .sabotage import NaiveTail
from .subscriptions import Subscription
from .writers import SlowWriter, Writer, join_all

FIELDS = "node { id ... on Thought { text category likeCount commentCount } ... on Event { text: name commentCount } }"
Person = collections.namedtuple("Person", "name id token")


class Storm:
    def __init__(self, executable, seconds, seed):
        self.seconds = seconds
        self.generator = random.Random(seed)
        self.executable = executable
        self.ids = collections.defaultdict(list)
        self.writes = self.slow = self.failures = self.keep_alives = self.kills = self.restarts = self.drains = 0
        self.refusals, self.ends, self.errors = {}, {}, collections.Counter()
        # Acts a second of each writer.
        self.pace = 12
        self.tasks = []

    def spawn(self, work):
        task = asyncio.create_task(work)
        task.add_done_callback(self.fail)
        self.tasks.append(task)
        return task

    def fail(self, task):
        if not task.cancelled() and task.exception():
            self.failure = task.exception()

    failure = None

    async def begin(self):
        self.database = await asyncio.to_thread(PostgreSQL)
        self.replicas = [Replica(self.executable, self.database, number) for number in range(3)]
        migrate = await asyncio.create_subprocess_exec(
            self.executable, "migrate",
            env={"DATABASE_URL": self.database.url, "TERTULIA_HOME": str(self.database.home / "tertulia")},
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)  # fmt: skip
        assert await migrate.wait() == 0
        for replica in self.replicas:
            await replica.start()
            await self.wait_for(replica)
        url = self.replicas[0].url
        async with aiohttp.ClientSession() as session:
            self.people = []
            for number in range(6):
                name = f"person{number}"
                self.people.append(Person(name, *await sign_up(session, url, name)))
            schema = await ask_until_available(session, url, '{ __type(name: "Mutation") { fields { name } } }')
            self.has_blocks = any(field["name"] == "blockUser" for field in schema["__type"]["fields"])
            self.start = (await ask_until_available(session, url, "{ changeCursor }"))["changeCursor"]
            await self.converse(session, url)
            data = await ask_until_available(
                session, url,
                "mutation ($input: CreateThoughtInput!) { createThought(input: $input) { thought { id } } }",
                self.people[0].token, **named({"input": {"text": "discussed", "category": "FUNNY"}}))  # fmt: skip
            self.discussed = data["createThought"]["thought"]["id"]
            self.ids["thought"].append(self.discussed)
            self.cursor = (await ask_until_available(session, url, "{ changeCursor }"))["changeCursor"]
            self.feeds = {person.id: await feed(session, url, person.token, ask_until_available) for person in self.people}

    async def converse(self, session, url):
        self.conversations, self.circles = [], {}
        for circle in [(0, 1), (2, 3), (0, 2, 4), (1, 2, 3, 4, 5)]:
            people = [self.people[number] for number in circle]
            data = await ask_until_available(
                session, url,
                "mutation ($input: StartConversationInput!) { startConversation(input: $input) { conversation { id } } }",
                people[0].token, **named({"input": {"participantIds": [person.id for person in people]}}))  # fmt: skip
            self.conversations.append(data["startConversation"]["conversation"]["id"])
            self.circles[tuple(person.id for person in people)] = self.conversations[-1]

    async def wait_for(self, replica):
        async with aiohttp.ClientSession() as session:

            async def is_ready():
                if replica.process.returncode is not None and not replica.is_down:
                    # It found no database, and whoever keeps it running starts it again.
                    await replica.start()
                return await replica.readiness(session) == 200

            await eventually_async(lambda: f"a server that is ready, of the log {replica.log.read_text()[-3000:]}", is_ready)

    def readers(self):
        def of(field, selection="node { id }", **arguments):
            return Subscription(field, tuple(arguments.items()), selection)

        readers = []
        for number, person in enumerate(self.people):
            conversation = next(id for people, id in self.circles.items() if person.id in people)
            sets = [
                [of("feedChanges", FIELDS)],
                [of("messageChanges"), of("conversationChanges"), of("notificationChanges")],
                [of("feedChanges", filter="{categories: [FUNNY]}"), of("eventChanges"),
                 of("commentChanges", subjectId=f'"{self.discussed}"'), of("nodeChanges", ids=f'["{self.discussed}"]')],
                [of("feedChanges", FIELDS + " __typename"), of("messageChanges", conversationId=f'"{conversation}"')],
            ]  # fmt: skip
            # A conversation that was left is not subscribed to until it is joined again, so it goes on by itself.
            for place, subscriptions in enumerate(sets):
                is_socket = len(subscriptions) > 1 or number % 2 == 0
                generator = random.Random(self.generator.random())
                readers.append(
                    Reader(f"{person.name} {place}", person, subscriptions, self.cursor, self, generator, is_socket,
                           by_connection=is_socket and place != 3 and number % 2 == 0))  # fmt: skip
        return readers

    async def break_replicas(self):
        while True:
            await asyncio.sleep(self.generator.uniform(2, 6))
            replica = self.generator.choice(self.replicas)
            if self.generator.random() < 0.75:
                await replica.kill()
                self.kills += 1
            else:
                await replica.drain()
                self.drains += 1
            await asyncio.sleep(self.generator.uniform(0, 2))
            await replica.start()
            await self.wait_for(replica)

    async def restart_database(self):
        """In the middle of a short storm, and every minute of a long one."""
        while True:
            await asyncio.sleep(min(60, self.seconds / 2))
            mode = "immediate" if self.restarts % 2 == 0 else "fast"
            await self.database.restart(mode)
            self.restarts += 1

    async def rage(self):
        readers = self.readers()
        reading = [self.spawn(reader.run()) for reader in readers]
        tail = NaiveTail(self.database, self.people[0].id, position(self.cursor))
        raging = [self.spawn(Writer(person, self, random.Random(self.generator.random())).run()) for person in self.people]
        raging += [self.spawn(SlowWriter(self, random.Random(self.generator.random())).run()) for _ in range(3)]
        raging += [self.spawn(work) for work in (self.break_replicas(), self.restart_database(), tail.run())]
        end = time.monotonic() + self.seconds
        while time.monotonic() < end and not self.failure:
            await asyncio.sleep(0.2)
        for task in raging:
            task.cancel()
        await asyncio.gather(*raging, return_exceptions=True)
        if self.failure:
            raise self.failure
        for replica in self.replicas:
            if replica.is_down:
                await replica.process.wait()
                await replica.start()
            await self.wait_for(replica)
        await join_all(self)
        for reader in readers:
            reader.is_calm = True
        return readers, reading, tail

    async def judge(self, readers, tail):
        """Until nothing is missing any more, or will not come."""
        kinds = await self.database.execute("copy (select id, 'event' from events) to stdout;", check=True)
        events = dict(line.split("\t") for line in kinds.splitlines())
        start = position(self.cursor)
        async with aiohttp.ClientSession() as session:
            end = time.monotonic() + DEADLINE
            while True:
                # A transaction that was under way may have ended since.
                log = await self.database.execute(LOG, check=True)
                rows = read(log, events)
                faults = [f"the log: {fault}" for fault in disorder(rows)]
                for reader in readers:
                    for received in reader.received:
                        found = check(received, rows, start)
                        faults += [f"{reader.name}, {received.subscription.field}: {fault}" for fault in found]
                # What a block's end brings back is not in the log.
                faults += await self.outdated(readers, rows, session)
                if not faults or time.monotonic() > end:
                    break
                await asyncio.sleep(1)
        subscriptions = [received for reader in readers for received in reader.received]
        return rows, faults, Recording(log, events, start, subscriptions, tail.received)

    async def outdated(self, readers, rows, session):
        """How the lists that were kept by changes alone differ from the same lists read anew."""
        faults = []
        for reader in readers:
            received = reader.received[0]
            if received.subscription.selection != FIELDS or received.subscription.arguments:
                continue
            try:
                read_now = await feed(session, self.replicas[0].url, reader.person.token)
            except (Refused, OSError, aiohttp.ClientError, TimeoutError) as error:
                faults.append(f"The feed of {reader.name} cannot be read: {error!r}")
                continue
            mine = kept(received.events, self.feeds[reader.person.id])
            for id, fault in differences(mine, read_now):
                events = [event for event in received.events if event.node == id]
                about = [row for row in rows if row.node == id or row.kind == "block"]
                faults.append(f"{reader.name}, the feed: {fault}; it got {events} of {about}")
        return faults


async def main(executable, seconds=20, seed=None, recording=None):
    seconds, seed = int(seconds), int(seed or random.SystemRandom().getrandbits(63))
    print(f"A storm of {seconds} s, seed {seed}", flush=True)
    storm = Storm(executable, seconds, seed)
    try:
        await storm.begin()
        readers, reading, tail = await storm.rage()
        rows, faults, recorded = await storm.judge(readers, tail)
    finally:
        for task in storm.tasks:
            task.cancel()
        await asyncio.gather(*storm.tasks, return_exceptions=True)
        for replica in getattr(storm, "replicas", []):
            await replica.stop()
        if hasattr(storm, "database"):
            storm.database.stop()
    received = [received for reader in readers for received in reader.received]
    print(
        f"{storm.writes} writes, {sum(storm.refusals.values())} refused {storm.refusals}, {storm.failures} failed, "
        f"{storm.slow} slow transactions, {len(rows)} rows of the log;\n"
        f"{storm.kills} replicas killed, {storm.drains} drained, PostgreSQL restarted {storm.restarts} times;\n"
        f"{len(received)} subscriptions of {len(readers)} readers over {sum(r.connections for r in readers)} connections "
        f"got {sum(len(r.events) for r in received)} events and {storm.keep_alives} places; blocks: {storm.has_blocks}; "
        f"ends of sockets: {storm.ends}; errors of subscriptions: {dict(storm.errors)}"
    )
    if faults:
        print(f"{len(faults)} faults:", *(brief(fault) for fault in faults[:40]), sep="\n")
        recording = recording or f"{tempfile.gettempdir()}/storm-{seed}.json.gz"
        recorded.save(recording, recorded.received)
        print(f"The log and what was received are in {recording}; in Tests/Client, python -m storm.recorded checks it anew.")
        return 1
    naive = recorded.faults_of_naive_tail()
    print(f"Each change came once and in order. A tail without a snapshot's bound had {len(naive)} faults.")
    if recording:
        recorded.save(recording, recorded.sample)
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
