"""What must not happen, done on purpose: a check that finds nothing here would find nothing anywhere."""

import asyncio
import copy

from .check import LOG, check, is_hiding, later, read
from .readers import Event, Received
from .subscriptions import People, Subscription, kind


def is_block_of(person, row):
    return row.kind == "block" and person in (row.node, (row.after or row.before)["author"])


def with_counters(rows):
    """The objects whose counters changed: such a change may come merged into a later one, or twice."""
    return {row.node for row in rows if row.counters}


def drop(received, rows):
    """An event of what nothing hid later."""
    # A viewer gets no event of a row that was hidden from them at its place in the log, and may miss the removal of an object
    # that they never got.
    logged, people = {}, People()
    for row in rows:
        if not row.counters and kind(received.subscription, received.viewer, row, people) in ("ADDED", "CHANGED"):
            logged[row.position, row.node] = row
        people.apply(row)

    def is_owed(event):
        row = logged.get((event.position, event.node))
        if not row or event.kind == "REMOVED":
            return False
        others = [other for other in rows if other.node == event.node or is_block_of(received.viewer, other)]
        return not any(is_hiding(received.subscription, received.viewer, row, other) for other in later(row, others))

    def act(place):
        del received.events[place]

    return [place for place, event in enumerate(received.events) if is_owed(event)], act


def repeat(received, rows):
    """An event twice."""
    logged = {(row.position, row.node) for row in rows}
    counted = with_counters(rows)

    def is_plain(event):
        # What a block's end brings back is not in the log. An event whose object has the next row as well could be that
        # row's, with the place before it.
        transaction, number = event.position
        is_next = ((transaction, number + 1), event.node) in logged
        return event.node not in counted and (event.position, event.node) in logged and not is_next

    def act(place):
        received.events.insert(place, received.events[place])

    return [place for place, event in enumerate(received.events) if is_plain(event)], act


def swap(received, rows):
    """Two events of one connection, each in the other's place. Those of a block have one position and no order."""
    events = received.events

    def is_ordered(one, next):
        return one.connection == next.connection and one.position != next.position

    def act(place):
        events[place], events[place + 1] = events[place + 1], events[place]

    return [place for place, pair in enumerate(zip(events, events[1:], strict=False)) if is_ordered(*pair)], act


def tell_wrong(received, rows):
    """A change of an object that the subscriber has is said to be a new object."""
    places, has, counted = [], set(), with_counters(rows)
    for place, event in enumerate(received.events):
        if event.node in has and event.node not in counted and event.kind == "CHANGED":
            places.append(place)
        (has.discard if event.kind == "REMOVED" else has.add)(event.node)

    def act(place):
        received.events[place].kind = "ADDED"

    return places, act


def leak(received, rows):
    """A draft of somebody else."""

    counted = with_counters(rows)

    def is_never_shown(row):
        return row.node not in counted and row.after and row.after["status"] == "DRAFT" and (
            not row.before or row.before["status"] != "PUBLISHED")  # fmt: skip

    drafts = [row for row in rows if row.kind == "thought" and is_never_shown(row) and row.after["author"] != received.viewer]

    def act(row):
        place = next((n for n, event in enumerate(received.events) if event.position > row.position), 0)
        connection = received.events[place].connection
        received.events.insert(place, Event(row.position, "CHANGED", row.node, {"id": row.node}, connection))

    return drafts if received.events else [], act


def unnoticed(subscriptions, rows, start, generator):
    """The sabotages that the check does not find in what is sound without them. Each is tried on the first subscription
    that has a place for it; one that finds no place counts as unnoticed."""
    missed = []
    for sabotage in (drop, repeat, swap, tell_wrong, leak):
        for received in subscriptions:
            broken = copy.deepcopy(received)
            places, act = sabotage(broken, rows)
            if places:
                act(generator.choice(places))
                break
        if not check(broken, rows, start):
            missed.append(sabotage.__name__)
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
