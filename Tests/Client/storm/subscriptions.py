"""What the readers subscribe to, and which rows of the log concern whom: written from the contract alone."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Subscription:
    field: str
    # Name and GraphQL text of each argument.
    arguments: tuple = ()
    selection: str = "node { id }"

    def text(self, after=None):
        arguments = [f"{name}: {value}" for name, value in self.arguments]
        if after:
            arguments.append(f'after: "{after}"')
        inside = f"({', '.join(arguments)})" if arguments else ""
        return f"subscription {{ {self.field}{inside} {{ kind nodeId cursor {self.selection} }} }}"

    @property
    def ids(self):
        return dict(self.arguments).get("ids", "")

    def argument(self, name):
        return dict(self.arguments).get(name, "").strip('"')


@dataclass
class Row:
    position: tuple
    kind: str
    node: str
    counters: bool
    # Each None, or a dict of author, status, category and subject.
    before: dict | None
    after: dict | None


class People:
    """Who is in which conversation, and who has blocked whom, at one place of the log."""

    def __init__(self):
        self.conversations = set()
        self.blocks = set()
        # The newest row about each person and conversation: rows of one object are numbered as they were written.
        self.newest = {}

    def apply(self, row):
        if row.kind == "conversation" and row.after and row.after["author"]:
            place = (row.after["author"], row.node)
            if row.position[1] < self.newest.get(place, 0):
                return
            self.newest[place] = row.position[1]
            (self.conversations.add if row.after["status"] == "JOINED" else self.conversations.discard)(place)
        if row.kind == "block":
            state = row.after or row.before
            place = (state["author"], row.node)
            (self.blocks.add if row.after else self.blocks.discard)(place)

    def hides(self, one, other):
        return (one, other) in self.blocks or (other, one) in self.blocks


def matches(subscription, viewer, row, state, people):
    """Whether a subscriber sees an object in this state."""
    if state is None:
        return False
    field = subscription.field
    if row.kind in ("thought", "event", "comment", "message") and people.hides(viewer, state["author"]):
        return False
    match row.kind:
        case "thought":
            if field == "nodeChanges":
                own = state["author"] == viewer
                return row.node in subscription.ids and (own or state["status"] == "PUBLISHED")
            categories = subscription.argument("filter")
            return (
                field == "feedChanges"
                and state["status"] == "PUBLISHED"
                and (not categories or state["category"] in categories)
            )
        case "event":
            if field == "nodeChanges":
                return row.node in subscription.ids
            return field == "eventChanges" or (field == "feedChanges" and not subscription.argument("filter"))
        case "comment":
            return field == "commentChanges" and state["subject"] == subscription.argument("subjectId")
        case "message":
            only = subscription.argument("conversationId")
            return (
                field == "messageChanges"
                and (not only or only == state["subject"])
                and (viewer, state["subject"]) in people.conversations
            )
        case "notification":
            return field == "notificationChanges" and state["author"] == viewer
        case _:
            return False


def kind(subscription, viewer, row, people):
    """ADDED, CHANGED, REMOVED, or None; `people` is of before the row."""
    if row.kind == "conversation":
        if subscription.field != "conversationChanges":
            return None
        if row.after and row.after["author"] == viewer:
            before = bool(row.before) and row.before["status"] == "JOINED"
            after = row.after["status"] == "JOINED"
        else:
            before = after = (viewer, row.node) in people.conversations
    else:
        before = matches(subscription, viewer, row, row.before, people)
        after = matches(subscription, viewer, row, row.after, people)
    return {(False, True): "ADDED", (True, True): "CHANGED", (True, False): "REMOVED"}.get((before, after))
