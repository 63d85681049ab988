"""1,000 connections at once, in every manner that clients have of going away; what they held is given back."""

import json
import socket
import time

from .framing import HEAD
from .sockets import INIT, WebSocket, subscribe

LARGE = "{ __schema { types { name description fields { name description args { name description } } } } }"
STREAM = HEAD + "Accept: text/event-stream\r\nContent-Length: {}\r\n\r\n{}"


def attacks(server):
    yield "1,000 connections, three times", lambda: crowds(server)


def crowds(server):
    descriptors = server.descriptors()
    memory = []
    for _ in range(3):
        connections, most = [], 0
        for manner in MANNERS:
            connections += [manner(server) for _ in range(1_000 // len(MANNERS))]
            most = max(most, server.descriptors())
        # The server closes a socket without connection_init after three seconds, and one that reads nothing after ten.
        # On a slow machine the first are gone before the last come.
        assert most >= descriptors + 500, most
        assert server.request("{ __typename }").status == 200
        time.sleep(1)
        for connection in connections:
            connection.close()
        server.settle(descriptors)
        memory.append(server.resident())
    # The first crowd fills pools and caches; each later one leaves nothing behind, and 1 KiB a client is nothing.
    growth = min(after - before for before, after in zip(memory, memory[1:]))
    assert growth < 1 << 20, [size >> 10 for size in memory]


def connected(server):
    client = WebSocket(server)
    assert client.status == 101, client.status
    return client


def connects(server):
    return connected(server).connection


def subscribes(server):
    client = connected(server)
    client.send(INIT)
    client.send(subscribe(1))
    received = client.received
    while b'"complete"' not in received:
        data = client.connection.recv(65536)
        assert data, received
        received += data
    return client.connection


def falls_silent(server):
    client = connected(server)
    client.send(INIT)
    return client.connection


def breaks_off_in_a_frame(server):
    client = connected(server)
    client.send(INIT)
    client.frame(b'{"id":"1","type":', length=60_000)
    return client.connection


def never_reads(server):
    client = connected(server)
    client.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.send(INIT)
    for number in range(20):
        client.send(subscribe(number, LARGE))
    return client.connection


def resets(server):
    """Closes with a reset in place of an end."""
    connection = falls_silent(server)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    return connection


def events(server, query="{ __typename }"):
    body = json.dumps({"query": query})
    connection = server.connect()
    connection.sendall(STREAM.format(len(body), body).encode())
    return connection


def never_reads_events(server):
    return events(server, LARGE)


def breaks_off_in_a_body(server):
    connection = server.connect()
    connection.sendall(STREAM.format(10_000, '{"query":"').encode())
    return connection


# Those that the server closes soonest come last.
MANNERS = [
    never_reads, never_reads_events, subscribes, events, falls_silent, breaks_off_in_a_frame, resets,
    breaks_off_in_a_body, connects, connects,
]
