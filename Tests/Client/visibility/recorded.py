"""Judges a recorded run anew: nothing is found in it as it was, and each thing that must not happen is found where it is planted.
It prints the faults, where a recording has some. (A recording does not have what a connection failed with.)

Usage: python -m visibility.recorded [RECORDING]
"""

import pathlib
import random
import sys

from .recording import Recorded

PLACES = 50


def changes(recorded):
    """The events that change a list: the index of each, its change, and whether its client was uncertain then."""
    found = []

    def watch(index, subscription):
        step, _, *values = recorded.steps[index]
        if step == "note" and "data" in values[1]:
            change = values[1]["data"][subscription.field]
            node, before = change["node"], subscription.kept.get(change["nodeId"])
            after = node and (node.get("text") or node.get("bio"))
            has, had = node is not None, change["nodeId"] in subscription.kept
            if (has, after) != (had, before):
                found.append((index, change, subscription.is_uncertain))

    assert recorded.judge(recorded.steps, watch) == []
    return found


def id_of(step, field):
    return step[3]["data"][field]["nodeId"] if step[0] == "note" and "data" in step[3] else None


def drop(recorded):
    """An event that the next look at the list depends on."""
    for index, change, _ in changes(recorded):
        _, number, _, payload = recorded.steps[index]
        (field,) = payload["data"]
        for step in recorded.steps[index + 1 :]:
            if len(step) < 2 or step[1] != number:
                continue
            if step[0] == "compare":
                yield index, index + 1, []
            if step[0] in ("compare", "connect") or id_of(step, field) == change["nodeId"]:
                break


def repeat(recorded):
    """A removal twice, on one connection and after the list was found right."""
    for index, change, is_uncertain in changes(recorded):
        if change["kind"] == "REMOVED" and not is_uncertain:
            yield index, index, [recorded.steps[index]]


def leak(recorded):
    """The last text of an object that is hidden from the viewer."""
    places = []

    def watch(index, subscription):
        step, number, *values = recorded.steps[index]
        if step != "note" or "data" not in values[1] or subscription.field == "conversationChanges":
            return
        (now, payload), field, viewer = values, subscription.field, subscription.client.person
        for thing in recorded.truth.of("thought", alive=False) + recorded.truth.of("comment", alive=False):
            sent = [text for text, moment in thing.texts.items() if moment < now]
            if sent and recorded.truth.is_hidden(viewer, thing, max(subscription.opened, thing.texts[sent[-1]]), now):
                node = {"id": thing.id, "text": sent[-1]}
                change = payload["data"][field] | {"kind": "CHANGED", "nodeId": thing.id, "node": node}
                places.append((index, index, [["note", number, now, {"data": {field: change}}]]))

    recorded.judge(recorded.steps, watch)
    return places


def main(path=pathlib.Path(__file__).parent / "recorded.json.gz"):
    recorded = Recorded(path)
    if faults := recorded.judge(recorded.steps):
        sys.exit("\n".join(faults))
    for sabotage in (drop, repeat, leak):
        # Each the bounds of what is taken out, and what takes its place.
        places = list(sabotage(recorded))
        assert places, f"the recorded run has no place for {sabotage.__name__}"
        tried = random.Random(0).sample(places, min(PLACES, len(places)))
        for start, end, steps in tried:
            broken = [*recorded.steps[:start], *steps, *recorded.steps[end:]]
            assert recorded.judge(broken), f"{sabotage.__name__} is not noticed at {start}"
        print(f"{sabotage.__name__}: noticed in {len(tried)} places of {len(places)}")
    count = sum(step[0] == "note" for step in recorded.steps)
    print(f"{count} events: nothing is found in them as they came, and each sabotage is.")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
