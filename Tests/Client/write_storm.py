"""Mixed mutations from many connections at once: write_storm.py TERTULIA DIRECTORY [MUTATIONS] [SEED].

Some requests are sent twice at the same moment, or again after a connection that was broken off before the answer; accounts
are deleted in between. Afterwards `tertulia counters audit` must find no drift, and nothing may be there twice.
"""

import atexit
import collections
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid

CONNECTIONS = 16
PASSWORD = "a long quiet evening"

INPUTS = {
    "signInAnonymously": "SignInAnonymouslyInput",
}
PAYLOADS = {
    "signInAnonymously": "accessToken", "signIn": "accessToken", "signUp": "accessToken", "createThought": "thought { id }",
    "createEvent": "event { id }", "addComment": "comment { id }", "startConversation": "conversation { id }",
    "sendMessage": "message { id }",
}
# What others did meanwhile: the object is gone, hidden, over, or the account is.
EXPECTED = {"NOT_FOUND", "FORBIDDEN", "UNAUTHENTICATED", "CONFLICT", "BAD_USER_INPUT"}


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
            del things[:-200]

    def pick(self, kind, chance):
        with self.lock:
            return chance.choice(self.kinds[kind]) if self.kinds[kind] else None


class Connection:
    def __init__(self, url):
        self.host = urllib.parse.urlsplit(url).netloc
        self.http = None

    def send(self, body, token):
        for attempt in range(3):
            try:
                if self.http is None:
                    self.http = http.client.HTTPConnection(self.host, timeout=60)
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
        self.connection, self.second = Connection(url), Connection(url)
        self.things, self.mutations = things, mutations
        self.counts = collections.Counter()
        self.person = None
        self.failure = None

    def run(self):
        try:
            while sum(self.counts.values()) < self.mutations:
                self.step()
        except Exception as error:  # noqa: BLE001
            self.failure = f"{type(error).__name__}: {error}"

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
            self.second.send(body, token)
            first = self.connection.ask(body, token)
            answers = [first, self.second.receive()]
        elif manner < 0.2 and not name.startswith("sign"):
            self.connection.send(body, token)
            time.sleep(self.chance.random() / 50)
            self.connection.break_off()
            answers = [self.connection.ask(body, token)]
        else:
            answers = [self.connection.ask(body, token)]
        self.counts[name] += 1
        answers = [self.insist(answer, body, token) for answer in answers]
        self.last = answers
        results = [self.payload(name, answer) for answer in answers]
        if len(results) == 2 and all(results) and "id" in json.dumps(results[0]):
            assert results[0] == results[1], results
        return next(filter(None, results), None)

    def insist(self, answer, body, token):
        """Asks again, as a client does that is told to come back."""
        while answer.get("errors") and answer["errors"][0]["extensions"]["code"] in {"UNAVAILABLE", "TIMEOUT"}:
            self.counts["told to come back"] += 1
            time.sleep(answer["errors"][0]["extensions"].get("retryAfter", 1))
            answer = self.connection.ask(body, token)
        return answer

    def payload(self, name, answer):
        if answer.get("errors"):
            codes = {error["extensions"]["code"] for error in answer["errors"]}
            assert codes <= EXPECTED, answer
            return None
        payload = answer["data"][name]
        return None if payload["userErrors"] else payload

    def arrive(self):
        name = f"s{uuid.UUID(int=self.chance.getrandbits(128)).hex[:14]}"
        if self.chance.random() < 0.3:
            payload = self.mutate("signInAnonymously")
            self.person = {"token": payload["accessToken"], "member": False}
        else:
            payload = self.mutate("signUp", username=name, email=f"{name}@example.org", password=PASSWORD)
            if payload is None:
                # The answer was lost, the account is there: signUp belongs to no account that could remember it.
                payload = self.mutate("signIn", login=name, password=PASSWORD)
            assert payload, self.last
            self.person = {"token": payload["accessToken"], "member": True}
        viewer = self.connection.ask(json.dumps({"query": "{ viewer { user { id } } }"}), self.person["token"])
        self.person["id"] = viewer["data"]["viewer"]["user"]["id"]
        self.things.add("person", self.person["id"])

    def step(self):
        if self.person is None:
            return self.arrive()
        chance, things = self.chance, self.things
        thought, event = things.pick("thought", chance), things.pick("event", chance)
        act = chance.choices(
            ["create", "like", "rate", "save", "share", "comment", "uncomment", "event", "rsvp", "publish", "delete",
             "chat", "leave"],
            [10, 20, 10, 8, 4, 14, 4, 3, 10, 4, 2, 8, 0.8])[0]
        if act == "leave":
            password = {"password": PASSWORD} if self.person["member"] else {}
            self.mutate("deleteAccount", **password)
            self.person = None
        elif act == "create" or thought is None:
            payload = self.mutate("createThought", category="FUNNY", text=f"Thought {chance.getrandbits(80)}")
            if payload:
                things.add("thought", payload["thought"]["id"])
        elif act == "event" or event is None:
            payload = self.mutate(
                "createEvent", name=f"Event {chance.getrandbits(80)}", description="Storm.",
                startsAt="2099-01-01T19:00:00Z", endsAt="2099-01-01T22:00:00Z")
            if payload:
                things.add("event", payload["event"]["id"])
        elif act == "like":
            self.mutate(chance.choice(["likeThought", "likeThought", "unlikeThought"]), thoughtId=thought)
        elif act == "rate":
            if chance.random() < 0.7:
                self.mutate("rateThought", thoughtId=thought, stars=chance.randint(1, 5))
            else:
                self.mutate("unrateThought", thoughtId=thought)
        elif act == "save":
            self.mutate(chance.choice(["saveThought", "saveThought", "unsaveThought"]), thoughtId=thought)
        elif act == "share":
            self.mutate("shareThought", thoughtId=thought)
        elif act == "comment":
            payload = self.mutate(
                "addComment", subjectId=chance.choice([thought, event]), text=f"Comment {chance.getrandbits(80)}")
            if payload:
                things.add("comment", payload["comment"]["id"])
        elif act == "uncomment":
            if comment := things.pick("comment", chance):
                self.mutate("deleteComment", id=comment)
        elif act == "rsvp":
            if chance.random() < 0.7:
                self.mutate("rsvp", eventId=event, status=chance.choice(["GOING", "INTERESTED"]))
            else:
                self.mutate("cancelRsvp", eventId=event)
        elif act == "publish":
            self.mutate(chance.choice(["publishThought", "unpublishThought"]), id=thought)
        elif act == "delete":
            if chance.random() < 0.8:
                self.mutate("deleteThought", id=thought)
            else:
                self.mutate("deleteEvent", id=event)
        elif act == "chat":
            conversation = things.pick("conversation", chance)
            if conversation and chance.random() < 0.8:
                self.mutate("sendMessage", conversationId=conversation, text=f"Message {chance.getrandbits(80)}")
            elif other := things.pick("person", chance):
                payload = self.mutate("startConversation", participantIds=[other])
                if payload:
                    things.add("conversation", payload["conversation"]["id"])


def start(program, home):
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"TERTULIA_HOME": home, "HOST": "127.0.0.1", "PORT": "0", "WRITES_PER_MINUTE": "0",
                    "SIGN_UPS_PER_MINUTE": "0"}
    log = open(f"{home}/log", "a+")
    process = subprocess.Popen([program, "serve"], stdout=log, stderr=log, env=environment)
    atexit.register(process.terminate)
    deadline = time.monotonic() + 60
    while "/graphql, with" not in (text := open(f"{home}/log").read()):
        assert process.poll() is None and time.monotonic() < deadline, text
        time.sleep(0.05)
    return process, text.partition("Tertulia serves ")[2].partition(",")[0], environment


def main(program, home, mutations="20000", seed=None):
    seed = seed or str(random.SystemRandom().getrandbits(32))
    print(f"seed {seed}", flush=True)
    process, url, environment = start(program, home)
    lines = open(f"{home}/postgres/data/postmaster.pid").read().splitlines()
    database = f"postgresql://postgres@/tertulia?host={lines[4]}&port={lines[3]}"
    things = Things()
    workers = [Worker(number, url, things, int(mutations) // CONNECTIONS, seed) for number in range(CONNECTIONS)]
    began = time.monotonic()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    elapsed = time.monotonic() - began
    failures = [worker.failure for worker in workers if worker.failure]
    assert not failures, failures
    counts = sum((worker.counts for worker in workers), collections.Counter())
    total = sum(counts.values())
    print(f"{total} mutations in {elapsed:.0f} s: {dict(counts.most_common())}")

    def rows(sql):
        answer = subprocess.run(["psql", "-XAtq", database, "-c", sql], capture_output=True, text=True, check=True)
        return answer.stdout.split("\n")[:-1]

    # Deletions go on after their answer.
    deadline = time.monotonic() + 120
    while rows("select 1 from deleted_accounts limit 1") and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not rows("select 1 from deleted_accounts limit 1"), "accounts are still being deleted"
    for table, column in (("thoughts", "text"), ("events", "name"), ("comments", "text"), ("messages", "text")):
        twice = rows(f"select {column} from {table} group by {column} having count(*) > 1 and {column} like '% %'")
        assert not twice, f"{table} has twice: {twice[:5]}"
    audit = subprocess.run([program, "counters", "audit"], capture_output=True, text=True,
                           env=environment | {"DATABASE_URL": database})
    print(audit.stdout.strip())
    assert audit.returncode == 0, audit.stdout + audit.stderr
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    print("No counter drifted, and nothing was written twice.")


main(*sys.argv[1:])
