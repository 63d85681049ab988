"""All descriptors used up: the server stays alive and ready, costs nothing while nobody asks, and takes clients again."""

import resource
import socket
import time

from patience import eventually

from .framing import HEAD, QUERY

# The share of a core that a server may spend on connections that say nothing.
IDLE_SHARE = 0.15


def attacks(server):
    limit = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)[0]
    yield f"every place taken, of {limit} descriptors", lambda: crowd(server, limit)
    yield "no descriptor left at all", lambda: exhausted(server)
    yield "one address beyond its share", lambda: one_address(server)


def connect(server, number, timeout=20):
    """From one of the addresses that a machine has for itself: each of them counts as another client."""
    return socket.create_connection(
        server.address, timeout=timeout, source_address=(f"127.0.{1 + number // 100}.{1 + number % 100}", 0))


def ask(connection):
    connection.sendall(f"{HEAD}Content-Length: {len(QUERY)}\r\n\r\n{QUERY}".encode())
    return connection.recv(65536)


def share_of_a_core(server, seconds=4):
    before = server.cpu()
    time.sleep(seconds)
    return (server.cpu() - before) / 1000 / seconds


def probe(server, path):
    started = time.monotonic()
    answer = server.send("GET", path, timeout=10)
    assert answer.status == 200, (path, answer)
    return time.monotonic() - started


def crowd(server, limit):
    idle = share_of_a_core(server)
    first = connect(server, 0)
    assert ask(first).startswith(b"HTTP/1.1 200")
    crowd = [connect(server, number) for number in range(1, limit + 200)]
    time.sleep(1)
    held = server.descriptors()
    waits = {path: probe(server, path) for path in ("/readyz", "/healthz")}
    share = share_of_a_core(server)
    print(
        f"       {len(crowd) + 1} connections, {held} of {limit} descriptors; a core's share {share:.3f} (idle {idle:.3f}); "
        + ", ".join(f"{path} after {wait * 1000:.0f} ms" for path, wait in waits.items()))
    assert held < limit - 40, held
    assert share < idle + IDLE_SHARE, share
    # Whoever is in is served, whoever comes is told to come again.
    assert ask(first).startswith(b"HTTP/1.1 200")
    answer = server.request("{ __typename }")
    assert (answer.status, answer.codes) == (503, ["OVERLOADED"]), answer
    assert int(answer.headers["Retry-After"]) == answer.extensions["retryAfter"] in range(1, 5), answer
    for connection in crowd:
        connection.close()
    wait_until_served(server)
    first.close()


def exhausted(server):
    """As if the rest of the process had used up the reserve."""
    soft, hard = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
    idle = share_of_a_core(server)
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (server.descriptors(), hard))
    try:
        waiting = [connect(server, number) for number in range(20)]
        share = share_of_a_core(server)
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (soft, hard))
    print(f"       accept refused by the system: a core's share {share:.3f} (idle {idle:.3f})")
    assert share < idle + IDLE_SHARE, share
    # Those that waited meanwhile are served.
    for connection in waiting:
        assert ask(connection).startswith(b"HTTP/1.1 200")
        connection.close()


def one_address(server, share=100):
    connections = [server.connect() for _ in range(share)]
    for connection in connections:
        assert ask(connection).startswith(b"HTTP/1.1 200")
    beyond = server.request("{ __typename }")
    assert (beyond.status, beyond.codes) == (503, ["OVERLOADED"]), beyond
    assert ask(connect(server, 7)).startswith(b"HTTP/1.1 200")
    for connection in connections:
        connection.close()
    wait_until_served(server)


def wait_until_served(server):
    eventually("a server that takes clients again", lambda: server.request("{ __typename }").status == 200)
