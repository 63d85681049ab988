"""What people do, one act after another or several at once, and what of it is true from when."""

import asyncio
import time

from patience import named
from storm.api import Refused, ask_until_available, new_id

from .truth import Conversation, Span, Thing


class Actor:
    def __init__(self, world):
        self.world = world
        self.truth = world.truth
        self.generator = world.generator
        self.version = 0
        self.locks = {}

    def plan(self):
        """A random act, with all that is random about it settled."""
        acts = [
            (self.create_thought, 4), (self.create_event, 2), (self.comment, 6), (self.send, 4),
            (self.edit, 14), (self.publish, 4), (self.unpublish, 5), (self.delete, 3),
            (self.block, 8), (self.unblock, 6), (self.like, 2),
        ]  # fmt: skip
        functions, weights = zip(*acts)
        while True:
            act = self.generator.choices(functions, weights)[0]()
            if act:
                return act

    async def mutate(self, mutation, person, **fields):
        kind = mutation[0].upper() + mutation[1:]
        text = f"mutation ($input: {kind}Input!) {{ {mutation}(input: $input) {{ userErrors {{ code message }} }} }}"
        url = self.generator.choice(self.world.replicas).url
        data = await ask_until_available(self.world.session, url, text, person.token, **named({"input": fields}))
        if data[mutation]["userErrors"]:
            raise Refused(data[mutation]["userErrors"][0])

    def act(self, key, work, text):
        """Two acts on one object, or on one pair of people, come one after another."""
        lock = self.locks.setdefault(key, asyncio.Lock())

        async def run():
            async with lock:
                self.world.log.append(text)
                try:
                    await work()
                except Refused as refused:
                    self.world.refusals += 1
                    self.world.log.append(f"    refused: {refused}")

        run.__name__ = text
        return run

    def text(self):
        self.version += 1
        return f"v{self.version}"

    def pick(self, kind):
        things = self.truth.of(kind)
        return self.generator.choice(things) if things else None

    def person(self):
        return self.generator.choice(self.world.people)

    def new(self, kind, author, **more):
        named = self.world.future.get(kind)
        id = named.pop() if named and self.generator.random() < 0.5 else new_id(kind, self.generator)
        return Thing(id, author, **more)

    def creation(self, thing, mutation, version, **fields):
        async def work():
            # In sight from the request on, as far as it may be.
            self.truth.things[thing.id] = thing
            thing.texts[version] = time.monotonic()
            try:
                await self.mutate(mutation, thing.author, id=thing.id, **fields)
            except Refused:
                thing.is_deleted = True
                thing.drafts.append(Span(thing.texts[version]))
                raise

        return self.act(thing.id, work, f"{thing.author.name}: {mutation} {thing.id} {version} {fields.get('status', '')}")

    def create_thought(self):
        if len(self.truth.of("thought")) > 16:
            return None
        status, text = self.generator.choice(["DRAFT", "PUBLISHED", "PUBLISHED"]), self.text()
        category = self.generator.choice(["FUNNY", "SERIOUS"])
        thing = self.new("thought", self.person(), is_thought=True, category=category)
        if status == "DRAFT":
            thing.drafts.append(Span(0))
        return self.creation(thing, "createThought", text, text=text, category=category, status=status)

    def create_event(self):
        if len(self.truth.of("event")) > 6:
            return None
        text = self.text()
        return self.creation(
            self.new("event", self.person()), "createEvent", text, name=text, description="x",
            startsAt="2099-01-01T19:00:00Z", endsAt="2099-01-01T22:00:00Z")  # fmt: skip

    def comment(self):
        subject = self.pick(self.generator.choice(["thought", "thought", "event"]))
        if not subject or len(self.truth.of("comment")) > 30:
            return None
        text = self.text()
        thing = self.new("comment", self.person(), subject=subject)
        return self.creation(thing, "addComment", text, subjectId=subject.id, text=text)

    def send(self):
        if len(self.truth.of("message")) > 16:
            return None
        conversation = self.generator.choice(list(self.truth.conversations.values()))
        text = self.text()
        thing = self.new("message", self.generator.choice(conversation.people), subject=conversation)
        return self.creation(thing, "sendMessage", text, conversationId=conversation.id, text=text)

    def edit(self):
        thing = self.pick(self.generator.choice(["thought", "thought", "event", "comment", "comment", "message", "user"]))
        if not thing:
            return None
        text = self.text()
        names = {"thought": "updateThought", "event": "updateEvent", "comment": "updateComment",
                 "message": "updateMessage", "user": "updateProfile"}  # fmt: skip
        fields = {{"event": "name", "user": "bio"}.get(thing.kind, "text"): text}
        if thing.kind != "user":
            fields["id"] = thing.id

        async def work():
            if thing.is_deleted:
                return
            thing.texts[text] = time.monotonic()
            await self.mutate(names[thing.kind], thing.author, **fields)

        return self.act(thing.id, work, f"{thing.author.name}: edit {thing.id} {text}")

    def publish(self):
        drafts = [thing for thing in self.truth.of("thought") if thing.is_draft]
        if not drafts:
            return None
        thing = self.generator.choice(drafts)

        async def work():
            if thing.is_deleted or not thing.is_draft:
                return
            begun = time.monotonic()
            thing.drafts[-1].end = begun
            await self.mutate("publishThought", thing.author, id=thing.id)

        return self.act(thing.id, work, f"{thing.author.name}: publish {thing.id}")

    def unpublish(self):
        published = [thing for thing in self.truth.of("thought") if not thing.is_draft]
        if not published:
            return None
        thing = self.generator.choice(published)

        async def work():
            if thing.is_deleted or thing.is_draft:
                return
            await self.mutate("unpublishThought", thing.author, id=thing.id)
            thing.drafts.append(Span(time.monotonic()))

        return self.act(thing.id, work, f"{thing.author.name}: unpublish {thing.id}")

    def delete(self):
        thing = self.pick(self.generator.choice(["thought", "event", "comment", "comment", "message"]))
        if not thing:
            return None
        name = {"thought": "deleteThought", "event": "deleteEvent", "comment": "deleteComment", "message": "deleteMessage"}

        async def work():
            if thing.is_deleted:
                return
            thing.is_deleted = True
            await self.mutate(name[thing.kind], thing.author, id=thing.id)
            now = time.monotonic()
            thing.drafts.append(Span(now))
            for other in self.truth.of("comment"):
                if other.subject is thing:
                    other.is_deleted = True
                    other.drafts.append(Span(now))

        return self.act(thing.id, work, f"{thing.author.name}: delete {thing.id}")

    def two(self):
        one, other = self.generator.sample(self.world.people, 2)
        return one, other, tuple(sorted((one.name, other.name)))

    def block(self):
        one, other, key = self.two()

        async def work():
            if (one.name, other.name) in self.truth.blocking:
                return
            await self.mutate("blockUser", one, userId=other.id)
            self.truth.blocking.add((one.name, other.name))
            self.truth.blocks.setdefault((one.name, other.name), []).append(Span(time.monotonic()))

        return self.act(key, work, f"{one.name} blocks {other.name}")

    def unblock(self):
        if not self.truth.blocking:
            return None
        one, other = (self.world.named(name) for name in self.generator.choice(sorted(self.truth.blocking)))

        async def work():
            if (one.name, other.name) not in self.truth.blocking:
                return
            self.truth.blocks[one.name, other.name][-1].end = time.monotonic()
            self.truth.blocking.discard((one.name, other.name))
            await self.mutate("unblockUser", one, userId=other.id)

        return self.act(tuple(sorted((one.name, other.name))), work, f"{one.name} unblocks {other.name}")

    def like(self):
        thing, person = self.pick("thought"), self.person()
        if not thing:
            return None
        return self.act(
            ("like", thing.id), lambda: self.mutate("likeThought", person, thoughtId=thing.id),
            f"{person.name}: like {thing.id}")  # fmt: skip

    async def converse(self):
        people = self.world.people
        for circle in [(0, 1), (0, 2), (1, 4), (3, 4), (0, 1, 2), (0, 1, 2, 3, 4)]:
            circle = [people[number] for number in circle]
            data = await ask_until_available(
                self.world.session, self.world.replicas[0].url,
                "mutation ($input: StartConversationInput!) { startConversation(input: $input) { conversation { id } } }",
                circle[0].token, **named({"input": {"participantIds": [person.id for person in circle]}}))  # fmt: skip
            id = data["startConversation"]["conversation"]["id"]
            self.truth.conversations[id] = Conversation(id, circle)
