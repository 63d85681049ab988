"""What the server holds is bounded: after events and responses, and with every cache full of the worst that fits into it."""

import concurrent.futures
import hashlib
import http.client
import json
import os
import socket
import struct
import threading
import time
import zlib

from patience import DEADLINE, eventually

from .tokens import Forger

# What a server may hold above what it held before its first client, in bytes.
BOUND = 128 << 20
IMAGES = 40
TOKENS = 4_000
DOCUMENTS = 1_000
# What a response or an event may leave behind, in bytes. A row of the change log, which stays in the window, has about 400.
LEFT = 2 << 10
RESPONSES = 4_000
EVENTS = 6_000
SUBSCRIBERS = 10


def attacks(server):
    yield "memory: live events", lambda: live_events(server)
    yield "memory: deferred responses", lambda: deferred_responses(server)
    time.sleep(5)
    idle = server.resident()
    filled = []
    for name, fill in (
        ("documents of one long selection", lambda: documents(server, wide)),
        ("documents whose plans have every type", lambda: documents(server, abstract)),
        ("documents of 16 plans each", lambda: documents(server, conditional, plans=16)),
        ("documents of 100 operations each", lambda: documents(server, operations, plans=100)),
        ("persisted queries", lambda: persisted(server)),
        ("verified tokens", lambda: tokens(server)),
        ("images", lambda: images(server)),
        ("documents of one long selection, again", lambda: documents(server, wide)),
    ):
        yield f"memory: {name}", lambda fill=fill, name=name: filled.append((name, fill(), server.resident() - idle))
    yield "memory above idle", lambda: within(server, idle, filled)


def within(server, idle, filled):
    for name, sent, above in filled:
        print(f"{above >> 20:6} MiB above idle after {sent} of: {name}")
    assert len(filled) == 8
    above = server.resident() - idle
    print(f"{above >> 20:6} MiB above idle ({idle >> 20} MiB) with every cache full; {BOUND >> 20} are allowed.")
    assert above < BOUND, above


def leave_little(server, name, count, act):
    """Measures what `act(count)` leaves in memory, after half as much has filled pools and buffers."""
    act(count // 2)
    before = server.resident()
    act(count)
    left = (server.resident() - before) / count
    print(f"{left:6.0f} bytes are left of each of {count} {name}; {LEFT} are allowed.")
    assert left < LEFT, left


def live_events(server):
    """Thoughts that all subscribers are told of."""
    send, token = Sender(server), Forger(server).token
    received = [0] * SUBSCRIBERS
    streams = [subscribe(server) for _ in received]

    def listen(number):
        for line in streams[number][1]:
            received[number] += line.startswith(b"event: next")

    def write(count):
        body = {"query": "mutation { createThought(input: { text: \"Hello\", category: FUNNY }) { userErrors { code } } }"}
        # The server ends a subscription for which more than 1,000 changes wait.
        for _ in range(count // 500):
            told = [events + 500 for events in received]
            in_parallel(lambda _: send(body, token), range(500))
            eventually(lambda: f"{told} events, not {received}", lambda: received == told)

    threads = [threading.Thread(target=listen, args=[number]) for number in range(SUBSCRIBERS)]
    for thread in threads:
        thread.start()
    try:
        leave_little(server, "live events", EVENTS, write)
    finally:
        for connection, _ in streams:
            connection.sock.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()


def subscribe(server):
    connection = http.client.HTTPConnection(*server.address, timeout=DEADLINE)
    query = "subscription { feedChanges { kind node { ... on Thought { id text author { displayName } } } } }"
    connection.request(
        "POST", "/graphql", json.dumps({"query": query}),
        {"Content-Type": "application/json", "Accept": "text/event-stream"})
    return connection, connection.getresponse()


def deferred_responses(server):
    send = Sender(server)
    fields = '... @defer { text ... @defer(label: "author") { author { displayName } } }'
    body = {"query": f"{{ feed(first: 5) {{ nodes {{ ... on Thought {{ id {fields} }} }} }} }}"}

    def ask(_):
        parts = send.send(body, {"Accept": "multipart/mixed;deferSpec=20220824"})
        assert b'"hasNext":true' in parts and b'"label":"author"' in parts, parts

    leave_little(server, "deferred responses", RESPONSES, lambda count: in_parallel(ask, range(count)))


class Sender:
    """Keeps a connection a thread."""

    def __init__(self, server):
        self.server, self.local = server, threading.local()

    def send(self, body, headers):
        connection = getattr(self.local, "connection", None)
        if connection is None:
            connection = self.local.connection = http.client.HTTPConnection(*self.server.address, timeout=60)
        connection.request("POST", "/graphql", json.dumps(body), {"Content-Type": "application/json"} | headers)
        return connection.getresponse().read()

    def __call__(self, body, token=None):
        answer = json.loads(self.send(body, {"Authorization": f"Bearer {token}"} if token else {}))
        codes = [error["extensions"]["code"] for error in answer.get("errors", [])]
        # The viewer of a token need not be somebody, and some documents ask for too much: they are kept all the same.
        assert set(codes) <= {"QUERY_TOO_COMPLEX", "UNAUTHENTICATED", "RATE_LIMITED", "TIMEOUT"}, answer
        return answer


def in_parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return len(list(pool.map(function, items)))


def wide(number):
    """5 KB, 1,600 selections."""
    return f"query Q{number} {{ nodes(ids: []) {{ " + "id " * 1600 + "} }"


def abstract(number):
    """Each selection is planned for each type that has an id."""
    aliases = " ".join(f"a{n}: id" for n in range(30))
    below = "... on Thought { author { thoughts(first: 1) { nodes { author { id displayName } } } } }"
    return f"query Q{number} {{ nodes(ids: []) {{ __typename {aliases} {below} }} }}"


def conditional(number):
    variables = " ".join(f"$c{n}: Boolean = false" for n in range(4))
    fields = " ".join(f"a{n}: id @include(if: $c{n % 4})" for n in range(30))
    return f"query Q{number}({variables}) {{ nodes(ids: []) {{ id {fields} }} }}"


def operations(number):
    return " ".join(f"query Q{number}x{n} {{ nodes(ids: []) {{ id __typename }} }}" for n in range(100))


def documents(server, make, plans=1):
    send = Sender(server)

    def ask(number):
        document = make(number)
        for plan in range(plans):
            body = {"query": document}
            if plans == 16:
                body["variables"] = {f"c{bit}": bool(plan >> bit & 1) for bit in range(4)}
            elif plans == 100:
                body["operationName"] = f"Q{number}x{plan}"
            send(body)

    return in_parallel(ask, range(max(20, DOCUMENTS // plans)))


def persisted(server):
    send = Sender(server)

    def ask(number):
        document = f"query P{number} {{ __typename }} #" + "x" * 60_000
        digest = hashlib.sha256(document.encode()).hexdigest()
        send({"query": document, "extensions": {"persistedQuery": {"version": 1, "sha256Hash": digest}}})

    return in_parallel(ask, range(DOCUMENTS))


def tokens(server):
    """As long as the server itself would never make them, so that a few thousand fill the cache."""
    forger = Forger(server)
    send = Sender(server)

    def ask(number):
        send({"query": "{ __typename }"}, forger.signed(claims={"jti": f"{number}" + "x" * 2_500}))

    return in_parallel(ask, range(TOKENS))


def noise():
    """A grey picture of a megabyte that cannot be made smaller."""
    def chunk(kind, body=b""):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    side = 1_000
    pixels = zlib.compress(b"".join(b"\0" + os.urandom(side) for _ in range(side)), 0)
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND")


def images(server):
    forger = Forger(server)
    query = "mutation($file: Upload!) { uploadImage(file: $file) { image { url } userErrors { message } } }"
    for _ in range(IMAGES):
        parts = [
            ('name="operations"', json.dumps({"query": query, "variables": {"file": None}}).encode()),
            ('name="map"', b'{"0":["variables.file"]}'), ('name="0"; filename="a.png"', noise()),
        ]
        form = b"".join(
            b"--b\r\nContent-Disposition: form-data; " + head.encode() + b"\r\n\r\n" + body + b"\r\n"
            for head, body in parts) + b"--b--\r\n"
        answer = server.send("POST", "/graphql", form, {
            "Content-Type": "multipart/form-data; boundary=b", "Authorization": f"Bearer {forger.token}"})
        url = answer["uploadImage"]["image"]["url"]
        assert len(server.send("GET", url[url.index("/images/"):]).body) > 900_000
    return IMAGES
