"""What the tests' clients send again, on a clock of its own."""

import asyncio
import collections
import pathlib
import sys
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Client"))

import patience  # noqa: E402

QUERY, MUTATION = "{ viewer { id } }", "mutation ($input: LikeThoughtInput!) { likeThought(input: $input) { __typename } }"


class Clock:
    """Time passes only where somebody sleeps."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def answers(*codes):
    """A server that gives these codes in turn, None for data; and how often it was asked."""
    asked = []

    def send():
        code = codes[len(asked)] if len(asked) < len(codes) else codes[-1]
        asked.append(code)
        return {"errors": [{"extensions": {"code": code}}]} if code else {"data": {}}

    return send, asked


class Patience(unittest.TestCase):
    def setUp(self):
        self.clock = Clock()
        self.said = []
        for name, value in {"time": self.clock, "repeats": collections.Counter(), "print": lambda text, flush: self.said.append(text)}.items():
            part = mock.patch.object(patience, name, value, create=True)
            part.start()
            self.addCleanup(part.stop)

    def test_what_a_busy_server_refused_is_sent_again(self):
        send, asked = answers("TIMEOUT", "UNAVAILABLE", "OVERLOADED", None)
        self.assertEqual(patience.ask_again(send, is_repeatable=True), {"data": {}})
        self.assertEqual(len(asked), 4)
        self.assertEqual(self.clock.now, 3 * patience.PAUSE_OF_CLIENTS)
        self.assertEqual(patience.repeats, {"TIMEOUT": 1, "UNAVAILABLE": 1, "OVERLOADED": 1})
        self.assertEqual(self.said[0], "Asked again after TIMEOUT, 1 so far.")

    def test_what_may_have_been_done_is_not(self):
        for code in ("TIMEOUT", "UNAVAILABLE"):
            send, asked = answers(code, None)
            self.assertEqual(patience.codes_of(patience.ask_again(send, is_repeatable=False)), [code])
            self.assertEqual(len(asked), 1)
        send, _ = answers("OVERLOADED", None)
        self.assertEqual(patience.ask_again(send, is_repeatable=False), {"data": {}})

    def test_other_refusals_are_answers(self):
        for code in ("RATE_LIMITED", "NOT_FOUND", "INTERNAL_SERVER_ERROR"):
            send, asked = answers(code, None)
            self.assertEqual(patience.codes_of(patience.ask_again(send, is_repeatable=True)), [code])
            self.assertEqual(len(asked), 1)

    def test_a_server_that_stays_busy_is_left(self):
        send, asked = answers("TIMEOUT")
        self.assertEqual(patience.codes_of(patience.ask_again(send, is_repeatable=True)), ["TIMEOUT"])
        self.assertGreater(self.clock.now, patience.DEADLINE)
        self.assertLess(len(asked), patience.DEADLINE / patience.PAUSE_OF_CLIENTS + 3)

    def test_a_mutation_is_sent_again_by_its_id(self):
        self.assertTrue(patience.is_repeatable(QUERY, None))
        self.assertFalse(patience.is_repeatable(MUTATION, {"input": {"thoughtId": "thought_1"}}))
        self.assertFalse(patience.is_repeatable(MUTATION, None))
        sign_out = "mutation ($input: SignOutInput!) { signOut(input: $input) { __typename } }"
        self.assertFalse(patience.is_repeatable(sign_out, patience.named({"input": {}})))
        named = patience.named({"input": {"thoughtId": "thought_1"}, "other": 1})
        self.assertTrue(patience.is_repeatable(MUTATION, named))
        self.assertEqual((named["input"]["thoughtId"], named["other"]), ("thought_1", 1))
        self.assertNotEqual(named, patience.named({"input": {"thoughtId": "thought_1"}, "other": 1}))

    def test_an_id_that_was_given_stays(self):
        self.assertEqual(patience.named({"input": {"clientMutationId": "a"}}), {"input": {"clientMutationId": "a"}})
        for variables in (None, {}, {"id": "thought_1"}, {"input": "text"}):
            self.assertEqual(patience.named(variables), variables)

    def sign_up(self, *answers):
        """The payload, and the mutations that were sent for it."""
        sent, answers = [], iter(answers)

        def ask(document, variables):
            sent.append(document.partition("{ ")[2].partition("(")[0])
            return next(answers)

        return patience.sign_up(ask, {"username": "ana", "password": "a long quiet evening"}), sent

    def test_a_sign_up_that_was_late_is_signed_in_to(self):
        late = {"errors": [{"extensions": {"code": "TIMEOUT"}}]}
        taken = {"accessToken": None, "userErrors": [{"code": "TAKEN", "message": field} for field in ("username", "email")]}
        entered = {"accessToken": "a", "userErrors": []}
        self.assertEqual(self.sign_up({"data": {"signUp": entered}}), (entered, ["signUp"]))
        self.assertEqual(self.sign_up(late, {"data": {"signUp": entered}}), (entered, ["signUp", "signUp"]))
        ran = self.sign_up(late, {"data": {"signUp": taken}}, {"data": {"signIn": entered}})
        self.assertEqual(ran, (entered, ["signUp", "signUp", "signIn"]))
        # Nobody was late: the name is another person's.
        with self.assertRaisesRegex(AssertionError, "TAKEN"):
            self.sign_up({"data": {"signUp": taken}})

    def test_what_comes_in_the_end_is_waited_for(self):
        values = iter([None, [], 0, "it"])
        self.assertEqual(patience.eventually("it", lambda: next(values)), "it")
        self.assertEqual(self.clock.now, 3 * patience.PAUSE)

    def test_what_never_comes_is_named(self):
        for what in ("a bell", lambda: "a bell"):
            with self.assertRaisesRegex(AssertionError, r"in vain: a bell. The last value was \[\]"):
                patience.eventually(what, list)
        self.assertGreater(self.clock.now, 2 * patience.DEADLINE)

    def test_what_is_awaited_is_named_too(self):
        async def sleep(seconds):
            self.clock.sleep(seconds)

        async def nothing():
            return None

        with mock.patch.object(patience.asyncio, "sleep", sleep):
            with self.assertRaisesRegex(AssertionError, r"in vain: a bell. The last value was None"):
                asyncio.run(patience.eventually_async("a bell", nothing))
        self.assertGreater(self.clock.now, patience.DEADLINE)


if __name__ == "__main__":
    unittest.main()
