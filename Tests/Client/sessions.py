"""Sockets whose server loses its database, and sockets whose session ends: sessions.py EXECUTABLE [PART].

An outage: PostgreSQL is killed and started while 64 sockets open. Each of them gets events afterwards; one that the
server closes meanwhile is told by the close code to come back, and does.

The ends: 40 sockets on the replica where their session ends, and 40 on another, lose it at staggered moments, by each
way in which a session can end. Each is told SIGNED_OUT before its close, which is 4403.
"""

import asyncio
import collections
import json
import os
import random
import statistics
import sys
import time

import aiohttp
from attack.server import Server
from attack.tokens import Forger
from patience import BUSY, DEADLINE, Patience, codes_of, eventually_async
from storm.api import ask, sign_up
from storm.cluster import PostgreSQL, Replica

SOCKETS = 64
ENDS = 40
PASSWORD = "a long quiet evening"
# Going away, service restart, try again later; the session may go on with a fresh token.
RETRY = {1001, 1006, 1012, 1013, 4403}


class Socket:
    """A connection of graphql-transport-ws."""

    def __init__(self, session, replica, token):
        self.session, self.token = session, token
        self.url = replica.url.replace("http", "ws", 1)
        self.socket = None

    async def open(self):
        """Returns whether the connection was acknowledged; if not, it was refused in a way that says to come back."""
        try:
            self.socket = await self.session.ws_connect(self.url, protocols=["graphql-transport-ws"])
        except (OSError, aiohttp.ClientError):
            return False
        await self.send({"type": "connection_init", "payload": {"accessToken": self.token}})
        message = await self.message()
        if message is None:
            assert self.socket.close_code in RETRY, f"refused with {self.socket.close_code}"
            return False
        assert message == {"type": "connection_ack"}, message
        return True

    async def send(self, message):
        await self.socket.send_json(message)

    async def subscribe(self, identifier, query):
        await self.send({"id": identifier, "type": "subscribe", "payload": {"query": query}})

    async def message(self):
        """The next but for pings; None where the server has closed, whose code `socket.close_code` is then."""
        while True:
            received = await self.socket.receive(timeout=DEADLINE)
            if received.type != aiohttp.WSMsgType.TEXT:
                return None
            message = json.loads(received.data)
            if message["type"] != "ping":
                return message


# MARK: An outage


async def follow(session, replica, token, delay, found):
    """A client that wants the feed, and comes back as the close codes say."""
    await asyncio.sleep(delay)
    while True:
        socket = Socket(session, replica, token)
        if not await socket.open():
            found["refused"] += 1
            await asyncio.sleep(random.uniform(0.02, 0.1))
            continue
        found["acknowledged"] += 1
        await socket.subscribe("feed", "subscription { feedChanges { node { id } } }")
        await socket.subscribe("session", "subscription { sessionChanges { state } }")
        while message := await socket.message():
            if message["type"] == "error":
                code = message["payload"][0]["extensions"]["code"]
                assert code in BUSY, message
                break
            if message["type"] == "next" and message["id"] == "feed":
                await socket.socket.close()
                return
        else:
            assert socket.socket.close_code in RETRY, f"closed with {socket.socket.close_code}"
        await socket.socket.close()
        found["came back"] += 1


async def outage(database, replica, round_number):
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        _, token = await sign_up(session, replica.url, f"outage{round_number}")
        found = collections.Counter()
        await database.stop_at_once()
        # The replica's set of revoked sessions is too old to rely on from then on.
        await answers(session, replica, 503)

        def come(pause):
            return [
                asyncio.create_task(follow(session, replica, token, number * pause, found)) for number in range(SOCKETS)
            ]

        sockets = come(0.03)
        await database.start()
        # More of them until that set is read again.
        sockets += come(0.01)
        # Posts go on until everybody has one: a socket may have been refused before it was there.
        until = time.monotonic() + DEADLINE
        while any(not task.done() for task in sockets):
            silent = sum(not task.done() for task in sockets)
            assert time.monotonic() < until, f"{silent} of {len(sockets)} sockets got no event: {dict(found)}"
            try:
                await ask(
                    session, replica.url,
                    'mutation { createThought(input: {text: "back", category: FUNNY}) { thought { id } } }', token)
            except Exception:  # While the database is away, nothing can be posted.
                pass
            await asyncio.wait(sockets, timeout=0.25)
        for task in sockets:
            task.result()
        print(f"outage {round_number}: all {len(sockets)} sockets got events: {dict(found)}", flush=True)


# MARK: The ends of a session


class Ends:
    def __init__(self, session, replicas):
        self.session, self.replicas = session, replicas
        self.addresses = 0
        # The longest time from a token to the first event of its socket, in seconds.
        self.slowest = 0.0

    async def ask(self, query, token=None, ends_session=False, **variables):
        """From an address of its own, as rates are counted by address. Each mutation here may be done twice.

        - ends_session: whether the session of the token may have ended when the operation is sent again.
        """
        self.addresses += 1
        number = self.addresses
        headers = {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        body = {"query": query, "variables": variables}
        patience = Patience()
        while True:
            async with self.session.post(self.replicas[0].url, json=body, headers=headers, timeout=DEADLINE) as response:
                answer = await response.json(content_type=None)
            # More sign in at once than passwords are hashed in a row.
            if not patience.allows(codes_of(answer)):
                break
            await asyncio.sleep(random.uniform(0.1, 1))
        if patience.repeats and ends_session and codes_of(answer) == ["UNAUTHENTICATED"]:
            return None
        assert not answer.get("errors"), answer
        return answer["data"]

    async def prepare(self, forger):
        _, self.owner = await sign_up(self.session, self.replicas[0].url, "owner")
        self.login = (await self.ask("{ viewer { user { username } } }", self.owner))["viewer"]["user"]["username"]
        self.forger = forger

    async def anonymous(self):
        return (await self.ask("mutation { signInAnonymously { accessToken } }"))["signInAnonymously"]["accessToken"]

    # Each gives a token, and what ends its session.

    async def sign_out(self):
        token = await self.anonymous()
        return token, lambda: self.ask("mutation { signOut { userErrors { code } } }", token, ends_session=True)

    async def deletion(self):
        token = await self.anonymous()
        return token, lambda: self.ask(
            "mutation { deleteAccount(input: {}) { userErrors { code } } }", token, ends_session=True)

    async def merge(self):
        token = await self.anonymous()
        document = "mutation ($i: SignInInput!) { signIn(input: $i) { accessToken userErrors { code } } }"
        values = {"login": self.login, "password": PASSWORD, "mergeAnonymous": True}
        return token, lambda: self.ask(document, token, ends_session=True, i=values)

    async def revocation(self):
        document = "mutation ($i: SignInInput!) { signIn(input: $i) { accessToken session { id } } }"
        payload = (await self.ask(document, i={"login": self.login, "password": PASSWORD}))["signIn"]
        revoke = "mutation ($i: RevokeSessionInput!) { revokeSession(input: $i) { userErrors { code } } }"
        values = {"sessionId": payload["session"]["id"]}
        return payload["accessToken"], lambda: self.ask(revoke, self.owner, i=values)

    async def expiry(self):
        """A token that the server could have given 15 minutes ago."""
        until = self.expiry_of_tokens() + random.randint(0, 4)
        token = await asyncio.to_thread(
            self.forger.signed, claims={"iat": until - 900, "exp": until, "jti": f"{random.getrandbits(64)}"})

        async def wait():
            await asyncio.sleep(until - time.time())

        return token, wait

    def expiry_of_tokens(self):
        """A time at which the sockets of tokens that are made now have their subscriptions, by what it took so far."""
        return int(time.time() + 8 + 4 * self.slowest)

    async def one(self, end, replica, delay):
        """Seconds from the acknowledged end to SIGNED_OUT, and to the close."""
        token, finish = await end()
        began = time.monotonic()
        socket = Socket(self.session, replica, token)
        assert await socket.open()
        await socket.subscribe("feed", "subscription { feedChanges { node { id } } }")
        await socket.subscribe("session", "subscription { sessionChanges { state } }")
        first = await socket.message()
        assert first["payload"]["data"]["sessionChanges"]["state"] in ("ANONYMOUS", "SIGNED_IN"), first
        self.slowest = max(self.slowest, time.monotonic() - began)
        await asyncio.sleep(delay)
        heard = asyncio.create_task(self.hear(socket))
        await finish()
        ended = time.monotonic()
        told, closed = await heard
        return max(told - ended, 0), max(closed - ended, 0)

    async def hear(self, socket):
        told = None
        while message := await socket.message():
            if message["type"] == "next" and message["id"] == "session":
                assert message["payload"]["data"]["sessionChanges"]["state"] == "SIGNED_OUT", message
                assert told is None, "told twice"
                told = time.monotonic()
        assert told is not None, f"closed with {socket.socket.close_code} without SIGNED_OUT"
        assert socket.socket.close_code == 4403, f"closed with {socket.socket.close_code}"
        return told, time.monotonic()

    async def all(self, name):
        end = getattr(self, name)
        for replica, place in zip(self.replicas, ["the same replica", "another"]):
            found = await asyncio.gather(
                *(self.one(end, replica, number * 0.025) for number in range(ENDS)), return_exceptions=True)
            failures = [result for result in found if isinstance(result, BaseException)]
            assert not failures, f"{name}, {place}: {len(failures)} of {ENDS} sockets, such as {failures[0]!r}"
            told, closed = ([result[index] * 1000 for result in found] for index in (0, 1))
            print(
                f"{name}, {place}: SIGNED_OUT after {statistics.median(told):.0f} ms (median), {max(told):.0f} at most;"
                f" closed after {statistics.median(closed):.0f}, {max(closed):.0f} at most", flush=True)

    async def renewal(self):
        """A token's expiry ends only those sockets of its session that have no fresh one."""
        until = self.expiry_of_tokens()
        claims = {"iat": until - 900, "exp": until}
        short = await asyncio.to_thread(self.forger.signed, claims=claims)
        sockets = [Socket(self.session, self.replicas[0], short) for _ in range(2)]
        for socket in sockets:
            assert await socket.open()
            await socket.subscribe("session", "subscription { sessionChanges { state } }")
            first = await socket.message()
            assert first["payload"]["data"]["sessionChanges"]["state"] == "SIGNED_IN", first
        renewed, other = sockets
        await renewed.send({"type": "ping", "payload": {"accessToken": self.forger.token}})
        assert await renewed.message() == {"type": "pong"}
        await self.hear(other)
        await renewed.subscribe("query", "{ __typename }")
        answer = await renewed.message()
        assert answer["id"] == "query" and answer["type"] == "next", answer
        print("renewal: the socket with a fresh token goes on", flush=True)


async def main(executable, part=None):
    os.environ |= {"PASSWORD_HASH_LOG_N": "10", "TRUSTED_PROXIES": "1"}
    database = PostgreSQL()
    replicas = [Replica(executable, database, number) for number in range(2)]
    try:
        home = str(database.home / "tertulia")
        migrate = await asyncio.create_subprocess_exec(
            executable, "migrate", env=os.environ | {"DATABASE_URL": database.url, "TERTULIA_HOME": home},
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)
        assert await migrate.wait() == 0
        async with aiohttp.ClientSession() as session:
            for replica in replicas:
                await replica.start()
                await answers(session, replica, 200)
            if part in (None, "ends"):
                await all_ends(replicas, home)
            if part in (None, "outage"):
                for round_number in range(3):
                    await outage(database, replicas[0], round_number)
                    await answers(session, replicas[0], 200)
    except BaseException:
        for replica in replicas:
            if replica.log.exists():
                print(replica.log.read_text()[-3000:], file=sys.stderr)
        raise
    finally:
        for replica in replicas:
            await replica.stop()
        database.stop()


async def answers(session, replica, status):
    """Until the replica says so of its readiness."""
    async def is_there():
        return await replica.readiness(session) == status

    await eventually_async(f"{status} at /readyz", is_there)


async def all_ends(replicas, home):
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        ends = Ends(session, replicas)
        await ends.prepare(await forger(replicas[0], home))
        for name in ["sign_out", "revocation", "deletion", "merge", "expiry"]:
            await ends.all(name)
        await ends.renewal()


async def forger(replica, home):
    return await asyncio.to_thread(Forger, Server(replica.url, home, os.getpid()))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
