"""Requests, and what ids and cursors are made of."""

import asyncio
import base64
import itertools
import uuid

from patience import DEADLINE, PAUSE_OF_CLIENTS, Patience, ask_again_async, codes_of

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def node_id(kind, text):
    """The TypeID of a UUID."""
    number = uuid.UUID(text).int
    return kind + "_" + "".join(ALPHABET[number >> shift & 31] for shift in range(125, -5, -5))


def uuid_of(id):
    """The UUID of a TypeID."""
    number = 0
    for letter in id.partition("_")[2]:
        number = number << 5 | ALPHABET.index(letter)
    return str(uuid.UUID(int=number))


def new_id(kind, generator):
    """Of now: a UUIDv7 by this machine's clock and the storm's generator."""
    import time

    number = int(time.time() * 1000) << 80 | 7 << 76 | generator.getrandbits(12) << 64
    number |= 2 << 62 | generator.getrandbits(62)
    return node_id(kind, str(uuid.UUID(int=number)))


def position(cursor):
    """The transaction and the row of a cursor."""
    data = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    return int.from_bytes(data[9:17], signed=True), int.from_bytes(data[17:25], signed=True)


class Refused(Exception):
    """The first error of a response."""

    @property
    def code(self):
        return self.args[0].get("extensions", {}).get("code")


async def respond(session, url, text, token, variables, timeout):
    """The response. TimeoutError after `timeout` seconds."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = {"query": text, "variables": variables}
    async with session.post(url, json=body, headers=headers, timeout=timeout) as response:
        return await response.json(content_type=None)


def data_of(answer):
    if answer.get("errors"):
        raise Refused(answer["errors"][0])
    return answer["data"]


async def ask(session, url, text, token=None, **variables):
    """The data, asked for once; for clients of machines that fail, which give up after 10 seconds."""
    return data_of(await respond(session, url, text, token, variables, 10))


async def ask_until_available(session, url, text, token=None, **variables):
    """The data, asked for again while the server is busy: of a query, or of a mutation that may be done twice."""
    answer = await ask_again_async(lambda: respond(session, url, text, token, variables, DEADLINE), is_repeatable=True)
    return data_of(answer)


async def sign_up(session, url, name):
    """The id and the token of a new account. Its username begins with the name; after a sign-up that may have been done, the next
    is for another username."""
    patience = Patience()
    for attempt in itertools.count():
        tried = f"{name}x{attempt}"
        account = {"username": tried, "email": f"{tried}@example.org", "password": "a long quiet evening"}
        text = """mutation ($input: SignUpInput!) { signUp(input: $input) {
          accessToken viewer { user { id } } userErrors { message } } }"""
        answer = await respond(session, url, text, None, {"input": account}, DEADLINE)
        if not patience.allows(codes_of(answer)):
            payload = data_of(answer)["signUp"]
            return payload["viewer"]["user"]["id"], payload["accessToken"]
        await asyncio.sleep(PAUSE_OF_CLIENTS)
