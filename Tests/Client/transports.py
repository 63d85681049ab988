"""Every transport of the stock client (PyPI gql) against Tertulia: a thought is written, liked and read back.

Usage: transports.py URL
"""

import asyncio
import sys

from gql.transport.exceptions import TransportQueryError
from matrix import ASYNC_HTTP, HTTP, WEBSOCKET, client, equal, request, within
from patience import ask_again_async, is_repeatable, named
from scenario import run, sign_up

CREATE = """mutation ($input: CreateThoughtInput!) {
  createThought(input: $input) { thought { id text } userErrors { message } } }"""
LIKE = """mutation ($input: LikeThoughtInput!) {
  likeThought(input: $input) { thought { likeCount } userErrors { message } } }"""
READ = "query ($id: ID!) { thought(id: $id) { text likeCount viewerHasLiked } }"


def written(text):
    return {"category": "SERIOUS", "text": text}


def created(data, text):
    payload = data["createThought"]
    equal((payload["userErrors"], payload["thought"]["text"]), ([], text))
    return payload["thought"]["id"]


def liked(data):
    equal(data, {"likeThought": {"thought": {"likeCount": 1}, "userErrors": []}})


def read(data, text):
    equal(data, {"thought": {"text": text, "likeCount": 1, "viewerHasLiked": True}})


def synchronous(name, transport):
    with client(transport, fetch_schema_from_transport=True) as session:
        id = created(run(session, CREATE, input=written(name)), name)
        liked(run(session, LIKE, input={"thoughtId": id}))
        read(run(session, READ, id=id), name)


async def run_async(session, document, **variables):
    """The data, which is asked for again while the server is busy."""
    variables = named(variables)

    async def respond():
        try:
            return {"data": await session.execute(request(document, **variables))}
        except TransportQueryError as error:
            return {"errors": error.errors}

    answer = await ask_again_async(respond, is_repeatable(document, variables))
    assert "errors" not in answer, answer
    return answer["data"]


async def asynchronous(name, transport):
    async with client(transport, fetch_schema_from_transport=True) as session:
        id = created(await run_async(session, CREATE, input=written(name)), name)
        liked(await run_async(session, LIKE, input={"thoughtId": id}))
        read(await run_async(session, READ, id=id), name)


async def main(url):
    token = await asyncio.to_thread(sign_up, url)
    headers = {"Authorization": f"Bearer {token}"}
    for name, transport in HTTP.items():
        await asyncio.to_thread(synchronous, name, transport(url=url, headers=headers))
    for name, transport in ASYNC_HTTP.items():
        await within(name, asynchronous(name, transport(url=url, headers=headers)))
    for name, transport in WEBSOCKET.items():
        address = url.replace("http", "ws", 1)
        await within(name, asynchronous(name, transport(url=address, init_payload={"accessToken": token})))
    print(f"Tertulia answers {', '.join([*HTTP, *ASYNC_HTTP, *WEBSOCKET])}.")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
