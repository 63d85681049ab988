"""Clients that keep lists by what their subscriptions tell, over each transport, and look at every event."""

import asyncio
import contextlib
import json
import time

import aiohttp
from patience import BUSY, PAUSE_OF_CLIENTS, Patience
from storm.api import position

# How each list is read anew, and where in the answer it is. The marker tells when everything before it has come.
LISTS = {
    "feedChanges": ("feed(first: 100%s) { nodes { %s } }", lambda data: data["feed"]["nodes"]),
    "eventChanges": ("events(first: 100) { nodes { %s } }", lambda data: data["events"]["nodes"]),
    "nodeChanges": ("nodes(ids: %s) { %s }", lambda data: [node for node in data["nodes"] if node]),
    "commentChanges": (
        "node(id: %s) { ... on Thought { comments(first: 100) { nodes { %s } } } "
        "... on Event { comments(first: 100) { nodes { %s } } } }",
        lambda data: data["node"]["comments"]["nodes"] if data["node"] else [],
    ),
    "conversationChanges": (
        "viewer { conversations(first: 100) { nodes { %s } } }",
        lambda data: data["viewer"]["conversations"]["nodes"],
    ),
}
FIELDS = {
    "feedChanges": "id ... on Thought { text } ... on Event { text: name }",
    "eventChanges": "id text: name",
    "commentChanges": "id text",
    "conversationChanges": "id",
    "nodeChanges": "id ... on Thought { text } ... on Event { text: name } ... on Comment { text } "
    "... on Message { text } ... on User { bio }",
}
# What depends on who asks is read for each alone, the rest once for all.
PERSONAL = " ... on Thought { viewerHasLiked }"


# "Try again later" in the IANA registry of WebSocket close codes, and HTTP's "Service Unavailable".
TRY_AGAIN_LATER, SERVICE_UNAVAILABLE = 1013, 503


class Busy(Exception):
    """The server is late or has too much to do: a code of BUSY and a message."""


async def raise_if_busy(response):
    if response.status == SERVICE_UNAVAILABLE:
        error = (await response.json(content_type=None))["errors"][0]
        raise Busy(error["extensions"]["code"], error["message"])


def raise_if_closed_as_busy(socket):
    if socket.close_code == TRY_AGAIN_LATER:
        raise Busy("UNAVAILABLE", "Try again later")


def text_of(node):
    return node.get("text") or node.get("bio")


class Subscription:
    def __init__(self, client, field, arguments, is_personal=False):
        self.client = client
        self.field = field
        self.arguments = arguments
        self.selection = FIELDS[field] + (PERSONAL if is_personal and field in ("feedChanges", "nodeChanges") else "")
        self.kept = {}
        self.cursor = None
        # A moment before the changes that follow the cursor, and before those that followed the one it resumed from.
        self.since = self.resumed_since = 0.0
        # Where removals lie, and the number of the connection on which each came.
        self.removals = []
        self.opened = 0
        self.is_over = False
        # Whether an object may have come and gone unseen since the place from which it resumed.
        self.is_uncertain = False
        self.connections = 0
        # Where the marker changed last.
        self.marked = (0, 0)

    def __repr__(self):
        return f"{self.client}: {self.field}({self.arguments[:30]}) {self.client.subscriptions.index(self)}"

    def text(self, after):
        arguments = ", ".join(part for part in (self.arguments, f'after: "{after}"' if after else "") if part)
        inside = f"({arguments})" if arguments else ""
        return f"subscription {{ {self.field}{inside} {{ kind nodeId cursor node {{ {self.selection} }} }} }}"

    def query(self):
        text, _ = LISTS[self.field]
        fields = FIELDS[self.field]
        value = self.arguments.partition(": ")[2]
        match self.field:
            case "feedChanges":
                return text % (f", {self.arguments}" if self.arguments else "", fields)
            case "nodeChanges":
                return text % (value, fields)
            case "commentChanges":
                return text % (value, fields, fields)
            case _:
                return text % fields

    async def read(self):
        """The list, and the place of the log that it is not older than."""
        data = await self.client.ask(f"{{ changeCursor {self.query()} }}")
        nodes = LISTS[self.field][1](data)
        return {node["id"]: text_of(node) for node in nodes}, data["changeCursor"]

    def note(self, payload, now=None):
        """What came, at a moment of the monotonic clock; now by default."""
        now = now or time.monotonic()
        judge = self.client.judge
        error = payload["errors"][0] if payload.get("errors") else None
        code = error and error.get("extensions", {}).get("code")
        if code in BUSY:
            raise Busy(code, error["message"])
        judge.recording.note(self, payload, now)
        if error:
            if code != "NOT_FOUND" or self.field != "commentChanges":
                judge.fault(self, f"ended with {error}")
            self.is_over = True
            return
        change = payload["data"][self.field]
        id, kind, node = change["nodeId"], change["kind"], change["node"]
        if id == judge.marker:
            self.marked = position(change["cursor"])
        self.cursor = self.client.cursor = change["cursor"]
        self.since = self.client.since = judge.checked
        if node is not None:
            self.kept[id] = text_of(node)
            judge.shown(self, id, text_of(node), now)
            if kind == "REMOVED":
                judge.fault(self, f"REMOVED of {id} with its node")
        elif kind != "REMOVED":
            judge.fault(self, f"{kind} of {id} without its node")
        else:
            judge.removals += 1
            judge.log.append(f"    {self} removes {id}")
            place = position(change["cursor"])
            if id in self.kept:
                del self.kept[id]
            else:
                judge.removed(self, id, place, now)
            self.removals.append((place, self.connections))


class Client:
    """Of one person: a socket, or streams, with one to five subscriptions."""

    def __init__(self, person, transport, judge, name):
        self.person = person
        self.transport = transport
        self.judge = judge
        self.name = name
        self.subscriptions = []
        self.cursor = None
        self.since = 0.0
        self.by_connection = False
        self.url = None
        self.tasks = []
        self.ready = asyncio.Event()

    def __repr__(self):
        return f"{self.name} of {self.person.name} over {self.transport}"

    async def ask(self, text):
        return await self.judge.ask(text, self.person)

    async def begin(self):
        for subscription in self.subscriptions:
            subscription.kept, subscription.cursor = await subscription.read()
            subscription.since = self.since = self.judge.checked
            self.judge.recording.begin(subscription)
        # The oldest: from there all of them go on.
        self.cursor = min((subscription.cursor for subscription in self.subscriptions), key=position)

    def connect(self, url):
        self.url = url
        running = [subscription for subscription in self.subscriptions if not subscription.is_over]
        work = {"websocket": self.websocket, "single": self.single}.get(self.transport)
        works = [(work, running)] if work else [(self.stream, [subscription]) for subscription in running]
        self.tasks = [asyncio.create_task(self.guard(work, subscriptions)) for work, subscriptions in works]

    async def guard(self, work, running):
        """Runs a connection, and another one from the same place when a busy server has ended it."""
        patience = Patience()
        while True:
            place = self.cursor, self.since
            for subscription in running:
                subscription.opened = time.monotonic()
                subscription.resumed_since = self.since if self.by_connection else subscription.since
                subscription.connections += 1
                # What was there for a while goes as the log has it: the client could have read it.
                subscription.is_uncertain = True
                self.judge.recording.connect(subscription)
            try:
                await work(running)
                return self.judge.fault(self, "the server ended the connection")
            except asyncio.CancelledError:
                raise
            except Exception as error:  # noqa: BLE001
                if not isinstance(error, Busy) or not patience.allows(error.args[:1]):
                    return self.judge.fault(self, f"failed: {error!r}")
                self.judge.busy[error.args[1]] += 1
            await asyncio.sleep(PAUSE_OF_CLIENTS)
            # One of its subscriptions may have got nothing after that place.
            self.cursor, self.since = place
            running = [subscription for subscription in running if not subscription.is_over]

    async def disconnect(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.tasks = []

    def after(self, subscription):
        """A connection that resumes as a whole names no place in its subscriptions."""
        return None if self.by_connection else subscription.cursor

    async def websocket(self, running):
        url = self.url.replace("http", "ws", 1)
        async with aiohttp.ClientSession() as session, self.connection(session, url) as socket:
            payload = {"accessToken": self.person.token}
            if self.by_connection:
                payload["resumeAfter"] = self.cursor
            await socket.send_json({"type": "connection_init", "payload": payload})
            if (await socket.receive()).type != aiohttp.WSMsgType.TEXT:
                return raise_if_closed_as_busy(socket)
            for number, subscription in enumerate(running):
                query = {"query": subscription.text(self.after(subscription))}
                await socket.send_json({"id": str(number), "type": "subscribe", "payload": query})
            async for message in socket:
                message = json.loads(message.data)
                match message["type"]:
                    case "next":
                        running[int(message["id"])].note(message["payload"])
                    case "error":
                        running[int(message["id"])].note({"errors": message["payload"]})
                    case "ping":
                        cursor = (message.get("payload") or {}).get("cursor")
                        if cursor:
                            for one in [self, *running]:
                                one.cursor, one.since = cursor, self.judge.checked
            raise_if_closed_as_busy(socket)

    @contextlib.asynccontextmanager
    async def connection(self, session, url):
        try:
            socket = await session.ws_connect(url, protocols=["graphql-transport-ws"])
        except aiohttp.WSServerHandshakeError as refusal:
            if refusal.status != SERVICE_UNAVAILABLE:
                raise
            raise Busy("OVERLOADED", refusal.message) from refusal
        async with socket:
            yield socket

    async def stream(self, running):
        (subscription,) = running
        is_multipart = self.transport == "multipart"
        accept = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0", application/json'
        headers = {"Authorization": f"Bearer {self.person.token}"}
        headers["Accept"] = accept if is_multipart else "text/event-stream"
        after = subscription.cursor
        if not is_multipart and self.by_connection:
            headers["Last-Event-ID"], after = after, None
        body = {"query": subscription.text(after)}
        timeout = aiohttp.ClientTimeout(total=None)
        async with (
            aiohttp.ClientSession() as session,
            session.post(self.url, json=body, headers=headers, timeout=timeout) as response,
        ):
            await raise_if_busy(response)
            if is_multipart:
                await self.parts(response, subscription)
            else:
                async for name, data in events(response):
                    if name == "next":
                        subscription.note(data)

    async def parts(self, response, subscription):
        async for line in response.content:
            if line.startswith(b"{"):
                part = json.loads(line)
                payload = part.get("payload") or part
                if payload.get("data") or payload.get("errors"):
                    subscription.note(payload)

    async def single(self, running):
        """graphql-sse's single connection mode: one stream for several operations."""
        url = self.url + "/stream"
        timeout = aiohttp.ClientTimeout(total=None)
        headers = {"Authorization": f"Bearer {self.person.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            async with session.put(url) as response:
                await raise_if_busy(response)
                headers = {"X-GraphQL-Event-Stream-Token": await response.text()}
            accept = {"Accept": "text/event-stream"}
            async with session.get(url, headers=headers | accept, timeout=timeout) as response:
                await raise_if_busy(response)
                for number, subscription in enumerate(running):
                    body = {"query": subscription.text(subscription.cursor), "extensions": {"operationId": str(number)}}
                    async with session.post(url, json=body, headers=headers) as begun:
                        await raise_if_busy(begun)
                        if begun.status != 202:
                            self.judge.fault(subscription, f"was refused: {begun.status} {await begun.text()}")
                async for name, data in events(response):
                    if name == "next":
                        running[int(data["id"])].note(data["payload"])


async def events(response):
    name = None
    async for line in response.content:
        line = line.decode().rstrip("\n")
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: ") and line[6:]:
            yield name, json.loads(line[6:])
        elif not line:
            name = None


@contextlib.asynccontextmanager
async def connected(clients, replicas, generator):
    for client in clients:
        client.connect(generator.choice(replicas).url)
    try:
        yield
    finally:
        for client in clients:
            await client.disconnect()
