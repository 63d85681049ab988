"""What was done, and from when to when nobody in doubt could see an object: from the contract alone, without the server."""

import dataclasses
import math


@dataclasses.dataclass
class Span:
    """From the answer to the act that hid something until the request that shows it again."""

    start: float
    end: float = math.inf

    def covers(self, start, end):
        return self.start <= start and end <= self.end


@dataclasses.dataclass
class Thing:
    id: str
    author: object
    # A thought or an event of a comment, a conversation of a message.
    subject: object = None
    is_thought: bool = False
    category: str | None = None
    # While it is a draft, or gone.
    drafts: list = dataclasses.field(default_factory=list)
    # When each of its texts was sent to the server.
    texts: dict = dataclasses.field(default_factory=dict)
    is_deleted: bool = False

    @property
    def kind(self):
        return self.id.partition("_")[0]

    @property
    def is_draft(self):
        return bool(self.drafts) and self.drafts[-1].end == math.inf


@dataclasses.dataclass
class Conversation:
    id: str
    people: list

    kind = "conversation"
    author = subject = None


class Truth:
    def __init__(self):
        self.things = {}
        self.conversations = {}
        # Of each two people.
        self.blocks = {}
        # Who has blocked whom now.
        self.blocking = set()

    def of(self, kind, alive=True):
        return [thing for thing in self.things.values() if thing.kind == kind and not (alive and thing.is_deleted)]

    def find(self, id):
        return self.things.get(id) or self.conversations.get(id)

    def hidden_from(self, viewer, person, in_mail=False):
        spans = self.blocks.get((viewer.name, person.name), [])
        # Moderators see who blocked them, but in their mail.
        others = self.blocks.get((person.name, viewer.name), [])
        return spans + (others if in_mail or not viewer.is_moderator else [])

    def hidden(self, viewer, thing):
        """The spans in which the viewer cannot see it."""
        if isinstance(thing, Conversation):
            pair = [person for person in thing.people if person is not viewer]
            return self.hidden_from(viewer, pair[0], in_mail=True) if len(thing.people) == 2 else []
        in_mail = thing.kind == "message"
        spans = list(self.hidden_from(viewer, thing.author, in_mail)) if thing.author is not viewer else []
        gone = [span for span in thing.drafts if thing.is_deleted and span is thing.drafts[-1]]
        spans += gone if thing.author is viewer else thing.drafts
        if thing.subject:
            spans += self.hidden(viewer, thing.subject)
        return spans

    def is_hidden(self, viewer, thing, start, end):
        """Whether the viewer can have seen it at no moment between the two."""
        return any(span.covers(start, end) for span in self.hidden(viewer, thing))
