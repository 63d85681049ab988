"""What must not happen, done on purpose: a check that finds nothing here would find nothing anywhere."""

import asyncio
import copy

from .check import LOG, check, is_hiding, later, read
from .readers import Event, Received
from .subscriptions import People, Subscription, kind


def is_block_of(person, row):
    return row.kind == "block" and person in (row.node, (row.after or row.before)["author"])


def drop(rows):
    """An event of what nothing hid later."""

    def delete(received, generator):
        def is_hidden_later(event):
            here = next((row for row in rows if row.node == event.node and row.position >= event.position), None)
            others = [row for row in rows if row.node == event.node or is_block_of(received.viewer, row)]
            others = later(here, others) if here else []
            return any(is_hiding(received.subscription, received.viewer, here, other) for other in others)

        places = [place for place, event in enumerate(received.events) if not is_hidden_later(event)]
        del received.events[generator.choice(places or range(len(received.events)))]

    return delete


def repeat(rows):
    """An event twice."""
    logged = {(row.position, row.node) for row in rows}

    def insert(received, generator):
        places = []
        for place, event in enumerate(received.events):
            # Or it could be the next row's with the place before it, after which that comes again.
            transaction, number = event.position
            if ((transaction, number + 1), event.node) not in logged:
                places.append(place)
        place = generator.choice(places)
        received.events.insert(place, received.events[place])

    return insert


def swap(received, generator):
    place = generator.randrange(len(received.events) - 1)
    events = received.events
    events[place], events[place + 1] = events[place + 1], events[place]


def tell_wrong(received, generator):
    event = generator.choice([event for event in received.events if event.kind != "ADDED"])
    event.kind = "ADDED"


def leak(rows):
    """A draft of somebody else."""

    def insert(received, generator):
        drafts = [
            row for row in rows
            if row.kind == "thought" and row.after and not row.counters and not (row.before and row.before["status"] == "PUBLISHED")
            and row.after["status"] == "DRAFT" and row.after["author"] != received.viewer
        ]  # fmt: skip
        row = generator.choice(drafts)
        place = next((n for n, event in enumerate(received.events) if event.position > row.position), 0)
        connection = received.events[place].connection
        received.events.insert(place, Event(row.position, "CHANGED", row.node, {"id": row.node}, connection))

    return insert


def unnoticed(received, rows, start, generator):
    """The sabotages that the check does not find in what is sound without them."""
    missed = []
    acts = {"drop": drop(rows), "repeat": repeat(rows), "swap": swap, "kind": tell_wrong, "leak": leak(rows)}
    for name, act in acts.items():
        broken = copy.deepcopy(received)
        # Of counters alone the newest is enough.
        logged = {row.position for row in rows if not row.counters}
        broken.events = [event for event in broken.events if event.position in logged]
        if check(broken, [row for row in rows if not row.counters], start):
            raise AssertionError("The check finds faults in what is sound.")
        act(broken, generator)
        if not check(broken, [row for row in rows if not row.counters], start):
            missed.append(name)
    return missed


class NaiveTail:
    """Reads the log by its newest row, whatever still runs: as a tail would without the bound of a snapshot."""

    def __init__(self, database, viewer, start):
        self.database = database
        self.received = Received(Subscription("feedChanges"), viewer, start, start, False)
        self.received.starts[0] = start
        self.last = start
        self.people = People()

    async def run(self):
        query = LOG.replace("order by", "where (xid, id) > ('{}'::xid8, {}) order by")
        while True:
            rows = read(await self.database.execute(query.format(*self.last)), {})
            for row in rows:
                what = kind(self.received.subscription, self.received.viewer, row, self.people)
                if what and not row.counters:
                    self.received.events.append(Event(row.position, what, row.node, None, 0))
                self.people.apply(row)
                self.last = row.position
            await asyncio.sleep(0.02)
