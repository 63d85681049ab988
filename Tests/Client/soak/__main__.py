"""Mixed load for a long time, in which everything comes and goes: connections, sockets, streams, accounts, pictures.

Usage: python -m soak EXECUTABLE [SECONDS [SEED]]. The memory of the server must not grow by more than 5 % after its first
ten minutes (or its first sixth, if that is sooner), and once the clients are gone no descriptor, socket, stream or
subscription may be left. The cache of documents and the newest changes in memory, whose sizes are limited, are filled before:
what grows afterwards is neither. Passwords are hashed in 1 MiB instead of 64, which would hide the rest.
"""

import asyncio
import json
import os
import random
import re
import statistics
import sys
import time
import uuid

import aiohttp

from images import png
from storm.api import Refused, ask, new_person
from storm.cluster import PostgreSQL, Replica

FEED = """{ feed(first: 20) { nodes { id ... on Thought { text likeCount author { username } } ... on Event { name } }
  pageInfo { hasNextPage } } changeCursor }"""
SUBSCRIPTIONS = [
    "subscription { feedChanges { kind nodeId cursor node { id ... on Thought { text likeCount } } } }",
    "subscription { notificationChanges { kind nodeId cursor } }",
    "subscription { messageChanges { kind nodeId cursor node { id text } } }",
    "subscription { eventChanges { kind nodeId cursor node { id name } } }",
]
UPLOAD = "mutation ($file: Upload!) { uploadImage(file: $file) { image { url } userErrors { code } } }"
# Gauges that are 0 when nobody is there.
LEFT_BEHIND = ["graphql_open_sockets", "graphql_open_event_streams", "graphql_open_subscriptions", "change_subscriptions"]
GROWTH = 0.05
# Clients of each kind at a time, and accounts at most.
VISITORS, SOCKETS, STREAMS, WRITERS, ACCOUNTS = 6, 30, 10, 6, 200


class Soak:
    def __init__(self, executable, seconds, seed):
        self.executable, self.seconds = executable, seconds
        self.generator = random.Random(seed)
        self.people, self.thoughts, self.conversations = [], [], []
        self.counts = {name: 0 for name in ("requests", "writes", "accounts", "uploads", "sockets", "streams", "events")}
        self.refusals = {}
        # Of each look at the server: seconds since the start, and bytes of memory.
        self.memory = []

    async def begin(self):
        os.environ["PASSWORD_HASH_LOG_N"] = "10"
        self.database = await asyncio.to_thread(PostgreSQL)
        self.server = Replica(self.executable, self.database, 0)
        migrate = await asyncio.create_subprocess_exec(
            self.executable, "migrate", env={"DATABASE_URL": self.database.url, "TERTULIA_HOME": str(self.database.home / "tertulia")},
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)  # fmt: skip
        assert await migrate.wait() == 0
        await self.server.start()
        self.url = self.server.url
        async with aiohttp.ClientSession() as session:
            await self.until(lambda: self.is_ready(session), "the server is ready")
            for number in range(20):
                self.people.append(await new_person(session, self.url, f"soak{number}"))
            for number in range(10):
                first, second = self.people[2 * number], self.people[2 * number + 1]
                data = await self.act(session, first, "startConversation", "conversation { id }", participantIds=[second.id])
                self.conversations.append((data["conversation"]["id"], (first, second)))

        await self.fill_the_cache()
        await self.fill_the_window()

    async def fill_the_window(self):
        """The server keeps its newest 100,000 changes in memory."""
        async def send(session, conversation, person):
            for number in range(250):
                await self.act(session, person, "sendMessage", "clientMutationId", conversationId=conversation, text=f"{number}")

        async with aiohttp.ClientSession() as session:
            while (await self.metrics())["change_log_rows_total"] < 100_000:
                await asyncio.gather(*(send(session, conversation, people[0]) for conversation, people in self.conversations))
        print(f"{self.counts['writes']} writes fill the window", flush=True)
        self.counts["writes"] = 0

    async def fill_the_cache(self):
        """With documents of which no two are equal, until those that come drive out others."""
        async def ask_new(session):
            for _ in range(100):
                await ask(session, self.url, self.new_document(), None)

        def size(metrics):
            return metrics["graphql_document_cache_bytes"]

        before, after = -1, size(await self.metrics())
        async with aiohttp.ClientSession() as session:
            while after > before:
                await asyncio.gather(*(ask_new(session) for _ in range(4)))
                before, after = after, size(await self.metrics())
        limit = (await self.metrics())["graphql_document_cache_limit_bytes"]
        assert after > limit / 2, f"The cache has {after} of {limit} bytes"
        print(f"Documents fill {after / 1e6:.1f} MB", flush=True)

    def new_document(self):
        return FEED.replace("feed(", f"f{self.generator.getrandbits(32)}: feed(")

    async def until(self, condition, what, seconds=120):
        deadline = time.monotonic() + seconds
        while not await condition():
            assert time.monotonic() < deadline, f"In {seconds} s it did not come to this: {what}"
            await asyncio.sleep(0.2)

    async def is_ready(self, session):
        try:
            async with session.get(self.url.replace("graphql", "readyz")) as response:
                return response.status == 200
        except OSError:
            return False

    async def metrics(self):
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{self.server.metrics_port}/metrics") as response:
                text = await response.text()
        return {name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", text, re.M)}

    async def act(self, session, person, mutation, selection, **fields):
        fields["clientMutationId"] = str(uuid.UUID(int=self.generator.getrandbits(128)))
        type = mutation[0].upper() + mutation[1:] + "Input!"
        text = f"mutation ($input: {type}) {{ {mutation}(input: $input) {{ {selection} userErrors {{ code }} }} }}"
        data = await ask(session, self.url, text, person.token, input=fields)
        self.counts["writes"] += 1
        return data[mutation]

    # Clients

    async def again(self, life):
        """One life after the other. A refusal is counted; what is unexpected ends the run."""
        while True:
            try:
                await life()
            except Refused as refused:
                code = refused.args[0].get("extensions", {}).get("code")
                self.refusals[code] = self.refusals.get(code, 0) + 1
            except TimeoutError:
                self.refusals["timeout"] = self.refusals.get("timeout", 0) + 1
            await asyncio.sleep(self.generator.uniform(0, 0.5))

    async def visit(self):
        """A few queries over one connection, some of them signed out, some never seen before."""
        person = self.generator.choice([None, *self.people])
        async with aiohttp.ClientSession() as session:
            for _ in range(self.generator.randint(1, 30)):
                text = FEED if self.generator.random() < 0.9 else self.new_document()
                await ask(session, self.url, text, person and person.token)
                self.counts["requests"] += 1
                await asyncio.sleep(self.generator.expovariate(20))

    async def write(self):
        person = self.generator.choice(self.people)
        async with aiohttp.ClientSession() as session:
            for _ in range(self.generator.randint(1, 20)):
                match self.generator.randrange(5):
                    case 0:
                        data = await self.act(session, person, "createThought", "thought { id }", text="again", category="FUNNY")
                        self.thoughts.append(data["thought"]["id"])
                    case 1 if self.thoughts:
                        await self.act(session, person, "likeThought", "clientMutationId", thoughtId=self.generator.choice(self.thoughts))
                    case 2 if self.thoughts:
                        await self.act(session, person, "addComment", "clientMutationId",
                                       subjectId=self.generator.choice(self.thoughts), text="and again")  # fmt: skip
                    case 3:
                        conversation, people = self.generator.choice(self.conversations)
                        await self.act(session, self.generator.choice(people), "sendMessage", "clientMutationId",
                                       conversationId=conversation, text="still there?")  # fmt: skip
                    case 4 if len(self.thoughts) > 500:
                        self.thoughts.pop(0)
                await asyncio.sleep(self.generator.expovariate(10))

    async def socket(self):
        person = self.generator.choice(self.people)
        async with aiohttp.ClientSession() as session:
            url = self.url.replace("http", "ws", 1)
            async with session.ws_connect(url, protocols=["graphql-transport-ws"], max_msg_size=0) as socket:
                await socket.send_json({"type": "connection_init", "payload": {"accessToken": person.token}})
                for number, text in enumerate(self.generator.sample(SUBSCRIPTIONS, self.generator.randint(1, 4))):
                    await socket.send_json({"id": str(number), "type": "subscribe", "payload": {"query": text}})
                self.counts["sockets"] += 1
                try:
                    async with asyncio.timeout(self.generator.uniform(0, 20)):
                        async for message in socket:
                            if message.type == aiohttp.WSMsgType.TEXT and json.loads(message.data)["type"] == "next":
                                self.counts["events"] += 1
                except TimeoutError:
                    pass
                if self.generator.random() < 0.3:
                    # Gone without a word.
                    socket._response.connection.transport.abort()

    async def stream(self):
        person = self.generator.choice(self.people)
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {person.token}"}
        async with aiohttp.ClientSession() as session:
            self.counts["streams"] += 1
            try:
                async with asyncio.timeout(self.generator.uniform(0, 20)):
                    async with session.post(self.url, json={"query": SUBSCRIPTIONS[0]}, headers=headers) as response:
                        async for line in response.content:
                            self.counts["events"] += line.startswith(b"event: next")
            except TimeoutError:
                pass

    async def join(self):
        """A person signs up, changes something, and after a while deletes the account."""
        await asyncio.sleep(self.generator.expovariate(0.5))
        async with aiohttp.ClientSession() as session:
            person = await new_person(session, self.url, f"guest{self.generator.getrandbits(40)}")
            self.counts["accounts"] += 1
            data = await self.act(session, person, "createThought", "thought { id }", text="hello", category="SERIOUS")
            self.thoughts.append(data["thought"]["id"])
            await self.act(session, person, "deleteAccount", "clientMutationId", password="a long quiet evening")
            self.thoughts.remove(data["thought"]["id"])

    async def upload(self):
        await asyncio.sleep(self.generator.expovariate(1))
        person = self.generator.choice(self.people)
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("operations", json.dumps({"query": UPLOAD, "variables": {"file": None}}), content_type="application/json")
        form.add_field("map", '{"0":["variables.file"]}', content_type="application/json")
        file = png(40, 30, size=self.generator.randint(2_000, 400_000))
        form.add_field("0", file, filename="photo.png", content_type="image/png")
        headers = {"Authorization": f"Bearer {person.token}", "GraphQL-Require-Preflight": "1"}
        async with aiohttp.ClientSession() as session:
            async with session.post(self.url, data=form, headers=headers) as response:
                answer = await response.json(content_type=None)
            if answer.get("errors"):
                raise Refused(answer["errors"][0])
            image = answer["data"]["uploadImage"]["image"]
            self.counts["uploads"] += 1
            async with session.get(image["url"].replace("http://storm.example", self.url.removesuffix("/graphql"))) as response:
                await response.read()

    async def renew(self):
        while True:
            await asyncio.sleep(240)
            async with aiohttp.ClientSession() as session:
                for person in self.people:
                    await person.renew(session, self.url)

    async def watch(self):
        while True:
            metrics = await self.metrics()
            self.memory.append((time.monotonic() - self.began, metrics["tertulia_process_resident_memory_bytes"]))
            if len(self.memory) % 30 == 1:
                print(f"  {self.memory[-1][0]:6.0f} s  {self.memory[-1][1] / 1e6:.1f} MB, "
                      f"{metrics['tertulia_process_open_fds']:.0f} descriptors, {self.counts}", flush=True)  # fmt: skip
            await asyncio.sleep(2)

    async def run(self):
        self.before = await self.rested()
        self.began = time.monotonic()
        lives = [self.visit] * VISITORS + [self.socket] * SOCKETS + [self.stream] * STREAMS + [self.write] * WRITERS
        tasks = [asyncio.create_task(self.again(life)) for life in [*lives, self.join, self.upload]]
        tasks += [asyncio.create_task(work) for work in (self.renew(), self.watch())]
        done, _ = await asyncio.wait(tasks, timeout=self.seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()
        self.after = await self.rested()

    async def rested(self):
        """The server's metrics once nobody is there, or after two minutes in which somebody seems to be."""
        deadline = time.monotonic() + 120
        while True:
            metrics = await self.metrics()
            is_alone = not any(metrics[name] for name in LEFT_BEHIND)
            if is_alone and (not hasattr(self, "before") or metrics["tertulia_process_open_fds"] <= self.most_descriptors()):
                return metrics
            if time.monotonic() > deadline:
                return metrics
            await asyncio.sleep(1)

    def most_descriptors(self):
        """The look at the metrics has a connection of its own, which may be one of two for a moment."""
        return self.before["tertulia_process_open_fds"] + 1

    def faults(self):
        warm = min(600, self.seconds / 6)
        part = max(60, self.seconds / 30)
        early = [bytes for at, bytes in self.memory if warm <= at < warm + part]
        late = [bytes for at, bytes in self.memory if at >= self.memory[-1][0] - part]
        growth = statistics.median(late) / statistics.median(early) - 1
        print(f"Memory after {warm:.0f} s {statistics.median(early) / 1e6:.1f} MB, at the end {statistics.median(late) / 1e6:.1f} MB "
              f"({growth:+.1%}), at most {max(bytes for _, bytes in self.memory) / 1e6:.1f} MB; descriptors before "
              f"{self.before['tertulia_process_open_fds']:.0f}, after {self.after['tertulia_process_open_fds']:.0f}; "
              f"{self.counts}, refused {self.refusals}")  # fmt: skip
        found = [f"{self.after[name]:.0f} are left of {name}" for name in LEFT_BEHIND if self.after[name]]
        if self.after["tertulia_process_open_fds"] > self.most_descriptors():
            found.append("descriptors are left")
        if growth > GROWTH:
            found.append(f"the memory grew by {growth:.1%}")
        return found + [f"nothing came of {name}" for name, count in self.counts.items() if not count]


async def main(executable, seconds=3600, seed=None):
    seconds, seed = int(seconds), int(seed or random.SystemRandom().getrandbits(63))
    print(f"A soak of {seconds} s, seed {seed}", flush=True)
    soak = Soak(executable, seconds, seed)
    try:
        await soak.begin()
        await soak.run()
        faults = soak.faults()
    finally:
        if hasattr(soak, "server"):
            await soak.server.stop()
        if hasattr(soak, "database"):
            await asyncio.to_thread(soak.database.stop)
    print(*faults or ["Nothing grew, and nothing was left."], sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
