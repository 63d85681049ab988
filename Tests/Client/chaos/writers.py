"""Writers that repeat a mutation until it is answered, and remember what was acknowledged."""

import asyncio
import time
import uuid

import aiohttp

from storm.api import Refused, ask
from storm.writers import Writer

# Told to come back: the mutation was not done, or its outcome is not known.
AGAIN = {"UNAVAILABLE", "TIMEOUT", "OVERLOADED", "RATE_LIMITED", "INTERNAL_SERVER_ERROR"}
# Mutations of what is one's own. Anybody else's would be refused.
OWN = {
    "updateThought": "thought", "publishThought": "thought", "unpublishThought": "thought", "deleteThought": "thought",
    "deleteComment": "comment", "updateMessage": "message", "deleteMessage": "message", "updateEvent": "event",
}  # fmt: skip


class Ledger:
    """What one writer's acknowledged mutations must have left behind."""

    def __init__(self):
        # By kind and id the fields that were written; None where it was deleted.
        self.objects = {"thought": {}, "comment": {}, "message": {}, "event": {}}
        # By thought: whether it is liked, and how often it was shared.
        self.likes, self.shares = {}, {}
        # Messages to which the server gave the id.
        self.said = []
        # Mutations whose answer is not known yet may have been done or not: an audit waits until there are none.
        self.open = 0

    def note(self, mutation, fields):
        match mutation:
            case "createThought" | "addComment" | "sendMessage" | "createEvent":
                kind = {"createThought": "thought", "addComment": "comment", "sendMessage": "message",
                        "createEvent": "event"}[mutation]  # fmt: skip
                if "id" in fields:
                    self.objects[kind][fields["id"]] = dict(fields)
                else:
                    self.said.append(fields["text"])
            case "updateThought" | "updateMessage" | "updateEvent":
                kind = {"updateThought": "thought", "updateMessage": "message", "updateEvent": "event"}[mutation]
                self.objects[kind][fields["id"]] |= fields
            case "publishThought" | "unpublishThought":
                self.objects["thought"][fields["id"]]["status"] = "PUBLISHED" if mutation == "publishThought" else "DRAFT"
            case "deleteThought" | "deleteComment" | "deleteMessage":
                self.objects[OWN[mutation]][fields["id"]] = None
            case "likeThought" | "unlikeThought":
                self.likes[fields["thoughtId"]] = mutation == "likeThought"
            case "shareThought":
                self.shares[fields["thoughtId"]] = self.shares.get(fields["thoughtId"], 0) + 1

    def living(self, kind):
        return [id for id, fields in self.objects[kind].items() if fields is not None]


class PersistentWriter(Writer):
    """One person's only writer, so that the order of what was acknowledged is the order of what was done."""

    def __init__(self, person, storm, generator):
        super().__init__(person, storm, generator)
        self.ledger = Ledger()

    async def mutate(self, mutation, **fields):
        await self.storm.permission()
        if kind := OWN.get(mutation):
            living = self.ledger.living(kind)
            if not living:
                raise ValueError(kind)
            fields["id"] = living[-1 - min(len(living) - 1, int(self.generator.expovariate(0.2)))]
            if fields["id"] == self.storm.discussed:
                raise ValueError(kind)
        key = str(uuid.UUID(int=self.generator.getrandbits(128)))
        type = mutation[0].upper() + mutation[1:] + "Input!"
        text = f"mutation ($input: {type}) {{ {mutation}(input: $input) {{ clientMutationId userErrors {{ code }} }} }}"
        self.ledger.open += 1
        try:
            data = await self.insist(text, fields | {"clientMutationId": key}, mutation)
        finally:
            self.ledger.open -= 1
        if data[mutation]["userErrors"]:
            self.storm.refusals["userErrors"] = self.storm.refusals.get("userErrors", 0) + 1
            raise ValueError(data[mutation]["userErrors"])
        self.ledger.note(mutation, fields)
        self.storm.acknowledged(mutation)

    async def insist(self, text, fields, mutation):
        """The answer of the attempt that got one; attempts have one clientMutationId."""
        attempts, wait = 0, 0.05
        while True:
            attempts += 1
            try:
                answer = await ask(self.session, self.storm.url, text, self.person.token, input=fields)
                if attempts > 1:
                    self.storm.repeated += 1
                return answer
            except Refused as refused:
                extensions = refused.args[0].get("extensions", {})
                code = extensions.get("code")
                if code == "INTERNAL_SERVER_ERROR":
                    self.storm.fault(f"{mutation}: {refused.args[0]}")
                if code not in AGAIN:
                    # An attempt that was done is answered with its outcome, whatever has become of the object since. A
                    # comment may go with its thought before that.
                    if attempts > 1 and mutation in OWN and mutation != "deleteComment":
                        self.storm.fault(f"{mutation} of {fields} was refused with {code} at attempt {attempts}")
                    raise
                self.storm.again[code] = self.storm.again.get(code, 0) + 1
            except (OSError, aiohttp.ClientError, TimeoutError, ValueError) as error:
                name = type(error).__name__
                self.storm.again[name] = self.storm.again.get(name, 0) + 1
            await asyncio.sleep(wait * self.generator.uniform(0.5, 1.5))
            wait = min(1, wait * 2)

    async def send(self):
        conversation = self.generator.choice(self.storm.conversations)
        own = {"id": self.keep("message")} if self.generator.random() < 0.5 else {}
        await self.mutate("sendMessage", conversationId=conversation, text=self.text(), **own)

    async def share(self):
        await self.mutate("shareThought", thoughtId=self.pick("thought"))

    async def leave(self):
        """Nobody leaves: a message that was refused for it would be one fewer to find."""
        await self.share()

    async def tidy(self):
        """Lists stay short enough to be read anew after each fault."""
        for kind, mutation in [("thought", "deleteThought"), ("comment", "deleteComment")]:
            if len(self.ledger.living(kind)) > 40:
                await self.mutate(mutation)


class Prober:
    """Sends a request every so often, whatever has become of those before; and knows when answers came."""

    def __init__(self, storm, text, person=None):
        self.storm, self.text, self.person = storm, text, person
        # When each answered request was answered, and how long that took, in seconds.
        self.answers = [(time.monotonic(), 0.0)]
        self.tasks = set()

    async def run(self):
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            while True:
                task = asyncio.create_task(self.probe(session))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)
                await asyncio.sleep(0.1)

    async def probe(self, session):
        began = time.monotonic()
        try:
            await ask(session, self.storm.url, self.text, self.person and self.person.token)
        except (Refused, OSError, aiohttp.ClientError, TimeoutError, ValueError):
            return
        self.answers.append((time.monotonic(), time.monotonic() - began))


def gap(times, since, until):
    """The longest time without an answer between two moments, in seconds."""
    within = [since, *(time for time in times if since < time < until), until]
    return max(later - earlier for earlier, later in zip(within, within[1:], strict=False))
