"""Reads on standbys, which nobody notices: python -m standbys EXECUTABLE.

One server writes, another reads, and the standbys are held back, frozen, killed and promoted meanwhile. Sessions that bring
the position of their last write find it, lists beside a cursor have all that the cursor has, and no request fails. At last
the share of the standbys in the reads is measured: statements, and PostgreSQL's CPU.
"""

import asyncio
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import aiohttp

from failover.cluster import Server
from storm.api import sign_up
from storm.cluster import Replica

POST = """mutation ($words: String!) { createThought(input: {category: FUNNY, text: $words}) {
  thought { id } userErrors { message } } }"""
THOUGHT = "query ($id: ID!) { thought(id: $id) { text author { displayName } } }"
LIST = "{ thoughts(first: 20) { nodes { id text author { displayName } } } %s }"
HEADER = "Tertulia-Position"


class Test:
    def __init__(self, executable):
        self.executable = executable
        self.servers, self.replicas, self.session = [], [], None
        self.reads = self.longest = 0

    async def begin(self):
        self.primary = await asyncio.to_thread(Server)
        self.servers = [self.primary]
        environment = {"DATABASE_URL": self.primary.url, "TERTULIA_HOME": str(self.primary.home / "tertulia")}
        for command in (["migrate"], ["seed", "--thoughts", "2000", "--users", "200"]):
            subprocess.run([self.executable, *command], env=environment, check=True, stdout=subprocess.DEVNULL)
        self.standbys = [await asyncio.to_thread(self.primary.standby) for _ in range(2)]
        self.servers += self.standbys
        self.session = aiohttp.ClientSession()
        # The last one has no standbys.
        self.replicas = [Replica(self.executable, self.primary, number) for number in range(3)]
        for replica, urls in zip(self.replicas, [",".join(s.url for s in self.standbys)] * 2 + ["none"]):
            os.environ["DATABASE_REPLICA_URLS"] = urls
            await replica.start()
        os.environ["DATABASE_REPLICA_URLS"] = ",".join(s.url for s in self.standbys)
        self.writer, self.reader, self.alone = self.replicas
        for replica in self.replicas:
            await self.until(lambda: self.is_ready(replica), "a server is ready")
        _, self.token = await sign_up(self.session, self.writer.url, "ana")
        await self.taken(True, True)

    async def end(self):
        for replica in self.replicas:
            await replica.stop()
        # The first one's folder holds all of them.
        for server in self.servers[1:]:
            await asyncio.to_thread(signalled, server, signal.SIGCONT)
            await asyncio.to_thread(server.end)
        for server in self.servers[:1]:
            await asyncio.to_thread(server.stop)
        if self.session:
            await self.session.close()

    # Requests

    async def until(self, condition, what):
        deadline = time.monotonic() + 60
        while not await condition():
            assert time.monotonic() < deadline, f"It did not come to this: {what}"
            await asyncio.sleep(0.05)

    async def is_ready(self, replica):
        try:
            async with self.session.get(replica.url.replace("graphql", "readyz")) as response:
                return response.status == 200
        except aiohttp.ClientError:
            return False

    async def ask(self, replica, document, token=None, position=None, **variables):
        """The data and the position of an answer without errors."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if position:
            headers[HEADER] = position
        began = time.monotonic()
        body = {"query": document, "variables": variables}
        async with self.session.post(replica.url, json=body, headers=headers, timeout=10) as response:
            answer = await response.json(content_type=None)
        assert not answer.get("errors"), answer
        self.reads, self.longest = self.reads + 1, max(self.longest, time.monotonic() - began)
        return answer["data"], response.headers.get(HEADER)

    async def write(self, words):
        data, position = await self.ask(self.writer, POST, self.token, words=words)
        assert position, "a write has no position"
        return data["createThought"]["thought"]["id"], position

    async def metric(self, name, replica=None):
        url = f"http://127.0.0.1:{(replica or self.reader).metrics_port}/metrics"
        async with self.session.get(url) as response:
            text = await response.text()
        found = re.findall(rf"^{name}\{{[^}}]*?(?:standby|pool)=\"([^\"]*)\"[^}}]*\}} ([0-9.e+-]+)$", text, re.MULTILINE)
        return {label: float(value) for label, value in found}

    async def standbys_metric(self, name):
        values = await self.metric(name)
        return [values[f"127.0.0.1:{standby.port}"] for standby in self.standbys]

    async def taken(self, *expected):
        """Until reads go to these standbys alone."""
        wanted = [1.0 if taken else 0.0 for taken in expected]

        async def is_so():
            return await self.standbys_metric("standby_takes_reads") == wanted

        await self.until(is_so, f"reads go to {expected}")

    async def own_write(self, number):
        """What the session has just written on one server it finds on the other, and so does a list beside a cursor."""
        id, position = await self.write(f"Thought {number}.")
        data, _ = await self.ask(self.reader, THOUGHT, self.token, position, id=id)
        assert data["thought"] and data["thought"]["author"], (number, position, data)
        data, _ = await self.ask(self.reader, LIST % "", self.token, position)
        assert id in [node["id"] for node in data["thoughts"]["nodes"]], (number, position)
        return id

    async def own_writes(self, count):
        for number in range(count):
            await self.own_write(number)

    async def beside_a_cursor(self, count):
        """Whether the changes since the cursor are those that the list lacks."""
        for number in range(count):
            data, _ = await self.ask(self.reader, LIST % "changeCursor")
            cursor, listed = data["changeCursor"], {node["id"] for node in data["thoughts"]["nodes"]}
            written = {await self.own_write(number) for _ in range(2)}
            later, _ = await self.ask(self.reader, LIST % "changeCursor")
            unlisted = written - {node["id"] for node in later["thoughts"]["nodes"]}
            for id in unlisted:
                changes, _ = await self.ask(
                    self.reader, """query ($after: String!) { changes(after: $after, scopes: [{feed: {}}]) {
                      nodes { nodeId } } }""", after=later["changeCursor"])
                assert id in [node["nodeId"] for node in changes["changes"]["nodes"]], (id, listed, cursor)

    async def storm(self, duration):
        """Everybody at once, for a while."""
        end = time.monotonic() + duration

        async def read():
            while time.monotonic() < end:
                await self.ask(self.reader, LIST % "")

        async def write():
            while time.monotonic() < end:
                await self.own_writes(1)
                await self.beside_a_cursor(1)

        await asyncio.gather(*[read() for _ in range(4)], write(), write())

    # Faults

    async def paused(self):
        for standby in self.standbys:
            standby.sql("select pg_wal_replay_pause()")
            standby.wait_for("select pg_get_wal_replay_pause_state()", "paused")
        id, _ = await self.write("Held back.")
        data, _ = await self.ask(self.reader, THOUGHT, id=id)
        assert data["thought"] is None, "a signed-out client did not read from a standby"
        data, _ = await self.ask(self.reader, THOUGHT, self.token, id=id)
        assert data["thought"], "a session without a position did not read on the primary"
        await self.own_writes(10)
        await self.beside_a_cursor(5)
        for standby in self.standbys:
            standby.sql("select pg_wal_replay_resume()")
            await asyncio.to_thread(standby.catch_up, self.primary)
        await self.storm(2)
        print("Replay was held back", flush=True)

    async def frozen(self):
        signalled(self.standbys[0], signal.SIGSTOP)
        await self.storm(3)
        await self.taken(False, True)
        signalled(self.standbys[0], signal.SIGCONT)
        await self.taken(True, True)
        print("A standby was frozen, and came back", flush=True)

    async def killed(self):
        storm = asyncio.create_task(self.storm(3))
        await asyncio.sleep(1)
        await asyncio.to_thread(self.standbys[1].stop_at_once)
        await storm
        await self.taken(True, False)
        assert await self.is_ready(self.reader)
        environment = {"DATABASE_URL": self.primary.url, "TERTULIA_HOME": str(self.primary.home / "tertulia")}
        doctor = subprocess.run(
            [self.executable, "doctor"], env=os.environ | environment, capture_output=True, text=True)
        ports = [standby.port for standby in self.standbys]
        assert f"ok       Standby 127.0.0.1:{ports[0]}: lacks" in doctor.stdout, doctor.stdout
        assert f"warning  Standby 127.0.0.1:{ports[1]}: cannot be reached" in doctor.stdout, doctor.stdout
        await asyncio.to_thread(self.standbys[1].start)
        await self.taken(True, True)
        print("A standby was killed, and came back", flush=True)

    async def promoted(self):
        storm = asyncio.create_task(self.storm(3))
        await asyncio.sleep(1)
        await asyncio.to_thread(self.standbys[0].promote)
        await storm
        await self.taken(False, True)
        print("A standby was promoted, and left out", flush=True)

    # Figures

    async def share(self):
        """The same reads without and with standbys."""
        document = LIST.replace("first: 20", "first: 50") % ""
        for name, replica in (("Without", self.alone), ("With", self.reader)):
            for _ in range(20):
                await self.ask(replica, document)
            before = [cpu(server) for server in self.servers]
            statements = (await self.metric("postgres_statements_total", replica))["read"]
            reads = await self.standbys_metric("standby_reads_total")
            await asyncio.gather(*[self.several(replica, document) for _ in range(8)])
            used = [cpu(server) - start for server, start in zip(self.servers, before)]
            statements = (await self.metric("postgres_statements_total", replica))["read"] - statements
            reads = [after - start for after, start in zip(await self.standbys_metric("standby_reads_total"), reads)]
            print(f"{name} standbys: 2000 lists, {statements:.0f} statements on the primary, "
                  f"{' and '.join(f'{count:.0f}' for count in reads)} on the standbys; CPU of PostgreSQL "
                  f"{used[0]:.2f} s, {' and '.join(f'{seconds:.2f} s' for seconds in used[1:])}", flush=True)
            if replica is self.reader:
                assert statements == 0 and min(reads) > 0.4 * sum(reads), (statements, reads)
            else:
                assert sum(reads) == 0 and statements > 0, (statements, reads)

    async def several(self, replica, document):
        for _ in range(250):
            await self.ask(replica, document)

    async def run(self):
        await self.share()
        await self.paused()
        await self.frozen()
        await self.killed()
        await self.promoted()
        reads = sum(await self.standbys_metric("standby_reads_total"))
        fallbacks = sum(await self.standbys_metric("standby_fallbacks_total"))
        print(f"{self.reads} requests without an error, the longest {self.longest:.2f} s; "
              f"{reads:.0f} reads on standbys, {fallbacks:.0f} run again on the primary", flush=True)


def processes(server):
    """The postmaster and its children."""
    postmaster = int((server.data / "postmaster.pid").read_text().split()[0])
    found = [postmaster]
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == postmaster:
            found.append(int(path.parent.name))
    return found


def signalled(server, number):
    if (server.data / "postmaster.pid").exists():
        for process in processes(server):
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass


def cpu(server):
    """The seconds that the processes of a server have used."""
    ticks = 0
    for process in processes(server):
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def main(executable):
    test = Test(executable)
    try:
        await test.begin()
        await test.run()
    except BaseException:
        for replica in test.replicas:
            if replica.log.exists():
                print(replica.log, replica.log.read_text()[-3000:], sep="\n")
        raise
    finally:
        await test.end()


asyncio.run(main(sys.argv[1]))
