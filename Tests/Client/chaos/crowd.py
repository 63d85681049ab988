"""Many quick writers, each of whom numbers their messages: what was acknowledged are the numbers from 1 to the last."""

import asyncio
import contextlib
import json
import uuid

from storm.api import ask, new_person

from .writers import AGAIN

TEXT = """mutation ($input: SendMessageInput!) { sendMessage(input: $input) { clientMutationId userErrors { code } } }"""
START = """mutation ($input: StartConversationInput!) { startConversation(input: $input) { conversation { id } } }"""
# Of each writer the messages that are there, the different ones among them, and the highest number.
NUMBERED = """select split_part(text, ' ', 1), count(*), count(distinct text), max(split_part(text, ' ', 2)::int)
  from messages where text like 'crowd%' group by 1"""


class QuickWriter:
    """Sends one message after the other over one connection, each until it is acknowledged."""

    def __init__(self, name, storm, generator):
        self.name, self.storm, self.generator = name, storm, generator
        self.person = self.conversation = None
        # The number of the last message that was acknowledged, and whether the outcome of the next is not known.
        self.acknowledged, self.open = 0, 0
        self.reader = self.writer = None

    async def prepare(self, session, url):
        self.person = await new_person(session, url, self.name)
        # No reader is in it: their lists do not grow.
        data = await ask(session, url, START, self.person.token, input={"participantIds": [self.storm.prober.id]})
        self.conversation = data["startConversation"]["conversation"]["id"]

    async def run(self):
        while True:
            await self.storm.permission()
            self.open = 1
            await self.insist(f"{self.name} {self.acknowledged + 1}")
            self.acknowledged, self.open = self.acknowledged + 1, 0
            self.storm.acknowledged("sendMessage")
            await asyncio.sleep(self.generator.expovariate(self.storm.crowd_pace))

    async def insist(self, text):
        """Repeats the message with one clientMutationId until it is acknowledged."""
        key = str(uuid.UUID(int=self.generator.getrandbits(128)))
        fields = {"conversationId": self.conversation, "text": text, "clientMutationId": key}
        body = json.dumps({"query": TEXT, "variables": {"input": fields}}).encode()
        attempts, wait = 0, 0.05
        while True:
            attempts += 1
            try:
                answer = await asyncio.wait_for(self.post(body), 10)
                if not answer.get("errors") and not answer["data"]["sendMessage"]["userErrors"]:
                    self.storm.repeated += attempts > 1
                    return
                code = answer["errors"][0].get("extensions", {}).get("code") if answer.get("errors") else None
                if code == "INTERNAL_SERVER_ERROR" or code not in AGAIN:
                    self.storm.fault(f"sendMessage of {self.name}: {json.dumps(answer)[:300]}")
            except (OSError, EOFError, ValueError, TimeoutError) as error:
                code = type(error).__name__
                self.close()
            self.storm.again[code] = self.storm.again.get(code, 0) + 1
            await asyncio.sleep(wait * self.generator.uniform(0.5, 1.5))
            wait = min(1, wait * 2)

    async def post(self, body):
        """One request over the connection that is open, or a new one."""
        if not self.writer:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.storm.cluster.port)
        self.writer.write(
            b"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer "
            + self.person.token.encode() + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)  # fmt: skip
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        length = head.partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
        if not length.strip().isdigit():
            raise ValueError("an answer without a length")
        answer = await self.reader.readexactly(int(length))
        if b"\r\nconnection: close" in head:
            self.close()
        return json.loads(answer)

    def close(self):
        if self.writer:
            with contextlib.suppress(OSError):
                self.writer.close()
        self.writer = None


def losses(cluster, crowd, node=None):
    """Numbers that were acknowledged and are not there, and numbers that are there twice."""
    table = cluster.sql(f"copy ({NUMBERED}) to stdout", node=node)
    found = {name: tuple(map(int, counts)) for name, *counts in (line.split("\t") for line in table.splitlines())}
    faults = []
    for writer in crowd:
        count, different, highest = found.get(writer.name, (0, 0, 0))
        if count != different:
            faults.append(f"{writer.name}: {count - different} of {count} messages are there twice")
        if different != writer.acknowledged or highest != writer.acknowledged:
            faults.append(
                f"{writer.name}: {writer.acknowledged} messages were acknowledged, {different} are there, the last is {highest}")
    return faults


def sabotaged(cluster, crowd):
    """Whether a lost and a doubled message would be seen: each is made by a writer's own number."""
    missed = []
    if not crowd:
        return missed
    writer = crowd[0]
    for change, what in [(1, "a lost message"), (-1, "a message too many")]:
        writer.acknowledged += change
        if not losses(cluster, [writer]):
            missed.append(what)
        writer.acknowledged -= change
    return missed

