"""HTTP as no client should speak it."""

import gzip
import json
import socket

MUTATION = "mutation { signInAnonymously { accessToken } }"
QUERY = json.dumps({"query": "{ __typename }"})
HEAD = "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
HEALTH = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def attacks(server):
    yield "a mutation by GET", lambda: mutation_by_get(server)
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "text/plain; application/json", ""):
        yield f"a body of type {content_type!r}", lambda content_type=content_type: simple_post(server, content_type)
    yield "multipart without a preflight header", lambda: multipart(server, {}, 400)
    for header in ("GraphQL-Require-Preflight", "Apollo-Require-Preflight", "X-Apollo-Operation-Name"):
        yield f"multipart with {header}", lambda header=header: multipart(server, {header: "1"}, 200)
    yield "multipart with an empty preflight header", lambda: multipart(
        server, {"GraphQL-Require-Preflight": ""}, 400)
    yield "multipart files beyond their number", lambda: many_files(server)
    for name, head, body in FRAMINGS:
        yield name, lambda head=head, body=body: misframed(server, head, body)
    for coding in UNKNOWN_CODINGS:
        yield f"Transfer-Encoding: {coding}", lambda coding=coding: unknown_coding(server, coding)
    yield "extensions of chunks within bounds", lambda: chunk_extensions(server, 4096, 4, 200)
    yield "an extension of a chunk beyond 4 KiB", lambda: chunk_extensions(server, 4097, 1, 400)
    yield "extensions of chunks beyond 16 KiB", lambda: chunk_extensions(server, 1024, 17, 400)
    yield "zeros before a chunk's size", lambda: chunk_zeros(server)
    yield "1,000 headers", lambda: too_many_headers(server, "".join(f"X-{n}: 1\r\n" for n in range(1000)))
    yield "a header of 100 KiB", lambda: too_many_headers(server, "X-Long: " + "x" * 100_000 + "\r\n")
    yield "an address of 100 KiB", lambda: long_address(server)
    yield "a gzip bomb", lambda: gzip_bomb(server)
    yield "a forged Host", lambda: forged_host(server)
    yield "another site's page", lambda: other_origin(server)
    yield "line breaks in a request id", lambda: request_id(server)
    yield "1,000 requests in one piece", lambda: pipelined(server)
    yield "2,000 idle connections", lambda: idle_connections(server, 2_000)
    yield "500 connections that break off in a body", lambda: broken_bodies(server, 500)


def mutation_by_get(server):
    answer = server.send("GET", "/graphql?query=" + MUTATION.replace(" ", "%20"))
    assert (answer.status, answer.headers["Allow"]) == (405, "POST"), answer


def simple_post(server, content_type):
    answer = server.send("POST", "/graphql", QUERY, {"Content-Type": content_type} if content_type else {})
    assert answer.status == 415, answer


def form(*parts):
    text = "".join(f'--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n' for head, body in parts)
    return (text + "--b--\r\n").encode()


def multipart(server, headers, status):
    body = form(('name="operations"', QUERY), ('name="map"', "{}"))
    answer = server.send("POST", "/graphql", body, {"Content-Type": "multipart/form-data; boundary=b"} | headers)
    assert answer.status == status, answer


def many_files(server):
    files = [(f'name="{n}"; filename="../../{n}"', "x") for n in range(100)]
    body = form(('name="operations"', QUERY), ('name="map"', "{}"), *files)
    answer = server.send("POST", "/graphql", body, {
        "Content-Type": "multipart/form-data; boundary=b", "GraphQL-Require-Preflight": "1"})
    assert answer.status == 413, answer


# What proxies and servers have read in two ways. Behind each stands a second request, which must never be answered.
FRAMINGS = [
    ("Content-Length with Transfer-Encoding", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
    ("Transfer-Encoding with Content-Length", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "0\r\n\r\n"),
    ("two lengths", "Content-Length: 0\r\nContent-Length: 4\r\n", ""),
    ("a length with a sign", "Content-Length: +4\r\n", ""),
    ("a negative length", "Content-Length: -1\r\n", ""),
    ("a length beyond all", "Content-Length: 99999999999999999999999\r\n", ""),
    ("a length in hexadecimal", "Content-Length: 0x4\r\n", ""),
    ("a space before a colon", "Content-Length : 4\r\n", ""),
    ("a folded header", "X-Folded: a\r\n b: c\r\nContent-Length : 4\r\n", ""),
    ("a chunk's size beyond all", "Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n"),
    ("a chunk's size with a sign", "Transfer-Encoding: chunked\r\n", "-1\r\n"),
    ("a NUL in a header", "X-Nul: a\0b\r\nContent-Length: 0\r\n", ""),
    ("a bare carriage return", "X-Bare: a\rb\r\nContent-Length: 0\r\n", ""),
    ("a coding behind chunked", "Transfer-Encoding: chunked, cow\r\n", "0\r\n\r\n"),
]


UNKNOWN_CODINGS = ["gzip, chunked", "cow", "gzip", "identity"]


def unknown_coding(server, coding):
    received = server.exchange(
        (HEAD + f"Transfer-Encoding: {coding}\r\n\r\n1a\r\n{QUERY}\r\n0\r\n\r\n" + HEALTH).encode())
    assert received.startswith(b"HTTP/1.1 501"), received[:300]
    assert received.count(b"HTTP/1.1 ") == 1, received[:300]


def chunk_extensions(server, size, count, status):
    """Chunks of one byte of white space, each with an extension of `size` bytes, and then the query."""
    chunks = ("1;" + "x" * (size - 1) + "\r\n \r\n") * count
    received = server.exchange((
        HEAD + f"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"
        f"{len(QUERY):x}\r\n{QUERY}\r\n0\r\n\r\n").encode())
    assert received.startswith(b"HTTP/1.1 %d" % status), received[:300]


def chunk_zeros(server):
    received = server.exchange((HEAD + "Transfer-Encoding: chunked\r\n\r\n" + "0" * 20_000).encode())
    assert received.startswith(b"HTTP/1.1 400"), received[:300]


def misframed(server, head, body):
    received = server.exchange((HEAD + head + "\r\n" + body + HEALTH).encode("latin-1"))
    assert received.startswith(b"HTTP/1.1 400"), received[:300]
    assert received.count(b"HTTP/1.1 ") == 1, received[:300]


def too_many_headers(server, lines):
    received = server.exchange((HEAD + lines + "\r\n").encode())
    assert received.startswith(b"HTTP/1.1 431"), received[:300]


def long_address(server):
    received = server.exchange(("GET /graphql?query=" + "x" * 100_000 + " HTTP/1.1\r\nHost: a\r\n\r\n").encode())
    assert received.startswith(b"HTTP/1.1 431"), received[:300]


def gzip_bomb(server):
    bomb = gzip.compress(b'{"query":"{ __typename ' + b" " * (64 << 20) + b'}"}')
    assert server.post(bomb, Content_Encoding="gzip").status == 415


def forged_host(server):
    for host in ("evil.example", "evil.example:80", "[::1]", ""):
        for path in ("/", "/graphql", "/schema.graphql", "/.well-known/jwks.json"):
            answer = server.send("GET", path, headers={
                "Host": host, "X-Forwarded-Host": "evil.example", "Accept": "text/html, */*"})
            text = answer.body.decode() + str(answer.headers)
            assert answer.status in (200, 400, 406) and "evil" not in text, answer
    for hosts in ("", "Host: a\r\nHost: b\r\n"):
        received = server.exchange(f"GET /healthz HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
        assert received.count(b"HTTP/1.1 ") == 1 and b"HTTP/1.1 5" not in received, received[:200]


def other_origin(server):
    answer = server.post(QUERY.encode(), Origin="https://evil.example")
    assert "Access-Control-Allow-Origin" not in answer.headers, answer.headers
    answer = server.send("OPTIONS", "/graphql", headers={
        "Origin": "https://evil.example", "Access-Control-Request-Method": "POST"})
    assert "Access-Control-Allow-Origin" not in answer.headers, answer.headers


def request_id(server):
    answer = server.post(QUERY.encode(), X_Request_Id="a\tb")
    assert answer.headers["X-Request-Id"] != "a\tb", answer.headers


def pipelined(server):
    request = HEAD + f"Content-Length: {len(QUERY)}\r\n\r\n{QUERY}"
    with server.connect() as connection:
        connection.sendall(request.encode() * 1_000)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while data := connection.recv(1 << 16):
            received += data
    # A client that has ended its side may lose answers, but gets none that is broken.
    assert 1 <= received.count(b"HTTP/1.1 200") <= 1_000, received[:300]
    assert received.count(b"HTTP/1.1 ") == received.count(b"HTTP/1.1 200"), "not all were answered alike"


def idle_connections(server, count):
    before = server.descriptors()
    connections = [server.connect() for _ in range(count)]
    assert server.send("GET", "/healthz").status == 200
    assert server.request("{ feed(first: 1) { nodes { id } } }").status == 200
    for connection in connections:
        connection.close()
    server.settle(before)


def broken_bodies(server, count):
    before = server.descriptors()
    connections = [server.connect() for _ in range(count)]
    for connection in connections:
        connection.sendall((HEAD + "Content-Length: 200000\r\n\r\n" + QUERY).encode())
    for connection in connections:
        connection.close()
    server.settle(before)
