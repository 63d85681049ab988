"""Clients that read for a while, break off, and go on where they were, on any replica."""

import asyncio
import json
from dataclasses import dataclass, field

import aiohttp
from patience import BUSY

from .api import position


@dataclass
class Event:
    position: tuple
    kind: str
    node: str
    content: dict | None
    # Which connection it came over, the first being 0.
    connection: int


@dataclass
class Received:
    subscription: object
    viewer: str
    start: str
    # Where it went on last.
    cursor: str
    # Whether the connection as a whole is resumed: a change that concerns two of its subscriptions may come again.
    is_shared: bool
    events: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    # Where each connection went on.
    starts: dict = field(default_factory=dict)


class Reader:
    """One connection at a time: a WebSocket with several subscriptions, or an event stream with one."""

    def __init__(self, name, person, subscriptions, start, storm, generator, is_socket, by_connection):
        self.name = name
        self.person = person
        self.storm = storm
        self.generator = generator
        self.is_socket = is_socket
        self.by_connection = by_connection
        self.last = start
        self.received = [
            Received(subscription, person.id, start, start, by_connection) for subscription in subscriptions
        ]
        self.connections = 0
        self.is_calm = False

    async def run(self):
        async with aiohttp.ClientSession(read_bufsize=1 << 20) as session:
            while True:
                replica = self.generator.choice(self.storm.replicas)
                patience = None if self.is_calm else self.generator.choice([0.05, 0.3, 1, 2, 5, 8])
                try:
                    async with asyncio.timeout(patience):
                        await (self.socket if self.is_socket else self.stream)(session, replica)
                except (TimeoutError, OSError, aiohttp.ClientError, asyncio.IncompleteReadError):
                    pass
                self.connections += 1
                await asyncio.sleep(self.generator.choice([0, 0.02, 0.2, 0.5]))

    def note(self, received, payload):
        if payload.get("data"):
            change = payload["data"][received.subscription.field]
            received.events.append(
                Event(position(change["cursor"]), change["kind"], change["nodeId"], change["node"], self.connections)
            )
            received.cursor = self.last = change["cursor"]
            return True
        error = payload["errors"][0]
        code = error.get("extensions", {}).get("code")
        # The server goes down, has lost its database or too much to do; or the reader has left the conversation.
        is_expected = code in BUSY or code == "RATE_LIMITED" or (
            code == "NOT_FOUND" and received.subscription.argument("conversationId"))  # fmt: skip
        if is_expected:
            self.storm.errors[code] += 1
        else:
            received.errors.append(error)
        return False

    def note_end(self, code, reason):
        """The close code of a socket that the server ended; none where it broke."""
        ends = self.storm.ends
        ends[code, reason] = ends.get((code, reason), 0) + 1

    async def socket(self, session, replica):
        url = replica.url.replace("http", "ws", 1)
        async with session.ws_connect(url, protocols=["graphql-transport-ws"], autoping=True) as socket:
            payload = {"accessToken": self.person.token}
            if self.by_connection:
                payload["resumeAfter"] = self.last
            await socket.send_json({"type": "connection_init", "payload": payload})
            first = await socket.receive(timeout=5)
            if first.type != aiohttp.WSMsgType.TEXT or json.loads(first.data)["type"] != "connection_ack":
                return self.note_end(first.data, first.extra)
            for number, received in enumerate(self.received):
                after = None if self.by_connection else received.cursor
                received.starts[self.connections] = position(self.last if self.by_connection else received.cursor)
                query = {"query": received.subscription.text(after)}
                await socket.send_json({"id": str(number), "type": "subscribe", "payload": query})
            running = list(self.received)
            async for message in socket:
                if message.type != aiohttp.WSMsgType.TEXT:
                    break
                message = json.loads(message.data)
                if message["type"] == "ping":
                    cursor = (message.get("payload") or {}).get("cursor")
                    if cursor:
                        self.storm.keep_alives += 1
                        self.last = cursor
                        for received in running:
                            received.cursor = cursor
                elif message["type"] == "next":
                    self.note(self.received[int(message["id"])], message["payload"])
                elif message["type"] == "error":
                    received = self.received[int(message["id"])]
                    self.note(received, {"errors": message["payload"]})
                    is_left = message["payload"][0]["extensions"]["code"] == "NOT_FOUND"
                    if not is_left or not received.subscription.argument("conversationId"):
                        return
                    # The connection's place is that of the others.
                    running.remove(received)
                elif message["type"] == "complete":
                    return
            self.note_end(socket.close_code, None)

    async def stream(self, session, replica):
        received = self.received[0]
        headers = {
            "Accept": "text/event-stream",
            "Authorization": f"Bearer {self.person.token}",
            "Last-Event-ID": received.cursor,
        }
        received.starts[self.connections] = position(received.cursor)
        body = {"query": received.subscription.text()}
        timeout = aiohttp.ClientTimeout(total=None)
        async with session.post(replica.url, json=body, headers=headers, timeout=timeout) as response:
            last, name = None, None
            async for line in response.content:
                line = line.decode().rstrip("\n")
                if line.startswith("id: "):
                    last = line[4:]
                elif line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: ") and name == "next":
                    if not self.note(received, json.loads(line[6:])):
                        return
                elif not line:
                    # A keep-alive has an id alone.
                    if last and not name:
                        self.storm.keep_alives += 1
                        received.cursor = self.last = last
                    last, name = None, None
