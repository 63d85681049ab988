"""People who write through any replica, and slow transactions that overlap with theirs."""

import asyncio
import uuid

import aiohttp
from patience import eventually_async

from .api import Refused, ask, ask_until_available, new_id

CATEGORIES = ["FUNNY", "SERIOUS", "CRAZY"]


class Writer:
    def __init__(self, person, storm, generator):
        self.person = person
        self.storm = storm
        self.generator = generator
        self.texts = 0
        self.mine = {}

    async def run(self):
        acts = [
            (self.create_thought, 4), (self.update_thought, 8), (self.publish, 5), (self.unpublish, 4),
            (self.delete_thought, 1), (self.like, 8), (self.unlike, 4), (self.comment, 5), (self.delete_comment, 2),
            (self.send, 6), (self.edit_message, 3), (self.delete_message, 1), (self.leave, 2), (self.join, 3),
            (self.read, 2), (self.create_event, 1), (self.update_event, 2), (self.rsvp, 2), (self.read_notifications, 1),
        ]  # fmt: skip
        if self.storm.has_blocks:
            acts += [(self.block, 2), (self.unblock, 3)]
        functions, weights = zip(*acts)
        async with aiohttp.ClientSession() as self.session:
            while True:
                act = self.generator.choices(functions, weights)[0]
                try:
                    await self.tidy()
                    await act()
                    self.storm.writes += 1
                except Refused as refusal:
                    self.storm.refusals[refusal.code] = self.storm.refusals.get(refusal.code, 0) + 1
                except (OSError, aiohttp.ClientError, TimeoutError, ValueError):
                    self.storm.failures += 1
                await asyncio.sleep(self.generator.expovariate(self.storm.pace))

    async def mutate(self, mutation, **fields):
        # Claimed first, so that what waits for another's lock began before it.
        fields["clientMutationId"] = str(uuid.UUID(int=self.generator.getrandbits(128)))
        kind = mutation[0].upper() + mutation[1:]
        text = f"mutation ($input: {kind}Input!) {{ {mutation}(input: $input) {{ clientMutationId }} }}"
        url = self.generator.choice(self.storm.replicas).url
        return await ask(self.session, url, text, self.person.token, input=fields)

    def pick(self, kind):
        ids = self.storm.ids[kind]
        if not ids:
            raise ValueError(kind)
        # The latest are wanted most.
        return ids[-1 - min(len(ids) - 1, int(self.generator.expovariate(0.2)))]

    def text(self):
        self.texts += 1
        return f"{self.person.name} {self.texts}"

    def keep(self, kind):
        id = new_id(kind, self.generator)
        self.storm.ids[kind].append(id)
        self.mine.setdefault(kind, []).append(id)
        return id

    async def tidy(self):
        """Where a block hides more than 256 objects of a list, its subscription ends."""
        for kind, mutation in [("thought", "deleteThought"), ("comment", "deleteComment")]:
            mine = self.mine.get(kind, [])
            if len(mine) > 100:
                await self.mutate(mutation, id=mine.pop(0))

    async def create_thought(self):
        status = self.generator.choice(["DRAFT", "PUBLISHED", "PUBLISHED"])
        category = self.generator.choice(CATEGORIES)
        id = self.keep("thought")
        await self.mutate("createThought", id=id, text=self.text(), category=category, status=status)

    async def update_thought(self):
        category = self.generator.choice(CATEGORIES)
        await self.mutate("updateThought", id=self.pick_thought(), text=self.text(), category=category)

    async def publish(self):
        await self.mutate("publishThought", id=self.pick("thought"))

    def pick_thought(self):
        """Not the one whose comments are watched: they would go with it."""
        id = self.pick("thought")
        if id == self.storm.discussed:
            raise ValueError(id)
        return id

    async def unpublish(self):
        await self.mutate("unpublishThought", id=self.pick_thought())

    async def delete_thought(self):
        await self.mutate("deleteThought", id=self.pick_thought())

    async def like(self):
        await self.mutate("likeThought", thoughtId=self.pick("thought"))

    async def unlike(self):
        await self.mutate("unlikeThought", thoughtId=self.pick("thought"))

    async def comment(self):
        subject = self.storm.discussed if self.generator.random() < 0.5 else self.pick("thought")
        await self.mutate("addComment", id=self.keep("comment"), subjectId=subject, text=self.text())

    async def delete_comment(self):
        await self.mutate("deleteComment", id=self.pick("comment"))

    async def send(self):
        conversation = self.generator.choice(self.storm.conversations)
        await self.mutate("sendMessage", id=self.keep("message"), conversationId=conversation, text=self.text())

    async def edit_message(self):
        await self.mutate("updateMessage", id=self.pick("message"), text=self.text())

    async def delete_message(self):
        await self.mutate("deleteMessage", id=self.pick("message"))

    async def leave(self):
        await self.mutate("leaveConversation", conversationId=self.generator.choice(self.storm.conversations))

    async def join(self):
        people = self.generator.choice(list(self.storm.circles))
        await self.mutate("startConversation", participantIds=list(people))

    async def read(self):
        conversation = self.generator.choice(self.storm.conversations)
        await self.mutate("markConversationRead", conversationId=conversation, messageId=self.pick("message"))

    async def create_event(self):
        await self.mutate("createEvent", id=self.keep("event"), name=self.text(), description="x",
                          startsAt="2099-01-01T19:00:00Z", endsAt="2099-01-01T22:00:00Z")  # fmt: skip

    async def update_event(self):
        await self.mutate("updateEvent", id=self.pick("event"), name=self.text())

    async def rsvp(self):
        await self.mutate("rsvp", eventId=self.pick("event"), status=self.generator.choice(["GOING", "INTERESTED"]))

    async def read_notifications(self):
        await self.mutate("markAllNotificationsRead")

    def pick_other(self):
        """Nobody blocks the first person, nor do they: the comments that all watch are on a thought of theirs."""
        other = self.generator.choice(self.storm.people[1:])
        if self.person in (other, self.storm.people[0]):
            raise ValueError(other)
        return other.id

    async def block(self):
        await self.mutate("blockUser", userId=self.pick_other())

    async def unblock(self):
        await self.mutate("unblockUser", userId=self.pick_other())


async def join_all(storm):
    """Everybody is in every conversation again, and nobody blocks anybody."""
    async with aiohttp.ClientSession() as session:
        if storm.has_blocks:
            for person in storm.people:
                for other in storm.people:
                    text = "mutation ($input: UnblockUserInput!) { unblockUser(input: $input) { clientMutationId } }"
                    await insist(session, storm, text, person, {"userId": other.id})
        for people in storm.circles:
            for person in storm.people:
                if person.id in people:
                    others = [id for id in people if id != person.id]
                    text = """mutation ($input: StartConversationInput!) {
                      startConversation(input: $input) { conversation { id } } }"""
                    await insist(session, storm, text, person, {"participantIds": others})


async def insist(session, storm, text, person, fields):
    """For a mutation that may be done twice."""

    async def is_answered():
        try:
            await ask_until_available(session, storm.replicas[0].url, text, person.token, input=fields)
        except Refused as refused:
            if refused.code not in ("NOT_FOUND", "FORBIDDEN", "BAD_USER_INPUT"):
                raise
        except (OSError, aiohttp.ClientError):
            return False
        return True

    await eventually_async("an answer", is_answered)


class SlowWriter:
    """Transactions of several statements, which begin before others and end after them; some end in nothing."""

    def __init__(self, storm, generator):
        self.storm = storm
        self.generator = generator

    def statement(self):
        pick = "(select id from thoughts order by md5(id::text || '{}') limit 1)".format(self.generator.random())
        status = self.generator.choice(["DRAFT", "PUBLISHED"])
        return self.generator.choice(
            [
                f"update thoughts set text = text || '.', updated_at = now() where id = {pick}",
                f"update thoughts set category = '{self.generator.choice(CATEGORIES)}' where id = {pick}",
                f"""update thoughts set status = '{status}',
                    published_at = {'null' if status == 'DRAFT' else 'coalesce(published_at, now())'}
                    where id = {pick} and text not like 'discussed%'""",
                "update events set name = name || '.' where id = (select min(id::text)::uuid from events)",
                "select pg_current_xact_id()",
            ]
        )

    async def run(self):
        while True:
            statements = ["set lock_timeout = '2s'", "begin"]
            for _ in range(self.generator.randint(1, 3)):
                statements += [self.statement(), f"select pg_sleep({self.generator.choice([0, 0.01, 0.05, 0.3, 1])})"]
            statements.append(self.generator.choice(["commit", "commit", "commit", "commit", "rollback"]))
            await self.storm.database.execute(";\n".join(statements) + ";\n")
            self.storm.slow += 1
            await asyncio.sleep(self.generator.expovariate(4))
