"""Distributed guessing: 40 wrong sign-ins at a time, each from an address of its own, while the owner signs in."""

import collections
import itertools
import random
import threading
import time
import uuid

from patience import DEADLINE, eventually

SIGN_UP = "mutation($input:SignUpInput!){signUp(input:$input){deviceToken userErrors{code}}}"
SIGN_IN = "mutation($input:SignInInput!){signIn(input:$input){deviceToken userErrors{code}}}"
PASSWORD = "a long quiet evening"
CLIENTS = 40
# An account's devices may try ten times in five minutes.
VISITS_WITH_TOKEN = 6
VISITS = 3
addresses = (f"127.{second}.{third}.{fourth}" for second, third, fourth in itertools.product(
    range(1, 200), range(256), range(1, 255)))


def attacks(server):
    yield "40 wrong sign-ins at a time from 40 addresses, of logins that nobody has", lambda: flood(
        server, "40 addresses, many logins", lambda number: f"127.200.0.{number + 1}", unknown, is_in_anyway=True)
    yield "40 wrong sign-ins at a time, each from another address", lambda: flood(
        server, "as many addresses as tries, many logins", lambda _: next(addresses), unknown)
    yield "40 wrong sign-ins at a time with the owner's login", lambda: flood(
        server, "as many addresses as tries, the owner's login", lambda _: next(addresses), None)


def unknown(name):
    return "u" + uuid.uuid4().hex[:12]


def try_to_sign_in(server, login, password, source, **more):
    return server.post({"query": SIGN_IN, "variables": {"input": {"login": login, "password": password, **more}}},
                       source=source)


class Flood:
    """40 clients that try again as soon as they are answered, and a quarter of a second after a refusal."""

    def __init__(self, server, address, login):
        self.outcomes = collections.Counter()
        self.lock = threading.Lock()
        self.stops = threading.Event()
        self.threads = [threading.Thread(target=self.guess, args=(server, number, address, login), daemon=True)
                        for number in range(CLIENTS)]

    def guess(self, server, number, address, login):
        while not self.stops.is_set():
            with self.lock:
                source = address(number)
            try:
                answer = try_to_sign_in(server, login(), "not the right one", source)
                outcome = answer.codes[0] if answer.errors else answer["signIn"]["userErrors"][0]["code"]
            except OSError as error:
                outcome = type(error).__name__
            with self.lock:
                self.outcomes[outcome] += 1
            if outcome != "WRONG_CREDENTIALS":
                self.stops.wait(0.25)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        try:
            eventually("two answers for each of them", lambda: sum(self.outcomes.values()) >= 2 * CLIENTS)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.stops.set()
        for thread in self.threads:
            thread.join(DEADLINE)


def visit(server, name, source, patience=DEADLINE, **more):
    """Until the owner is in, as an app does that waits for as long as it is told: the seconds, and the codes of what was
    refused; None where the login has to wait, or the patience of so many seconds ends."""
    start = time.monotonic()
    refusals = []
    while True:
        answer = try_to_sign_in(server, name, PASSWORD, source, **more)
        if not answer.errors:
            assert answer["signIn"]["userErrors"] == [], answer
            assert answer.headers["RateLimit-Policy"], answer.headers
            return time.monotonic() - start, refusals
        if answer.codes == ["RATE_LIMITED"]:
            assert int(answer.headers["Retry-After"]) == answer.extensions["retryAfter"], answer
            return None
        refusals += answer.codes
        if time.monotonic() - start > patience:
            return None
        time.sleep(min(answer.extensions.get("retryAfter", 1), 5))


def figures(visits):
    served = [visit for visit in visits if visit]
    if not served:
        return f"0 of {len(visits)}"
    seconds = sorted(seconds for seconds, _ in served)
    refusals = dict(collections.Counter(code for _, refusals in served for code in refusals))
    return (f"{len(served)} of {len(visits)}, median {seconds[len(seconds) // 2]:.2f} s, "
            f"longest {seconds[-1]:.2f} s, refused before: {refusals or 'never'}")


def flood(server, what, address, login, is_in_anyway=False):
    """- is_in_anyway: the owner gets in without the token, too. Against ever-new addresses that is luck: each of them has as
    good a claim as the owner's own."""
    name = "o" + uuid.uuid4().hex[:12]
    home = f"127.201.{random.randrange(256)}.{random.randrange(1, 255)}"
    account = {"username": name, "email": f"{name}@example.org", "password": PASSWORD}
    signed_up = server.post({"query": SIGN_UP, "variables": {"input": account}}, source=home)
    token = signed_up["signUp"]["deviceToken"]
    with Flood(server, address, lambda: login(name) if login else name) as attack:
        known = [visit(server, name, home, deviceToken=token) for _ in range(VISITS_WITH_TOKEN)]
        strange = [visit(server, name, home, patience=DEADLINE if is_in_anyway else 15) for _ in range(VISITS)]
    print(f"{what}: {sum(attack.outcomes.values())} tries ({dict(attack.outcomes)}). The owner's device got in "
          f"{figures(known)}; the owner without its token {figures(strange)}.", flush=True)
    assert attack.outcomes.keys() - {"ConnectionResetError"} <= {
        "WRONG_CREDENTIALS", "UNAVAILABLE", "RATE_LIMITED", "TIMEOUT"}, attack.outcomes
    assert all(known), "The owner's device is kept out."
    assert all(strange) or not is_in_anyway, "The owner is kept out."
    # The guessers are through: what waits of them is bounded, and the owner is served as ever.
    assert visit(server, name, home, deviceToken=token)
