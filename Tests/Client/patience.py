"""How long the tests' clients wait, and when they ask again.

A deadline bounds what would never end. How fast the machine is decides nothing.
"""

import asyncio
import collections
import inspect
import re
import time
import uuid

# Seconds after which something counts as not coming.
DEADLINE = 300
# Seconds between two looks at a condition.
PAUSE = 0.05
# Seconds after which a client asks a busy server again.
PAUSE_OF_CLIENTS = 1
# The codes of a server that is late or has too much to do. OVERLOADED says that nothing was done; the others do not.
BUSY = {"OVERLOADED", "TIMEOUT", "UNAVAILABLE"}
# The server does not claim the clientMutationId of these mutations, and the second of two alike fails or sends a further mail.
# (Nor does it of signIn, signInAnonymously and refreshSession. The second of these harms nothing.)
ONCE = re.compile(r"\b(signUp|signOut|deleteAccount|requestPasswordReset|resetPassword)\b")
# How often a client of this process asked again, by the code that it got.
repeats = collections.Counter()


def eventually(what, condition):
    """The first true value of a condition, which is looked at every PAUSE seconds.

    - what: the name of what is waited for, or a function that gives it.

    Raises an AssertionError with the name and the last value after DEADLINE seconds.
    """
    end = time.monotonic() + DEADLINE
    while not (found := condition()):
        assert time.monotonic() < end, never(what, found)
        time.sleep(PAUSE)
    return found


async def eventually_async(what, condition):
    """As `eventually`; the condition may give an awaitable."""
    end = time.monotonic() + DEADLINE
    while not (found := await value_of(condition)):
        assert time.monotonic() < end, never(what, found)
        await asyncio.sleep(PAUSE)
    return found


async def value_of(condition):
    value = condition()
    return await value if inspect.isawaitable(value) else value


def never(what, found):
    return f"Waited {DEADLINE} s in vain: {what() if callable(what) else what}. The last value was {found!r}."


def codes_of(answer):
    """The codes of the errors of a GraphQL response."""
    return [error.get("extensions", {}).get("code") for error in answer.get("errors") or []]


def named(variables):
    """The variables of an operation, with a `clientMutationId` where they have an input."""
    given = (variables or {}).get("input")
    if not isinstance(given, dict):
        return variables
    return variables | {"input": {"clientMutationId": str(uuid.uuid4())} | given}


def is_repeatable(document, variables):
    """Whether an operation may be sent again though the first may have been done: a query, or a mutation that is done once under
    its `clientMutationId`."""
    if not document.lstrip().startswith("mutation"):
        return True
    return not ONCE.search(document) and "clientMutationId" in ((variables or {}).get("input") or {})


class Patience:
    """Decides how often a client sends one operation.

    - is_repeatable: whether it may be sent again though the first may have been done.
    """

    def __init__(self, is_repeatable=True):
        self.codes = BUSY if is_repeatable else {"OVERLOADED"}
        self.end = time.monotonic() + DEADLINE
        self.repeats = 0

    def allows(self, codes):
        """Whether the operation is to be sent again, in PAUSE_OF_CLIENTS seconds, after errors with these codes. If so, it counts
        as sent again."""
        busy = self.codes.intersection(codes)
        if not busy or time.monotonic() > self.end:
            return False
        self.repeats += 1
        for code in sorted(busy):
            repeats[code] += 1
            print(f"Asked again after {code}, {repeats[code]} so far.", flush=True)
        return True


def ask_again(send, is_repeatable, codes_of=codes_of):
    """The answer that `send` gives. It is called again while the server is busy."""
    patience = Patience(is_repeatable)
    while patience.allows(codes_of(answer := send())):
        time.sleep(PAUSE_OF_CLIENTS)
    return answer


async def ask_again_async(send, is_repeatable):
    """As `ask_again`, of a coroutine function that gives a GraphQL response."""
    patience = Patience(is_repeatable)
    while patience.allows(codes_of(answer := await send())):
        await asyncio.sleep(PAUSE_OF_CLIENTS)
    return answer


def sign_up(ask, account, fields="accessToken"):
    """The payload of signUp. Where a sign-up was late and its repeat finds the username and the address taken, that of signIn.

    - ask: gives the response to a document with variables, which it sends once.
    - account: the input of signUp, with `username` and `password`.
    """

    def run(mutation, values):
        kind = mutation[0].upper() + mutation[1:]
        document = (
            f"mutation ($input: {kind}Input!) {{ {mutation}(input: $input) {{ {fields} userErrors {{ code message }} }} }}")
        patience = Patience()
        while patience.allows(codes_of(answer := ask(document, {"input": values}))):
            time.sleep(PAUSE_OF_CLIENTS)
        assert not answer.get("errors"), answer
        return answer["data"][mutation], patience.repeats

    payload, times_again = run("signUp", account)
    if times_again and {error["code"] for error in payload["userErrors"]} == {"TAKEN"}:
        payload, _ = run("signIn", {"login": account["username"], "password": account["password"]})
    assert not payload["userErrors"], payload
    return payload
