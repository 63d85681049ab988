"""Readers that keep a list by its changes alone, resume where they were, and read anew where the cursor has expired."""

import asyncio
import random

from storm.api import Refused, ask
from storm.final import differences, feed, kept
from storm.readers import Reader
from storm.subscriptions import Subscription

FEED = "node { id ... on Thought { text category likeCount commentCount } ... on Event { text: name commentCount } }"
PAGE = "nodes { id text } pageInfo { hasNextPage endCursor }"


async def pages(session, url, token, text, path):
    """All nodes of a list by their ids."""
    nodes, after = {}, None
    while True:
        data = await ask(session, url, text, token, after=after)
        for name in path:
            data = data[name]
        nodes |= {node["id"]: node for node in data["nodes"]}
        if not data["pageInfo"]["hasNextPage"]:
            return nodes
        after = data["pageInfo"]["endCursor"]


class KeptList(Reader):
    """One list of one person over one subscription."""

    def __init__(self, name, person, subscription, storm, read, is_socket):
        by_connection = is_socket and storm.generator.random() < 0.5
        generator = random.Random(storm.generator.random())
        super().__init__(name, person, [subscription], "", storm, generator, is_socket, by_connection)
        self.read = read
        self.start, self.is_expired, self.rereads, self.events = {}, True, 0, 0

    async def socket(self, session, replica):
        await self.prepare(session)
        await super().socket(session, replica)

    async def stream(self, session, replica):
        await self.prepare(session)
        await super().stream(session, replica)

    async def prepare(self, session):
        """Reads the list if there is none to go on from; the cursor before the list, which may then be newer."""
        if not self.is_expired:
            return
        try:
            async with asyncio.timeout(30):
                cursor = (await ask(session, self.storm.url, "{ changeCursor }", self.person.token))["changeCursor"]
                nodes = await self.read(session, self.storm.url, self.person.token)
        except (Refused, ValueError):
            raise TimeoutError from None
        if not cursor:
            raise TimeoutError
        received = self.received[0]
        self.start, self.is_expired = nodes, False
        self.rereads += 1
        self.events += len(received.events)
        received.events.clear()
        received.cursor = self.last = cursor

    def note(self, received, payload):
        codes = {error.get("extensions", {}).get("code") for error in payload.get("errors") or []}
        if "CURSOR_EXPIRED" in codes:
            self.is_expired = True
            return False
        return super().note(received, payload)

    async def faults(self, session):
        """How the kept list differs from the same list read anew."""
        received = self.received[0]
        if received.errors:
            return [f"{self.name}: {received.errors[0]}"]
        if self.is_expired:
            return [f"{self.name} has not read its list anew"]
        found = await self.read(session, self.storm.url, self.person.token)
        mine = kept(received.events, self.start)
        return [f"{self.name}: {fault}" for _, fault in differences(mine, found)]


def readers(storm):
    """Of each person the feed, and of some what else there is; over WebSockets and event streams."""
    comments = f"""query ($after: String) {{ node(id: "{storm.discussed}") {{ ... on Thought {{
      comments(first: 50, after: $after) {{ {PAGE} }} }} }} }}"""
    events = "query ($after: String) { events(first: 50, after: $after) { nodes { id text: name } pageInfo { hasNextPage endCursor } } }"

    def messages(conversation):
        text = f"""query ($after: String) {{ node(id: "{conversation}") {{ ... on Conversation {{
          messages(first: 50, after: $after) {{ {PAGE} }} }} }} }}"""
        return lambda *connection: pages(*connection, text, ["node", "messages"])

    found = []
    for number, person in enumerate(storm.people):
        found.append(KeptList(f"feed of {person.name}", person, Subscription("feedChanges", (), FEED), storm, feed, number % 2 == 0))
    for number, person in enumerate(storm.people[:6]):
        conversation = next(id for people, id in storm.circles.items() if person.id in people)
        found.append(KeptList(
            f"comments of {person.name}", person,
            Subscription("commentChanges", (("subjectId", f'"{storm.discussed}"'),), "node { id text }"), storm,
            lambda *connection: pages(*connection, comments, ["node", "comments"]), number % 2 == 1))  # fmt: skip
        found.append(KeptList(
            f"events of {person.name}", person, Subscription("eventChanges", (), "node { id text: name }"), storm,
            lambda *connection: pages(*connection, events, ["events"]), number % 2 == 0))  # fmt: skip
        found.append(KeptList(
            f"messages of {person.name}", person,
            Subscription("messageChanges", (("conversationId", f'"{conversation}"'),), "node { id text }"), storm,
            messages(conversation), number % 3 == 0))  # fmt: skip
    return found
