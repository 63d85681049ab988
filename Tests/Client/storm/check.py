"""What the readers got, against the log."""

import bisect

from .api import node_id
from .subscriptions import People, Row, kind, matches

LOG = """
copy (select xid, id, type, object_id, counters_only,
  before is distinct from null, (before).owner, (before).status, (before).category, (before).subject,
  after is distinct from null, (after).owner, (after).status, (after).category, (after).subject,
  counted is distinct from null, (counted).owner, (counted).status, (counted).category, (counted).subject
from change_log order by xid, id) to stdout;
"""

MAIL = ("conversation", "message", "notification")
SUBJECTS = {"message": "conversation", "conversation": "conversation"}


def read(text, thoughts_and_events):
    """The rows of the log."""
    rows = []
    for line in text.splitlines():
        values = [None if value == "\\N" else value for value in line.split("\t")]

        def state(offset, type):
            if values[offset] != "t":
                return None
            author, status, category, subject = values[offset + 1 : offset + 5]
            if subject:
                subject = node_id(SUBJECTS.get(type) or thoughts_and_events.get(subject, "thought"), subject)
            return {"author": author and node_id("user", author), "status": status, "category": category,
                    "subject": subject}  # fmt: skip

        type = values[2]
        name = "user" if type == "block" else type
        transaction, number = int(values[0]), int(values[1])
        after = state(10, type)
        rows.append(
            Row((transaction, number), type, node_id(name, values[3]), values[4] == "t", state(5, type), after))
        counted = state(15, type)
        if counted:
            # The counters of its subject, in the same row.
            subject = after["subject"]
            rows.append(
                Row((transaction, number + 1), subject.partition("_")[0], subject, True, counted, counted))
    return rows


def disorder(rows):
    """The rows that stand in the log before an older row of the same object, as texts. Rows are numbered in the order in which
    they were written. Rows about an account, and about a conversation as a whole, have no order of their own."""
    newest, faults = {}, []
    for row in rows:
        state = row.after or row.before
        person = state["author"] if row.kind in ("block", "conversation") else None
        if row.kind == "user" or (row.kind == "conversation" and not person):
            continue
        object = row.kind, row.node, person
        if row.position[1] < newest.get(object, row.position)[1]:
            faults.append(f"{row} stands after {newest[object]}")
        newest[object] = max(row.position, newest.get(object, row.position), key=lambda position: position[1])
    return faults


def check(received, rows, start):
    """The faults of one subscription, as texts."""
    subscription, viewer = received.subscription, received.viewer
    if received.errors:
        return [f"error {received.errors[0]}"]
    people = People()
    expected, counters, turns, changes, left, blocks, counted = [], {}, {}, {}, {}, [], {}
    for row in rows:
        changes.setdefault(row.node, []).append(row)
        if row.counters:
            counted.setdefault(row.node, row.position)
        if row.position > start:
            what = kind(subscription, viewer, row, people)
            if what and row.counters:
                counters.setdefault(row.node, []).append(row)
            elif what:
                expected.append((row, what))
            elif row.kind == "block" and viewer in (row.node, (row.after or row.before)["author"]):
                turns[row.position] = row
            elif row.kind == "thought" and row.node == subscription.argument("subjectId"):
                # Its comments come and go with it.
                turns[row.position] = row
        if row.kind == "block" and viewer in (row.node, (row.after or row.before)["author"]):
            blocks.append(row)
        if row.kind == "conversation" and row.after and row.after["author"] == viewer:
            left.setdefault(row.node, []).append(row)
        people.apply(row)
    faults = []
    index, last, connection, merged = 0, start, None, {}
    # Whether the subscriber has an object, as far as it was told; and what came that it was not told of.
    has, untold = {}, set()

    def pass_over(skipped):
        """What may be left out, as the viewer did not see it when it could be told of; else it is missing."""
        missing = []
        for row, what in skipped:
            stays = left.get((row.after or row.before)["subject"], [])
            since = later(row, changes[row.node] + stays + blocks)
            if what == "REMOVED":
                was_shown = any(not other.after for other in blocks if other.position < row.position)
                may_miss = row.node in untold or has.get(row.node) is False or row.node not in has and was_shown
                untold.discard(row.node)
            else:
                is_unheard = row.kind == "message" and was_away(stays, changes[row.node])
                # The log does not tell of whom a notification or a conversation is.
                is_unheard |= row.kind in MAIL and any(other.after for other in blocks)
                may_miss = is_unheard or any(is_hiding(subscription, viewer, row, other) for other in since)
                if may_miss and what == "ADDED":
                    untold.add(row.node)
            if not may_miss:
                missing.append((row, what))
        return missing

    places = [row.position for row, _ in expected]
    numbers = {(row.position, row.node): number for number, (row, _) in enumerate(expected)}
    for event in received.events:
        if event.connection != connection:
            # What comes after the place that the client gave, even where it had got more than that.
            connection, last = event.connection, received.starts[event.connection]
            index = min(index, bisect.bisect_right(places, last))
        # Of several subscriptions of a connection that get the same change the last alone gives its place.
        transaction, number = event.position
        found = [at for at in [event.position, (transaction, number + 1)] if (at, event.node) in numbers]
        # One transaction may have written it twice.
        exact = next((at for at in found if numbers[at, event.node] == index), found[0] if found else None)
        # Merged into the newest, which may lie behind others of the object, or come when its author is seen again.
        is_counted = event.node in counted and counted[event.node] <= (transaction, number + 1)
        if exact and (numbers[exact, event.node] >= index or not is_counted):
            number = numbers[exact, event.node]
            row, what = expected[number]
            if number < index:
                faults.append(f"{event} comes as {number}, expected was {index}: {expected[index:index + 1]}")
            elif missing := pass_over(expected[index:number]):
                faults.append(f"{event} comes as {number}, expected was {index}; missing are {missing[:3]}")
            index = number + 1
            # The log does not tell of a message's or a notification's people, but the policies know them.
            stays = left.get((row.after or row.before)["subject"], [])
            if event.kind != "ADDED" or has.get(event.node):
                faults += fault_of_kind(event, row, what, changes[event.node] + stays + blocks)
        elif turn := turns.get(event.position) or turns.get((transaction, number + 1)):
            first = min(changes[event.node], key=lambda row: row.position[1])
            is_hidden = turn.after and turn.after["status"] != "PUBLISHED"
            is_own = first.after and first.after["author"] == viewer
            is_later = first.position > turn.position and first.position[1] > turn.position[1]
            # What others made since, nobody is to hear of.
            if event.kind == "REMOVED" and is_hidden and is_later and not is_own:
                faults.append(f"{event} was not there yet at {turn}: {first}")
        elif is_counted:
            merged.setdefault(event.node, []).append(event)
            # An object that was hidden when the row that adds it was read is added by its next row that is read, even one of
            # counters.
            earlier = expected[index : bisect.bisect_right(places, event.position)]
            is_untold = event.node in untold or any((row.node, what) == (event.node, "ADDED") for row, what in earlier)
            # A block's end brings back what the log does not name. What is hidden again by then is held back, and added so, too.
            is_untold |= not has.get(event.node) and any(not row.after and row.position < event.position for row in blocks)
            if event.kind == "ADDED" and not is_untold:
                faults.append(f"{event} of counters")
        else:
            about = [row for row in rows if row.position in (event.position, (transaction, number + 1))]
            faults.append(f"{event} concerns nobody or not {subscription} of {viewer}: {about}")
        if event.position < last:
            faults.append(f"{event} after {last}")
        last = event.position
        has[event.node] = event.kind != "REMOVED"
        untold.discard(event.node)
    if missing := pass_over(expected[index:]):
        faults.append(f"{len(missing)} are missing at the end, the first is {missing[0]}")
    newest = {}
    for event in received.events:
        newest[event.node] = max(event.position, newest.get(event.node, event.position))
    for node, owed in counters.items():
        # Of what has left the list since, by the order in which it was written, nobody wants them.
        latest = max(changes[node], key=lambda row: row.position[1])
        if not matches(subscription, viewer, latest, latest.after, people):
            continue
        if newest.get(node, start) < owed[-1].position:
            faults.append(f"the newest counters of {node}, {owed[-1].position}, did not come")
    return faults


def was_away(stays, rows):
    """Whether a message was said while the viewer was not in its conversation: they do not see it, even if it is edited
    when they are there again."""
    said = min(row.position[1] for row in rows)
    last = max((stay for stay in stays if stay.position[1] < said), key=lambda stay: stay.position[1], default=None)
    return not last or last.after["status"] != "JOINED"


def later(row, others):
    """Rows of one object have the order of their ids."""
    return [other for other in others if other.position[1] > row.position[1] or other.position > row.position]


def is_hiding(subscription, viewer, row, other):
    """Whether another row hides the object of a row from the viewer, or takes it out of the list."""
    if other.kind == "block":
        return other.after is not None
    if other.node != row.node:
        # The viewer's own leaving of a conversation.
        return other.after["status"] != "JOINED"
    if other.kind == "conversation":
        return bool(other.after and other.after["author"] == viewer and other.after["status"] != "JOINED")
    return other.after is None or other.kind == "thought" and not matches(subscription, viewer, other, other.after, People())


def fault_of_kind(event, row, what, since):
    if event.kind == what:
        return []
    # Read when it goes out: it was hidden or shown again meanwhile.
    if later(row, since) and (event.kind == "REMOVED" or (what, event.kind) == ("REMOVED", "CHANGED")):
        return []
    # What two people said to each other neither sees while one blocks the other.
    if row.kind in MAIL and any(other.kind == "block" for other in since):
        return []
    return [f"{event} should be {what} by {row}"]
