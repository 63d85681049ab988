"""Every transport of the stock client (PyPI gql) against the example server.

Usage: matrix.py URL IMPATIENT_URL

The server at IMPATIENT_URL waits a second for connection_init.
"""

import asyncio
import functools
import hashlib
import io
import logging
import sys
import time

import websockets
from gql import Client, FileVar, GraphQLRequest, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.aiohttp_websockets import AIOHTTPWebsocketsTransport
from gql.transport.exceptions import TransportQueryError, TransportServerError
from gql.transport.httpx import HTTPXAsyncTransport, HTTPXTransport
from gql.transport.requests import RequestsHTTPTransport
from gql.transport.websockets import WebsocketsTransport
from patience import DEADLINE

GREETINGS = ["Hi", "Bonjour", "Hola", "Ciao", "Zdravo"]
# Another site's form could send multipart/form-data: a header that it cannot set shows that this is none.
PREFLIGHT = {"GraphQL-Require-Preflight": "1"}

# The libraries' own limits: requests has none, httpx has 5 seconds, gql's sockets have 10, and a ping of websockets has 20.
HTTP = {name: functools.partial(transport, timeout=DEADLINE) for name, transport in
        {"requests": RequestsHTTPTransport, "httpx": HTTPXTransport}.items()}
ASYNC_HTTP = {name: functools.partial(transport, timeout=DEADLINE) for name, transport in
              {"aiohttp": AIOHTTPTransport, "httpx (async)": HTTPXAsyncTransport}.items()}
# Arguments of websockets.connect.
PATIENT = {"open_timeout": DEADLINE, "ping_timeout": DEADLINE}
SOCKET = {"connect_timeout": DEADLINE, "ack_timeout": DEADLINE}
WEBSOCKET = {
    "websockets": functools.partial(WebsocketsTransport, connect_args=PATIENT, **SOCKET),
    "aiohttp (WebSocket)": functools.partial(AIOHTTPWebsocketsTransport, **SOCKET),
}


def client(transport, **options):
    """A client of gql. `execute_timeout` bounds the answers of asynchronous transports alone."""
    return Client(transport=transport, execute_timeout=DEADLINE, **options)


def request(document, **variables):
    return GraphQLRequest(document, variable_values=variables)


def equal(actual, expected):
    assert actual == expected, f"{actual!r} instead of {expected!r}"


def files():
    contents = [b"first", b"\x00\xff second"]
    expected = [
        {"filename": f"{number}.txt", "mimetype": "text/plain", "size": len(content),
         "sha256": hashlib.sha256(content).hexdigest()}
        for number, content in enumerate(contents)
    ]
    sent = [
        FileVar(io.BytesIO(content), filename=f"{number}.txt", content_type="text/plain")
        for number, content in enumerate(contents)
    ]
    return sent, expected


FILE = "{ filename mimetype size sha256 }"
SINGLE = "mutation ($file: Upload!) { singleUpload(file: $file) " + FILE + " }"
MULTIPLE = "mutation ($files: [Upload!]!) { multipleUpload(files: $files) " + FILE + " }"


def operations(execute):
    """What every transport can do, HTTP and WebSocket alike, as (coroutine or value, expected)."""
    yield execute(request("{ hello(name: \"there\") getMultiline }")), {
        "hello": "Hello there", "getMultiline": "some\n\nthing"}
    yield execute(request("query ($i: EchoInput) { echo(input: $i) }", i={"p": {"x": 1.5}, "e": "ADMIN"})), {
        "echo": '{"e":"ADMIN","p":{"x":1.5,"y":0},"d":"dflt"}'}
    yield execute(request(
        "mutation ($input: CreateUserInput!) { createUser(input: $input) { user { name age role } clientMutationId } }",
        input={"name": "Zoë 🏊", "age": 7, "clientMutationId": "m1"})), {
        "createUser": {"user": {"name": "Zoë 🏊", "age": 7, "role": "MEMBER"}, "clientMutationId": "m1"}}
    yield execute(request('{ users(first: 2) { totalCount pageInfo { hasNextPage } edges { node { name age } } } }')), {
        "users": {"totalCount": 25, "pageInfo": {"hasNextPage": True}, "edges": [
            {"node": {"name": "user1", "age": 20}}, {"node": {"name": "user2", "age": 21}}]}}
    yield execute(request('{ search(text: "user2") { __typename ... on User { name } ... on Post { title } } }')), {
        "search": [{"__typename": "User", "name": "user2"}, {"__typename": "User", "name": "user20"},
                   {"__typename": "Post", "title": "user2"}]}


def synchronous(url, transport):
    with client(transport(url=url, headers=PREFLIGHT), fetch_schema_from_transport=True) as session:
        for actual, expected in operations(session.execute):
            equal(actual, expected)
        data = {"maybe": None, "getValue": "value"}
        refused(lambda: session.execute(request("{ maybe getValue }")), "maybe failed", data)
        refused(lambda: session.execute(request("{ mustNot }")), "Cannot return null", None)
        sent, expected = files()
        equal(session.execute(request(SINGLE, file=sent[0]), upload_files=True), {"singleUpload": expected[0]})
        sent, expected = files()
        equal(session.execute(request(MULTIPLE, files=sent), upload_files=True), {"multipleUpload": expected})


def refused(execute, message, data):
    try:
        execute()
    except TransportQueryError as error:
        assert message in error.errors[0]["message"], error.errors
        equal(error.data, data)
    else:
        raise AssertionError(f"no error: {message}")


async def asynchronous(url, transport, **options):
    async with client(transport(url=url, **options), fetch_schema_from_transport=True) as session:
        for actual, expected in operations(session.execute):
            equal(await actual, expected)
        if "headers" in options:
            sent, expected = files()
            data = await session.execute(request(SINGLE, file=sent[0]), upload_files=True)
            equal(data, {"singleUpload": expected[0]})
            sent, expected = files()
            equal(await session.execute(request(MULTIPLE, files=sent), upload_files=True), {"multipleUpload": expected})


async def subscriptions(url, transport, pongs=1):
    """Over a WebSocket, or as Apollo's multipart over HTTP."""
    async with client(transport(url=url)) as session:
        for field in ("greetings", "slowGreetings"):
            equal([event[field] async for event in session.subscribe(gql(f"subscription {{ {field} }}"))], GREETINGS)
        equal(
            [event["countdown"] async for event in session.subscribe(request(
                "subscription ($n: Int!) { countdown(from: $n) }", n=3))], [3, 2, 1, 0])
        await ping(session, pongs)
        for field, message in (("throwing", "Subscribe Kaboom!"), ("subscribeThrowing", "Kaboom!")):
            try:
                events = [event async for event in session.subscribe(gql(f"subscription {{ {field} }}"))]
            except (TransportQueryError, TransportServerError) as error:
                assert message in str(error), error
            else:
                raise AssertionError(f"{field} gave {events}")
        async for _ in session.subscribe(gql("subscription { countdown(from: 1000000) }")):
            break  # The client leaves; the connection goes on.
        equal(await session.execute(gql("{ getValue }")), {"getValue": "value"})


async def ping(session, pongs):
    """A subscription waits for what a mutation does."""
    events = session.subscribe(request('subscription { ping(key: "matrix") }'))
    waiting = asyncio.ensure_future(anext(events))
    for _ in range(pongs):
        await asyncio.sleep(0.1)
        equal(await session.execute(request('mutation { pong(key: "matrix") }')), {"pong": True})
    equal(await waiting, {"ping": "pong"})
    await events.aclose()


async def silent(url):
    """A client that never says connection_init."""
    start = time.monotonic()
    async with websockets.connect(url, subprotocols=["graphql-transport-ws"], **PATIENT) as socket:
        await socket.wait_closed()
        equal((socket.close_code, socket.close_reason), (4408, "Connection initialisation timeout"))
    assert time.monotonic() - start > 0.9, "The server waits a second."


async def within(name, work):
    """The result of `work`. An AssertionError with the name where it has not ended after DEADLINE seconds."""
    try:
        return await asyncio.wait_for(work, DEADLINE)
    except TimeoutError:
        raise AssertionError(f"{name}: no end after {DEADLINE} s") from None


async def main(url, impatient):
    await within("no connection_init", silent(impatient.replace("http", "ws", 1)))
    socket = url.replace("http", "ws", 1)
    for name, transport in HTTP.items():
        await asyncio.to_thread(synchronous, url, transport)
        print(f"{name}: queries, mutations, uploads")
    for name, transport in ASYNC_HTTP.items():
        await within(name, asynchronous(url, transport, headers=PREFLIGHT))
        print(f"{name}: queries, mutations, uploads")
    for name, transport in WEBSOCKET.items():
        await within(name, asynchronous(socket, transport))
        await within(name, subscriptions(socket, transport))
        print(f"{name}: queries, mutations, subscriptions")
    # aiohttp hands a part on when bytes of the next one have come: of an event, or of a heartbeat.
    await within("multipart", subscriptions(url, AIOHTTPTransport, pongs=2))
    print("aiohttp: multipart subscriptions")


if __name__ == "__main__":
    # What it would say of the errors is asked for here.
    logging.disable()
    asyncio.run(main(*sys.argv[1:]))
