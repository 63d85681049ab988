"""What the database holds against what was acknowledged. Nobody writes meanwhile."""

import collections
import os
import subprocess

from storm.api import node_id, uuid_of

# By kind: what is read of each object, and the fields of a writer's ledger that these are.
OBJECTS = {
    "thought": ("select id, text, category, status from thoughts", ("text", "category", "status")),
    "comment": ("select id, text from comments", ("text",)),
    "message": ("select id, text from messages where text not like 'crowd%'", ("text",)),
    "event": ("select id, name from events", ("name",)),
}
COUNTED = {
    "thoughts": "text", "comments": "text", "messages": "text", "events": "name",
}  # fmt: skip


def rows(cluster, query, node):
    return [line.split("\t") for line in cluster.sql(f"copy ({query}) to stdout", node=node).splitlines()]


def losses(cluster, writers, node=None):
    """What was acknowledged and is not there, or is otherwise, or is there twice; on the primary, or on a node."""
    found, faults = {}, []
    for kind, (query, fields) in OBJECTS.items():
        found[kind] = {node_id(kind, id): dict(zip(fields, values, strict=True)) for id, *values in rows(cluster, query, node)}
    likes = {(node_id("thought", thought), node_id("user", user))
             for thought, user in rows(cluster, "select thought_id, user_id from thought_likes", node)}  # fmt: skip
    shares = collections.Counter(
        (node_id("thought", thought), node_id("user", user))
        for thought, user in rows(cluster, "select thought_id, user_id from thought_shares", node))
    texts = collections.Counter(text for (text,) in rows(cluster, "select text from messages where text not like 'crowd%'", node))
    subjects = {id for kind in ("thought", "event") for id in found[kind]}
    for writer in writers:
        name = writer.person.name
        for kind, objects in writer.ledger.objects.items():
            for id, fields in objects.items():
                there = found[kind].get(id)
                # A comment goes with the thought or event that it is about.
                went_along = kind == "comment" and fields and fields["subjectId"] not in subjects
                if fields is None and there:
                    faults.append(f"{name}: {id} was deleted, and is there: {there}")
                elif fields and not there and not went_along:
                    faults.append(f"{name}: {id} is lost: {fields}")
                elif fields and there:
                    faults += [f"{name}: {field} of {id} is {there[field]}, not {fields[field]}"
                               for field in OBJECTS[kind][1] if field in fields and there[field] != fields[field]]  # fmt: skip
        for thought, is_liked in writer.ledger.likes.items():
            if thought in found["thought"] and is_liked != ((thought, writer.person.id) in likes):
                faults.append(f"{name}: like of {thought} is not {is_liked}")
        for thought, count in writer.ledger.shares.items():
            if thought in found["thought"] and shares[thought, writer.person.id] != count:
                faults.append(f"{name}: {thought} was shared {count} times, and has {shares[thought, writer.person.id]}")
        faults += [f"{name}: the message {text!r} is there {texts[text]} times" for text in writer.ledger.said if texts[text] != 1]
    return faults


def doubles(cluster):
    """Each text was written once: its writer counts them."""
    faults = []
    for table, column in COUNTED.items():
        for text, count in rows(cluster, f"select {column}, count(*) from {table} group by {column} having count(*) > 1", None):
            faults.append(f"{table}: {text!r} is there {count} times")
    return faults


def drift(cluster, executable):
    """What `tertulia counters audit` finds."""
    result = subprocess.run(
        [executable, "counters", "audit"], capture_output=True, text=True,
        env=os.environ | {"DATABASE_URL": cluster.url("postgres"), "TERTULIA_HOME": str(cluster.directory / "tertulia")})
    return [] if result.returncode == 0 else [result.stdout + result.stderr]


def sabotaged(cluster, writers):
    """The losses that the audit does not see when they are made on purpose, in the ledgers."""
    missed = []
    first = next(writer for writer in writers if writer.ledger.said and writer.ledger.living("thought"))
    ledger, thought = first.ledger, first.ledger.living("thought")[0]
    user = uuid_of(first.person.id)
    assert user, first.person

    def sees(what):
        if not any(what in fault for fault in losses(cluster, [first])):
            missed.append(what)

    kept = ledger.objects["thought"][thought]
    ledger.objects["thought"][thought] = kept | {"text": "never written"}
    sees("not never written")
    ledger.objects["thought"][thought] = None
    sees("was deleted, and is there")
    ledger.objects["thought"][thought] = kept
    ledger.objects["thought"]["thought_" + "0" * 26] = kept
    sees("is lost")
    del ledger.objects["thought"]["thought_" + "0" * 26]
    ledger.shares[thought] = ledger.shares.get(thought, 0) + 1
    sees("was shared")
    ledger.shares[thought] -= 1
    ledger.said.append("never said")
    sees("is there 0 times")
    ledger.said.pop()
    return missed
