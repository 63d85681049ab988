"""What a storm leaves to be checked: the log, and what subscriptions got. As a file, it is checked without a server."""

import dataclasses
import gzip
import json

from .check import check, read
from .readers import Event, Received
from .subscriptions import Subscription

# The feeds with all their fields have changes of each kind, and no change in them is excused by a block, as one of a
# conversation is.
FEED_FIELD = "commentCount"


@dataclasses.dataclass
class Recording:
    # As PostgreSQL copies it.
    log: str
    # The ids of subjects that are events; all other subjects are thoughts.
    events: dict
    start: tuple
    received: list
    # Of a tail without the bound of a snapshot.
    naive: Received

    @property
    def rows(self):
        return read(self.log, self.events)

    @property
    def feeds(self):
        return [one for one in self.received if FEED_FIELD in one.subscription.selection]

    def faults_of_naive_tail(self):
        return check(self.naive, [row for row in self.rows if not row.counters], self.start)

    @property
    def sample(self):
        """All feeds, and one subscription of each other kind."""
        others = {
            (one.subscription.field, bool(one.subscription.arguments)): one for one in self.received if one not in self.feeds
        }
        return [*self.feeds, *others.values()]

    def save(self, path, subscriptions):
        content = {
            "log": self.log, "events": self.events, "start": self.start,
            "received": [written(one) for one in subscriptions], "naive": written(self.naive),
        }  # fmt: skip
        with gzip.GzipFile(path, "wb", mtime=0) as file:
            file.write(json.dumps(content, separators=(",", ":")).encode())

    @staticmethod
    def load(path):
        with gzip.open(path) as file:
            content = json.load(file)
        received = [from_written(one) for one in content["received"]]
        return Recording(
            content["log"], content["events"], tuple(content["start"]), received, from_written(content["naive"]))  # fmt: skip


def brief(text, longest=400):
    """The beginning of a text, for a screen."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def written(received):
    """Without the contents of objects, which no check looks at."""
    one = received.subscription
    events = [[*event.position, event.kind, event.node, event.connection] for event in received.events]
    return [one.field, one.arguments, one.selection, received.viewer, received.is_shared, list(received.starts.items()), events]


def from_written(values):
    field, arguments, selection, viewer, is_shared, starts, events = values
    subscription = Subscription(field, tuple(tuple(argument) for argument in arguments), selection)
    received = Received(subscription, viewer, None, None, is_shared)
    received.starts = {connection: tuple(place) for connection, place in starts}
    received.events = [Event((xid, row), kind, node, None, connection) for xid, row, kind, node, connection in events]
    return received
