"""Random acts, blocks and subscriptions over every transport: at no moment an event says more than a query of the same
viewer would, what was seen and is not any more is told of once, and lists that are kept by changes are those that are
read anew.

Usage: python -m visibility EXECUTABLE [SECONDS [SEED [RECORDING]]]
  RECORDING is a file for what happened, which visibility.recorded judges anew; one is always saved where there is
  a fault, by default in the folder of temporary files.
"""

import asyncio
import collections
import os
import random
import subprocess
import sys
import tempfile
import time

import aiohttp
from patience import DEADLINE, eventually_async, named
from storm.api import ask_until_available, new_id, position, sign_up, uuid_of
from storm.cluster import PostgreSQL, Replica
from storm.recording import brief

from .acts import Actor
from .clients import Client, Subscription, connected
from .judge import Judge, Person
from .recording import Recording
from .truth import Thing


class World(Judge):
    def __init__(self, executable, seed):
        super().__init__()
        self.executable = executable
        self.generator = random.Random(seed)
        self.people = []
        # Ids that somebody names before there is anything of that name.
        self.future = {}
        self.refusals = self.rounds = self.acts = 0
        self.clients = 0
        self.marks = 0
        # Why connections began anew, by the messages of errors.
        self.busy = collections.Counter()
        self.recording = Recording()

    def named(self, name):
        return next(person for person in self.people if person.name == name)

    async def begin(self):
        self.database = await asyncio.to_thread(PostgreSQL)
        self.replicas = [Replica(self.executable, self.database, number) for number in range(2)]
        environment = {"DATABASE_URL": self.database.url, "TERTULIA_HOME": str(self.database.home / "tertulia")}
        os.environ["PASSWORD_HASH_LOG_N"] = "10"

        async def command(*arguments):
            process = await asyncio.create_subprocess_exec(
                self.executable, *arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
            assert await process.wait() == 0, arguments

        await command("migrate")
        self.session = aiohttp.ClientSession()
        for replica in self.replicas:
            await replica.start()
            await replica.until_ready(self.session)
        for name in ["ada", "bob", "cyd", "dan", "mod"]:
            self.people.append(Person(name, *await sign_up(self.session, self.replicas[0].url, name)))
        moderator = self.people[4]
        name = (await self.ask("{ viewer { user { username } } }", moderator))["viewer"]["user"]["username"]
        await command("user", "promote", name, "--role", "MODERATOR")
        moderator.is_moderator = True
        # Whom nobody blocks.
        self.herald = Person("herald", *await sign_up(self.session, self.replicas[0].url, "herald"))
        text = """mutation ($input: CreateThoughtInput!) { createThought(input: $input) { thought { id } } }"""
        data = await ask_until_available(self.session, self.replicas[0].url, text, self.herald.token,
                                         **named({"input": {"text": "0", "category": "FUNNY"}}))  # fmt: skip
        self.marker = data["createThought"]["thought"]["id"]
        self.actor = Actor(self)
        await self.actor.converse()
        for person in self.people:
            self.truth.things[person.id] = Thing(person.id, person)
        for _ in range(60):
            await self.actor.plan()()

    async def end(self):
        if hasattr(self, "session"):
            await self.session.close()
        for replica in getattr(self, "replicas", []):
            await replica.stop()
        if hasattr(self, "database"):
            self.database.stop()

    async def ask(self, text, person):
        return await ask_until_available(self.session, self.generator.choice(self.replicas).url, text, person.token)

    # --- subscriptions

    def names(self):
        things = list(self.truth.things)
        things += list(self.truth.conversations)
        ids = self.generator.sample(things, min(len(things), 40))
        for kind in ["thought", "comment", "message"]:
            id = new_id(kind, self.generator)
            self.future.setdefault(kind, []).append(id)
            ids.append(id)
        return self.ids(ids)

    def ids(self, ids):
        quoted = ", ".join(f'"{id}"' for id in [*ids, self.marker])
        return f"ids: [{quoted}]"

    async def client(self):
        self.clients += 1
        person = self.generator.choice(self.people)
        transport = self.generator.choice(["websocket", "websocket", "websocket", "sse", "multipart", "single"])
        client = Client(person, transport, self, f"client {self.clients}")
        client.by_connection = self.generator.random() < 0.5
        count = self.generator.randint(1, 5)

        def add(field, arguments=""):
            client.subscriptions.append(
                Subscription(client, field, arguments, is_personal=self.generator.random() < 0.3))

        marked = [("feedChanges", ""), ("feedChanges", "filter: {categories: [FUNNY]}"), ("nodeChanges", self.names)]
        others = marked + [("commentChanges", None), ("eventChanges", ""), ("conversationChanges", "")]
        # On one socket the changes of all come in one order. Streams of their own need a marker each.
        has_marker = count == 1 or transport != "websocket"
        for _ in range(count):
            field, arguments = self.generator.choice(marked if has_marker else others)
            if field == "commentChanges":
                subjects = [thing for thing in self.truth.of("thought") + self.truth.of("event")
                            if not self.truth.is_hidden(person, thing, time.monotonic(), time.monotonic())]  # fmt: skip
                if not subjects:
                    continue
                subject = self.generator.choice(subjects).id
                arguments = f'subjectId: "{subject}"'
            add(field, arguments() if callable(arguments) else arguments)
        if not has_marker:
            add("nodeChanges", self.ids([]))
        await client.begin()
        return client

    # --- rounds

    async def catch_up(self):
        """Until every replica has read all of the log: what a query gives is then what its cursor says."""
        last = int(await self.database.execute("select coalesce(max(xid), '0') from change_log;", check=True))
        for replica in self.replicas:

            async def has_read(replica=replica):
                cursor = (await ask_until_available(self.session, replica.url, "{ changeCursor }"))["changeCursor"]
                return position(cursor)[0] >= last

            await eventually_async("a replica has read the log", has_read)

    async def settle(self, clients):
        """Until each has got everything before the next change of the marker."""
        self.marks += 1
        text = """mutation ($input: UpdateThoughtInput!) { updateThought(input: $input) { thought { id } } }"""
        await ask_until_available(self.session, self.replicas[0].url, text, self.herald.token,
                                  input={"id": self.marker, "text": str(self.marks)})  # fmt: skip
        # An earlier change of it may already come with the newest text.
        last = "select xid, id from change_log where object_id = '{}' order by xid desc, id desc limit 1;"
        last = last.format(uuid_of(self.marker))
        mark = tuple(int(word) for word in (await self.database.execute(last, check=True)).split())
        end = time.monotonic() + DEADLINE

        def is_there(client):
            running = [subscription for subscription in client.subscriptions if not subscription.is_over]
            # One that is followed by others on its connection gives the place before it.
            reached = [one.marked >= (mark[0], mark[1] - 1) for one in running if self.marker in one.kept]
            return all(reached) and (reached or not running)

        while not all(is_there(client) for client in clients):
            if time.monotonic() > end:
                late = [client for client in clients if not is_there(client)]
                for client in late:
                    self.fault(client, f"did not get the marker {self.marks} in {DEADLINE} s")
                return
            await asyncio.sleep(0.005)

    async def compare(self, clients):
        """Each list with what the same viewer's query gives now."""
        for client in clients:
            for subscription in client.subscriptions:
                if subscription.is_over:
                    continue
                now, _ = await subscription.read()
                self.recording.compare(subscription, now)
                self.compare_list(subscription, now)
        self.checked = time.monotonic()
        for client in clients:
            for subscription in client.subscriptions:
                subscription.is_uncertain = False
        self.recording.certain()

    async def some_acts(self, at_once):
        acts = [self.actor.plan() for _ in range(self.generator.randint(2, 10))]
        self.acts += len(acts)
        if at_once:
            await asyncio.gather(*(act() for act in acts))
        else:
            for act in acts:
                await act()

    async def round(self):
        """New clients; acts while they watch, while they are away, and while they come back."""
        self.rounds += 1
        self.log.append(f"round {self.rounds}")
        await self.catch_up()
        self.checked = time.monotonic()
        clients = [await self.client() for _ in range(self.generator.randint(2, 4))]
        for _ in range(self.generator.randint(1, 3)):
            if self.generator.random() < 0.7:
                # Nobody is connected: all of it is caught up with.
                await self.some_acts(at_once=self.generator.random() < 0.3)
            async with connected(clients, self.replicas, self.generator):
                for _ in range(self.generator.randint(1, 4)):
                    if self.generator.random() < 0.5:
                        # One act at a time: what came of it is exactly what it did.
                        await self.actor.plan()()
                        self.acts += 1
                    else:
                        await self.some_acts(at_once=self.generator.random() < 0.5)
                    await self.settle(clients)
                    if self.faults:
                        return
                    await self.compare(clients)
                if self.generator.random() < 0.3:
                    # It breaks off in the middle.
                    await self.some_acts(at_once=True)
            self.log.append("    all are away")


async def main(executable, seconds=20, seed=None, recording=None):
    seconds, seed = float(seconds), int(seed or random.SystemRandom().getrandbits(63))
    print(f"Visibility for {seconds:g} s, seed {seed}", flush=True)
    world = World(executable, seed)
    try:
        await world.begin()
        end = time.monotonic() + seconds
        while time.monotonic() < end and not world.faults:
            await world.round()
    finally:
        await world.end()
    print(
        f"{world.rounds} rounds, {world.clients} clients, {world.acts} acts ({world.refusals} refused), "
        f"{world.shows} objects shown and {world.removals} removed; connections that a busy server ended: {dict(world.busy)}"
    )
    if world.faults:
        recording = recording or f"{tempfile.gettempdir()}/visibility-{seed}.json.gz"
    if recording:
        world.recording.save(recording, world)
    if world.faults:
        print(f"{len(world.faults)} faults; the last of what happened:", *map(brief, world.log[-120:]), sep="\n")
        print("The faults:", *map(brief, world.faults[:20]), sep="\n")
        print(f"What happened is in {recording}; in Tests/Client, python -m visibility.recorded judges it anew.")
        print(f"Again with: scripts/visibility {seconds:g} {seed}")
        return 1
    print("No event said more than a query, and each list that was kept is the one that is read.")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
