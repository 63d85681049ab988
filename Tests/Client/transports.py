"""Every transport of the stock client (PyPI gql) against Tertulia: a thought is written, liked and read back.

Usage: transports.py URL
"""

import asyncio
import sys

from gql import Client
from matrix import ASYNC_HTTP, HTTP, WEBSOCKET, equal, request
from scenario import sign_up

CREATE = """mutation ($input: CreateThoughtInput!) {
  createThought(input: $input) { thought { id text } userErrors { message } } }"""
LIKE = "mutation ($id: ID!) { likeThought(input: {thoughtId: $id}) { thought { likeCount } userErrors { message } } }"
READ = "query ($id: ID!) { thought(id: $id) { text likeCount viewerHasLiked } }"


def written(text):
    return request(CREATE, input={"category": "SERIOUS", "text": text})


def created(data, text):
    payload = data["createThought"]
    equal((payload["userErrors"], payload["thought"]["text"]), ([], text))
    return payload["thought"]["id"]


def liked(data):
    equal(data, {"likeThought": {"thought": {"likeCount": 1}, "userErrors": []}})


def read(data, text):
    equal(data, {"thought": {"text": text, "likeCount": 1, "viewerHasLiked": True}})


def synchronous(name, transport):
    with Client(transport=transport, fetch_schema_from_transport=True) as session:
        id = created(session.execute(written(name)), name)
        liked(session.execute(request(LIKE, id=id)))
        read(session.execute(request(READ, id=id)), name)


async def asynchronous(name, transport):
    async with Client(transport=transport, fetch_schema_from_transport=True) as session:
        id = created(await session.execute(written(name)), name)
        liked(await session.execute(request(LIKE, id=id)))
        read(await session.execute(request(READ, id=id)), name)


async def main(url):
    token = await asyncio.to_thread(sign_up, url)
    headers = {"Authorization": f"Bearer {token}"}
    for name, transport in HTTP.items():
        await asyncio.to_thread(synchronous, name, transport(url=url, headers=headers))
    for name, transport in ASYNC_HTTP.items():
        await asynchronous(name, transport(url=url, headers=headers))
    for name, transport in WEBSOCKET.items():
        await asynchronous(name, transport(url=url.replace("http", "ws", 1), init_payload={"accessToken": token}))
    print(f"Tertulia answers {', '.join([*HTTP, *ASYNC_HTTP, *WEBSOCKET])}.")


if __name__ == "__main__":
    asyncio.run(asyncio.wait_for(main(sys.argv[1]), 60))
