"""Every cache filled with the worst that fits into it: what the server holds afterwards is bounded."""

import concurrent.futures
import hashlib
import http.client
import json
import os
import struct
import threading
import time
import zlib

from .tokens import Forger

# What a server may hold above what it held before its first client, in bytes.
BOUND = 128 << 20
IMAGES = 40
TOKENS = 4_000
DOCUMENTS = 1_000


def attacks(server):
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


class Sender:
    """Keeps a connection a thread."""

    def __init__(self, server):
        self.server, self.local = server, threading.local()

    def __call__(self, body, token=None):
        connection = getattr(self.local, "connection", None)
        if connection is None:
            connection = self.local.connection = http.client.HTTPConnection(*self.server.address, timeout=60)
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection.request("POST", "/graphql", json.dumps(body), headers)
        answer = json.loads(connection.getresponse().read())
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
