"""Mixed mutations from many connections at once: write_storm.py TERTULIA DIRECTORY [MUTATIONS] [SEED].

Some requests are sent twice at the same moment, or again after a connection that was broken off before the answer;
accounts are merged and deleted in between. Afterwards `tertulia counters audit` must find no drift, and nothing may be
there twice. A mutation counts once it was applied, or refused for a reason that is expected. Each connection has an
address of its own, for the server limits how many accounts one address opens in an hour.
"""

import collections
import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
import traceback
import urllib.parse
import uuid

from backup import Server
from patience import BUSY, eventually

CONNECTIONS = 16
PASSWORD = "a long quiet evening"

INPUTS = {
    "signInAnonymously": "SignInAnonymouslyInput",
}
PAYLOADS = {
    "signInAnonymously": "accessToken refreshToken", "signIn": "accessToken refreshToken viewer { user { id } }",
    "signUp": "accessToken refreshToken", "refreshSession": "accessToken refreshToken",
    "createThought": "thought { id }", "createEvent": "event { id }", "addComment": "comment { id }",
    "startConversation": "conversation { id }", "sendMessage": "message { id }",
}
# What others did meanwhile: the object is gone or hidden. Or it is not one's own, or for those alone who signed up.
REFUSALS = {"NOT_FOUND", "FORBIDDEN"}
# What people are told who came too late, or meet themselves or what is their own.
EXPECTED_USER_ERRORS = {
    "startConversation": {"REQUIRED"},
    "blockUser": {"NOT_ALLOWED"},
    "reportContent": {"NOT_ALLOWED"},
    "rsvp": {"NOT_ALLOWED"},
    # A draft.
    "shareThought": {"NOT_ALLOWED"},
}
# How often each is done, among the others.
ACTS = {
    "create": 10, "edit": 3, "like": 20, "rate": 10, "save": 8, "share": 4, "comment": 14, "uncomment": 4, "event": 3,
    "rsvp": 10, "cancel": 0.5, "publish": 4, "delete": 2, "chat": 12, "leave_chat": 1, "block": 0.7, "report": 1,
    "switch": 1, "leave": 0.7,
}
# The longest that a client is told to wait, in seconds.
PATIENCE = 60
# Access tokens are valid for 15 minutes.
REFRESH_AFTER = 600


class Things:
    """What exists, as far as the client knows; some of it is gone already."""

    def __init__(self):
        self.lock = threading.Lock()
        self.kinds = collections.defaultdict(list)

    def add(self, kind, thing):
        with self.lock:
            things = self.kinds[kind]
            things.append(thing)
            # Most of what happens happens to the newest.
            del things[:-60]

    def pick(self, kind, chance):
        with self.lock:
            return chance.choice(self.kinds[kind]) if self.kinds[kind] else None


class Connection:
    def __init__(self, url, address):
        self.host = urllib.parse.urlsplit(url).netloc
        self.address = address
        self.http = None

    def send(self, body, token):
        for attempt in range(3):
            try:
                if self.http is None:
                    self.http = http.client.HTTPConnection(self.host, timeout=60, source_address=(self.address, 0))
                headers = {"Content-Type": "application/json"}
                if token:
                    headers["Authorization"] = f"Bearer {token}"
                self.http.request("POST", "/graphql", body, headers)
                return
            except (OSError, http.client.HTTPException):
                self.http = None
                if attempt == 2:
                    raise

    def receive(self):
        return json.loads(self.http.getresponse().read())

    def break_off(self):
        self.http.close()
        self.http = None

    def ask(self, body, token):
        self.send(body, token)
        return self.receive()


class Worker(threading.Thread):
    def __init__(self, number, url, things, mutations, seed):
        super().__init__()
        self.chance = random.Random(f"{seed}/{number}")
        address = f"127.0.1.{number + 1}"
        self.connection, self.second = Connection(url, address), Connection(url, address)
        self.things, self.mutations = things, mutations
        # By mutation and outcome, and by the way it was sent.
        self.outcomes, self.manners = collections.Counter(), collections.Counter()
        self.waits = collections.Counter()
        self.person = None
        # A member that was left behind, and can be signed in to again.
        self.other = None
        self.failure = None

    def run(self):
        try:
            while self.outcomes.total() < self.mutations:
                self.step()
        except Exception:  # noqa: BLE001
            self.failure = traceback.format_exc()

    def mutate(self, name, /, **values):
        """One mutation: once, twice at the same moment, or again after its answer was lost."""
        key = str(uuid.UUID(int=self.chance.getrandbits(128)))
        type_name = INPUTS.get(name, name[0].upper() + name[1:] + "Input!")
        query = (
            f"mutation ($input: {type_name}) {{ {name}(input: $input) "
            f"{{ {PAYLOADS.get(name, '__typename')} userErrors {{ message code }} }} }}"
        )
        body = json.dumps({"query": query, "variables": {"input": values | {"clientMutationId": key}}})
        token = self.person and self.person["token"]
        manner = self.chance.random()
        # A sign-in gives new tokens each time.
        if manner < 0.1 and not name.startswith("sign"):
            self.manners["twice at the same moment"] += 1
            self.second.send(body, token)
            first = self.connection.ask(body, token)
            answers = [first, self.second.receive()]
        elif manner < 0.2 and not name.startswith("sign"):
            self.manners["again after a lost answer"] += 1
            self.connection.send(body, token)
            time.sleep(self.chance.random() / 50)
            self.connection.break_off()
            answers = [self.connection.ask(body, token)]
        else:
            self.manners["once"] += 1
            answers = [self.connection.ask(body, token)]
        waits = self.waits.total()
        answers = [self.insist(answer, body, token) for answer in answers]
        is_lost = 0.1 <= manner < 0.2 or self.waits.total() > waits
        outcomes = [self.outcome(name, answer, is_lost or len(answers) == 2) for answer in answers]
        applied = [payload for outcome, payload in outcomes if outcome == "applied"]
        # One answer tells of the deletion, unless that answer was lost.
        assert applied or is_lost or name != "deleteAccount", (name, answers)
        self.outcomes[name, "applied" if applied else outcomes[0][0]] += 1
        # A replay shows what there is now: nothing where it was deleted meanwhile.
        there = [payload for payload in applied if None not in payload.values()]
        assert there or not applied or manner < 0.2, (name, answers)
        if len(there) == 2 and not name.endswith("Session"):
            assert there[0] == there[1], (name, answers)
        return there[0] if there else None

    def insist(self, answer, body, token):
        """Asks again, as a client does that is told to come back."""
        while answer.get("errors"):
            extensions = answer["errors"][0]["extensions"]
            wait = extensions.get("retryAfter", 1)
            if extensions["code"] not in BUSY | {"RATE_LIMITED"} or wait > PATIENCE:
                break
            self.waits[extensions["code"]] += 1
            time.sleep(wait)
            answer = self.connection.ask(body, token)
        return answer

    def outcome(self, name, answer, is_repeated):
        if answer.get("errors"):
            codes = {error["extensions"]["code"] for error in answer["errors"]}
            # The account that a deletion is sent for again is gone.
            gone = {"UNAUTHENTICATED"} if name == "deleteAccount" and is_repeated else set()
            assert len(codes) == 1 and codes <= REFUSALS | gone, (name, answer)
            return answer["errors"][0]["extensions"].get("reason", codes.pop()), None
        payload = answer["data"][name]
        if not payload["userErrors"]:
            return "applied", payload
        codes = {error["code"] for error in payload["userErrors"]}
        assert codes <= EXPECTED_USER_ERRORS.get(name, set()), (name, answer)
        return "+".join(sorted(codes)), None

    def enter(self, payload, name, identity=None):
        """Goes on as whom the payload's tokens are of; `name` is a member's."""
        self.person = {
            "token": payload["accessToken"], "refresh": payload["refreshToken"], "name": name, "id": identity,
            "since": time.monotonic(), "things": self.person["things"] if self.person and identity else Things(),
        }

    def sign_up(self, identity=None):
        name = f"s{uuid.UUID(int=self.chance.getrandbits(128)).hex[:14]}"
        payload = self.mutate("signUp", username=name, email=f"{name}@example.org", password=PASSWORD)
        self.enter(payload, name, identity)

    def arrive(self):
        if self.chance.random() < 0.3:
            self.enter(self.mutate("signInAnonymously"), None)
        else:
            self.sign_up()
        viewer = self.connection.ask(json.dumps({"query": "{ viewer { user { id } } }"}), self.person["token"])
        self.person["id"] = viewer["data"]["viewer"]["user"]["id"]
        self.things.add("person", self.person["id"])

    def made(self, kind, thing):
        self.things.add(kind, thing)
        self.person["things"].add(kind, thing)

    def pick_own(self, kind):
        """Mostly one that is the person's, sometimes one of others."""
        own = self.person["things"].pick(kind, self.chance) if self.chance.random() < 0.8 else None
        return own or self.things.pick(kind, self.chance)

    # Acts: `thought` and `event` are ones that somebody has made, of which some are gone.

    def refresh(self):
        self.enter(self.mutate("refreshSession", refreshToken=self.person["refresh"]), self.person["name"],
                   self.person["id"])

    def leave(self, *_):
        password = {"password": PASSWORD} if self.person["name"] else {}
        self.mutate("deleteAccount", **password)
        self.person = None

    def switch(self, *_):
        """A member stays behind, and comes back with what an anonymous account of the same phone has made meanwhile;
        or the anonymous account becomes a member.
        """
        if self.person["name"]:
            self.other, self.person = self.person["name"], None
        elif self.other:
            payload = self.mutate("signIn", login=self.other, password=PASSWORD, mergeAnonymous=True)
            self.enter(payload, self.other, payload["viewer"]["user"]["id"])
            self.other = None
        else:
            self.sign_up(self.person["id"])

    def step(self):
        if self.person is None:
            return self.arrive()
        if time.monotonic() - self.person["since"] > REFRESH_AFTER:
            return self.refresh()
        act = self.chance.choices(list(ACTS), ACTS.values())[0]
        getattr(self, act)(self.things.pick("thought", self.chance), self.things.pick("event", self.chance))

    def create(self, *_):
        payload = self.mutate("createThought", category="FUNNY", text=f"Thought {self.chance.getrandbits(80)}")
        if payload:
            self.made("thought", payload["thought"]["id"])

    def edit(self, *_):
        if thought := self.pick_own("thought"):
            self.mutate("updateThought", id=thought, text=f"Thought {self.chance.getrandbits(80)}")

    def like(self, thought, _):
        if thought:
            self.mutate(self.chance.choice(["likeThought", "likeThought", "unlikeThought"]), thoughtId=thought)

    def rate(self, thought, _):
        if thought and self.chance.random() < 0.7:
            self.mutate("rateThought", thoughtId=thought, stars=self.chance.randint(1, 5))
        elif thought:
            self.mutate("unrateThought", thoughtId=thought)

    def save(self, thought, _):
        if thought:
            self.mutate(self.chance.choice(["saveThought", "saveThought", "unsaveThought"]), thoughtId=thought)

    def share(self, thought, _):
        if thought:
            self.mutate("shareThought", thoughtId=thought)

    def comment(self, *subjects):
        if subject := self.chance.choice(subjects):
            payload = self.mutate("addComment", subjectId=subject, text=f"Comment {self.chance.getrandbits(80)}")
            if payload:
                self.made("comment", payload["comment"]["id"])

    def uncomment(self, *_):
        if comment := self.pick_own("comment"):
            self.mutate("deleteComment", id=comment)

    def event(self, *_):
        payload = self.mutate(
            "createEvent", name=f"Event {self.chance.getrandbits(80)}", description="Storm.",
            startsAt="2099-01-01T19:00:00Z", endsAt="2099-01-01T22:00:00Z")
        if payload:
            self.made("event", payload["event"]["id"])

    def rsvp(self, _, event):
        if event and self.chance.random() < 0.7:
            self.mutate("rsvp", eventId=event, status=self.chance.choice(["GOING", "INTERESTED"]))
        elif event:
            self.mutate("cancelRsvp", eventId=event)

    def cancel(self, *_):
        if event := self.pick_own("event"):
            self.mutate("cancelEvent", id=event)

    def publish(self, *_):
        if thought := self.pick_own("thought"):
            self.mutate(self.chance.choice(["publishThought", "unpublishThought"]), id=thought)

    def delete(self, *_):
        kind = "thought" if self.chance.random() < 0.8 else "event"
        if thing := self.pick_own(kind):
            self.mutate(f"delete{kind.title()}", id=thing)

    def chat(self, *_):
        conversation, message = (self.pick_own(kind) for kind in ("conversation", "message"))
        act = self.chance.random()
        if conversation and act < 0.5:
            payload = self.mutate(
                "sendMessage", conversationId=conversation, text=f"Message {self.chance.getrandbits(80)}")
            if payload:
                self.made("message", (conversation, payload["message"]["id"]))
        elif message and act < 0.65:
            self.mutate("markConversationRead", conversationId=message[0], messageId=message[1])
        elif message and act < 0.75:
            self.mutate("deleteMessage", id=message[1])
        else:
            others = {self.things.pick("person", self.chance) for _ in range(self.chance.randint(1, 3))}
            payload = self.mutate("startConversation", participantIds=sorted(others))
            if payload:
                self.made("conversation", payload["conversation"]["id"])

    def leave_chat(self, *_):
        if conversation := self.pick_own("conversation"):
            self.mutate("leaveConversation", conversationId=conversation)

    def block(self, *_):
        self.mutate(self.chance.choice(["blockUser", "unblockUser"]), userId=self.things.pick("person", self.chance))

    def report(self, thought, _):
        if thought:
            self.mutate("reportContent", subjectId=thought, reason="SPAM")


def report(workers, elapsed):
    outcomes, manners, waits = (
        sum((getattr(worker, name) for worker in workers), collections.Counter())
        for name in ("outcomes", "manners", "waits"))
    print(f"{outcomes.total()} mutations over {CONNECTIONS} connections in {elapsed:.0f} s")
    by_name = collections.defaultdict(collections.Counter)
    for (name, outcome), count in outcomes.items():
        by_name[name][outcome] = count
    for name, counts in sorted(by_name.items(), key=lambda item: -item[1].total()):
        print(f"  {name:24}{counts.total():6}  " + ", ".join(f"{count} {it}" for it, count in counts.most_common()))
    totals = sum(by_name.values(), collections.Counter())
    for title, counts in (("outcome", totals), ("sent", manners), ("told to come back", waits)):
        print(f"{title}: " + (", ".join(f"{count} {it}" for it, count in counts.most_common()) or "never"))


def main(program, home, mutations="20000", seed=None):
    seed = seed or str(random.SystemRandom().getrandbits(32))
    print(f"seed {seed}", flush=True)
    server = Server(program, home, WRITES_PER_MINUTE="0", PASSWORD_HASH_LOG_N="10")
    database = server.database("tertulia")
    things = Things()
    workers = [Worker(number, server.url, things, int(mutations) // CONNECTIONS, seed) for number in range(CONNECTIONS)]
    began = time.monotonic()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    elapsed = time.monotonic() - began
    failures = [worker.failure for worker in workers if worker.failure]
    assert not failures, "\n".join(failures)
    report(workers, elapsed)

    def rows(sql):
        answer = subprocess.run(["psql", "-XAtq", database, "-c", sql], capture_output=True, text=True, check=True)
        return answer.stdout.split("\n")[:-1]

    # Deletions go on after their answer.
    eventually("the end of all deletions", lambda: not rows("select 1 from deleted_accounts limit 1"))
    for table, column in (("thoughts", "text"), ("events", "name"), ("comments", "text"), ("messages", "text")):
        twice = rows(f"select {column} from {table} group by {column} having count(*) > 1 and {column} like '% %'")
        assert not twice, f"{table} has twice: {twice[:5]}"
    audit = subprocess.run([program, "counters", "audit"], capture_output=True, text=True,
                           env=os.environ | {"TERTULIA_HOME": home, "DATABASE_URL": database})
    print(audit.stdout.strip())
    assert audit.returncode == 0, audit.stdout + audit.stderr
    server.stop()
    print("No counter drifted, and nothing was written twice.")


main(*sys.argv[1:])
