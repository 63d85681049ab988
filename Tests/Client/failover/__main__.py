"""PostgreSQL loses history, and everybody who reads its changes is told: python -m failover EXECUTABLE.

Asynchronous standbys are promoted, a data folder is copied back, a backup is restored to a point in time, and a server
that commits without waiting for its disk crashes; clients listen all the while, and others come with a cursor of before.
Each has to get CURSOR_EXPIRED, whether fewer or more transactions have run since than were lost. An ordinary restart and
a crash expire nothing. At last a server restarts on a schema newer than its own.
"""

import asyncio
import json
import re
import subprocess
import sys
import time
import types
import uuid

import aiohttp

from patience import BUSY, DEADLINE, eventually_async, named
from storm.api import ALPHABET, Refused, ask_until_available, sign_up
from storm.cluster import Replica

from .cluster import Server, hosts

POST = """mutation ($input: CreateThoughtInput!) { createThought(input: $input) {
  thought { id } userErrors { message } } }"""
CHANGES = """query ($after: String!) { changes(after: $after, first: 100, scopes: [{feed: {}}, {mailbox: NOTIFICATIONS}]) {
  nodes { kind nodeId } pageInfo { hasNextPage endCursor } } }"""


class Listener:
    """A client with a subscription of everybody's list and one of a mailbox, which comes again where its socket ends."""

    FIELDS = ["feedChanges", "notificationChanges"]

    def __init__(self, test, replica, cursor, by="argument"):
        self.test, self.replica, self.cursor, self.by = test, replica, cursor, by
        self.events, self.codes, self.cursors = [], {}, set()
        self.task = asyncio.create_task(self.run())

    async def run(self):
        while not self.codes:
            try:
                await self.connect()
            except (aiohttp.ClientError, OSError):
                pass
            # What it has got of one connection resumes all of it.
            self.by = "connection"
            await asyncio.sleep(0.1)

    async def connect(self):
        argument = f'(after: "{self.cursor}")' if self.by == "argument" else ""
        url = self.replica.url.replace("http", "ws", 1)
        async with self.test.session.ws_connect(url, protocols=["graphql-transport-ws"]) as socket:
            payload = {"accessToken": self.test.token}
            if self.by == "connection":
                payload["resumeAfter"] = self.cursor
            await socket.send_json({"type": "connection_init", "payload": payload})
            for number, field in enumerate(self.FIELDS):
                query = {"query": f"subscription {{ {field}{argument} {{ kind nodeId cursor }} }}"}
                await socket.send_json({"id": str(number), "type": "subscribe", "payload": query})
            codes = {}
            async for message in socket:
                if message.type != aiohttp.WSMsgType.TEXT:
                    return
                message = json.loads(message.data)
                payload = message.get("payload") or {}
                if message["type"] == "next" and payload.get("data"):
                    self.events += payload["data"].values()
                    self.reach(self.events[-1]["cursor"])
                elif message["type"] == "ping" and payload.get("cursor"):
                    self.reach(payload["cursor"])
                elif message["type"] == "error":
                    codes[message["id"]] = payload[0]["extensions"]["code"]
                    if codes[message["id"]] in BUSY:
                        return
                    if len(codes) == len(self.FIELDS):
                        self.codes = codes
                        return

    def reach(self, cursor):
        self.cursor = cursor
        self.cursors.add(cursor)

    @property
    def nodes(self):
        return {event["nodeId"] for event in self.events}

    def close(self):
        self.task.cancel()


class Test:
    servers, replicas, session = [], [], None

    async def begin(self, executable):
        self.executable = executable
        self.primary = await asyncio.to_thread(Server)
        self.servers = [self.primary]
        self.standbys = []
        for _ in range(2):
            self.standbys.append(await asyncio.to_thread(self.primary.standby))
            self.servers.append(self.standbys[-1])
        self.database = hosts(self.servers)
        environment = {"DATABASE_URL": self.primary.url, "TERTULIA_HOME": str(self.primary.home / "tertulia")}
        subprocess.run([executable, "migrate"], env=environment, check=True, stdout=subprocess.DEVNULL)
        self.replicas = [Replica(executable, self.database, number) for number in range(3)]
        self.session = aiohttp.ClientSession()
        for replica in self.replicas[:2]:
            await self.start(replica)
        _, self.token = await sign_up(self.session, self.replicas[0].url, "ana")

    async def end(self):
        for replica in self.replicas:
            await replica.stop()
        # The first one's folder holds all of them.
        for server in self.servers[1:]:
            await asyncio.to_thread(server.end)
        for server in self.servers[:1]:
            await asyncio.to_thread(server.stop)
        if self.session:
            await self.session.close()

    async def start(self, replica):
        await replica.start()
        await replica.until_ready(self.session)

    async def ask(self, document, replica=None, **variables):
        """As soon as the database takes it."""
        url = (replica or self.replicas[0]).url
        return await ask_until_available(self.session, url, document, self.token, **variables)

    async def write(self, count):
        """The nodes of so many new thoughts."""
        written = []
        for number in range(count):
            data = await self.ask(POST, **named({"input": {"category": "FUNNY", "text": f"Thought {number}."}}))
            written.append(data["createThought"]["thought"]["id"])
        return written

    async def cursor(self, replica):
        """As soon as the server has read the log."""
        async def known():
            return (await self.ask("{ changeCursor }", replica))["changeCursor"]

        return await eventually_async("a cursor", known)

    async def changed(self, after, replica):
        """The nodes that changed since a cursor."""
        nodes, more = [], True
        while more:
            page = (await self.ask(CHANGES, replica, after=after))["changes"]
            nodes += [node["nodeId"] for node in page["nodes"]]
            more, after = page["pageInfo"]["hasNextPage"], page["pageInfo"]["endCursor"]
        return nodes

    async def listen(self):
        """On each server one that listens from now, one that resumes, one that resumes its whole connection."""
        listeners = []
        for replica in self.replicas[:2]:
            cursor = await self.cursor(replica)
            listeners += [Listener(self, replica, cursor, by) for by in ("nothing", "argument", "connection")]
        # A subscription from now on says nothing when it has begun: only its first event does.
        async def are_heard():
            await self.write(1)
            return all(listener.events for listener in listeners)

        await eventually_async(lambda: f"an event for each of {[listener.codes for listener in listeners]}", are_heard)
        await self.got(listeners, await self.write(1))
        return listeners

    async def got(self, listeners, nodes):
        for listener in listeners:
            await eventually_async(f"a listener gets {nodes}", lambda: set(nodes) <= listener.nodes or listener.task.done())
            assert set(nodes) <= listener.nodes, f"a listener was ended: {listener.codes}, {listener.task}"

    async def lost(self, replica):
        async with self.session.get(f"http://127.0.0.1:{replica.metrics_port}/metrics") as response:
            return int(float(re.search(r"change_histories_lost_total (\d+)", await response.text())[1]))

    async def is_expired(self, cursor, replica):
        for by in ("argument", "connection"):
            listener = Listener(self, replica, cursor, by)
            await eventually_async("a cursor of before is refused", lambda: listener.codes or listener.events)
            codes = set(listener.codes.values())
            assert codes == {"CURSOR_EXPIRED"} and not listener.events, f"{codes}, {listener.events}"
            listener.close()
        try:
            data = await self.ask(CHANGES, replica, after=cursor)
        except Refused as refused:
            assert refused.code == "CURSOR_EXPIRED", refused
        else:
            raise AssertionError(f"A cursor of the lost history was taken: {data}")

    async def lose(self, what, lose, lost_writes, writes_since, server, before_writing=None):
        """Loses the end of history by `lose`, after which `server` goes on."""
        started = time.monotonic()
        listeners = await self.listen()
        if before_writing:
            await asyncio.to_thread(before_writing)
        counts = [await self.lost(replica) for replica in self.replicas[:2]]
        cursors = [await self.cursor(self.replicas[0])]
        lost = await self.write(lost_writes)
        await self.got(listeners, lost)
        cursors += [await self.cursor(replica) for replica in self.replicas[:2]]
        cursors += [listener.events[-1]["cursor"] for listener in listeners]
        await asyncio.to_thread(lose)
        since = await self.write(writes_since)
        assert there(server, lost) == 0, f"{what}: {there(server, lost)} of {lost_writes} were not lost"
        for listener in listeners:
            await eventually_async(f"{what}: a listener is told", lambda: listener.codes)
            assert set(listener.codes.values()) == {"CURSOR_EXPIRED"}, f"{what}: {listener.codes}"
        # One that has seen nothing of it, and knows only what the database says.
        await self.start(self.replicas[2])
        for replica in self.replicas[:3]:
            for cursor in set(cursors):
                await self.is_expired(cursor, replica)
        for listener in listeners:
            for cursor in listener.cursors - set(cursors):
                await self.is_expired(cursor, self.replicas[2])
            listener.close()
        await self.replicas[2].kill()
        for replica, count in zip(self.replicas[:2], counts):
            assert await self.lost(replica) == count + 1, f"{what}: the metric does not say so"
            assert "lost history" in replica.log.read_text(), f"{what}: the log does not say so"
        # Who reads anew goes on.
        listeners = await self.listen()
        cursor = await self.cursor(self.replicas[1])
        after = await self.write(1)
        await self.got(listeners, after)
        assert await self.changed(cursor, self.replicas[0]) == after
        for listener in listeners:
            listener.close()
        print(f"{what}: {lost_writes} writes lost, {len(since)} since, all were told "
              f"({time.monotonic() - started:.1f} s)", flush=True)

    async def keep(self, what, restart):
        """Nothing is lost, and nothing expires."""
        epoch = self.primary.epoch()
        listeners = await self.listen()
        cursors = [await self.cursor(replica) for replica in self.replicas[:2]]
        before = await self.write(5)
        await self.got(listeners, before)
        await asyncio.to_thread(restart)
        after = await self.write(5)
        for replica, cursor in zip(self.replicas, cursors):

            async def are_there(replica=replica, cursor=cursor):
                return set(await self.changed(cursor, replica)) >= set(before + after)

            await eventually_async(f"{what}: {before + after}", are_there)
        for listener in listeners:
            await eventually_async(f"{what}: listeners go on", lambda: set(before + after) <= listener.nodes or listener.codes)
            assert not listener.codes, f"{what}: {listener.codes}"
            listener.close()
        assert self.primary.epoch() == epoch, f"{what}: a new epoch"
        print(f"{what}: nothing expired", flush=True)

    async def crash_without_waiting_for_the_disk(self):
        """A server may lose what it had acknowledged; where it does, everybody is told."""
        server = self.primary
        server.sql("alter system set synchronous_commit = off")
        server.sql("alter system set wal_writer_delay = '10s'")
        server.sql("select pg_reload_conf()")
        for attempt in range(10):
            listeners = await self.listen()
            cursor = await self.cursor(self.replicas[0])
            written = await self.write(3)
            await self.got(listeners, written)
            await asyncio.to_thread(lambda: (server.stop_at_once(), server.start()))
            kept = there(server, written)
            await self.write(1)
            if kept < len(written):
                for listener in listeners:
                    await eventually_async("a listener is told of a crash that lost rows", lambda: listener.codes)
                    assert set(listener.codes.values()) == {"CURSOR_EXPIRED"}, listener.codes
                for replica in self.replicas[:2]:
                    await self.is_expired(cursor, replica)
                print(f"A crash without synchronous_commit lost {len(written) - kept} of {len(written)} writes: "
                      "all were told", flush=True)
                return
            for listener in listeners:
                listener.close()
        raise AssertionError("No crash lost anything, so that nothing was tried.")

    async def run(self):
        await self.keep("A restart", lambda: (self.primary.stop_in_order(), self.primary.start()))
        await self.keep("A crash", lambda: (self.primary.stop_at_once(), self.primary.start()))

        old, (first, second) = self.primary, self.standbys
        doctor = lambda: subprocess.run(
            [self.executable, "doctor"], capture_output=True, text=True,
            env={"DATABASE_URL": self.database.url, "TERTULIA_HOME": str(old.home / "tertulia")}).stdout
        assert "one epoch since" in doctor(), doctor()

        def fail_over():
            old.stop_at_once()
            first.promote()

        def keep_standbys_behind():
            for standby in self.standbys:
                standby.catch_up(old)
                standby.fall_behind()

        await self.lose("A standby that lacked the newest rows", fail_over, 12, 3, first, keep_standbys_behind)
        assert first.timeline == 2
        self.primary = first

        def fail_over_again():
            first.stop_at_once()
            second.promote()

        # A server that was given a standby alone.
        waiting = Replica(self.executable, types.SimpleNamespace(url=second.url, home=self.database.home), 3)
        self.replicas.append(waiting)
        await waiting.start()
        await eventually_async("a server starts on a standby", lambda: "Tertulia serves" in waiting.log.read_text())
        beside = Listener(self, waiting, await self.cursor(waiting))

        # It never followed the first, and has the same timeline.
        await self.lose("A second standby on the same timeline", fail_over_again, 5, 15, second)
        assert second.timeline == 2
        self.primary = second
        await eventually_async("who listened to the standby is told of its promotion", lambda: beside.codes)
        assert set(beside.codes.values()) == {"CURSOR_EXPIRED"}, beside.codes
        await waiting.kill()

        await self.lose("A data folder copied back, fewer transactions since", second.copy_back, 12, 3, second,
                        second.save)
        await self.lose("A data folder copied back, more transactions since", second.copy_back, 4, 20, second,
                        second.save)
        assert second.timeline == 2 and "on timeline 2" in doctor(), doctor()
        await self.lose("A restore to a point in time", second.restore_to_the_point, 8, 3, second,
                        second.save_before_a_point)
        assert second.timeline == 3 and "on timeline 3" in doctor(), doctor()
        await self.crash_without_waiting_for_the_disk()
        await self.restart_on_a_newer_schema()

    async def restart_on_a_newer_schema(self):
        """A release runs on what the next one has migrated, and not on what the one after that has."""
        self.primary.sql(
            "insert into schema_migrations (version, name, checksum, duration, compatibility) "
            "select 9999, 'of_the_next', '', interval '0', max(compatibility) + 1 from schema_migrations")
        replica = self.replicas[0]
        await replica.kill()
        await self.start(replica)
        listener = Listener(self, replica, await self.cursor(replica))
        await self.got([listener], await self.write(1))
        listener.close()
        await replica.kill()
        self.primary.sql("update schema_migrations set compatibility = compatibility + 1 where version = 9999")
        await replica.start()
        assert await asyncio.wait_for(replica.process.wait(), DEADLINE) == 1
        assert "The database has migration 9999" in replica.log.read_text(), replica.log.read_text()[-3000:]
        print("A server restarted on the next release's schema, and refused that of the one after it", flush=True)


def there(server, nodes):
    """How many of these thoughts the database has."""
    numbers = []
    for node in nodes:
        number = 0
        for letter in node.rpartition("_")[2]:
            number = number << 5 | ALPHABET.index(letter)
        numbers.append(f"'{uuid.UUID(int=number)}'")
    return int(server.sql(f"select count(*) from thoughts where id in ({', '.join(numbers)})"))


async def main(executable):
    test = Test()
    try:
        await test.begin(executable)
        await test.run()
    except BaseException:
        for replica in test.replicas:
            if replica.log.exists():
                print(replica.log, replica.log.read_text()[-3000:], sep="\n")
        raise
    finally:
        await test.end()


asyncio.run(main(sys.argv[1]))
