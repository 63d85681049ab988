"""The check of a storm, on short histories that are written by hand.

Usage: python -m unittest storm.cases
"""

import unittest

from .api import node_id
from .check import check
from .readers import Event, Received
from .subscriptions import Row, Subscription

VIEWER, AUTHOR = (node_id("user", f"00000000-0000-7000-8000-00000000000{number}") for number in (1, 2))
THOUGHT = node_id("thought", "00000000-0000-7000-8000-000000000003")
START = (0, 0)


def state(status):
    return {"author": AUTHOR, "status": status, "category": "FUNNY", "subject": None}


def thought(place, before, after):
    """A change of the thought's status, or of its counters where both are the same."""
    return Row(place, "thought", THOUGHT, before == after, before and state(before), after and state(after))


def block(place, is_made):
    """The author blocks the viewer, or ends that."""
    pair = {"author": AUTHOR, "status": None, "category": None, "subject": None}
    return Row(place, "block", VIEWER, False, None if is_made else pair, pair if is_made else None)


def faults(rows, *events):
    received = Received(Subscription("feedChanges"), VIEWER, None, None, False)
    received.starts[0] = START
    received.events = [Event(place, kind, THOUGHT, None, 0) for place, kind in events]
    return check(received, rows, START)


class CounterRows(unittest.TestCase):
    def test_what_a_blocks_end_did_not_bring_is_added_by_the_next_row(self):
        """The thought is a draft when the block's end is read, and published again when the row of its counters is read."""
        rows = [
            thought((1, 1), None, "PUBLISHED"), block((2, 2), True), block((3, 3), False),
            thought((4, 4), "PUBLISHED", "PUBLISHED"), thought((5, 5), "PUBLISHED", "DRAFT"), thought((6, 6), "DRAFT", "PUBLISHED"),
        ]  # fmt: skip
        since = [((4, 4), "ADDED"), ((5, 5), "CHANGED"), ((6, 6), "ADDED")]
        self.assertEqual(faults(rows, ((1, 1), "ADDED"), ((2, 2), "REMOVED"), *since), [])
        # The client never had a thought that was written during the block.
        rows[:2] = [block((1, 1), True), thought((2, 2), None, "PUBLISHED")]
        self.assertEqual(faults(rows, *since), [])

    def test_what_the_client_has_is_not_added_by_counters(self):
        rows = [thought((1, 1), None, "PUBLISHED"), thought((2, 2), "PUBLISHED", "PUBLISHED")]
        self.assertEqual(faults(rows, ((1, 1), "ADDED"), ((2, 2), "CHANGED")), [])
        self.assertIn("of counters", "".join(faults(rows, ((1, 1), "ADDED"), ((2, 2), "ADDED"))))

    def test_what_was_removed_is_not_added_by_counters(self):
        rows = [
            thought((1, 1), None, "PUBLISHED"), thought((2, 2), "PUBLISHED", "PUBLISHED"), thought((3, 3), "PUBLISHED", "DRAFT"),
            thought((4, 4), "DRAFT", "DRAFT"),
        ]  # fmt: skip
        told = [((1, 1), "ADDED"), ((2, 2), "CHANGED"), ((3, 3), "REMOVED")]
        self.assertEqual(faults(rows, *told), [])
        self.assertIn("of counters", "".join(faults(rows, *told, ((4, 4), "ADDED"))))

    def test_what_the_client_had_before_is_not_added_by_counters(self):
        rows = [thought((1, 1), "PUBLISHED", "PUBLISHED")]
        self.assertEqual(faults(rows, ((1, 1), "CHANGED")), [])
        self.assertIn("of counters", "".join(faults(rows, ((1, 1), "ADDED"))))


if __name__ == "__main__":
    unittest.main()
