"""Writers, replicas and readers that fail in turn; then every subscription is checked against the log.

Usage: python -m storm EXECUTABLE [SECONDS [SEED]]
"""

import asyncio
import collections
import random
import sys
import time

import aiohttp

from .api import Refused, ask, new_person, position
from .check import LOG, check, read
from .cluster import PostgreSQL, Replica
from .final import differences, feed, kept
from .readers import Reader
from .sabotage import NaiveTail, unnoticed
from .subscriptions import Subscription
from .writers import SlowWriter, Writer, join_all

FIELDS = "node { id ... on Thought { text category likeCount commentCount } ... on Event { text: name commentCount } }"
# Seconds after which everybody takes new tokens. An access token lives for 15 minutes.
RENEWAL = 300


class Storm:
    def __init__(self, executable, seconds, seed):
        self.seconds = seconds
        self.generator = random.Random(seed)
        self.executable = executable
        self.ids = collections.defaultdict(list)
        self.writes = self.slow = self.failures = self.keep_alives = self.kills = self.restarts = self.drains = 0
        self.refusals, self.ends = {}, {}
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
                self.people.append(await new_person(session, url, f"person{number}"))
            schema = await ask(session, url, '{ __type(name: "Mutation") { fields { name } } }')
            self.has_blocks = any(field["name"] == "blockUser" for field in schema["__type"]["fields"])
            self.start = (await ask(session, url, "{ changeCursor }"))["changeCursor"]
            await self.converse(session, url)
            data = await ask(
                session, url,
                "mutation ($input: CreateThoughtInput!) { createThought(input: $input) { thought { id } } }",
                self.people[0].token, input={"text": "discussed", "category": "FUNNY"})  # fmt: skip
            self.discussed = data["createThought"]["thought"]["id"]
            self.ids["thought"].append(self.discussed)
            self.cursor = (await ask(session, url, "{ changeCursor }"))["changeCursor"]
            self.feeds = {person.id: await feed(session, url, person.token) for person in self.people}

    async def converse(self, session, url):
        self.conversations, self.circles = [], {}
        for circle in [(0, 1), (2, 3), (0, 2, 4), (1, 2, 3, 4, 5)]:
            people = [self.people[number] for number in circle]
            data = await ask(
                session, url,
                "mutation ($input: StartConversationInput!) { startConversation(input: $input) { conversation { id } } }",
                people[0].token, input={"participantIds": [person.id for person in people]})  # fmt: skip
            self.conversations.append(data["startConversation"]["conversation"]["id"])
            self.circles[tuple(person.id for person in people)] = self.conversations[-1]

    async def wait_for(self, replica):
        async with aiohttp.ClientSession() as session:
            for _ in range(1200):
                if replica.process.returncode is not None and not replica.is_down:
                    # It found no database, and whoever keeps it running starts it again.
                    await replica.start()
                try:
                    async with session.get(replica.url.replace("graphql", "readyz")) as response:
                        if response.status == 200:
                            return
                except (OSError, aiohttp.ClientError):
                    pass
                await asyncio.sleep(0.05)
        raise RuntimeError(f"A replica does not serve:\n{replica.log.read_text()[-3000:]}")

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

    def everybody(self):
        """Whose sessions are renewed."""
        return self.people

    async def renew_sessions(self):
        async with aiohttp.ClientSession() as session:
            while True:
                await asyncio.sleep(RENEWAL)
                for person in self.everybody():
                    while True:
                        try:
                            await person.renew(session, self.generator.choice(self.replicas).url)
                            break
                        except Refused as refused:
                            if refused.args[0]["extensions"]["code"] not in ("TIMEOUT", "UNAVAILABLE", "OVERLOADED"):
                                raise
                        except (OSError, aiohttp.ClientError, TimeoutError):
                            pass
                        await asyncio.sleep(0.2)

    async def restart_database(self):
        """In the middle of a short storm, and every minute of a long one."""
        while True:
            await asyncio.sleep(min(60, self.seconds / 2))
            mode = "immediate" if self.restarts % 2 == 0 else "fast"
            await self.database.restart(mode)
            self.restarts += 1

    async def rage(self):
        self.spawn(self.renew_sessions())
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
            for _ in range(60):
                # A transaction that was under way may have ended since.
                rows = read(await self.database.execute(LOG, check=True), events)
                faults = []
                for reader in readers:
                    for received in reader.received:
                        found = check(received, rows, start)
                        faults += [f"{reader.name}, {received.subscription.field}: {fault}" for fault in found]
                        if found:
                            faults.append(f"{reader.name} got {story(received)}")
                # What a block's end brings back is not in the log.
                faults += await self.outdated(readers, rows, session)
                if not faults:
                    break
                await asyncio.sleep(1)
        # Feeds have changes of each kind, and no change in them is excused by a block, as one of a conversation is.
        feeds = [received for reader in readers for received in reader.received if received.subscription.selection == FIELDS]
        missed = unnoticed(feeds, rows, start, self.generator) if not faults else []
        naive = check(tail.received, [row for row in rows if not row.counters], start)
        return rows, faults, missed, naive

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


def story(received):
    """What came over each connection, in short."""
    connections = {number: [place] for number, place in received.starts.items()}
    for event in received.events:
        connections[event.connection].append(f"{event.kind} {event.position} …{event.node[-4:]}")
    return {number: events for number, events in connections.items() if len(events) > 1}


async def main(executable, seconds=20, seed=None):
    seconds, seed = int(seconds), int(seed or random.SystemRandom().getrandbits(63))
    print(f"A storm of {seconds} s, seed {seed}", flush=True)
    storm = Storm(executable, seconds, seed)
    try:
        await storm.begin()
        readers, reading, tail = await storm.rage()
        rows, faults, missed, naive = await storm.judge(readers, tail)
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
        f"ends of sockets: {storm.ends}"
    )
    if faults:
        print(f"{len(faults)} faults:", *faults[:40], sep="\n")
    if missed:
        print(f"The check did not notice: {', '.join(missed)}")
    if not naive:
        print("The check found no fault in a tail without the bound of a snapshot.")
    if faults or missed or not naive:
        return 1
    print(f"Each change came once and in order. A tail without a snapshot's bound had {len(naive)} faults, {naive[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
